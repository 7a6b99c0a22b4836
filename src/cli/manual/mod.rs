//! `tessera man` and `tessera completions SHELL`: the manual page, and what shells need to complete
//! a command line. Both are made of the help texts, so that nothing has to be written twice.

mod completions;
mod page;

use lexopt::{Arg, Parser, ValueExt};

use super::{COMMANDS, Failure, help, print};

pub(super) const MAN_HELP: &str = "\
tessera man [--date DATE]

Writes the manual page: tessera man > tessera.6; man -l tessera.6

    --date DATE                 the day that it shall bear [default: none]
";

pub(super) const COMPLETIONS_HELP: &str = "\
tessera completions bash | zsh | fish

Writes what the shell needs to complete command lines of tessera:

    bash                        tessera completions bash > ~/.local/share/bash-completion/completions/tessera
    zsh                         tessera completions zsh > a folder of $fpath, as _tessera
    fish                        tessera completions fish > ~/.config/fish/completions/tessera.fish
";

pub(super) fn run_man(mut parser: Parser) -> Result<(), Failure> {
    let mut date = String::new();
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return print(MAN_HELP),
            Arg::Long("date") => date = parser.value()?.string()?,
            unknown => return Err(unknown.unexpected().into()),
        }
    }
    let is_date = |letter: char| letter.is_ascii_digit() || letter == '-';
    if !date.chars().all(is_date) {
        let message = format!("--date takes a date such as 2026-11-17, not '{date}'");
        return Err(Failure::Usage(message));
    }
    print(&page::write(&date))
}

pub(super) fn run_completions(mut parser: Parser) -> Result<(), Failure> {
    let shell = match parser.next()? {
        Some(Arg::Short('h') | Arg::Long("help")) => return print(COMPLETIONS_HELP),
        Some(Arg::Value(shell)) => shell.string()?,
        Some(unknown) => return Err(unknown.unexpected().into()),
        None => String::new(),
    };
    let text = match shell.as_str() {
        "bash" => completions::bash(),
        "zsh" => completions::zsh(),
        "fish" => completions::fish(),
        _ => {
            let message = "completions takes one of bash, zsh and fish";
            return Err(Failure::Usage(message.to_string()));
        }
    };
    print(&text)
}

/// A part of a help text.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    /// A word in capitals.
    Heading(String),
    /// Lines that belong together.
    Paragraph(String),
    /// A term and what it means.
    Item(String, String),
}

/// The column behind which nothing begins: what does goes on with the line before.
const INDENT: usize = 16;

/// Takes a help text apart.
fn parts(text: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut is_new = true;
    for line in text.lines() {
        let words = line.trim();
        let indent = line.len() - line.trim_start().len();
        let is_heading = indent == 0 && words.chars().any(char::is_alphabetic);
        let is_heading = is_heading && words.chars().all(|c| c.is_ascii_uppercase() || c == ' ');
        let item = words
            .split_once("  ")
            .map(|(term, text)| (term, text.trim()));
        let add = |all: &mut String| {
            let blank = if all.is_empty() { "" } else { " " };
            *all = format!("{all}{blank}{words}");
        };
        match (parts.last_mut(), item) {
            _ if words.is_empty() => {
                is_new = true;
                continue;
            }
            _ if is_heading => parts.push(Part::Heading(words.to_string())),
            (Some(Part::Item(_, text)), _) if indent >= INDENT && !is_new => add(text),
            (_, Some((term, text))) => {
                parts.push(Part::Item(term.to_string(), text.to_string()));
            }
            (Some(Part::Paragraph(text)), None) if indent == 0 && !is_new => add(text),
            (_, None) if indent == 0 => parts.push(Part::Paragraph(words.to_string())),
            // A term so long that its meaning is below.
            (_, None) => parts.push(Part::Item(words.to_string(), String::new())),
        }
        is_new = false;
    }
    parts
}

/// The help text of every command that has one of its own.
fn helps() -> impl Iterator<Item = (&'static str, &'static str)> {
    COMMANDS.iter().map(|(name, _, help)| (*name, *help))
}

/// What the overview says of a command.
fn about(name: &str) -> String {
    let beginning = format!("tessera {name}");
    let rows = parts(&help()).into_iter().filter_map(|part| match part {
        Part::Item(term, text) => Some((term, text)),
        _ => None,
    });
    let row = rows.into_iter().find(|(term, _)| {
        let rest = term.strip_prefix(&beginning);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    });
    row.map_or_else(String::new, |(_, text)| text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_texts_fall_into_parts() {
        let text = "Words of\nadvice.\n\nOPTIONS\n    --one N             the first\n\
                    \x20                       [default: 1]\n    'a term that is long'\n\
                    \x20                       and its meaning\n\nThe end.\n";
        let item = |term: &str, text: &str| Part::Item(term.to_string(), text.to_string());
        assert_eq!(
            parts(text),
            [
                Part::Paragraph("Words of advice.".to_string()),
                Part::Heading("OPTIONS".to_string()),
                item("--one N", "the first [default: 1]"),
                item("'a term that is long'", "and its meaning"),
                Part::Paragraph("The end.".to_string()),
            ]
        );
    }

    #[test]
    fn every_command_is_told_of_in_the_overview() {
        for (name, help) in helps() {
            assert!(!about(name).is_empty(), "{name}");
            assert!(!parts(help).is_empty(), "{name}");
        }
    }
}
