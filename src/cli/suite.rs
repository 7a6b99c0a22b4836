//! `tessera perft --suite FILE…`: checks counts from files.
//!
//! A row is `FEN ;D1 n ;D2 n …`. Rows are checked in parallel, each on one thread.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use parking_lot::Mutex;

use crate::board::perft::{self, Perft, Row};
use crate::board::{CHESS, Rules};

use super::{Failure, print};

pub(super) struct Suite {
    pub(super) files: Vec<String>,
    /// The game of all files; without it their names tell.
    pub(super) rules: Option<&'static Rules>,
    pub(super) max_nodes: u64,
    pub(super) threads: usize,
}

/// A file and what checking it gave.
struct File {
    name: String,
    game: &'static str,
    rows: Vec<(usize, Row)>,
    checked: AtomicUsize,
    nodes: AtomicU64,
    nanoseconds: AtomicU64,
}

/// A count that came out wrong.
struct Wrong {
    file: usize,
    line: usize,
    depth: u32,
    expected: u64,
    counted: u64,
}

pub(super) fn run(suite: &Suite) -> Result<(), Failure> {
    let files: Vec<File> = suite
        .files
        .iter()
        .map(|path| read_file(path, suite))
        .collect::<Result<_, _>>()?;
    let is_empty = |file: &&File| file.rows.iter().all(|(_, row)| row.counts.is_empty());
    if let Some(file) = files.iter().find(is_empty) {
        let message = format!("{} has no count to check", file.name);
        return Err(Failure::Failed(message));
    }
    let clock = Instant::now();
    let wrong = check(&files, suite.threads);
    print(&table(&files, clock.elapsed()))?;
    match wrong {
        None => Ok(()),
        Some(wrong) => Err(Failure::Failed(describe(&wrong, &files))),
    }
}

fn read_file(path: &str, suite: &Suite) -> Result<File, Failure> {
    let text = fs::read_to_string(path)
        .map_err(|error| Failure::Failed(format!("cannot read {path}: {error}")))?;
    let stem = Path::new(path).file_stem().and_then(|stem| stem.to_str());
    let rules = suite
        .rules
        .or_else(|| stem.and_then(Rules::named))
        .unwrap_or(&CHESS);
    let mut rows = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut row = Row::parse(rules, line)
            .map_err(|error| Failure::Failed(format!("{path}:{}: {error}", index + 1)))?;
        row.counts.retain(|&(_, nodes)| nodes <= suite.max_nodes);
        rows.push((index + 1, row));
    }
    Ok(File {
        name: path.to_string(),
        game: rules.name,
        rows,
        checked: AtomicUsize::new(0),
        nodes: AtomicU64::new(0),
        nanoseconds: AtomicU64::new(0),
    })
}

/// Checks all counts, the largest rows first, and returns the first wrong one in the
/// order of files and lines.
fn check(files: &[File], threads: usize) -> Option<Wrong> {
    let work = |row: &Row| {
        let nodes = row.counts.iter().map(|&(_, nodes)| nodes);
        nodes.fold(0, u64::saturating_add)
    };
    let mut jobs: Vec<(usize, usize, &Row)> = Vec::new();
    for (index, file) in files.iter().enumerate() {
        jobs.extend(file.rows.iter().map(|(line, row)| (index, *line, row)));
    }
    jobs.sort_by_key(|(.., row)| std::cmp::Reverse(work(row)));

    let nodes = jobs.iter().map(|(.., row)| work(row));
    let bar = progress_bar(nodes.fold(0, u64::saturating_add));
    let wrong: Mutex<Vec<Wrong>> = Mutex::default();
    perft::in_parallel(&jobs, threads, |&(index, line, row)| {
        let file = &files[index];
        for &(depth, expected) in &row.counts {
            let clock = Instant::now();
            let counted = perft::perft(&row.position, depth);
            let nanoseconds = u64::try_from(clock.elapsed().as_nanos()).unwrap_or(u64::MAX);
            file.nanoseconds.fetch_add(nanoseconds, Relaxed);
            file.nodes.fetch_add(counted, Relaxed);
            file.checked.fetch_add(1, Relaxed);
            bar.inc(expected);
            if counted != expected {
                wrong.lock().push(Wrong {
                    file: index,
                    line,
                    depth,
                    expected,
                    counted,
                });
                // Deeper counts of this row would only repeat the mistake.
                break;
            }
        }
    });
    bar.finish_and_clear();
    let wrong = wrong.into_inner().into_iter();
    wrong.min_by_key(|wrong| (wrong.file, wrong.line))
}

/// A bar on standard error, drawn only if that is a terminal.
fn progress_bar(nodes: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(nodes), ProgressDrawTarget::stderr_with_hz(10));
    let template = "{wide_bar} {percent:>3} %  {human_pos} nodes  {elapsed} of {duration}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// What was checked, file by file.
fn table(files: &[File], elapsed: Duration) -> String {
    let names = files.iter().map(|file| file.name.len());
    let width = names.max().unwrap_or(0).max(4);
    let mut lines = vec![format!(
        "{:width$}  {:12}  {:>4}  {:>6}  {:>15}  {:>8}  {:>6}",
        "file", "game", "rows", "counts", "nodes", "seconds", "Mnps"
    )];
    for file in files {
        let nodes = file.nodes.load(Relaxed);
        let seconds = file.nanoseconds.load(Relaxed) as f64 / 1e9;
        lines.push(format!(
            "{:width$}  {:12}  {:>4}  {:>6}  {nodes:>15}  {seconds:>8.2}  {:>6.0}",
            file.name,
            file.game,
            file.rows.len(),
            file.checked.load(Relaxed),
            nodes as f64 / seconds.max(1e-9) / 1e6,
        ));
    }
    let total: u64 = files.iter().map(|file| file.nodes.load(Relaxed)).sum();
    let seconds = elapsed.as_secs_f64();
    lines.push(format!(
        "{total} nodes in {seconds:.2} s: {:.0} million a second\n",
        total as f64 / seconds.max(1e-9) / 1e6
    ));
    lines.join("\n")
}

/// The wrong row, with the count after each move to compare with another program's.
fn describe(wrong: &Wrong, files: &[File]) -> String {
    let file = &files[wrong.file];
    let mut text = format!(
        "wrong count in {} line {}\n  depth    {}\n  expected {}\n  counted  {}",
        file.name, wrong.line, wrong.depth, wrong.expected, wrong.counted
    );
    if let Some((_, row)) = file.rows.iter().find(|(line, _)| *line == wrong.line) {
        let _ = write!(text, "\n  position {}\n", row.position);
        for (mv, nodes) in Perft::default().divide(&row.position, wrong.depth.max(1), 1) {
            let _ = write!(text, "\n{}: {nodes}", row.position.uci(mv, false));
        }
    }
    text
}
