//! The engine as a whole: a game, a table, a pool of threads, and settings. It knows no
//! text; the protocol and the tools drive it alike.

pub mod bench;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crossbeam_channel::Receiver;

use crate::board::{CHESS, Game, Position, Rules};
use crate::endgame::{Endgames, Tables};
use crate::eval::network::{self, Network};
use crate::search::{Budget, Handicap, Job, Limits, Pool, Report, Request, Selectivity, Table};

/// What can be chosen, apart from table and threads.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools)] // Each is a choice of its own.
pub struct Settings {
    /// How many best moves to follow.
    pub lines: usize,
    /// The time lost on the way to the referee, for each move.
    pub overhead: Duration,
    /// Time on the opponent's clock will be used too.
    pub pondering: bool,
    /// Nobody plays: the strength is not limited.
    pub analysing: bool,
    /// The rating to play at, if it is limited.
    pub rating: Option<u32>,
    /// Positions are evaluated by a network, where there is one for the game.
    pub use_network: bool,
    /// Endgame tables are asked.
    pub use_endgames: bool,
}

/// The ratings that can be asked for.
pub const MIN_RATING: u32 = 600;
pub const MAX_RATING: u32 = 2400;
/// How often a flag is looked at that nobody announces.
const LOOK: Duration = Duration::from_millis(10);
/// Nobody waits longer for endgame tables that are being made.
const PATIENCE: Duration = Duration::from_secs(20);
/// The size of the table at first, in megabytes.
pub const DEFAULT_TABLE: usize = 16;

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            lines: 1,
            overhead: Duration::from_millis(10),
            pondering: false,
            analysing: false,
            rating: None,
            use_network: true,
            use_endgames: true,
        }
    }
}

pub struct Engine {
    game: Game,
    rules: &'static Rules,
    table: Arc<Table>,
    pool: Pool,
    pub settings: Settings,
    /// Networks that were loaded, before those that are built in.
    loaded: Vec<Arc<Network>>,
    /// The folder that endgame tables are in, and those of the game from there.
    endgame_path: Option<PathBuf>,
    endgame_files: Option<Arc<Tables>>,
    /// The search under way.
    search: Option<Arc<Job>>,
    /// The rating that the table was filled at.
    table_rating: Option<u32>,
    /// Below full strength it errs otherwise in every game.
    game_seed: u64,
}

impl Engine {
    /// An engine with one thread and a small table, at the start of orthodox chess.
    pub fn new() -> Result<Engine, String> {
        Ok(Engine {
            game: Game::new(Position::start(&CHESS)),
            rules: &CHESS,
            table: Arc::new(Table::new(DEFAULT_TABLE, 0)?),
            pool: Pool::new(1)?,
            settings: Settings::default(),
            loaded: Vec::new(),
            endgame_path: None,
            endgame_files: None,
            search: None,
            table_rating: None,
            game_seed: 0,
        })
    }

    /// Another engine that knows the same game, networks and endgames, at full strength, with one
    /// thread and a small table of its own.
    pub fn beside(&self) -> Result<Engine, String> {
        let mut engine = Engine::new()?;
        engine.game = self.game.clone();
        engine.rules = self.rules;
        engine.settings = self.settings.clone();
        engine.settings.analysing = true;
        engine.loaded.clone_from(&self.loaded);
        engine.endgame_path.clone_from(&self.endgame_path);
        engine.endgame_files.clone_from(&self.endgame_files);
        Ok(engine)
    }

    pub fn game(&self) -> &Game {
        &self.game
    }

    pub fn set_game(&mut self, game: Game) {
        self.game = game;
    }

    pub fn rules(&self) -> &'static Rules {
        self.rules
    }

    /// Chooses the game to play, and sets up its start. Returns what is wrong with its endgame
    /// tables. Not during a search, for these may take long to read.
    pub fn set_rules(&mut self, rules: &'static Rules) -> Vec<String> {
        self.game = Game::new(Position::start(rules));
        if rules.name == self.rules.name {
            return Vec::new();
        }
        self.rules = rules;
        // What one game has taught is wrong in another.
        self.pool.forget();
        // Not both at once: each of them may keep hundreds of files open.
        self.endgame_files = None;
        let files = read_endgames(self.endgame_path.as_deref(), rules);
        let (files, problems) = files.unwrap_or_else(|problem| (None, vec![problem]));
        self.endgame_files = files;
        // They are begun, and will be there when they are needed.
        let _ = self.endgames();
        problems
    }

    /// Forgets everything about the game so far. Not during a search.
    pub fn new_game(&mut self) {
        debug_assert!(!self.is_searching());
        self.game = Game::new(Position::start(self.rules));
        self.game_seed = now_as_seed();
        self.table.clear();
        self.pool.forget();
    }

    /// Forgets what the table knows. Not during a search.
    pub fn clear_table(&mut self) {
        debug_assert!(!self.is_searching());
        self.table.clear();
    }

    pub fn table_megabytes(&self) -> usize {
        self.table.megabytes()
    }

    /// Replaces the table by an empty one of another size; if that fails, it stays.
    /// Not during a search.
    pub fn resize_table(&mut self, megabytes: usize) -> Result<(), String> {
        debug_assert!(!self.is_searching());
        if megabytes != self.table.megabytes() {
            self.table = Arc::new(Table::new(megabytes, self.table.megabytes())?);
            self.table.warm();
        }
        Ok(())
    }

    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// Replaces the pool; if not all threads can be had, it stays. Not during a search.
    pub fn resize_pool(&mut self, threads: usize) -> Result<(), String> {
        debug_assert!(!self.is_searching());
        if threads != self.pool.threads() {
            self.pool = Pool::new(threads)?;
        }
        Ok(())
    }

    /// The network that evaluates the game under way, if one does.
    pub fn network(&self) -> Option<Arc<Network>> {
        if !self.settings.use_network {
            return None;
        }
        let is_for_game = |network: &&Arc<Network>| network.rules.name == self.rules.name;
        let loaded = self.loaded.iter().find(is_for_game);
        loaded.cloned().or_else(|| network::built_in(self.rules))
    }

    /// Evaluates a game with this network from now on. Not during a search.
    pub fn load_network(&mut self, network: Network) {
        debug_assert!(!self.is_searching());
        self.loaded
            .retain(|other| other.rules.name != network.rules.name);
        self.loaded.push(Arc::new(network));
        self.forget_evaluations();
    }

    /// Goes back to the networks that are built in. Not during a search.
    pub fn unload_networks(&mut self) {
        debug_assert!(!self.is_searching());
        self.loaded.clear();
        self.forget_evaluations();
    }

    /// Another evaluation from now on, or none. Not during a search.
    pub fn set_use_network(&mut self, use_network: bool) {
        self.settings.use_network = use_network;
        self.forget_evaluations();
    }

    /// What is known of the endgames of the game under way.
    pub fn endgames(&self) -> Endgames {
        if self.settings.use_endgames {
            Endgames::of(self.rules, self.endgame_files.clone())
        } else {
            Endgames::default()
        }
    }

    /// Looks for endgame tables in a folder from now on, or in none. Returns what is wrong with
    /// those of the game under way. Not during a search.
    ///
    /// # Errors
    /// It is not a folder; then nothing has changed.
    pub fn set_endgame_path(&mut self, path: Option<PathBuf>) -> Result<Vec<String>, String> {
        debug_assert!(!self.is_searching());
        let (files, problems) = read_endgames(path.as_deref(), self.rules)?;
        self.endgame_path = path;
        self.endgame_files = files;
        // What was found with other tables, or without any, is worth less or is not to be had.
        self.clear_table();
        Ok(problems)
    }

    /// The tables of the game under way from files.
    pub fn endgame_files(&self) -> Option<&Tables> {
        self.endgame_files.as_deref()
    }

    /// The folder of endgame tables, if there is one.
    pub fn endgame_path(&self) -> Option<&Path> {
        self.endgame_path.as_deref()
    }

    /// Waits until all that goes on beside a search is done.
    pub fn settle(&mut self) {
        self.endgames().wait(PATIENCE);
    }

    /// The strength to play with, if it is limited.
    fn rating(&self) -> Option<u32> {
        self.settings.rating.filter(|_| !self.settings.analysing)
    }

    /// To be called when the strength was limited, or is no longer: what was seen through a blur is
    /// of no use to a clear eye. Not during a search.
    pub fn rating_changed(&mut self) {
        debug_assert!(!self.is_searching());
        let rating = self.rating();
        if rating != self.table_rating {
            self.table.clear();
            self.table_rating = rating;
        }
    }

    /// What one evaluation has seen is of no use to another.
    fn forget_evaluations(&mut self) {
        self.table.clear();
        self.pool.forget();
    }

    /// The time that a search with these limits may take.
    pub fn budget(&self, limits: &Limits) -> Budget {
        let (overhead, pondering) = (self.settings.overhead, self.settings.pondering);
        Budget::new(
            self.rules,
            limits.clock,
            limits.move_time,
            overhead,
            pondering,
        )
    }

    /// Begins a search of the game's position. Not during another one.
    pub fn go(&mut self, limits: Limits, started: Instant, report: Arc<dyn Report>) {
        debug_assert!(!self.is_searching());
        let settings = &self.settings;
        let budget = self.budget(&limits);
        let rating = self.rating();
        let request = Request {
            game: self.game.clone(),
            limits,
            lines: settings.lines,
            handicap: rating.map(|rating| handicap(rating, self.game.position(), self.game_seed)),
            selectivity: Selectivity::Full,
            // The levels were measured with the linear evaluation.
            network: self.network().filter(|_| rating.is_none()),
            endgames: match rating {
                None => self.endgames(),
                Some(_) => Endgames::default(),
            },
            budget,
            started,
        };
        self.search = Some(self.pool.start(request, &self.table, report));
    }

    /// Ends the search, if there is one. Its answer follows at once.
    pub fn stop(&self) {
        if let Some(search) = &self.search {
            search.stop();
        }
    }

    /// The expected move was played. Returns whether the engine was waiting for it.
    pub fn ponderhit(&self, now: Instant) -> bool {
        let search = self.search.as_ref();
        search.is_some_and(|search| search.ponderhit(now))
    }

    /// Nobody will say stop any more: a search that ends by itself may do so, any other
    /// is stopped.
    pub fn let_finish(&self) {
        if let Some(search) = &self.search {
            search.let_finish();
        }
    }

    pub fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// Whether the search under way ends by itself.
    pub fn will_end(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.will_end())
    }

    /// When the search gave its answer. Then it is over in a moment.
    pub fn answered(&self) -> Option<Instant> {
        self.search.as_ref()?.answered()
    }

    /// Gets a message when the search is over; [`Engine::rest`] is to be called then.
    pub fn finished(&self) -> &Receiver<()> {
        self.pool.finished()
    }

    /// The search is over.
    pub fn rest(&mut self) {
        self.search = None;
    }

    /// Sleeps until the search is over, and ends it when the flag is set. Returns whether it came
    /// to its own end.
    pub fn wait_unless(&mut self, stop: &AtomicBool) -> bool {
        while self.finished().recv_timeout(LOOK).is_err() {
            if stop.load(Relaxed) {
                self.stop();
            }
        }
        self.rest();
        !stop.load(Relaxed)
    }

    /// Sleeps until the search is over.
    pub fn wait(&mut self) {
        if self.is_searching() {
            // The pool outlives its searches, so there is a sender.
            let _ = self.finished().recv();
            self.rest();
        }
    }
}

/// The tables of a game in a folder, and what is wrong with files that look like such.
fn read_endgames(
    path: Option<&Path>,
    rules: &'static Rules,
) -> Result<(Option<Arc<Tables>>, Vec<String>), String> {
    let Some(path) = path else {
        return Ok((None, Vec::new()));
    };
    let (tables, problems) = Tables::open(path, rules)?;
    Ok((Some(Arc::new(tables)), problems))
}

/// Stops the search, for the pool waits for it.
impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
    }
}

/// What a rating is played with: nodes for each move, and by how many centipawns an
/// evaluation may be wrong. Found in matches against engines with a scale of their own.
const LEVELS: [(u32, u64, i32); 8] = [
    (MIN_RATING, 150, 166),
    (900, 190, 159),
    (1200, 210, 156),
    (1500, 600, 127),
    (1700, 1_250, 106),
    (2000, 10_800, 43),
    (2290, 48_700, 0),
    (MAX_RATING, 100_000, 0),
];

/// Against a lone king anyone looks so many nodes ahead, and sees clearly.
const NODES_TO_MATE: u64 = 5_000;

/// The time of day, as a number that does not come twice.
fn now_as_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_nanos() as u64)
}

/// Fewer nodes and blurred evaluations for lower ratings; between two levels, what lies
/// between them.
fn handicap(rating: u32, position: &Position, seed: u64) -> Handicap {
    let rating = rating.clamp(MIN_RATING, MAX_RATING);
    let above = LEVELS.partition_point(|&(level, ..)| level < rating).max(1);
    let (low, high) = (LEVELS[above - 1], LEVELS[above]);
    let share = f64::from(rating - low.0) / f64::from(high.0 - low.0);
    let between = |low: f64, high: f64| low + share * (high - low);
    let nodes = between((low.1 as f64).ln(), (high.1 as f64).ln()).exp() as u64;
    let noise = between(low.2.into(), high.2.into()) as i32;
    let opponent = position.color(!position.side());
    let (nodes, noise) = if opponent.several() {
        (nodes, noise)
    } else {
        (nodes.max(NODES_TO_MATE), 0)
    };
    Handicap {
        nodes,
        noise,
        seed: position.key() ^ seed,
    }
}
