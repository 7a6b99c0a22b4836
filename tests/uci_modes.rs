//! The program for people, scripts and programs: own commands, terminal, JSON, arguments.

#[path = "support/process.rs"]
mod process;

use std::fs;
use std::path::PathBuf;

use process::{Answer, Process, bestmoves, errors, game_of, script};
use tessera::board::CHESS;

/// A file name of the test's own.
fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn the_commands_beside_the_protocol_answer() {
    let mut process = Process::start();
    process.send("position startpos moves e2e4");
    let text = |lines: Vec<String>| lines.join("\n");
    assert!(text(process.ask("d")).contains("Fen: rnbqkbnr/pppppppp/8/8/4P3"));
    let eval = text(process.ask("eval"));
    assert!(
        eval.contains("material") && eval.contains("black to move: "),
        "{eval}"
    );
    let moves = process.ask("moves");
    assert_eq!(moves.len(), 20);
    assert!(moves.contains(&"g8f6  Nf6".to_string()), "{moves:?}");
    process.send("flip");
    assert!(
        text(process.ask("d")).contains("rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq")
    );
    assert!(text(process.ask("version")).starts_with("Tessera "));
    assert_eq!(process.ask("validate"), ["valid"]);
    assert!(process.ask("validate 8/8/8/8/8/8/8/8 w - -")[0].starts_with("invalid: "));
    let repaired = process.ask("validate 4k3/8/8/8/8/8/8/4K3 w KQkq e3 0 0");
    assert_eq!(
        repaired,
        ["valid, understood as 4k3/8/8/8/8/8/8/4K3 w - - 0 1"]
    );
    let help = text(process.ask("help"));
    for doc in &tessera::uci::COMMANDS {
        assert!(help.contains(doc.about), "{}", doc.name);
        if doc.usage == doc.name || doc.usage.starts_with(&format!("{} ", doc.name)) {
            assert!(text(process.ask(&format!("help {}", doc.name))).contains(doc.usage));
        }
    }
    assert!(text(process.ask("help Hash")).contains("transposition table"));
    assert_eq!(errors(&process.ask("help frobnicate")).len(), 1);
    let options = process.ask("options");
    assert_eq!(options.len(), tessera::uci::OPTIONS.len());
    assert!(process.ask("register later")[0].starts_with("info string "));
    assert!(process.ask("debug on").is_empty());
    let answer = process.search("go wtime 100 btime 100");
    assert!(
        answer
            .lines
            .iter()
            .any(|line| line.starts_with("info string time: "))
    );
    assert!(process.ask("debug off").is_empty());
    process.send("position startpos\nperft 2");
    assert!(text(process.until("Nodes searched: 400")).contains("g1f3: 20"));
    process.quit();
}

#[test]
fn a_script_may_ask_for_more_while_a_count_is_under_way() {
    let lines = script("position startpos\ngo perft 4\nposition startpos moves e2e4\nd\nquit\n");
    let place = |beginning: &str| {
        let found = lines.iter().position(|line| line.starts_with(beginning));
        found.unwrap_or_else(|| panic!("no {beginning} in {lines:?}"))
    };
    assert!(
        place("Nodes searched: 197281") < place("Fen: "),
        "{lines:?}"
    );
    // Who wants it to stop after all means what waits too.
    let lines = script("perft 9\nbench 60\nquit\nstop\n");
    assert!(lines[0].ends_with("count stopped"), "{lines:?}");
    assert!(lines[1].ends_with("stopped before it began"), "{lines:?}");
    assert_eq!(lines.len(), 2);
}

#[test]
fn no_moves_to_go_are_as_good_as_none_said() {
    let mut process = Process::start();
    process.send("debug on");
    let mut budget = |go: &str| {
        let lines = process.search(go).lines;
        let mut lines = lines.into_iter();
        lines
            .find(|line| line.starts_with("info string time: "))
            .expect("what the clock allows")
    };
    let clock = "go depth 1 wtime 60000 btime 60000";
    let usual = budget(clock);
    assert_eq!(budget(&format!("{clock} movestogo 0")), usual);
    assert_eq!(budget(&format!("{clock} movestogo -3")), usual);
    assert_ne!(budget(&format!("{clock} movestogo 1")), usual);
}

#[test]
fn bench_counts_the_same_nodes_twice() {
    let last = |arguments: &[&str]| {
        let (lines, status) = Process::with(arguments).end();
        assert!(status.success());
        let line = lines.last().expect("a line").clone();
        let words: Vec<&str> = line.split(' ').collect();
        assert!(matches!(words[..], [_, "nodes", _, "nps"]), "{line}");
        words[0].to_string()
    };
    let nodes = last(&["bench", "3"]);
    assert_eq!(nodes, last(&["bench", "3"]));
    let lines =
        script("setoption name Threads value 2\nsetoption name Hash value 1\nbench 3\nquit");
    assert!(
        lines
            .last()
            .expect("a line")
            .starts_with(&format!("{nodes} nodes "))
    );
}

#[test]
fn all_that_is_said_can_be_logged() {
    let path = scratch("session.log");
    let _ = fs::remove_file(&path);
    let mut process = Process::start();
    process.send(&format!(
        "setoption name Debug Log File value {}",
        path.display()
    ));
    process.ask("position startpos moves e2e4");
    process.search("go depth 1");
    // A file that cannot be opened leaves the old one open.
    let lines = process.ask("setoption name Debug Log File value /no/such folder/log");
    assert_eq!(errors(&lines).len(), 1);
    process.quit();
    let log = fs::read_to_string(path).expect("a log");
    assert!(log.contains(" >> go depth 1\n"), "{log}");
    assert!(log.contains(" << bestmove "), "{log}");
    assert!(log.contains(" >> quit\n"), "{log}");
}

#[test]
fn a_person_is_talked_to_until_uci_comes() {
    let mut process = Process::with(&["--terminal"]);
    process.send("isready");
    let greeting = process.until("readyok").join("\n");
    assert!(
        greeting.contains("help") && greeting.contains("8  r n b q k b n r"),
        "{greeting}"
    );
    // Moves and positions need no command.
    let lines = process.ask("e4 e5 Nf3").join("\n");
    assert!(
        lines.contains("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b"),
        "{lines}"
    );
    let lines = process.ask("8/8/8/8/8/4k3/4p3/4K3 b - - 0 1").join("\n");
    assert!(lines.contains("\n8/8/8/8/8/4k3/4p3/4K3 b - - 0 1"));
    for (nonsense, part) in [("Ke9", "help"), ("8/8 w", "fields"), ("perft x", "depth")] {
        let lines = process.ask(nonsense).join("\n");
        assert!(lines.contains("error: ") && lines.contains(part), "{lines}");
    }
    process.ask("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    process.send("go depth 2");
    let lines = process.until("best move ").join("\n");
    assert!(lines.contains("#1") && lines.contains("1. Rd8#"), "{lines}");
    assert!(lines.ends_with("best move Rd8# (d1d8)"), "{lines}");
    // Scores are White's, and mates count from the side that mates.
    process.ask("position fen 3r2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1");
    process.send("go depth 2");
    let lines = process.until("best move ").join("\n");
    assert!(
        lines.contains("-#1") && lines.contains("1... Rd1#"),
        "{lines}"
    );
    process.ask("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    // What is typed next ends the search.
    process.send("go infinite\ngo depth 1");
    process.until("best move ");
    process.until("best move ");
    process.send("uci");
    process.until("uciok");
    process.search("go depth 2").check(
        &game_of(&CHESS, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", ""),
        false,
    );
    assert_eq!(process.ask("e4"), Vec::<String>::new());
    process.quit();
}

#[test]
fn json_lines_are_json() {
    let mut process = Process::with(&["--json"]);
    process.send(
        "uci\nisready\nd\neval\nmoves\noptions\nversion\nhelp\nhelp go\nvalidate x\nvalidate",
    );
    process.send(
        "position fen \"\\\nsetoption name Hash value \"\u{1}\nnonsense\nponderhit\nregister later",
    );
    process.send("setoption name UCI_Variant value gardner\nsetoption name MultiPV value 2\ngo depth 3\nwait");
    process.send("perft 1\nbench 1\nposition fen R3k/5/2K2/5/5 b - - 0 1\ngo depth 1");
    let (lines, status) = process.end();
    assert!(status.success());
    let mut kinds = Vec::new();
    for line in lines {
        let value: serde_json::Value =
            serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let kind = value["type"].as_str().expect("a type").to_string();
        match kind.as_str() {
            "info" if value["depth"] != 0 => {
                assert!(value["cp"].is_i64() || value["mate"].is_i64(), "{line}");
                assert!(
                    value["pv"][0].is_string() && value["san"][0].is_string(),
                    "{line}"
                );
                assert_eq!(value["wdl"].as_array().map(Vec::len), Some(3));
            }
            "bestmove" => assert!(value["move"].is_string()),
            "error" => assert!(value["message"].is_string()),
            "board" => assert!(value["fen"].is_string()),
            "eval" => assert!(value["white"]["material"].is_i64()),
            _ => {}
        }
        kinds.push(kind);
    }
    for kind in [
        "id", "option", "uciok", "readyok", "board", "eval", "moves", "version", "help",
        "validate", "error", "note", "variant", "info", "bestmove", "perft", "bench",
    ] {
        assert!(
            kinds.iter().any(|found| found == kind),
            "no {kind} in {kinds:?}"
        );
    }
    assert_eq!(kinds.iter().filter(|kind| *kind == "bestmove").count(), 2);
}

#[test]
fn commands_may_be_arguments() {
    for (arguments, depth) in [
        (&["position startpos", "go depth 4"][..], 4),
        (&["go", "depth", "3"], 3),
        (
            &[
                "setoption name UCI_Variant value chess",
                "go depth 3",
                "quit",
            ],
            3,
        ),
        (
            &[
                "position",
                "fen",
                CHESS.start,
                "moves",
                "e2e4",
                "go",
                "depth",
                "2",
            ],
            2,
        ),
    ] {
        let (lines, status) = Process::with(arguments).end();
        assert!(status.success(), "{arguments:?}");
        let answers: Vec<String> = lines
            .into_iter()
            .filter(|line| !line.starts_with("info string"))
            .collect();
        assert_eq!(Answer::new(answers).last().depth, depth, "{arguments:?}");
    }
    // They are done in turn.
    let (lines, _) = Process::with(&["go depth 5", "d"]).end();
    assert!(
        lines.iter().position(|line| line.starts_with("bestmove"))
            < lines.iter().position(|line| line.starts_with("Fen"))
    );
    for wrong in [
        "position fen 8/8",
        "go depth x",
        "go depth 1 searchmoves e2e5",
        "frob",
    ] {
        let (lines, status) = Process::with(&["position startpos", wrong]).end();
        assert_eq!(
            (errors(&lines).len(), status.code()),
            (1, Some(1)),
            "{wrong}: {lines:?}"
        );
    }
    let (lines, status) = Process::with(&["--json", "go depth 1"]).end();
    assert!(status.success() && lines.iter().all(|line| line.starts_with('{')));
    let (lines, _) = Process::with(&["--terminal", "go depth 5", "d", "quit"]).end();
    let at = |beginning: &str| lines.iter().position(|line| line.starts_with(beginning));
    assert!(
        at("  5/").is_some() && at("best move") < at("Fen: "),
        "{lines:?}"
    );
    // Without end is not possible here.
    let (lines, status) = Process::with(&["go infinite"]).end();
    assert!(status.success() && bestmoves(&lines) == 1);
}
