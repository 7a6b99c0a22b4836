//! Endgame tables for tests.

use std::path::Path;

use tessera::board::{Position, Rules};
use tessera::endgame::{Class, Table, Tables};
use tessera::types::{Color, Piece, Square};

use super::support::Dice;

pub fn rules(name: &str) -> &'static Rules {
    Rules::named(name).expect("a game")
}

pub fn built(rules: &'static Rules, men: usize) -> Tables {
    Tables::build(rules, men, 2).expect("tables")
}

pub fn table<'a>(tables: &'a Tables, class: &str) -> &'a Table {
    let mut all = tables.tables().iter();
    all.find(|table| table.class.to_string() == class)
        .expect("the class")
}

/// A random legal position of a class.
pub fn random_position(rules: &'static Rules, class: &Class, dice: &mut Dice) -> Position {
    let squares: Vec<Square> = rules.squares.squares().collect();
    loop {
        let mut square = || squares[dice.below(squares.len())];
        let men: Vec<(Piece, Square)> = class.pieces().map(|piece| (piece, square())).collect();
        let side = Color::ALL[dice.below(2)];
        if let Some(position) = Position::of_men(rules, side, &men) {
            return position;
        }
    }
}

pub fn write(tables: &Tables, folder: &Path) {
    for table in tables.tables() {
        table.write(folder).expect("room");
    }
}
