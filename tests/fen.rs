//! FEN on every board: what is refused and why, what is repaired, what is printed.

mod support;

use proptest::prelude::*;
use tessera::board::{CHESS, FenError, Position, Rules};
use tessera::types::{Color, Piece, PieceType, Square};

fn game(name: &str) -> &'static Rules {
    Rules::named(name).expect("a game")
}

fn error(rules: &'static Rules, fen: &str) -> FenError {
    match Position::from_fen(rules, fen) {
        Ok(position) => panic!("accepted as {position}"),
        Err(error) => error,
    }
}

/// What a FEN is printed as once read.
fn printed(rules: &'static Rules, fen: &str) -> String {
    match Position::from_fen(rules, fen) {
        Ok(position) => position.fen(),
        Err(error) => panic!("{error}: {fen}"),
    }
}

#[test]
fn every_start_position_is_printed_as_it_is_written() {
    for rules in Rules::ALL {
        assert_eq!(Position::start(rules).fen(), rules.start);
    }
}

#[test]
fn what_is_wrong_is_named() {
    let square = |name: &str| Square::from_text(name).expect("a square");
    let (white, black) = (Color::White, Color::Black);
    #[rustfmt::skip]
    let cases: Vec<(&str, FenError)> = vec![
        ("", FenError::Fields { found: 0 }),
        ("startpos", FenError::Fields { found: 1 }),
        ("4k3/8/8/8/8/8/8/4K3 w -", FenError::Fields { found: 3 }),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 x", FenError::Fields { found: 7 }),
        ("4k3/8/8/8/8/8/4K3 w - -", FenError::Ranks { found: 7, expected: 8 }),
        ("4k3/8/8/8/8/8/8/8/4K3 w - -", FenError::Ranks { found: 9, expected: 8 }),
        ("4k3/8/8/8/8/ppppppppp/8/4K3 w - -", FenError::Files { rank: 3, found: 9, expected: 8 }),
        ("4k3/8/8/8/8/7/8/4K3 w - -", FenError::Files { rank: 3, found: 7, expected: 8 }),
        ("4k3/8/8/8/8/9/8/4K3 w - -", FenError::Files { rank: 3, found: 9, expected: 8 }),
        ("4k3/8/8/8//8/8/4K3 w - -", FenError::Files { rank: 4, found: 0, expected: 8 }),
        ("kkkkkkkk/88888888/8/8/8/8/8/8 w - -", FenError::Files { rank: 7, found: 64, expected: 8 }),
        ("4k3/8/8/8/8/8/8/4K2X w - -", FenError::Letter { rank: 1, letter: 'X' }),
        ("4k3/8/8/80/8/8/8/4K3 w - -", FenError::Letter { rank: 5, letter: '0' }),
        ("4k3/8/8/8/8/8/8/4K2é w - -", FenError::Letter { rank: 1, letter: 'é' }),
        ("8/8/8/8/8/8/8/4K3 w - -", FenError::Kings { color: black, found: 0 }),
        ("4k3/8/8/8/8/8/8/8 w - -", FenError::Kings { color: white, found: 0 }),
        ("4k3/8/8/8/8/8/K7/4K3 w - -", FenError::Kings { color: white, found: 2 }),
        ("4k3/8/8/8/8/8/8/4K2P w - -", FenError::PawnRank { square: square("h1") }),
        ("4k2P/8/8/8/8/8/8/4K3 w - -", FenError::PawnRank { square: square("h8") }),
        ("4k2p/8/8/8/8/8/8/4K3 w - -", FenError::PawnRank { square: square("h8") }),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - -", FenError::Pawns { color: black, found: 9, limit: 8 }),
        ("4k3/8/8/8/8/NNNNNNNN/NNNNNNNN/4K3 w - -", FenError::Men { color: white, found: 17, limit: 16 }),
        ("4k3/8/8/8/8/QQ6/PPPPPPPP/4K3 w - -", FenError::Promoted { color: white, found: 1, missing: 0 }),
        ("4k3/8/8/8/8/QQQQQQQQ/QQ6/4K3 w - -", FenError::Promoted { color: white, found: 9, missing: 8 }),
        ("4k3/8/8/8/8/8/8/4K3 x - -", FenError::Side { text: "x".into() }),
        ("4k3/8/8/8/8/8/8/4K3 W - -", FenError::Side { text: "W".into() }),
        ("4k3/8/8/8/8/8/8/4K3 w XYZ! -", FenError::Castling { letter: 'X' }),
        ("4k3/8/8/8/8/8/8/4K3 w K-q -", FenError::Castling { letter: '-' }),
        ("4k3/8/8/8/8/8/8/4K3 w - z9", FenError::EnPassant { text: "z9".into() }),
        ("4k3/8/8/8/8/8/8/4K3 w - e", FenError::EnPassant { text: "e".into() }),
        ("4k3/8/8/8/8/8/8/4K3 w - - -5 1", FenError::Counter { name: "plies without progress", text: "-5".into() }),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 x", FenError::Counter { name: "move number", text: "x".into() }),
        ("8/8/8/8/8/8/4k3/4K3 w - -", FenError::KingsTouch),
        ("4k3/8/8/8/8/8/8/4RK2 w - -", FenError::OpponentInCheck { color: black }),
        ("4k3/8/8/8/8/8/4r3/4K3 b - -", FenError::OpponentInCheck { color: white }),
    ];
    for (fen, expected) in cases {
        assert_eq!(error(&CHESS, fen), expected, "{fen}");
    }
}

#[test]
fn messages_say_what_and_where() {
    #[rustfmt::skip]
    let cases = [
        ("4k3/8/8/8/8/8/8/4K3 w -", "a FEN has 4 to 6 fields, here 3 are given"),
        ("x", "a FEN has 4 to 6 fields, here 1 is given"),
        ("4k3/8/8/8/8/8/4K3 w - -", "the board has 8 ranks, here 7 are given"),
        ("4k3/8/8/8/8/ppppppppp/8/4K3 w - -", "rank 3 has 9 files instead of 8"),
        ("4k3/8/8/8/8/8/8/4K2X w - -", "rank 1: 'X' is neither a man nor a number of empty squares"),
        ("4k3/8/8/8/8/8/K7/4K3 w - -", "2 white kings"),
        ("4k2P/8/8/8/8/8/8/4K3 w - -", "h8: a pawn cannot stand on a first or last rank"),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - -", "black has 9 pawns, at most 8 are possible"),
        ("4k3/8/8/8/8/NNNNNNNN/NNNNNNNN/4K3 w - -", "white has 17 men, at most 16 are possible"),
        ("4k3/8/8/8/8/QQ6/PPPPPPPP/4K3 w - -", "white has 1 men that must have been promoted, but only 0 pawns are missing"),
        ("4k3/8/8/8/8/8/8/4K3 x - -", "side to move is \"x\" instead of w or b"),
        ("4k3/8/8/8/8/8/8/4K3 w X -", "castling: 'X' is neither K, Q nor a file of the board"),
        ("4k3/8/8/8/8/8/8/4K3 w - z9", "en passant: \"z9\" is neither - nor a square of the board"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -5", "plies without progress: \"-5\" is not a number"),
        ("8/8/8/8/8/8/4k3/4K3 w - -", "the kings stand side by side"),
        ("4k3/8/8/8/8/8/8/4RK2 w - -", "black is in check, but it is not black's move"),
    ];
    for (fen, message) in cases {
        assert_eq!(error(&CHESS, fen).to_string(), message);
    }
    let bishop = error(game("losalamos"), "rnqknr/pppppp/6/6/PPPPPP/RBQKNR w - -");
    assert_eq!(bishop.to_string(), "b1: there is no bishop in this game");
}

#[test]
fn compact_boards_have_their_own_limits() {
    let bishop = Piece::new(Color::White, PieceType::Bishop);
    let square = Square::from_text("b1").expect("a square");
    #[rustfmt::skip]
    let cases = [
        ("gardner", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - -", FenError::Ranks { found: 8, expected: 5 }),
        ("gardner", "rnbqk/ppppp/6/PPPPP/RNBQK w - -", FenError::Files { rank: 3, found: 6, expected: 5 }),
        ("gardner", "rnbqk/ppppp/P4/PPPPP/RNBQK w - -", FenError::Pawns { color: Color::White, found: 6, limit: 5 }),
        ("gardner", "rnbqk/ppppp/5/PPPPP/RNBQK w - f3", FenError::EnPassant { text: "f3".into() }),
        ("losalamos", "rnqknr/pppppp/6/6/PPPPPP/RBQKNR w - -", FenError::ForeignMan { square, piece: bishop }),
        ("chessattack", "rnbqk/ppppp/5/5/PPPPP/RNBQK w F -", FenError::Castling { letter: 'F' }),
    ];
    for (name, fen, expected) in cases {
        assert_eq!(error(game(name), fen), expected, "{fen}");
    }
    // Arrays of other games on a board of the same size are welcome.
    printed(game("gardner"), "rbkqb/ppppp/5/PPPPP/RNKQN w - -");
    printed(game("5x6chess"), "qkbnr/ppppp/5/5/PPPPP/QKBNR w - -");
}

#[test]
fn harmless_slips_are_repaired() {
    #[rustfmt::skip]
    let cases = [
        // Counters left out, a move number of 0, numbers beyond reason.
        ("4k3/8/8/8/8/8/8/4K3 w - -", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 7", "4k3/8/8/8/8/8/8/4K3 w - - 7 1"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 120 0", "4k3/8/8/8/8/8/8/4K3 w - - 120 1"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 99999999999 1", "4k3/8/8/8/8/8/8/4K3 w - - 65535 1"),
        // Any white space, adjacent digits.
        ("  4k3/8/8/8/8/8/8/4K3\tw  - - ", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("4k3/44/8/8/8/8/8/4K12 w - -", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        // Castling rights without rook, with the king elsewhere, twice, on one wing only.
        ("4k3/8/8/8/8/8/8/4K3 w KQkq -", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K3 w HAha -", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("r3k2r/8/8/8/8/8/4K3/R6R w KQkq -", "r3k2r/8/8/8/8/8/4K3/R6R w kq - 0 1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KKQQ -", "r3k2r/8/8/8/8/8/8/R3K2R w KQ - 0 1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w qkQK -", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha -", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
        ("4k3/8/8/8/8/8/8/1R2K1RR w G -", "4k3/8/8/8/8/8/8/1R2K1RR w G - 0 1"),
        ("4k3/8/8/8/8/8/8/1R2K1RR w HG -", "4k3/8/8/8/8/8/8/1R2K1RR w K - 0 1"),
        ("1r2k1rr/8/8/8/8/8/8/4K3 w g -", "1r2k1rr/8/8/8/8/8/8/4K3 w g - 0 1"),
        ("4k3/8/8/8/8/8/8/RR2K3 w B -", "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1"),
        ("4k3/8/8/8/8/8/8/RR2K3 w A -", "4k3/8/8/8/8/8/8/RR2K3 w Q - 0 1"),
        ("4k3/8/8/8/8/8/4K3/R6R w HA -", "4k3/8/8/8/8/8/4K3/R6R w - - 0 1"),
        // En-passant squares: usable; no pawn beside; wrong rank; pinned; nobody passed.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"),
        ("4k3/8/8/3p4/8/8/8/4K3 w - d6", "4k3/8/8/3p4/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d3", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/8/3pP3/8/8/4K3 w - d5", "4k3/8/8/8/3pP3/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/4P3/8/8/8/4K3 w - d6", "4k3/8/8/4P3/8/8/8/4K3 w - - 0 1"),
        ("k7/8/3n4/3pP3/8/8/8/4K3 w - d6", "k7/8/3n4/3pP3/8/8/8/4K3 w - - 0 1"),
        ("8/8/8/K2pP2r/8/8/8/4k3 w - d6", "8/8/8/K2pP2r/8/8/8/4k3 w - - 0 1"),
        ("4k3/3p4/8/4P3/8/8/8/4K3 w - d6", "4k3/3p4/8/4P3/8/8/8/4K3 w - - 0 1"),
        ("4k3/3n4/8/3pP3/8/8/8/4K3 w - d6", "4k3/3n4/8/3pP3/8/8/8/4K3 w - - 0 1"),
        // A check that the capture does not end.
        ("4k3/8/8/3pP3/8/8/8/r3K3 w - d6", "4k3/8/8/3pP3/8/8/8/r3K3 w - - 0 1"),
    ];
    for (fen, expected) in cases {
        assert_eq!(printed(&CHESS, fen), expected, "{fen}");
    }
    // X-FEN means the outermost rook.
    let rooks = Position::from_fen(&CHESS, "4k3/8/8/8/8/8/8/RR2KRR1 w KQ -").expect("valid");
    let names: Vec<String> = rooks
        .castling_rooks()
        .squares()
        .map(|s| s.to_string())
        .collect();
    assert_eq!(names, ["a1", "g1"]);
    // No castling, or only on one wing, on compact boards.
    let gardner = "rnbqk/ppppp/5/PPPPP/RNBQK w KQkq - 0 1";
    assert_eq!(printed(game("gardner"), gardner), game("gardner").start);
    let attack = "1k2r/ppppp/5/5/PPPPP/R2K1 w Qk - 0 1";
    let repaired = "1k2r/ppppp/5/5/PPPPP/R2K1 w Q - 0 1";
    assert_eq!(printed(game("chessattack"), attack), repaired);
}

/// Of each kind of pin that forbids an en-passant capture, and those that do not.
#[test]
fn an_en_passant_square_stays_only_if_the_capture_is_legal() {
    #[rustfmt::skip]
    let cases = [
        ("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3", "-"),     // both pawns leave the rank
        ("4k3/8/8/8/3Pp3/8/8/3KR3 b - d3", "-"),    // pinned on the file
        ("8/7k/8/8/3Pp3/8/2B5/3K4 b - d3", "d3"),   // pinned on the diagonal it captures along
        ("7k/8/8/4p3/3P4/8/1B6/3K4 b - d3", "-"),   // nobody to capture
        ("8/5k2/8/8/2pP4/8/B7/4K3 b - d3", "-"),    // pinned on another diagonal
        ("8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3", "d3"),   // the capture blocks the check
        ("8/8/8/2k5/3Pp3/8/8/4K3 b - d3", "d3"),    // the capture takes the checker
    ];
    for (fen, expected) in cases {
        let fen = printed(&CHESS, fen);
        assert_eq!(fen.split(' ').nth(3), Some(expected), "{fen}");
    }
}

#[test]
fn printing_and_reading_a_position_gives_the_same_position() {
    for rules in Rules::ALL {
        support::random_positions(rules, 11, 20_000, |position| {
            let read = Position::from_fen(rules, &position.fen());
            assert_eq!(read.as_ref(), Ok(position));
        });
    }
}

fn any_game() -> impl Strategy<Value = &'static Rules> {
    prop::sample::select(Rules::ALL.to_vec())
}

/// A valid FEN with one character deleted, replaced or inserted.
fn damaged_fen() -> impl Strategy<Value = (&'static Rules, String)> {
    let letters = prop::sample::select(
        "kqrbnpKQRBNP/0123456789 -wbHAhax\u{0}é"
            .chars()
            .collect::<Vec<_>>(),
    );
    (any_game(), any::<prop::sample::Index>(), letters, 0..3).prop_map(
        |(rules, at, letter, change)| {
            let mut fen: Vec<char> = rules.start.chars().collect();
            let at = at.index(fen.len());
            match change {
                0 => drop(fen.remove(at)),
                1 => fen[at] = letter,
                _ => fen.insert(at, letter),
            }
            (rules, fen.into_iter().collect())
        },
    )
}

/// A random heap of men on a board, one king each, with random other fields.
fn heap_of_men() -> impl Strategy<Value = (&'static Rules, String)> {
    let letters: Vec<char> = "qrbnpQRBNP".chars().chain(['1'; 30]).collect();
    let men = prop::collection::vec(prop::sample::select(letters), 64);
    let kings = any::<[prop::sample::Index; 2]>();
    let rest = "[wb] (-|[KQkqA-Ha-h]{1,4}) (-|[a-h][1-8]) [0-9]{1,3} [0-9]{1,3}";
    (any_game(), men, kings, rest).prop_map(|(rules, mut men, kings, rest)| {
        let (files, ranks) = (usize::from(rules.files), usize::from(rules.ranks));
        men.truncate(files * ranks);
        let places = kings.map(|index| index.index(files * ranks));
        men[places[0]] = 'k';
        men[places[1]] = 'K';
        let rows: Vec<String> = men.chunks(files).map(|row| row.iter().collect()).collect();
        (rules, format!("{} {rest}", rows.join("/")))
    })
}

/// Whatever was read must be usable, and print as something that reads the same.
fn read_and_use(rules: &'static Rules, fen: &str) -> Result<(), TestCaseError> {
    if let Ok(position) = Position::from_fen(rules, fen) {
        prop_assert_eq!(Position::from_fen(rules, &position.fen()), Ok(position));
        prop_assert_eq!(position.legal_moves().len() as u32, position.count_moves());
        for &mv in &position.legal_moves() {
            let next = position.play(mv);
            prop_assert_eq!(next.key(), next.recomputed_key());
            prop_assert_eq!(next.legal_moves().len() as u32, next.count_moves());
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_gives_a_position_or_an_error(rules in any_game(), text in ".*") {
        read_and_use(rules, &text)?;
    }

    #[test]
    fn a_damaged_fen_gives_a_position_or_an_error((rules, fen) in damaged_fen()) {
        read_and_use(rules, &fen)?;
    }

    #[test]
    fn a_heap_of_men_gives_a_position_or_an_error((rules, fen) in heap_of_men()) {
        read_and_use(rules, &fen)?;
    }
}

#[test]
fn a_position_flipped_twice_is_itself() {
    for rules in Rules::ALL {
        let start = Position::start(rules);
        let flipped = start.flipped().expect("legal");
        assert_ne!(flipped.side(), start.side());
        assert_eq!(flipped.count_moves(), start.count_moves(), "{}", rules.name);
        assert_eq!(
            flipped.flipped().expect("legal").to_string(),
            start.to_string()
        );
    }
    let fen = "r3k2r/8/8/8/3pP3/8/8/1R2K2R b Kkq e3 5 9";
    let flipped = Position::from_fen(&CHESS, fen).expect("legal").flipped();
    let expected = "1r2k2r/8/8/3Pp3/8/8/8/R3K2R w KQk e6 5 9";
    assert_eq!(flipped.expect("legal").to_string(), expected);
}
