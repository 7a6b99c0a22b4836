//! The lines of a file that may be anything: of any size, in UTF-8 or not, with any kind of end.

use std::io::{self, BufRead, Read as _};

/// A line that is longer, in bytes, is read in parts.
const LONGEST: u64 = 1 << 20;
/// What starts a text that says it is UTF-8.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Lines with their numbers.
pub struct Lines<R> {
    input: R,
    /// What was given back.
    returned: Option<String>,
    number: usize,
    bytes: u64,
    /// Whether the last part of a line ended it.
    is_at_start: bool,
    /// It could not be read any further.
    has_failed: bool,
}

impl<R: BufRead> Lines<R> {
    pub fn new(input: R) -> Lines<R> {
        Lines {
            input,
            returned: None,
            number: 0,
            bytes: 0,
            is_at_start: true,
            has_failed: false,
        }
    }

    /// The number of the line that was read last, counted from 1.
    pub fn number(&self) -> usize {
        self.number
    }

    /// How much has been read.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Gives back the end of the line that was read last, to be read again.
    pub fn give_back(&mut self, rest: String) {
        self.returned = Some(rest);
    }

    /// The next line without its end: as UTF-8, or if it is not, as Latin-1. `None` after the
    /// last one, and after an error.
    pub fn read(&mut self) -> io::Result<Option<String>> {
        if let Some(rest) = self.returned.take() {
            return Ok(Some(rest));
        }
        let mut bytes = Vec::new();
        let mut part = self.input.by_ref().take(LONGEST);
        if self.has_failed {
            return Ok(None);
        }
        let length = part.read_until(b'\n', &mut bytes);
        let length = length.inspect_err(|_| self.has_failed = true)?;
        if length == 0 {
            return Ok(None);
        }
        let is_first = self.bytes == 0;
        self.bytes += length as u64;
        self.number += usize::from(self.is_at_start);
        self.is_at_start = bytes.ends_with(b"\n");
        let mut text = String::from_utf8(bytes).unwrap_or_else(|error| {
            let bytes = error.as_bytes().iter();
            bytes.map(|&byte| char::from(byte)).collect()
        });
        text.truncate(text.trim_end_matches(['\n', '\r']).len());
        if is_first && text.starts_with(BYTE_ORDER_MARK) {
            text.remove(0);
        }
        Ok(Some(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<(usize, String)> {
        let mut lines = Lines::new(bytes);
        let mut all = Vec::new();
        while let Some(line) = lines.read().expect("memory is readable") {
            all.push((lines.number(), line));
        }
        all
    }

    #[test]
    fn whatever_the_bytes_they_are_lines() {
        let expected = |texts: &[&str]| -> Vec<(usize, String)> {
            let texts = texts.iter().map(|text| (*text).to_string());
            (1..).zip(texts).collect()
        };
        assert_eq!(
            lines(b"\xEF\xBB\xBFa\r\nb\n\nc"),
            expected(&["a", "b", "", "c"])
        );
        assert_eq!(lines(b"M\xFCller\n\xC3\xBC"), expected(&["Müller", "ü"]));
        assert_eq!(lines(b""), []);
        let long = vec![b'x'; 3 << 19];
        let parts: Vec<(usize, usize)> = lines(&long)
            .iter()
            .map(|(n, text)| (*n, text.len()))
            .collect();
        assert_eq!(parts, [(1, 1 << 20), (1, 1 << 19)]);
    }
}
