//! Mates that the search claims are mates, to the move: a solver that knows nothing of
//! scores, tables and windows confirms them.

mod arena;
mod support;

use std::env;
use std::fs;

use arena::Arena;
use tessera::board::{CHESS, Game, Outcome, Position, Rules};
use tessera::search::{Limits, Progress};

/// Whether the side to move can force mate in so many moves, whatever is replied.
fn can_mate(position: &Position, moves: u32) -> bool {
    let attacks = position.legal_moves();
    let mut attacks: Vec<_> = attacks
        .iter()
        .filter(|&&mv| moves > 1 || position.gives_check(mv))
        .collect();
    attacks.sort_by_key(|&&mv| !position.gives_check(mv));
    attacks.into_iter().any(|&mv| {
        let next = position.play(mv);
        is_mated_in(&next, moves - 1)
    })
}

/// Whether the side to move is mated, or will be in so many moves, whatever it does.
fn is_mated_in(position: &Position, moves: u32) -> bool {
    let replies = position.legal_moves();
    if replies.is_empty() {
        return position.in_check();
    }
    if moves == 0 || position.has_insufficient_material() {
        return false;
    }
    replies
        .iter()
        .all(|&mv| can_mate(&position.play(mv), moves))
}

/// The line of a mate is complete, legal and ends in it.
fn check_line(position: &Position, progress: &Progress) {
    let line = &progress.lines[0];
    let plies = line.score.mate_moves().expect("a mate");
    let plies = if plies > 0 { 2 * plies - 1 } else { -2 * plies };
    assert_eq!(line.moves.len() as i32, plies, "{position}: {line:?}");
    let mut game = Game::new(*position);
    for &mv in &line.moves {
        assert_eq!(game.outcome(), None, "{position}: {line:?}");
        assert!(game.position().is_legal(mv), "{position}: {line:?}");
        game.play(mv);
    }
    assert_eq!(
        game.outcome(),
        Some(Outcome::Checkmate),
        "{position}: {line:?}"
    );
}

/// Whether a claim is within the reach of the solver, and then true.
fn confirm(position: &Position, claim: i32) -> bool {
    let moves = claim.unsigned_abs();
    if moves > 3 || moves == 3 && position.legal_moves().len() > 25 {
        return false;
    }
    let holds = if claim > 0 {
        can_mate(position, moves)
    } else {
        is_mated_in(position, moves)
    };
    assert!(holds, "{position}: no mate in {claim}");
    true
}

#[test]
fn mates_in_random_play_are_confirmed_by_a_solver() {
    let mut arena = Arena::new(1, 16);
    for rules in Rules::ALL {
        let (mut visited, mut confirmed) = (0, 0);
        support::random_positions(rules, 11, 2400, |position| {
            visited += 1;
            if visited % 3 > 0 || position.legal_moves().is_empty() {
                return;
            }
            let last = arena.search_depth(position, 6);
            if let Some(claim) = last.lines[0].score.mate_moves() {
                check_line(position, &last);
                confirmed += usize::from(confirm(position, claim));
            }
        });
        assert!(confirmed >= 10, "{}: only {confirmed}", rules.name);
    }
}

/// Mates that are asked for are found to the move, and others are ruled out.
#[test]
fn known_mates_are_found() {
    for (fen, moves) in [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
        ("3k4/8/3K4/8/8/8/8/7R w - - 0 1", 1),
        ("4k3/8/4K3/4Q3/8/8/8/8 w - - 0 1", 1),
    ] {
        let position = Position::from_fen(&CHESS, fen).expect("legal");
        assert!(can_mate(&position, moves), "{fen}");
        assert!(moves == 1 || !can_mate(&position, moves - 1), "{fen}");
        let mut arena = Arena::new(1, 16);
        let mut ask = |mate: u32| {
            let limits = Limits {
                mate: Some(mate),
                ..Limits::default()
            };
            arena.search(Game::new(position), limits)
        };
        if moves > 1 {
            let shorter = ask(moves - 1).lines[0].score.mate_moves();
            assert!(shorter.is_none_or(|mate| mate >= moves as i32), "{fen}");
        }
        let last = ask(moves);
        assert_eq!(
            last.lines[0].score.mate_moves(),
            Some(moves as i32),
            "{fen}"
        );
        check_line(&position, &last);
    }
}

/// Suites of `FEN… dm N;` rows, named in `TESSERA_MATES`: which mates are found within a
/// million nodes, and with how many. Every claim is checked.
#[test]
#[ignore = "needs a suite: TESSERA_MATES=file.epd"]
fn a_suite_of_mates() {
    let path = env::var("TESSERA_MATES").expect("TESSERA_MATES names a file");
    let text = fs::read_to_string(path).expect("a readable file");
    let (mut rows, mut found, mut confirmed, mut nodes) = (0, 0, 0, Vec::new());
    for row in text.lines().filter(|row| row.contains(" dm ")) {
        let fen: Vec<&str> = row.split_whitespace().take(4).collect();
        let position = Position::from_fen(&CHESS, &fen.join(" ")).expect("legal");
        let wanted = row
            .split(" dm ")
            .nth(1)
            .and_then(|rest| rest.split(';').next());
        let wanted: i32 = wanted
            .and_then(|text| text.trim().parse().ok())
            .expect("a number");
        let mut arena = Arena::new(1, 16);
        let limits = Limits {
            nodes: Some(1_000_000),
            mate: Some(wanted.unsigned_abs()),
            ..Limits::default()
        };
        let last = arena.search(Game::new(position), limits);
        rows += 1;
        if let Some(claim) = last.lines[0].score.mate_moves() {
            check_line(&position, &last);
            confirmed += usize::from(confirm(&position, claim));
            assert!(
                claim >= wanted,
                "{position}: mate in {claim}, known is {wanted}"
            );
            if claim == wanted {
                found += 1;
                nodes.push(last.nodes);
            }
        }
    }
    nodes.sort_unstable();
    let median = nodes.get(nodes.len() / 2).copied().unwrap_or(0);
    let total: u64 = nodes.iter().sum();
    println!("{found} of {rows} found, {confirmed} confirmed by the solver");
    println!("nodes: median {median}, in all {total}");
}
