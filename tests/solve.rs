//! Proofs are compared with what the endgame tables know, which the proofs do not see.

mod support;

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use support::Dice;
use tessera::board::{Position, Rules};
use tessera::endgame::{Class, Endgames, Tables, Value};
use tessera::lab::openings;
use tessera::lab::solve::{Proof, Verdict};
use tessera::search::Solo;
use tessera::types::{Color, Piece, Square};

fn rules(name: &str) -> &'static Rules {
    Rules::named(name).expect("a game")
}

/// Whether a side can win, proven with these tables alone. Each proof is looked at once more.
fn ask(position: &Position, attacker: Color, endgames: &Endgames) -> Verdict {
    let mut solo = Solo::new(1, None).expect("memory");
    let rules = position.rules();
    let mut proof = Proof::new(&mut solo, endgames, rules, attacker, 200, 4);
    let verdict = proof.run(position, |_| true);
    proof.check(position, verdict).expect("a proof");
    verdict
}

#[test]
fn what_is_proven_is_what_the_tables_know() {
    let classes = ["KRK", "KPK", "KRKN", "KQKP", "KPKP", "KBKP"];
    let (wins, holds) = compare("4x5chess", &Endgames::default(), &classes);
    assert!(wins > 6 && holds > 12, "{wins} wins, {holds} holds");
}

#[test]
fn so_it_is_with_some_tables_and_captures_in_passing() {
    let small = Tables::build(rules("silverman4x5"), 3, 2).expect("tables");
    let classes = ["KPKP", "KPPK", "KRKP", "KNKP", "KBPK"];
    let (wins, holds) = compare("silverman4x5", &Endgames::from(small), &classes);
    assert!(wins > 6 && holds > 12, "{wins} wins, {holds} holds");
}

/// Compares proofs of random positions with tables of four men. Returns how often a win and how
/// often a hold was proven.
fn compare(game: &str, known: &Endgames, classes: &[&str]) -> (u32, u32) {
    let rules = rules(game);
    let tables = Tables::build(rules, 4, 2).expect("tables");
    let squares: Vec<Square> = rules.squares.squares().collect();
    let mut dice = Dice::new(5);
    let (mut wins, mut holds) = (0, 0);
    for name in classes {
        let class = Class::named(name).expect("a class");
        let mut left = 4;
        while left > 0 {
            let mut square = || squares[dice.below(squares.len())];
            let men: Vec<(Piece, Square)> = class.pieces().map(|piece| (piece, square())).collect();
            let side = Color::ALL[dice.below(2)];
            let Some(position) = Position::of_men(rules, side, &men) else {
                continue;
            };
            left -= 1;
            let value = tables.value(&position).expect("known");
            for attacker in Color::ALL {
                let can_win = match value {
                    Value::Draw => false,
                    Value::Win(_) => attacker == side,
                    Value::Loss(_) => attacker != side,
                };
                let verdict = ask(&position, attacker, known);
                let expected = if can_win {
                    Verdict::Wins
                } else {
                    Verdict::IsHeld
                };
                assert!(
                    verdict == expected || verdict == Verdict::NoRoom,
                    "{position}: {attacker} {verdict:?}, but it is {value:?}"
                );
                wins += u32::from(verdict == Verdict::Wins);
                holds += u32::from(verdict == Verdict::IsHeld);
            }
        }
    }
    (wins, holds)
}

/// What the program says of a position of Gardner's game, in this time.
fn told(fen: &str, hours: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_tessera"))
        .args(["solve", "--variant", "gardner", "--fen", fen])
        .args(["--hours", hours])
        .output()
        .expect("it runs");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines().last().unwrap_or_default().to_string()
}

#[test]
fn the_program_claims_what_is_proven_and_no_more() {
    let start = rules("gardner").start;
    for (fen, hours, expected) in [
        // What a clock of fifty moves would make of it is not looked at, and that is told.
        (
            "5/5/5/2k1R/K1b2 b - - 99 60",
            "0.1",
            "proven: White wins (the fifty-move rule left out)",
        ),
        (
            "2r1k/5/4p/4P/4K b - - 0 1",
            "0.1",
            "proven: Black wins (the fifty-move rule left out)",
        ),
        ("5/1k2p/4P/2K2/5 w - - 0 1", "0.1", "proven: a draw"),
        (start, "0", "nothing is proven"),
    ] {
        assert_eq!(told(fen, hours), expected, "{fen}");
    }
}

/// Who has waited for hours is told how far it came.
#[cfg(unix)]
#[test]
fn an_interrupt_gives_up_and_says_so() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tessera"))
        .args(["solve", "--variant", "gardner", "--hours", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it runs");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut line = || lines.next().expect("a line").expect("text");
    assert_eq!(line(), rules("gardner").start);
    assert_eq!(line(), "tables of up to 4 men");
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.expect("it runs").success());
    for side in ["white", "black"] {
        let start = format!("can {side} win? not proven: ");
        assert!(line().starts_with(&start), "{side}");
    }
    assert_eq!(line(), "nothing is proven");
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn openings_are_different_level_and_the_same_on_any_number_of_threads() {
    let plan = |threads| openings::Plan {
        rules: rules("gardner"),
        fischer: false,
        count: 12,
        plies: 3,
        nodes: 500,
        max_score: 80,
        seed: 4,
        threads,
    };
    let find = |threads| openings::find(&plan(threads), None, |_| {}).expect("openings");
    let found = find(1);
    assert_eq!(found.len(), 12);
    assert_eq!(found, find(3));
    for (index, position) in found.iter().enumerate() {
        assert!(!found[..index].contains(position), "{position} twice");
        assert!(position.count_moves() > 0);
    }
    // There are seven first moves only.
    let few = openings::Plan {
        plies: 0,
        count: 30,
        nodes: 10,
        ..plan(2)
    };
    let error = openings::find(&few, None, |_| {}).expect_err("too many");
    assert!(error.starts_with("only "), "{error}");
}
