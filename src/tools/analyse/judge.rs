//! How well a game was played: what each move gave away, and what that makes of its player.
//!
//! The measure is the share of a point that can be expected of a position, by the chances of
//! `eval::wdl`: a win is 1, a draw one half. A pawn matters in a level position and not in one
//! that is won anyway, and that is as it should be.

use std::fmt::Write as _;

use crate::board::Position;
use crate::eval::{Chances, centipawns, material};
use crate::tools::pgn::Record;
use crate::types::{Color, Score};

use super::source::Subject;
use super::{Analysed, Finding};

/// A move that gives away this share of a point, or more, has its name. The worst first.
const GRADES: [(f64, Grade); 3] = [
    (0.30, Grade::Blunder),
    (0.20, Grade::Mistake),
    (0.10, Grade::Inaccuracy),
];

/// How fast accuracy falls with the average loss.
const STEEPNESS: f64 = 5.0;

/// When centipawns are counted, nobody is more ahead than by so many.
const MOST_CENTIPAWNS: i32 = 1_000;

/// What a bad move is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grade {
    Inaccuracy,
    Mistake,
    Blunder,
}

impl Grade {
    /// The grade of a move that gives away this share of a point.
    pub fn of(loss: f64) -> Option<Grade> {
        let grade = GRADES.iter().find(|(least, _)| loss >= *least);
        grade.map(|&(_, grade)| grade)
    }

    /// Its number in games as text: `?!`, `?` and `??`.
    pub fn glyph(self) -> u8 {
        match self {
            Grade::Inaccuracy => 6,
            Grade::Mistake => 2,
            Grade::Blunder => 4,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Grade::Inaccuracy => "inaccuracy",
            Grade::Mistake => "mistake",
            Grade::Blunder => "blunder",
        }
    }
}

/// The share of a point that a score promises the side that has it.
pub fn expectation(score: Score, position: &Position) -> f64 {
    if score.is_mate() {
        return if score.is_loss() { 0.0 } else { 1.0 };
    }
    let (chances, material) = (Chances::of(position.rules()), material(position));
    let win = |value: i32| chances.win(value.into(), material);
    (1.0 + win(score.value()) - win(-score.value())) / 2.0
}

/// What a move gave away.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Verdict {
    /// As a share of a point.
    pub loss: f64,
    pub centipawns: i32,
    pub grade: Option<Grade>,
}

impl Verdict {
    /// Compares what the best move promised with what came of the one played: both on the curve
    /// of the position before.
    fn new(position: &Position, before: &Finding, after: &Finding, is_best: bool) -> Verdict {
        let (wanted, got) = (before.score, -after.score);
        let loss = expectation(wanted, position) - expectation(got, position);
        let loss = if is_best { 0.0 } else { loss.max(0.0) };
        let clipped = |score| centipawns(score, position).clamp(-MOST_CENTIPAWNS, MOST_CENTIPAWNS);
        let difference = (clipped(wanted) - clipped(got)).max(0);
        Verdict {
            loss,
            centipawns: if is_best { 0 } else { difference },
            grade: Grade::of(loss),
        }
    }
}

/// The moves of one player, added up.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Tally {
    pub games: u64,
    pub moves: u64,
    loss: f64,
    centipawns: u64,
    /// Inaccuracies, mistakes and blunders.
    pub grades: [u64; 3],
}

impl Tally {
    fn add(&mut self, verdict: &Verdict) {
        self.moves += 1;
        self.loss += verdict.loss;
        self.centipawns += u64::from(verdict.centipawns.unsigned_abs());
        if let Some(grade) = verdict.grade {
            self.grades[grade as usize] += 1;
        }
    }

    fn merge(&mut self, other: &Tally) {
        self.games += other.games;
        self.moves += other.moves;
        self.loss += other.loss;
        self.centipawns += other.centipawns;
        for (count, more) in self.grades.iter_mut().zip(other.grades) {
            *count += more;
        }
    }

    /// The average loss of a move as a share of a point.
    pub fn average_loss(&self) -> f64 {
        self.loss / self.moves.max(1) as f64
    }

    /// The same in centipawns.
    pub fn average_centipawns(&self) -> f64 {
        self.centipawns as f64 / self.moves.max(1) as f64
    }

    /// From 100 for a player who never gave anything away, down towards 0.
    pub fn accuracy(&self) -> f64 {
        100.0 * (-STEEPNESS * self.average_loss()).exp()
    }
}

/// An analysed game or row with all that follows from its findings.
pub struct Judged<'a> {
    pub analysed: &'a Analysed,
    /// One more than there are moves.
    pub positions: Vec<Position>,
    /// One for each move.
    pub verdicts: Vec<Verdict>,
    /// By colour.
    pub tallies: [Tally; 2],
}

impl Judged<'_> {
    pub fn new(analysed: &Analysed) -> Judged<'_> {
        let positions = analysed.unit.positions();
        let mut tallies = [Tally::default(); 2];
        let mut verdicts = Vec::new();
        for (index, mv) in analysed.unit.moves().into_iter().enumerate() {
            let position = &positions[index];
            let [before, after] = [index, index + 1].map(|index| &analysed.findings[index]);
            let verdict = Verdict::new(position, before, after, before.best() == Some(mv));
            tallies[position.side().index()].add(&verdict);
            verdicts.push(verdict);
        }
        for tally in &mut tallies {
            tally.games = u64::from(tally.moves > 0);
        }
        Judged {
            analysed,
            positions,
            verdicts,
            tallies,
        }
    }

    pub fn record(&self) -> Option<&Record> {
        match &self.analysed.unit.subject {
            Subject::Game(record) => Some(record),
            Subject::Row(_) => None,
        }
    }

    /// Who played a colour.
    pub fn player(&self, color: Color) -> &str {
        let tag = match color {
            Color::White => "White",
            Color::Black => "Black",
        };
        let name = self.record().and_then(|record| record.tag(tag));
        name.unwrap_or("?")
    }
}

/// All players, in the order in which they appeared.
#[derive(Default)]
pub struct Summary {
    players: Vec<(String, Tally)>,
    /// How much has been analysed.
    pub games: u64,
    pub rows: u64,
    pub positions: u64,
    pub nodes: u64,
}

impl Summary {
    pub fn add(&mut self, judged: &Judged) {
        let findings = &judged.analysed.findings;
        self.positions += findings.len() as u64;
        self.nodes += findings.iter().map(|finding| finding.nodes).sum::<u64>();
        if judged.record().is_none() {
            self.rows += 1;
            return;
        }
        self.games += 1;
        for color in Color::ALL {
            let (name, tally) = (judged.player(color), &judged.tallies[color.index()]);
            if tally.moves == 0 {
                continue;
            }
            match self.players.iter_mut().find(|(player, _)| player == name) {
                Some((_, sum)) => sum.merge(tally),
                None => self.players.push((name.to_string(), *tally)),
            }
        }
    }

    pub fn players(&self) -> &[(String, Tally)] {
        &self.players
    }

    /// A table for people.
    pub fn table(&self) -> String {
        let widths = self.players.iter().map(|(name, _)| name.chars().count());
        let width = widths.max().unwrap_or(0).max(6);
        let mut text = String::new();
        if !self.players.is_empty() {
            text = format!(
                "{:width$}  games  moves  accuracy  loss %     cp  ?!    ?     ??\n",
                "player"
            );
        }
        for (name, tally) in &self.players {
            let [inaccuracies, mistakes, blunders] = tally.grades;
            let _ = writeln!(
                text,
                "{name:width$}  {:>5}  {:>5}  {:>8.1}  {:>6.2}  {:>5.1}  {inaccuracies:<5} {mistakes:<5} {blunders}",
                tally.games,
                tally.moves,
                tally.accuracy(),
                100.0 * tally.average_loss(),
                tally.average_centipawns(),
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{CHESS, Rules};

    #[test]
    fn expectations_mirror_each_other_and_grow() {
        for rules in Rules::ALL {
            let position = Position::start(rules);
            let of = |value| expectation(Score::centipawns(value), &position);
            assert!((of(0) - 0.5).abs() < 1e-12);
            for value in (0..2000).step_by(10) {
                assert!((of(value) + of(-value) - 1.0).abs() < 1e-12);
                assert!(of(value + 10) > of(value) || of(value) > 0.999);
            }
            assert!(expectation(Score::mating(3), &position) > of(20_000) - 1e-12);
            for plies in 0..4 {
                let (mated, mating) = (Score::mated(plies), -Score::mated(plies));
                assert!(expectation(mated, &position).abs() < 1e-12);
                assert!(expectation(mating, &position) > 1.0 - 1e-12);
            }
        }
    }

    #[test]
    fn grades_follow_the_loss() {
        for (loss, name) in [
            (0.0, None),
            (0.09, None),
            (0.1, Some("inaccuracy")),
            (0.2, Some("mistake")),
            (0.9, Some("blunder")),
        ] {
            assert_eq!(Grade::of(loss).map(Grade::name), name, "{loss}");
        }
    }

    #[test]
    fn accuracy_is_100_without_loss_and_falls_with_it() {
        let position = Position::start(&CHESS);
        let finding = |score| Finding::end(Score::centipawns(score));
        let mut tally = Tally::default();
        tally.add(&Verdict::new(&position, &finding(30), &finding(-30), false));
        assert!((tally.accuracy() - 100.0).abs() < 1e-9);
        let verdict = Verdict::new(&position, &finding(0), &finding(900), false);
        assert!(verdict.grade == Some(Grade::Blunder) && verdict.centipawns == 1000);
        assert!(
            Verdict::new(&position, &finding(0), &finding(900), true)
                .loss
                .abs()
                < 1e-12
        );
        tally.add(&verdict);
        assert!(tally.accuracy() < 50.0 && tally.grades == [0, 0, 1]);
    }
}
