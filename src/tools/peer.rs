//! Another engine, over pipes: a child process that speaks UCI.
//!
//! Threads of its own read what it says, so that one that has fallen silent, floods us or has
//! ended is noticed. Whatever happens, the child ends with the value that stands for it.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded, select};
use parking_lot::Mutex;

use super::stop::Stop;

/// How an engine is started.
#[derive(Clone, Debug)]
pub struct Launch {
    /// What people call it.
    pub name: String,
    pub program: PathBuf,
    pub arguments: Vec<String>,
    /// Where it runs; `None` for where we do.
    pub folder: Option<PathBuf>,
}

/// What an engine says, and when it came.
#[derive(Clone, Debug)]
pub struct Line {
    pub text: String,
    pub at: Instant,
}

/// Why an engine is of no more use. The words name it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// It could not be started, or has ended.
    Ended(String),
    /// It does not answer.
    Silent(String),
    /// It has no such option, or not with such a value.
    Refused(String),
    /// We were asked to stop.
    Stopped,
}

impl Trouble {
    /// What there is to tell.
    pub fn words(self) -> String {
        match self {
            Trouble::Ended(words) | Trouble::Silent(words) | Trouble::Refused(words) => words,
            Trouble::Stopped => "stopped".to_string(),
        }
    }
}

/// How long an engine may take for everything but thinking: large tables and networks take time.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long it may take to end.
const GRACE: Duration = Duration::from_secs(1);
/// Longer lines are cut.
const LINE_BYTES: u64 = 1 << 16;
/// Lines that wait for us; the engine must wait for more.
const LINES: usize = 4096;
/// So many of its last complaints are kept.
const COMPLAINTS: usize = 3;

/// An engine that has answered `uci`.
pub struct Peer {
    name: String,
    child: Child,
    input: ChildStdin,
    lines: Receiver<Line>,
    /// The end of what it wrote to standard error.
    complaints: Arc<Mutex<VecDeque<String>>>,
    /// Closes when all of that has been read.
    complaints_end: Receiver<()>,
    offers: Vec<Offer>,
    stop: Stop,
    /// Nobody must be asked to end any more.
    is_over: bool,
}

impl Peer {
    /// Starts an engine and reads its options.
    pub fn start(launch: &Launch, stop: &Stop) -> Result<Peer, Trouble> {
        let fail = |error: &dyn std::fmt::Display| {
            let (name, program) = (&launch.name, launch.program.display());
            Trouble::Ended(format!("{name}: cannot start {program}: {error}"))
        };
        let mut command = Command::new(&launch.program);
        command
            .args(&launch.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(folder) = &launch.folder {
            command.current_dir(folder);
        }
        set_apart(&mut command);
        let mut child = command.spawn().map_err(|error| fail(&error))?;
        let (Some(input), Some(output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(fail(&"no pipes"));
        };
        let (sender, lines) = bounded(LINES);
        let complaints = Arc::<Mutex<VecDeque<String>>>::default();
        let (complaining, complaints_end) = bounded::<()>(0);
        let peer = Peer {
            name: launch.name.clone(),
            child,
            input,
            lines,
            complaints: Arc::clone(&complaints),
            complaints_end,
            offers: Vec::new(),
            stop: stop.clone(),
            is_over: false,
        };
        let listener = read_lines(output, move |line| sender.send(line).is_ok());
        listener.map_err(|error| fail(&error))?;
        let listener = read_lines(errors, move |line| {
            let _open = &complaining;
            let mut kept = complaints.lock();
            kept.push_back(line.text.chars().take(200).collect());
            if kept.len() > COMPLAINTS {
                kept.pop_front();
            }
            true
        });
        listener.map_err(|error| fail(&error))?;
        peer.introduced()
    }

    fn introduced(mut self) -> Result<Peer, Trouble> {
        self.renew_offers()?;
        Ok(self)
    }

    /// Asks for the options, of which others may have made more.
    pub fn renew_offers(&mut self) -> Result<(), Trouble> {
        self.say("uci")?;
        let lines = self.hear_until("uciok", PATIENCE)?;
        let offers = lines.iter().filter_map(|line| Offer::read(&line.text));
        self.offers = offers.collect();
        Ok(())
    }

    /// The option with this name, in any case.
    pub fn offer(&self, name: &str) -> Option<&Offer> {
        let mut offers = self.offers.iter();
        offers.find(|offer| offer.name.eq_ignore_ascii_case(name))
    }

    /// Sets an option that it must have, to a value that it must allow.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Trouble> {
        let refused = |words: String| Trouble::Refused(format!("{}: {words}", self.name));
        let Some(offer) = self.offer(name) else {
            let names: Vec<&str> = self.offers.iter().map(|offer| &*offer.name).collect();
            let names = if names.is_empty() {
                "none at all".to_string()
            } else {
                names.join(", ")
            };
            return Err(refused(format!("there is no option {name}, but {names}")));
        };
        let line = offer.line(value).map_err(refused)?;
        self.say(&line)
    }

    /// Writes a line.
    pub fn say(&mut self, line: &str) -> Result<(), Trouble> {
        let line = line.replace(['\n', '\r'], " ") + "\n";
        let said = self.input.write_all(line.as_bytes());
        match said.and_then(|()| self.input.flush()) {
            Ok(()) => Ok(()),
            Err(_) => Err(self.ended()),
        }
    }

    /// The next line, if it comes in time.
    pub fn hear(&mut self, patience: Duration) -> Result<Line, Trouble> {
        // `None` is the end of its output.
        let heard = select! {
            recv(self.lines) -> line => Some(line.ok()),
            recv(self.stop.channel()) -> _ => return Err(Trouble::Stopped),
            default(patience) => None,
        };
        match heard {
            Some(Some(line)) => Ok(line),
            Some(None) => Err(self.ended()),
            None => Err(Trouble::Silent(format!("{} does not answer", self.name))),
        }
    }

    /// The lines up to the first whose first word is this one, which is the last of them. Of very
    /// many, the first are forgotten.
    pub fn hear_until(&mut self, word: &str, patience: Duration) -> Result<Vec<Line>, Trouble> {
        let asked = Instant::now();
        let mut lines = Vec::new();
        let seconds = patience.as_secs_f64();
        loop {
            let line = match self.hear(patience.saturating_sub(asked.elapsed())) {
                Err(Trouble::Silent(words)) => {
                    let words = format!("{words}: no {word} in {seconds:.1} s");
                    return Err(Trouble::Silent(words));
                }
                other => other?,
            };
            let is_last = line.text.split_whitespace().next() == Some(word);
            // Who talks without end does not answer either.
            if !is_last && line.at.saturating_duration_since(asked) > patience {
                let words = format!("{} talks on: no {word} in {seconds:.1} s", self.name);
                return Err(Trouble::Silent(words));
            }
            // An engine that talks without end must not fill the memory; the last words count.
            if lines.len() >= LINES {
                lines.drain(..LINES / 2);
            }
            lines.push(line);
            if is_last {
                return Ok(lines);
            }
        }
    }

    /// Waits until it has done all it was told.
    pub fn wait_ready(&mut self) -> Result<(), Trouble> {
        self.say("isready")?;
        self.hear_until("readyok", PATIENCE).map(drop)
    }

    /// What is known about one that has ended.
    fn ended(&mut self) -> Trouble {
        self.is_over = true;
        let status = match self.await_exit(Instant::now()) {
            Some(status) => status.to_string(),
            None => "closed its output".to_string(),
        };
        let _ = self.complaints_end.recv_timeout(GRACE);
        let complaints = self.complaints.lock();
        let complaints = complaints.iter().map(|line| format!(" | {line}"));
        let complaints: String = complaints.collect();
        Trouble::Ended(format!("{} ended ({status}){complaints}", self.name))
    }

    /// How it ended, if it does so soon.
    fn await_exit(&mut self, asked: Instant) -> Option<std::process::ExitStatus> {
        loop {
            match self.child.try_wait() {
                Ok(None) if asked.elapsed() < GRACE => thread::sleep(Duration::from_millis(1)),
                other => return other.ok().flatten(),
            }
        }
    }

    /// Ends it without asking.
    pub fn kill(&mut self) {
        self.is_over = true;
        kill_group(&mut self.child);
        let _ = self.child.wait();
    }

    /// Asks it to end; one that does not is ended.
    fn end(&mut self) {
        let asked = Instant::now();
        if !self.is_over {
            let _ = self.say("quit");
        }
        // As long as anybody else writes to its output, the child is not all there is to end.
        loop {
            let left = GRACE.saturating_sub(asked.elapsed());
            match self.lines.recv_timeout(left) {
                Err(error) if error.is_disconnected() => break,
                Ok(_) if !left.is_zero() => {}
                _ => return self.kill(),
            }
        }
        if self.await_exit(asked).is_none() {
            self.kill();
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.end();
    }
}

/// Reads lines on a thread of its own, until they end or nobody wants more.
fn read_lines(
    source: impl Read + Send + 'static,
    mut take: impl FnMut(Line) -> bool + Send + 'static,
) -> io::Result<()> {
    let read = move || {
        let mut source = BufReader::new(source);
        let mut bytes = Vec::new();
        while matches!(
            (&mut source).take(LINE_BYTES).read_until(b'\n', &mut bytes),
            Ok(1..)
        ) {
            let at = Instant::now();
            let text = String::from_utf8_lossy(&bytes).trim().to_string();
            if !take(Line { text, at }) {
                break;
            }
            bytes.clear();
        }
    };
    thread::Builder::new().spawn(read).map(drop)
}

/// A group of its own: an interrupt from the keyboard is meant for us, and we end the children;
/// and with a script that calls the engine, both can be ended.
fn set_apart(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(windows)]
    {
        const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
        std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP);
    }
    #[cfg(not(any(unix, windows)))]
    let _ = command;
}

/// Ends a child that nobody has waited for, so that its number is still its own.
fn kill_group(child: &mut Child) {
    #[cfg(unix)]
    {
        use nix::sys::signal::{Signal, killpg};
        use nix::unistd::Pid;
        let _ = killpg(Pid::from_raw(child.id() as i32), Signal::SIGKILL);
    }
    let _ = child.kill();
}

/// An option that an engine has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    pub name: String,
    kind: String,
    /// The bounds of a number.
    least: i64,
    most: i64,
    /// The words among which there is a choice.
    pub choices: Vec<String>,
}

impl Offer {
    /// Reads `option name … type …`.
    fn read(line: &str) -> Option<Offer> {
        let rest = line.strip_prefix("option")?.trim_start();
        let (name, rest) = rest.strip_prefix("name ")?.split_once(" type ")?;
        let mut parts = rest.split(" var ");
        let words: Vec<&str> = parts.next()?.split_whitespace().collect();
        let bound = |name: &str, none: i64| {
            let at = words.iter().position(|word| *word == name);
            let text = at.and_then(|at| words.get(at + 1));
            text.and_then(|text| text.parse().ok()).unwrap_or(none)
        };
        Some(Offer {
            name: name.trim().to_string(),
            kind: (*words.first()?).to_string(),
            least: bound("min", i64::MIN),
            most: bound("max", i64::MAX),
            choices: parts.map(|part| part.trim().to_string()).collect(),
        })
    }

    /// The choice that is this word in any case.
    pub fn choice(&self, value: &str) -> Option<&str> {
        let mut choices = self.choices.iter();
        let choice = choices.find(|choice| choice.eq_ignore_ascii_case(value));
        choice.map(String::as_str)
    }

    /// The command that sets it.
    fn line(&self, value: &str) -> Result<String, String> {
        let Offer {
            name, least, most, ..
        } = self;
        let value = match self.kind.as_str() {
            "button" => return Ok(format!("setoption name {name}")),
            "check" => match value.to_ascii_lowercase().as_str() {
                flag @ ("true" | "false") => flag.to_string(),
                _ => return Err(format!("{name} is true or false, not {value}")),
            },
            "spin" => match value.parse::<i64>() {
                Ok(number) if (*least..=*most).contains(&number) => number.to_string(),
                _ => return Err(format!("{name} is from {least} to {most}, not {value}")),
            },
            "combo" => {
                let choices = || self.choices.join(", ");
                let refused = || format!("{name} is one of {}, not {value}", choices());
                self.choice(value).ok_or_else(refused)?.to_string()
            }
            _ if value.is_empty() => "<empty>".to_string(),
            _ => value.to_string(),
        };
        Ok(format!("setoption name {name} value {value}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_take_what_they_say() {
        let hash = Offer::read("option name Hash type spin default 16 min 1 max 1024");
        let clear = Offer::read("option name Clear Hash type button");
        let ponder = Offer::read("option name Ponder type check default false");
        let game =
            Offer::read("option name UCI_Variant type combo default chess var chess var a b");
        let path = Offer::read("option name Path type string default <empty>");
        let set = |offer: &Option<Offer>, value: &str| {
            let offer = offer.as_ref().expect("an option");
            offer.line(value).map_err(|error| error.contains(value))
        };
        let line = |text: &str| Ok(text.to_string());
        let rows = [
            (&hash, "64", line("setoption name Hash value 64")),
            (&hash, "0", Err(true)),
            (&hash, "x", Err(true)),
            (&clear, "", line("setoption name Clear Hash")),
            (&ponder, "True", line("setoption name Ponder value true")),
            (&ponder, "yes", Err(true)),
            (
                &game,
                "CHESS",
                line("setoption name UCI_Variant value chess"),
            ),
            (&game, "a b", line("setoption name UCI_Variant value a b")),
            (&game, "shogi", Err(true)),
            (&path, "", line("setoption name Path value <empty>")),
            (&path, "C:\\a b", line("setoption name Path value C:\\a b")),
        ];
        for (offer, value, expected) in rows {
            assert_eq!(set(offer, value), expected, "{offer:?} {value:?}");
        }
        assert_eq!(Offer::read("info option name A type spin"), None);
        assert_eq!(Offer::read("option name A type "), None);
    }
}
