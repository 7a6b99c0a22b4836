//! The reference tables of the protocol are those of the program.
//!
//! `UPDATE_DOCS=1 cargo test --test reference` writes them anew.

use std::fmt::Write;
use std::{env, fs};

use tessera::uci::{COMMANDS, OPTIONS};

/// A cell must not end its row.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn commands() -> String {
    let mut table = String::from("| command | what it does |\n| --- | --- |\n");
    for doc in &COMMANDS {
        // In a code span a bar cannot be escaped, but the HTML tag can hold it.
        let usage = format!("<code>{}</code>", doc.usage.replace('|', "&#124;"));
        writeln!(table, "| {usage} | {} |", cell(doc.about)).expect("a string");
    }
    table
}

fn options() -> String {
    let mut table = String::from("| option | values | what it does |\n| --- | --- | --- |\n");
    for row in &OPTIONS {
        let (values, about) = (cell(&row.summary()), cell(row.about));
        writeln!(table, "| `{}` | {values} | {about} |", row.name).expect("a string");
    }
    table
}

#[test]
fn the_reference_tables_are_those_of_the_program() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/protocol.md");
    let text = fs::read_to_string(path).expect("a document");
    let mut wanted = text.clone();
    for (name, table) in [("commands", commands()), ("options", options())] {
        let (begin, end) = (
            format!("<!-- {name} -->\n"),
            format!("<!-- end of {name} -->"),
        );
        let from = wanted.find(&begin).expect("where it begins") + begin.len();
        let to = from + wanted[from..].find(&end).expect("where it ends");
        wanted.replace_range(from..to, &format!("\n{table}\n"));
    }
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(path, &wanted).expect("a writable document");
    } else {
        assert!(
            text == wanted,
            "run UPDATE_DOCS=1 cargo test --test reference"
        );
    }
}

/// Every setting is documented in words that fit its row.
#[test]
fn every_row_says_what_it_is_for() {
    for doc in &COMMANDS {
        assert!(
            !doc.about.is_empty() && !doc.about.ends_with('.'),
            "{}",
            doc.name
        );
    }
    for row in &OPTIONS {
        assert!(
            !row.about.is_empty() && !row.about.ends_with('.'),
            "{}",
            row.name
        );
    }
}
