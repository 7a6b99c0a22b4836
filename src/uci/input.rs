//! The thread that owns the input: bytes become lines, lines become commands.

use std::io::{BufRead, ErrorKind};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, unbounded};

use crate::search::panic_text;

use super::command::{self, Command};
use super::output::Output;

/// Longer lines are refused. The moves of a game of 6,000 plies take 30 kB.
const MAX_LINE: usize = 1 << 20;

/// A line that came in: what it asks for, or what is wrong with it.
pub struct Received {
    pub command: Result<Command, String>,
    /// When it was read. Clocks run from here.
    pub at: Instant,
    /// About what it takes to keep it, in bytes.
    pub size: usize,
}

/// Lines that nobody has taken yet may add up to this size; then the sender has to wait.
const MAX_PENDING: usize = 64 << 20;

/// The receiving end of the input.
pub struct Listener {
    pub channel: Receiver<Received>,
    pending: Arc<AtomicUsize>,
}

impl Listener {
    /// To be told of every line that is taken from the channel.
    pub fn taken(&self, received: &Received) {
        self.pending.fetch_sub(received.size, Relaxed);
    }
}

/// Starts the thread. The channel closes at the end of the input.
///
/// It reads on even if nothing is taken, because `quit` must be seen in any case.
pub fn listen(
    mut input: impl BufRead + Send + 'static,
    output: Arc<Output>,
) -> Result<Listener, String> {
    let (sender, channel) = unbounded();
    let pending = Arc::new(AtomicUsize::new(0));
    let listener = Listener {
        channel,
        pending: Arc::clone(&pending),
    };
    let read = move || {
        while let Some(line) = read_line(&mut input) {
            let at = Instant::now();
            if let Ok(line) = &line {
                output.hear(line.trim_end());
            }
            // Moves take several times their letters.
            let size = 256 + 8 * line.as_ref().map_or(0, String::len);
            let Some(command) = line.and_then(|line| understand(&line)).transpose() else {
                continue;
            };
            if command == Ok(Command::Quit) {
                output.watch();
            }
            while pending.load(Relaxed) > MAX_PENDING {
                thread::sleep(Duration::from_millis(1));
            }
            pending.fetch_add(size, Relaxed);
            if sender.send(Received { command, at, size }).is_err() {
                return;
            }
        }
    };
    let thread = thread::Builder::new().name("input".to_string());
    let spawned = thread.spawn(read);
    spawned.map_err(|error| format!("no thread for the input: {error}"))?;
    Ok(listener)
}

/// Reads a command. Should the parser fail, the line is lost, not the engine.
fn understand(line: &str) -> Result<Option<Command>, String> {
    let parse = AssertUnwindSafe(|| command::parse(line));
    catch_unwind(parse).unwrap_or_else(|panic| Err(panic_text(&*panic)))
}

/// The next line, or what is wrong with it. `None` at the end of the input.
fn read_line(input: &mut impl BufRead) -> Option<Result<String, String>> {
    let mut line = Vec::new();
    let mut is_too_long = false;
    loop {
        let (used, is_whole) = match input.fill_buf() {
            Ok([]) => break,
            Ok(bytes) => {
                let end = bytes.iter().position(|byte| *byte == b'\n');
                let part = end.map_or(bytes, |end| &bytes[..end]);
                is_too_long |= line.len() + part.len() > MAX_LINE;
                if !is_too_long {
                    line.extend_from_slice(part);
                }
                (end.map_or(bytes.len(), |end| end + 1), end.is_some())
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            // Nothing there for now is not the end.
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                thread::sleep(Duration::from_millis(1));
                continue;
            }
            Err(_) => break,
        };
        input.consume(used);
        if is_whole {
            return Some(whole(&line, is_too_long));
        }
    }
    // The last line may lack its end.
    let is_empty = line.is_empty() && !is_too_long;
    (!is_empty).then(|| whole(&line, is_too_long))
}

fn whole(line: &[u8], is_too_long: bool) -> Result<String, String> {
    if is_too_long {
        return Err(format!("a line of more than {MAX_LINE} bytes"));
    }
    Ok(String::from_utf8_lossy(line).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{self, BufReader, Read};

    /// Gives one byte at a time, and between them nothing for now.
    struct Hesitant(Vec<u8>, bool);

    impl Read for Hesitant {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(ErrorKind::WouldBlock.into());
            }
            if self.0.is_empty() {
                return Ok(0);
            }
            buffer[0] = self.0.remove(0);
            Ok(1)
        }
    }

    #[test]
    fn lines_are_read_whatever_the_stream_does() {
        let mut input = BufReader::new(Hesitant(b"one\r\n\ntwo\xff\nthree".to_vec(), false));
        let mut next = || read_line(&mut input);
        assert_eq!(next(), Some(Ok("one\r".to_string())));
        assert_eq!(next(), Some(Ok(String::new())));
        assert_eq!(next(), Some(Ok("two\u{fffd}".to_string())));
        assert_eq!(next(), Some(Ok("three".to_string())));
        assert_eq!(next(), None);
    }

    #[test]
    fn a_line_too_long_is_skipped_to_its_end() {
        let mut text = vec![b'a'; MAX_LINE];
        text.extend_from_slice(b"\n");
        text.extend_from_slice(&vec![b'a'; MAX_LINE + 1]);
        text.extend_from_slice(b"\nisready");
        let mut input = BufReader::new(&text[..]);
        assert!(read_line(&mut input).is_some_and(|line| line.is_ok()));
        assert!(read_line(&mut input).is_some_and(|line| line.is_err()));
        assert_eq!(read_line(&mut input), Some(Ok("isready".to_string())));
        assert_eq!(read_line(&mut input), None);
    }
}
