//! Networks through the protocol: loaded, refused, put away.

#[path = "support/process.rs"]
mod process;
mod support;

use std::fs;

use process::{Process, errors, game};
use support::Folder;
use tessera::board::{CHESS, Rules};
use tessera::eval::network::Shape;
use tessera::lab::train::untrained;

/// Writes a file and returns its path as the protocol wants it.
fn written(folder: &Folder, name: &str, bytes: &[u8]) -> String {
    let path = folder.file(name);
    fs::write(&path, bytes).expect("room");
    path.display().to_string()
}

fn network(rules: &'static Rules, seed: u64) -> Vec<u8> {
    let shape = Shape {
        hidden: 32,
        buckets: 2,
        is_mirrored: true,
        zones: 1,
    };
    untrained(rules, shape, seed).to_bytes()
}

/// What a search finds, as a fingerprint of the evaluation.
fn fingerprint(process: &mut Process) -> (String, u64, String) {
    process.send("ucinewgame");
    let answer = process.search("go nodes 3000");
    let last = answer.last();
    (last.score.clone(), last.nodes, last.pv.join(" "))
}

#[test]
fn a_network_is_used_until_it_is_put_away() {
    let folder = Folder::new("used");
    let one = written(&folder, "one", &network(&CHESS, 1));
    let two = written(&folder, "a name with blanks.net", &network(&CHESS, 2));
    let mut process = Process::start();
    let before = fingerprint(&mut process);
    assert_eq!(fingerprint(&mut process), before, "it is repeatable");
    let mut seen = vec![before.clone()];
    for path in [&one, &two] {
        let said = process.ask(&format!("setoption name EvalFile value {path}"));
        assert!(errors(&said).is_empty(), "{said:?}");
        assert!(said.iter().any(|line| line.contains("chess")), "{said:?}");
        let now = fingerprint(&mut process);
        assert!(!seen.contains(&now));
        seen.push(now);
        process.search("go nodes 20000").check(&game(""), false);
    }
    process.ask("setoption name Evaluation value linear");
    let linear = fingerprint(&mut process);
    assert!(!seen[1..].contains(&linear));
    process.ask("setoption name Evaluation value network");
    assert_eq!(fingerprint(&mut process), seen[2]);
    process.ask("setoption name EvalFile value <internal>");
    assert_eq!(fingerprint(&mut process), before);
    process.quit();
}

#[test]
fn a_bad_file_is_refused_and_the_old_network_stays() {
    let folder = Folder::new("bad");
    let good = network(&CHESS, 1);
    let loaded = written(&folder, "good", &good);
    let mut damaged = good.clone();
    damaged[good.len() / 2] ^= 1;
    let mut newer = good.clone();
    newer[8] = 99;
    let mut long = good.clone();
    long.extend([0; 10]);
    let huge = written(&folder, "huge", &vec![0; (16 << 20) + 1]);
    let mut bad = vec![
        written(&folder, "empty", b""),
        written(&folder, "text", b"not a network at all"),
        written(&folder, "cut", &good[..good.len() / 2]),
        written(&folder, "damaged", &damaged),
        written(&folder, "newer", &newer),
        written(&folder, "long", &long),
        huge,
        folder.path().display().to_string(),
        folder.file("nothing").display().to_string(),
    ];
    if cfg!(unix) {
        bad.push("/dev/zero".to_string());
    }
    let mut process = Process::start();
    for start in ["<internal>", &loaded] {
        process.ask(&format!("setoption name EvalFile value {start}"));
        let before = fingerprint(&mut process);
        for path in &bad {
            let said = process.ask(&format!("setoption name EvalFile value {path}"));
            assert_eq!(errors(&said).len(), 1, "{path}: {said:?}");
            assert!(errors(&said)[0].contains("EvalFile"), "{said:?}");
            let options = process.ask("options");
            let is_old = |line: &&String| line.starts_with("EvalFile") && line.contains(start);
            assert_eq!(options.iter().filter(is_old).count(), 1, "{path}");
        }
        assert_eq!(fingerprint(&mut process), before);
    }
    process.quit();
}

#[test]
fn each_game_has_its_own_network() {
    let folder = Folder::new("games");
    let gardner = Rules::named("gardner").expect("there");
    let path = written(&folder, "gardner", &network(gardner, 3));
    let mut process = Process::start();
    let chess = fingerprint(&mut process);
    process.ask("setoption name UCI_Variant value gardner");
    let small = fingerprint(&mut process);
    process.ask("setoption name UCI_Variant value chess");
    let said = process.ask(&format!("setoption name EvalFile value {path}"));
    assert!(errors(&said).is_empty(), "{said:?}");
    assert_eq!(fingerprint(&mut process), chess);
    process.ask("setoption name UCI_Variant value gardner");
    assert_ne!(fingerprint(&mut process), small);
    process.ask("setoption name EvalFile value");
    assert_eq!(fingerprint(&mut process), small);
    process.quit();
}

#[test]
fn eval_shows_what_the_network_thinks_of_each_man() {
    let folder = Folder::new("eval");
    let path = written(&folder, "one", &network(&CHESS, 1));
    let mut process = Process::start();
    process.ask(&format!("setoption name EvalFile value {path}"));
    let said = process.ask("eval");
    let text = said.join("\n");
    assert!(text.contains("network, white to move: "), "{text}");
    assert!(text.contains("term          white    black"), "{text}");
    // Two kings have no value, thirty men have one.
    let board = text.split("network, white").next().unwrap_or_default();
    let values = board
        .split(['|', '\n'])
        .filter(|cell| cell.trim().parse::<f64>().is_ok() && cell.contains('.'));
    assert_eq!(values.count(), 30, "{board}");
    process.quit();
}
