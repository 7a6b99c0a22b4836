//! Options and positions, set through the protocol.

#[path = "support/process.rs"]
mod process;

use std::fs;
use std::time::{Duration, Instant};

use process::{Process, errors, game, game_of};
use tessera::board::{CHESS, Rules};

/// What was learned of one game while searching is not taken into the next.
#[test]
fn another_variant_begins_with_a_clear_mind() {
    let nodes = |before: &str| {
        let mut process = Process::start();
        if !before.is_empty() {
            process.search(before);
        }
        process.ask("setoption name UCI_Variant value gardner");
        let nodes = process.search("go depth 12").last().nodes;
        process.quit();
        nodes
    };
    assert_eq!(nodes("go depth 12"), nodes(""));
}

#[test]
fn the_engine_introduces_itself() {
    let mut process = Process::start();
    process.send("uci");
    let lines = process.until("uciok");
    assert!(lines[0].starts_with("id name Tessera "));
    assert!(lines[1].starts_with("id author "));
    assert_eq!(lines.last().map(String::as_str), Some("uciok"));
    let options = &lines[2..lines.len() - 1];
    assert_eq!(options.len(), tessera::uci::OPTIONS.len());
    for (line, row) in options.iter().zip(&tessera::uci::OPTIONS) {
        assert_eq!(line.trim(), line);
        assert!(
            line.starts_with(&format!("option name {} type ", row.name)),
            "{line}"
        );
        if line.contains("type spin") {
            let words: Vec<&str> = line
                .split("default ")
                .nth(1)
                .expect("a default")
                .split(' ')
                .collect();
            let number = |index: usize| words[index].parse::<i64>().expect("a number");
            assert!(number(2) <= number(0) && number(0) <= number(4), "{line}");
        }
    }
    assert!(
        lines.contains(&"option name Hash type spin default 16 min 1 max 33554432".to_string())
    );
    assert!(lines.contains(&"option name Debug Log File type string default <empty>".to_string()));
    process.quit();
}

#[test]
fn the_table_can_grow_and_shrink_without_end() {
    let mut process = Process::start();
    let resident = |id: u32| -> Option<u64> {
        let text = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
        let line = text.lines().find(|line| line.starts_with("VmRSS:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    };
    let mut after = Vec::new();
    for round in 0..8 {
        for megabytes in [1, 64, 2, 128, 16, 1] {
            process.send(&format!("setoption name Hash value {megabytes}"));
            process.search("go nodes 20000").check(&game(""), false);
        }
        process.ask("");
        if round >= 2 {
            after.push(resident(process.id()));
        }
    }
    if let (Some(Some(first)), Some(Some(last))) = (after.first(), after.last()) {
        assert!(*last < first + 20_000, "grows: {after:?}");
    }
    process.quit();
}

#[test]
fn a_change_that_cannot_be_made_changes_nothing() {
    let mut process = Process::start();
    let value = |process: &mut Process, name: &str| {
        let lines = process.ask("options");
        let line = lines
            .iter()
            .find(|line| line.starts_with(name))
            .expect("the option");
        line[name.len()..]
            .split_whitespace()
            .next()
            .expect("a value")
            .to_string()
    };
    for (name, good, bad) in [
        (
            "Hash",
            "32",
            [
                "10485760",
                "33554433",
                "0",
                "-1",
                "abc",
                "99999999999999999999",
                "",
                "1.5",
            ],
        ),
        (
            "Threads",
            "2",
            ["257", "1024", "0", "-5", "abc", "999999999999", "", "2 2"],
        ),
        (
            "MultiPV",
            "3",
            ["257", "0", "-5", "abc", "1e3", "0x10", "", "999999999999"],
        ),
        (
            "Move Overhead",
            "20",
            ["5001", "-1", "abc", "ten", "", "1 0", "--5", "+-5"],
        ),
        (
            "UCI_Elo",
            "1200",
            ["599", "2401", "abc", "-1200", "", "1200.5", "12 00", "∞"],
        ),
        (
            "UCI_Chess960",
            "true",
            [
                "yes",
                "1",
                "",
                "tru",
                "truefalse",
                "on",
                "null",
                "TRUE FALSE",
            ],
        ),
        (
            "UCI_Variant",
            "gardner",
            [
                "shogi",
                "",
                "fischerandom",
                "chess960",
                "gardner ch",
                "*",
                "5x5",
                "standard",
            ],
        ),
    ] {
        assert_eq!(
            errors(&process.ask(&format!("setoption name {name} value {good}"))).len(),
            0
        );
        for bad in bad {
            let lines = process.ask(&format!("setoption name {name} value {bad}"));
            assert_eq!(errors(&lines).len(), 1, "{name} {bad}: {lines:?}");
            assert_eq!(value(&mut process, name), good, "{name} {bad}");
        }
    }
    process.search("go depth 3");
    process.quit();
}

#[test]
fn option_names_are_read_in_any_case() {
    let mut process = Process::start();
    for line in [
        "setoption name hash value 2",
        "SETOPTION NAME HASH VALUE 2",
        "setoption name Move  Overhead value 30",
        "setoption name MoveOverhead value 30",
        "setoption name clear hash",
        "setoption name Clear Hash value",
        "setoption name Clear Hash value true",
        "setoption name uci_showwdl value TRUE",
        "setoption name Debug Log File value",
        "setoption name Debug Log File value <empty>",
        "setoption name UCI_Variant value LosAlamos",
        "setoption name Ponder value true",
        "setoption name UCI_AnalyseMode value true",
        "setoption   name  Threads\tvalue   1  ",
    ] {
        let lines = process.ask(line);
        assert!(errors(&lines).is_empty(), "{line}: {lines:?}");
    }
    process.quit();
}

#[test]
fn a_variant_is_announced_and_has_its_own_start() {
    let mut process = Process::start();
    for rules in Rules::ALL {
        let lines = process.ask(&format!("setoption name UCI_Variant value {}", rules.name));
        let expected = format!(
            "info string variant {} files {} ranks {} pocket 0 template fairy startpos {}",
            rules.name, rules.files, rules.ranks, rules.start
        );
        assert_eq!(lines, [expected]);
        process.send("position startpos");
        process
            .search("go depth 3")
            .check(&game_of(rules, rules.start, ""), false);
    }
    // Chess960 is not a variant of its own.
    process.send("uci");
    let lines = process.until("uciok");
    assert!(!lines.iter().any(|line| line.contains("fischer")));
    process.quit();
}

/// What is declared as the default is what the engine begins with.
#[test]
fn options_begin_at_their_defaults() {
    let mut process = Process::start();
    let values = process.ask("options");
    for (row, line) in tessera::uci::OPTIONS.iter().zip(values) {
        let declared = row.declaration();
        let default = declared.split(" default ").nth(1).unwrap_or("");
        let default = default.split(" min ").next().unwrap_or("");
        let default = default.split(" var ").next().unwrap_or("");
        let default = default.replace("<empty>", "");
        let value = line[row.name.len()..].trim_start();
        assert!(value.starts_with(&default), "{declared}: {line}");
    }
    process.quit();
}

/// Positions by number, and a game of six thousand plies.
#[test]
fn positions_of_every_kind_are_set_up() {
    let mut process = Process::start();
    let fen = |process: &mut Process| {
        let lines = process.ask("d");
        let line = lines.iter().find_map(|line| line.strip_prefix("Fen: "));
        line.expect("a FEN").to_string()
    };
    for (setup, expected) in [
        ("frc 518", CHESS.start),
        (
            "frc 0",
            "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1",
        ),
        (
            "dfrc 959",
            "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1",
        ),
        (
            "fen 4k3/8/8/8/8/8/8/4K2R w K -",
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w - - 3 9",
            "4k3/8/8/8/8/8/8/4K2R w - - 3 9",
        ),
        ("startpos moves", CHESS.start),
        (
            "startpos moves  e2e4   e7e5",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        ),
        (
            "startpos moves E2E4",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        ),
    ] {
        let lines = process.ask(&format!("position {setup}"));
        assert!(lines.is_empty(), "{lines:?}");
        assert_eq!(fen(&mut process), expected);
    }
    let shuffle = " g1f3 g8f6 f3g1 f6g8".repeat(1500);
    let started = Instant::now();
    let lines = process.ask(&format!("position startpos moves{shuffle}"));
    assert!(lines.is_empty() && started.elapsed() < Duration::from_secs(1));
    process.search("go depth 2");
    process.quit();
}
