//! Static exchange evaluation against exchanges played out on the board.

mod support;

use support::random_positions;
use tessera::board::{CHESS, Position, Rules, worth};
use tessera::types::{Move, MoveKind, Square};

/// What the side to move gains by the best exchange on a square, playing real legal
/// moves: the least valuable man captures, or nobody does. `None` if a check from
/// elsewhere interferes, which a static exchange does not see.
fn exchange(position: &Position, square: Square) -> Option<i32> {
    if position
        .checkers()
        .squares()
        .any(|checker| checker != square)
    {
        return None;
    }
    let captures = position.legal_moves();
    let capture = captures
        .iter()
        .filter(|mv| mv.to() == square && mv.kind() == MoveKind::Normal)
        .min_by_key(|mv| (position.piece_at(mv.from()).map(|p| p.kind), mv.from()));
    let Some(&capture) = capture else {
        return Some(0);
    };
    let gain = worth(position.piece_at(square)?.kind);
    let reply = exchange(&position.play(capture), square)?;
    Some(0.max(gain - reply))
}

/// The value of a move with the exchange that follows it.
fn value(position: &Position, mv: Move) -> Option<i32> {
    let gain = match mv.kind() {
        MoveKind::EnPassant => worth(tessera::types::PieceType::Pawn),
        _ => position
            .piece_at(mv.to())
            .map_or(0, |piece| worth(piece.kind)),
    };
    Some(gain - exchange(&position.play(mv), mv.to())?)
}

#[test]
fn exchanges_are_worth_what_playing_them_out_gives() {
    let mut compared = 0;
    for rules in Rules::ALL {
        random_positions(rules, 31, 20_000, |position| {
            for &mv in &position.legal_moves() {
                // On the last rank pawns would promote in the middle of an exchange.
                let ends = rules.last_rank[0] | rules.last_rank[1];
                if mv.kind() == MoveKind::Castle || ends.has(mv.to()) {
                    continue;
                }
                let Some(value) = value(position, mv) else {
                    continue;
                };
                compared += 1;
                for threshold in [value - 1, value, value + 1, 0, 1] {
                    assert_eq!(
                        position.exchange_gains(mv, threshold),
                        value >= threshold,
                        "{mv:?} is worth {value}, asked for {threshold}: {position:?}"
                    );
                }
            }
        });
    }
    assert!(compared > 1_000_000, "only {compared} moves compared");
}

#[test]
fn known_exchanges() {
    #[rustfmt::skip]
    let cases = [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "Rxe5", 100),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "Nxe5", -200),
        ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "Rxd5", 100),
        ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "Rxd5", -400),
        ("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "Rxd5", -400),
        ("8/1kP5/8/8/8/8/8/4K3 w - - 0 1", "c8=Q", -100),
        ("8/2P5/3k4/8/8/8/8/4K3 w - - 0 1", "c8=Q", 800),
        ("r3k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", 0),
    ];
    for (fen, san, value) in cases {
        let position = Position::from_fen(&CHESS, fen).expect("valid");
        let mv = position.parse_san(san).expect("legal");
        for threshold in [-1000, value - 1, value, value + 1, 1000] {
            assert_eq!(
                position.exchange_gains(mv, threshold),
                threshold <= value,
                "{san} {threshold} {fen}"
            );
        }
    }
}
