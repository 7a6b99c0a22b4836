//! What `OpenBench` asks of an engine, on the command line; and the texts that packagers ask for.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tessera::board::{CHESS, Position, Rules};

fn tessera(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tessera"))
        .args(arguments)
        .output()
        .expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// The openings of a command, and whether it went well.
fn openings(commands: &[&str]) -> (Vec<String>, bool) {
    let output = tessera(commands);
    let answer = text(&output.stdout);
    let lines = answer.lines();
    let fens = lines.filter_map(|line| line.strip_prefix("info string genfens "));
    let fens = fens.map(str::to_string).collect();
    (fens, output.status.success())
}

/// A book in a file of its own.
fn book(name: &str, content: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("openbench-test");
    fs::create_dir_all(&folder).expect("a writable folder");
    let path = folder.join(name);
    fs::write(&path, content).expect("a writable file");
    path.to_str().expect("UTF-8").to_string()
}

#[test]
fn genfens_writes_as_many_openings_as_asked_for() {
    let (fens, is_well) = openings(&["genfens 12 seed 5 book None", "quit"]);
    assert!(is_well);
    assert_eq!(fens.len(), 12);
    for fen in &fens {
        assert_eq!(fen.split(' ').count(), 6, "{fen}");
        let position = Position::from_fen(&CHESS, fen).expect("a legal position");
        assert_eq!(&position.to_string(), fen);
        assert!(!position.legal_moves().is_empty());
        assert!(
            (5..=6).contains(&position.fullmoves()),
            "8 or 9 plies: {fen}"
        );
    }
    let again = openings(&["genfens 12 seed 5 book None", "quit"]);
    assert_eq!(again, (fens.clone(), true), "the same for the same seed");
    let (others, _) = openings(&["genfens 12 seed 6 book None", "quit"]);
    assert!(
        others.iter().all(|fen| !fens.contains(fen)),
        "and others for others"
    );
}

#[test]
fn genfens_begins_with_the_positions_of_a_book() {
    let path = book(
        "a book.epd",
        "# Two of them.\n\nrnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - c0 \"Sicilian\";\n\
         rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n",
    );
    let (fens, is_well) = openings(&[&format!("genfens 8 seed 1 book {path} plies 0"), "quit"]);
    assert!(is_well);
    assert_eq!(fens.len(), 8);
    for start in [
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8",
        "rnbqkbnr/pppp1ppp/4p3/8/4P3/8",
    ] {
        assert!(fens.iter().any(|fen| fen.starts_with(start)), "{fens:?}");
    }
}

#[test]
fn genfens_knows_every_board() {
    for rules in Rules::ALL {
        let game = format!("setoption name UCI_Variant value {}", rules.name);
        let (fens, is_well) = openings(&[&game, "genfens 2 seed 1 book None", "quit"]);
        assert!(is_well, "{}", rules.name);
        assert_eq!(fens.len(), 2, "{}", rules.name);
        for fen in fens {
            Position::from_fen(rules, &fen).expect("a legal position");
        }
    }
}

#[test]
fn genfens_says_what_is_wrong() {
    let empty = book("empty.epd", "\n# nothing\n");
    let bad = book("bad.epd", "# one\n8/8/8/8/8/8/8/9 w - -\n");
    // Black is mated: nothing can follow.
    let over = book("over.epd", "R6k/8/6K1/8/8/8/8/8 b - -\n");
    for (command, message) in [
        ("genfens".to_string(), "genfens takes"),
        ("genfens 3 seed x book None".to_string(), "genfens takes"),
        ("genfens 3 seed 1 book".to_string(), "genfens takes"),
        (
            "genfens 3 seed 1 book None plies 21".to_string(),
            "genfens takes",
        ),
        (
            "genfens 3 seed 1 book there-is-none.epd".to_string(),
            "there-is-none.epd: ",
        ),
        (
            format!("genfens 3 seed 1 book {empty}"),
            "empty.epd: no position",
        ),
        (format!("genfens 3 seed 1 book {bad}"), "bad.epd, line 2: "),
        ("genfens 3 seed 1 book /".to_string(), "/: not a file"),
        (
            format!("genfens 3 seed 1 book {over}"),
            "no level opening in 500 tries",
        ),
    ] {
        let output = tessera(&[&command, "quit"]);
        assert_eq!(output.status.code(), Some(1), "{command}");
        let answer = text(&output.stdout);
        assert!(answer.contains("info string error: "), "{answer}");
        assert!(answer.contains(message), "{command}: {answer}");
    }
}

#[test]
fn genfens_can_be_stopped_and_is_waited_for() {
    let output = tessera(&["genfens 1000000 seed 1 book None", "stop", "isready"]);
    let answer = text(&output.stdout);
    assert!(
        output.status.success() && answer.contains("readyok\n"),
        "{answer}"
    );
    let last = answer.lines().last().expect("a line");
    assert!(
        last.ends_with(" openings") || last.ends_with("stopped before it began"),
        "{answer}"
    );
}

#[test]
fn a_program_without_tunable_numbers_says_so() {
    let output = tessera(&["spsa"]);
    if cfg!(feature = "tune") {
        let lines = text(&output.stdout);
        assert!(
            lines.lines().all(|line| line.split(", ").count() == 7),
            "{lines}"
        );
    } else {
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).contains("--features tune"));
    }
}

#[test]
fn the_manual_page_has_every_command() {
    let output = tessera(&["man", "--date", "2026-11-17"]);
    assert!(output.status.success());
    let page = text(&output.stdout);
    assert!(page.starts_with(".TH TESSERA 6 \"2026-11-17\" \"Tessera "));
    for part in [
        ".SS tessera selfplay",
        ".SS tessera selfcheck",
        ".B genfens N",
        ".B Hash",
    ] {
        assert!(page.contains(part), "no {part}");
    }
    assert_eq!(tessera(&["man", "--date", "\"x"]).status.code(), Some(2));
    assert_eq!(tessera(&["completions", "tcsh"]).status.code(), Some(2));
    for shell in ["bash", "zsh", "fish"] {
        assert!(tessera(&["completions", shell]).status.success());
    }
}

/// What bash would offer after these words.
#[cfg(unix)]
fn completed(words: &[&str]) -> Vec<String> {
    let script = text(&tessera(&["completions", "bash"]).stdout);
    let last = words.len() - 1;
    let words = words.join("' '");
    let ask = format!("\nCOMP_WORDS=('{words}'); COMP_CWORD={last}; _tessera\n");
    let print = "printf '%s\\n' \"${COMPREPLY[@]}\"";
    let output = Command::new("bash")
        .args(["-c", &(script + &ask + print)])
        .output()
        .expect("bash");
    assert_eq!(text(&output.stderr), "");
    text(&output.stdout).lines().map(str::to_string).collect()
}

#[cfg(unix)]
#[test]
fn bash_completes_command_lines() {
    assert_eq!(completed(&["tessera", "self"]), ["selfcheck", "selfplay"]);
    assert_eq!(completed(&["tessera", "selfcheck", "--q"]), ["--quick"]);
    assert_eq!(completed(&["tessera", "data", "sh"]), ["shuffle"]);
    assert_eq!(
        completed(&["tessera", "perft", "--variant", "g"]),
        ["gardner"]
    );
    assert_eq!(completed(&["tessera", "genf"]), ["genfens"]);
}
