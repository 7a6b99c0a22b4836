//! Tables in files, one for each class.
//!
//! ```text
//! "TESSERAE", version u16, game (u8 length, text), class (u8 length, text),
//! positions u64, crc32 of their values, crc32 of all before
//! the values of the positions by number, a byte each: see `build`
//! ```
//!
//! Numbers are little-endian. A file is read through once when it is opened, and believed only
//! if all is right. Afterwards single bytes are read where they are wanted, and what the system
//! keeps in memory of the file is its business. It is not mapped into memory: a mapped file that
//! somebody cuts off, or a disk that fails, would end the program; like this it is an answer
//! that is missing.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process;

use crate::board::Rules;
use crate::types::{Crc32, crc32};

use super::class::Class;
use super::library::Table;
use super::space::Space;

const MAGIC: &[u8; 8] = b"TESSERAE";
/// Version 1 had wrong values where one of two pawns could be captured in passing.
const VERSION: u16 = 2;
/// What the names of the files end with.
pub const EXTENSION: &str = "endgame";

/// The values of a table.
pub enum Bytes {
    Memory(Vec<u8>),
    File {
        file: File,
        start: u64,
        path: PathBuf,
    },
}

impl Bytes {
    /// All values.
    pub fn all(&self) -> std::io::Result<Cow<'_, [u8]>> {
        match self {
            Bytes::Memory(bytes) => Ok(Cow::Borrowed(bytes)),
            Bytes::File { file, start, .. } => {
                let length = file.metadata()?.len().saturating_sub(*start);
                let mut bytes = vec![0; length as usize];
                read_at(file, &mut bytes, *start)?;
                Ok(Cow::Owned(bytes))
            }
        }
    }

    /// Reads all of it into memory, for those who ask again and again.
    pub fn load(&mut self) -> std::io::Result<()> {
        if let Cow::Owned(bytes) = self.all()? {
            *self = Bytes::Memory(bytes);
        }
        Ok(())
    }

    /// The value of a position; nothing if it cannot be read.
    #[inline]
    pub fn at(&self, index: usize) -> Option<u8> {
        match self {
            Bytes::Memory(bytes) => bytes.get(index).copied(),
            Bytes::File { file, start, .. } => {
                let mut byte = [0];
                read_at(file, &mut byte, start + index as u64).ok()?;
                Some(byte[0])
            }
        }
    }
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], at: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(windows)]
fn read_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> std::io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, at)? {
            0 => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            read => {
                bytes = &mut bytes[read..];
                at += read as u64;
            }
        }
    }
    Ok(())
}

impl Table {
    /// How many positions it has, legal or not: a byte each.
    pub fn positions(&self) -> usize {
        self.space.size()
    }

    /// The file that it comes from.
    pub fn origin(&self) -> Option<&Path> {
        match &self.bytes {
            Bytes::Memory(_) => None,
            Bytes::File { path, .. } => Some(path),
        }
    }

    /// Where a table belongs in a folder.
    pub fn path(&self, folder: &Path) -> PathBuf {
        let name = format!("{}-{}.{EXTENSION}", self.space.rules.name, self.class);
        folder.join(name)
    }

    /// Writes the table into a folder. A file is there whole or not at all.
    pub fn write(&self, folder: &Path) -> Result<(), String> {
        let path = self.path(folder);
        let Bytes::Memory(values) = &self.bytes else {
            return Ok(()); // It comes from a file.
        };
        let mut header = MAGIC.to_vec();
        header.extend(VERSION.to_le_bytes());
        for text in [self.space.rules.name, &self.class.to_string()] {
            header.push(text.len() as u8);
            header.extend(text.as_bytes());
        }
        header.extend((values.len() as u64).to_le_bytes());
        header.extend(crc32(values).to_le_bytes());
        header.extend(crc32(&header).to_le_bytes());
        // Somebody else may be at work on the same class.
        let part = path.with_extension(format!("{}.part", process::id()));
        let write = || -> std::io::Result<()> {
            let mut file = BufWriter::new(File::create(&part)?);
            file.write_all(&header)?;
            file.write_all(values)?;
            file.into_inner()?.sync_all()?;
            fs::rename(&part, &path)
        };
        write().map_err(|error| {
            let _ = fs::remove_file(&part);
            format!("{}: {error}", path.display())
        })
    }

    /// Opens a file, and looks whether it is what it should be.
    ///
    /// # Errors
    /// It cannot be read, is none of ours, is for another game, or damaged.
    pub fn open(path: &Path, rules: &'static Rules) -> Result<Table, String> {
        let open = || {
            // To open something else might take for ever.
            let about = fs::metadata(path).map_err(|error| error.to_string())?;
            if !about.is_file() {
                return Err("not a file".to_string());
            }
            let file = File::open(path).map_err(|error| error.to_string())?;
            let table = read(file, path, rules)?;
            // Under a wrong name it would be overwritten, and another one taken for missing.
            let name = path.file_stem().and_then(|name| name.to_str());
            let class = name.and_then(|name| Some(name.rsplit_once('-')?.1));
            if class != Some(&table.class.to_string()) {
                return Err(format!("it holds {}", table.class));
            }
            Ok(table)
        };
        open().map_err(|error| format!("{}: {error}", path.display()))
    }
}

fn read(mut file: File, path: &Path, rules: &'static Rules) -> Result<Table, String> {
    let mut header = Vec::new();
    let mut take = |length: usize| -> Result<Vec<u8>, String> {
        let mut bytes = vec![0; length];
        let read = file.read_exact(&mut bytes);
        read.map_err(|error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => "it is cut off".to_string(),
            _ => error.to_string(),
        })?;
        header.extend(&bytes);
        Ok(bytes)
    };
    if take(MAGIC.len())? != MAGIC {
        return Err("not an endgame table of Tessera's".to_string());
    }
    let version = u16::from_le_bytes(number(&take(2)?)?);
    if version != VERSION {
        return Err(format!("version {version} is unknown, {VERSION} is known"));
    }
    let mut text = || -> Result<String, String> {
        let length = usize::from(take(1)?[0]);
        Ok(String::from_utf8_lossy(&take(length)?).into_owned())
    };
    let (game, class) = (text()?, text()?);
    let length = u64::from_le_bytes(number(&take(8)?)?);
    let values_sum = u32::from_le_bytes(number(&take(4)?)?);
    let header_sum = u32::from_le_bytes(number(&take(4)?)?);
    if header_sum != crc32(&header[..header.len() - 4]) {
        return Err("the checksum of its head is wrong".to_string());
    }
    if Rules::named(&game).is_none_or(|other| !other.ends_like(rules)) {
        return Err(format!("it is for {game}, not for {}", rules.name));
    }
    let class = Class::named(&class).ok_or_else(|| format!("unknown class '{class}'"))?;
    let space = Space::new(rules, &class);
    if length != space.size() as u64 {
        return Err(format!(
            "{class} has {} positions, not {length}",
            space.size()
        ));
    }
    let start = header.len() as u64;
    let mut sum = Crc32::new();
    let mut read = 0;
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = file.read(&mut buffer).map_err(|error| error.to_string())?;
        if count == 0 {
            break;
        }
        sum.add(&buffer[..count]);
        read += count as u64;
    }
    if read != length {
        let what = if read < length { "cut off" } else { "too long" };
        return Err(format!("it is {what}"));
    }
    if sum.finish() != values_sum {
        return Err("its checksum is wrong".to_string());
    }
    Ok(Table {
        class,
        space,
        bytes: Bytes::File {
            file,
            start,
            path: path.to_owned(),
        },
    })
}

fn number<const N: usize>(bytes: &[u8]) -> Result<[u8; N], String> {
    bytes.try_into().map_err(|_| "it is cut off".to_string())
}
