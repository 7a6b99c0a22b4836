//! What has been found so far, in a file, so that an analysis can be interrupted anywhere.
//!
//! A line is a checksum and what it is of. The first line says how the analysis is made, every
//! other one has the findings of a stretch of positions. Whatever follows a line that is not whole
//! is dropped. The findings stay in the file: memory holds only where they are.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use parking_lot::Mutex;

use crate::board::Position;
use crate::types::{Move, Score, crc32};

use super::{Finding, Line, Stretch};

/// A line that is longer, in bytes, is not one of ours.
const LONGEST: u64 = 16 << 20;

/// The findings of an analysis that is under way.
pub struct Journal {
    path: PathBuf,
    /// Where lines are added, and found again.
    file: Mutex<File>,
    /// Where the findings of a stretch begin, and their length.
    places: HashMap<Stretch, (u64, usize)>,
}

impl Journal {
    /// Begins a journal, or goes on with the one that is there. `plan` says all that findings
    /// depend on.
    ///
    /// # Errors
    /// The file cannot be read or written, is of another analysis, or is there although it
    /// should not be.
    pub fn open(path: &Path, plan: &str, is_resumed: bool) -> Result<Journal, String> {
        let name = path.display();
        let fail = |error: io::Error| format!("{name}: {error}");
        if !is_resumed && path.exists() {
            return Err(format!(
                "{name} is of an analysis that was interrupted: go on with --resume, or remove it"
            ));
        }
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(fail)?;
        let mut input = BufReader::new(&file);
        let mut places = HashMap::new();
        let mut end = 0;
        while let Some((line, length)) = whole_line(&mut input).map_err(fail)? {
            if end == 0 && line != plan {
                return Err(format!(
                    "{name} is of another analysis:\n    {line}\nnot\n    {plan}\n\
                     Give the same options, or remove it"
                ));
            }
            if end > 0
                && let Some((stretch, _)) = Stretch::read(&line)
            {
                places.insert(stretch, (end, length));
            }
            end += length as u64;
        }
        if end == 0 && !is_begun(&file, plan).map_err(fail)? {
            return Err(format!("{name} is not the journal of an analysis"));
        }
        file.set_len(end).map_err(fail)?;
        file.seek(SeekFrom::End(0)).map_err(fail)?;
        if end == 0 {
            file.write_all(sealed(plan).as_bytes()).map_err(fail)?;
        }
        Ok(Journal {
            path: path.to_path_buf(),
            file: Mutex::new(file),
            places,
        })
    }

    /// Adds the findings of a stretch. All of the line is written at once.
    pub fn add(&self, stretch: Stretch, findings: &[Finding]) -> Result<(), String> {
        let line = sealed(&format!("{} {}", stretch.text(), text(findings)));
        let written = self.file.lock().write_all(line.as_bytes());
        written.map_err(|error| format!("{}: {error}", self.path.display()))
    }

    /// What was found in a stretch of these positions, if it is here.
    pub fn find(&self, stretch: Stretch, positions: &[Position]) -> Option<Vec<Finding>> {
        let &(start, length) = self.places.get(&stretch)?;
        let mut bytes = vec![0; length];
        let mut file = self.file.lock();
        let read = file
            .seek(SeekFrom::Start(start))
            .and_then(|_| file.read_exact(&mut bytes));
        // Lines are added at the end again, come what may.
        let back = file.seek(SeekFrom::End(0));
        drop(file);
        (read.is_ok() && back.is_ok()).then_some(())?;
        let line = opened(&bytes)?;
        let (_, findings) = Stretch::read(&line)?;
        read_findings(findings, positions)
    }

    /// Removes the journal: all is done.
    pub fn remove(self) -> Result<(), String> {
        let removed = std::fs::remove_file(&self.path);
        removed.map_err(|error| format!("{}: {error}", self.path.display()))
    }
}

impl Stretch {
    fn text(self) -> String {
        format!("{} {} {:08x}", self.unit, self.part, self.checksum)
    }

    /// A stretch, and the text of its findings.
    fn read(line: &str) -> Option<(Stretch, &str)> {
        let mut words = line.splitn(4, ' ');
        let stretch = Stretch {
            unit: words.next()?.parse().ok()?,
            part: words.next()?.parse().ok()?,
            checksum: u32::from_str_radix(words.next()?, 16).ok()?,
        };
        Some((stretch, words.next()?))
    }
}

/// Whether a file without a whole line is the beginning of a journal, if it is anything.
fn is_begun(file: &File, plan: &str) -> io::Result<bool> {
    let head = sealed(plan);
    let mut start = Vec::new();
    let mut file = file;
    file.seek(SeekFrom::Start(0))?;
    file.take(head.len() as u64 + 1).read_to_end(&mut start)?;
    Ok(head.as_bytes().starts_with(&start))
}

/// A line with its checksum.
fn sealed(text: &str) -> String {
    format!("{:08x} {text}\n", crc32(text.as_bytes()))
}

/// What a line says, if it is whole.
fn opened(bytes: &[u8]) -> Option<String> {
    let line = std::str::from_utf8(bytes).ok()?.strip_suffix('\n')?;
    let (sum, text) = line.split_once(' ')?;
    let sum = u32::from_str_radix(sum, 16).ok()?;
    (sum == crc32(text.as_bytes())).then(|| text.to_string())
}

/// The next line and its length in the file, `None` where the whole ones end.
fn whole_line(input: &mut impl BufRead) -> io::Result<Option<(String, usize)>> {
    let mut bytes = Vec::new();
    input.take(LONGEST).read_until(b'\n', &mut bytes)?;
    Ok(opened(&bytes).map(|line| (line, bytes.len())))
}

/// Findings as text: one position after the other, each with its lines.
fn text(findings: &[Finding]) -> String {
    let texts = findings.iter().map(|finding| {
        let mut text = format!(
            "{} {} {}",
            finding.score.value(),
            finding.depth,
            finding.nodes
        );
        if let Some((nodes, time)) = finding.solved {
            let _ = write!(text, " {nodes} {}", time.as_micros());
        }
        for line in &finding.lines {
            let _ = write!(text, ",{}", line.score.value());
            for mv in &line.moves {
                let _ = write!(text, " {mv}");
            }
        }
        text
    });
    texts.collect::<Vec<_>>().join("|")
}

/// The findings of a text, if they fit the positions.
fn read_findings(text: &str, positions: &[Position]) -> Option<Vec<Finding>> {
    let texts: Vec<&str> = text.split('|').collect();
    if texts.len() != positions.len() {
        return None;
    }
    let findings = texts.iter().zip(positions);
    findings
        .map(|(text, position)| read_finding(text, position))
        .collect()
}

fn read_finding(text: &str, position: &Position) -> Option<Finding> {
    let mut parts = text.split(',');
    let mut words = parts.next()?.split(' ');
    let (score, depth, nodes) = (words.next()?, words.next()?, words.next()?);
    let solved = match (words.next(), words.next()) {
        (Some(nodes), Some(time)) => {
            let time = Duration::from_micros(time.parse().ok()?);
            Some((nodes.parse().ok()?, time))
        }
        _ => None,
    };
    let read_line = |text: &str| {
        let mut words = text.split(' ');
        let score = read_score(words.next()?)?;
        let mut position = *position;
        let moves = words.map(|word| {
            let mv = position.parse_uci(word).ok()?;
            position = position.play(mv);
            Some(mv)
        });
        let moves = moves.collect::<Option<Vec<Move>>>()?;
        (!moves.is_empty()).then_some(Line { score, moves })
    };
    Some(Finding {
        score: read_score(score)?,
        depth: depth.parse().ok()?,
        nodes: nodes.parse().ok()?,
        lines: parts.map(read_line).collect::<Option<_>>()?,
        solved,
    })
}

fn read_score(text: &str) -> Option<Score> {
    let value: i16 = text.parse().ok()?;
    Score::from_bits(value as u16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::CHESS;
    use std::fs;

    const STRETCH: Stretch = Stretch {
        unit: 7,
        part: 1,
        checksum: 0xABC,
    };

    fn finding(position: &Position, sans: &[&str]) -> Finding {
        let mut after = *position;
        let mut moves = Vec::new();
        for san in sans {
            let mv = after.parse_san(san).expect("a legal move");
            after = after.play(mv);
            moves.push(mv);
        }
        let score = Score::mated(4);
        Finding {
            score,
            depth: 9,
            nodes: 1234,
            lines: vec![Line { score, moves }],
            solved: Some((77, Duration::from_micros(5))),
        }
    }

    #[test]
    fn findings_come_back_wherever_the_file_was_cut() {
        let folder = std::env::temp_dir();
        let path = folder.join(format!("tessera-journal-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        let start = Position::start(&CHESS);
        let over = Finding {
            score: Score::DRAW,
            depth: 0,
            nodes: 0,
            lines: Vec::new(),
            solved: None,
        };
        let findings = vec![finding(&start, &["e4", "e5"]), over];
        let journal = Journal::open(&path, "plan", false).expect("a new file");
        journal.add(STRETCH, &findings).expect("room");
        drop(journal);
        let bytes = fs::read(&path).expect("readable");
        for length in 0..=bytes.len() {
            fs::write(&path, &bytes[..length]).expect("writable");
            let journal = Journal::open(&path, "plan", true).expect("whatever is there");
            let found = journal.find(STRETCH, &[start, start]);
            assert_eq!(found.as_ref(), (length == bytes.len()).then_some(&findings));
            if found.is_none() {
                journal.add(STRETCH, &findings).expect("room");
            }
            drop(journal);
            assert_eq!(fs::read(&path).expect("readable"), bytes, "cut at {length}");
        }
        assert!(Journal::open(&path, "plan", false).is_err());
        assert!(Journal::open(&path, "another", true).is_err());
        let journal = Journal::open(&path, "plan", true).expect("sound");
        assert_eq!(journal.find(STRETCH, &[start]), None, "other positions");
        journal.remove().expect("removable");
        fs::write(&path, "1. e4 e5 *").expect("writable");
        assert!(
            Journal::open(&path, "plan", true).is_err(),
            "somebody else's file"
        );
        assert_eq!(fs::read(&path).expect("readable"), b"1. e4 e5 *");
        fs::remove_file(&path).expect("removable");
        assert!(!path.exists());
    }
}
