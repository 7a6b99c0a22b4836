//! A conversation with the program over pipes.

#![allow(dead_code)] // Each test file uses its part.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use tessera::board::{CHESS, Game, Position, Rules};

/// Roots without a move, and with one only.
pub const MATED: &str = "position fen R6k/8/6K1/8/8/8/8/8 b - - 0 1";
pub const STALEMATED: &str = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
pub const ONE_REPLY: &str = "position fen k7/8/8/8/8/8/1r6/K7 w - - 0 1";

/// A program that takes longer to answer hangs.
pub const PATIENCE: Duration = Duration::from_mins(1);

pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Process {
    pub fn start() -> Process {
        Process::with(&[])
    }

    pub fn with(arguments: &[&str]) -> Process {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tessera"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines() {
                if sender.send(line.expect("UTF-8")).is_err() {
                    break;
                }
            }
        });
        Process {
            input: child.stdin.take(),
            child,
            lines,
        }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Writes lines.
    pub fn send(&mut self, text: &str) {
        self.send_bytes(format!("{text}\n").as_bytes());
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("open");
        input.write_all(bytes).expect("the program reads");
        input.flush().expect("the program reads");
    }

    /// Closes the input.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// The next line, or `None` at the end of the output.
    pub fn line(&self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => {
                assert!(!line.contains("internal error"), "{line}");
                Some(line)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no answer for {PATIENCE:?}"),
        }
    }

    /// All lines up to the first that begins like this, which is the last of them.
    pub fn until(&self, beginning: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.line();
            let line = line.unwrap_or_else(|| panic!("ends before {beginning:?}: {lines:?}"));
            let is_last = line.starts_with(beginning);
            lines.push(line);
            if is_last {
                return lines;
            }
        }
    }

    /// What is said within this time.
    pub fn during(&self, time: Duration) -> Vec<String> {
        let end = Instant::now() + time;
        let mut lines = Vec::new();
        while let Ok(line) = self
            .lines
            .recv_timeout(end.saturating_duration_since(Instant::now()))
        {
            lines.push(line);
        }
        lines
    }

    /// Sends a line and waits for `readyok`: what was said about it.
    pub fn ask(&mut self, text: &str) -> Vec<String> {
        self.send(text);
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// The answer to a `go`, up to `bestmove`.
    pub fn search(&mut self, go: &str) -> Answer {
        self.send(go);
        Answer::new(self.until("bestmove"))
    }

    /// Closes the input. Everything up to the end of the output, and how the program ended.
    pub fn end(mut self) -> (Vec<String>, ExitStatus) {
        self.close();
        self.rest()
    }

    /// Says `quit`, which must be enough: the input stays open.
    pub fn quit(mut self) -> Vec<String> {
        self.send("quit");
        let (lines, status) = self.rest();
        assert!(status.success(), "{status:?}");
        lines
    }

    fn rest(&mut self) -> (Vec<String>, ExitStatus) {
        let lines = std::iter::from_fn(|| self.line()).collect();
        (lines, self.child.wait().expect("a status"))
    }
}

/// A test that failed must leave no process behind.
impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a script to its end.
pub fn script(text: &str) -> Vec<String> {
    let mut process = Process::start();
    process.send(text);
    let (lines, status) = process.end();
    assert!(status.success(), "{status:?} after {text:?}: {lines:?}");
    lines
}

/// What was said between `go` and `bestmove`.
#[derive(Debug)]
pub struct Answer {
    pub lines: Vec<String>,
    pub infos: Vec<Info>,
    pub best: String,
    pub ponder: Option<String>,
}

impl Answer {
    pub fn new(lines: Vec<String>) -> Answer {
        let last = lines.last().expect("a last line").clone();
        let words: Vec<&str> = last.split(' ').collect();
        let (best, ponder) = match words[..] {
            ["bestmove", best] => (best, None),
            ["bestmove", best, "ponder", ponder] => (best, Some(ponder.to_string())),
            _ => panic!("{last}"),
        };
        let infos = lines.iter().filter_map(|line| Info::parse(line)).collect();
        Answer {
            best: best.to_string(),
            ponder,
            infos,
            lines,
        }
    }

    /// The last complete line of the best variation.
    pub fn last(&self) -> &Info {
        let mut infos = self.infos.iter().rev();
        infos.find(|info| info.multipv == 1).expect("an info line")
    }

    /// Checks everything that must hold of an answer, for a game that is not over.
    pub fn check(&self, game: &Game, chess960: bool) {
        let position = game.position();
        let best = position.parse_uci(&self.best).expect("a legal move");
        assert_eq!(position.uci(best, chess960), self.best, "notation");
        assert_eq!(self.last().pv[0], self.best, "{:#?}", self.lines);
        for info in &self.infos {
            info.check(game, chess960);
        }
        if let Some(ponder) = &self.ponder {
            let after = position.play(best);
            after.parse_uci(ponder).expect("a legal reply");
        }
    }
}

/// An `info` line with a depth.
#[derive(Clone, Debug, Default)]
pub struct Info {
    pub depth: u32,
    pub seldepth: u32,
    pub multipv: usize,
    pub score: String,
    pub is_exact: bool,
    pub wdl: Option<[u32; 3]>,
    pub nodes: u64,
    pub time: u64,
    pub pv: Vec<String>,
}

impl Info {
    /// Reads a line as strictly as the strictest GUI. `None` for other lines.
    pub fn parse(line: &str) -> Option<Info> {
        assert_eq!(line.trim_end(), line, "blanks at the end");
        let mut words = line.split(' ');
        if words.next() != Some("info") || words.next() != Some("depth") {
            return None;
        }
        let mut words = line.split(' ').skip(1);
        let mut info = Info {
            is_exact: true,
            ..Info::default()
        };
        let mut seen = Vec::new();
        while let Some(word) = words.next() {
            seen.push(word);
            let mut next = || words.next().unwrap_or_else(|| panic!("{line}"));
            let mut number = || next().parse().unwrap_or_else(|_| panic!("{line}"));
            match word {
                "depth" => info.depth = number() as u32,
                "seldepth" => info.seldepth = number() as u32,
                "multipv" => info.multipv = number() as usize,
                "score" => {
                    let kind = next();
                    assert!(kind == "cp" || kind == "mate", "{line}");
                    let value: i32 = next().parse().expect("a score");
                    info.score = format!("{kind} {value}");
                }
                "lowerbound" | "upperbound" => info.is_exact = false,
                "wdl" => info.wdl = Some([number() as u32, number() as u32, number() as u32]),
                "nodes" => info.nodes = number(),
                "time" => info.time = number(),
                "nps" | "hashfull" | "tbhits" => {
                    let _: u64 = number();
                }
                "pv" => info.pv = words.by_ref().map(str::to_string).collect(),
                _ => panic!("{word:?} in {line}"),
            }
        }
        assert!(seen.contains(&"score"), "{line}");
        if info.depth > 0 {
            for field in [
                "depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "tbhits",
                "time", "pv",
            ] {
                assert!(seen.contains(&field), "no {field} in {line}");
            }
            assert!(!info.pv.is_empty(), "{line}");
        }
        Some(info)
    }

    /// The line is legal, does not go on after the end of the game, and a mate is
    /// as long as was said.
    fn check(&self, game: &Game, chess960: bool) {
        let mut game = game.clone();
        for (index, text) in self.pv.iter().enumerate() {
            assert!(index == 0 || game.outcome().is_none(), "goes on: {self:?}");
            let position = *game.position();
            let played = game.play_uci(text);
            let mv = played.unwrap_or_else(|error| panic!("{error}: {self:?}"));
            assert_eq!(&position.uci(mv, chess960), text, "notation");
        }
        if let Some(moves) = self.score.strip_prefix("mate ")
            && self.is_exact
        {
            let moves: i32 = moves.parse().expect("a number");
            let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
            assert_eq!(self.pv.len() as i32, plies, "{self:?}");
            let mated = game.outcome() == Some(tessera::board::Outcome::Checkmate);
            assert!(mated, "no mate: {self:?}");
        }
    }
}

/// A game of orthodox chess from its start.
pub fn game(moves: &str) -> Game {
    game_of(&CHESS, CHESS.start, moves)
}

pub fn game_of(rules: &'static Rules, fen: &str, moves: &str) -> Game {
    let mut game = Game::new(Position::from_fen(rules, fen).expect("a legal position"));
    for mv in moves.split_whitespace() {
        game.play_uci(mv).expect("a legal move");
    }
    game
}

/// How many answers there are.
pub fn bestmoves(lines: &[String]) -> usize {
    let is_answer = |line: &&String| line.starts_with("bestmove ");
    lines.iter().filter(is_answer).count()
}

/// The errors among what was said.
pub fn errors(lines: &[String]) -> Vec<&String> {
    let is_error = |line: &&String| line.starts_with("info string error: ");
    lines.iter().filter(is_error).collect()
}
