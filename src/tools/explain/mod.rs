//! Why a move is good or bad: searches, and what their lines do on the board, in sentences.
//!
//! ```text
//! Question ─► Engine: the best moves, the opponent's after a pass, the move asked about
//!               └─► lines ─► story (facts) ─► words (sentences) ─► Explanation
//! ```
//!
//! Scores are the engine's opinion. What the sentences say beside them (who is mated, what is
//! lost, what is attacked) is counted on the board, at quiet moments of the engine's own lines.

mod story;
#[cfg(test)]
mod tests;
mod words;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use parking_lot::Mutex;

use crate::board::{Game, Outcome, Position};
use crate::endgame::{Endgames, Value};
use crate::engine::Engine;
use crate::search::{Best, Bound, Limits, Line, Progress, Report};
use crate::types::Move;

use story::Story;
use words::Known;

pub use words::{expected, numbered, score_text};

/// A game, and where it was last at rest.
#[derive(Clone, Debug)]
pub struct Past {
    game: Game,
    /// Before the captures that led here: what was taken in turn is not won or lost yet.
    calm: Position,
}

impl Past {
    pub fn new(position: Position) -> Past {
        Past {
            game: Game::new(position),
            calm: position,
        }
    }

    /// The end of a game of which no more is known.
    pub fn of(game: Game) -> Past {
        Past {
            calm: *game.position(),
            game,
        }
    }

    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: Move) {
        let is_capture = self.position().is_capture(mv);
        self.game.play(mv);
        if !is_capture {
            self.calm = *self.game.position();
        }
    }
}

/// What is asked.
pub struct Question {
    pub past: Past,
    /// The move to be judged, if one is.
    pub mv: Option<Move>,
    /// Of each search.
    pub limits: Limits,
    /// How many best moves to follow.
    pub lines: usize,
}

/// The answer.
pub struct Explanation {
    pub position: Position,
    /// Set if the game is over; then there is nothing else.
    pub outcome: Option<Outcome>,
    /// The best moves, best first.
    pub best: Findings,
    /// What the opponent would do if it were his turn, from the position after passing. `None` in
    /// check, where one cannot pass.
    pub threat: Option<(Position, Findings)>,
    /// The move that was asked about, from a search of its own if it is not one of the best.
    pub judged: Option<Findings>,
    /// All of it in short.
    pub sentences: Vec<String>,
}

/// What a search has found in its last complete iteration.
#[derive(Clone, Default, Debug)]
pub struct Findings {
    pub lines: Vec<Line>,
    pub depth: u32,
    pub nodes: u64,
}

impl Findings {
    /// The part that is about a move, if there is one.
    pub fn of(&self, mv: Move) -> Option<Findings> {
        let line = self.lines.iter().find(|line| line.moves[0] == mv)?;
        Some(Findings {
            lines: vec![line.clone()],
            ..*self
        })
    }
}

/// Explains a position, with an engine that is set to its game. `None` if `stop` was set on the
/// way.
pub fn explain(engine: &mut Engine, question: &Question, stop: &AtomicBool) -> Option<Explanation> {
    let past = &question.past;
    let position = *past.position();
    let mut explanation = Explanation {
        position,
        outcome: past.game.outcome(),
        best: Findings::default(),
        threat: None,
        judged: None,
        sentences: Vec::new(),
    };
    if let Some(outcome) = explanation.outcome {
        explanation.sentences = vec![format!("The game is over: {outcome}.")];
        return Some(explanation);
    }
    let mut search =
        |game: &Game, limits: Limits, lines| findings(engine, game, limits, lines, stop);
    let limits = &question.limits;
    explanation.best = search(&past.game, limits.clone(), question.lines)?;
    if !position.in_check() {
        let passed = position.pass();
        let threat = search(&Game::new(passed), limits.clone(), 1)?;
        explanation.threat = Some((passed, threat));
    }
    if let Some(mv) = question.mv {
        let limits = Limits {
            moves: vec![mv],
            // No deeper than the moves that it is compared with.
            depth: Some(explanation.best.depth),
            ..limits.clone()
        };
        explanation.judged = Some(match explanation.best.of(mv) {
            Some(judged) => judged,
            None => search(&past.game, limits, 1)?,
        });
    }
    explanation.sentences = sentences(past, &explanation, &engine.endgames());
    Some(explanation)
}

/// The answer in short.
fn sentences(past: &Past, explanation: &Explanation, endgames: &Endgames) -> Vec<String> {
    let story = |line: &Line| Story::new(&past.game, &past.calm, line);
    let best: Vec<Story> = explanation.best.lines.iter().map(story).collect();
    let judged = explanation
        .judged
        .as_ref()
        .and_then(|found| found.lines.first());
    let mut sentences = match (judged.map(story), best.first()) {
        (Some(judged), Some(first)) => words::why(&judged, first, known(&judged, endgames)),
        _ => words::best(&best),
    };
    if let Some((passed, threat)) = &explanation.threat
        && let Some(line) = threat.lines.first()
    {
        let story = Story::new(&Game::new(*passed), passed, line);
        sentences.extend(words::threat(&story));
    }
    sentences
}

/// What endgame tables say of a move, where the fifty-move rule does not interfere.
fn known(story: &Story, endgames: &Endgames) -> Known {
    let value = |position: &Position| {
        let value = endgames.value(position);
        value.filter(|value| value.is_in_time(position.halfmoves()))
    };
    let next = story.start().play(story.line.moves[0]);
    Known {
        before: value(story.start()),
        after: value(&next).map(Value::before),
    }
}

/// Keeps the last complete iteration, or what there is if there was none.
#[derive(Default)]
struct Listener(Mutex<Findings>);

impl Report for Listener {
    fn progress(&self, progress: &Progress) {
        if progress.lines.iter().all(|line| line.bound == Bound::Exact) {
            *self.0.lock() = Findings {
                lines: progress.lines.clone(),
                depth: progress.depth,
                nodes: progress.nodes,
            };
        }
    }

    fn done(&self, last: &Progress, _: Best) {
        if self.0.lock().depth == 0 {
            self.progress(last);
        }
    }

    fn trouble(&self, _: &str) {}
}

/// Searches a game. `None` if it is to stop.
fn findings(
    engine: &mut Engine,
    game: &Game,
    limits: Limits,
    lines: usize,
    stop: &AtomicBool,
) -> Option<Findings> {
    let listener = Arc::new(Listener::default());
    engine.settings.lines = lines;
    engine.set_game(game.clone());
    engine.go(
        limits,
        Instant::now(),
        Arc::clone(&listener) as Arc<dyn Report>,
    );
    let is_complete = engine.wait_unless(stop);
    let findings = listener.0.lock().clone();
    is_complete.then_some(findings)
}
