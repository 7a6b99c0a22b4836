//! What a search says through the protocol: limits, lines, scores, times.

#[path = "support/process.rs"]
mod process;

use std::time::{Duration, Instant};

use process::{Info, MATED, ONE_REPLY, Process, STALEMATED, errors, game, game_of};
use tessera::board::{CHESS, Game, Outcome, Position, Rules};
use tessera::types::Color;

#[test]
fn every_go_is_answered_once_whatever_its_limits() {
    let mut process = Process::start();
    for go in [
        "go depth 1",
        "go depth 0",
        "go depth -1",
        "go depth 5 nodes 1000 movetime 5000",
        "go nodes 1",
        "go nodes 0",
        "go nodes -7",
        "go nodes 5000",
        "go movetime 0",
        "go movetime -5",
        "go movetime 1",
        "go movetime 30",
        "go wtime 0 btime 0",
        "go wtime -100 btime -100 winc -3 binc -3",
        "go wtime 1 btime 1",
        "go wtime 10 btime 10",
        "go wtime 100",
        "go btime 100",
        "go wtime 100 btime 100 movestogo 1",
        "go wtime 100 btime 100 movestogo 0",
        "go wtime 100 btime 100 movestogo -3",
        "go wtime 100 btime 100 movestogo 99999999999999999999",
        "go wtime 10 btime 10 winc 100000 binc 100000",
        "go binc 10 winc 10 btime 50 wtime 50",
        "go wtime 99999999999999999999 btime 1 depth 2",
        "go depth 99999999999999999999 nodes 50",
        "go nodes 99999999999999999999 depth 2",
        "go movetime 99999999999999999999 depth 2",
        "go mate 1 depth 2",
        "go mate 99999 depth 2",
        "go mate 1",
        "go mate 2",
        "go searchmoves e2e4 depth 3",
        "go depth 3 searchmoves e2e4 d2d4",
        "go searchmoves depth 2",
        "go searchmoves e2e5 zzzz depth 2",
        "go depth 2 foo 7 nodes 100",
        "go foo depth 2",
        "go depth",
        "go depth abc",
        "go movetime 1.5",
        "go nodes abc depth 2",
        "go depth 2 depth 3",
        "GO DEPTH 2",
        "go\tdepth\t2  ",
    ] {
        let answer = process.search(go);
        answer.check(&game(""), false);
        let rest = process.ask("");
        assert!(rest.is_empty(), "{go}: {rest:?}");
    }
    process.quit();
}

/// Positions of every game, played through with everything checked.
#[test]
fn every_line_is_legal_in_every_game() {
    let mut process = Process::start();
    for rules in Rules::ALL {
        for chess960 in [false, true] {
            process.send(&format!("setoption name UCI_Variant value {}", rules.name));
            process.send(&format!("setoption name UCI_Chess960 value {chess960}"));
            let mut moves = String::new();
            for _ in 0..40 {
                let game = game_of(rules, rules.start, &moves);
                if game.outcome().is_some() {
                    break;
                }
                process.send(&format!("position startpos moves {moves}"));
                let answer = process.search("go nodes 400");
                answer.check(&game, chess960);
                moves.push_str(&answer.best);
                moves.push(' ');
            }
        }
    }
    process.quit();
}

#[test]
fn castling_is_written_as_asked_and_read_both_ways() {
    let mut process = Process::start();
    let fen = "position fen 4k3/8/8/8/8/8/5PPP/4K2R w K - 0 1";
    for (chess960, expected) in [("false", "e1g1"), ("true", "e1h1")] {
        process.send(&format!("setoption name uci_chess960 value {chess960}"));
        for castling in ["e1g1", "e1h1", "O-O", "0-0"] {
            process.send(fen);
            let answer = process.search(&format!("go depth 1 searchmoves {castling}"));
            assert_eq!(answer.best, expected);
            assert!(process.ask(&format!("{fen} moves {castling}")).is_empty());
        }
    }
    process.quit();
}

#[test]
fn mates_are_told_to_the_move_with_their_whole_line() {
    let mut process = Process::start();
    for (fen, go, score) in [
        (
            "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
            "go depth 4",
            "mate 1",
        ),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "go mate 2", "mate 2"),
        ("k7/8/1K6/8/8/8/8/7R b - - 0 1", "go depth 4", "mate -1"),
        (
            "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
            "go mate 1",
            "mate 1",
        ),
    ] {
        let game = game_of(&CHESS, fen, "");
        process.send(&format!("position fen {fen}"));
        let answer = process.search(go);
        answer.check(&game, false);
        assert_eq!(answer.last().score, score, "{fen}");
    }
    // A mate that is not there is ruled out, and the search ends. Its answer comes from deeper
    // searches than the one of four plies that does so.
    process.send("position startpos");
    let answer = process.search("go mate 2");
    answer.check(&game(""), false);
    assert!(answer.last().depth > 4, "{:?}", answer.last());
    process.quit();
}

#[test]
fn a_root_without_moves_has_no_best_move() {
    let mut process = Process::start();
    for (position, score) in [(MATED, "mate 0"), (STALEMATED, "cp 0")] {
        process.send(position);
        for go in [
            "go depth 3",
            "go movetime 10",
            "go nodes 1",
            "go wtime 100 btime 100",
        ] {
            let answer = process.search(go);
            assert_eq!(
                answer.lines,
                [
                    format!("info depth 0 score {score}"),
                    "bestmove (none)".into()
                ]
            );
        }
    }
    process.quit();
}

#[test]
fn several_lines_come_complete_and_in_order() {
    let mut process = Process::start();
    for (position, choices) in [("position startpos", 20), (ONE_REPLY, 1)] {
        for wanted in [1, 2, 5, 20, 256] {
            process.send(&format!("setoption name MultiPV value {wanted}"));
            process.send(position);
            let answer = process.search("go depth 3");
            let deepest: Vec<&Info> = answer.infos.iter().filter(|info| info.depth == 3).collect();
            let count = choices.min(wanted);
            assert_eq!(deepest.len(), count, "{wanted}");
            let value = |info: &Info| -> i32 {
                info.score
                    .split(' ')
                    .nth(1)
                    .expect("a score")
                    .parse()
                    .expect("a number")
            };
            let mut heads = Vec::new();
            for (index, info) in deepest.iter().enumerate() {
                assert_eq!(info.multipv, index + 1);
                if index > 0
                    && info.score.starts_with("cp")
                    && deepest[index - 1].score.starts_with("cp")
                {
                    assert!(value(info) <= value(deepest[index - 1]), "{answer:#?}");
                }
                assert!(!heads.contains(&info.pv[0]), "twice: {answer:#?}");
                heads.push(info.pv[0].clone());
            }
            assert_eq!(heads[0], answer.best);
        }
    }
    process.quit();
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let mut process = Process::start();
    for moves in ["a2a3", "a2a3 h2h3", "h2h3 b1a3 a2a3", "A2A3", "a2a3 a2a3"] {
        let answer = process.search(&format!("go searchmoves {moves} depth 3"));
        let wanted = moves.to_lowercase();
        assert!(wanted.contains(&answer.best), "{moves}: {}", answer.best);
        assert!(answer.infos.iter().all(|info| wanted.contains(&info.pv[0])));
    }
    // What is not legal is named and left out.
    let answer = process.search("go searchmoves e2e5 a2a3 depth 2");
    assert_eq!(errors(&answer.lines).len(), 1, "{:?}", answer.lines);
    assert_eq!(answer.best, "a2a3");
    process.quit();
}

#[test]
fn node_limits_are_exact_and_one_thread_is_deterministic() {
    let mut process = Process::start();
    let mut counts = Vec::new();
    for _ in 0..2 {
        let mut these = Vec::new();
        process.send("ucinewgame");
        for nodes in [1, 2, 100, 1023, 1024, 1025, 5000, 54_321] {
            process.send("position startpos moves e2e4 e7e5");
            let answer = process.search(&format!("go nodes {nodes}"));
            assert_eq!(answer.last().nodes, nodes);
            these.push(
                answer.best
                    + &format!(
                        "{:?}",
                        answer
                            .infos
                            .last()
                            .map(|i| (i.depth, i.score.clone(), i.pv.clone()))
                    ),
            );
        }
        for depth in 1..=6 {
            let answer = process.search(&format!("go depth {depth}"));
            these.push(format!("{} {}", answer.best, answer.last().nodes));
        }
        counts.push(these);
    }
    assert_eq!(counts[0], counts[1]);
    process.quit();
}

#[test]
fn there_is_one_line_for_every_depth_and_wdl_only_on_request() {
    let mut process = Process::start();
    for show in [false, true] {
        process.send(&format!("setoption name UCI_ShowWDL value {show}"));
        process.send("ucinewgame");
        let answer = process.search("go depth 6");
        let depths: Vec<u32> = answer.infos.iter().map(|info| info.depth).collect();
        assert_eq!(depths, [1, 2, 3, 4, 5, 6]);
        for info in &answer.infos {
            assert_eq!(info.wdl.is_some(), show);
            assert!(info.wdl.is_none_or(|wdl| wdl.iter().sum::<u32>() == 1000));
            assert!(info.seldepth >= 1);
        }
    }
    process.quit();
}

/// Trivial positions reach the last depth in no time: the lines are not all printed.
#[test]
fn a_gui_is_not_drowned() {
    let mut process = Process::start();
    process.send("position fen k7/8/8/8/8/8/8/K7 w - - 0 1");
    process.send("setoption name MultiPV value 4");
    process.send("go infinite");
    let lines = process.during(Duration::from_millis(300));
    assert!(lines.len() < 150, "{}", lines.len());
    process.send("stop");
    process.until("bestmove");
    process.quit();
}

#[test]
fn the_root_move_is_told_after_three_seconds() {
    let mut process = Process::start();
    process
        .send("position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    process.send("go infinite");
    let early = process.during(Duration::from_millis(2500));
    assert!(
        !early.iter().any(|line| line.contains("currmove")),
        "{early:?}"
    );
    let lines = process.until("info currmove ");
    assert!(
        lines[lines.len() - 1].contains(" currmovenumber "),
        "{lines:?}"
    );
    process.send("stop");
    process.until("bestmove");
    process.quit();
}

#[test]
fn clocks_are_kept() {
    let mut process = Process::start();
    // A large overhead, so that a busy machine does not fail the test.
    process.send("setoption name Move Overhead value 300");
    process.send("position startpos moves e2e4 e7e5 g1f3 b8c6");
    for (go, limit) in [
        ("go wtime 1000 btime 1000", 1000),
        ("go wtime 1000 btime 1000 winc 5000 binc 5000", 1000),
        ("go wtime 1000 btime 1000 movestogo 1", 1000),
        ("go movetime 700", 700),
        ("go wtime 60000 btime 60000 movetime 700", 700),
        ("go wtime 900 btime 60000 depth 90", 900),
    ] {
        let started = Instant::now();
        process.search(go);
        let elapsed = started.elapsed();
        assert!(elapsed < Duration::from_millis(limit), "{go}: {elapsed:?}");
    }
    // A single reply on the clock needs no thought.
    process.send(ONE_REPLY);
    let started = Instant::now();
    process.search("go wtime 600000 btime 600000");
    assert!(started.elapsed() < Duration::from_secs(5));
    process.quit();
}

#[test]
fn a_limited_strength_still_plays_and_mates() {
    let mut process = Process::start();
    process.send("setoption name UCI_LimitStrength value true");
    for elo in [600, 1500, 2400] {
        process.send(&format!("setoption name UCI_Elo value {elo}"));
        process.send("position startpos");
        let answer = process.search("go wtime 60000 btime 60000");
        answer.check(&game(""), false);
        assert!(answer.last().nodes <= 100_000, "{elo}");
        process.send("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
        assert_eq!(process.search("go movetime 1000").best, "d1d8", "{elo}");
    }
    // In analysis the strength is not limited.
    process.send("setoption name UCI_AnalyseMode value true");
    process.send("position startpos");
    assert_eq!(process.search("go nodes 30000").last().nodes, 30_000);
    process.quit();
}

/// Gardner's game is a draw, and the side that lacks its queen loses the one of Los Alamos: others have
/// proven that.
#[test]
fn what_is_proven_of_compact_games_is_seen() {
    let mut process = Process::start();
    let mut centipawns = |game: &str, position: &str, depth: u32| {
        process.ask(&format!("setoption name UCI_Variant value {game}"));
        process.send(position);
        let score = process
            .search(&format!("go depth {depth}"))
            .last()
            .score
            .clone();
        let (unit, number) = score.split_once(' ').expect("two words");
        let number: i32 = number.parse().expect("a number");
        number * if unit == "mate" { 10_000 } else { 1 }
    };
    let draw = centipawns("gardner", "position startpos", 20);
    assert!(draw.abs() <= 20, "{draw}");
    let won = "position fen rnqknr/pppppp/6/3P2/PPP1PP/RN1KNR b - - 0 1";
    let won = centipawns("losalamos", won, 12);
    assert!(won >= 500, "{won}");
    process.quit();
}

/// Whoever plays against it twice does not see the same game twice.
#[test]
fn a_limited_strength_errs_otherwise_in_every_game() {
    let mut process = Process::start();
    process.send("setoption name UCI_Elo value 1000");
    process.send("setoption name UCI_LimitStrength value true");
    let mut scores = Vec::new();
    for _ in 0..10 {
        process.send("ucinewgame\nposition startpos");
        scores.push(process.search("go depth 4").last().score.clone());
    }
    assert!(scores.iter().any(|score| *score != scores[0]), "{scores:?}");
    process.quit();
}

/// Against a defence at full strength, within the fifty moves.
#[test]
fn the_lowest_strength_mates_a_lone_king() {
    let mut process = Process::start();
    process.send("setoption name UCI_Elo value 600");
    for fen in [
        "8/8/8/4k3/8/8/8/3QK3 w - - 0 1",
        "8/8/8/3k4/8/8/8/R3K3 w - - 0 1",
        "8/8/8/3k4/8/8/PP6/4K3 w - - 0 1",
    ] {
        let mut game = Game::new(Position::from_fen(&CHESS, fen).expect("legal"));
        let mut moves = String::new();
        while game.outcome().is_none() {
            let limits = game.position().side() == Color::White;
            process.send(&format!("setoption name UCI_LimitStrength value {limits}"));
            process.send(&format!("position fen {fen} moves{moves}"));
            let best = process.search("go nodes 20000").best;
            game.play_uci(&best).expect("legal");
            moves.push(' ');
            moves.push_str(&best);
        }
        assert_eq!(game.outcome(), Some(Outcome::Checkmate), "{fen}{moves}");
    }
    process.quit();
}

#[test]
fn threads_share_the_work_and_give_one_answer() {
    let mut process = Process::start();
    for threads in [2, 4, 1, 3] {
        process.send(&format!("setoption name Threads value {threads}"));
        for go in [
            "go depth 5",
            "go nodes 20000",
            "go movetime 30",
            "go infinite\nstop",
        ] {
            process.search(go).check(&game(""), false);
            assert_eq!(process.ask(""), Vec::<String>::new());
        }
    }
    process.quit();
}
