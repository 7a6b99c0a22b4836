//! The tables that are small enough to be made when a game is chosen: once for all games with the
//! same endgames, on threads of their own, while others go on.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use crate::board::{Position, Rules};
use crate::types::Move;

use super::{Class, Tables, Value};

/// Compact boards get tables of up to so many men.
const MEN: usize = 4;
/// More threads than this make it no faster: some classes have to wait for others.
const MAX_THREADS: usize = 4;

/// Whether a class belongs to the tables that are made here.
pub fn is_made(rules: &Rules, class: &Class) -> bool {
    rules.is_compact() && class.men() <= MEN
}

/// The tables of one kind of endgames, as soon as they are there.
struct Small {
    rules: &'static Rules,
    tables: OnceLock<Tables>,
    has_begun: AtomicBool,
    is_over: Mutex<bool>,
    over: Condvar,
}

impl Small {
    fn of(rules: &'static Rules) -> Option<&'static Small> {
        static ALL: [OnceLock<Small>; Rules::ALL.len()] =
            [const { OnceLock::new() }; Rules::ALL.len()];
        if !rules.is_compact() {
            return None;
        }
        let place = Rules::ALL.iter().position(|other| other.ends_like(rules))?;
        Some(ALL[place].get_or_init(|| Small {
            rules: Rules::ALL[place],
            tables: OnceLock::new(),
            has_begun: AtomicBool::new(false),
            is_over: Mutex::new(false),
            over: Condvar::new(),
        }))
    }

    /// Begins to make them, unless somebody has. Without a thread to be had there are none.
    fn begin(&'static self) {
        if self.has_begun.swap(true, Relaxed) {
            return;
        }
        // Dropped with the work, however that ends: done, failed, or never begun.
        let end = End(self);
        let work = move || {
            let _end = end;
            let threads = thread::available_parallelism().map_or(1, usize::from);
            let tables = Tables::build(self.rules, MEN, threads.min(MAX_THREADS));
            if let Ok(tables) = tables {
                let _ = self.tables.set(tables);
            }
        };
        let thread = thread::Builder::new().name("endgames".to_string());
        let _ = thread.spawn(work);
    }

    /// Waits until they are there, or will never be, but no longer than this. Returns whether
    /// it is so.
    fn wait(&self, time: Duration) -> bool {
        let mut is_over = self.is_over.lock();
        if !*is_over && self.has_begun.load(Relaxed) {
            self.over.wait_for(&mut is_over, time);
        }
        *is_over
    }
}

/// Tells those who wait that the work is over.
struct End(&'static Small);

impl Drop for End {
    fn drop(&mut self) {
        *self.0.is_over.lock() = true;
        self.0.over.notify_all();
    }
}

/// What a search may ask about endgames: tables from files, and those that were made here.
#[derive(Clone, Default)]
pub struct Endgames {
    files: Option<Arc<Tables>>,
    small: Option<&'static Small>,
}

impl Endgames {
    /// Those of a game, with what files there are for it. What can be made here is begun.
    pub fn of(rules: &'static Rules, files: Option<Arc<Tables>>) -> Endgames {
        let small = Small::of(rules);
        if let Some(small) = small {
            small.begin();
        }
        Endgames { files, small }
    }

    /// Waits until all is there that will be, but no longer than this. Returns whether it is so.
    pub fn wait(&self, time: Duration) -> bool {
        self.small.is_none_or(|small| small.wait(time))
    }

    /// What a position is worth, if it is known.
    #[inline]
    pub fn value(&self, position: &Position) -> Option<Value> {
        if let Some(small) = self.small
            && let Some(tables) = small.tables.get()
            && let Some(value) = tables.value(position)
        {
            return Some(value);
        }
        self.files.as_ref()?.value(position)
    }

    /// Whether a position is known without reading a file.
    #[inline]
    pub fn is_in_memory(&self, position: &Position) -> bool {
        self.small.is_some() && position.occupied().count() as usize <= MEN
    }

    /// The move to the mate, or away from it, if there is one; `None` for draws.
    pub fn best_move(&self, position: &Position) -> Option<Move> {
        let value = self.value(position)?;
        if value == Value::Draw {
            return None;
        }
        let moves = position.legal_moves();
        let is_best = |&&mv: &&Move| {
            let next = self.value(&position.play(mv));
            next.is_some_and(|next| next.before() == value)
        };
        moves.iter().find(is_best).copied()
    }

    /// How many men the largest table has that is there by now.
    pub fn men(&self) -> usize {
        let small = self.small.and_then(|small| small.tables.get());
        let files = self.files.as_deref();
        [small, files]
            .into_iter()
            .flatten()
            .map(Tables::men)
            .max()
            .unwrap_or(0)
    }
}

/// These tables and no others.
impl From<Tables> for Endgames {
    fn from(tables: Tables) -> Endgames {
        Endgames {
            files: Some(Arc::new(tables)),
            small: None,
        }
    }
}

impl std::fmt::Debug for Endgames {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "endgames of up to {} men", self.men())
    }
}
