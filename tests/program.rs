//! The program itself, over real pipes: the command line, and counts in the protocol.

#[path = "support/process.rs"]
mod process;

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn tessera(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tessera"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::null())
        .output()
        .expect("the program starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// Writes a whole script to the protocol and returns what was answered.
fn protocol(text: &str) -> String {
    process::script(text).join("\n") + "\n"
}

/// A file of the test's own.
fn scratch_file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a writable folder");
    fs::write(&path, text).expect("a writable folder");
    path
}

#[test]
fn perft_prints_what_scripts_expect() {
    let output = tessera(&["perft", "2", "--divide"]);
    assert!(output.status.success());
    let text = stdout(&output);
    assert_eq!(
        text.lines().filter(|line| line.ends_with(": 20")).count(),
        20
    );
    assert!(text.contains("\ne2e4: 20\n"));
    assert_eq!(text.lines().last(), Some("Nodes searched: 400"));

    let output = tessera(&[
        "perft",
        "4",
        "--variant",
        "Gardner",
        "--threads",
        "2",
        "--hash",
        "1",
    ]);
    assert_eq!(stdout(&output), "Nodes searched: 4775\n");
    let output = tessera(&["perft", "0"]);
    assert_eq!(stdout(&output), "Nodes searched: 1\n");
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    assert!(stdout(&tessera(&["perft", "1", "--fen", fen, "--divide"])).contains("e1g1: 1\n"));
    let output = tessera(&["perft", "1", "--fen", fen, "--divide", "--chess960"]);
    assert!(stdout(&output).contains("e1h1: 1\n"));
}

#[test]
fn a_mistake_on_the_command_line_is_explained() {
    #[rustfmt::skip]
    let cases: [(&[&str], i32, &str); 15] = [
        (&["prft"], 2, "unknown command 'prft'"),
        (&["--frob"], 2, "'--frob'"),
        (&["perft"], 2, "perft needs a DEPTH or --suite"),
        (&["perft", "x"], 2, "'x' is not a depth"),
        (&["perft", "65"], 2, "'65' is not a depth"),
        (&["perft", "1", "2"], 2, "\"2\""),
        (&["perft", "1", "--variant", "shogi"], 2, "losalamos"),
        (&["perft", "1", "--threads", "0"], 2, "--threads takes a number from 1 up, not '0'"),
        (&["perft", "1", "--max-nodes", "9"], 2, "--max-nodes goes with --suite"),
        (&["perft", "1", "--suite", "perft/baby.epd"], 2, "DEPTH does not go with --suite"),
        (&["perft", "--suite", "perft/baby.epd", "--divide"], 2, "--divide does not go with --suite"),
        (&["perft", "--suite"], 2, "missing argument for option '--suite'"),
        (&["perft", "1", "--fen", "8/8/8/8/8/8/8/8 w - -"], 1, "0 white kings"),
        (&["perft", "1", "--hash", "99999999999"], 1, "no memory for 99999999999 MB"),
        (&["perft", "--suite", "no/such.epd"], 1, "cannot read no/such.epd"),
    ];
    for (arguments, code, message) in cases {
        let output = tessera(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
        assert_eq!(stdout(&output), "");
    }
}

#[test]
fn help_names_every_game_and_version_is_told() {
    let help = stdout(&tessera(&["--help"]));
    for rules in tessera::board::Rules::ALL {
        assert!(help.contains(rules.name), "{}", rules.name);
    }
    assert_eq!(stdout(&tessera(&["perft", "--help"])), help);
    for command in ["go", "bench"] {
        let output = tessera(&[command, "--help"]);
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(stdout(&output).contains(command), "{}", stdout(&output));
        assert!(!stdout(&output).contains("bestmove"));
    }
    let version = stdout(&tessera(&["--version"]));
    assert_eq!(version, format!("Tessera {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_suite_passes_and_its_table_adds_up() {
    let suite = "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1 ;D1 7 ;D2 53 ;D3 506 ;D4 4775\n";
    let gardner = scratch_file("passing/gardner.epd", suite);
    let suite = "8/8/8/8/8/8/8/K1k5 w - - 0 1 ;D1 1\n\n8/8/8/8/8/8/8/K1k5 b - - 0 1 ;D1 3\n";
    let other = scratch_file("passing/kings.epd", suite);
    let output = tessera(&[
        "perft",
        "--suite",
        gardner.to_str().expect("UTF-8"),
        other.to_str().expect("UTF-8"),
        "--max-nodes",
        "506",
        "--threads",
        "2",
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    // Game, rows, counts and nodes of each file, then all nodes.
    let rows: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(rows[1][1..5], ["gardner", "1", "3", "566"]);
    assert_eq!(rows[2][1..5], ["chess", "2", "2", "4"]);
    assert_eq!(rows[3][..2], ["570", "nodes"]);
}

#[test]
fn a_wrong_count_is_shown_with_its_divide() {
    let suite = "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1 ;D1 7 ;D2 53\n\
                 # A wrong one, at depth 2.\n\
                 rnbqk/ppppp/5/PPPPP/RNBQK b - - 0 1 ;D1 7 ;D2 54 ;D3 1\n\
                 rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1 ;D1 8\n";
    let path = scratch_file("gardner.epd", suite);
    let output = tessera(&[
        "perft",
        "--suite",
        path.to_str().expect("UTF-8"),
        "--threads",
        "2",
    ]);
    assert_eq!(output.status.code(), Some(1));
    let message = stderr(&output);
    for part in [
        "line 3",
        "depth    2",
        "expected 54",
        "counted  53",
        "b - - 0 1",
        "a4a3: ",
    ] {
        assert!(message.contains(part), "no {part:?} in {message}");
    }
}

#[test]
fn counting_too_many_is_as_wrong_as_too_few() {
    let path = scratch_file("many.epd", "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1 ;D1 6\n");
    let path = path.to_str().expect("UTF-8");
    let output = tessera(&["perft", "--suite", path, "--variant", "gardner"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("expected 6\n  counted  7"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_damaged_suite_is_refused_with_the_line() {
    for (row, message) in [
        (
            "rnbqk/ppppp/5/PPPPP/RNBQ w - - ;D1 7",
            "line.epd:2: rank 1 has 4 files",
        ),
        (
            "rnbqk/ppppp/5/PPPPP/RNBQK w - - ;D1 x",
            "line.epd:2: 'D1 x' is not",
        ),
        ("R3k/5/4K/5/5 b - - ;D65 0", "line.epd:2: 'D65 0' is not"),
        ("rnbqk/ppppp/5/PPPPP/RNBQK w - -", "line.epd:2: no count"),
        ("", "line.epd has no count to check"),
    ] {
        let good = "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1 ;D4 4775";
        let path = scratch_file("line.epd", &format!("{good}\n{row}\n"));
        let path = path.to_str().expect("UTF-8");
        let output = tessera(&[
            "perft",
            "--suite",
            path,
            "--variant",
            "gardner",
            "--max-nodes",
            "99",
        ]);
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}

#[test]
fn go_perft_answers_like_stockfish() {
    let script = "position startpos moves e2e4 e7e5\ngo perft 1\nposition startpos\n\
                   go perft 5\nquit\n";
    let text = protocol(script);
    assert_eq!(
        text.lines().filter(|line| line.ends_with(": 1")).count(),
        29
    );
    assert!(text.contains("\ng1f3: 1\n"));
    assert!(text.contains("\n\nNodes searched: 29\n"));
    // Commands that follow a count wait for it, even `quit`.
    assert!(text.contains("\n\nNodes searched: 4865609\n"));
}

#[test]
fn every_game_can_be_chosen_and_counted() {
    for rules in tessera::board::Rules::ALL {
        let name = rules.name;
        let script = format!("setoption name UCI_Variant value {name}\ngo perft 3\n");
        let text = protocol(&script);
        let expected = tessera::board::Position::start(rules);
        let nodes = tessera::board::perft::perft(&expected, 3);
        assert!(
            text.contains(&format!("Nodes searched: {nodes}\n")),
            "{name}: {text}"
        );
        assert!(text.contains(&format!("info string variant {name} files ")));
    }
}

#[test]
fn castling_is_printed_in_the_notation_asked_for() {
    let fen = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let script = format!("{fen}\ngo perft 1\nsetoption name UCI_Chess960 value true\ngo perft 1\n");
    let text = protocol(&script);
    for line in ["e1g1: 1", "e1c1: 1", "e1h1: 1", "e1a1: 1"] {
        assert_eq!(
            text.lines().filter(|found| *found == line).count(),
            1,
            "{line}"
        );
    }
}

#[test]
fn a_count_can_be_stopped_and_isready_is_answered_meanwhile() {
    let text = protocol("go perft 14\nisready\nstop\nisready\ngo perft 1\n");
    assert_eq!(text.matches("readyok").count(), 2);
    assert!(text.contains("info string count stopped"));
    assert!(text.ends_with("Nodes searched: 20\n\n"), "{text}");
    // A stop also ends what waits behind the count under way.
    protocol("go perft 6\nposition startpos\ngo perft 14\nstop\n");
    protocol("stop\nisready\n");
}

#[test]
fn another_engine_is_measured_beside() {
    let program = env!("CARGO_BIN_EXE_tessera");
    let output = tessera(&["bench", "--compare", program, "5"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    let rows = text
        .lines()
        .filter(|line| line.split_whitespace().count() == 4);
    assert!(rows.count() > 10, "{text}");
    let last = text.lines().last().and_then(|line| line.rsplit(' ').next());
    let ratio: f64 = last.and_then(|ratio| ratio.parse().ok()).expect("a ratio");
    assert!(ratio > 0.0);
    for (arguments, code) in [
        (vec!["bench", "--compare"], 2),
        (vec!["bench", "--compare", program, "0"], 2),
        (vec!["bench", "--compare", program, "soon"], 2),
        (vec!["bench", "--compare", "there-is-no-such-program"], 1),
        (vec!["bench", "--compare", "true"], 1),
    ] {
        let output = tessera(&arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert!(!stderr(&output).is_empty());
    }
}

/// `tessera perft … | head` and the like: no message, no crash.
#[test]
fn a_reader_that_goes_away_is_no_error() {
    for arguments in [
        &["--help"][..],
        &["perft", "3", "--divide"],
        &[],
        &["go infinite"],
        &["bench"],
    ] {
        let mut process = Command::new(env!("CARGO_BIN_EXE_tessera"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(process.stdout.take());
        let mut input = process.stdin.take().expect("piped");
        let _ = input.write_all(b"go infinite\nd\ngo perft 3\nd\ngo perft 14\n");
        drop(input);
        let output = process.wait_with_output().expect("the program ends");
        assert!(
            output.status.success(),
            "{arguments:?}: {}",
            stderr(&output)
        );
        assert!(!stderr(&output).contains("panicked"), "{arguments:?}");
    }
}
