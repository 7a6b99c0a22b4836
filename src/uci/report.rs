//! What a search finds, told to a GUI, a person or a program.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::board::Position;
use crate::eval::{Wdl, centipawns, wdl};
use crate::search::{Best, Bound, Line, Progress, Report};
use crate::types::json::Object;
use crate::types::{Color, Move, Score};

use super::output::{Output, Style};

/// How many lines may come at once, and how many a second after that. Enough to see every
/// depth of a search that takes its time, too few to drown a GUI.
const BURST: f64 = 64.0;
const RATE: f64 = 100.0;

/// What is left of the burst of a search.
struct Throttle(Mutex<(f64, Instant)>);

impl Throttle {
    fn new() -> Throttle {
        Throttle(Mutex::new((BURST, Instant::now())))
    }

    /// Whether this many lines may be printed now.
    fn allows(&self, lines: usize) -> bool {
        let mut state = self.0.lock();
        let (left, since) = *state;
        let now = Instant::now();
        let refilled = now.saturating_duration_since(since).as_secs_f64() * RATE;
        let left = (left + refilled).min(BURST);
        let is_allowed = left > 0.0;
        let left = if is_allowed {
            left - lines as f64
        } else {
            left
        };
        *state = (left, now);
        is_allowed
    }
}

/// The reporter of one search.
pub struct Reporter {
    output: Arc<Output>,
    throttle: Throttle,
    move_throttle: Throttle,
    position: Position,
    chess960: bool,
    show_wdl: bool,
    /// What was printed last.
    printed: Mutex<Option<Summary>>,
}

/// Depth and nodes, and the first move and score of each line.
type Summary = (u32, u64, Vec<(Option<Move>, Score, Bound)>);

impl Reporter {
    pub fn new(
        output: &Arc<Output>,
        position: &Position,
        chess960: bool,
        show_wdl: bool,
    ) -> Reporter {
        Reporter {
            output: Arc::clone(output),
            throttle: Throttle::new(),
            move_throttle: Throttle::new(),
            position: *position,
            chess960,
            show_wdl,
            printed: Mutex::new(None),
        }
    }

    fn print(&self, progress: &Progress) {
        let style = self.output.style();
        let lines = progress
            .lines
            .iter()
            .enumerate()
            .map(|(index, line)| match style {
                Style::Protocol => self.protocol_line(progress, index + 1, line),
                Style::Json => self.json_line(progress, index + 1, line),
                Style::Terminal | Style::Colour => self.people_line(progress, line, style),
            });
        self.output.say(&lines.collect::<Vec<_>>().join("\n"));
        *self.printed.lock() = Some(summary(progress));
    }

    fn protocol_line(&self, progress: &Progress, number: usize, line: &Line) -> String {
        let bound = match line.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        };
        let mut chances = String::new();
        if self.show_wdl {
            let Wdl { win, draw, loss } = wdl(line.score, &self.position);
            chances = format!(" wdl {win} {draw} {loss}");
        }
        format!(
            "info depth {} seldepth {} multipv {number} score {}{bound}{chances} nodes {} nps {} \
             hashfull {} tbhits {} time {} pv {}",
            progress.depth,
            progress.selective_depth,
            score_text(line.score, &self.position),
            progress.nodes,
            speed(progress.nodes, progress.time),
            progress.per_mille_full,
            progress.table_hits,
            progress.time.as_millis(),
            self.uci_moves(&line.moves).join(" "),
        )
    }

    fn json_line(&self, progress: &Progress, number: usize, line: &Line) -> String {
        let mut object = Object::new("info")
            .value("depth", progress.depth)
            .value("seldepth", progress.selective_depth)
            .value("multipv", number);
        object = match line.score.mate_moves() {
            Some(moves) => object.value("mate", moves),
            None => object.value("cp", centipawns(line.score, &self.position)),
        };
        object = match line.bound {
            Bound::Exact => object,
            Bound::Lower => object.text("bound", "lower"),
            Bound::Upper => object.text("bound", "upper"),
        };
        let Wdl { win, draw, loss } = wdl(line.score, &self.position);
        object
            .raw("wdl", &format!("[{win},{draw},{loss}]"))
            .value("nodes", progress.nodes)
            .value("nps", speed(progress.nodes, progress.time))
            .value("hashfull", progress.per_mille_full)
            .value("tbhits", progress.table_hits)
            .value("time", progress.time.as_millis())
            .texts("pv", &self.uci_moves(&line.moves))
            .texts("san", &san_moves(&self.position, &line.moves))
            .end()
    }

    /// Depth, score from White's side, time, nodes, speed, line.
    fn people_line(&self, progress: &Progress, line: &Line, style: Style) -> String {
        let is_white = self.position.side() == Color::White;
        let score = if is_white { line.score } else { -line.score };
        let text = match line.score.mate_moves().map(i32::abs) {
            Some(moves) if score < Score::DRAW => format!("-#{moves}"),
            Some(moves) => format!("#{moves}"),
            None => format!(
                "{:+.2}",
                f64::from(centipawns(score, &self.position)) / 100.0
            ),
        };
        let mark = match (line.bound, is_white) {
            (Bound::Exact, _) => ' ',
            (Bound::Lower, true) | (Bound::Upper, false) => '+',
            _ => '-',
        };
        let text = format!("{text:>7}{mark}");
        let text = match style {
            Style::Colour if score > Score::DRAW => format!("\x1b[32m{text}\x1b[0m"),
            Style::Colour if score < Score::DRAW => format!("\x1b[31m{text}\x1b[0m"),
            _ => text,
        };
        format!(
            "{:>3}/{:<3} {text} {:>8} {:>7} {:>8}/s  {}",
            progress.depth,
            progress.selective_depth,
            format!("{:.2}s", progress.time.as_secs_f64()),
            short(progress.nodes),
            short(speed(progress.nodes, progress.time)),
            numbered(&self.position, &line.moves, 72),
        )
    }

    /// The first line for a position without moves.
    fn print_end_of_game(&self) {
        let is_mate = self.position.in_check();
        match self.output.style() {
            Style::Protocol => self.output.say(&format!(
                "info depth 0 score {}",
                if is_mate { "mate 0" } else { "cp 0" }
            )),
            Style::Json => {
                let object = Object::new("info").value("depth", 0);
                let name = if is_mate { "mate" } else { "cp" };
                self.output.say(&object.value(name, 0).end());
            }
            _ if is_mate => self.output.say("checkmate"),
            _ => self.output.say("stalemate"),
        }
    }

    fn uci_moves(&self, moves: &[Move]) -> Vec<String> {
        let mut position = self.position;
        let mut texts = Vec::with_capacity(moves.len());
        for &mv in moves {
            texts.push(position.uci(mv, self.chess960));
            position.make(mv);
        }
        texts
    }
}

impl Report for Reporter {
    fn progress(&self, progress: &Progress) {
        if self.throttle.allows(progress.lines.len()) {
            self.print(progress);
        }
    }

    fn current_move(&self, mv: Move, number: usize) {
        if !self.move_throttle.allows(1) {
            return;
        }
        let mv = self.position.uci(mv, self.chess960);
        match self.output.style() {
            Style::Protocol => self
                .output
                .say(&format!("info currmove {mv} currmovenumber {number}")),
            Style::Json => {
                let object = Object::new("currmove").text("move", &mv);
                self.output.say(&object.value("number", number).end());
            }
            _ => {}
        }
    }

    fn done(&self, last: &Progress, best: Best) {
        if last.lines.is_empty() {
            self.print_end_of_game();
        } else if *self.printed.lock() != Some(summary(last)) {
            self.print(last);
        }
        let text = best.mv.map_or("(none)".to_string(), |mv| {
            self.position.uci(mv, self.chess960)
        });
        let reply = best.mv.zip(best.ponder);
        let reply_text = reply.map(|(mv, reply)| {
            let after = self.position.play(mv);
            (after.uci(reply, self.chess960), after.san(reply))
        });
        match self.output.style() {
            Style::Protocol => self.output.say(&match reply_text {
                Some((reply, _)) => format!("bestmove {text} ponder {reply}"),
                None => format!("bestmove {text}"),
            }),
            Style::Json => {
                let object = Object::new("bestmove").text("move", &text);
                let object = match (best.mv, reply_text) {
                    (Some(mv), Some((reply, _))) => object
                        .text("san", &self.position.san(mv))
                        .text("ponder", &reply),
                    (Some(mv), None) => object.text("san", &self.position.san(mv)),
                    _ => object,
                };
                self.output.say(&object.end());
            }
            _ => {
                if let Some(mv) = best.mv {
                    let san = self.position.san(mv);
                    self.output.say(&match reply_text {
                        Some((_, reply)) => format!("best move {san} ({text}), expecting {reply}"),
                        None => format!("best move {san} ({text})"),
                    });
                }
            }
        }
    }

    fn trouble(&self, message: &str) {
        self.output.error(message);
    }
}

/// What makes a report different from another one.
fn summary(progress: &Progress) -> Summary {
    let line = |line: &Line| (line.moves.first().copied(), line.score, line.bound);
    let lines = progress.lines.iter().map(line).collect();
    (progress.depth, progress.nodes, lines)
}

fn score_text(score: Score, position: &Position) -> String {
    match score.mate_moves() {
        Some(moves) => format!("mate {moves}"),
        None => format!("cp {}", centipawns(score, position)),
    }
}

/// Nodes a second.
pub fn speed(nodes: u64, time: Duration) -> u64 {
    let microseconds = time.as_micros().max(1);
    (u128::from(nodes) * 1_000_000 / microseconds) as u64
}

pub fn san_moves(position: &Position, moves: &[Move]) -> Vec<String> {
    let mut position = *position;
    let mut texts = Vec::with_capacity(moves.len());
    for &mv in moves {
        texts.push(position.san(mv));
        position.make(mv);
    }
    texts
}

/// Moves with their numbers, cut to a width.
fn numbered(position: &Position, moves: &[Move], width: usize) -> String {
    let mut text = String::new();
    let mut number = position.fullmoves();
    let mut is_white = position.side() == Color::White;
    for (index, san) in san_moves(position, moves).into_iter().enumerate() {
        let word = match (is_white, index) {
            (true, _) => format!("{number}. {san}"),
            (false, 0) => format!("{number}... {san}"),
            (false, _) => san,
        };
        if text.len() + word.len() > width {
            text.push_str(" …");
            break;
        }
        if index > 0 {
            text.push(' ');
        }
        text.push_str(&word);
        number = number.saturating_add(u16::from(!is_white));
        is_white = !is_white;
    }
    text
}

/// A large number in few digits.
fn short(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..10_000_000 => format!("{}k", number / 1000),
        10_000_000..10_000_000_000 => format!("{}M", number / 1_000_000),
        _ => format!("{}G", number / 1_000_000_000),
    }
}
