//! The words of portable notation: what a piece of text is, whatever game it belongs to.

use super::Ending;

/// Whether a line begins with a tag: `[Name "value"]`.
pub fn is_tag(line: &str) -> bool {
    let Some(rest) = line.trim_start().strip_prefix('[') else {
        return false;
    };
    let rest = rest.trim_start();
    let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
    let value = rest.trim_start_matches(is_name);
    value.len() < rest.len() && value.trim_start().starts_with('"')
}

/// The first tag of a line: its name, what it says, and what follows it. A quotation mark that
/// should have been escaped is taken for what it is.
pub fn split_tag(line: &str) -> Option<(&str, String, &str)> {
    let rest = line.trim_start().strip_prefix('[')?;
    let (name, rest) = rest.split_once('"')?;
    let (mut value, mut is_escaped) = (String::new(), false);
    for (index, letter) in rest.char_indices() {
        let after = rest[index + letter.len_utf8()..].trim_start();
        match letter {
            '\\' if !is_escaped => {
                is_escaped = true;
                continue;
            }
            '"' if !is_escaped && let Some(after) = after.strip_prefix(']') => {
                return Some((name.trim(), value, after));
            }
            '"' | '\\' => {}
            _ if is_escaped => value.push('\\'),
            _ => {}
        }
        value.push(letter);
        is_escaped = false;
    }
    None
}

/// Whether a letter that is not the first of a word belongs to the next one.
pub fn is_end_of_word(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '{' | '}' | '(' | ')' | ';' | '$' | '*')
}

/// The word that ends a game.
pub fn result(word: &str) -> Option<Ending> {
    Some(match word {
        "1-0" => Ending::WhiteWins,
        "0-1" => Ending::BlackWins,
        "1/2-1/2" | "1/2" | "½-½" => Ending::Draw,
        "*" => Ending::Open,
        _ => return None,
    })
}

/// A word without the number of a move before it: `12.`, `12...`, `12`, or just dots.
pub fn without_number(word: &str) -> &str {
    let dots = ['.', '…'];
    let after = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if after.is_empty() || after.starts_with(dots) {
        after.trim_start_matches(dots)
    } else {
        word
    }
}

/// A word without the mark at its end, and the number of that.
pub fn without_mark(word: &str) -> (&str, Option<u8>) {
    let bare = word.trim_end_matches(['!', '?']);
    let glyph = match &word[bare.len()..] {
        "!" => Some(1),
        "?" => Some(2),
        "!!" => Some(3),
        "??" => Some(4),
        "!?" => Some(5),
        "?!" => Some(6),
        _ => None,
    };
    (bare, glyph)
}

/// Words that say nothing about what is played: signs like `+-` and the mark of en passant. A
/// null move does.
pub fn is_noise(word: &str) -> bool {
    let is_sign = |letter: char| "+-=/#~∞±∓⩲⩱□".contains(letter);
    (word != "--" && word.chars().all(is_sign)) || matches!(word, "e.p." | "e.p" | "ep")
}

/// The beginning of a text, for a message.
pub fn clip(text: &str) -> String {
    text.chars().take(40).collect()
}
