//! From a score to the chances of a win, a draw and a loss.

use crate::types::Score;

/// Chances in per mille, for the side whose score it is. They add up to 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wdl {
    pub win: u16,
    pub draw: u16,
    pub loss: u16,
}

/// The score at which a win is as likely as not, and how fast that changes.
const EVEN: f64 = 150.0;
const SLOPE: f64 = 60.0;

/// The chances that go with a score. A logistic curve for each side; its two numbers are
/// reasoned, not fitted.
pub fn wdl(score: Score) -> Wdl {
    let chance = |value: f64| (1000.0 / (1.0 + ((EVEN - value) / SLOPE).exp())).round() as u16;
    let value = f64::from(score.value());
    let (win, loss) = match score.mate_moves() {
        Some(moves) if moves > 0 => (1000, 0),
        Some(_) => (0, 1000),
        None => (chance(value), chance(-value)),
    };
    Wdl {
        win,
        draw: 1000 - win - loss,
        loss,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_follow_the_score() {
        let mut before = 0;
        for value in -3000..=3000 {
            let Wdl { win, draw, loss } = wdl(Score::centipawns(value));
            assert_eq!(win + draw + loss, 1000);
            assert!(win >= before);
            before = win;
            let mirrored = wdl(Score::centipawns(-value));
            assert_eq!((mirrored.win, mirrored.loss), (loss, win));
        }
        assert_eq!(wdl(Score::mated(2)).loss, 1000);
        assert_eq!(wdl(Score::mating(3)).win, 1000);
    }
}
