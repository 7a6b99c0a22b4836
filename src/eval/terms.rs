//! An evaluation taken apart, for people and for tests.

use crate::board::Position;
use crate::types::Color;

use super::linear::{self, Sink, Sum, Tapered, Term};
use super::{TEMPO, phase, scale};

/// The parts of an evaluation, in centipawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    /// The weighted features, by term.
    sums: [Sum; Term::ALL.len()],
    /// How much of the middlegame is left, out of what there was.
    pub phase: i32,
    pub full_phase: i32,
    /// What the sum of all terms becomes because of the kind of endgame and of the moves
    /// without progress, for White.
    pub scaled: i32,
    /// For having the move, for White.
    pub tempo: i32,
}

/// What one term gives each side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    pub name: &'static str,
    /// Middlegame and endgame, by colour.
    pub parts: [(i32, i32); 2],
    /// At the phase of the position, by colour.
    pub values: [i32; 2],
}

/// Adds up the weights term by term.
struct ByTerm([Sum; Term::ALL.len()]);

impl Sink for ByTerm {
    fn add(&mut self, color: Color, feature: usize, count: i32) {
        self.0[linear::term(feature) as usize].add(color, feature, count);
    }
}

impl Terms {
    pub fn of(position: &Position) -> Terms {
        let mut sink = ByTerm([Sum::default(); Term::ALL.len()]);
        linear::features(position, &mut sink);
        let (phase, full_phase) = phase(position);
        let mut terms = Terms {
            sums: sink.0,
            phase,
            full_phase,
            scaled: 0,
            tempo: match position.side() {
                Color::White => TEMPO,
                Color::Black => -TEMPO,
            },
        };
        terms.scaled = scale::scale(position, terms.sum());
        terms
    }

    pub fn rows(&self) -> impl Iterator<Item = Row> {
        Term::ALL
            .into_iter()
            .zip(self.sums)
            .map(|(term, Sum(sums))| Row {
                name: term.name(),
                parts: sums.map(|sum| (sum.middlegame(), sum.endgame())),
                values: sums.map(|sum| sum.at(self.phase, self.full_phase)),
            })
    }

    /// All terms together, for White. The phases are mixed once, at the end, so this is not
    /// quite the sum of the rounded rows.
    pub fn sum(&self) -> i32 {
        let balance = self.sums.iter().map(Sum::balance);
        balance
            .fold(Tapered::ZERO, |sum, term| sum + term)
            .at(self.phase, self.full_phase)
    }

    /// The evaluation, for White.
    pub fn total(&self) -> i32 {
        self.scaled + self.tempo
    }
}
