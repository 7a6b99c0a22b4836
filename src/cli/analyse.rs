//! `tessera analyse`: searches the positions of games and of rows, and writes what it finds.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use lexopt::{Arg, Parser, ValueExt};

use crate::search::Limits;
use crate::tools::analyse::journal::Journal;
use crate::tools::analyse::judge::{Judged, Summary};
use crate::tools::analyse::output::Format;
use crate::tools::analyse::report::Report;
use crate::tools::analyse::source::{self, Subject};
use crate::tools::analyse::suite::Solution;
use crate::tools::analyse::{self, Analysed, Event, Plan, graph};
use crate::types::MoveList;
use crate::uci::VERSION;

use super::{Failure, all_threads, number, print, progress_bar, remark, rules_named, thread_count};

pub(super) const HELP: &str = "\
tessera analyse FILE… [OPTIONS]

Searches every position of games (PGN) or of rows (EPD, or FEN lines), on any board, and writes the
games with evaluations, judgements and better lines, or the rows with what was found. '-' is
standard input. What cannot be read is named and left out; the exit code is 1 then.

SEARCH, for each position
    --nodes N                   [default: 100000, if there is no other limit]
    --depth N
    --movetime MS
    --lines N                   follow the N best moves [default: 1]
    --variant NAME              the game, where no tag says it [default: what the file is named
                                after, or chess]
    --threads N                 positions searched at the same time [default: all]
    --hash MB                   the table of each thread [default: 16, less for few nodes]

OUTPUT
    --out FILE                  [default: standard output]
    --format NAME               pgn, epd, csv or jsonl [default: pgn for games, epd for rows]
    --html FILE                 a page with all games, boards and graphs, for any browser
    --svg DIR                   a graph of each game
    --suite                     rows are questions: did the search find bm, and avoid am, and when?

INTERRUPTIONS
    --resume                    go on where an interrupted analysis was, with the same options
    --journal FILE              what has been found so far; it is kept, also for another output
                                later [default: beside --out or --html, until all is done]
";

/// Nodes for each position, if nothing is said.
const NODES: u64 = 100_000;

/// What the command line asks for.
struct Options {
    plan: Plan,
    out: Option<PathBuf>,
    format: Option<Format>,
    html: Option<PathBuf>,
    svg: Option<PathBuf>,
    is_resumed: bool,
    journal: Option<PathBuf>,
}

pub(super) fn run(mut parser: Parser) -> Result<(), Failure> {
    let Some(options) = read_options(&mut parser)? else {
        return print(HELP);
    };
    refuse_own_input(&options)?;
    let journal = open_journal(&options)?;
    let mut outputs = Outputs::open(&options)?;
    let bar = bar(&options.plan);
    let (mut troubles, started) = (0_u64, Instant::now());
    let done = analyse::run(&options.plan, journal.as_ref(), |event| {
        let trouble = match event {
            Event::Trouble(trouble) => Some(trouble),
            Event::Done(analysed) => {
                let trouble = bar.suspend(|| outputs.add(analysed))?;
                bar.set_position(analysed.unit.bytes);
                bar.set_message(speed(outputs.summary.positions, started.elapsed()));
                trouble
            }
        };
        if let Some(trouble) = trouble {
            troubles += 1;
            bar.suspend(|| remark(&format!("{trouble}\n")));
        }
        Ok(())
    });
    bar.finish_and_clear();
    match done {
        Err(message) if message == CLOSED => return Ok(()),
        done => done.map_err(Failure::Failed)?,
    }
    outputs.finish(started.elapsed())?;
    if let (Some(journal), None) = (journal, &options.journal) {
        journal.remove().map_err(Failure::Failed)?;
    }
    match troubles {
        0 => Ok(()),
        _ => Err(Failure::Failed(format!(
            "not all could be analysed: {troubles} left out"
        ))),
    }
}

/// The options, `None` if it is their meaning that is asked for.
fn read_options(parser: &mut Parser) -> Result<Option<Options>, Failure> {
    let mut options = Options {
        plan: Plan {
            files: Vec::new(),
            rules: None,
            limits: Limits::default(),
            lines: 1,
            megabytes: None,
            threads: all_threads(),
            is_suite: false,
        },
        out: None,
        format: None,
        html: None,
        svg: None,
        is_resumed: false,
        journal: None,
    };
    let plan = &mut options.plan;
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return Ok(None),
            Arg::Long("nodes") => plan.limits.nodes = Some(number(parser, "--nodes", 1)?),
            Arg::Long("depth") => plan.limits.depth = Some(number(parser, "--depth", 1)?),
            Arg::Long("movetime") => {
                let milliseconds = number(parser, "--movetime", 1)?;
                plan.limits.move_time = Some(Duration::from_millis(milliseconds));
            }
            Arg::Long("lines") => plan.lines = number(parser, "--lines", 1)?,
            Arg::Long("variant") => plan.rules = Some(rules_named(&parser.value()?.string()?)?),
            Arg::Long("threads") => plan.threads = thread_count(parser)?,
            Arg::Long("hash") => plan.megabytes = Some(number(parser, "--hash", 1)?),
            Arg::Long("suite") => plan.is_suite = true,
            Arg::Long("out") => options.out = Some(parser.value()?.into()),
            Arg::Long("format") => options.format = Some(format_named(&parser.value()?.string()?)?),
            Arg::Long("html") => options.html = Some(parser.value()?.into()),
            Arg::Long("svg") => options.svg = Some(parser.value()?.into()),
            Arg::Long("resume") => options.is_resumed = true,
            Arg::Long("journal") => options.journal = Some(parser.value()?.into()),
            Arg::Value(file) => plan.files.push(file.into()),
            unknown => return Err(unknown.unexpected().into()),
        }
    }
    if plan.files.is_empty() {
        return Err(Failure::Usage("analyse needs a file".to_string()));
    }
    plan.lines = plan.lines.min(MoveList::CAPACITY);
    if !plan.limits.is_bounded() {
        plan.limits.nodes = Some(NODES);
    }
    Ok(Some(options))
}

/// What is written must not be what is read.
fn refuse_own_input(options: &Options) -> Result<(), Failure> {
    for output in [&options.out, &options.html, &options.journal] {
        let Some(path) = output.as_ref().and_then(|path| fs::canonicalize(path).ok()) else {
            continue;
        };
        let is_same = |file: &&PathBuf| fs::canonicalize(file).is_ok_and(|file| file == path);
        if let Some(file) = options.plan.files.iter().find(is_same) {
            let message = format!("{} would be overwritten while it is read", file.display());
            return Err(Failure::Failed(message));
        }
    }
    Ok(())
}

fn format_named(name: &str) -> Result<Format, Failure> {
    let found = Format::ALL.iter().find(|(other, _)| *other == name);
    let unknown = || {
        Failure::Usage(format!(
            "--format takes pgn, epd, csv or jsonl, not '{name}'"
        ))
    };
    found.map(|&(_, format)| format).ok_or_else(unknown)
}

/// The journal, where there is a place for one.
fn open_journal(options: &Options) -> Result<Option<Journal>, Failure> {
    let beside = |path: &PathBuf| {
        let mut name = path.clone().into_os_string();
        name.push(".journal");
        PathBuf::from(name)
    };
    let usual = options.out.as_ref().or(options.html.as_ref()).map(beside);
    let Some(path) = options.journal.clone().or(usual) else {
        let message = "--resume needs --out, --html or --journal";
        return if options.is_resumed {
            Err(Failure::Usage(message.to_string()))
        } else {
            Ok(None)
        };
    };
    // One that is kept may always be gone on with.
    let is_resumed = options.is_resumed || options.journal.is_some();
    let journal = Journal::open(&path, &options.plan.description(), is_resumed);
    Ok(Some(journal.map_err(Failure::Failed)?))
}

/// A bar over the bytes of all files; without a length, if one has none.
fn bar(plan: &Plan) -> ProgressBar {
    match source::size(&plan.files) {
        Some(size) => progress_bar(size, "{bar:32} {percent:>3} %  {msg}, {eta} left"),
        None => progress_bar(0, "{spinner} {msg}, {elapsed}"),
    }
}

fn speed(positions: u64, time: Duration) -> String {
    let rate = positions as f64 / time.as_secs_f64().max(1e-9);
    format!("{positions} positions, {rate:.1} a second")
}

/// What is said when nobody reads the output any more: there is nothing left to do.
const CLOSED: &str = "closed";

/// Everything that is written.
struct Outputs<'a> {
    options: &'a Options,
    /// Text goes here, if it is wanted.
    text: Option<(Box<dyn Write>, String)>,
    is_begun: bool,
    page: Option<(Report<BufWriter<File>>, String)>,
    score: Score,
    summary: Summary,
}

/// How many questions were answered.
#[derive(Default)]
struct Score {
    asked: u64,
    solved: u64,
    nodes: u64,
    time: Duration,
}

impl<'a> Outputs<'a> {
    fn open(options: &'a Options) -> Result<Outputs<'a>, Failure> {
        let create = |path: &Path| {
            let fail = |error| Failure::Failed(format!("{}: {error}", path.display()));
            File::create(path).map_err(fail)
        };
        // Who asks for something else only need not see the text too.
        let has_other = options.html.is_some() || options.svg.is_some() || options.plan.is_suite;
        let text: Option<(Box<dyn Write>, String)> = match &options.out {
            Some(path) => Some((Box::new(create(path)?), path.display().to_string())),
            None if has_other && options.format.is_none() => None,
            None => Some((Box::new(io::stdout()), "standard output".to_string())),
        };
        let page = match &options.html {
            Some(path) => {
                let name = path.display().to_string();
                let page = Report::new(BufWriter::new(create(path)?));
                Some((page.map_err(|error| failed(&name, &error))?, name))
            }
            None => None,
        };
        if let Some(folder) = &options.svg {
            let made = fs::create_dir_all(folder);
            made.map_err(|error| failed(&folder.display().to_string(), &error))?;
        }
        Ok(Outputs {
            options,
            text,
            is_begun: false,
            page,
            score: Score::default(),
            summary: Summary::default(),
        })
    }

    /// Writes a game or row everywhere. Returns what is wrong with it, if something is.
    fn add(&mut self, analysed: &Analysed) -> Result<Option<String>, String> {
        let judged = Judged::new(analysed);
        let plan = &self.options.plan;
        let has_pictures = self.page.is_some() || self.options.svg.is_some();
        if let Some((output, name)) = &mut self.text {
            let format = self
                .options
                .format
                .unwrap_or_else(|| Format::usual(&analysed.unit));
            let head = if self.is_begun { "" } else { format.head() };
            let text = format.text(&judged, &annotator(plan), plan.is_suite);
            let written = output
                .write_all(head.as_bytes())
                .and_then(|()| output.write_all(text.as_bytes()))
                .and_then(|()| output.flush());
            match written.map_err(|error| (error.kind(), format!("{name}: {error}"))) {
                Ok(()) => {}
                Err((io::ErrorKind::BrokenPipe, _)) if has_pictures => self.text = None,
                Err((io::ErrorKind::BrokenPipe, _)) => return Err(CLOSED.to_string()),
                Err((_, message)) => return Err(message),
            }
        }
        self.is_begun = true;
        if let Some((page, name)) = &mut self.page {
            page.add(&judged)
                .map_err(|error| format!("{name}: {error}"))?;
        }
        if let (Some(folder), Some(_)) = (&self.options.svg, judged.record()) {
            let path = folder.join(format!("game-{:04}.svg", self.summary.games + 1));
            let written = fs::write(&path, graph::graph(&judged));
            written.map_err(|error| format!("{}: {error}", path.display()))?;
        }
        self.summary.add(&judged);
        Ok(if plan.is_suite {
            self.mark(&judged)
        } else {
            None
        })
    }

    /// Marks the answer to a question, and tells of it. Returns what is wrong with the question.
    fn mark(&mut self, judged: &Judged) -> Option<String> {
        let unit = &judged.analysed.unit;
        let place = format!("{}:{}", unit.file, unit.line);
        let row = match &unit.subject {
            Subject::Row(row) => row,
            Subject::Game(_) => return Some(format!("{place}: a game asks for no move")),
        };
        let solution = match Solution::of(row) {
            Ok(solution) => solution,
            Err(reason) => return Some(format!("{place}: {reason}")),
        };
        let finding = &judged.analysed.findings[0];
        let san = |mv| row.position.san(mv);
        let list = |name: &str, moves: &[_]| {
            let moves: Vec<String> = moves.iter().map(|&mv| san(mv)).collect();
            if moves.is_empty() {
                String::new()
            } else {
                format!(" {name} {}", moves.join(" "))
            }
        };
        let asked = list("bm", &solution.best) + &list("am", &solution.avoid);
        let name = row.id().map_or(place, str::to_string);
        let best = finding.best().map_or("none".to_string(), san);
        self.score.asked += 1;
        let answer = match finding.solved {
            Some((nodes, time)) => {
                self.score.solved += 1;
                self.score.nodes += nodes;
                self.score.time += time;
                format!(
                    "solved  {best:8} after {nodes} nodes, {:.3} s",
                    time.as_secs_f64()
                )
            }
            None => format!("missed  {best:8} for{asked}"),
        };
        let line = format!("{name:24} {answer}\n");
        if self.options.out.is_some() || self.text.is_none() {
            let _ = print(&line);
        } else {
            remark(&line);
        }
        None
    }

    /// Ends what has an end, and tells how it went: where the text is not.
    fn finish(self, time: Duration) -> Result<(), Failure> {
        let plan = &self.options.plan;
        if let Some((page, name)) = self.page {
            let finished = page.finish(&self.summary, &annotator(plan));
            finished.map_err(|error| failed(&name, &error))?;
        }
        let Summary {
            games,
            rows,
            positions,
            nodes,
            ..
        } = self.summary;
        let mut text = self.summary.table();
        if plan.is_suite {
            let Score {
                asked,
                solved,
                nodes,
                time,
            } = self.score;
            let seconds = time.as_secs_f64();
            let _ = writeln!(
                text,
                "solved {solved} of {asked}, after {nodes} nodes and {seconds:.3} s in all"
            );
        }
        let seconds = time.as_secs_f64();
        let _ = writeln!(
            text,
            "{games} games, {rows} rows: {positions} positions, {nodes} nodes in {seconds:.1} s"
        );
        if self.options.out.is_some() || self.text.is_none() {
            return print(&text);
        }
        remark(&text);
        Ok(())
    }
}

fn failed(name: &str, error: &io::Error) -> Failure {
    Failure::Failed(format!("{name}: {error}"))
}

/// Who annotated, and how.
fn annotator(plan: &Plan) -> String {
    let limits = &plan.limits;
    let parts = [
        limits.nodes.map(|nodes| format!("{nodes} nodes")),
        limits.depth.map(|depth| format!("depth {depth}")),
        limits
            .move_time
            .map(|time| format!("{} ms", time.as_millis())),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!("{VERSION}, {}", parts.join(", "))
}
