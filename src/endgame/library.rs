//! The tables of a game, by class.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread;

use parking_lot::Mutex;

use crate::board::{Position, Rules};
use crate::types::Move;

use super::Value;
use super::build;
use super::class::{Class, Material};
use super::space::Space;
use super::store::{Bytes, EXTENSION};

/// The table of one class.
pub struct Table {
    pub class: Class,
    pub(super) space: Space,
    pub(super) bytes: Bytes,
}

/// What is known of the endgames of one game.
pub struct Tables {
    pub rules: &'static Rules,
    all: Vec<Table>,
    /// Where to look for some men: in which table, and whether with the colours swapped.
    places: HashMap<Material, (usize, bool)>,
    /// No table has more men.
    men: usize,
}

impl Tables {
    pub fn new(rules: &'static Rules) -> Tables {
        Tables {
            rules,
            all: Vec::new(),
            places: HashMap::new(),
            men: 2,
        }
    }

    /// Works out all classes of up to so many men, on so many threads. `tell` hears of each
    /// class that is done, and says whether to go on.
    ///
    /// # Errors
    /// It was told to end, or a mate takes too long to be kept.
    pub fn build(
        rules: &'static Rules,
        men: usize,
        threads: usize,
        tell: impl Fn(&Class) -> bool + Sync,
    ) -> Result<Tables, String> {
        let mut tables = Tables::new(rules);
        let classes = Class::all(rules, men);
        let stage = |class: &Class| (class.men(), class.pawns());
        // Those with equally many men and pawns do not lead to each other.
        for classes in classes.chunk_by(|a, b| stage(a) == stage(b)) {
            let next = AtomicUsize::new(0);
            let stopped = AtomicBool::new(false);
            let done = Mutex::new(Vec::new());
            thread::scope(|scope| {
                for _ in 0..threads.clamp(1, classes.len()) {
                    scope.spawn(|| {
                        loop {
                            let place = next.fetch_add(1, Relaxed);
                            let Some(class) = classes.get(place) else {
                                break;
                            };
                            if stopped.load(Relaxed) {
                                break;
                            }
                            let space = Space::new(rules, class);
                            let values = build::build(&space, |position| tables.value(position));
                            let table = values.map(|values| Table {
                                class: class.clone(),
                                space,
                                bytes: Bytes::Memory(values),
                            });
                            if table.is_err() || !tell(class) {
                                stopped.store(true, Relaxed);
                            }
                            done.lock().push((place, table));
                        }
                    });
                }
            });
            let mut done = done.into_inner();
            done.sort_by_key(|&(place, _)| place);
            for (_, table) in done {
                tables.add(table?);
            }
            if stopped.load(Relaxed) {
                return Err("stopped".to_string());
            }
        }
        Ok(tables)
    }

    /// The tables of a game in a folder, and what is wrong with files that look like them.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn open(folder: &Path, rules: &'static Rules) -> Result<(Tables, Vec<String>), String> {
        let fail = |error: std::io::Error| format!("{}: {error}", folder.display());
        let mut paths = Vec::new();
        for entry in fs::read_dir(folder).map_err(fail)? {
            let path = entry.map_err(fail)?.path();
            let name = path.file_name().and_then(|name| name.to_str());
            let is_ours = name.is_some_and(|name| {
                let class = name.strip_prefix(rules.name);
                let class = class.and_then(|rest| rest.strip_prefix('-'));
                class.is_some() && path.extension().is_some_and(|end| end == EXTENSION)
            });
            if is_ours {
                paths.push(path);
            }
        }
        paths.sort();
        let (mut tables, mut problems) = (Tables::new(rules), Vec::new());
        for path in paths {
            match Table::open(&path, rules) {
                Ok(table) => tables.add(table),
                Err(problem) => problems.push(problem),
            }
        }
        Ok((tables, problems))
    }

    /// Adds a table, or replaces that of the same class.
    pub fn add(&mut self, table: Table) {
        let material = table.class.material();
        self.men = self.men.max(table.class.men());
        if let Some(&(place, _)) = self.places.get(&material) {
            self.all[place] = table;
            return;
        }
        let place = self.all.len();
        self.places.insert(material.swapped(), (place, true));
        // The same men on both sides: no need to swap.
        self.places.insert(material, (place, false));
        self.all.push(table);
    }

    /// Reads all that is in files into memory, for those who want to see every value.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn load(&mut self) -> Result<(), String> {
        for table in &mut self.all {
            let loaded = table.bytes.load();
            loaded.map_err(|error| format!("{}: {error}", table.class))?;
        }
        Ok(())
    }

    pub fn tables(&self) -> &[Table] {
        &self.all
    }

    /// No table has more men.
    pub fn men(&self) -> usize {
        self.men
    }

    /// What a position is worth, if it is known.
    #[inline]
    pub fn value(&self, position: &Position) -> Option<Value> {
        if position.occupied().count() as usize > self.men {
            return None;
        }
        self.look_up(position)
    }

    fn look_up(&self, position: &Position) -> Option<Value> {
        if position.castling_rooks().nonempty() {
            return None;
        }
        if position.en_passant().is_some() {
            // Not in the table: what the best move is worth.
            let mut best = None;
            for &mv in &position.legal_moves() {
                best = best.max(Some(self.value(&position.play(mv))?.before()));
            }
            return best;
        }
        if position.occupied().count() == 2 {
            return Some(Value::Draw);
        }
        let &(place, is_swapped) = self.places.get(&Material::of(position))?;
        let table = &self.all[place];
        table.value(position, is_swapped)
    }

    /// The moves with what they are worth, best first; `None` unless all are known.
    pub fn moves(&self, position: &Position) -> Option<Vec<(Move, Value)>> {
        let moves = position.legal_moves();
        let worth = |&mv: &Move| Some((mv, self.value(&position.play(mv))?.before()));
        let mut moves: Vec<(Move, Value)> = moves.iter().map(worth).collect::<Option<_>>()?;
        moves.sort_by_key(|&(_, value)| std::cmp::Reverse(value));
        Some(moves)
    }
}

impl Table {
    fn value(&self, position: &Position, is_swapped: bool) -> Option<Value> {
        let index = self.space.index_of(position, is_swapped);
        Value::from_byte(self.bytes.at(index)?)
    }
}
