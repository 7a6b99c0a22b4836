//! A file of games: a header, then blocks that are each checked by a sum of their own.
//!
//! ```text
//! header  "TESSGAME", version u16, game, origin, crc32 of all before
//! block   "BLCK", length u32, games u32, positions u32, crc32 of those and the content,
//!         content: games one after the other, as `record` writes them
//! ```
//!
//! Numbers are little-endian; the game and the origin are text with a length before it (u8
//! and u16). The origin says how the games were made. What is damaged is found by the sums,
//! told, and left out: a file that was cut off is good up to its last whole block, and after
//! a damaged block reading goes on with the next whole one.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::board::Rules;
use crate::types::crc32;

use super::record::Record;

const MAGIC: &[u8; 8] = b"TESSGAME";
const VERSION: u16 = 1;
const BLOCK: &[u8; 4] = b"BLCK";
/// Before the content of a block.
const BLOCK_HEADER: usize = 20;
/// A block is closed when it has this many bytes.
const BLOCK_BYTES: usize = 32 << 10;
/// No block is longer.
const MAX_BLOCK: usize = 1 << 24;

/// The content of a file that is sound.
pub struct Games {
    pub rules: &'static Rules,
    /// How the games were made.
    pub origin: String,
    bytes: Vec<u8>,
    blocks: Vec<Block>,
    /// Where the header ends.
    header: usize,
    /// Bytes that belong to no sound block.
    pub damaged: usize,
}

/// Where a sound block is.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// Its header.
    start: usize,
    end: usize,
    games: u32,
    positions: u32,
}

impl Games {
    /// Reads a file and finds its sound blocks.
    pub fn open(path: &Path) -> Result<Games, String> {
        let bytes = std::fs::read(path)
            .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        Games::from_bytes(bytes).map_err(|error| format!("{}: {error}", path.display()))
    }

    pub fn from_bytes(bytes: Vec<u8>) -> Result<Games, String> {
        let (rules, origin, header) = read_header(&bytes)?;
        let mut games = Games {
            rules,
            origin,
            blocks: Vec::new(),
            header,
            damaged: 0,
            bytes,
        };
        let mut at = header;
        while at < games.bytes.len() {
            if let Some(block) = read_block(&games.bytes, at) {
                at = block.end;
                games.blocks.push(block);
            } else {
                games.damaged += 1;
                at += 1;
            }
        }
        Ok(games)
    }

    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    pub fn games(&self) -> u64 {
        self.blocks.iter().map(|block| u64::from(block.games)).sum()
    }

    /// The positions worth learning from, as counted when they were written.
    pub fn positions(&self) -> u64 {
        self.blocks
            .iter()
            .map(|block| u64::from(block.positions))
            .sum()
    }

    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The games of one block.
    pub fn block(&self, index: usize) -> Result<Vec<Record>, String> {
        let block = self.blocks[index];
        let mut bytes = &self.bytes[block.start + BLOCK_HEADER..block.end];
        // What the block says of itself is believed when it has been read.
        let mut records = Vec::new();
        for _ in 0..block.games {
            records.push(Record::read(self.rules, &mut bytes)?);
        }
        if bytes.is_empty() {
            Ok(records)
        } else {
            Err("a block has more bytes than games".to_string())
        }
    }

    /// All sound blocks as they are, each with its numbers of games and positions.
    pub fn raw_blocks(&self) -> impl Iterator<Item = &[u8]> {
        self.blocks
            .iter()
            .map(|block| &self.bytes[block.start..block.end])
    }

    /// Where the sound blocks that follow the header without a gap end.
    fn sound_end(&self) -> (usize, u64, u64) {
        let (mut end, mut games, mut positions) = (self.header, 0, 0);
        for block in &self.blocks {
            if block.start != end {
                break;
            }
            end = block.end;
            games += u64::from(block.games);
            positions += u64::from(block.positions);
        }
        (end, games, positions)
    }
}

fn read_header(bytes: &[u8]) -> Result<(&'static Rules, String, usize), String> {
    let not_ours = || "not a file of Tessera's games".to_string();
    let cut_off = || "its header is cut off".to_string();
    let mut rest = bytes.strip_prefix(MAGIC).ok_or_else(not_ours)?;
    let version = rest.split_off(..2).ok_or_else(cut_off)?;
    let version = u16::from_le_bytes([version[0], version[1]]);
    if version != VERSION {
        return Err(format!("version {version} is unknown, {VERSION} is known"));
    }
    let length = rest.split_off_first().ok_or_else(cut_off)?;
    let name = rest.split_off(..usize::from(*length)).ok_or_else(cut_off)?;
    let length = rest.split_off(..2).ok_or_else(cut_off)?;
    let length = u16::from_le_bytes([length[0], length[1]]);
    let origin = rest.split_off(..usize::from(length)).ok_or_else(cut_off)?;
    let before = bytes.len() - rest.len();
    let sum = rest.split_off(..4).ok_or_else(cut_off)?;
    if sum != crc32(&bytes[..before]).to_le_bytes() {
        return Err("its header is damaged".to_string());
    }
    let name = String::from_utf8_lossy(name);
    let rules = Rules::named(&name).ok_or_else(|| format!("unknown game '{name}'"))?;
    let origin = String::from_utf8_lossy(origin).into_owned();
    Ok((rules, origin, before + 4))
}

fn header(rules: &Rules, origin: &str) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.push(rules.name.len() as u8);
    bytes.extend(rules.name.as_bytes());
    let mut length = origin.len().min(usize::from(u16::MAX));
    while !origin.is_char_boundary(length) {
        length -= 1;
    }
    bytes.extend((length as u16).to_le_bytes());
    bytes.extend(&origin.as_bytes()[..length]);
    bytes.extend(crc32(&bytes).to_le_bytes());
    bytes
}

/// The block that begins here, if it is sound.
fn read_block(bytes: &[u8], start: usize) -> Option<Block> {
    let mut rest = bytes[start..].strip_prefix(BLOCK)?;
    let mut number = || {
        let number = rest.split_off(..4)?;
        Some(u32::from_le_bytes(number.try_into().ok()?))
    };
    let (length, games, positions, sum) = (number()? as usize, number()?, number()?, number()?);
    // A game takes four bytes at least.
    if length > MAX_BLOCK || length > rest.len() || games as usize > length / 4 {
        return None;
    }
    let end = start + BLOCK_HEADER + length;
    (block_sum(&bytes[start..end]) == sum).then_some(Block {
        start,
        end,
        games,
        positions,
    })
}

/// The sum over a block but for the place of the sum itself.
fn block_sum(block: &[u8]) -> u32 {
    crc32(&block[..16]) ^ crc32(&block[BLOCK_HEADER..])
}

/// Writes a file of games.
pub struct Writer {
    file: File,
    path: PathBuf,
    content: Vec<u8>,
    games: u32,
    positions: u32,
    /// What the file holds so far, the block under way included.
    pub total_games: u64,
    pub total_positions: u64,
}

impl Writer {
    /// Begins a file. One that is there already is refused.
    pub fn create(path: &Path, rules: &Rules, origin: &str) -> Result<Writer, String> {
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(path)
            .map_err(|error| format!("cannot create {}: {error}", path.display()))?;
        file.write_all(&header(rules, origin))
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        Ok(Writer::over(file, path))
    }

    /// Goes on with a file behind its last sound block; what is behind that is cut off. What made it
    /// must be the same. A file with damage between sound blocks is refused: games are numbered, so
    /// those behind the damage would have to go too.
    pub fn resume(path: &Path, rules: &Rules, origin: &str) -> Result<Writer, String> {
        let games = Games::open(path)?;
        let fail = |message: String| Err(format!("{}: {message}", path.display()));
        if games.rules.name != rules.name {
            return fail(format!("has games of {}", games.rules.name));
        }
        if games.origin != origin {
            let made = &games.origin;
            return fail(format!("was made otherwise: {made}\nnot {origin}"));
        }
        let (end, count, positions) = games.sound_end();
        if count < games.games() {
            let behind = games.games() - count;
            return fail(format!(
                "is damaged, with {behind} sound games behind that: 'tessera data merge' saves them"
            ));
        }
        let file = OpenOptions::new().write(true).open(path);
        let file = file.and_then(|mut file| {
            file.set_len(end as u64)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        });
        let file =
            file.map_err(|error| format!("cannot go on with {}: {error}", path.display()))?;
        Ok(Writer {
            total_games: count,
            total_positions: positions,
            ..Writer::over(file, path)
        })
    }

    fn over(file: File, path: &Path) -> Writer {
        Writer {
            file,
            path: path.to_owned(),
            content: Vec::with_capacity(2 * BLOCK_BYTES),
            games: 0,
            positions: 0,
            total_games: 0,
            total_positions: 0,
        }
    }

    /// Adds a game that is already in bytes, with so many positions worth learning from.
    pub fn add(&mut self, game: &[u8], positions: u32) -> Result<(), String> {
        self.content.extend(game);
        self.games += 1;
        self.positions += positions;
        self.total_games += 1;
        self.total_positions += u64::from(positions);
        if self.content.len() >= BLOCK_BYTES {
            self.close_block()?;
        }
        Ok(())
    }

    /// Adds a block as it is.
    pub fn add_raw(&mut self, block: &[u8]) -> Result<(), String> {
        self.close_block()?;
        if let Some(Block {
            games, positions, ..
        }) = read_block(block, 0)
        {
            self.total_games += u64::from(games);
            self.total_positions += u64::from(positions);
        }
        self.put(block)
    }

    /// Writes what is left. To be called at the end.
    pub fn finish(mut self) -> Result<(), String> {
        self.close_block()
    }

    fn close_block(&mut self) -> Result<(), String> {
        if self.games == 0 {
            return Ok(());
        }
        let mut block = BLOCK.to_vec();
        for number in [self.content.len() as u32, self.games, self.positions, 0] {
            block.extend(number.to_le_bytes());
        }
        block.append(&mut self.content);
        let sum = block_sum(&block).to_le_bytes();
        block[16..BLOCK_HEADER].copy_from_slice(&sum);
        (self.games, self.positions) = (0, 0);
        self.put(&block)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.file
            .write_all(bytes)
            .map_err(|error| format!("cannot write {}: {error}", self.path.display()))
    }
}
