//! An explanation as text and as JSON.

use crate::board::Position;
use crate::eval::network::Network;
use crate::eval::{Wdl, centipawns, wdl};
use crate::search::Line;
use crate::tools::explain::{Explanation, Findings, numbered, score_text};
use crate::types::Color;

use super::report::san_moves;
use super::show;
use crate::types::json::Object;

/// Plies of a line that fit on a line.
const SHOWN: usize = 8;

/// How an explanation is to be written.
#[derive(Clone, Copy)]
pub struct Form<'a> {
    /// What evaluates beside the linear evaluation.
    pub network: Option<&'a Network>,
    /// Without the evaluation by terms.
    pub is_brief: bool,
    /// Castling as the king capturing its rook.
    pub chess960: bool,
}

/// The sentences, the moves, the threat, and the evaluation by terms. Scores are for White.
pub fn text(explanation: &Explanation, form: Form) -> String {
    let mut blocks = vec![explanation.sentences.join("\n")];
    let (position, best) = (&explanation.position, &explanation.best);
    if explanation.outcome.is_none() {
        blocks.push(moves(position, best));
    }
    if let Some(judged) = &explanation.judged
        && judged
            .lines
            .iter()
            .all(|line| best.of(line.moves[0]).is_none())
    {
        blocks.push(titled("the move asked about", position, judged));
    }
    if let Some((passed, threat)) = &explanation.threat {
        let title = format!("if it were {}'s turn", side_name(passed.side()));
        blocks.push(titled(&title, passed, threat));
    } else if position.in_check() && explanation.outcome.is_none() {
        blocks.push("in check one cannot pass: no threat is looked for".to_string());
    }
    if !form.is_brief {
        blocks.push(show::evaluation(position, form.network));
    }
    blocks.join("\n\n")
}

fn titled(title: &str, position: &Position, findings: &Findings) -> String {
    format!("{title}:\n\n{}", moves(position, findings))
}

/// Score, share of the nodes and line of each move.
fn moves(position: &Position, findings: &Findings) -> String {
    let rows = findings.lines.iter().map(|line| {
        let share = 100.0 * line.nodes as f64 / findings.nodes.max(1) as f64;
        let end = line.moves.len().min(SHOWN);
        format!(
            "{:>7} {share:>5.1} %  {}\n",
            score_text(line.score, position),
            numbered(position, &line.moves[..end]),
        )
    });
    let (depth, nodes) = (findings.depth, findings.nodes);
    let rows: String = rows.collect();
    format!("  score   nodes  line\n{rows}depth {depth}, {nodes} nodes")
}

/// All of it for a program. Scores are for the side to move.
pub fn object(explanation: &Explanation, form: Form) -> Object {
    let position = &explanation.position;
    let mut object = Object::new("explanation")
        .text("variant", position.rules().name)
        .text("fen", &position.to_string())
        .texts("summary", &explanation.sentences);
    if let Some(outcome) = explanation.outcome {
        object = object.text("outcome", &outcome.to_string());
    } else {
        object = object.raw("best", &found(position, &explanation.best, form.chess960));
    }
    if let Some((passed, threat)) = &explanation.threat {
        object = object.raw("threat", &found(passed, threat, form.chess960));
    }
    if let Some(judged) = &explanation.judged {
        object = object.raw("judged", &found(position, judged, form.chess960));
    }
    if !form.is_brief {
        let evaluation = show::evaluation_object(position, form.network);
        object = object.raw("evaluation", &evaluation.end());
    }
    object
}

fn found(position: &Position, findings: &Findings, chess960: bool) -> String {
    let lines = findings.lines.iter();
    let lines = lines.map(|line| line_object(position, line, chess960));
    let lines = lines.collect::<Vec<_>>().join(",");
    Object::new("search")
        .value("depth", findings.depth)
        .value("nodes", findings.nodes)
        .raw("lines", &format!("[{lines}]"))
        .end()
}

fn line_object(position: &Position, line: &Line, chess960: bool) -> String {
    let first = line.moves.first().map(|&mv| position.uci(mv, chess960));
    let object = Object::new("line").text("move", &first.unwrap_or_default());
    let object = match line.score.mate_moves() {
        Some(moves) => object.value("mate", moves),
        None => object.value("cp", centipawns(line.score, position)),
    };
    let Wdl { win, draw, loss } = wdl(line.score, position);
    object
        .raw("wdl", &format!("[{win},{draw},{loss}]"))
        .value("nodes", line.nodes)
        .texts("san", &san_moves(position, &line.moves))
        .end()
}

fn side_name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}
