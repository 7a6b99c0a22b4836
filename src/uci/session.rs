//! What is done when: at once, in its turn, or after the search under way.

use std::collections::VecDeque;
use std::io::BufRead;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{RecvTimeoutError, never, select_biased};

use crate::search::panic_text;

use super::command::Command;
use super::go::Go;
use super::input::{self, Listener, Received};
use super::options::Row;
use super::output::Output;
use super::show;
use super::state::State;

/// What a person sees first.
const WELCOME: &str = "Type 'go' to search and 'stop' to end that, a move or a FEN to set up a \
                       position, 'help' for all commands, 'quit' to leave.";

/// Commands that wait take about this much memory at most, in bytes.
const MAX_WAITING: usize = 64 << 20;

/// How long `quit` waits for the answer of a search that nobody may be reading.
const PATIENCE: Duration = Duration::from_secs(1);

/// How lines are to be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strictness {
    /// As the protocol wants it: what is no command is ignored.
    Protocol,
    /// As on a command line: what is no command is an error, and all is done in turn.
    Script,
}

/// Obeys the commands of an input until `quit` or its end, and says whether all of them
/// made sense.
///
/// Commands are carried out in their order. Those that cannot be during a search (another
/// `go`, `ucinewgame`, a new table) wait for its end, and the others behind them; but
/// `isready`, `stop`, `ponderhit` and `quit` act at once, and on all that came before.
pub fn run(
    input: impl BufRead + Send + 'static,
    output: &Arc<Output>,
    strictness: Strictness,
) -> Result<bool, String> {
    let mut session = Session {
        state: State::new(Arc::clone(output))?,
        waiting: VecDeque::new(),
        waiting_size: 0,
        heard: 0,
        stopped: 0,
        has_quit: false,
        input_is_open: true,
        strictness,
    };
    if output.is_for_people() && strictness == Strictness::Protocol {
        output.say(&format!("{}\n{WELCOME}\n", show::VERSION));
        session.state.draw_for_people();
    }
    let listener = input::listen(input, Arc::clone(output))?;
    session.run(&listener);
    session.leave();
    Ok(output.errors() == 0)
}

/// A command that waits for its turn.
struct Waiting {
    received: Received,
    /// The how-manieth it is.
    number: u64,
}

struct Session {
    state: State,
    waiting: VecDeque<Waiting>,
    waiting_size: usize,
    /// How many commands have been heard.
    heard: u64,
    /// Those up to this number have been stopped.
    stopped: u64,
    /// `quit` was heard, and waits only for what must come to its end before.
    has_quit: bool,
    input_is_open: bool,
    strictness: Strictness,
}

impl Session {
    fn run(&mut self, listener: &Listener) {
        loop {
            self.catch_up();
            let is_over = self.has_quit || !self.input_is_open;
            if is_over && !self.state.is_busy() {
                return;
            }
            // What ends by itself may let the sender wait.
            let is_full = self.waiting_size > MAX_WAITING && self.will_end();
            let closed = never();
            let commands = if self.input_is_open && !is_full {
                &listener.channel
            } else {
                &closed
            };
            let quiet = never();
            let busy = self.state.finished();
            let finished = if self.state.is_busy() { &busy } else { &quiet };
            select_biased! {
                recv(commands) -> received => {
                    let Ok(received) = received else {
                        self.end_input();
                        continue;
                    };
                    listener.taken(&received);
                    let hear = AssertUnwindSafe(|| self.hear(received));
                    let is_last = catch_unwind(hear).unwrap_or_else(|panic| {
                        self.state.output.error(&panic_text(&*panic));
                        false
                    });
                    if is_last {
                        return;
                    }
                },
                recv(finished) -> _ => self.state.rest(),
            }
        }
    }

    /// Whether a person is typing.
    fn is_person(&self) -> bool {
        self.strictness == Strictness::Protocol && self.state.output.is_for_people()
    }

    /// Whether what is under way ends by itself.
    fn will_end(&self) -> bool {
        self.state.has_task() || self.state.engine.will_end()
    }

    /// The input is at its end: whatever would wait for a word from there must not.
    fn end_input(&mut self) {
        self.input_is_open = false;
        self.state.engine.let_finish();
    }

    /// Carries out what has waited for its turn.
    fn catch_up(&mut self) {
        while !self.state.is_busy()
            && let Some(next) = self.waiting.pop_front()
        {
            self.waiting_size -= next.received.size;
            self.take(next.received, next.number <= self.stopped);
        }
    }

    /// Waits for the threads of a search or a count whose last word is out to go to sleep.
    /// Who has seen that word takes it to be over.
    fn settle(&mut self) {
        if self.state.has_answered() {
            let finished = self.state.finished().recv_timeout(PATIENCE);
            if finished != Err(RecvTimeoutError::Timeout) {
                self.state.rest();
                self.catch_up();
            }
        }
    }

    /// Deals with a line as it comes in. Returns whether it was the last.
    fn hear(&mut self, received: Received) -> bool {
        let is_urgent = match received.command {
            Ok(Command::Stop) => true,
            Ok(Command::IsReady) => self.waiting.is_empty(),
            _ => false,
        };
        if !is_urgent {
            self.settle();
        }
        if self.has_quit {
            if received.command == Ok(Command::Stop) {
                self.state.stop();
                self.stopped = self.heard;
            }
            // Who says it twice does not want to wait.
            return received.command == Ok(Command::Quit);
        }
        self.heard += 1;
        match received.command {
            Ok(Command::IsReady) => self.carry_out(Command::IsReady, received.at),
            Ok(Command::Stop) => {
                self.state.stop();
                self.stopped = self.heard;
            }
            Ok(Command::PonderHit) => self.ponderhit(received.at),
            Ok(Command::Quit) => return self.quit(),
            Ok(ref command) if self.must_wait(command) => self.queue(received),
            Err(_) if !self.waiting.is_empty() => self.queue(received),
            _ => self.take(received, false),
        }
        false
    }

    /// Ends the session, at once or soon. Over a pipe it comes after the counts and the
    /// `wait`s that were asked for before, for scripts write all their commands at once; on
    /// a command line also after a search. No other search may hold it up.
    fn quit(&mut self) -> bool {
        let waiting = self
            .waiting
            .iter()
            .filter(|next| next.number > self.stopped);
        let commands =
            waiting.filter_map(|next| Some((next.number, next.received.command.as_ref().ok()?)));
        let mut has_count = self.state.has_task();
        let mut waited_for = None;
        for (number, command) in commands {
            match command {
                Command::Perft(_)
                | Command::Bench { .. }
                | Command::Explain(_)
                | Command::GenFens(_) => has_count = true,
                Command::Wait => waited_for = Some(number),
                _ => {}
            }
        }
        if self.strictness == Strictness::Script {
            waited_for = Some(self.heard);
        }
        if self.is_person() || (!has_count && waited_for.is_none()) {
            return true;
        }
        self.has_quit = true;
        // Searches that nobody waits for are only answered; the others may finish.
        match waited_for {
            Some(_) => self.state.engine.let_finish(),
            None => self.state.engine.stop(),
        }
        for next in &mut self.waiting {
            if let Ok(Command::Go(go)) = &mut next.received.command
                && Some(next.number) > waited_for
            {
                **go = Go {
                    depth: Some(1),
                    search_moves: mem::take(&mut go.search_moves),
                    ..Go::default()
                };
            }
        }
        false
    }

    /// Whether a command has to wait: behind others, or for the end of a search.
    fn must_wait(&self, command: &Command) -> bool {
        let needs_rest = match command {
            Command::Go(_)
            | Command::NewGame
            | Command::Perft(_)
            | Command::Bench { .. }
            | Command::Explain(_)
            | Command::GenFens(_)
            | Command::Wait => true,
            Command::SetOption { name, .. } => Row::named(name).is_some_and(|row| row.needs_rest),
            // A count is waited for, as scripts expect; a person may look around.
            _ => {
                let is_count = self.state.has_task() && !self.is_person();
                self.strictness == Strictness::Script || is_count
            }
        };
        !self.waiting.is_empty() || (self.state.is_busy() && needs_rest)
    }

    fn queue(&mut self, received: Received) {
        if self.waiting_size > MAX_WAITING {
            let message = "too many commands wait for the end of the search";
            self.state.output.error(message);
            return;
        }
        // A person who asks for something new has seen enough of the old.
        if self.is_person() && received.command != Ok(Command::Wait) {
            self.state.stop();
        }
        self.waiting_size += received.size;
        let number = self.heard;
        self.waiting.push_back(Waiting { received, number });
    }

    /// The expected move was played: in the search under way, or in one that waits.
    fn ponderhit(&mut self, now: Instant) {
        if self.state.engine.ponderhit(now) {
            return;
        }
        let stopped = self.stopped;
        let waiting = self.waiting.iter_mut().filter(|next| next.number > stopped);
        let mut searches = waiting.filter_map(|next| match &mut next.received.command {
            Ok(Command::Go(go)) => Some(go),
            _ => None,
        });
        if let Some(go) = searches.find(|go| go.ponder) {
            go.ponder = false;
        } else {
            let message = "ponderhit without a search that ponders";
            self.state.output.error(message);
        }
    }

    /// Carries out a command whose turn it is.
    fn take(&mut self, received: Received, is_stopped: bool) {
        match received.command {
            Err(error) => self.state.output.error(&error),
            Ok(Command::Bare(text)) if !self.state.output.is_for_people() => {
                if self.strictness == Strictness::Script {
                    let message = format!("unknown command {text:?}");
                    self.state.output.error(&message);
                }
            }
            Ok(
                Command::Perft(_)
                | Command::Bench { .. }
                | Command::Explain(_)
                | Command::GenFens(_),
            ) if is_stopped => {
                self.state.output.note("stopped before it began");
            }
            Ok(command) => {
                let is_go = matches!(command, Command::Go(_));
                self.carry_out(command, received.at);
                if is_go && is_stopped {
                    self.state.stop();
                } else if is_go && (self.has_quit || !self.input_is_open) {
                    self.state.engine.let_finish();
                }
            }
        }
    }

    /// Carries out a command. Should that fail in a way that nobody thought of, the
    /// session goes on, and a `go` is still answered.
    fn carry_out(&mut self, command: Command, received: Instant) {
        let is_go = matches!(command, Command::Go(_));
        let state = &mut self.state;
        let result = catch_unwind(AssertUnwindSafe(|| state.obey(command, received)));
        match result {
            Ok(Ok(())) => {}
            Ok(Err(error)) => self.state.output.error(&error),
            Err(panic) => {
                self.state.output.error(&panic_text(&*panic));
                if is_go && !self.state.engine.is_searching() {
                    self.state.answer_anyhow();
                }
            }
        }
    }

    /// Ends the search, but waits no longer for its answer than is sensible.
    fn leave(mut self) {
        self.state.stop();
        let is_busy = self.state.is_busy();
        let timed_out = Err(RecvTimeoutError::Timeout);
        if is_busy && self.state.finished().recv_timeout(PATIENCE) == timed_out {
            // Its thread hangs in a write. To wait for it would be to hang as well.
            mem::forget(self);
        } else {
            self.state.rest();
        }
    }
}
