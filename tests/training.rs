//! The steps of docs/training.md, run by the program as a reader would run them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// The commands between the marks of the document.
fn commands() -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/training.md");
    let text = fs::read_to_string(path).expect("a document");
    let (_, rest) = text.split_once("<!-- coffee -->").expect("the first mark");
    let (steps, _) = rest
        .split_once("<!-- end of coffee -->")
        .expect("the last mark");
    let lines = steps.lines().filter(|line| line.starts_with("tessera "));
    lines.map(str::to_string).collect()
}

fn run(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tessera"));
    let output = command.args(words).current_dir(folder).output();
    output.expect("the program starts")
}

#[test]
fn a_newcomer_gets_a_network_that_plays() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("training-test");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a writable folder");
    let commands = commands();
    let mut verbs = Vec::new();
    for command in &commands {
        let words: Vec<&str> = command.split_whitespace().skip(1).collect();
        verbs.push(words[0]);
        let output = run(&folder, &words);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let complaints = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command}: {complaints}");
        if words.contains(&"random") {
            let share = said.split(", ").nth(1).expect("a share");
            let share: f64 = share.trim_end_matches(" %").parse().expect("a number");
            assert!(share > 75.0, "{command}: {said}");
        }
    }
    for verb in ["selfplay", "data", "tune", "train", "duel"] {
        assert!(verbs.contains(&verb), "no {verb} among the steps");
    }
    let picture = fs::read_to_string(folder.join("coffee.net.svg")).expect("a picture");
    assert!(picture.starts_with("<svg ") && picture.contains("validation"));

    // Merged and shuffled, nothing is lost.
    for verb in ["merge", "shuffle"] {
        let words = ["data", verb, "coffee.games", "coffee.games", "--out", verb];
        let output = run(&folder, &words);
        assert!(output.status.success());
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.contains("8000 games"), "{said}");
        assert!(run(&folder, &["data", "verify", verb]).status.success());
        assert!(!run(&folder, &words).status.success(), "overwritten");
    }

    // A second time: what is there is not overwritten, and nothing is lost.
    let before = fs::read(folder.join("coffee.games")).expect("games");
    let again = ["selfplay", "--variant", "petty", "--games", "9", "--out"];
    let output = run(&folder, &[&again[..], &["coffee.games"]].concat());
    assert_eq!(output.status.code(), Some(1));
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(complaints.contains("gardner"), "{complaints}");
    let after = fs::read(folder.join("coffee.games")).expect("games");
    assert!(before == after);
}

#[test]
fn mistakes_are_named() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (line, code, about) in [
        ("selfplay", 2, "--out"),
        ("selfplay --out x.games", 2, "--games"),
        ("selfplay --out x.games --games 0", 2, "--games"),
        (
            "selfplay --out x.games --games 5 --variant go",
            2,
            "gardner",
        ),
        (
            "selfplay --out x --games 5 --variant petty --chess960",
            2,
            "chess960",
        ),
        (
            "selfplay --out no/such/folder/x --games 5",
            1,
            "no/such/folder",
        ),
        (
            "selfplay --out x --games 5 --network Cargo.toml",
            1,
            "Cargo.toml",
        ),
        ("selfplay --out x --games 5 --random-plies 999", 2, "20"),
        ("train x --out n --result-share 1.5", 2, "0 to 1"),
        ("data", 2, "stats"),
        ("data stats", 2, "file"),
        ("data dance x", 2, "dance"),
        ("data stats no-such-file", 1, "no-such-file"),
        ("data merge no-such-file", 2, "--out"),
        ("tune", 2, "--out"),
        ("tune no-such-file --out w", 1, "no-such-file"),
        ("train x", 2, "--out"),
        ("train --out n", 2, "file"),
        ("train no-such-file --out n", 1, "no-such-file"),
        ("train x --out n --hidden 17", 2, "17"),
        ("train x --out n --buckets 99", 2, "99"),
        ("duel linear", 2, "two"),
        ("duel linear no-such-file", 1, "no-such-file"),
        ("endgame", 2, "what to do"),
        ("endgame dance", 2, "dance"),
        ("endgame build --variant gardner", 2, "--dir"),
        ("endgame stats --men 9", 2, "5"),
        ("endgame stats --class KXK", 2, "KXK"),
        ("endgame stats --dir no/such/folder", 1, "no/such/folder"),
        ("endgame probe", 2, "FEN"),
        ("endgame probe --variant gardner nonsense", 1, "nonsense"),
        ("openings --plies 999", 2, "20"),
        (
            "openings --out no/such/folder/x --count 1 --nodes 9",
            1,
            "no/such/folder",
        ),
        ("solve --fen nonsense", 1, "nonsense"),
        ("solve --hours x", 2, "--hours"),
    ] {
        let words: Vec<&str> = line.split_whitespace().collect();
        let output = run(folder, &words);
        let complaints = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{line}: {complaints}");
        assert!(complaints.contains(about), "{line}: {complaints}");
        assert!(output.stdout.is_empty(), "{line}");
    }
}
