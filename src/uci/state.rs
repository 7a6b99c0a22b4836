//! What the session knows and does: each command, carried out.

use std::fs::{self, File};
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;

use crate::board::{CHESS, Game, Position, Rules, fischer};
use crate::engine::{Engine, bench};
use crate::eval::network::Network;
use crate::search::{Clock, Limits, params};
use crate::types::json::Object;

use super::command::{Command, Setup};
use super::go::Go;
use super::options::{BUILT_IN, DEFAULT_RATING, OPTIONS, Row};
use super::output::{Output, Style};
use super::report::Reporter;
use super::show;
use super::task::{self, Task, Work};

#[allow(clippy::struct_excessive_bools)] // Each is an option of the protocol.
pub struct State {
    pub engine: Engine,
    pub output: Arc<Output>,
    pub chess960: bool,
    pub show_wdl: bool,
    pub limits_strength: bool,
    pub rating: u32,
    pub log_file: String,
    pub eval_file: String,
    is_debugging: bool,
    /// A count, a bench or an explanation under way.
    task: Option<Task>,
    /// When the last search or task ended.
    idle_since: Instant,
}

/// No network is larger, in megabytes.
const MAX_NETWORK: u64 = 16;
/// The content of an ordinary file of up to so many megabytes. Others might never end.
pub(super) fn read_small_file(path: &str, megabytes: u64) -> Result<Vec<u8>, String> {
    let about = fs::metadata(path).map_err(|error| error.to_string())?;
    if !about.is_file() {
        return Err("not a file".to_string());
    }
    if about.len() > megabytes << 20 {
        return Err(format!("too large: more than {megabytes} MB"));
    }
    // Some files are longer than they say.
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| error.to_string())?;
    let read = file.take(megabytes << 20).read_to_end(&mut bytes);
    read.map_err(|error| error.to_string())?;
    Ok(bytes)
}

impl State {
    pub fn new(output: Arc<Output>) -> Result<State, String> {
        Ok(State {
            engine: Engine::new()?,
            output,
            chess960: false,
            show_wdl: false,
            limits_strength: false,
            rating: DEFAULT_RATING,
            log_file: String::new(),
            eval_file: BUILT_IN.to_string(),
            is_debugging: false,
            task: None,
            idle_since: Instant::now(),
        })
    }

    /// Evaluates with the network in a file from now on, or with those that are built in.
    pub fn load_network(&mut self, path: &str) -> Result<(), String> {
        if path.is_empty() || path == BUILT_IN || path == "<empty>" {
            self.engine.unload_networks();
            self.eval_file = BUILT_IN.to_string();
            return Ok(());
        }
        let bytes = read_small_file(path, MAX_NETWORK);
        let bytes = bytes.map_err(|error| format!("EvalFile {path}: {error}"))?;
        let network = Network::from_bytes(&bytes);
        let network = network.map_err(|error| format!("EvalFile {path}: {error}"))?;
        let (game, origin) = (network.rules.name, network.origin.clone());
        self.engine.load_network(network);
        self.eval_file = path.to_string();
        self.output
            .note(&format!("{path} evaluates {game} from now on: {origin}"));
        Ok(())
    }

    /// Looks for endgame tables in a folder from now on, or in none.
    pub fn set_endgame_path(&mut self, path: &str) -> Result<(), String> {
        let path = Some(path).filter(|path| !path.is_empty() && *path != "<empty>");
        let problems = self.engine.set_endgame_path(path.map(PathBuf::from));
        let problems = problems.map_err(|error| format!("EndgamePath {error}"))?;
        self.tell_of_endgames(&problems);
        Ok(())
    }

    /// Says how many tables there are in the folder, if there is one, and what is wrong with others.
    fn tell_of_endgames(&self, problems: &[String]) {
        for problem in problems {
            self.output.error(&format!("EndgamePath {problem}"));
        }
        if let Some(tables) = self.engine.endgame_files() {
            let (count, game) = (tables.tables().len(), tables.rules.name);
            self.output
                .note(&format!("{count} endgame tables for {game}"));
        }
    }

    /// Carries out a command. On an error nothing has changed.
    pub fn obey(&mut self, command: Command, received: Instant) -> Result<(), String> {
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => {
                if !self.is_busy() {
                    self.engine.settle();
                }
                self.output
                    .answer(|| "readyok".into(), || Object::new("readyok"));
            }
            Command::NewGame => self.engine.new_game(),
            Command::Position { setup, moves } => self.set_position(&setup, &moves)?,
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref())?,
            Command::Go(go) => self.go(&go, received),
            Command::Debug(is_on) => self.is_debugging = is_on,
            Command::Register => self.output.note("there is nothing to register"),
            Command::Perft(depth) => self.count(depth)?,
            Command::Bench { depth } => {
                self.begin(task::bench(depth.unwrap_or(bench::DEFAULT_DEPTH)))?;
            }
            Command::GenFens(wanted) => self.begin(task::openings(&self.engine, &wanted))?,
            Command::Display => self.draw(),
            Command::Eval => self.evaluate(),
            Command::Explain(mv) => self.explain(mv.as_deref())?,
            Command::Moves => self.list_moves(),
            Command::Flip => {
                let flipped = self
                    .position()
                    .flipped()
                    .map_err(|error| error.to_string())?;
                self.engine.set_game(Game::new(flipped));
                self.draw_for_people();
            }
            Command::Options => self.list_options(),
            Command::Help(name) => {
                let text = show::help(name.as_deref())?;
                let object = || Object::new("help").text("text", &text);
                self.output.answer(|| text.clone(), object);
            }
            Command::Version => {
                let object = || Object::new("version").text("version", show::VERSION);
                self.output.answer(|| show::VERSION.into(), object);
            }
            Command::Validate(fen) => self.validate(fen.as_deref()),
            Command::Bare(text) => self.take_bare(&text)?,
            // These have acted when they were heard, or had only to be waited for.
            Command::Stop | Command::PonderHit | Command::Quit | Command::Wait => {}
        }
        Ok(())
    }

    fn position(&self) -> &Position {
        self.engine.game().position()
    }

    pub fn is_busy(&self) -> bool {
        self.engine.is_searching() || self.task.is_some()
    }

    pub fn has_task(&self) -> bool {
        self.task.is_some()
    }

    /// Whether the last word of what is under way is out, and it is over in a moment.
    pub fn has_answered(&self) -> bool {
        let task = self.task.as_ref();
        self.engine.answered().is_some() || task.is_some_and(Task::has_answered)
    }

    /// Gets a message, or closes, when what is under way is over.
    pub fn finished(&self) -> Receiver<()> {
        let task = self.task.as_ref().map(Task::finished);
        task.unwrap_or_else(|| self.engine.finished().clone())
    }

    /// What was under way is over.
    pub fn rest(&mut self) {
        self.idle_since = self.engine.answered().unwrap_or_else(Instant::now);
        self.engine.rest();
        self.task = None;
    }

    /// Ends the search, the count or the bench.
    pub fn stop(&self) {
        self.engine.stop();
        if let Some(task) = &self.task {
            task.stop();
        }
    }

    fn introduce(&self) {
        if self.output.style() == Style::Json {
            let id = Object::new("id").text("name", show::VERSION);
            self.output
                .say(&id.text("author", "the Tessera developers").end());
            self.list_options();
            self.output.say(&Object::new("uciok").end());
        } else {
            self.output.set_style(Style::Protocol);
            self.output.say(&show::introduction());
        }
    }

    fn set_position(&mut self, setup: &Setup, moves: &[String]) -> Result<(), String> {
        let rules = self.engine.rules();
        let fen = match setup {
            Setup::Start => rules.start.to_string(),
            Setup::Fen(fen) => fen.clone(),
            Setup::Fischer(_) | Setup::DoubleFischer(_) if rules.name != CHESS.name => {
                return Err(format!("{} has one start position only", rules.name));
            }
            Setup::Fischer(number) => fischer::start_fen(*number, *number),
            Setup::DoubleFischer(number) => fischer::start_fen(number / 960, number % 960),
        };
        let position = Position::from_fen(rules, &fen).map_err(|error| error.to_string())?;
        let mut game = Game::new(position);
        for (index, text) in moves.iter().enumerate() {
            let played = game.play_uci(text);
            played.map_err(|error| format!("move {}: {error}", index + 1))?;
        }
        self.engine.set_game(game);
        self.draw_for_people();
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
        let shown: String = name.chars().take(40).collect();
        if let Some(row) = Row::named(name) {
            return row.set(self, value);
        }
        let param = params::tunable().iter().find(|param| param.name == name);
        let param = param.ok_or_else(|| format!("no option {shown:?}"))?;
        let number = value.and_then(|value| value.parse().ok());
        param.set(number.ok_or_else(|| format!("{name} is a number"))?)
    }

    pub fn choose_variant(&mut self, name: &str) -> Result<(), String> {
        let rules = Rules::named(name).ok_or_else(|| format!("no variant {name:?}"))?;
        let problems = self.engine.set_rules(rules);
        let object = || {
            Object::new("variant")
                .text("name", rules.name)
                .value("files", rules.files)
                .value("ranks", rules.ranks)
                .text("startpos", rules.start)
        };
        let text = format!("info string {}", show::variant(rules));
        self.output.answer(|| text, object);
        self.tell_of_endgames(&problems);
        Ok(())
    }

    pub fn apply_rating(&mut self) {
        self.engine.settings.rating = self.limits_strength.then_some(self.rating);
        self.engine.rating_changed();
    }

    /// Begins a search. Whatever is wrong with the limits, there will be an answer.
    fn go(&mut self, go: &Go, received: Instant) {
        for problem in &go.problems {
            self.output.error(problem);
        }
        let mut limits = self.limits(go);
        if !limits.is_bounded() && !limits.infinite {
            if let Some(word) = &go.unknown {
                self.output.error(&format!("go does not know {word:?}"));
            }
            if go.unknown.is_some() || !go.problems.is_empty() {
                // Not a search without end where one with a limit was meant.
                limits.depth = Some(1);
            }
        }
        limits.infinite |= !limits.is_bounded();
        if self.is_debugging {
            let budget = self.engine.budget(&limits);
            let text = |bound: Option<Duration>| bound.map_or("none".into(), |b| format!("{b:?}"));
            let (soft, hard) = (text(budget.soft), text(budget.hard));
            let message = format!("time: soft bound {soft}, hard bound {hard}");
            self.output.note(&message);
        }
        let (output, position) = (&self.output, self.position());
        let report = Reporter::new(output, position, self.chess960, self.show_wdl);
        // Of a search that had to wait the clock runs from now; the time of the one before
        // is not its own.
        let started = received.max(self.idle_since);
        self.engine.go(limits, started, Arc::new(report));
    }

    fn limits(&self, go: &Go) -> Limits {
        let us = self.position().side().index();
        let milliseconds = |time: i64| Duration::from_millis(time.max(0) as u64);
        // One clock alone is enough, whosever it is.
        let side = if go.time[us].is_some() { us } else { 1 - us };
        let mut moves = Vec::new();
        let mut errors = Vec::new();
        for text in &go.search_moves {
            match self.position().parse_uci(text) {
                Ok(mv) => moves.push(mv),
                Err(error) => errors.push(error.to_string()),
            }
        }
        if !errors.is_empty() {
            let errors = errors.join(", ");
            self.output.error(&format!("searchmoves: {errors}"));
        }
        if moves.is_empty() && !go.search_moves.is_empty() {
            self.output
                .note("no legal move in searchmoves: all moves are searched");
        }
        Limits {
            depth: go.depth.map(u32::from),
            nodes: go.nodes,
            soft_nodes: None,
            mate: go.mate.map(u32::from),
            move_time: go.move_time.map(milliseconds),
            clock: go.time[side].map(|left| Clock {
                left: milliseconds(left),
                increment: go.increment[side].map(milliseconds).unwrap_or_default(),
                moves_to_go: go.moves_to_go.filter(|&moves| moves > 0).map(u32::from),
            }),
            moves,
            infinite: go.infinite,
            ponder: go.ponder,
        }
    }

    /// The answer to a `go` that came to nothing.
    pub fn answer_anyhow(&self) {
        let position = self.position();
        let best = position.legal_moves().first().copied();
        let text = best.map_or("(none)".to_string(), |mv| position.uci(mv, self.chess960));
        let object = || Object::new("bestmove").text("move", &text);
        self.output.answer(|| format!("bestmove {text}"), object);
    }

    /// Starts work on a thread of its own.
    fn begin(&mut self, work: impl Work) -> Result<(), String> {
        self.task = Some(Task::begin(&self.output, work)?);
        Ok(())
    }

    fn count(&mut self, depth: u32) -> Result<(), String> {
        self.begin(task::count(*self.position(), depth, self.chess960))
    }

    /// Begins to explain the position, or a move of it, beside the engine.
    fn explain(&mut self, mv: Option<&str>) -> Result<(), String> {
        let mv = mv.map(|text| self.position().parse_move(text)).transpose();
        let mv = mv.map_err(|error| error.to_string())?;
        self.begin(task::explain(&self.engine, mv, self.chess960)?)
    }

    fn draw(&self) {
        let position = self.position();
        let object = || show::board_object(position);
        self.output.answer(|| show::board(position), object);
    }

    /// People see the board after each change.
    pub fn draw_for_people(&self) {
        if self.output.is_for_people() {
            self.output.say(&show::small_board(self.position()));
            if let Some(outcome) = self.engine.game().outcome() {
                self.output.say(&outcome.to_string());
            }
        }
    }

    fn evaluate(&self) {
        let position = self.position();
        let network = self.engine.network();
        let network = network.as_deref();
        let object = || show::evaluation_object(position, network);
        self.output
            .answer(|| show::evaluation(position, network), object);
    }

    fn list_moves(&self) {
        let moves = show::moves(self.position(), self.chess960);
        let text = || {
            let lines = moves.iter().map(|(uci, san)| format!("{uci:<5} {san}"));
            let lines = lines.collect::<Vec<_>>().join("\n");
            if lines.is_empty() {
                "no legal move".to_string()
            } else {
                lines
            }
        };
        let object = || {
            let (uci, san): (Vec<_>, Vec<_>) = moves.iter().cloned().unzip();
            Object::new("moves").texts("uci", &uci).texts("san", &san)
        };
        self.output.answer(text, object);
    }

    fn list_options(&self) {
        if self.output.style() == Style::Json {
            for row in &OPTIONS {
                let object = Object::new("option").text("name", row.name);
                let object = object.text("value", &row.get(self));
                let object = object.text("range", &row.summary());
                self.output.say(&object.text("about", row.about).end());
            }
        } else {
            self.output.say(&show::options(self));
        }
    }

    fn validate(&self, fen: Option<&str>) {
        let rules = self.engine.rules();
        let given = fen.map_or_else(|| self.position().to_string(), str::to_string);
        let result = Position::from_fen(rules, &given);
        let text = || match &result {
            Err(error) => format!("invalid: {error}"),
            Ok(position) if position.to_string() == given => "valid".to_string(),
            Ok(position) => format!("valid, understood as {position}"),
        };
        let object = || {
            let object = Object::new("validate").value("valid", result.is_ok());
            match &result {
                Err(error) => object.text("reason", &error.to_string()),
                Ok(position) => object.text("fen", &position.to_string()),
            }
        };
        self.output.answer(text, object);
    }

    /// A position or moves without a command, from a person.
    fn take_bare(&mut self, text: &str) -> Result<(), String> {
        if text.contains('/') {
            return self.set_position(&Setup::Fen(text.to_string()), &[]);
        }
        let mut game = self.engine.game().clone();
        for word in text.split_whitespace() {
            let position = game.position();
            match position.parse_move(word) {
                Ok(mv) => game.play(mv),
                Err(error) => return Err(format!("{error}, nor a command; try 'help'")),
            }
        }
        self.engine.set_game(game);
        self.draw_for_people();
        Ok(())
    }
}
