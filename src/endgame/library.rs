//! The tables of a game, by class.

use std::collections::HashMap;
use std::fs;
use std::hash::{BuildHasherDefault, Hasher};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread;

use parking_lot::Mutex;

use crate::board::{Position, Rules};
use crate::types::Move;

use super::Value;
use super::build;
use super::class::{Class, Material};
use super::small::is_made;
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
    places: HashMap<Material, (usize, bool), BuildHasherDefault<Spread>>,
    /// No table has more men.
    men: usize,
}

/// Material is one small number, and looked up at every node of an endgame: a multiplication
/// spreads it well enough.
#[derive(Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(byte.into());
        }
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0 ^ u64::from(number)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0.rotate_left(32)
    }
}

impl Tables {
    pub fn new(rules: &'static Rules) -> Tables {
        Tables {
            rules,
            all: Vec::new(),
            places: HashMap::default(),
            men: 2,
        }
    }

    /// Works out all classes of up to so many men, on so many threads.
    ///
    /// # Errors
    /// A mate takes too long to be kept.
    pub fn build(rules: &'static Rules, men: usize, threads: usize) -> Result<Tables, String> {
        let mut tables = Tables::new(rules);
        tables.complete(Class::all(rules, men), threads, |_| Ok(()))?;
        Ok(tables)
    }

    /// Works out those of some classes that are not there yet, in the order of [`Class::all`].
    /// `done` gets each table as soon as it is there.
    ///
    /// # Errors
    /// A mate takes too long to be kept, or what `done` says.
    pub fn complete(
        &mut self,
        mut classes: Vec<Class>,
        threads: usize,
        done: impl Fn(&Table) -> Result<(), String> + Sync,
    ) -> Result<(), String> {
        classes.retain(|class| !self.has(class));
        let stage = |class: &Class| (class.men(), class.pawns());
        // Those with equally many men and pawns do not lead to each other.
        for classes in classes.chunk_by(|a, b| stage(a) == stage(b)) {
            let next = AtomicUsize::new(0);
            let stopped = AtomicBool::new(false);
            let made = Mutex::new(Vec::new());
            let known = &*self;
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
                            let table = known.make(class).and_then(|table| {
                                done(&table)?;
                                Ok(table)
                            });
                            if table.is_err() {
                                stopped.store(true, Relaxed);
                            }
                            made.lock().push((place, table));
                        }
                    });
                }
            });
            let mut made = made.into_inner();
            made.sort_by_key(|&(place, _)| place);
            for (_, table) in made {
                self.add(table?);
            }
        }
        Ok(())
    }

    /// Works out a class; those that it leads to must be there.
    fn make(&self, class: &Class) -> Result<Table, String> {
        let space = Space::new(self.rules, class);
        let values = build::build(&space, |position| self.value(position))?;
        Ok(Table {
            class: class.clone(),
            space,
            bytes: Bytes::Memory(values),
        })
    }

    /// The tables in a folder that are of a game, or of one with the same endgames, and what is
    /// wrong with files that look like them. A table is of no use without those that its captures
    /// and promotions lead to: who knows how a pawn wins, but not a queen, never promotes.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn open(folder: &Path, rules: &'static Rules) -> Result<(Tables, Vec<String>), String> {
        let fail = |error: std::io::Error| format!("{}: {error}", folder.display());
        let mut paths = Vec::new();
        for entry in fs::read_dir(folder).map_err(fail)? {
            let path = entry.map_err(fail)?.path();
            let name = path.file_name().and_then(|name| name.to_str());
            let is_ours = path.extension().is_some_and(|end| end == EXTENSION)
                && name.is_some_and(|name| {
                    let mut games = Rules::ALL.iter().filter(|other| other.ends_like(rules));
                    games.any(|game| {
                        let class = name.strip_prefix(game.name);
                        class.is_some_and(|rest| rest.starts_with('-'))
                    })
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
        problems.extend(tables.leave_out_gaps(|class| is_made(rules, class)));
        Ok((tables, problems))
    }

    /// Leaves out the tables that lead to one that is missing, unless it is to be had
    /// elsewhere, and says which.
    pub fn leave_out_gaps(&mut self, is_elsewhere: impl Fn(&Class) -> bool) -> Vec<String> {
        let mut gaps = self.gaps(is_elsewhere);
        if gaps.is_empty() {
            return Vec::new();
        }
        let mut problems = Vec::new();
        let mut whole = Tables::new(self.rules);
        for table in self.all.drain(..) {
            match gaps.remove(&table.class.material()) {
                None => whole.add(table),
                Some(missing) => {
                    let path = table.origin().map(Path::display);
                    let name = path.map_or(table.class.to_string(), |path| path.to_string());
                    problems.push(format!("{name}: it needs {missing}"));
                }
            }
        }
        *self = whole;
        problems
    }

    /// The tables that lead to one that is neither there nor elsewhere, or to one of these, with the
    /// class that is missing.
    fn gaps(&self, is_elsewhere: impl Fn(&Class) -> bool) -> HashMap<Material, Class> {
        let mut classes: Vec<&Class> = self.all.iter().map(|table| &table.class).collect();
        classes.sort_by_key(|class| (class.men(), class.pawns()));
        let mut gaps: HashMap<Material, Class> = HashMap::new();
        for class in classes {
            let missing = class.next(self.rules).into_iter().find(|next| {
                let is_there = self.has(next) && !gaps.contains_key(&next.material());
                !is_there && !is_elsewhere(next)
            });
            if let Some(missing) = missing {
                gaps.insert(class.material(), missing);
            }
        }
        gaps
    }

    pub fn has(&self, class: &Class) -> bool {
        self.places.contains_key(&class.material())
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

    /// Reads what is wanted and in files into memory, for those who ask again and again.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn load(&mut self, is_wanted: impl Fn(&Table) -> bool) -> Result<(), String> {
        for table in self.all.iter_mut().filter(|table| is_wanted(table)) {
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
