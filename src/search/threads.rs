//! The pool: threads that live as long as it does and sleep between searches.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, unbounded};
use parking_lot::{Condvar, Mutex};

use super::job::Job;
use super::table::Table;
use super::worker::{Memory, Searcher};
use super::{Report, Request};

/// More threads than this are refused.
pub const MAX_THREADS: usize = 256;

/// Deep recursion must not depend on what the system gives a thread.
const STACK: usize = 16 << 20;

/// What the threads of the pool have in common.
struct Shared {
    state: Mutex<State>,
    /// A job has come, or the end.
    wake: Condvar,
    /// A worker has gone back to sleep.
    asleep: Condvar,
    finished: Sender<()>,
}

struct State {
    job: Option<Arc<Job>>,
    /// Counts the jobs.
    number: u64,
    /// Workers that have not finished the job.
    busy: usize,
    retire: bool,
}

/// Search threads, parked between searches.
pub struct Pool {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
    finished: Receiver<()>,
    game_number: u64,
}

impl Pool {
    /// A pool of this many threads, if they can be had.
    pub fn new(threads: usize) -> Result<Pool, String> {
        let (sender, finished) = unbounded();
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                job: None,
                number: 0,
                busy: 0,
                retire: false,
            }),
            wake: Condvar::new(),
            asleep: Condvar::new(),
            finished: sender,
        });
        let mut pool = Pool {
            shared,
            workers: Vec::new(),
            finished,
            game_number: 0,
        };
        for index in 0..threads.clamp(1, MAX_THREADS) {
            let shared = Arc::clone(&pool.shared);
            let worker = thread::Builder::new()
                .name(format!("search {index}"))
                .stack_size(STACK)
                .spawn(move || work(&shared, index));
            match worker {
                Ok(worker) => pool.workers.push(worker),
                Err(error) => return Err(format!("no more than {index} threads: {error}")),
            }
        }
        Ok(pool)
    }

    pub fn threads(&self) -> usize {
        self.workers.len()
    }

    /// What was learned from the game so far is of no use any more.
    pub fn forget(&mut self) {
        self.game_number += 1;
    }

    /// Begins a search. A running one is waited for.
    pub fn start(
        &mut self,
        request: Request,
        table: &Arc<Table>,
        report: Arc<dyn Report>,
    ) -> Arc<Job> {
        table.grow_older();
        let workers = self.workers.len();
        let job = Job::new(request, table, report, self.game_number, workers);
        let job = Arc::new(job);
        let mut state = self.shared.state.lock();
        let asleep = &self.shared.asleep;
        asleep.wait_while(&mut state, |state| state.busy > 0);
        state.job = Some(Arc::clone(&job));
        state.number += 1;
        state.busy = workers;
        self.shared.wake.notify_all();
        job
    }

    /// Gets a message at the end of each search, after its answer was given and all
    /// workers sleep.
    pub fn finished(&self) -> &Receiver<()> {
        &self.finished
    }
}

/// Ends the threads. A search must have been stopped before, or it is waited for.
impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.state.lock().retire = true;
        self.shared.wake.notify_all();
        for worker in self.workers.drain(..) {
            // Panics have been dealt with where they happened.
            let _ = worker.join();
        }
    }
}

/// The life of a worker.
fn work(shared: &Shared, index: usize) {
    let mut memory = Memory::new();
    let mut game_number = 0;
    let mut done = 0;
    loop {
        let mut state = shared.state.lock();
        let is_idle = |state: &mut State| state.number == done && !state.retire;
        shared.wake.wait_while(&mut state, is_idle);
        if state.number == done {
            return;
        }
        done = state.number;
        let job = state.job.clone();
        drop(state);
        if let Some(job) = job {
            if job.game_number != game_number {
                memory = Memory::new();
                game_number = job.game_number;
            }
            memory.history.forget_killers();
            if !search(&job, &mut memory, index) {
                memory = Memory::new();
            }
        }
        let mut state = shared.state.lock();
        state.busy -= 1;
        if state.busy == 0 {
            state.job = None;
            // Nobody may be listening any more.
            let _ = shared.finished.send(());
        }
        drop(state);
        shared.asleep.notify_all();
    }
}

/// Does one worker's part of a job. Whatever goes wrong in it, the answer is given.
/// Returns whether all went well.
fn search(job: &Job, memory: &mut Memory, index: usize) -> bool {
    let search = || Searcher::new(job, memory, index).deepen();
    let result = catch_unwind(AssertUnwindSafe(search));
    if let Err(panic) = &result {
        let message = format!("search thread {index}: {}", panic_text(&**panic));
        let trouble = || job.tell(|report| report.trouble(&message));
        let _ = catch_unwind(AssertUnwindSafe(trouble));
    }
    let is_well = result.is_ok();
    if index == 0 {
        job.signals.halt();
        job.signals.wait_until_released();
        job.answer();
    }
    is_well
}

/// What a panic said, marked as a fault of ours.
pub fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    format!("internal error: {}", text.unwrap_or("unknown"))
}
