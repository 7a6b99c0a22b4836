//! What must hold for the evaluation as a whole, whatever the weights.

use super::*;
use crate::board::{CHESS, Rules};
use crate::types::{MoveList, Square};

/// Positions from random games, with hardly any that repeat.
fn walk(rules: &'static Rules, games: u32, mut visit: impl FnMut(&Position)) {
    let mut state = rules.key;
    for _ in 0..games {
        let mut position = Position::start(rules);
        for _ in 0..120 {
            visit(&position);
            let moves: MoveList = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            position = position.play(moves[(state >> 33) as usize % moves.len()]);
        }
    }
}

fn value(fen: &str) -> i32 {
    evaluate(&Position::from_fen(&CHESS, fen).expect("legal")).value()
}

#[test]
fn start_positions_are_level_but_for_the_move() {
    let mut level = 0;
    for rules in Rules::ALL {
        // Black's men mirror White's, upside down or turned around; in microchess and in
        // Mallett's game they do not.
        let position = Position::start(rules);
        let flipped = position.flipped().expect("legal").to_string();
        let board = flipped.split(' ').next().unwrap_or_default();
        let ranks = board.split('/');
        let ranks: Vec<String> = ranks.map(|rank| rank.chars().rev().collect()).collect();
        if rules.start.starts_with(board) || rules.start.starts_with(&ranks.join("/")) {
            level += 1;
            assert_eq!(evaluate(&position).value(), TEMPO, "{}", rules.name);
        }
    }
    assert_eq!(level, Rules::ALL.len() - 2);
}

#[test]
fn the_middlegame_is_full_at_the_start_of_every_game() {
    for rules in Rules::ALL {
        let (phase, full) = phase(&Position::start(rules));
        assert!(phase == full && full > 1, "{}", rules.name);
    }
    let bare = Position::from_fen(&CHESS, "4k3/8/8/8/8/8/8/4K3 w - -").expect("legal");
    assert_eq!(phase(&bare).0, 0);
}

#[test]
fn swapping_the_colours_changes_nothing() {
    for rules in Rules::ALL {
        walk(rules, 20, |position| {
            let flipped = position.flipped().expect("legal");
            assert_eq!(evaluate(position), evaluate(&flipped), "{position}");
        });
    }
}

#[test]
fn the_side_to_move_matters_by_the_tempo_only() {
    for rules in Rules::ALL {
        walk(rules, 5, |position| {
            if !position.in_check() {
                let sum = evaluate(position).value() + evaluate(&position.pass()).value();
                assert_eq!(sum, 2 * TEMPO, "{position}");
            }
        });
    }
}

/// The position with the files in reverse order, if nobody may castle.
fn mirrored(position: &Position) -> Option<Position> {
    if position.castling_rooks().nonempty() {
        return None;
    }
    let fen = position.to_string();
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    let ranks = fields[0].split('/');
    let ranks: Vec<String> = ranks.map(|rank| rank.chars().rev().collect()).collect();
    fields[0] = ranks.join("/");
    if let Some(square) = position.en_passant() {
        let file = position.rules().files - 1 - square.file();
        fields[3] = Square::at(file, square.rank()).to_string();
    }
    Position::from_fen(position.rules(), &fields.join(" ")).ok()
}

#[test]
fn left_and_right_are_the_same() {
    for rules in Rules::ALL {
        let mut seen = 0;
        walk(rules, 20, |position| {
            if let Some(mirrored) = mirrored(position) {
                seen += 1;
                assert_eq!(evaluate(position), evaluate(&mirrored), "{position}");
            }
        });
        assert!(seen > 100, "{}: {seen}", rules.name);
    }
}

#[test]
fn an_evaluator_remembers_nothing_wrong() {
    let mut evaluator = Evaluator::new();
    for _ in 0..2 {
        for rules in Rules::ALL {
            walk(rules, 20, |position| {
                assert_eq!(
                    evaluator.evaluate(position),
                    evaluate(position),
                    "{position}"
                );
            });
        }
    }
}

#[test]
fn the_terms_add_up_to_the_evaluation() {
    for rules in Rules::ALL {
        walk(rules, 10, |position| {
            let terms = Terms::of(position);
            let total = match position.side() {
                Color::White => terms.total(),
                Color::Black => -terms.total(),
            };
            assert_eq!(total, evaluate(position).value(), "{position}");
            let rows: i32 = terms.rows().map(|row| row.values[0] - row.values[1]).sum();
            assert!((rows - terms.sum()).abs() <= 16, "{position}");
        });
    }
}

#[test]
fn better_positions_are_worth_more() {
    // Each is better for White than the one before.
    let orders = [
        // A passed pawn advances.
        &[
            "4k3/8/8/8/8/8/P7/4K3 w - -",
            "4k3/8/8/8/P7/8/8/4K3 w - -",
            "4k3/8/P7/8/8/8/8/4K3 w - -",
            "4k3/P7/8/8/8/8/8/4K3 w - -",
        ][..],
        // A knight comes from the corner to the middle.
        &[
            "4k3/pppp4/8/8/8/8/PPPP4/N3K3 w - -",
            "4k3/pppp4/8/8/8/8/PPPP1N2/4K3 w - -",
            "4k3/pppp4/8/8/4N3/8/PPPP4/4K3 w - -",
        ],
        // Pawns are healthy.
        &[
            "r3k3/1ppp4/8/8/8/P7/P1P5/R3K3 w - -",
            "r3k3/1ppp4/8/8/8/8/PP1P4/R3K3 w - -",
        ],
        // A lone king is driven into the right corner.
        &[
            "8/8/3k4/8/3K4/8/8/4BN2 w - -",
            "k7/8/2K5/8/8/8/8/4BN2 w - -",
            "7k/8/5K2/8/8/8/8/4BN2 w - -",
        ],
    ];
    for order in orders {
        let values: Vec<i32> = order.iter().map(|fen| value(fen)).collect();
        assert!(values.is_sorted_by(|a, b| a < b), "{order:?}: {values:?}");
    }
}

#[test]
fn a_piece_is_worth_a_piece() {
    let without = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq -",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQK1NR w KQkq -",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq -",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq -",
    ]
    .map(value);
    assert!(without[0] - without[1] > 200);
    assert!(without[0] - without[2] > 200);
    assert!(without[1] - without[3] > 50);
    assert!(without[3] - without[4] > 200);
}
