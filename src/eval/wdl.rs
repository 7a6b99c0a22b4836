//! From a score to the chances of a win, a draw and a loss, and to centipawns that mean the
//! same on every board.
//!
//! The chance of a win is a logistic curve over the score. Where it reaches a half and how
//! steep it is may depend on how much material is left. `tessera data chances` fits the numbers
//! of the curves to games of the engine against itself.

use crate::board::{Position, Rules};
use crate::types::{PieceType, Score};

/// Chances in per mille, for the side whose score it is. They add up to 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wdl {
    pub win: u16,
    pub draw: u16,
    pub loss: u16,
}

/// The curves of one game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chances {
    /// The score at which a win is as likely as not: a polynomial of the material left, from
    /// 0 to 1.
    pub even: [f64; 3],
    /// How many centipawns more make it e times as likely, in the same way.
    pub spread: [f64; 2],
}

/// The curves by game, each fitted to games of its network against itself: see "What a score means" in
/// docs/training.md.
static CHANCES: [(&str, Chances); 12] = [
    curves("chess", [211.2, -234.2, 95.8], [34.0, 29.6]),
    curves("gardner", [458.8, -806.6, 524.1], [84.5, -34.2]),
    curves("losalamos", [287.6, -400.8, 178.5], [62.9, -17.9]),
    curves("petty", [180.9, 30.5, -100.9], [49.2, -5.4]),
    curves("5x6chess", [184.4, -73.1, 20.5], [32.0, 5.2]),
    curves("4x5chess", [419.5, -758.5, 624.9], [35.5, 20.6]),
    curves("4x6chess", [318.2, -476.0, 314.8], [61.9, -34.8]),
    curves("microchess", [146.8, -265.5, 248.0], [4.2, 23.5]),
    curves("baby", [309.1, -332.1, 154.4], [61.2, -7.6]),
    curves("mallett", [262.2, -142.2, -12.1], [64.9, -15.6]),
    curves("silverman4x5", [328.8, -310.9, 188.2], [38.4, 22.2]),
    curves("chessattack", [150.6, -27.4, 10.5], [27.6, 20.1]),
];

const fn curves(game: &str, even: [f64; 3], spread: [f64; 2]) -> (&str, Chances) {
    (game, Chances { even, spread })
}

/// What the men are worth when material is counted.
const WORTH: [u32; 6] = [1, 3, 3, 5, 9, 0];

/// How much of the material of the start is left, up to 1.
pub fn material(position: &Position) -> f64 {
    let (mut left, mut full) = (0, 0);
    for kind in PieceType::ALL {
        left += WORTH[kind.index()] * position.kind(kind).count();
        full += WORTH[kind.index()] * u32::from(position.rules().start_men[kind.index()]);
    }
    (f64::from(left) / f64::from(full.max(1))).min(1.0)
}

impl Chances {
    pub fn of(rules: &Rules) -> &'static Chances {
        let own = CHANCES.iter().find(|(name, _)| *name == rules.name);
        let (_, chances) = own.unwrap_or(&CHANCES[0]);
        chances
    }

    /// The score at which a win is as likely as not.
    pub fn even(&self, material: f64) -> f64 {
        let [a, b, c] = self.even;
        (a + material * (b + material * c)).max(20.0)
    }

    pub fn spread(&self, material: f64) -> f64 {
        let [a, b] = self.spread;
        (a + material * b).max(10.0)
    }

    /// The chance of a win.
    pub fn win(&self, score: f64, material: f64) -> f64 {
        let exponent = (self.even(material) - score) / self.spread(material);
        1.0 / (1.0 + exponent.exp())
    }
}

/// The chances that go with a score of a position.
pub fn wdl(score: Score, position: &Position) -> Wdl {
    let (chances, material) = (Chances::of(position.rules()), material(position));
    let win = |value: i32| (1000.0 * chances.win(value.into(), material)).round() as u16;
    let (win, loss) = match score.mate_moves() {
        Some(moves) if moves > 0 => (1000, 0),
        Some(_) => (0, 1000),
        None => (win(score.value()), win(-score.value())),
    };
    // On steep curves both may be rounded up.
    let loss = loss.min(1000 - win);
    Wdl {
        win,
        draw: 1000 - win - loss,
        loss,
    }
}

/// The score in centipawns of which a hundred make a win as likely as not.
pub fn centipawns(score: Score, position: &Position) -> i32 {
    let even = Chances::of(position.rules()).even(material(position));
    (100.0 * f64::from(score.value()) / even).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::CHESS;

    #[test]
    fn chances_add_up_and_follow_the_score() {
        for fen in [CHESS.start, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"] {
            let position = Position::from_fen(&CHESS, fen).expect("legal");
            let mut before = 0;
            for value in -3000..=3000 {
                let Wdl { win, draw, loss } = wdl(Score::centipawns(value), &position);
                assert_eq!(win + draw + loss, 1000);
                assert!(win >= before);
                before = win;
                let mirrored = wdl(Score::centipawns(-value), &position);
                assert!(mirrored.win.abs_diff(loss) <= 1);
            }
            assert_eq!(wdl(Score::mated(2), &position).loss, 1000);
            assert_eq!(wdl(Score::mating(3), &position).win, 1000);
        }
    }

    /// And on none of them does more material make nonsense of a score.
    #[test]
    fn every_game_has_curves_of_its_own() {
        for rules in Rules::ALL {
            let own = CHANCES.iter().filter(|(name, _)| *name == rules.name);
            assert_eq!(own.count(), 1, "{}", rules.name);
            for percent in 0..=100 {
                let material = f64::from(percent) / 100.0;
                let chances = Chances::of(rules);
                let (even, spread) = (chances.even(material), chances.spread(material));
                assert!((40.0..1000.0).contains(&even), "{}: {even}", rules.name);
                assert!((10.0..150.0).contains(&spread), "{}: {spread}", rules.name);
            }
        }
    }

    #[test]
    fn a_hundred_centipawns_win_half_of_the_games() {
        for rules in Rules::ALL {
            let position = Position::start(rules);
            let even = Chances::of(rules).even(material(&position)).round() as i32;
            let score = Score::centipawns(even);
            assert!(centipawns(score, &position).abs_diff(100) <= 1);
            assert!(wdl(score, &position).win.abs_diff(500) <= 5);
            assert_eq!(centipawns(Score::DRAW, &position), 0);
        }
    }
}
