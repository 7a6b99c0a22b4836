//! `tessera selfcheck`: does the program work on this machine?

use lexopt::{Arg, Parser};

use crate::tools::selfcheck::{self, Finding, Plan};
use crate::uci::{OPTIONS, VERSION};

use super::{Failure, all_threads, print, thread_count};

pub(super) const HELP: &str = "\
tessera selfcheck [OPTIONS]

Checks that the program works on this machine: the processor, all legal moves of every board, the
networks, the nodes of the search, several threads on one table, how long 'stop' takes, the clock,
and memory. Then it prints what a bug report should contain. Ends with code 1 if anything is wrong.

    --quick                     less of everything, in two or three seconds
    --threads N                 search threads that share a table [default: all, at least 4]
    --report                    only what a bug report should contain
";

/// Fewer threads than this hardly get into each other's way.
const MIN_THREADS: usize = 4;

pub(super) fn run(mut parser: Parser) -> Result<(), Failure> {
    let mut plan = Plan {
        is_quick: false,
        threads: all_threads().max(MIN_THREADS),
    };
    let mut is_report_only = false;
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return print(HELP),
            Arg::Long("quick") => plan.is_quick = true,
            Arg::Long("report") => is_report_only = true,
            Arg::Long("threads") => plan.threads = thread_count(&mut parser)?,
            unknown => return Err(unknown.unexpected().into()),
        }
    }
    if is_report_only {
        return print(&report());
    }
    let mut trouble = None;
    let failed = selfcheck::run(plan, |finding| {
        trouble = trouble.take().or(print(&line(finding)).err());
    });
    trouble.map_or(Ok(()), Err)?;
    let verdict = match failed {
        0 => "all is well".to_string(),
        1 => "one check has failed".to_string(),
        _ => format!("{failed} checks have failed"),
    };
    print(&format!("\n{}\nverdict         {verdict}\n", report()))?;
    match failed {
        0 => Ok(()),
        _ => Err(Failure::Failed(verdict)),
    }
}

fn line(finding: &Finding) -> String {
    let Finding { name, result, time } = finding;
    let (verdict, text) = match result {
        Ok(text) => ("ok", text),
        Err(text) => ("FAILED", text),
    };
    let seconds = time.as_secs_f64();
    format!("{name:<10} {verdict:<6} {seconds:>6.2} s  {text}\n")
}

/// What somebody who looks for a fault elsewhere needs to know.
fn report() -> String {
    let mut rows = vec![
        ("version", VERSION.to_string()),
        ("built", built()),
        ("options", options()),
    ];
    rows.splice(2..2, selfcheck::machine());
    let rows = rows
        .iter()
        .map(|(name, text)| format!("{name:<15} {text}\n"));
    format!(
        "For a bug report: these lines, what your GUI has set otherwise, and what was said to the \
         engine\n(set 'Debug Log File' to keep it).\n\n{}",
        rows.collect::<String>()
    )
}

/// How this program was compiled.
fn built() -> String {
    let profile = if cfg!(debug_assertions) {
        "with assertions"
    } else {
        "release"
    };
    let features = [
        ("tune", cfg!(feature = "tune")),
        ("constant-rules", cfg!(feature = "constant-rules")),
    ];
    let features = features.iter().filter(|(_, is_on)| *is_on);
    let names = features.map(|(name, _)| format!(", {name}"));
    profile.to_string() + &names.collect::<String>()
}

/// The options and what they are unless somebody changes them.
fn options() -> String {
    let values = OPTIONS
        .iter()
        .filter_map(|row| Some((row.name, row.default_value()?)))
        .filter(|(name, value)| !value.is_empty() && *name != "UCI_EngineAbout");
    let values: Vec<String> = values
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    values.join(", ")
}
