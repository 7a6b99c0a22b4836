//! Single moves: what making them changes, which are legal, which give check. Cases that
//! random play meets too rarely.

use tessera::board::{CHESS, Position};
use tessera::types::{Move, Square};

fn position(fen: &str) -> Position {
    Position::from_fen(&CHESS, fen).expect("valid")
}

fn square(name: &str) -> Square {
    Square::from_text(name).expect("a square")
}

#[test]
fn captures_and_pawn_moves_reset_the_counter_and_nothing_else_does() {
    #[rustfmt::skip]
    let cases = [
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 7 9", "e2e3", 0),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 7 9", "e2e4", 0),
        ("4k2r/8/8/8/8/8/8/4K2R w - - 7 9", "h1h8", 0),
        ("8/P7/8/8/8/8/8/k1K5 w - - 7 9", "a7a8q", 0),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 7 9", "e5d6", 0),
        ("4k3/8/8/8/8/8/8/4K2R w K - 7 9", "h1h2", 8),
        ("4k3/8/8/8/8/8/8/4K2R w K - 7 9", "e1e2", 8),
        ("4k3/8/8/8/8/8/8/4K2R w K - 7 9", "e1g1", 8),
        ("4k3/8/8/8/8/8/8/4K2R w K - 65535 9", "e1e2", 65535),
    ];
    for (fen, uci, halfmoves) in cases {
        let position = position(fen);
        let next = position.play(position.parse_uci(uci).expect("legal"));
        assert_eq!(next.halfmoves(), halfmoves, "{uci} in {fen}");
        assert_eq!(next.fullmoves(), 9, "{uci} in {fen}");
    }
}

#[test]
fn passing_the_turn_counts_as_a_move_and_keeps_the_rights() {
    let next = position("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 7 9").pass();
    assert_eq!(next.fen(), "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 8 10");
}

#[test]
fn a_king_in_check_does_not_castle() {
    let castle = Move::castle(square("e1"), square("h1"));
    assert!(position("k2r4/8/8/8/8/8/8/4K2R w K - 0 1").is_legal(castle));
    assert!(!position("k3r3/8/8/8/8/8/8/4K2R w K - 0 1").is_legal(castle));
}

#[test]
fn a_double_check_is_not_ended_by_a_capture() {
    let capture = Move::normal(square("g2"), square("f3"));
    assert!(position("k7/8/8/8/8/5n2/6B1/4K3 w - - 0 1").is_legal(capture));
    assert!(!position("k3r3/8/8/8/8/5n2/6B1/4K3 w - - 0 1").is_legal(capture));
}

#[test]
fn of_two_pawns_only_the_free_one_captures_in_passing() {
    let position = position("4r2k/8/8/2PpP3/8/8/8/4K3 w - d6 0 1");
    assert!(position.is_legal(Move::en_passant(square("c5"), square("d6"))));
    assert!(!position.is_legal(Move::en_passant(square("e5"), square("d6"))));
}

#[test]
fn checks_discovered_by_what_leaves_the_board_or_the_rank() {
    let en_passant = Move::en_passant(square("e5"), square("d6"));
    // Both pawns leave the rank; the captured pawn leaves the diagonal.
    assert!(position("8/8/8/R2pP2k/8/8/8/4K3 w - d6 0 1").gives_check(en_passant));
    assert!(position("6k1/8/8/3pP3/8/8/B7/4K3 w - d6 0 1").gives_check(en_passant));
    // King and rook both leave the squares between rook and king.
    let shuffled = position("8/8/8/8/8/8/8/k1KR4 w K - 0 1");
    let castle = Move::castle(square("c1"), square("d1"));
    assert!(shuffled.is_legal(castle));
    assert!(shuffled.gives_check(castle));
}

#[test]
fn positions_are_equal_only_if_all_their_parts_are() {
    let base = position("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 7 9");
    for other in [
        "r3k2r/8/8/3pP3/8/8/8/R2K3R w kq d6 7 9",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 7 9",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w Qkq d6 7 9",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 7 9",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 8 9",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 7 10",
    ] {
        assert_ne!(position(other), base, "{other}");
    }
}
