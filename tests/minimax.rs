//! The search against plain minimax: with every unsound shortcut off, alpha-beta with its
//! windows, ordering, killers, histories and table returns the very same values. So do the
//! functions of the textbook, wherever they are not too slow.

mod arena;
mod support;

use arena::Arena;
use tessera::board::{Position, Rules};
use tessera::eval;
use tessera::search::Selectivity;
use tessera::textbook::games::Chess;
use tessera::textbook::{self, CutOff, Game};
use tessera::types::{Color, Score};

/// Positions to compare in each game, and how far apart they are in random play.
const POSITIONS: usize = 200;
const MANY_POSITIONS: usize = 4000;
const SPACING: usize = 7;
/// Minimax looks at no more nodes than this: positions that need more are left out.
const BUDGET: u64 = 30_000;
/// And the textbook at no more than this.
const TEXTBOOK_BUDGET: u64 = 4_000;

/// Minimax, written for speed. `None` when the budget is spent.
struct Minimax {
    nodes: u64,
}

impl Minimax {
    fn value(&mut self, position: &Position, depth: u32, ply: usize) -> Option<Score> {
        if ply > 0 && is_drawn(position) {
            return Some(Score::DRAW);
        }
        if depth == 0 {
            return self.quiescence(position, ply);
        }
        self.nodes += 1;
        if self.nodes > BUDGET {
            return None;
        }
        let mut best = None;
        for &mv in &position.legal_moves() {
            let value = -self.value(&position.play(mv), depth - 1, ply + 1)?;
            best = best.max(Some(value));
        }
        Some(best.unwrap_or(end(position, ply)))
    }

    /// Standing pat or capturing; in check every move.
    fn quiescence(&mut self, position: &Position, ply: usize) -> Option<Score> {
        if is_drawn(position) {
            return Some(Score::DRAW);
        }
        self.nodes += 1;
        if self.nodes > BUDGET {
            return None;
        }
        let in_check = position.in_check();
        let mut best = (!in_check).then(|| eval::evaluate(position));
        for &mv in &position.legal_moves() {
            if in_check || position.is_noisy(mv) {
                let value = -self.quiescence(&position.play(mv), ply + 1)?;
                best = best.max(Some(value));
            }
        }
        Some(best.unwrap_or(end(position, ply)))
    }
}

fn is_drawn(position: &Position) -> bool {
    let is_mate = || position.in_check() && position.legal_moves().is_empty();
    position.halfmoves() >= 100 && !is_mate() || position.has_insufficient_material()
}

fn end(position: &Position, ply: usize) -> Score {
    if position.in_check() {
        Score::mated(ply)
    } else {
        Score::DRAW
    }
}

/// The value by the textbook's minimax, and by its alpha-beta.
fn by_textbook(position: &Position, depth: u32) -> [i32; 2] {
    let game = &Chess { start: *position };
    let limited = CutOff { game, depth };
    let start = limited.initial();
    [
        textbook::minimax(&limited, &start, &mut ()).value as i32,
        textbook::alpha_beta(&limited, &start, &mut ()).value as i32,
    ]
}

fn for_white(position: &Position, score: Score) -> i32 {
    match position.side() {
        Color::White => score.value(),
        Color::Black => -score.value(),
    }
}

fn compare(rules: &'static Rules, megabytes: usize, positions: usize) {
    let mut arena = Arena {
        selectivity: Selectivity::None,
        ..Arena::new(1, megabytes)
    };
    let (mut compared, mut by_the_book, mut mates, mut visited) = (0, 0, 0, 0);
    support::random_positions(rules, 7, SPACING * positions, |position| {
        visited += 1;
        if visited % SPACING > 0 || position.legal_moves().is_empty() {
            return;
        }
        for depth in 1..=4 {
            let mut minimax = Minimax { nodes: 0 };
            let Some(expected) = minimax.value(position, depth, 0) else {
                break;
            };
            let found = arena.search_depth(position, depth);
            let score = found.lines[0].score;
            assert_eq!(score, expected, "{} depth {depth}: {position}", rules.name);
            mates += usize::from(score.is_mate());
            compared += 1;
            if minimax.nodes <= TEXTBOOK_BUDGET {
                let expected = for_white(position, expected);
                assert_eq!(by_textbook(position, depth), [expected; 2], "{position}");
                by_the_book += 1;
            }
        }
    });
    let name = rules.name;
    println!("{name}: {compared} values, {by_the_book} by the textbook, {mates} mates");
    assert!(compared > positions, "{name}");
    // On 8x8 often only one ply is cheap enough.
    assert!(by_the_book > positions / 2, "{name}");
    assert!(mates > 0, "{name}");
}

#[test]
fn with_a_table_the_value_is_that_of_minimax() {
    for rules in Rules::ALL {
        compare(rules, 1, POSITIONS);
    }
}

#[test]
fn without_a_table_the_value_is_that_of_minimax() {
    for rules in Rules::ALL {
        compare(rules, 0, POSITIONS);
    }
}

#[test]
#[ignore = "takes minutes"]
fn many_values_are_those_of_minimax() {
    for rules in Rules::ALL {
        for megabytes in [0, 1] {
            compare(rules, megabytes, MANY_POSITIONS);
        }
    }
}
