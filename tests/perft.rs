//! Every count of every suite in `perft/`, and what surrounds counting.

mod support;

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use tessera::board::perft::{Perft, Table, perft};
use tessera::board::{CHESS, Position, Rules};

fn check_suite(name: &str) {
    let rows = support::suite(name);
    assert!(rows.len() >= 10, "{name}: only {} rows", rows.len());
    for row in rows {
        for (depth, nodes) in row.counts {
            let counted = perft(&row.position, depth);
            assert_eq!(counted, nodes, "{name}: {} depth {depth}", row.position);
        }
    }
}

macro_rules! suites {
    ($($test:ident: $name:literal),* $(,)?) => {
        $(#[test] fn $test() { check_suite($name); })*

        #[test]
        fn every_suite_is_checked() {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("perft");
            let mut found: Vec<String> = fs::read_dir(folder)
                .expect("suites")
                .flatten()
                .map(|entry| entry.file_name().to_string_lossy().into_owned())
                .filter_map(|name| name.strip_suffix(".epd").map(str::to_string))
                .collect();
            let mut checked = vec![$($name),*];
            found.sort();
            checked.sort_unstable();
            assert_eq!(found, checked);
            assert!(Rules::ALL.iter().all(|rules| checked.contains(&rules.name)));
        }
    };
}

suites! {
    chess: "chess",
    chess960: "chess960",
    double_fischer_random: "dfrc",
    tricky: "tricky",
    tricky960: "tricky960",
    gardner: "gardner",
    losalamos: "losalamos",
    petty: "petty",
    chess_5x6: "5x6chess",
    chess_4x5: "4x5chess",
    chess_4x6: "4x6chess",
    microchess: "microchess",
    baby: "baby",
    mallett: "mallett",
    silverman: "silverman4x5",
    chess_attack: "chessattack",
}

/// Threads and table change nothing but the time.
#[test]
fn divided_counts_add_up_on_threads_and_with_a_table() {
    for (rules, depth) in Rules::ALL
        .into_iter()
        .zip([4, 5, 5, 5, 5, 6, 6, 6, 5, 5, 6, 4])
    {
        let position = Position::start(rules);
        let expected = perft(&position, depth);
        for (has_table, threads) in [(false, 1), (false, 3), (true, 1), (true, 3)] {
            let table = Table::new(1).filter(|_| has_table);
            let perft = Perft {
                table: table.as_ref(),
                stop: None,
            };
            let divided = perft.divide(&position, depth, threads);
            assert_eq!(divided.len(), position.legal_moves().len());
            assert_eq!(
                divided.iter().map(|&(_, nodes)| nodes).sum::<u64>(),
                expected
            );
        }
    }
}

#[test]
fn a_table_keeps_depths_apart() {
    let table = Table::new(1).expect("a megabyte");
    let start = Position::start(&CHESS);
    let with_table = Perft {
        table: Some(&table),
        stop: None,
    };
    for depth in [3, 4, 5, 4, 3] {
        assert_eq!(with_table.count(&start, depth), perft(&start, depth));
    }
}

/// Whenever the stop comes, what was counted so far must not pass for the whole.
#[test]
fn a_count_stopped_midway_leaves_nothing_wrong_in_the_table() {
    let table = Table::new(1).expect("a megabyte");
    let start = Position::start(&CHESS);
    let stop = AtomicBool::new(false);
    let table = Some(&table);
    let stopped = Perft {
        table,
        stop: Some(&stop),
    };
    thread::scope(|scope| {
        scope.spawn(|| stopped.count(&start, 6));
        thread::sleep(Duration::from_millis(5));
        stop.store(true, Relaxed);
    });
    let again = Perft { table, stop: None };
    assert_eq!(again.count(&start, 6), 119_060_324);
}

#[test]
fn a_table_that_cannot_be_had_is_refused() {
    assert!(Table::new(usize::MAX).is_none());
    assert!(Table::new(usize::MAX >> 21).is_none());
}
