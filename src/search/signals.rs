//! What is said to a search while it runs: stop, or the expected move was played.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use super::Limits;

/// The switches of one search, shared by its workers and whoever ordered it.
pub struct Signals {
    /// The workers are to end. The one stop flag.
    halt: AtomicBool,
    /// Times do not count yet.
    pondering: AtomicBool,
    /// When they began to count, in nanoseconds after the start.
    clock_start: AtomicU64,
    started: Instant,
    /// Only `stop` lets the answer go.
    infinite: bool,
    /// The answer must not be given yet.
    held: Mutex<bool>,
    released: Condvar,
}

impl Signals {
    pub fn new(limits: &Limits, started: Instant) -> Signals {
        Signals {
            halt: AtomicBool::new(false),
            pondering: AtomicBool::new(limits.ponder),
            clock_start: AtomicU64::new(0),
            started,
            infinite: limits.infinite,
            held: Mutex::new(limits.ponder || limits.infinite),
            released: Condvar::new(),
        }
    }

    /// Ends the search: the answer is wanted now.
    pub fn stop(&self) {
        self.halt();
        self.pondering.store(false, Release);
        self.release();
    }

    /// The expected move was played: from now on it is an ordinary search.
    pub fn ponderhit(&self, now: Instant) {
        let waited = now.saturating_duration_since(self.started);
        self.clock_start.store(waited.as_nanos() as u64, Relaxed);
        self.pondering.store(false, Release);
        if !self.infinite {
            self.release();
        }
    }

    /// Nobody will say anything any more: the search may end by itself.
    pub fn let_finish(&self, now: Instant) {
        if self.is_pondering() {
            self.ponderhit(now);
        }
        self.release();
    }

    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Acquire)
    }

    /// Whether the answer has to be kept for now.
    pub fn is_held(&self) -> bool {
        *self.held.lock()
    }

    /// Ends the work, but not the wait for whoever must let the answer go.
    pub(super) fn halt(&self) {
        self.halt.store(true, Relaxed);
    }

    #[inline]
    pub(super) fn is_halted(&self) -> bool {
        self.halt.load(Relaxed)
    }

    /// The time since the search began.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The time that counts against the clock.
    pub(super) fn clock_elapsed(&self) -> Duration {
        let start = Duration::from_nanos(self.clock_start.load(Relaxed));
        self.elapsed().saturating_sub(start)
    }

    /// Sleeps until the answer may be given.
    pub(super) fn wait_until_released(&self) {
        self.released
            .wait_while(&mut self.held.lock(), |held| *held);
    }

    fn release(&self) {
        *self.held.lock() = false;
        self.released.notify_all();
    }
}
