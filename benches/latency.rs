//! How long a GUI waits: from the start to `uciok`, and from `stop` to `bestmove`, with
//! every core busy with something else.
//!
//!     cargo bench --bench latency

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

const RUNS: usize = 50;

struct Engine {
    child: Child,
    input: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Engine {
    fn start() -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tessera"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        Engine {
            input: child.stdin.take().expect("piped"),
            lines: BufReader::new(child.stdout.take().expect("piped")).lines(),
            child,
        }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("the program reads");
    }

    /// Reads up to a line that begins like this and returns the time.
    fn until(&mut self, beginning: &str) -> Instant {
        let mut lines = self.lines.by_ref().map_while(Result::ok);
        assert!(lines.any(|line| line.starts_with(beginning)));
        Instant::now()
    }

    fn quit(mut self) {
        self.send("quit");
        self.child.wait().expect("it ends");
    }
}

fn first_answer() -> Duration {
    let started = Instant::now();
    let mut engine = Engine::start();
    engine.send("uci");
    let answered = engine.until("uciok");
    engine.quit();
    answered - started
}

fn stops(threads: usize) -> Vec<Duration> {
    let mut engine = Engine::start();
    engine.send("uci");
    engine.until("uciok");
    engine.send(&format!("setoption name Threads value {threads}"));
    let stop = |run: usize| {
        engine.send("position startpos moves e2e4 e7e5");
        engine.send("go infinite");
        // At any point of the search, not in step with it.
        thread::sleep(Duration::from_millis(50 + run as u64 * 7));
        let sent = Instant::now();
        engine.send("stop");
        engine.until("bestmove") - sent
    };
    let times = (0..RUNS).map(stop).collect();
    engine.quit();
    times
}

fn print(name: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
    println!(
        "| {name} | {:.2} | {:.2} | {:.2} |",
        milliseconds(times[times.len() / 2]),
        milliseconds(times[times.len() * 9 / 10]),
        milliseconds(times[times.len() - 1]),
    );
}

fn main() {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    println!("{RUNS} runs each, {cores} cores, milliseconds\n");
    println!("| | median | 90 % | worst |\n|---|---:|---:|---:|");
    let is_over = AtomicBool::new(false);
    for is_busy in [false, true] {
        let load = if is_busy {
            "all cores busy"
        } else {
            "idle machine"
        };
        thread::scope(|scope| {
            if is_busy {
                is_over.store(false, Relaxed);
                for _ in 0..cores {
                    scope.spawn(|| {
                        while !is_over.load(Relaxed) {
                            std::hint::spin_loop();
                        }
                    });
                }
            }
            print(
                &format!("start to `uciok`, {load}"),
                (0..RUNS).map(|_| first_answer()).collect(),
            );
            for threads in [1, 2] {
                let name = format!("`stop` to `bestmove`, {threads} threads, {load}");
                print(&name, stops(threads));
            }
            is_over.store(true, Relaxed);
        });
    }
}
