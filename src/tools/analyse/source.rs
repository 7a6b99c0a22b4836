//! What is to be analysed: games and rows from files, one after the other.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::board::{CHESS, Game, Position, Rules};
use crate::tools::epd::Row;
use crate::tools::lines::Lines;
use crate::tools::pgn::Record;
use crate::tools::pgn::read::Reader;
use crate::types::{Crc32, Move};

/// The name of a file that stands for standard input.
pub const STANDARD_INPUT: &str = "-";
/// So much of a file is looked at, in bytes, to see what it holds.
const PEEK: u64 = 1 << 20;

/// What a file holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Games,
    Rows,
}

/// What is analysed as a whole.
#[derive(Clone, Debug)]
pub enum Subject {
    Game(Record),
    Row(Row),
}

/// A game or a row, and where it comes from.
#[derive(Clone, Debug)]
pub struct Unit {
    pub subject: Subject,
    /// Counted from 1 over all files, without those that could not be read.
    pub number: usize,
    pub file: String,
    /// The line that it begins in, counted from 1.
    pub line: usize,
    /// How much of all files has been read with it, in bytes.
    pub bytes: u64,
}

impl Unit {
    /// The first position.
    pub fn start(&self) -> Position {
        match &self.subject {
            Subject::Game(record) => record.start,
            Subject::Row(row) => row.position,
        }
    }

    /// The moves from there on.
    pub fn moves(&self) -> Vec<Move> {
        match &self.subject {
            Subject::Game(record) => record.moves.iter().map(|played| played.mv).collect(),
            Subject::Row(_) => Vec::new(),
        }
    }

    /// The position before each move, and after the last one.
    pub fn positions(&self) -> Vec<Position> {
        let mut positions = vec![self.start()];
        for mv in self.moves() {
            positions.push(positions[positions.len() - 1].play(mv));
        }
        positions
    }

    /// The games up to some of these positions.
    pub fn games(&self, range: Range<usize>) -> Vec<Game> {
        let mut game = Game::new(self.start());
        let moves = self.moves();
        let mut games = Vec::with_capacity(range.len());
        for index in 0..range.end {
            if index >= range.start {
                games.push(game.clone());
            }
            if let Some(&mv) = moves.get(index) {
                game.play(mv);
            }
        }
        games
    }

    /// A number that tells this game from others.
    pub fn checksum(&self) -> u32 {
        let mut sum = Crc32::new();
        sum.add(self.start().rules().name.as_bytes());
        sum.add(self.start().fen().as_bytes());
        for mv in self.moves() {
            sum.add(&mv.bits().to_le_bytes());
        }
        if let Subject::Row(row) = &self.subject {
            for code in ["bm", "am"] {
                sum.add(row.operand(code).unwrap_or_default().as_bytes());
                sum.add(b";");
            }
        }
        sum.finish()
    }
}

/// The size of all files together, unless one of them has none.
pub fn size(files: &[PathBuf]) -> Option<u64> {
    let size = |file: &PathBuf| match fs::metadata(file) {
        Ok(metadata) if metadata.is_file() => Some(metadata.len()),
        _ => None,
    };
    files.iter().map(size).sum()
}

/// All files, read as far as they are asked for.
pub struct Source<'a> {
    files: std::slice::Iter<'a, PathBuf>,
    /// The game where neither a tag nor the name of a file says it.
    rules: Option<&'static Rules>,
    open: Option<Open>,
    units: usize,
    /// Bytes of the files before the one that is open.
    bytes: u64,
}

/// A file that is being read.
struct Open {
    name: String,
    items: Items,
}

type Input = Box<dyn BufRead + Send>;

enum Items {
    Games(Reader<Input>),
    Rows(Lines<Input>, &'static Rules),
}

impl<'a> Source<'a> {
    pub fn new(files: &'a [PathBuf], rules: Option<&'static Rules>) -> Source<'a> {
        Source {
            files: files.iter(),
            rules,
            open: None,
            units: 0,
            bytes: 0,
        }
    }

    fn open(&self, path: &Path) -> Result<Open, String> {
        let name = path.display().to_string();
        let fail = |error: io::Error| format!("{name}: {error}");
        let input: Box<dyn Read + Send> = if path.as_os_str() == STANDARD_INPUT {
            Box::new(io::stdin())
        } else {
            Box::new(File::open(path).map_err(fail)?)
        };
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        let rules = self.rules.or_else(|| stem.and_then(Rules::named));
        let rules = rules.unwrap_or(&CHESS);
        let (kind, input) = peek(BufReader::new(input)).map_err(fail)?;
        let items = match kind {
            Kind::Games => Items::Games(Reader::new(input, rules)),
            Kind::Rows => Items::Rows(Lines::new(input), rules),
        };
        Ok(Open { name, items })
    }
}

impl Iterator for Source<'_> {
    /// Or what is wrong, with file and line.
    type Item = Result<Unit, String>;

    fn next(&mut self) -> Option<Result<Unit, String>> {
        loop {
            let Some(open) = &mut self.open else {
                let file = self.files.next()?;
                match self.open(file) {
                    Ok(open) => self.open = Some(open),
                    Err(error) => return Some(Err(error)),
                }
                continue;
            };
            let (item, bytes) = open.items.read();
            let name = &open.name;
            match item {
                Some(Ok((subject, line))) => {
                    self.units += 1;
                    return Some(Ok(Unit {
                        subject,
                        number: self.units,
                        file: name.clone(),
                        line,
                        bytes: self.bytes + bytes,
                    }));
                }
                Some(Err((line, reason))) => return Some(Err(format!("{name}:{line}: {reason}"))),
                None => {
                    self.bytes += bytes;
                    self.open = None;
                }
            }
        }
    }
}

/// Something with the line it begins in, or a line and what is wrong there.
type Item = Result<(Subject, usize), (usize, String)>;

impl Items {
    /// The next one, and how much of the file has been read.
    fn read(&mut self) -> (Option<Item>, u64) {
        match self {
            Items::Games(games) => {
                let game = games.next().map(|game| match game {
                    Ok(found) => Ok((Subject::Game(found.record), found.line)),
                    Err(flaw) => Err((flaw.line, flaw.reason)),
                });
                (game, games.bytes())
            }
            Items::Rows(lines, rules) => (read_row(lines, rules), lines.bytes()),
        }
    }
}

fn read_row(lines: &mut Lines<Input>, rules: &'static Rules) -> Option<Item> {
    loop {
        match lines.read() {
            Ok(Some(line)) if !is_meaningful(&line) => {}
            Ok(Some(line)) => {
                let number = lines.number();
                let row = Row::parse(rules, &line).map_err(|reason| (number, reason));
                return Some(row.map(|row| (Subject::Row(row), number)));
            }
            Ok(None) => return None,
            Err(error) => return Some(Err((lines.number() + 1, error.to_string()))),
        }
    }
}

fn is_meaningful(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with(['#', '%'])
}

/// Finds out what a file holds by the first line that says something, and gives all of it back.
fn peek(mut input: impl BufRead + Send + 'static) -> io::Result<(Kind, Input)> {
    let mut seen = Vec::new();
    let mut kind = Kind::Games;
    while (seen.len() as u64) < PEEK {
        let start = seen.len();
        if input.by_ref().take(PEEK).read_until(b'\n', &mut seen)? == 0 {
            break;
        }
        let line = String::from_utf8_lossy(&seen[start..]);
        let line = line.trim_start_matches('\u{feff}');
        if is_meaningful(line) {
            kind = kind_of(line);
            break;
        }
    }
    Ok((kind, Box::new(Cursor::new(seen).chain(input))))
}

/// A row begins with the ranks of a board.
fn kind_of(line: &str) -> Kind {
    let first = line.split_whitespace().next().unwrap_or_default();
    if first.contains('/') && !first.starts_with("1/2") && !first.starts_with('[') {
        Kind::Rows
    } else {
        Kind::Games
    }
}
