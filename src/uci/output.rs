//! The one way out: whole lines, one at a time, whoever they come from.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::types::json::Object;

/// Whom the output is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// A GUI or a script: the protocol and nothing else.
    Protocol,
    /// A person.
    Terminal,
    /// The same with colours.
    Colour,
    /// A program: one JSON object a line.
    Json,
}

/// Standard output, or whatever stands for it, shared by all threads.
pub struct Output {
    writer: Mutex<Box<dyn Write + Send>>,
    /// What to do when nothing can be written any more.
    on_closed: fn(&io::Error),
    style: Mutex<Style>,
    /// Has a lock of its own: who reads must not wait for who writes.
    log: Mutex<Option<File>>,
    errors: AtomicUsize,
    is_watched: AtomicBool,
    /// When the write under way began.
    writing_since: Mutex<Option<Instant>>,
    started: Instant,
}

/// A write that takes longer than this has no reader.
const STUCK: Duration = Duration::from_secs(5);

impl Output {
    pub fn new(writer: Box<dyn Write + Send>, style: Style, on_closed: fn(&io::Error)) -> Output {
        Output {
            writer: Mutex::new(writer),
            on_closed,
            style: Mutex::new(style),
            log: Mutex::new(None),
            errors: AtomicUsize::new(0),
            is_watched: AtomicBool::new(false),
            writing_since: Mutex::new(None),
            started: Instant::now(),
        }
    }

    pub fn style(&self) -> Style {
        *self.style.lock()
    }

    pub fn set_style(&self, style: Style) {
        *self.style.lock() = style;
    }

    pub fn is_for_people(&self) -> bool {
        matches!(self.style(), Style::Terminal | Style::Colour)
    }

    /// Writes lines, all of them before anyone else's.
    pub fn say(&self, text: &str) {
        let bytes = [text.as_bytes(), b"\n"].concat();
        let mut writer = self.writer.lock();
        *self.writing_since.lock() = Some(Instant::now());
        if let Err(error) = write(&mut **writer, &bytes) {
            (self.on_closed)(&error);
        }
        *self.writing_since.lock() = None;
        for line in text.lines() {
            self.record("<<", line);
        }
    }

    /// After `quit`: ends the program if nobody reads what it still has to say, for then it
    /// can neither say it nor end.
    pub fn watch(self: &Arc<Output>) {
        if self.is_watched.swap(true, Relaxed) {
            return;
        }
        let output = Arc::downgrade(self);
        let watch = move || {
            while let Some(output) = output.upgrade() {
                let since = *output.writing_since.lock();
                if since.is_some_and(|since| since.elapsed() > STUCK) {
                    (output.on_closed)(&ErrorKind::BrokenPipe.into());
                    return;
                }
                drop(output);
                thread::sleep(STUCK / 20);
            }
        };
        // Without a thread for it the session just ends in its own time.
        let _ = thread::Builder::new()
            .name("watch".to_string())
            .spawn(watch);
    }

    /// Plain text, or an object for a program.
    pub fn render(&self, text: impl FnOnce() -> String, object: impl FnOnce() -> Object) -> String {
        match self.style() {
            Style::Json => object().end(),
            _ => text(),
        }
    }

    /// Says something in plain text, or to a program as an object.
    pub fn answer(&self, text: impl FnOnce() -> String, object: impl FnOnce() -> Object) {
        self.say(&self.render(text, object));
    }

    /// A remark.
    pub fn note(&self, text: &str) {
        self.say(&self.render_note(text));
    }

    pub fn render_note(&self, text: &str) -> String {
        let text = one_line(text);
        match self.style() {
            Style::Protocol => format!("info string {text}"),
            Style::Terminal | Style::Colour => text,
            Style::Json => Object::new("note").text("text", &text).end(),
        }
    }

    /// What was wrong with a command, or with the engine.
    pub fn error(&self, text: &str) {
        self.say(&self.render_error(text));
    }

    pub fn render_error(&self, text: &str) -> String {
        self.errors.fetch_add(1, Relaxed);
        let text = one_line(text);
        match self.style() {
            Style::Protocol => format!("info string error: {text}"),
            Style::Terminal => format!("error: {text}"),
            Style::Colour => format!("\x1b[31merror:\x1b[0m {text}"),
            Style::Json => Object::new("error").text("message", &text).end(),
        }
    }

    /// How many errors there were.
    pub fn errors(&self) -> usize {
        self.errors.load(Relaxed)
    }

    /// Records a line that came in.
    pub fn hear(&self, line: &str) {
        self.record(">>", line);
    }

    /// Begins to record both directions at the end of a file; an empty name ends it.
    pub fn log_to(&self, path: &str) -> Result<(), String> {
        let refuse = |reason: &str| Err(format!("cannot write to {path:?}: {reason}"));
        let log = match fs::metadata(path) {
            _ if path.is_empty() => None,
            // A pipe without a reader would hang whoever opens it.
            Ok(data) if !data.is_file() => return refuse("it is no file"),
            _ => match OpenOptions::new().create(true).append(true).open(path) {
                Ok(file) => Some(file),
                Err(error) => return refuse(&error.to_string()),
            },
        };
        *self.log.lock() = log;
        Ok(())
    }

    /// Seconds since the start, direction, line. A full disk is no reason to stop.
    fn record(&self, direction: &str, line: &str) {
        if let Some(log) = self.log.lock().as_mut() {
            let seconds = self.started.elapsed().as_secs_f64();
            let _ = writeln!(log, "{seconds:.6} {direction} {line}");
        }
    }
}

/// Writes all bytes. A pipe that takes none for now is asked again.
fn write(writer: &mut dyn Write, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match writer.write(bytes) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(count) => bytes = &bytes[count..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                thread::sleep(Duration::from_millis(1));
            }
            Err(error) => return Err(error),
        }
    }
    writer.flush()
}

/// A message must not break out of its line, nor fill a screen.
pub fn one_line(text: &str) -> String {
    let is_plain = |letter: char| !letter.is_control();
    text.chars()
        .take(MAX_MESSAGE)
        .map(|letter| if is_plain(letter) { letter } else { ' ' })
        .collect()
}

const MAX_MESSAGE: usize = 500;
