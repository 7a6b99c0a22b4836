//! All games in one page that needs nothing but a browser: a board, a graph, the moves.
//!
//! The page is a template around the games, which are written one after the other. A board is
//! described by what a move changes on it, so that the page knows no rules.

use std::io::{self, Write};

use crate::board::{Position, Rules};
use crate::types::json::Object;
use crate::types::{Color, Move, Square};

use super::graph::expectations;
use super::judge::{Judged, Summary, Tally};
use super::output::evaluation;
use super::source::Subject;

/// The page, with two places to be filled.
const TEMPLATE: &str = include_str!("report.html");
const GAMES: &str = "/*GAMES*/";
const SUMMARY: &str = "/*SUMMARY*/";
/// A line on the page goes no further, in plies.
const LONGEST_LINE: usize = 12;

/// A page that is being written.
pub struct Report<W> {
    output: W,
}

impl<W: Write> Report<W> {
    pub fn new(mut output: W) -> io::Result<Report<W>> {
        output.write_all(part(0).as_bytes())?;
        Ok(Report { output })
    }

    pub fn add(&mut self, judged: &Judged) -> io::Result<()> {
        writeln!(self.output, "{},", harmless(&game(judged)))
    }

    /// Ends the page. `note` says how the analysis was made.
    pub fn finish(mut self, summary: &Summary, note: &str) -> io::Result<()> {
        let players: Vec<String> = summary.players().iter().map(player).collect();
        let object = Object::empty()
            .text("note", note)
            .value("positions", summary.positions)
            .value("nodes", summary.nodes)
            .raw("players", &format!("[{}]", players.join(",")));
        let object = harmless(&object.end());
        write!(self.output, "{}{object}{}", part(1), part(2))?;
        self.output.flush()
    }
}

/// The template before, between and after its two places.
fn part(number: usize) -> &'static str {
    let (before, rest) = TEMPLATE.split_once(GAMES).unwrap_or((TEMPLATE, ""));
    let (between, after) = rest.split_once(SUMMARY).unwrap_or((rest, ""));
    [before, between, after][number]
}

/// JSON that cannot end the script it stands in.
fn harmless(json: &str) -> String {
    json.replace('<', "\\u003c")
}

fn player((name, tally): &(String, Tally)) -> String {
    score_card(
        Object::empty()
            .text("name", name)
            .value("games", tally.games),
        tally,
    )
    .end()
}

/// How well somebody played.
fn score_card(object: Object, tally: &Tally) -> Object {
    let [inaccuracies, mistakes, blunders] = tally.grades;
    object
        .value("moves", tally.moves)
        .value("accuracy", format!("{:.1}", tally.accuracy()))
        .value("loss", format!("{:.2}", 100.0 * tally.average_loss()))
        .value("centipawns", format!("{:.1}", tally.average_centipawns()))
        .raw("grades", &format!("[{inaccuracies},{mistakes},{blunders}]"))
}

fn game(judged: &Judged) -> String {
    let start = judged.positions[0];
    let rules = start.rules();
    let fen = start.fen();
    let cards = judged
        .tallies
        .map(|tally| score_card(Object::empty(), &tally).end());
    let shares = expectations(judged).into_iter().enumerate();
    let positions: Vec<String> = shares
        .map(|(index, share)| position(judged, index, share))
        .collect();
    let moves: Vec<String> = (0..judged.verdicts.len())
        .map(|index| played(judged, index))
        .collect();
    heading(judged)
        .text("variant", rules.name)
        .value("files", rules.files)
        .value("ranks", rules.ranks)
        .text("start", fen.split(' ').next().unwrap_or_default())
        .value("black", start.side() == Color::Black)
        .value("number", start.fullmoves())
        .raw("cards", &format!("[{}]", cards.join(",")))
        .raw("positions", &format!("[{}]", positions.join(",")))
        .raw("moves", &format!("[{}]", moves.join(",")))
        .end()
}

/// What a game is called.
fn heading(judged: &Judged) -> Object {
    match &judged.analysed.unit.subject {
        Subject::Game(record) => {
            let names = Color::ALL.map(|color| judged.player(color).to_string());
            let told = ["Event", "Site", "Date", "Round"].map(|tag| record.tag(tag));
            let told: Vec<&str> = told
                .into_iter()
                .flatten()
                .filter(|value| !value.is_empty() && !value.starts_with('?'))
                .collect();
            Object::empty()
                .texts("players", &names)
                .text("result", &record.ending.to_string())
                .text("about", &told.join(", "))
        }
        Subject::Row(row) => Object::empty()
            .texts("players", &[])
            .text("result", "")
            .text("about", row.id().unwrap_or_default()),
    }
}

/// A position: its evaluation, what White can expect, and the best lines.
fn position(judged: &Judged, index: usize, share: f64) -> String {
    let (position, finding) = (&judged.positions[index], &judged.analysed.findings[index]);
    let lines = finding.lines.iter().map(|line| {
        let length = line.moves.len().min(LONGEST_LINE);
        Object::empty()
            .text(
                "value",
                &evaluation(line.score, position).unwrap_or_default(),
            )
            .raw("moves", &steps(position, &line.moves[..length]))
            .end()
    });
    let lines: Vec<String> = lines.collect();
    Object::empty()
        .text(
            "value",
            &evaluation(finding.score, position).unwrap_or_default(),
        )
        .value("share", format!("{share:.3}"))
        .value("depth", finding.depth)
        .value("nodes", finding.nodes)
        .raw("lines", &format!("[{}]", lines.join(",")))
        .end()
}

/// A move of the game and what is said about it.
fn played(judged: &Judged, index: usize) -> String {
    let position = &judged.positions[index];
    let unit = &judged.analysed.unit;
    let (mv, comment) = match &unit.subject {
        Subject::Game(record) => (record.moves[index].mv, record.moves[index].comment.as_str()),
        Subject::Row(_) => return String::new(),
    };
    let verdict = judged.verdicts[index];
    Object::empty()
        .text("san", &position.san(mv))
        .text("change", &change(position, mv))
        .text("grade", verdict.grade.map_or("", super::judge::Grade::name))
        .value("loss", format!("{:.1}", 100.0 * verdict.loss))
        .text("comment", comment)
        .end()
}

/// A line as pairs: the move, and what it changes.
fn steps(position: &Position, moves: &[Move]) -> String {
    let mut position = *position;
    let step = |&mv: &Move| {
        let text = format!("[\"{}\",\"{}\"]", position.san(mv), change(&position, mv));
        position = position.play(mv);
        text
    };
    format!("[{}]", moves.iter().map(step).collect::<Vec<_>>().join(","))
}

/// What a move changes: each square with the letter of the man that stands there afterwards, or
/// a dot. The squares that the man came from and went to come first.
fn change(position: &Position, mv: Move) -> String {
    let after = position.play(mv);
    let man = |square: Square| {
        let piece = after.piece_at(square);
        piece.map_or('.', crate::types::Piece::letter)
    };
    let mut squares = vec![mv.from(), mv.to()];
    squares.extend(squares_of(position.rules()).filter(|&square| {
        square != mv.from()
            && square != mv.to()
            && position.piece_at(square) != after.piece_at(square)
    }));
    let parts = squares
        .into_iter()
        .map(|square| format!("{square}{}", man(square)));
    parts.collect()
}

fn squares_of(rules: &Rules) -> impl Iterator<Item = Square> {
    rules.squares.squares()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::CHESS;

    #[test]
    fn the_template_has_its_places() {
        assert_eq!(TEMPLATE.matches(GAMES).count(), 1);
        assert_eq!(TEMPLATE.matches(SUMMARY).count(), 1);
        assert!(TEMPLATE.find(GAMES) < TEMPLATE.find(SUMMARY));
        assert!(
            !TEMPLATE.contains("://")
                || TEMPLATE.matches("://").count()
                    == TEMPLATE.matches("http://www.w3.org/").count()
        );
    }

    #[test]
    fn a_move_tells_what_it_changes() {
        for (fen, san, changes) in [
            (CHESS.start, "e4", "e2.e4P"),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", "e1.h1.f1Rg1K"),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", "e5.d6Pd5."),
            ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8=N+", "e7.e8N"),
        ] {
            let position = Position::from_fen(&CHESS, fen).expect("legal");
            let mv = position.parse_san(san).expect("legal");
            assert_eq!(change(&position, mv), changes, "{san}");
        }
    }
}
