use super::*;
use crate::board::{CHESS, Rules};

fn built(rules: &'static Rules, men: usize) -> Tables {
    Tables::build(rules, men, 2).expect("tables")
}

fn longest(tables: &Tables, class: &str) -> u16 {
    let table = tables
        .tables()
        .iter()
        .find(|table| table.class.to_string() == class);
    Stats::of(table.expect("a table"))
        .expect("readable")
        .longest
}

#[test]
fn the_longest_mates_of_chess_are_as_known() {
    let tables = built(&CHESS, 3);
    // In moves of the winner: 10, 16 and 28, and the loser's move before.
    for (class, moves) in [("KQK", 10), ("KRK", 16), ("KPK", 28)] {
        assert_eq!(longest(&tables, class), 2 * moves, "{class}");
    }
    for class in ["KBK", "KNK"] {
        assert_eq!(longest(&tables, class), 0, "{class}");
    }
}

#[test]
fn every_value_is_that_of_the_best_move() {
    for rules in Rules::ALL.into_iter().skip(1) {
        let tables = built(rules, 4);
        for table in tables.tables() {
            let step = match (table.class.men(), rules.squares.count()) {
                (3, _) => 1,
                (_, ..=25) => 7,
                _ => 97,
            };
            let checked = check(&tables, table, step)
                .unwrap_or_else(|fault| panic!("{} {}: {fault:?}", rules.name, table.class));
            assert!(checked > 100, "{} {}", rules.name, table.class);
        }
    }
}
