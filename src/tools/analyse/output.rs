//! What was found, as text: annotated games, rows of positions, tables, objects.

use crate::board::{CHESS, Position};
use crate::eval::{Wdl, centipawns, wdl};
use crate::tools::epd::{self, Row};
use crate::tools::pgn::Record;
use crate::types::json::Object;
use crate::types::{Color, Move, Score};

use super::Finding;
use super::judge::{Judged, Verdict};
use super::source::{Subject, Unit};

/// A line in an annotated game goes no further, in plies.
const LONGEST_LINE: usize = 12;

/// A kind of text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    Pgn,
    Epd,
    Csv,
    Jsonl,
}

impl Format {
    /// The formats by the names that they have on the command line.
    pub const ALL: [(&'static str, Format); 4] = [
        ("pgn", Format::Pgn),
        ("epd", Format::Epd),
        ("csv", Format::Csv),
        ("jsonl", Format::Jsonl),
    ];

    /// The one that a game or row is written in, if nobody says otherwise.
    pub fn usual(unit: &Unit) -> Format {
        match unit.subject {
            Subject::Game(_) => Format::Pgn,
            Subject::Row(_) => Format::Epd,
        }
    }

    /// What comes before everything else.
    pub fn head(self) -> &'static str {
        match self {
            Format::Csv => "game,ply,fen,move,eval,mate,best,line,depth,nodes,loss,judgement\n",
            _ => "",
        }
    }

    /// A game or row with its findings. `annotator` signs annotated games, and the answers of a
    /// suite stay beside the questions.
    pub fn text(self, judged: &Judged, annotator: &str, is_suite: bool) -> String {
        match self {
            Format::Pgn => annotated(judged, annotator).to_string(),
            Format::Epd => lines(judged, |index| row(judged, index, is_suite).to_string()),
            Format::Csv => lines(judged, |index| values(judged, index)),
            Format::Jsonl => lines(judged, |index| object(judged, index)),
        }
    }
}

/// A line for each position.
fn lines(judged: &Judged, line: impl Fn(usize) -> String) -> String {
    let indices = 0..judged.positions.len();
    indices.map(|index| line(index) + "\n").collect()
}

/// Something counted for the side to move, from White's view.
fn for_white(amount: i32, position: &Position) -> i32 {
    match position.side() {
        Color::White => amount,
        Color::Black => -amount,
    }
}

/// A score in pawns, or as moves to a mate, from White's view. `None` after a mate.
pub fn evaluation(score: Score, position: &Position) -> Option<String> {
    match score.mate_moves() {
        Some(0) => None,
        Some(moves) => Some(format!("#{}", for_white(moves, position))),
        None => {
            let hundredths = for_white(centipawns(score, position), position);
            let sign = if hundredths < 0 { "-" } else { "" };
            let whole = hundredths.unsigned_abs();
            Some(format!("{sign}{}.{:02}", whole / 100, whole % 100))
        }
    }
}

/// A line with the numbers of its moves.
pub fn numbered(position: &Position, moves: &[Move]) -> String {
    let mut position = *position;
    let mut words = Vec::new();
    for (index, &mv) in moves.iter().enumerate() {
        match (position.side(), index) {
            (Color::White, _) => words.push(format!("{}.", position.fullmoves())),
            (Color::Black, 0) => words.push(format!("{}...", position.fullmoves())),
            (Color::Black, _) => {}
        }
        words.push(position.san(mv));
        position = position.play(mv);
    }
    words.join(" ")
}

/// A line in the notation of people.
fn san(position: &Position, moves: &[Move]) -> Vec<String> {
    words(position, moves, Position::san)
}

/// A line in the notation of engines.
fn uci(position: &Position, moves: &[Move]) -> Vec<String> {
    words(position, moves, |position, mv| position.uci(mv, false))
}

fn words(
    position: &Position,
    moves: &[Move],
    word: impl Fn(&Position, Move) -> String,
) -> Vec<String> {
    let mut position = *position;
    let next = |&mv: &Move| {
        let word = word(&position, mv);
        position = position.play(mv);
        word
    };
    moves.iter().map(next).collect()
}

/// The game with evaluations, judgements and better lines. A row is a game without moves.
fn annotated(judged: &Judged, annotator: &str) -> Record {
    let findings = &judged.analysed.findings;
    let unit = &judged.analysed.unit;
    let mut record = match &unit.subject {
        Subject::Game(record) => record.clone(),
        Subject::Row(row) => record_of(row, &findings[0]),
    };
    // It was said elsewhere which game it is; here it has to be.
    let rules = record.start.rules();
    let has_variant = record
        .tags
        .iter()
        .any(|(name, _)| name.eq_ignore_ascii_case("Variant"));
    if rules.name != CHESS.name && !has_variant {
        record.set_tag("Variant", rules.name);
    }
    if record.tag("Annotator").is_none() {
        record.set_tag("Annotator", annotator);
    }
    for (index, played) in record.moves.iter_mut().enumerate() {
        let (position, after) = (&judged.positions[index], index + 1);
        let value = evaluation(findings[after].score, &judged.positions[after]);
        let value = value.map(|value| format!("[%eval {value}]"));
        let said = without_evaluation(&played.comment);
        let parts = value.into_iter().chain(Some(said));
        let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
        played.comment = parts.join(" ");
        let Some(grade) = judged.verdicts[index].grade else {
            continue;
        };
        if !played.glyphs.contains(&grade.glyph()) {
            played.glyphs.push(grade.glyph());
        }
        for line in &findings[index].lines {
            let length = line.moves.len().min(LONGEST_LINE);
            let text = numbered(position, &line.moves[..length]);
            if line.moves[0] != played.mv && !played.asides.contains(&text) {
                played.asides.push(text);
            }
        }
    }
    record
}

/// A position as the start of a game that is not played.
fn record_of(row: &Row, finding: &Finding) -> Record {
    let mut record = Record::new(row.position);
    record.set_tag("Event", row.id().unwrap_or("?"));
    record.set_tag("Result", record.ending.to_string());
    record.set_tag("Variant", row.position.rules().name);
    record.set_tag("SetUp", "1");
    record.set_tag("FEN", row.position.fen());
    let value = evaluation(finding.score, &row.position).map(|value| format!("[%eval {value}]"));
    let line = finding.lines.first();
    let line = line.map(|line| numbered(&row.position, &line.moves));
    let parts: Vec<String> = [value, line].into_iter().flatten().collect();
    record.introduction = parts.join(" ");
    record
}

/// A comment without evaluations of others.
fn without_evaluation(comment: &str) -> String {
    let mut rest = comment;
    let mut text = String::new();
    while let Some((before, after)) = rest.split_once("[%eval ")
        && let Some((_, after)) = after.split_once(']')
    {
        text += before;
        rest = after;
    }
    text += rest;
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A position with what was found as operations.
fn row(judged: &Judged, index: usize, is_suite: bool) -> Row {
    let (position, finding) = (judged.positions[index], &judged.analysed.findings[index]);
    let unit = &judged.analysed.unit;
    let mut row = match &unit.subject {
        Subject::Row(row) => row.clone(),
        Subject::Game(record) => {
            let mut row = Row::new(position);
            row.set("id", format!("\"{}.{index}\"", unit.number));
            if let Some(played) = record.moves.get(index) {
                row.set("sm", position.san(played.mv));
            }
            row
        }
    };
    let value = epd::evaluation(finding.score, centipawns(finding.score, &position));
    row.set("acd", finding.depth.to_string());
    row.set("acn", finding.nodes.to_string());
    row.set("ce", value.to_string());
    if let Some(line) = finding.lines.first() {
        let moves = san(&position, &line.moves);
        row.set(if is_suite { "pm" } else { "bm" }, moves[0].clone());
        row.set("pv", moves.join(" "));
    }
    row
}

/// A position as a line of a table.
fn values(judged: &Judged, index: usize) -> String {
    let (position, finding) = (&judged.positions[index], &judged.analysed.findings[index]);
    let white = |amount: i32| for_white(amount, position).to_string();
    let (value, mate) = match finding.score.mate_moves() {
        Some(moves) => (String::new(), white(moves)),
        None => (white(centipawns(finding.score, position)), String::new()),
    };
    let played = judged.analysed.unit.moves().get(index).copied();
    let best = finding.lines.first();
    let line = best
        .map(|line| san(position, &line.moves))
        .unwrap_or_default();
    let verdict = judged.verdicts.get(index);
    let grade = verdict.and_then(|verdict| verdict.grade);
    [
        judged.analysed.unit.number.to_string(),
        index.to_string(),
        position.fen(),
        played.map(|mv| position.san(mv)).unwrap_or_default(),
        value,
        mate,
        line.first().cloned().unwrap_or_default(),
        line.join(" "),
        finding.depth.to_string(),
        finding.nodes.to_string(),
        verdict
            .map(|verdict| format!("{:.4}", verdict.loss))
            .unwrap_or_default(),
        grade.map_or("", super::judge::Grade::name).to_string(),
    ]
    .join(",")
}

/// A position as an object of JSON.
fn object(judged: &Judged, index: usize) -> String {
    let (position, finding) = (&judged.positions[index], &judged.analysed.findings[index]);
    let unit = &judged.analysed.unit;
    let mut object = Object::new("position")
        .value("game", unit.number)
        .value("ply", index)
        .text("file", &unit.file)
        .value("line", unit.line)
        .text("variant", position.rules().name)
        .text("fen", &position.fen());
    if let Subject::Row(row) = &unit.subject
        && let Some(id) = row.id()
    {
        object = object.text("id", id);
    }
    if let Subject::Game(record) = &unit.subject {
        for (name, tag) in [("white", "White"), ("black", "Black")] {
            object = object.text(name, record.tag(tag).unwrap_or("?"));
        }
    }
    object = score(object, finding.score, position)
        .value("depth", finding.depth)
        .value("nodes", finding.nodes);
    let lines: Vec<String> = finding
        .lines
        .iter()
        .map(|line| {
            score(Object::empty(), line.score, position)
                .texts("pv", &uci(position, &line.moves))
                .texts("san", &san(position, &line.moves))
                .end()
        })
        .collect();
    object = object.raw("lines", &format!("[{}]", lines.join(",")));
    if let Some(mv) = unit.moves().get(index) {
        let Verdict { loss, grade, .. } = judged.verdicts[index];
        object = object
            .text("move", &position.uci(*mv, false))
            .text("san", &position.san(*mv))
            .value("loss", format!("{loss:.4}"));
        if let Some(grade) = grade {
            object = object.text("judgement", grade.name());
        }
    }
    object.end()
}

/// Adds a score from White's view, and the chances that go with it.
fn score(object: Object, score: Score, position: &Position) -> Object {
    let object = match score.mate_moves() {
        Some(moves) => object.value("mate", for_white(moves, position)),
        None => object.value("cp", for_white(centipawns(score, position), position)),
    };
    let Wdl { win, draw, loss } = wdl(score, position);
    let [win, loss] = match position.side() {
        Color::White => [win, loss],
        Color::Black => [loss, win],
    };
    object.raw("wdl", &format!("[{win},{draw},{loss}]"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::CHESS;
    use crate::eval::{Chances, material};

    #[test]
    fn evaluations_are_from_the_view_of_white() {
        let white = Position::start(&CHESS);
        let black = white.play(white.parse_san("e4").expect("a legal move"));
        let text = |score, position| evaluation(score, position).unwrap_or_default();
        assert_eq!(text(Score::mating(5), &white), "#3");
        assert_eq!(text(Score::mating(5), &black), "#-3");
        assert_eq!(text(Score::mating(1), &black), "#-1");
        assert_eq!(text(Score::mated(2), &white), "#-1");
        assert_eq!(text(Score::mated(0), &black), "");
        assert_eq!(text(Score::DRAW, &black), "0.00");
        let even = Chances::of(&CHESS).even(material(&black)).round() as i32;
        let plus = text(Score::centipawns(even), &black);
        assert!(
            plus.starts_with("-1.0") || plus.starts_with("-0.9"),
            "{plus}"
        );
    }

    #[test]
    fn only_evaluations_are_taken_out_of_comments() {
        for (comment, rest) in [
            ("[%eval 0.3] [%clk 0:01:00] good", "[%clk 0:01:00] good"),
            ("good [%eval #-3,12]", "good"),
            ("[%eval", "[%eval"),
            ("[%eval 1", "[%eval 1"),
            ("[%eval 1] a [%eval 2", "a [%eval 2"),
        ] {
            assert_eq!(without_evaluation(comment), rest);
        }
    }
}
