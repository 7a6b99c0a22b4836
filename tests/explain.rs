//! `tessera explain`, and the command of the protocol.

#[path = "support/process.rs"]
mod process;

use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn explain(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tessera"))
        .arg("explain")
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts")
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

#[test]
fn a_blunder_is_explained() {
    let moves = ["--moves", "e4 e5 Bc4 Nc6 Qh5", "--move", "Nf6"];
    let text = stdout(&explain(&[&moves[..], &["--nodes", "5000"]].concat()));
    for part in [
        "3... Nf6 allows mate in 1: 3... Nf6 4. Qxf7#.\nBetter is 3... ",
        "Black's expected score falls from ",
        "White threatens 4. Qxf7#, which is mate.",
        "\nterm          white    black    total",
    ] {
        assert!(text.contains(part), "{part:?} in\n{text}");
    }
}

#[test]
fn a_piece_that_is_lost_is_named() {
    let moves = ["--moves", "e4 e5 Nf3 Nc6 Bb5 a6", "--move", "h3"];
    let text = stdout(&explain(
        &[&moves[..], &["--nodes", "20000", "--brief"]].concat(),
    ));
    // What else the line happens to lose is another matter.
    assert!(text.starts_with("4. h3 loses a bishop"), "{text}");
    assert!(text.contains(": 4. h3 axb5"), "{text}");
    assert!(text.contains("Black threatens 4... axb5"), "{text}");
    assert!(!text.contains("material"), "{text}");
}

#[test]
fn programs_get_one_object() {
    let arguments = [
        "--json", "--nodes", "5000", "--lines", "2", "--move", "a2a3",
    ];
    let text = stdout(&explain(&arguments));
    assert_eq!(text.lines().count(), 1);
    let object: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(object["best"]["lines"].as_array().map(Vec::len), Some(2));
    let all = object["best"]["nodes"].as_u64().expect("a number");
    for line in object["best"]["lines"].as_array().expect("lines") {
        let nodes = line["nodes"].as_u64().expect("a number");
        assert!(nodes > 0 && nodes <= all, "{line}");
        assert_eq!(line["wdl"].as_array().map(Vec::len), Some(3));
    }
    assert_eq!(object["judged"]["lines"][0]["san"][0], "a3");
    assert_eq!(object["threat"]["lines"].as_array().map(Vec::len), Some(1));
    assert_eq!(object["evaluation"]["side"], "white");
    assert!(
        object["summary"]
            .as_array()
            .is_some_and(|summary| !summary.is_empty())
    );
}

#[test]
fn nobody_passes_in_check_nor_after_the_end() {
    let check = ["--fen", "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"];
    let text = stdout(&explain(&[&check[..], &["--nodes", "100"]].concat()));
    assert!(text.contains("in check one cannot pass"), "{text}");
    let mate = ["--fen", "R6k/8/6K1/8/8/8/8/8 b - - 0 1", "--brief"];
    assert_eq!(stdout(&explain(&mate)), "The game is over: checkmate.\n");
}

/// The tables of this board are small enough to be made on the spot.
#[test]
fn tables_are_quoted() {
    let position = [
        "--variant",
        "silverman4x5",
        "--fen",
        "1k2/4/1K2/1P2/4 w - - 0 1",
    ];
    let rest = ["--move", "Kc2", "--nodes", "1000", "--brief"];
    let text = stdout(&explain(&[&position[..], &rest].concat()));
    assert!(
        text.starts_with("1. Kc2 turns a win into a draw, as endgame tables know.\nBetter is 1. "),
        "{text}"
    );
}

#[test]
fn a_mistake_is_told() {
    #[rustfmt::skip]
    let cases: [(&[&str], i32, &str); 5] = [
        (&["--move", "e5"], 1, "--move: e5 is not legal here"),
        (&["--moves", "e4 e4"], 1, "--moves: move 2: e4 is not legal here"),
        (&["--fen", "8/8 w"], 1, "8/8 w: "),
        (&["--lines", "0"], 2, "--lines takes a number from 1 up"),
        (&["e4"], 2, "Try 'tessera explain --help'"),
    ];
    for (arguments, code, message) in cases {
        let output = explain(arguments);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            output.status.code(),
            Some(code),
            "{arguments:?}: {complaint}"
        );
        assert!(complaint.contains(message), "{arguments:?}: {complaint}");
    }
}

/// The session answers meanwhile, and `stop` ends it.
#[test]
fn the_protocol_explains_too() {
    let lines = process::script("position startpos moves f2f3 e7e5\nexplain g2g4\nquit\n");
    assert_eq!(lines[0], "2. g4 allows mate in 1: 2. g4 Qh4#.");
    let lines = process::script("explain\nisready\nstop\nexplain x9\nquit\n");
    assert!(lines.contains(&"readyok".to_string()), "{lines:?}");
    assert!(
        lines.contains(&"info string explanation stopped".to_string()),
        "{lines:?}"
    );
    let complaint = "info string error: \"x9\" is not a move";
    assert!(lines.contains(&complaint.to_string()), "{lines:?}");
}
