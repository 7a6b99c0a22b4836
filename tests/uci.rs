//! When what is answered: the state machine of the protocol, on the program over pipes.

#[path = "support/process.rs"]
mod process;

use std::thread;
use std::time::{Duration, Instant};

use process::{Answer, MATED, ONE_REPLY, Process, STALEMATED, bestmoves, errors, game, script};

#[test]
fn infinite_and_ponder_keep_the_answer_until_they_may_give_it() {
    let mut process = Process::start();
    for position in ["position startpos", MATED, STALEMATED, ONE_REPLY] {
        for go in [
            "go",
            "go infinite",
            "go infinite depth 1",
            "go infinite nodes 10 movetime 1",
            "go ponder",
            "go ponder depth 1",
            "go ponder movetime 1",
            "go ponder wtime 1 btime 1",
        ] {
            process.send(position);
            process.send(go);
            let early = process.during(Duration::from_millis(25));
            assert_eq!(bestmoves(&early), 0, "{position}, {go}: {early:?}");
            process.send("stop");
            process.until("bestmove");
            let rest = process.ask("");
            assert!(rest.is_empty(), "{position}, {go}: {rest:?}");
        }
    }
    process.quit();
}

#[test]
fn a_ponder_search_becomes_an_ordinary_one_at_ponderhit() {
    let mut process = Process::start();
    for go in [
        "go ponder depth 2",
        "go ponder nodes 100",
        "go ponder movetime 50",
        "go ponder wtime 300 btime 300 winc 10 binc 10",
        "go ponder mate 1 wtime 100 btime 100",
    ] {
        process.send(go);
        let early = process.during(Duration::from_millis(30));
        assert_eq!(bestmoves(&early), 0, "{go}");
        process.send("ponderhit");
        Answer::new([early, process.until("bestmove")].concat()).check(&game(""), false);
    }
    // Only `stop` ends a ponder search without any limit, also after `ponderhit`.
    process.send("go ponder infinite");
    process.send("ponderhit");
    process.send("stop");
    process.until("bestmove");
    // Without a ponder search the word means nothing, and harms nothing.
    let lines = process.ask("ponderhit");
    assert_eq!(errors(&lines).len(), 1, "{lines:?}");
    process.quit();
}

/// What a fixed time does after `ponderhit`: it counts from there.
#[test]
fn times_count_from_ponderhit() {
    let mut process = Process::start();
    process.send("go ponder movetime 400");
    thread::sleep(Duration::from_millis(600));
    let hit = Instant::now();
    process.send("ponderhit");
    process.until("bestmove");
    assert!(
        hit.elapsed() > Duration::from_millis(200),
        "{:?}",
        hit.elapsed()
    );
    process.quit();
}

#[test]
fn stop_without_a_search_and_twice_is_harmless() {
    let mut process = Process::start();
    assert_eq!(process.ask("stop"), Vec::<String>::new());
    process.send("go infinite\nstop\nstop\nisready\nstop\ngo depth 1\nstop");
    process.until("bestmove");
    process.until("bestmove");
    let rest = process.ask("");
    assert_eq!(bestmoves(&rest), 0, "{rest:?}");
    process.quit();
}

/// A `stop` right behind its `go`, and right before the next one.
#[test]
fn stop_hits_the_search_it_was_meant_for() {
    let mut process = Process::start();
    for _ in 0..200 {
        process.send("go infinite\nstop");
        process.until("bestmove");
    }
    for _ in 0..50 {
        process.send("go nodes 300\nstop");
        process.send("stop\ngo depth 3");
        process.until("bestmove");
        let last = Answer::new(process.until("bestmove"));
        assert_eq!(last.last().depth, 3, "{last:?}");
    }
    process.quit();
}

#[test]
fn a_second_go_waits_and_stop_ends_both() {
    let mut process = Process::start();
    process.send("go infinite\nposition startpos moves e2e4\ngo infinite\ngo depth 2");
    let early = process.during(Duration::from_millis(100));
    assert_eq!(bestmoves(&early), 0, "{early:?}");
    process.send("stop");
    let first = Answer::new([early, process.until("bestmove")].concat());
    first.check(&game(""), false);
    Answer::new(process.until("bestmove")).check(&game("e2e4"), false);
    Answer::new(process.until("bestmove")).check(&game("e2e4"), false);
    // Bounded ones do not need it: a script may send them all.
    process.send("position startpos\ngo depth 3\nposition startpos moves d2d4\ngo depth 3");
    Answer::new(process.until("bestmove")).check(&game(""), false);
    Answer::new(process.until("bestmove")).check(&game("d2d4"), false);
    process.quit();
}

#[test]
fn a_waiting_ponder_search_hears_ponderhit() {
    let mut process = Process::start();
    process.send("go movetime 200\ngo ponder movetime 50\nponderhit");
    process.until("bestmove");
    process.until("bestmove");
    process.quit();
}

/// What hangs other engines for good.
#[test]
fn options_and_new_games_during_a_search_wait_for_its_end() {
    let mut process = Process::start();
    for command in [
        "setoption name Hash value 8",
        "setoption name Threads value 2",
        "setoption name Clear Hash",
        "ucinewgame",
        "setoption name MultiPV value 2",
        "setoption name UCI_Variant value gardner",
        "setoption name UCI_Variant value chess",
        "position startpos moves e2e4",
        "bench 1",
        "perft 1",
    ] {
        process.send("go infinite");
        let lines = process.ask(command);
        assert_eq!(bestmoves(&lines), 0, "{command}");
        assert!(errors(&lines).is_empty(), "{lines:?}");
        process.send("stop");
        process.until("bestmove");
        process.ask("wait");
    }
    let options = process.ask("options");
    let shows = |name: &str, value: &str| {
        let mut words = options.iter().map(|line| line.split_whitespace());
        words.any(|mut words| words.next() == Some(name) && words.next() == Some(value))
    };
    assert!(
        shows("Hash", "8") && shows("Threads", "2") && shows("MultiPV", "2"),
        "{options:?}"
    );
    process.quit();
}

#[test]
fn quit_ends_every_state() {
    for state in [
        "",
        "go infinite",
        "go ponder wtime 1000 btime 1000",
        "go depth 60",
        "go infinite\ngo infinite\nucinewgame",
        "setoption name Threads value 4\ngo infinite",
    ] {
        let mut process = Process::start();
        process.ask(state);
        let started = Instant::now();
        let lines = process.quit();
        assert!(started.elapsed() < Duration::from_secs(2), "{state}");
        assert_eq!(
            bestmoves(&lines),
            usize::from(state.contains("go")),
            "{state}: {lines:?}"
        );
    }
}

#[test]
fn at_the_end_of_the_input_a_bounded_search_finishes() {
    let lines = script("go depth 6");
    let answer = Answer::new(lines);
    assert_eq!(answer.last().depth, 6);
    let lines =
        script("position startpos\ngo depth 3\nposition startpos moves e2e4\ngo depth 4\nd");
    assert_eq!(bestmoves(&lines), 2);
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("Fen: ") && line.contains(" b "))
    );
    // Without a line end, too.
    let mut process = Process::start();
    process.send_bytes(b"go nodes 1000");
    assert_eq!(bestmoves(&process.end().0), 1);
    // A fixed time is used, and the expected move counts as played.
    let started = Instant::now();
    assert_eq!(bestmoves(&script("go ponder movetime 300")), 1);
    assert!(started.elapsed() >= Duration::from_millis(250));
    // An unbounded one stops.
    for go in [
        "go",
        "go infinite",
        "go ponder",
        "go infinite\ngo ponder\ngo",
    ] {
        let started = Instant::now();
        assert_eq!(bestmoves(&script(go)), go.lines().count());
        assert!(started.elapsed() < Duration::from_secs(5));
    }
    assert_eq!(script(""), Vec::<String>::new());
}

#[test]
fn wait_holds_back_what_follows() {
    let lines = script("go depth 6\nwait\nd\nquit");
    let best = lines.iter().position(|line| line.starts_with("bestmove"));
    let drawn = lines.iter().position(|line| line.starts_with("Fen: "));
    assert!(best < drawn && best.is_some(), "{lines:?}");
    assert!(
        lines.iter().any(|line| line.starts_with("info depth 6 ")),
        "{lines:?}"
    );
    // It blocks neither `stop` nor `isready`.
    let mut process = Process::start();
    process.ask("go infinite\nwait");
    process.send("stop");
    process.until("bestmove");
    process.quit();
}

#[test]
fn two_processes_do_not_disturb_each_other() {
    let (mut one, mut two) = (Process::start(), Process::start());
    one.send("go infinite");
    two.send("position startpos moves e2e4\ngo depth 4");
    Answer::new(two.until("bestmove")).check(&game("e2e4"), false);
    one.send("stop");
    Answer::new(one.until("bestmove")).check(&game(""), false);
    one.quit();
    two.quit();
}

/// Half of them within the time that the contract gives to each; how close all come to it
/// is measured by `cargo bench --bench latency`.
#[test]
fn stop_is_answered_within_twenty_milliseconds() {
    let mut process = Process::start();
    for threads in [1, 2] {
        process.ask(&format!("setoption name Threads value {threads}"));
        let mut times = Vec::new();
        for run in 0..20 {
            process.send("go infinite");
            process.during(Duration::from_millis(5 + 3 * run));
            let sent = Instant::now();
            process.send("stop");
            process.until("bestmove");
            times.push(sent.elapsed());
        }
        times.sort_unstable();
        assert!(times[10] < Duration::from_millis(20), "{times:?}");
    }
    process.quit();
}
