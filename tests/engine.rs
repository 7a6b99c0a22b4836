//! The engine without text: what it does when something goes wrong inside.

use std::sync::Arc;
use std::sync::atomic::{
    AtomicBool, AtomicUsize,
    Ordering::{Relaxed, SeqCst},
};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};
use tessera::board::{CHESS, Game, Position, Rules};
use tessera::engine::Engine;
use tessera::search::{Best, Limits, Progress, Report};
use tessera::types::Move;

/// A report that fails at the iteration that it is told to fail at.
struct Fragile {
    fails_at: u32,
    troubles: AtomicUsize,
    answers: Sender<(u32, Best)>,
}

impl Fragile {
    fn new(fails_at: u32) -> (Arc<Fragile>, Receiver<(u32, Best)>) {
        let (answers, receiver) = unbounded();
        let troubles = AtomicUsize::new(0);
        let fragile = Fragile {
            fails_at,
            troubles,
            answers,
        };
        (Arc::new(fragile), receiver)
    }
}

impl Report for Fragile {
    fn progress(&self, progress: &Progress) {
        assert!(progress.depth != self.fails_at, "a fault on purpose");
    }

    fn done(&self, last: &Progress, best: Best) {
        assert_eq!(last.lines.first().map(|line| line.moves[0]), best.mv);
        self.answers.send((last.depth, best)).expect("a listener");
    }

    fn trouble(&self, message: &str) {
        assert!(message.contains("a fault on purpose"), "{message}");
        self.troubles.fetch_add(1, SeqCst);
    }
}

fn depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

#[test]
fn a_panic_in_a_worker_is_reported_and_still_answered() {
    let mut engine = Engine::new().expect("an engine");
    for threads in [1, 2] {
        engine.resize_pool(threads).expect("threads");
        for fails_at in [1, 3, 99] {
            let (report, answers) = Fragile::new(fails_at);
            engine.go(
                depth(5),
                Instant::now(),
                Arc::clone(&report) as Arc<dyn Report>,
            );
            engine.wait();
            let (reached, best) = answers.try_recv().expect("one answer");
            let legal = |mv: Move| engine.game().position().is_legal(mv);
            assert!(best.mv.is_some_and(legal));
            assert!(answers.try_recv().is_err(), "one answer only");
            let fails = fails_at <= 5;
            assert_eq!(report.troubles.load(SeqCst), usize::from(fails));
            // What was found out before is not lost: the iteration had been completed. Another
            // worker may have come further.
            let least = if fails { fails_at } else { 5 };
            assert!(reached == least || threads > 1 && reached > least);
        }
    }
}

/// The answer waits for its signal even if the search has failed.
#[test]
fn a_panic_does_not_end_an_infinite_search() {
    let mut engine = Engine::new().expect("an engine");
    let (report, answers) = Fragile::new(2);
    let limits = Limits {
        infinite: true,
        ..Limits::default()
    };
    engine.go(limits, Instant::now(), report);
    assert!(answers.recv_timeout(Duration::from_millis(100)).is_err());
    engine.stop();
    engine.wait();
    assert!(answers.try_recv().is_ok());
}

#[test]
fn what_cannot_be_had_leaves_what_is_there() {
    let mut engine = Engine::new().expect("an engine");
    assert!(engine.resize_table(10 << 20).is_err(), "ten terabytes");
    assert_eq!(engine.table_megabytes(), 16);
    engine.resize_table(1).expect("a megabyte");
    assert_eq!(engine.table_megabytes(), 1);
    let (report, answers) = Fragile::new(99);
    engine.set_game(Game::new(Position::start(&CHESS)));
    engine.go(depth(3), Instant::now(), report);
    engine.wait();
    assert!(answers.try_recv().is_ok());
}

/// Dropping an engine in the middle of a search must not hang.
#[test]
fn an_engine_can_be_dropped_while_it_searches() {
    for threads in [1, 3] {
        let mut engine = Engine::new().expect("an engine");
        engine.resize_pool(threads).expect("threads");
        let (report, answers) = Fragile::new(0);
        engine.go(
            Limits {
                infinite: true,
                ..Limits::default()
            },
            Instant::now(),
            report,
        );
        drop(engine);
        assert!(answers.try_recv().is_ok());
    }
}

/// A report that cannot even give the answer the first time.
struct Clumsy {
    tries: AtomicUsize,
    answers: Sender<Best>,
}

impl Report for Clumsy {
    fn progress(&self, _: &Progress) {}

    fn done(&self, _: &Progress, best: Best) {
        assert!(self.tries.fetch_add(1, SeqCst) > 0, "a fault on purpose");
        self.answers.send(best).expect("a listener");
    }

    fn trouble(&self, _: &str) {}
}

#[test]
fn a_panic_while_answering_is_followed_by_a_plain_answer() {
    for is_stopped in [false, true] {
        let mut engine = Engine::new().expect("an engine");
        let (answers, receiver) = unbounded();
        let tries = AtomicUsize::new(0);
        let limits = if is_stopped {
            Limits::default()
        } else {
            depth(4)
        };
        engine.go(limits, Instant::now(), Arc::new(Clumsy { tries, answers }));
        if is_stopped {
            thread::sleep(Duration::from_millis(30));
            engine.stop();
        }
        engine.wait();
        let best = receiver.try_recv().expect("an answer");
        let legal = |mv: Move| engine.game().position().is_legal(mv);
        assert!(best.mv.is_some_and(legal));
        assert!(receiver.try_recv().is_err(), "one answer only");
    }
}

/// More workers than cores, all cores busy with something else, a table so small that
/// workers overwrite each other's entries, and searches that end in every way at once:
/// each gives one legal answer, and none hangs.
#[test]
fn every_search_is_answered_on_a_busy_machine() {
    let is_over = AtomicBool::new(false);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..2 * cores {
            scope.spawn(|| {
                while !is_over.load(Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let result = scope.spawn(search_in_every_way).join();
        is_over.store(true, Relaxed);
        result.expect("no search fails");
    });
}

fn search_in_every_way() {
    let mut engine = Engine::new().expect("an engine");
    engine.resize_table(1).expect("a megabyte");
    for round in 0..120_u64 {
        if round % 20 == 0 {
            let rules = Rules::ALL[round as usize % Rules::ALL.len()];
            engine.set_rules(rules);
            engine
                .resize_pool([8, 2, 5][round as usize / 20 % 3])
                .expect("threads");
        }
        let limits = match round % 4 {
            0 => depth(1 + round as u32 % 9),
            1 => Limits {
                nodes: Some(round * 100),
                ..Limits::default()
            },
            2 => Limits {
                infinite: true,
                ..Limits::default()
            },
            _ => Limits {
                move_time: Some(Duration::from_millis(round % 7)),
                ponder: true,
                ..Limits::default()
            },
        };
        let (report, answers) = Fragile::new(0);
        engine.go(limits, Instant::now(), report);
        thread::sleep(Duration::from_micros(round * 37 % 2000));
        match round % 4 {
            2 => engine.stop(),
            3 => assert!(engine.ponderhit(Instant::now())),
            _ => {}
        }
        engine.wait();
        let (_, best) = answers.try_recv().expect("one answer");
        assert!(answers.try_recv().is_err(), "one answer only");
        let mut game = engine.game().clone();
        let mv = best.mv.expect("a move");
        assert!(game.position().is_legal(mv));
        game.play(mv);
        if game.outcome().is_none() {
            engine.set_game(game);
        } else {
            engine.new_game();
        }
    }
}
