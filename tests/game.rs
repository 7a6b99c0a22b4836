//! Games: their ends, and moves as people write them.

use tessera::board::{CHESS, Game, MoveError, Outcome, Position, Rules};
use tessera::types::{Move, MoveKind};

fn game(name: &str) -> &'static Rules {
    Rules::named(name).expect("a game")
}

fn position(fen: &str) -> Position {
    Position::from_fen(&CHESS, fen).expect("valid")
}

fn play(rules: &'static Rules, fen: &str, moves: &str) -> Game {
    let mut game = Game::new(Position::from_fen(rules, fen).expect("valid"));
    for text in moves.split_whitespace() {
        assert_eq!(game.outcome(), None, "before {text}");
        game.play_uci(text).expect("legal");
    }
    game
}

#[test]
fn the_third_occurrence_is_a_draw() {
    let shuffle = "g1f3 g8f6 f3g1 f6g8 ";
    assert_eq!(play(&CHESS, CHESS.start, shuffle).occurrences(), 2);
    let game = play(&CHESS, CHESS.start, &shuffle.repeat(2));
    assert_eq!(game.occurrences(), 3);
    assert_eq!(game.outcome(), Some(Outcome::Repetition));
}

#[test]
fn a_position_with_other_rights_is_another_position() {
    // The first king moves lose the castling rights, so only those after them repeat.
    let fen = "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1";
    let shuffle = "e1e2 e8e7 e2e1 e7e8 ";
    assert_eq!(play(&CHESS, fen, &shuffle.repeat(2)).occurrences(), 2);
    // The first time the pawn could be captured in passing.
    let fen = "4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1";
    let shuffle = "d2d4 e8d8 e1d1 d8e8 d1e1 e8d8 e1d1 d8e8 d1e1";
    assert_eq!(play(&CHESS, fen, shuffle).occurrences(), 2);
}

#[test]
fn captures_and_pawn_moves_forget_what_cannot_come_again() {
    let game = play(&CHESS, CHESS.start, "g1f3 g8f6 f3g1 f6g8 e2e4 g8f6");
    assert_eq!(game.keys().len(), 1);
}

#[test]
fn fifty_moves_without_progress_are_a_draw_unless_they_mate() {
    let fen = "7k/8/6K1/8/8/8/8/R7 w - - 98 80";
    assert_eq!(
        play(&CHESS, fen, "a1a2 h8g8").outcome(),
        Some(Outcome::FiftyMoves)
    );
    let fen = "7k/8/6K1/8/8/8/8/R7 w - - 99 80";
    assert_eq!(
        play(&CHESS, fen, "a1a8").outcome(),
        Some(Outcome::Checkmate)
    );
}

#[test]
fn bare_boards_are_drawn() {
    #[rustfmt::skip]
    let cases = [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", true),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", true),
        ("4kb2/8/8/8/8/8/8/4K3 w - - 0 1", true),
        ("4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", true),    // bishops on one colour
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", true),
        ("2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1", true),
        ("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", false),
        ("4kn2/8/8/8/8/8/8/4KB2 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", false),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", false),
    ];
    for (fen, expected) in cases {
        assert_eq!(position(fen).has_insufficient_material(), expected, "{fen}");
    }
}

#[test]
fn stalemate_and_checkmate_end_the_game() {
    let outcome = |fen| Game::new(position(fen)).outcome();
    assert_eq!(
        outcome("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"),
        Some(Outcome::Stalemate)
    );
    assert_eq!(
        outcome("R6k/8/6K1/8/8/8/8/8 b - - 0 1"),
        Some(Outcome::Checkmate)
    );
    assert_eq!(outcome("7k/8/6K1/8/8/8/8/R7 b - - 0 1"), None);
    // Where several ends apply, the first of the list is named.
    let bare = Some(Outcome::InsufficientMaterial);
    assert_eq!(outcome("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), bare);
    assert_eq!(outcome("4k3/8/8/8/8/8/8/4K3 w - - 100 80"), bare);
    assert_eq!(
        outcome("k7/8/1K6/8/8/8/7B/8 b - - 100 80"),
        Some(Outcome::Stalemate)
    );
}

/// The win of MANIAC I against a beginner in 1956, the first game a computer won.
#[test]
fn the_los_alamos_game_of_1956_ends_in_mate() {
    let moves = "d2d3 b5b4 e1f3 d5d4 b2b3 e5e4 f3e1 a5a4 b3a4 b6a4 d1d2 a4c3 b1c3 b4c3 d2d1 f5f4 \
                 a2a3 a6b6 a3a4 b6a6 a4a5 d6d5 c1a3 c6b5 a3a2 d5e5 a1b1 a6a5 b1b5 a5a2 b5b1 a2a5 \
                 f2f3 a5a4 f3e4 c5c4 e1f3 e5d6 e4e5 d6d5 e5f6q e6c5 f6d4 d5c6 f3e5";
    let game = play(game("losalamos"), game("losalamos").start, moves);
    assert_eq!(game.outcome(), Some(Outcome::Checkmate));
}

#[test]
fn castling_is_read_both_ways_and_written_as_asked() {
    let standard = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for (short, long) in [("e1g1", "e1h1"), ("e1c1", "e1a1"), ("E1G1", "E1H1")] {
        let mv = standard.parse_uci(short).expect("legal");
        assert_eq!(standard.parse_uci(long), Ok(mv));
        assert_eq!(mv.kind(), MoveKind::Castle);
        assert_eq!(standard.uci(mv, false), short.to_lowercase());
        assert_eq!(standard.uci(mv, true), long.to_lowercase());
    }
    // A king on b1 that castles towards a steps to c1, as it does by a plain move.
    let shuffled = position("4k3/8/8/8/8/8/8/RK6 w Q - 0 1");
    let castle = shuffled.parse_uci("b1a1").expect("legal");
    assert_eq!(castle.kind(), MoveKind::Castle);
    assert_eq!(
        shuffled.parse_uci("b1c1").map(Move::kind),
        Ok(MoveKind::Normal)
    );
    assert_eq!(shuffled.uci(castle, false), "b1a1");
    // A king that goes further than two squares names its rook.
    let far = position("4k3/8/8/8/8/8/8/1K5R w K - 0 1");
    let castle = far.parse_uci("b1g1").expect("legal");
    assert_eq!(far.uci(castle, false), "b1h1");
    // A king that stays where it is does not castle by saying so.
    assert!(
        position("4k3/8/8/8/8/8/8/6KR w K - 0 1")
            .parse_uci("g1g1")
            .is_err()
    );
    let attack = Position::from_fen(game("chessattack"), "r3k/ppppp/5/5/PPPPP/R3K b Qq -");
    let attack = attack.expect("valid");
    let castle = attack.parse_uci("e6c6").expect("legal");
    assert_eq!(attack.san(castle), "O-O-O");
    assert_eq!(
        attack.play(castle).fen(),
        "2kr1/ppppp/5/5/PPPPP/R3K w Q - 1 2"
    );
}

#[test]
fn moves_that_cannot_be_are_refused() {
    let start = Position::start(&CHESS);
    for text in [
        "", "e2", "e2e", "e9e4", "e2e4x", "e2e4qq", "0000", "ÿ2e4", "e2é4",
    ] {
        assert!(
            matches!(start.parse_uci(text), Err(MoveError::Unreadable(_))),
            "{text}"
        );
    }
    for text in ["e2e5", "e7e5", "e1g1", "e2e4q", "d1d1"] {
        assert!(
            matches!(start.parse_uci(text), Err(MoveError::Illegal(_))),
            "{text}"
        );
    }
    for text in ["", "x", "Nf", "Nz3", "e4e5e6", "é", "Ké1", "=Q"] {
        assert!(
            matches!(start.parse_san(text), Err(MoveError::Unreadable(_))),
            "{text}"
        );
    }
    for text in ["Nf4", "e5", "O-O", "exd3", "Ke2"] {
        assert!(
            matches!(start.parse_san(text), Err(MoveError::Illegal(_))),
            "{text}"
        );
    }
    let castle = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert!(castle.parse_uci("e1g1q").is_err());
    assert!(castle.parse_san("Kh1").is_err());
    let rooks = position("4k3/8/8/8/8/8/8/R3K2R w - - 0 1");
    assert!(rooks.parse_san("Rd1").is_ok());
    let rooks = position("4k3/8/8/8/8/8/4K3/R6R w - - 0 1");
    assert!(matches!(
        rooks.parse_san("Rd1"),
        Err(MoveError::Ambiguous(_))
    ));
}

#[test]
fn san_names_as_much_of_the_origin_as_it_must() {
    #[rustfmt::skip]
    let cases = [
        ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1", "Rad1"),
        ("R7/8/8/8/4k3/8/8/R3K3 w - - 0 1", "a1a4", "R1a4+"),
        ("6k1/8/8/8/8/Q7/8/Q1Q1K3 w - - 0 1", "a1b2", "Qa1b2"),
        ("4k3/8/8/8/8/8/8/2N1K1N1 w - - 0 1", "c1e2", "Nce2"),
        ("4k3/4r3/8/8/8/8/4N3/1N2K3 w - - 0 1", "b1c3", "Nc3"),      // the other is pinned
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
        ("3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8n", "exd8=N"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8", "Ra8#"),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", "O-O+"),
    ];
    for (fen, uci, san) in cases {
        let position = position(fen);
        let mv = position.parse_uci(uci).expect("legal");
        assert_eq!(position.san(mv), san, "{fen}");
    }
    // What others write for the same moves.
    let position = position("3rk3/4P3/8/8/8/8/8/R3K2R w KQ - 0 1");
    for (text, uci) in [
        ("e7xd8=Q+", "e7d8q"),
        ("exd8Q", "e7d8q"),
        ("exd8=q!", "e7d8q"),
        ("0-0", "e1h1"),
        ("Ra1-b1", "a1b1"),
        ("R1b1", "a1b1"),
        ("Ke2??", "e1e2"),
    ] {
        assert_eq!(position.parse_san(text), position.parse_uci(uci), "{text}");
    }
}
