//! A search takes its memory at the start, and none while it runs.

#![allow(unsafe_code)] // An allocator cannot do without.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Instant;

use tessera::board::{Game, Position, Rules};
use tessera::engine::Engine;
use tessera::search::{Best, Limits, Progress, Report};

/// Counts what is asked for, except by the thread that waits for the answer: the first time
/// it has to, its lock may need memory for a queue.
struct Counting;

static COUNT: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static WAITS: Cell<bool> = const { Cell::new(false) };
}

fn count() {
    if !WAITS.get() {
        COUNT.fetch_add(1, SeqCst);
    }
}

// SAFETY: every call is handed on to the allocator of the system as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Notes the count at the first and at the last iteration.
#[derive(Default)]
struct Watch {
    first: AtomicUsize,
    last: AtomicUsize,
    iterations: AtomicUsize,
}

impl Report for Watch {
    fn progress(&self, _: &Progress) {
        let count = COUNT.load(SeqCst);
        if self.iterations.fetch_add(1, SeqCst) == 0 {
            self.first.store(count, SeqCst);
        }
        self.last.store(count, SeqCst);
    }

    fn done(&self, _: &Progress, _: Best) {}

    fn trouble(&self, message: &str) {
        panic!("{message}");
    }
}

#[test]
fn a_search_allocates_nothing_after_its_start() {
    WAITS.set(true);
    let mut engine = Engine::new().expect("an engine");
    for lines in [1, 3] {
        engine.settings.lines = lines;
        for rules in Rules::ALL {
            engine.set_rules(rules);
            engine.new_game();
            engine.set_game(Game::new(Position::start(rules)));
            let report = Arc::new(Watch::default());
            let limits = Limits {
                depth: Some(9),
                ..Limits::default()
            };
            engine.go(
                limits,
                Instant::now(),
                Arc::clone(&report) as Arc<dyn Report>,
            );
            engine.wait();
            assert!(report.iterations.load(SeqCst) >= 9);
            let (first, last) = (report.first.load(SeqCst), report.last.load(SeqCst));
            assert!(first > 0, "nothing is counted");
            assert_eq!(first, last, "{} with {lines} lines", rules.name);
        }
    }
}
