//! Move sets compared with generators that share no code with ours: the crate
//! cozy-chess on 8x8, a mailbox written from the rules on compact boards.

mod oracle;
mod support;

use cozy_chess::Board;
use support::{Dice, random_positions, random_start};
use tessera::board::{CHESS, Position, Rules};
use tessera::types::Move;

/// Legal moves as sorted text, castling as king takes rook.
fn moves_of(position: &Position) -> Vec<String> {
    let moves = position.legal_moves();
    let mut texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
    texts.sort();
    texts
}

/// The other library follows each game by itself, from its start: a castling right or
/// an en-passant square that we lose on the way would show.
#[test]
fn a_million_8x8_positions_have_the_moves_that_cozy_chess_finds() {
    let mut dice = Dice::new(960);
    let mut positions = 0;
    while positions < 1_000_000 {
        let mut ours = random_start(&CHESS, &mut dice);
        let mut theirs = cozy_board(&ours);
        for _ in 0..300 {
            positions += 1;
            let moves = ours.legal_moves();
            let mut ours_packed: Vec<u16> = moves.iter().map(|&mv| pack(mv)).collect();
            let mut theirs_packed = Vec::new();
            theirs.generate_moves(|moves| {
                theirs_packed.extend(moves.into_iter().map(pack_cozy));
                false
            });
            ours_packed.sort_unstable();
            theirs_packed.sort_unstable();
            assert_eq!(ours_packed, theirs_packed, "{ours}");
            assert_eq!(ours.checkers().0, theirs.checkers().0, "{ours}");

            if moves.is_empty() || ours.halfmoves() >= 100 {
                break;
            }
            let mv = moves[dice.below(moves.len())];
            ours.make(mv);
            let mut same = Vec::new();
            theirs.generate_moves(|moves| {
                same.extend(
                    moves
                        .into_iter()
                        .filter(|&other| pack_cozy(other) == pack(mv)),
                );
                false
            });
            theirs.play(same[0]);
        }
    }
}

/// Origin, destination and promotion in sixteen bits.
fn pack(mv: Move) -> u16 {
    let promotion = mv.promotes_to().map_or(0, |piece| piece as u16);
    mv.bits() & 0xFFF | promotion << 12
}

/// The same for the other library.
fn pack_cozy(mv: cozy_chess::Move) -> u16 {
    let promotion = mv.promotion.map_or(0, |piece| piece as u16);
    mv.from as u16 | (mv.to as u16) << 6 | promotion << 12
}

/// A start position in the other library, which reads Shredder-FEN.
fn cozy_board(start: &Position) -> Board {
    let mut castling = String::new();
    for rook in start.castling_rooks() {
        let letter = rook.file_letter();
        castling.push(match rook.rank() {
            0 => letter.to_ascii_uppercase(),
            _ => letter,
        });
    }
    let fen = start.fen().replace("KQkq", &castling);
    Board::from_fen(&fen, true).unwrap_or_else(|error| panic!("{error:?}: {fen}"))
}

/// The oracle's description of a game. Written from the rules, not from our rows.
fn oracle_game(name: &str) -> &'static oracle::Game {
    use oracle::Game;
    const FIVE_BY_FIVE: Game = Game::compact(5, 5, "qrbn");
    const FIVE_BY_SIX: Game = Game::compact(5, 6, "qrbn");
    const FOUR_BY_FIVE: Game = Game::compact(4, 5, "qrbn");
    const FOUR_BY_SIX: Game = Game::compact(4, 6, "qrbn");
    const SIX_BY_SIX: Game = Game::compact(6, 6, "qrn");
    match name {
        "chess" => &Game::CHESS,
        "gardner" | "baby" | "mallett" => &FIVE_BY_FIVE,
        "petty" | "5x6chess" => &FIVE_BY_SIX,
        "4x5chess" | "microchess" => &FOUR_BY_FIVE,
        "4x6chess" => &FOUR_BY_SIX,
        "losalamos" => &SIX_BY_SIX,
        "silverman4x5" => &Game::SILVERMAN_4X5,
        "chessattack" => &Game::CHESS_ATTACK,
        other => panic!("the oracle does not know {other}"),
    }
}

#[test]
fn positions_of_every_board_have_the_moves_that_the_rules_give() {
    for (seed, rules) in (0..).zip(Rules::ALL) {
        let game = oracle_game(rules.name);
        random_positions(rules, seed, 20_000, |position| {
            let oracle = oracle::Oracle::from_fen(game, &position.fen());
            assert_eq!(moves_of(position), oracle.legal_moves(), "{position:?}");
            assert_eq!(position.in_check(), oracle.in_check(), "{position:?}");
        });
    }
}

/// The oracle follows whole games by itself, so that a right or an en-passant square
/// lost by our own FEN would show.
#[test]
fn games_followed_move_by_move_agree_with_the_rules() {
    let mut dice = Dice::new(7);
    for rules in Rules::ALL {
        let game = oracle_game(rules.name);
        for _ in 0..100 {
            let mut ours = random_start(rules, &mut dice);
            let mut theirs = oracle::Oracle::from_fen(game, &ours.fen());
            let (mut halfmoves, mut plies) = (0, 0);
            for _ in 0..80 {
                assert_eq!(ours.halfmoves(), halfmoves, "{ours:?}");
                assert_eq!(ours.fullmoves(), 1 + plies / 2, "{ours:?}");
                let moves = moves_of(&ours);
                assert_eq!(moves, theirs.legal_moves(), "{ours:?}");
                let Some(text) = moves.get(dice.below(moves.len().max(1))) else {
                    break;
                };
                ours = ours.play(ours.parse_uci(text).expect("legal"));
                plies += 1;
                halfmoves = if theirs.makes_progress(text) {
                    0
                } else {
                    halfmoves + 1
                };
                theirs = theirs.play(text);
                let fen = ours.fen();
                assert_eq!(fen.split(' ').next(), Some(&*theirs.board_rows()));
            }
        }
    }
}

/// Positions no game reaches: men thrown onto the board, with whatever rights and
/// en-passant square then make sense.
#[test]
fn unreachable_positions_have_the_moves_that_the_rules_give() {
    let mut dice = Dice::new(77);
    for rules in Rules::ALL {
        let game = oracle_game(rules.name);
        let mut valid = 0;
        while valid < 5_000 {
            let Ok(position) = Position::from_fen(rules, &thrown_fen(rules, &mut dice)) else {
                continue;
            };
            valid += 1;
            let oracle = oracle::Oracle::from_fen(game, &position.fen());
            assert_eq!(moves_of(&position), oracle.legal_moves(), "{position:?}");
            assert_eq!(position.in_check(), oracle.in_check(), "{position:?}");
            for &mv in &position.legal_moves() {
                let next = position.play(mv);
                assert_eq!(next.key(), next.recomputed_key(), "{mv:?} in {position:?}");
                assert_eq!(
                    position.gives_check(mv),
                    next.in_check(),
                    "{mv:?} in {position:?}"
                );
            }
        }
    }
}

/// A FEN of random men, kings often at home, that may well be refused.
fn thrown_fen(rules: &Rules, dice: &mut Dice) -> String {
    let (files, ranks) = (usize::from(rules.files), usize::from(rules.ranks));
    let mut board = vec!['1'; files * ranks];
    for _ in 0..2 + dice.below(files * ranks / 2) {
        let men = [
            'q', 'r', 'r', 'b', 'n', 'p', 'p', 'Q', 'R', 'R', 'B', 'N', 'P', 'P',
        ];
        board[dice.below(files * ranks)] = men[dice.below(men.len())];
    }
    // The first row is Black's back rank.
    for (king, home) in [('k', 0), ('K', files * (ranks - 1))] {
        let anywhere = dice.below(files * ranks);
        let at_home = home + dice.below(files);
        board[if dice.below(2) == 0 {
            at_home
        } else {
            anywhere
        }] = king;
    }
    let rows: Vec<String> = board
        .chunks(files)
        .map(|row| row.iter().collect())
        .collect();
    let side = ["w", "b"][dice.below(2)];
    let en_passant = format!(
        "{}{}",
        char::from(b'a' + dice.below(files) as u8),
        1 + dice.below(ranks)
    );
    format!("{} {side} KQkq {en_passant} 0 1", rows.join("/"))
}
