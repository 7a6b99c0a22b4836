//! What several test programs share: random play and the perft suites.

// Every test program that includes this module uses another part of it.
#![allow(dead_code)]

use std::fs;
use std::path::{Path, PathBuf};

use tessera::board::perft::Row;
use tessera::board::{CHESS, Game, Position, Rules};
pub use tessera::textbook::Dice;

/// The rows of a suite in `perft/`.
pub fn suite(name: &str) -> Vec<Row> {
    let rules = Rules::named(name).unwrap_or(&CHESS);
    let path = format!("{}/perft/{name}.epd", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(path).expect("a readable suite");
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.map(|row| Row::parse(rules, row).expect("a row"))
        .collect()
}

/// Visits the positions of random games of one board, `count` in all.
pub fn random_positions(
    rules: &'static Rules,
    seed: u64,
    count: usize,
    mut visit: impl FnMut(&Position),
) {
    let mut dice = Dice::new(seed);
    let mut left = count;
    while left > 0 {
        let mut game = Game::new(random_start(rules, &mut dice));
        while left > 0 {
            visit(game.position());
            left -= 1;
            let moves = game.position().legal_moves();
            if game.outcome().is_some() {
                break;
            }
            game.play(moves[dice.below(moves.len())]);
        }
    }
}

/// The start of a game. On 8x8 orthodox chess, Chess960 and double Fischer random take
/// turns.
pub fn random_start(rules: &'static Rules, dice: &mut Dice) -> Position {
    if rules.name != CHESS.name {
        return Position::start(rules);
    }
    let white = chess960_rank(dice);
    let black = match dice.below(3) {
        0 => return Position::start(rules),
        1 => white.clone(),
        _ => chess960_rank(dice),
    };
    let fen = format!(
        "{}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1",
        black.to_lowercase(),
        white
    );
    Position::from_fen(rules, &fen).expect("a start position")
}

/// A back rank with bishops on both colours and the king between the rooks.
fn chess960_rank(dice: &mut Dice) -> String {
    let mut rank = [' '; 8];
    rank[2 * dice.below(4)] = 'B';
    rank[2 * dice.below(4) + 1] = 'B';
    for piece in ['Q', 'N', 'N'] {
        let free: Vec<usize> = (0..8).filter(|&file| rank[file] == ' ').collect();
        rank[free[dice.below(free.len())]] = piece;
    }
    let mut rest = ['R', 'K', 'R'].into_iter();
    for place in &mut rank {
        if *place == ' ' {
            *place = rest.next().expect("three places are left");
        }
    }
    rank.iter().collect()
}

/// A place for files that is gone afterwards.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("tessera-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
