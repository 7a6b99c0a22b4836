//! Ends games that the players have decided before the rules do.

use crate::types::Color;

use super::record::Points;

/// When a game is over, in the eyes of those who play it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Adjudication {
    /// One side leads by so many centipawns, for so many plies in a row.
    pub win: Option<(i32, u32)>,
    pub draw: Option<Level>,
    /// Longer games are drawn.
    pub max_plies: Option<usize>,
}

/// When a game is a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// Not before so many plies.
    pub from: usize,
    /// No side leads by more than this, for so many plies in a row.
    pub score: i32,
    pub plies: u32,
}

/// Why a game was ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    Decided,
    Level,
    Long,
}

/// Watches one game.
#[derive(Clone, Debug)]
pub struct Referee {
    adjudication: Adjudication,
    /// Plies in a row in which White, Black was winning, and in which nobody was.
    winning: [u32; 2],
    level: u32,
}

impl Referee {
    pub fn new(adjudication: Adjudication) -> Referee {
        Referee {
            adjudication,
            winning: [0; 2],
            level: 0,
        }
    }

    /// The result, once it is clear. The score is that of the side which has just moved; `None` if
    /// it did not tell any.
    pub fn judge(
        &mut self,
        side: Color,
        score: Option<i32>,
        plies: usize,
    ) -> Option<(Points, Reason)> {
        let lead = score.map(|score| match side {
            Color::White => score,
            Color::Black => -score,
        });
        let Adjudication {
            win,
            draw,
            max_plies,
        } = self.adjudication;
        if let Some((least, wanted)) = win {
            for (color, sign) in Color::ALL.into_iter().zip([1, -1]) {
                let count = &mut self.winning[color as usize];
                let goes_on = lead.is_some_and(|lead| sign * lead >= least);
                *count = if goes_on { *count + 1 } else { 0 };
                if *count >= wanted {
                    return Some((Points::won_by(color), Reason::Decided));
                }
            }
        }
        if let Some(level) = draw {
            let goes_on = lead.is_some_and(|lead| lead.abs() <= level.score);
            self.level = if goes_on { self.level + 1 } else { 0 };
            if plies >= level.from && self.level >= level.plies {
                return Some((Points::Draw, Reason::Level));
            }
        }
        let is_long = max_plies.is_some_and(|most| plies >= most);
        is_long.then_some((Points::Draw, Reason::Long))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is decided after which of these scores, White's and Black's in turn.
    fn verdict(adjudication: Adjudication, scores: &[Option<i32>]) -> Option<(usize, Points)> {
        let mut referee = Referee::new(adjudication);
        (1..).zip(scores).find_map(|(plies, &score)| {
            let side = Color::ALL[(plies + 1) % 2];
            let (points, _) = referee.judge(side, score, plies)?;
            Some((plies, points))
        })
    }

    #[test]
    fn both_sides_must_agree_without_a_break() {
        let win = Adjudication {
            win: Some((500, 4)),
            ..Adjudication::default()
        };
        let some = |scores: &[i32]| scores.iter().copied().map(Some).collect::<Vec<_>>();
        let white = some(&[0, 0, 500, -600, 700, -800]);
        assert_eq!(verdict(win, &white), Some((6, Points::WhiteWins)));
        let black = some(&[-500, 600, -700, 800]);
        assert_eq!(verdict(win, &black), Some((4, Points::BlackWins)));
        assert_eq!(verdict(win, &some(&[500, -600, 499, -800])), None);
        let silent = [Some(500), Some(-600), None, Some(-800), Some(900)];
        assert_eq!(verdict(win, &silent), None);

        let draw = Adjudication {
            draw: Some(Level {
                from: 6,
                score: 10,
                plies: 3,
            }),
            max_plies: Some(9),
            ..Adjudication::default()
        };
        let level = some(&[0, 5, -10, 10, 0, 0]);
        assert_eq!(verdict(draw, &level), Some((6, Points::Draw)));
        let lively = some(&[50; 12]);
        assert_eq!(verdict(draw, &lively), Some((9, Points::Draw)));
        assert_eq!(verdict(Adjudication::default(), &lively), None);
    }
}
