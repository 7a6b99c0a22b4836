//! The program's check of itself, and what it is checked against.
//!
//! `UPDATE_SIGNATURES=1 cargo test --test selfcheck` writes the nodes of `bench` anew when the
//! search has changed.

mod support;

use std::process::{Command, Output};
use std::sync::atomic::AtomicBool;
use std::{env, fs};

use tessera::board::perft::Row;
use tessera::board::{CHESS, Rules};
use tessera::engine::bench;
use tessera::tools::selfcheck::COUNTS;

fn selfcheck(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tessera"))
        .arg("selfcheck")
        .args(arguments)
        .output()
        .expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

#[test]
fn the_signatures_are_those_of_the_search() {
    let counted = bench::SIGNATURES.map(|(depth, _)| {
        let total = bench::run(depth, &AtomicBool::new(false), |_, _, _| {});
        (
            depth,
            total.expect("an engine").expect("nobody stops").nodes,
        )
    });
    if env::var_os("UPDATE_SIGNATURES").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/engine/bench.rs");
        let source = fs::read_to_string(path).expect("a source");
        let lines = source.lines().map(|line| {
            if line.starts_with("pub const SIGNATURES") {
                let rows = counted.map(|(depth, nodes)| format!("({depth}, {})", grouped(nodes)));
                let rows = rows.join(", ");
                format!("pub const SIGNATURES: [(u32, u64); 2] = [{rows}];\n")
            } else {
                format!("{line}\n")
            }
        });
        fs::write(path, lines.collect::<String>()).expect("a writable source");
    } else {
        assert_eq!(
            counted,
            bench::SIGNATURES,
            "the search has changed: run UPDATE_SIGNATURES=1 cargo test --test selfcheck, which \
             writes the numbers on the left into src/engine/bench.rs"
        );
    }
}

/// 1234567 as `1_234_567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('_');
        }
        text.push(digit);
    }
    text
}

#[test]
fn the_built_in_counts_are_those_of_the_suites() {
    for (name, row) in COUNTS {
        let rules = Rules::named(name).unwrap_or(&CHESS);
        let row = Row::parse(rules, row).expect(row);
        let rows = support::suite(name);
        let fen = row.position.to_string();
        let found = rows.iter().find(|other| other.position.to_string() == fen);
        let found = found.unwrap_or_else(|| panic!("{name} has no row {fen}"));
        assert_eq!(row.counts.len(), 2, "{name}: one quick, one thorough");
        for count in &row.counts {
            assert!(found.counts.contains(count), "{name}: {fen} {count:?}");
        }
    }
    for rules in Rules::ALL {
        let has_row = |(name, _): &(&str, &str)| {
            *name == rules.name || rules.name == CHESS.name && Rules::named(name).is_none()
        };
        assert!(COUNTS.iter().any(has_row), "{}", rules.name);
    }
}

#[test]
fn the_program_finds_itself_well() {
    let output = selfcheck(&["--quick", "--threads", "3"]);
    let (answer, complaints) = (text(&output.stdout), text(&output.stderr));
    for check in [
        "processor",
        "moves",
        "positions",
        "networks",
        "signature",
        "threads",
        "memory",
    ] {
        let line = answer.lines().find(|line| line.starts_with(check));
        let line = line.unwrap_or_else(|| panic!("no {check} in {answer}"));
        assert_eq!(line.split_whitespace().nth(1), Some("ok"), "{line}");
    }
    // How long things take is a matter of the machine and of what else it does.
    assert!(
        answer.contains("\nstop ") && answer.contains("\nclock "),
        "{answer}"
    );
    assert!(answer.contains(" 3 threads, "), "{answer}");
    let is_well = answer.ends_with("verdict         all is well\n");
    assert_eq!(is_well, !answer.contains(" FAILED "), "{answer}");
    assert_eq!(
        output.status.code(),
        Some(i32::from(!is_well)),
        "{complaints}"
    );
    assert_eq!(complaints.is_empty(), is_well, "{complaints}");
}

#[test]
fn a_report_says_what_it_is_about() {
    let output = selfcheck(&["--report"]);
    assert!(output.status.success());
    let report = text(&output.stdout);
    let row = |name: &str| {
        let line = report.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_else(|| panic!("no {name} in {report}"))
            .trim()
            .to_string()
    };
    assert!(row("version").starts_with("Tessera "));
    assert!(row("system").contains(env::consts::OS) && row("system").contains(env::consts::ARCH));
    assert!(row("options").contains("Hash 16, Threads 1, "));
    for name in ["built", "processor", "features used", "threads", "memory"] {
        assert!(!row(name).is_empty(), "{name}");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    for arguments in [&["--threads", "0"][..], &["--slow"], &["again"]] {
        let output = selfcheck(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains("Try 'tessera selfcheck --help'"));
    }
}
