//! Positions, evaluations and lists as text and as JSON.

use crate::board::{Position, Rules};
use crate::eval::{self, Terms};
use crate::types::{Color, Piece, Square};

use super::command::{COMMANDS, Doc};
use super::json::Object;
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

/// The evaluation term by term, in pawns.
pub fn evaluation(position: &Position) -> String {
    let pawns = |value: i32| format!("{:.2}", f64::from(value) / 100.0);
    let [white, black] = Color::ALL.map(|color| eval::terms(position, color));
    let row = |name: &str, white: i32, black: i32| {
        let (white, black, total) = (pawns(white), pawns(black), pawns(white - black));
        format!("{name:<10} {white:>8} {black:>8} {total:>8}\n")
    };
    let mut text = format!(
        "{:<10} {:>8} {:>8} {:>8}\n",
        "term", "white", "black", "total"
    );
    for ((name, white), (_, black)) in white.named().zip(black.named()) {
        text += &row(name, white, black);
    }
    text += &row("total", white.total(), black.total());
    let score = eval::evaluate(position).value();
    let side = side_name(position.side());
    format!("{text}\n{side} to move: {:+.2}", f64::from(score) / 100.0)
}

pub fn evaluation_object(position: &Position) -> Object {
    let [white, black] = Color::ALL.map(|color| terms_json(&eval::terms(position, color)));
    Object::new("eval")
        .text("side", side_name(position.side()))
        .value("cp", eval::evaluate(position).value())
        .raw("white", &white)
        .raw("black", &black)
}

fn terms_json(terms: &Terms) -> String {
    let fields = terms
        .named()
        .map(|(name, value)| format!("\"{name}\":{value}"));
    format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
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
    let options: String = options.collect();
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
