//! The manual page, in the language of man.

use std::fmt::Write as _;

use crate::uci::{COMMANDS, OPTIONS, VERSION};

use super::{Part, about, help, helps, parts};

/// The whole page. An empty date is none.
pub fn write(date: &str) -> String {
    let mut page = format!(
        ".TH TESSERA 6 \"{date}\" \"{VERSION}\" \"Games\"\n\
         .SH NAME\ntessera \\- play, analyse and study chess on boards of 4x5 to 8x8\n"
    );
    let overview = help();
    let mut overview = parts(&overview).into_iter();
    // The first sentence says no more than the name.
    overview.next();
    for part in overview {
        write_part(&mut page, &part, "SH");
    }
    page.push_str(".SH COMMANDS WITH A HELP OF THEIR OWN\n");
    for (name, text) in helps() {
        let _ = writeln!(page, ".SS tessera {}", escape(name));
        let _ = writeln!(page, "{}.", line(&capitalised(&about(name))));
        for part in parts(text) {
            write_part(&mut page, &part, "PP\n.B");
        }
    }
    page.push_str(".SH PROTOCOL\nCommands on standard input, or as arguments:\n");
    for doc in &COMMANDS {
        write_item(&mut page, doc.usage, doc.about);
    }
    page.push_str(".SH OPTIONS OF THE PROTOCOL\nFor setoption:\n");
    for row in &OPTIONS {
        let text = format!(
            "{}. {}.",
            capitalised(row.about),
            capitalised(&row.summary())
        );
        write_item(&mut page, row.name, &text);
    }
    page.push_str(
        ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nif set, no colours at a terminal\n\
         .SH EXIT STATUS\n0 if all went well, 1 if something failed, 2 if the command line makes no \
         sense.\n.SH BUGS\nReport them with what \\(oqtessera selfcheck\\(cq prints.\n",
    );
    page
}

fn write_part(page: &mut String, part: &Part, heading: &str) {
    let _ = match part {
        Part::Heading(text) => writeln!(page, ".{heading} {}", escape(text)),
        Part::Paragraph(text) => writeln!(page, ".PP\n{}", line(text)),
        Part::Item(term, text) => {
            write_item(page, term, text);
            Ok(())
        }
    };
}

fn write_item(page: &mut String, term: &str, text: &str) {
    let text = if text.is_empty() {
        "\\&".to_string()
    } else {
        line(text)
    };
    let _ = writeln!(page, ".TP\n.B {}\n{text}", escape(term));
}

/// No line of text is longer.
const WIDTH: usize = 78;

/// Text in lines. What looks like a request at the beginning of one must not be one.
fn line(text: &str) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in escape(text).split(' ') {
        let is_next = column > 0 && column + 1 + word.len() > WIDTH;
        let blank = match column {
            0 => "",
            _ if is_next => "\n",
            _ => " ",
        };
        let is_first = column == 0 || is_next;
        let guard = if is_first && word.starts_with(['.', '\'']) {
            "\\&"
        } else {
            ""
        };
        column = if is_first {
            word.len()
        } else {
            column + 1 + word.len()
        };
        lines = format!("{lines}{blank}{guard}{word}");
    }
    lines
}

/// What has a meaning of its own, or is not in every character set, by name.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '\\' => escaped.push_str("\\e"),
            '-' => escaped.push_str("\\-"),
            '"' => escaped.push_str("\\(dq"),
            '\'' => escaped.push_str("\\(aq"),
            '`' => escaped.push_str("\\(ga"),
            '^' => escaped.push_str("\\(ha"),
            '~' => escaped.push_str("\\(ti"),
            letter if letter.is_ascii() => escaped.push(letter),
            letter => {
                let _ = write!(escaped, "\\[u{:04X}]", u32::from(letter));
            }
        }
    }
    escaped
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_taken_for_a_request() {
        assert_eq!(line(".x"), "\\&.x");
        assert_eq!(line("'x'"), "\\(aqx\\(aq");
        let long = format!("{} .x", "x".repeat(WIDTH));
        assert_eq!(line(&long), format!("{}\n\\&.x", "x".repeat(WIDTH)));
        assert_eq!(escape("a\\n --b …"), "a\\en \\-\\-b \\[u2026]");
        let page = write("");
        let requests = [".TH", ".SH", ".SS", ".PP", ".TP", ".B"];
        for line in page.lines().filter(|line| line.starts_with(['.', '\''])) {
            let request = line.split(' ').next().unwrap_or_default();
            assert!(requests.contains(&request), "{line}");
        }
        assert!(page.is_ascii());
    }
}
