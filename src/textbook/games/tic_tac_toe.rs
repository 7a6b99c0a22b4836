//! Tic-tac-toe: MAX plays X and begins.

use std::fmt;
use std::str::FromStr;

use crate::textbook::{Game, Player};

use super::Misread;

/// Rows, columns and diagonals.
const LINES: [[usize; 3]; 8] = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
    [0, 3, 6],
    [1, 4, 7],
    [2, 5, 8],
    [0, 4, 8],
    [2, 4, 6],
];

/// The squares from the upper left, row by row, and who has marked them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Grid([Option<Player>; 9]);

impl Grid {
    fn count(&self, player: Player) -> usize {
        self.0.iter().filter(|&&mark| mark == Some(player)).count()
    }

    /// The player who has a line.
    pub fn winner(&self) -> Option<Player> {
        LINES.iter().find_map(|line| {
            let [a, b, c] = line.map(|square| self.0[square]);
            a.filter(|_| a == b && b == c)
        })
    }

    /// The lines on which a player has a mark and the other none.
    fn open_lines(&self, player: Player) -> usize {
        let is_open = |line: &&[usize; 3]| {
            let marks = line.map(|square| self.0[square]);
            marks.contains(&Some(player))
                && marks
                    .iter()
                    .all(|&mark| mark.is_none_or(|mark| mark == player))
        };
        LINES.iter().filter(is_open).count()
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.0.chunks(3) {
            for mark in row {
                let letter = match mark {
                    None => " .",
                    Some(Player::Max) => " X",
                    Some(_) => " O",
                };
                f.write_str(letter)?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

/// Nine of `X`, `O` and `.`, row by row; slashes may stand between the rows.
impl FromStr for Grid {
    type Err = Misread;

    fn from_str(text: &str) -> Result<Grid, Misread> {
        let mut grid = Grid::default();
        let mut square = 0;
        for (at, letter) in text.chars().enumerate() {
            let mark = match letter {
                'X' | 'x' => Some(Player::Max),
                'O' | 'o' => Some(Player::Min),
                '.' => None,
                '/' | ' ' => continue,
                other => return Err(Misread::at(at, &format!("'{other}' is none of X, O and ."))),
            };
            if square == grid.0.len() {
                return Err(Misread::at(at, "there are only nine squares"));
            }
            grid.0[square] = mark;
            square += 1;
        }
        let end = text.chars().count();
        if square < grid.0.len() {
            return Err(Misread::at(
                end,
                &format!("{square} squares instead of nine"),
            ));
        }
        let (crosses, noughts) = (grid.count(Player::Max), grid.count(Player::Min));
        if crosses != noughts && crosses != noughts + 1 {
            let message = format!("{crosses} X and {noughts} O, but X begins and they take turns");
            return Err(Misread::at(end, &message));
        }
        Ok(grid)
    }
}

#[derive(Default)]
pub struct TicTacToe {
    pub start: Grid,
}

impl Game for TicTacToe {
    type State = Grid;
    /// The square to mark.
    type Action = usize;

    fn initial(&self) -> Grid {
        self.start
    }

    fn player(&self, grid: &Grid) -> Player {
        if grid.count(Player::Max) == grid.count(Player::Min) {
            Player::Max
        } else {
            Player::Min
        }
    }

    fn actions(&self, grid: &Grid) -> Vec<usize> {
        (0..9).filter(|&square| grid.0[square].is_none()).collect()
    }

    fn result(&self, grid: &Grid, &square: &usize) -> Grid {
        let mut next = *grid;
        next.0[square] = Some(self.player(grid));
        next
    }

    fn is_terminal(&self, grid: &Grid) -> bool {
        grid.winner().is_some() || grid.0.iter().all(Option::is_some)
    }

    fn utility(&self, grid: &Grid) -> f64 {
        match grid.winner() {
            Some(Player::Max) => 1.0,
            Some(_) => -1.0,
            None => 0.0,
        }
    }

    /// Lines still open, a tenth of a point each.
    fn evaluation(&self, grid: &Grid) -> f64 {
        if self.is_terminal(grid) {
            return self.utility(grid);
        }
        (grid.open_lines(Player::Max) as f64 - grid.open_lines(Player::Min) as f64) / 10.0
    }

    /// Files a to c and ranks 1 to 3, as on a chessboard.
    fn action_text(&self, _grid: &Grid, &square: &usize) -> String {
        format!("{}{}", ["a", "b", "c"][square % 3], 3 - square / 3)
    }
}
