//! What must hold in every position, along random games on every board.

mod support;

use std::cell::Cell;
use std::collections::HashSet;

use support::{random_positions, suite};
use tessera::board::{CHESS, Evasions, Noisy, Position, Quiet, Rules};
use tessera::types::{Bitboard, Move, MoveKind, MoveList, PieceType};

/// Runs a check on the positions of random games of every board.
fn on_every_board(seed: u64, count: usize, check: impl Fn(&Position)) {
    for rules in Rules::ALL {
        random_positions(rules, seed, count, &check);
    }
}

#[test]
fn keys_checkers_and_pins_are_what_recomputing_gives() {
    on_every_board(1, 20_000, |position| {
        assert_eq!(position.key(), position.recomputed_key(), "{position:?}");

        let (us, them) = (position.side(), !position.side());
        let king = position.king(us);
        let attackers =
            |occupied: Bitboard| position.attackers(king, occupied) & position.color(them);
        let checkers = attackers(position.occupied());
        assert_eq!(position.checkers(), checkers, "{position:?}");

        // A man is pinned if the king would be attacked by another man without it.
        let mut pinned = Bitboard::EMPTY;
        for man in position.color(us) - Bitboard::from(king) {
            if attackers(position.occupied() ^ man.into()) != checkers {
                pinned |= man.into();
            }
        }
        assert_eq!(position.pinned(), pinned, "{position:?}");
    });
}

#[test]
fn keys_tell_positions_apart_and_agree_on_transpositions() {
    let play = |moves: &str| {
        let start = Position::start(&CHESS);
        moves.split(' ').fold(start, |position, text| {
            position.play(position.parse_uci(text).expect("legal"))
        })
    };
    let one_way = play("g1f3 g8f6 b1c3 b8c6");
    assert_eq!(one_way.key(), play("b1c3 b8c6 g1f3 g8f6").key());
    // The rook has moved and come back: a castling right is gone.
    let no_right = play("g1f3 g8f6 b1c3 b8c6 h1g1 h8g8 g1h1 g8h8");
    assert_eq!(no_right.occupied(), one_way.occupied());
    assert_ne!(no_right.key(), one_way.key());
    // The same men and side to move, but now the pawn can be captured in passing.
    let now = play("e2e4 a7a6 e4e5 d7d5");
    let before = play("e2e4 a7a6 e4e5 d7d5 g1f3 b8c6 f3g1 c6b8");
    assert!(now.en_passant().is_some() && before.en_passant().is_none());
    assert_eq!(now.occupied(), before.occupied());
    assert_ne!(now.key(), before.key());
    // Nobody can capture here, so nothing is noted.
    assert_eq!(play("e2e4").en_passant(), None);
}

/// Every part of a position that two positions can differ in shows in the key.
#[test]
fn keys_contain_side_rights_en_passant_and_game() {
    let key = |rules, fen: &str| Position::from_fen(rules, fen).expect("valid").key();
    let base = key(&CHESS, "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1");
    for other in [
        "r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w Qkq d6 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w Kkq d6 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQk d6 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQq d6 0 1",
    ] {
        assert_ne!(key(&CHESS, other), base, "{other}");
    }
    let [white, black] = ["w", "b"].map(|side| format!("4k3/8/8/8/8/8/8/4K2R {side} - - 0 1"));
    assert_ne!(key(&CHESS, &white), key(&CHESS, &black));
    let counters = "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 7 30";
    assert_eq!(key(&CHESS, counters), base);
    let fen = "rnbqk/ppppp/5/5/PPPPP/RNBQK w - - 0 1";
    let [plain, attack] =
        ["5x6chess", "chessattack"].map(|name| Rules::named(name).expect("a game"));
    assert_ne!(key(plain, fen), key(attack, fen));
}

#[test]
fn a_position_has_one_key_however_it_is_reached() {
    on_every_board(2, 5_000, |position| {
        let read = Position::from_fen(position.rules(), &position.fen()).expect("own FEN");
        assert_eq!(read.key(), position.key(), "{position:?}");
    });
}

#[test]
fn counting_gives_the_length_of_the_list() {
    on_every_board(3, 50_000, |position| {
        let moves = position.legal_moves();
        assert_eq!(position.count_moves() as usize, moves.len(), "{position:?}");
    });
}

#[test]
fn noisy_and_quiet_moves_make_up_all_moves() {
    on_every_board(4, 20_000, |position| {
        let (mut noisy, mut quiet) = (MoveList::new(), MoveList::new());
        position.generate::<Noisy>(&mut noisy);
        position.generate::<Quiet>(&mut quiet);
        assert!(
            noisy.iter().all(|&mv| position.is_noisy(mv)),
            "{position:?}"
        );
        assert!(
            !quiet.iter().any(|&mv| position.is_noisy(mv)),
            "{position:?}"
        );
        let mut both: Vec<u16> = noisy.iter().chain(&quiet).map(|mv| mv.bits()).collect();
        let mut all: Vec<u16> = position.legal_moves().iter().map(|mv| mv.bits()).collect();
        both.sort_unstable();
        all.sort_unstable();
        assert_eq!(both, all, "{position:?}");
    });
}

#[test]
fn evasions_are_all_moves_while_in_check() {
    let checks = Cell::new(0);
    on_every_board(9, 20_000, |position| {
        if position.in_check() {
            checks.set(checks.get() + 1);
            let mut evasions = MoveList::new();
            position.generate::<Evasions>(&mut evasions);
            assert_eq!(evasions[..], position.legal_moves()[..], "{position:?}");
        }
    });
    assert!(checks.get() > 5_000, "only {} checks", checks.get());
}

#[test]
fn is_legal_accepts_exactly_the_generated_moves_of_all_65536() {
    let special = Cell::new([0; 3]);
    let check = |position: &Position| {
        let moves = position.legal_moves();
        let legal: HashSet<u16> = moves.iter().map(|mv| mv.bits()).collect();
        assert_eq!(legal.len(), moves.len(), "a move twice: {position:?}");
        for mv in (0..=u16::MAX).filter_map(Move::from_bits) {
            let expected = legal.contains(&mv.bits());
            assert_eq!(position.is_legal(mv), expected, "{mv:?} in {position:?}");
        }
        let mut counts = special.get();
        for mv in &moves {
            match mv.kind() {
                MoveKind::Castle => counts[0] += 1,
                MoveKind::EnPassant => counts[1] += 1,
                MoveKind::Promotion(_) => counts[2] += 1,
                _ => {}
            }
        }
        special.set(counts);
    };
    // One position in a hundred of many games, and all of the hand-picked ones.
    let visited = Cell::new(0);
    on_every_board(5, 6_000, |position| {
        visited.set(visited.get() + 1);
        if visited.get() % 100 == 0 {
            check(position);
        }
    });
    for name in ["tricky", "tricky960", "silverman4x5", "chessattack"] {
        for row in suite(name) {
            check(&row.position);
        }
    }
    let [castles, en_passants, promotions] = special.get();
    assert!(
        castles >= 20 && en_passants >= 10 && promotions >= 100,
        "{:?}",
        special.get()
    );
}

#[test]
fn gives_check_tells_what_the_next_position_shows() {
    on_every_board(6, 10_000, |position| {
        let checks = position.checks();
        for &mv in &position.legal_moves() {
            let is_check = position.play(mv).in_check();
            assert_eq!(position.gives_check(mv), is_check, "{mv:?} in {position:?}");
            let by_squares = position.checks_by(&checks, mv);
            assert_eq!(by_squares, is_check, "{mv:?} in {position:?}");
        }
    });
}

#[test]
fn a_move_reads_back_from_its_own_san_and_uci() {
    on_every_board(7, 3_000, |position| {
        let mut seen = HashSet::new();
        for &mv in &position.legal_moves() {
            let san = position.san(mv);
            assert_eq!(position.parse_san(&san), Ok(mv), "{san} in {position:?}");
            assert!(seen.insert(san.clone()), "{san} twice in {position:?}");
            for chess960 in [false, true] {
                let uci = position.uci(mv, chess960);
                assert_eq!(position.parse_uci(&uci), Ok(mv), "{uci} in {position:?}");
            }
        }
    });
}

#[test]
fn passing_the_turn_only_passes_the_turn() {
    on_every_board(8, 5_000, |position| {
        if position.in_check() {
            return;
        }
        let next = position.pass();
        assert_eq!(next.side(), !position.side());
        assert_eq!(next.key(), next.recomputed_key(), "{position:?}");
        assert_eq!(next.en_passant(), None);
        assert_eq!(next.occupied(), position.occupied());
        for kind in PieceType::ALL {
            assert_eq!(next.kind(kind), position.kind(kind));
        }
    });
}
