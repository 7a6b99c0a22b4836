//! Positions, evaluations and lists as text and as JSON.

use crate::board::{Position, Rules};
use crate::eval::network::Network;
use crate::eval::{self, Row, Terms, Wdl, centipawns, wdl};
use crate::search::params;
use crate::types::json::Object;
use crate::types::{Color, Piece, Score, Square};

use super::command::{COMMANDS, Doc};
use super::options::OPTIONS;
use super::output::one_line;
use super::state::State;

pub const VERSION: &str = concat!("Tessera ", env!("CARGO_PKG_VERSION"));

/// The board in a few lines, for people who see it after every move.
pub fn small_board(position: &Position) -> String {
    let rules = position.rules();
    let letter = |square| position.piece_at(square).map_or('.', Piece::letter);
    let mut rows = Vec::new();
    for rank in (0..rules.ranks).rev() {
        let men = (0..rules.files).map(|file| format!(" {}", letter(Square::at(file, rank))));
        rows.push(format!("  {} {}", rank + 1, men.collect::<String>()));
    }
    let files = (0..rules.files).map(|file| format!(" {}", Square::at(file, 0).file_letter()));
    let (rows, files) = (rows.join("\n"), files.collect::<String>());
    format!("{rows}\n    {files}\n\n{position}")
}

/// The board with its FEN, key and checkers.
pub fn board(position: &Position) -> String {
    let rules = position.rules();
    let line = format!(" +{}", "---+".repeat(usize::from(rules.files)));
    let mut rows = vec![line.clone()];
    for rank in (0..rules.ranks).rev() {
        let letters = (0..rules.files).map(|file| {
            let piece = position.piece_at(Square::at(file, rank));
            piece.map_or(' ', Piece::letter).to_string()
        });
        let letters = letters.collect::<Vec<_>>().join(" | ");
        rows.push(format!(" | {letters} | {}", rank + 1));
        rows.push(line.clone());
    }
    let files = (0..rules.files).map(|file| Square::at(file, 0).file_letter().to_string());
    rows.push(format!("   {}", files.collect::<Vec<_>>().join("   ")));
    let (rows, key) = (rows.join("\n"), position.key());
    let checkers = checkers(position).join(" ");
    format!("{rows}\n\nFen: {position}\nKey: {key:016X}\nCheckers: {checkers}")
}

pub fn board_object(position: &Position) -> Object {
    Object::new("board")
        .text("variant", position.rules().name)
        .text("fen", &position.to_string())
        .text("key", &format!("{:016X}", position.key()))
        .texts("checkers", &checkers(position))
}

fn checkers(position: &Position) -> Vec<String> {
    let squares = position.checkers().squares();
    squares.map(|square| square.to_string()).collect()
}

/// The evaluation term by term, in pawns: for each side at the phase of the position, then
/// White's less Black's there, in the middlegame and in the endgame.
///
/// With a network that comes first: the board with what each man contributes, and the verdict.
pub fn evaluation(position: &Position, network: Option<&Network>) -> String {
    let linear = linear_evaluation(position);
    let side = side_name(position.side());
    match network {
        None => linear,
        Some(network) => {
            let score = network.evaluate(position);
            let Wdl { win, draw, loss } = wdl(score, position);
            let score = f64::from(centipawns(score, position)) / 100.0;
            format!(
                "{}\nnetwork, {side} to move: {score:+.2}, {win} wins, {draw} draws and {loss} \
                 losses of 1000\n\nlinear evaluation, for comparison, in units of its own:\n\n{linear}",
                contributions(position, network)
            )
        }
    }
}

/// The board with what the network would miss without each man, in pawns for White.
fn contributions(position: &Position, network: &Network) -> String {
    let values = network.contributions(position);
    let cell = |square: Square| {
        let value = values.iter().find(|(place, _)| *place == square);
        let value = value.map(|&(_, value)| Score::centipawns(value));
        let value = value.map(|value| f64::from(centipawns(value, position)) / 100.0);
        let letter = position.piece_at(square).map_or(' ', Piece::letter);
        let value = value.map_or(String::new(), |value| format!("{value:+.2}"));
        (format!("   {letter}   "), format!("{value:^7}"))
    };
    let rules = position.rules();
    let line = format!(" +{}", "-------+".repeat(usize::from(rules.files)));
    let mut rows = vec![line.clone()];
    for rank in (0..rules.ranks).rev() {
        let cells = (0..rules.files).map(|file| cell(Square::at(file, rank)));
        let (men, values): (Vec<_>, Vec<_>) = cells.unzip();
        rows.push(format!(" |{}| {}", men.join("|"), rank + 1));
        rows.push(format!(" |{}|", values.join("|")));
        rows.push(line.clone());
    }
    let files = (0..rules.files).map(|file| Square::at(file, 0).file_letter().to_string());
    rows.push(format!(
        "     {}",
        files.collect::<Vec<_>>().join("       ")
    ));
    rows.join("\n") + "\n"
}

fn linear_evaluation(position: &Position) -> String {
    let pawns = |value: i32| format!("{:.2}", f64::from(value) / 100.0);
    let row = |name: &str, cells: [String; 5]| {
        let cells = cells.map(|cell| format!(" {cell:>8}")).concat();
        format!("{name:<10}{cells}").trim_end().to_owned() + "\n"
    };
    let last = |name: &str, value: i32| {
        let [a, b, c, d] = Default::default();
        row(name, [a, b, pawns(value), c, d])
    };
    let heads = ["white", "black", "total", "opening", "ending"];
    let mut text = row("term", heads.map(str::to_owned));
    let terms = Terms::of(position);
    for Row {
        name,
        parts: [white_parts, black_parts],
        values: [white, black],
    } in terms.rows()
    {
        let cells = [
            white,
            black,
            white - black,
            white_parts.0 - black_parts.0,
            white_parts.1 - black_parts.1,
        ];
        text += &row(name, cells.map(pawns));
    }
    text += &last("sum", terms.sum());
    text += &last("scaling", terms.scaled - terms.sum());
    text += &last("tempo", terms.tempo);
    text += &last("total", terms.total());
    let (phase, full) = (terms.phase, terms.full_phase);
    let score = eval::evaluate(position).value();
    let side = side_name(position.side());
    let score = format!("{side} to move: {:+.2}", f64::from(score) / 100.0);
    format!("{text}\nphase: {phase} of {full}\n{score}")
}

pub fn evaluation_object(position: &Position, network: Option<&Network>) -> Object {
    let terms = Terms::of(position);
    let [white, black] = [0, 1].map(|color| {
        let fields = terms
            .rows()
            .map(|row| format!("\"{}\":{}", row.name, row.values[color]));
        format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
    });
    let mut object = Object::new("eval").text("side", side_name(position.side()));
    if let Some(network) = network {
        let score = network.evaluate(position);
        let men = network.contributions(position).into_iter();
        let men = men.map(|(square, value)| {
            let value = centipawns(Score::centipawns(value), position);
            format!("\"{square}\":{value}")
        });
        let men = men.collect::<Vec<_>>().join(",");
        object = object
            .value("network", centipawns(score, position))
            .raw("men", &format!("{{{men}}}"));
    }
    object
        .value("cp", eval::evaluate(position).value())
        .raw("white", &white)
        .raw("black", &black)
        .value("sum", terms.sum())
        .value("scaled", terms.scaled)
        .value("tempo", terms.tempo)
        .value("phase", terms.phase)
        .value("full_phase", terms.full_phase)
}

fn side_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// The legal moves in both notations.
pub fn moves(position: &Position, chess960: bool) -> Vec<(String, String)> {
    let both = |&mv| (position.uci(mv, chess960), position.san(mv));
    position.legal_moves().iter().map(both).collect()
}

/// What `uci` answers.
pub fn introduction() -> String {
    let options = OPTIONS.iter().map(|row| row.declaration() + "\n");
    let numbers = params::tunable().iter().map(|param| {
        let (name, default, low, high) = (param.name, param.default, param.low, param.high);
        format!("option name {name} type spin default {default} min {low} max {high}\n")
    });
    let options: String = options.chain(numbers).collect();
    format!("id name {VERSION}\nid author the Tessera developers\n{options}uciok")
}

pub fn variant(rules: &Rules) -> String {
    format!(
        "variant {} files {} ranks {} pocket 0 template fairy startpos {}",
        rules.name, rules.files, rules.ranks, rules.start
    )
}

/// The options with their present values.
pub fn options(state: &State) -> String {
    let rows = OPTIONS.iter().map(|row| {
        let value = one_line(&row.get(state));
        format!(
            "{:<18} {value:<10} {} ({})",
            row.name,
            row.about,
            row.summary()
        )
    });
    rows.collect::<Vec<_>>().join("\n")
}

/// The list of commands, or the one asked for.
pub fn help(name: Option<&str>) -> Result<String, String> {
    let Some(name) = name else {
        let rows = COMMANDS.iter().map(|doc| {
            let usage = if doc.usage.len() > 24 {
                doc.name
            } else {
                doc.usage
            };
            format!("  {usage:<24} {}", doc.about)
        });
        let rows = rows.collect::<Vec<_>>().join("\n");
        return Ok(format!("{rows}\n\n'help COMMAND' says how to write one."));
    };
    let found = |doc: &&Doc| doc.name.eq_ignore_ascii_case(name);
    if let Some(doc) = COMMANDS.iter().find(found) {
        return Ok(format!("{}\n    {}", doc.usage, doc.about));
    }
    let option = super::options::Row::named(name);
    option
        .map(|row| format!("option {}: {}\n    {}", row.name, row.summary(), row.about))
        .ok_or_else(|| format!("no command or option {name:?}; 'help' lists the commands"))
}
