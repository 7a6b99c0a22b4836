//! Endgame tables in play, by the program itself: mates, draws, and the rules that go before them.

#[path = "support/endgames.rs"]
mod endgames;
#[path = "support/process.rs"]
mod process;
mod support;

use std::fs;

use endgames::{built, random_position, rules, table, write};
use process::{Process, errors};
use support::{Dice, Folder};
use tessera::board::{CHESS, Game, Outcome, Position};
use tessera::endgame::{Class, Value};
use tessera::types::Color;

/// Both sides play from the tables through the protocol: the mate comes when it should.
#[test]
fn the_shortest_mate_is_played_against_the_longest_defence() {
    let mut process = Process::start();
    process.ask("setoption name UCI_Variant value gardner");
    let game_rules = rules("gardner");
    let tables = built(game_rules, 4);
    for fen in [
        "5/5/5/2k1R/K1b2 b - - 0 1",
        "5/5/2k2/r4/1K1Q1 b - - 0 1",
        "5/1p3/5/5/K1Qk1 b - - 0 1",
    ] {
        let mut game = Game::new(Position::from_fen(game_rules, fen).expect("legal"));
        let mut moves = String::new();
        while game.outcome().is_none() {
            let left = match tables.value(game.position()).expect("known") {
                Value::Win(plies) | Value::Loss(plies) => plies,
                Value::Draw => panic!("{fen} {moves} is a draw"),
            };
            process.send(&format!("position fen {fen} moves{moves}"));
            let answer = process.search("go depth 4");
            let last = answer.last();
            assert_eq!(last.pv.len(), usize::from(left), "{fen} {moves}");
            moves = format!("{moves} {}", answer.best);
            game.play_uci(&answer.best).expect("legal");
            let now = tables.value(game.position()).expect("known");
            let expected = left - 1;
            assert!(
                matches!(now, Value::Win(plies) | Value::Loss(plies) if plies == expected),
                "{fen} {moves}"
            );
        }
        assert_eq!(game.outcome(), Some(Outcome::Checkmate), "{fen} {moves}");
    }
}

/// A mate that the fifty-move rule would prevent is none.
#[test]
fn the_fifty_move_rule_goes_before_the_tables() {
    let mut process = Process::start();
    process.ask("setoption name UCI_Variant value gardner");
    for (halfmoves, score) in [(0, "mate -31"), (38, "mate -31"), (39, "cp"), (90, "cp")] {
        process.send(&format!(
            "position fen 5/5/5/2k1R/K1b2 b - - {halfmoves} 60"
        ));
        let answer = process.search("go depth 4");
        let found = &answer.last().score;
        assert!(found.starts_with(score), "{halfmoves} halfmoves: {found}");
    }
}

/// The first move that comes to mind is the best one too.
#[test]
fn one_node_is_enough_where_the_tables_know() {
    for (fen, best) in [
        ("5/5/5/2k1R/K1b2 b - - 0 1", "c1d2"),
        ("5/5/2k2/r4/1K1Q1 b - - 0 1", "a2b2"),
    ] {
        let mut process = Process::start();
        process.ask("setoption name UCI_Variant value gardner");
        process.send(&format!("position fen {fen}"));
        assert_eq!(process.search("go nodes 1").best, best, "{fen}");
    }
}

/// The shortest mate is none if its first move brings up a position for the third time.
#[test]
fn a_third_repetition_goes_before_the_tables() {
    let game_rules = rules("gardner");
    let tables = built(game_rules, 3);
    let class = Class::named("KRK").expect("a class");
    let mut dice = Dice::new(2);
    let mut process = Process::start();
    process.ask("setoption name UCI_Variant value gardner");
    let mut tried = 0;
    while tried < 10 {
        let start = random_position(game_rules, &class, &mut dice);
        let moves = tables.moves(&start).expect("known");
        let [(best, Value::Win(plies @ 3..)), (_, Value::Win(next)), ..] = moves[..] else {
            continue;
        };
        let after = start.play(best);
        let replies = after.legal_moves();
        let mut rounds = replies.iter().map(|&reply| {
            [start.uci(best, false), after.uci(reply, false)]
                .map(|mv| [mv[..2].to_string(), mv[2..].to_string()])
        });
        // There and back, twice.
        let found = rounds.find_map(|[[from, to], [reply_from, reply_to]]| {
            let there = format!("{from}{to} {reply_from}{reply_to}");
            let round = format!("{there} {to}{from} {reply_to}{reply_from}");
            let line = format!("{round} {round}");
            let mut game = Game::new(start);
            let is_legal = line.split(' ').all(|mv| game.play_uci(mv).is_ok());
            (is_legal && game.position().key() == start.key()).then_some((line, game))
        });
        let Some((line, mut game)) = found.filter(|_| plies < next) else {
            continue;
        };
        tried += 1;
        process.send(&format!("position fen {start} moves {line}"));
        let answer = process.search("go depth 6");
        assert_ne!(answer.best, start.uci(best, false), "{start} {line}");
        game.play_uci(&answer.best).expect("legal");
        assert_eq!(game.outcome(), None, "{start} {line} {}", answer.best);
        let value = tables.value(game.position());
        assert!(
            matches!(value, Some(Value::Loss(_))),
            "{start} {line} {}",
            answer.best
        );
    }
}

/// The shortest mate is none either if the opponent's answer to its first move brings up a position
/// for the third time.
#[test]
fn an_answer_that_repeats_goes_before_the_tables() {
    let game_rules = rules("gardner");
    let tables = built(game_rules, 3);
    let class = Class::named("KRK").expect("a class");
    let mut dice = Dice::new(3);
    let mut process = Process::start();
    process.ask("setoption name UCI_Variant value gardner");
    let can_be_drawn = |game: &Game| {
        game.position().legal_moves().iter().any(|&reply| {
            let mut next = game.clone();
            next.play(reply);
            next.outcome() == Some(Outcome::Repetition)
        })
    };
    let mut tried = 0;
    while tried < 10 {
        let start = random_position(game_rules, &class, &mut dice);
        let moves = tables.moves(&start).expect("known");
        let [(best, Value::Win(_)), ..] = moves[..] else {
            continue;
        };
        let after = start.play(best);
        let back = |mv: &str| format!("{}{}", &mv[2..4], &mv[..2]);
        for &reply in &after.legal_moves() {
            let [there, answer] = [start.uci(best, false), after.uci(reply, false)];
            let (come, go) = (back(&there), back(&answer));
            // Back, there, and back again: the start stands for the second time, and so has what
            // comes after the answer.
            let line = format!("{come} {go} {there} {answer} {come} {go}");
            let second = after.play(reply);
            let mut game = Game::new(second);
            let is_legal = line.split(' ').all(|mv| game.play_uci(mv).is_ok());
            if !is_legal || game.position().key() != start.key() || game.outcome().is_some() {
                continue;
            }
            let mut drawn = game.clone();
            drawn.play(best);
            let has_another = moves.iter().any(|&(mv, value)| {
                let mut next = game.clone();
                next.play(mv);
                matches!(value, Value::Win(3..)) && next.outcome().is_none() && !can_be_drawn(&next)
            });
            if !can_be_drawn(&drawn) || !has_another {
                continue;
            }
            tried += 1;
            process.send(&format!("position fen {second} moves {line}"));
            let chosen = process.search("go depth 6").best;
            game.play_uci(&chosen).expect("legal");
            assert!(!can_be_drawn(&game), "{second} {line} {chosen}");
            let value = tables.value(game.position());
            assert!(
                matches!(value, Some(Value::Loss(_))),
                "{second} {line} {chosen}"
            );
            break;
        }
    }
}

/// A draw that the tables know is kept, and the rook is: without it there is nothing left to hope
/// for.
#[test]
fn a_known_draw_is_played_on() {
    let mut process = Process::start();
    process.ask("setoption name UCI_Variant value gardner");
    let game_rules = rules("gardner");
    let tables = built(game_rules, 4);
    let class = Class::named("KRKN").expect("a class");
    let mut dice = Dice::new(1);
    let mut tried = 0;
    while tried < 20 {
        let position = random_position(game_rules, &class, &mut dice);
        let is_quiet = |position: &Position| {
            let moves = position.legal_moves();
            let mut captures = moves.iter().filter(|mv| position.is_noisy(**mv));
            captures.next().is_none()
        };
        let is_drawn = tables.value(&position) == Some(Value::Draw);
        let can_stay = position
            .legal_moves()
            .iter()
            .any(|&mv| is_quiet(&position.play(mv)));
        if position.side() == Color::Black || !is_drawn || !is_quiet(&position) || !can_stay {
            continue;
        }
        tried += 1;
        process.send(&format!("position fen {position}"));
        let answer = process.search("go depth 6");
        assert_eq!(answer.last().score, "cp 0", "{position}");
        let mv = position.parse_uci(&answer.best).expect("legal");
        let next = position.play(mv);
        assert_eq!(tables.value(&next), Some(Value::Draw), "{position} {mv:?}");
        assert!(is_quiet(&next), "{position} {}", answer.best);
    }
}

#[test]
fn tables_from_files_are_used_and_bad_ones_are_named() {
    let folder = Folder::new("option");
    let tables = built(&CHESS, 3);
    write(&tables, folder.path());
    let path = folder.path().display();
    let mut process = Process::start();
    let position = "position fen 8/8/8/8/8/2k5/8/K2R4 w - - 0 1";
    process.send(position);
    let hits = |process: &mut Process| {
        let lines = process.search("go depth 3").lines;
        let mut infos = lines.iter().rev().filter(|line| line.contains(" tbhits "));
        let line = infos.next().expect("a line").clone();
        (line.contains(" tbhits 0 "), line)
    };
    assert!(hits(&mut process).0);
    let lines = process.ask(&format!("setoption name EndgamePath value {path}"));
    assert!(
        lines[0].ends_with("5 endgame tables for chess"),
        "{lines:?}"
    );
    let (is_unused, line) = hits(&mut process);
    assert!(!is_unused && line.contains("score mate"), "{line}");
    process.send("setoption name Endgames value false");
    assert!(hits(&mut process).0);
    process.send("setoption name Endgames value true");

    // A file that was cut off is named and left out; no folder changes nothing.
    let cut = table(&tables, "KRK").path(folder.path());
    let bytes = fs::read(&cut).expect("readable");
    fs::write(&cut, &bytes[..bytes.len() / 2]).expect("room");
    let lines = process.ask("setoption name EndgamePath value /no/such/folder");
    assert_eq!(errors(&lines).len(), 1, "{lines:?}");
    assert!(!hits(&mut process).0);
    let lines = process.ask(&format!("setoption name EndgamePath value {path}"));
    assert!(
        errors(&lines)[0].contains("chess-KRK.endgame: it is cut off"),
        "{lines:?}"
    );
    // Who cannot mate with a rook is not to be sent there by a pawn.
    assert!(
        errors(&lines)[1].contains("chess-KPK.endgame: it needs KRK"),
        "{lines:?}"
    );
    assert!(hits(&mut process).0);
    // Also when the game is chosen after the folder.
    process.ask("setoption name UCI_Variant value gardner");
    let lines = process.ask("setoption name UCI_Variant value chess");
    assert!(
        errors(&lines)[0].contains("chess-KRK.endgame: it is cut off"),
        "{lines:?}"
    );
    let lines = process.ask("setoption name EndgamePath value");
    assert!(errors(&lines).is_empty(), "{lines:?}");
}
