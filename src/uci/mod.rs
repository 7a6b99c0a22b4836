//! The protocol on standard input and output, as far as perft scripts need it.
//!
//! One thread reads lines and turns them into commands; the loop here obeys them. A
//! count runs on a thread of its own, so that `isready` and `stop` are heard meanwhile.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod command;

use std::collections::VecDeque;
use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use crossbeam_channel::{Receiver, bounded, never, select_biased};

use crate::board::perft::Perft;
use crate::board::{CHESS, Game, Position, Rules};
use crate::types::{Piece, Square};

use command::Command;

/// What a person at a terminal may type.
const HINT: &str = "Try 'd', 'go perft 5' or 'quit'.";

/// Longer lines are refused. The moves of a game of 6,000 plies take 30 kB.
const MAX_LINE: u64 = 4 << 20;

/// Speaks UCI until `quit` or the end of the input.
///
/// During a count only `stop` and `isready` are obeyed at once. The rest waits for its
/// end, so that a script may write all its commands without reading the answers. Only a
/// person who types `quit` wants it at once.
pub fn run() {
    let is_typed = io::stdin().is_terminal();
    if is_typed {
        eprintln!("Tessera speaks UCI. {HINT}");
    }
    let mut commands = read_commands(is_typed);
    let mut engine = Engine::new();
    let mut waiting: VecDeque<Result<Command, String>> = VecDeque::new();
    let mut input_is_open = true;
    loop {
        while engine.is_idle()
            && let Some(command) = waiting.pop_front()
        {
            if command == Ok(Command::Quit) {
                return;
            }
            if let Err(error) = command.and_then(|command| engine.obey(command)) {
                say(&format!("info string error: {error}"));
            }
        }
        if engine.is_idle() && !input_is_open {
            return;
        }
        select_biased! {
            recv(commands) -> received => match received {
                Ok(Ok(Command::Stop)) => {
                    // Also counts that have not begun: the sender saw them as begun.
                    waiting.retain(|command| !matches!(command, Ok(Command::Perft { .. })));
                    engine.stop();
                }
                Ok(Ok(Command::IsReady)) => say("readyok"),
                Ok(Ok(Command::Quit)) if is_typed => return,
                Ok(command) => waiting.push_back(command),
                Err(_) => {
                    input_is_open = false;
                    commands = never();
                }
            },
            recv(engine.finished.as_ref().unwrap_or(&never())) -> _ => engine.finished = None,
        }
    }
}

/// Starts the thread that reads standard input. The channel closes at its end. Lines
/// without a command are ignored, as the protocol asks, unless a person typed them.
fn read_commands(is_typed: bool) -> Receiver<Result<Command, String>> {
    let (sender, receiver) = bounded(1024);
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        while let Some(line) = read_line(&mut input) {
            let is_blank = line.as_ref().is_ok_and(|line| line.trim().is_empty());
            let command = match line.and_then(|line| command::parse(&line)).transpose() {
                Some(command) => command,
                None if is_typed && !is_blank => Err(format!("unknown command. {HINT}")),
                None => continue,
            };
            if sender.send(command).is_err() {
                break;
            }
        }
    });
    receiver
}

/// The next line, or what is wrong with it. `None` at the end of the input.
fn read_line(input: &mut impl BufRead) -> Option<Result<String, String>> {
    let mut line = Vec::new();
    let read = input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line);
    if read.ok()? == 0 {
        return None;
    }
    if line.len() as u64 == MAX_LINE && line.last() != Some(&b'\n') {
        input.skip_until(b'\n').ok()?;
        return Some(Err(format!("a line of more than {MAX_LINE} bytes")));
    }
    Some(Ok(String::from_utf8_lossy(&line).into_owned()))
}

/// Prints one message. When nobody reads it any more, there is nothing left to do.
fn say(message: &str) {
    let mut output = io::stdout().lock();
    if writeln!(output, "{message}")
        .and_then(|()| output.flush())
        .is_err()
    {
        process::exit(0);
    }
}

struct Engine {
    game: Game,
    rules: &'static Rules,
    chess960: bool,
    /// Tells the count under way to end.
    stop: Arc<AtomicBool>,
    /// Closed at the end of the count under way, if there is one.
    finished: Option<Receiver<()>>,
}

impl Engine {
    fn new() -> Engine {
        Engine {
            game: Game::new(Position::start(&CHESS)),
            rules: &CHESS,
            chess960: false,
            stop: Arc::default(),
            finished: None,
        }
    }

    /// Carries out a command. On an error nothing has changed.
    fn obey(&mut self, command: Command) -> Result<(), String> {
        match command {
            Command::Uci => introduce(),
            Command::NewGame => self.game = Game::new(Position::start(self.rules)),
            Command::Position { fen, moves } => self.set_position(fen.as_deref(), &moves)?,
            Command::SetOption { name, value } => self.set_option(&name, &value)?,
            Command::Perft { depth } => self.start_count(depth)?,
            Command::Go => self.answer_go(),
            Command::Display => say(&draw(self.game.position())),
            Command::IsReady | Command::Stop | Command::Quit => {}
        }
        Ok(())
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> Result<(), String> {
        let fen = fen.unwrap_or(self.rules.start);
        let position = Position::from_fen(self.rules, fen).map_err(|error| error.to_string())?;
        let mut game = Game::new(position);
        for (index, text) in moves.iter().enumerate() {
            game.play_uci(text)
                .map_err(|error| format!("move {}: {error}", index + 1))?;
        }
        self.game = game;
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name.to_ascii_lowercase().as_str() {
            "uci_variant" => {
                let rules =
                    Rules::named(value).ok_or_else(|| format!("unknown variant {value:?}"))?;
                self.rules = rules;
                self.game = Game::new(Position::start(rules));
                say(&format!(
                    "info string variant {} files {} ranks {} pocket 0 template fairy startpos {}",
                    rules.name, rules.files, rules.ranks, rules.start
                ));
            }
            "uci_chess960" => {
                self.chess960 = match value.to_ascii_lowercase().as_str() {
                    "true" => true,
                    "false" => false,
                    _ => return Err(format!("UCI_Chess960 is true or false, not {value:?}")),
                };
            }
            _ => return Err(format!("unknown option {name:?}")),
        }
        Ok(())
    }

    fn start_count(&mut self, depth: u32) -> Result<(), String> {
        self.stop = Arc::default();
        let (stop, chess960) = (Arc::clone(&self.stop), self.chess960);
        let position = *self.game.position();
        let (running, finished) = bounded(0);
        let count = move || {
            count_and_print(&position, depth, chess960, &stop);
            drop(running);
        };
        thread::Builder::new()
            .spawn(count)
            .map_err(|error| format!("no thread to count on: {error}"))?;
        self.finished = Some(finished);
        Ok(())
    }

    /// There is no search yet; a GUI still gets a legal move.
    fn answer_go(&mut self) {
        let position = self.game.position();
        say("info string error: this version does not search, it only counts: go perft N");
        match position.legal_moves().first() {
            Some(&mv) => say(&format!("bestmove {}", position.uci(mv, self.chess960))),
            None => say("bestmove (none)"),
        }
    }

    /// Tells a count that is under way to end.
    fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    fn is_idle(&self) -> bool {
        self.finished.is_none()
    }
}

fn introduce() {
    let variants = Rules::ALL.map(|rules| rules.name).join(" var ");
    say(&format!(
        "id name Tessera {}\n\
         id author the Tessera developers\n\
         option name UCI_Chess960 type check default false\n\
         option name UCI_Variant type combo default chess var {variants}\n\
         uciok",
        env!("CARGO_PKG_VERSION")
    ));
}

/// Prints the count of every root move and their sum, in Stockfish's format.
fn count_and_print(position: &Position, depth: u32, chess960: bool, stop: &AtomicBool) {
    let perft = Perft {
        table: None,
        stop: Some(stop),
    };
    let mut total = 0;
    for &mv in &position.legal_moves() {
        let nodes = perft.count(&position.play(mv), depth - 1);
        if stop.load(Relaxed) {
            say("info string count stopped");
            return;
        }
        total += nodes;
        say(&format!("{}: {nodes}", position.uci(mv, chess960)));
    }
    say(&format!("\nNodes searched: {total}\n"));
}

/// The board with its FEN, key and checkers.
fn draw(position: &Position) -> String {
    let rules = position.rules();
    let line = format!(" +{}", "---+".repeat(usize::from(rules.files)));
    let mut rows = vec![line.clone()];
    for rank in (0..rules.ranks).rev() {
        let letters = (0..rules.files).map(|file| {
            let piece = position.piece_at(Square::at(file, rank));
            piece.map_or(' ', Piece::letter).to_string()
        });
        let letters = letters.collect::<Vec<_>>().join(" | ");
        rows.push(format!(" | {letters} | {}", rank + 1));
        rows.push(line.clone());
    }
    let files = (0..rules.files).map(|file| Square::at(file, 0).file_letter().to_string());
    rows.push(format!("   {}", files.collect::<Vec<_>>().join("   ")));
    let checkers = position
        .checkers()
        .squares()
        .map(|square| square.to_string());
    let checkers = checkers.collect::<Vec<_>>().join(" ");
    let (rows, key) = (rows.join("\n"), position.key());
    format!("{rows}\n\nFen: {position}\nKey: {key:016X}\nCheckers: {checkers}")
}
