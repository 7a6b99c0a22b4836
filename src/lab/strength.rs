//! Who is the stronger one: what the results of games in pairs say.
//!
//! Both games of a pair begin from the same position with colours swapped. A position that is good
//! for one side so spoils two games, not the result: pairs are counted, and errors come from their
//! spread.

use std::f64::consts::{LN_10, PI, SQRT_2};
use std::fmt;

/// Points per game in the five kinds of pairs.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// So many standard deviations to both sides hold 95 % of what chance does.
const DEVIATIONS: f64 = 1.959_964;

/// Results from the first player's side.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// Pairs of games by their points in halves: 0 to 4. A game without its other one is in none.
    pub pairs: [u64; 5],
}

impl Tally {
    /// Counts a game by its points in halves.
    pub fn add_game(&mut self, halves: u8) {
        match halves {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Counts two games as a pair. They have been counted as games already.
    pub fn add_pair(&mut self, halves: [u8; 2]) {
        self.pairs[usize::from(halves[0] + halves[1]).min(4)] += 1;
    }

    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The share of the points.
    pub fn score(&self) -> f64 {
        let points = self.wins as f64 + self.draws as f64 / 2.0;
        points / self.games().max(1) as f64
    }

    /// The difference in Elo.
    pub fn elo(&self) -> Estimate {
        let pairs = self.spread();
        let margin = DEVIATIONS * pairs.error;
        Estimate {
            value: elo_of(pairs.mean),
            low: elo_of(pairs.mean - margin),
            high: elo_of(pairs.mean + margin),
        }
    }

    /// The difference in units of the spread of a game, on a scale like that of Elo: it says how
    /// many games it takes to see the difference. `None` while all pairs are of one kind.
    pub fn normalised_elo(&self) -> Option<Estimate> {
        let pairs = self.spread();
        let unit = 800.0 / LN_10 / (2.0 * pairs.variance).sqrt();
        let value = (pairs.mean - 0.5) * unit;
        let margin = DEVIATIONS * pairs.error * unit;
        (pairs.variance > 0.0).then_some(Estimate {
            value,
            low: value - margin,
            high: value + margin,
        })
    }

    /// How likely it is that the first player is the stronger one.
    pub fn superiority(&self) -> f64 {
        let pairs = self.spread();
        normal((pairs.mean - 0.5) / pairs.error.max(1e-9))
    }

    fn spread(&self) -> Spread {
        let count = self.pairs.iter().sum::<u64>() as f64;
        if count < 1.0 {
            return Spread {
                mean: 0.5,
                variance: 0.0,
                error: f64::INFINITY,
            };
        }
        let average = |of: &dyn Fn(f64) -> f64| {
            let rows = self.pairs.iter().zip(SCORES);
            rows.map(|(&pairs, score)| pairs as f64 * of(score))
                .sum::<f64>()
                / count
        };
        let mean = average(&|score| score);
        let variance = average(&|score| (score - mean).powi(2));
        let error = (variance / count).sqrt();
        Spread {
            mean,
            variance,
            error,
        }
    }
}

/// Points per game in the pairs.
struct Spread {
    mean: f64,
    variance: f64,
    /// The standard error of the mean.
    error: f64,
}

/// A number, and the bounds that it keeps with 95 %. The precision with which it is written is one
/// decimal if nothing else is said.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl Estimate {
    /// Half the distance of the bounds.
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(1);
        let Estimate { value, low, high } = self;
        // Zero has no sign, on whichever side of it the rounding began.
        let value = if value.abs() < 0.5 * 0.1_f64.powi(digits as i32) {
            0.0
        } else {
            *value
        };
        if value.is_infinite() {
            write!(f, "{value:+}")
        } else if low.is_finite() && high.is_finite() {
            write!(f, "{value:+.digits$} ± {:.digits$}", self.error())
        } else {
            write!(f, "{value:+.digits$} ({low:+.digits$} to {high:+.digits$})")
        }
    }
}

/// The difference in Elo that explains a share of the points.
fn elo_of(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// The share of the points that a difference in Elo promises.
fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The share of a normal distribution below so many deviations: Marsaglia's series.
fn normal(deviations: f64) -> f64 {
    // Beyond this, nothing is left that a number can hold.
    let x = deviations.clamp(-8.0, 8.0);
    let (mut sum, mut term, mut odd) = (x, x, 1.0);
    while term.abs() > sum.abs() * f64::EPSILON {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    0.5 + sum * (-x * x / 2.0).exp() / (PI.sqrt() * SQRT_2)
}

/// The sequential probability ratio test: games are played until one of two claims about the
/// difference in Elo has become so unlikely that it is given up.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The difference in Elo that the two claims give, the smaller one first.
    pub claims: [f64; 2],
    /// How often the second claim is accepted although the first is right, and the other way round.
    pub errors: [f64; 2],
}

/// What the test has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The first claim, often that there is no progress.
    First,
    /// The second claim.
    Second,
}

impl Sprt {
    /// # Errors
    /// The claims are not in order, or so many errors allow everything.
    pub fn new(claims: [f64; 2], errors: [f64; 2]) -> Result<Sprt, String> {
        let [alpha, beta] = errors;
        let is_test = claims.iter().all(|claim| claim.is_finite())
            && claims[0] < claims[1]
            && alpha > 0.0
            && beta > 0.0
            && alpha + beta < 1.0;
        if !is_test {
            return Err(
                "the test needs a first claim below the second, and shares of errors above 0 \
                 that together stay below 1"
                    .to_string(),
            );
        }
        Ok(Sprt { claims, errors })
    }

    /// Where the first claim is accepted, and where the second.
    pub fn bounds(&self) -> [f64; 2] {
        let [alpha, beta] = self.errors;
        [(beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()]
    }

    /// The logarithm of how much better the second claim explains the pairs than the first. Each
    /// claim may choose, of all distributions of pairs that have its mean, the one under which the
    /// results are the least surprising (Van den Bergh's generalised test).
    pub fn ratio(&self, pairs: &[u64; 5]) -> f64 {
        if pairs.iter().sum::<u64>() == 0 {
            return 0.0;
        }
        // What has not been seen is not impossible.
        let counts = pairs.map(|count| (count as f64).max(1e-3));
        let [first, second] = self.claims.map(|elo| fit(&counts, score_of(elo)));
        (0..5)
            .map(|kind| counts[kind] * (second[kind] / first[kind]).ln())
            .sum()
    }

    pub fn verdict(&self, pairs: &[u64; 5]) -> Option<Verdict> {
        let [low, high] = self.bounds();
        match self.ratio(pairs) {
            ratio if ratio >= high => Some(Verdict::Second),
            ratio if ratio <= low => Some(Verdict::First),
            _ => None,
        }
    }
}

/// The most likely distribution with this mean, given what was counted: each frequency divided by
/// `1 + t · (score - mean)`, with the multiplier `t` for which the mean is right.
fn fit(counts: &[f64; 5], mean: f64) -> [f64; 5] {
    /// Halvings of the interval, more than a number has bits.
    const STEPS: usize = 100;
    let total: f64 = counts.iter().sum();
    let excess = SCORES.map(|score| score - mean);
    let weight = |kind: usize, t: f64| counts[kind] / total / (1.0 + t * excess[kind]);
    let (mut low, mut high) = (-1.0 / excess[4], -1.0 / excess[0]);
    for _ in 0..STEPS {
        let t = f64::midpoint(low, high);
        let surplus: f64 = (0..5).map(|kind| weight(kind, t) * excess[kind]).sum();
        if surplus > 0.0 {
            low = t;
        } else {
            high = t;
        }
    }
    [0, 1, 2, 3, 4].map(|kind| weight(kind, f64::midpoint(low, high)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(pairs: [u64; 5]) -> Tally {
        Tally {
            pairs,
            ..Tally::default()
        }
    }

    fn near(value: f64, expected: f64) -> bool {
        value.total_cmp(&expected).is_eq() || (value - expected).abs() < 1e-5
    }

    /// Numbers of an independent program for the same pairs: Elo with its bounds, normalised Elo
    /// with its error, and the likelihood of superiority.
    #[test]
    fn estimates_are_those_of_another_program() {
        const INFINITE: f64 = f64::INFINITY;
        #[rustfmt::skip]
        let rows = [
            ([10, 20, 40, 20, 10], [0.0, -37.442_06, 37.442_06], Some([0.0, 48.151_231]), 0.5),
            ([3, 57, 180, 81, 4], [13.904_843, 0.484_452, 27.366_854], Some([27.674_195, 26.709_497]), 0.978_860_04),
            ([120, 600, 1300, 540, 90], [-7.867_811, -13.582_675, -2.157_201], Some([-12.887_889, 9.353_722]), 0.003_461_69),
            ([0, 0, 1, 3, 9], [389.251_141, 262.147_575, 777.933_291], Some([635.048_109, 133.547_487]), 1.0),
            ([0, 0, 0, 200, 0], [190.848_502, 190.848_502, 190.848_502], None, 1.0),
            ([1, 0, 0, 0, 0], [-INFINITE, -INFINITE, -INFINITE], None, 0.0),
        ];
        for (pairs, [value, low, high], normalised, superiority) in rows {
            let tally = tally(pairs);
            let elo = tally.elo();
            assert!(near(elo.value, value), "{pairs:?}: {elo:?}");
            assert!(
                near(elo.low, low) && near(elo.high, high),
                "{pairs:?}: {elo:?}"
            );
            let found = tally.normalised_elo().map(|elo| [elo.value, elo.error()]);
            match (found, normalised) {
                (Some(found), Some(expected)) => {
                    assert!(near(found[0], expected[0]), "{pairs:?}: {found:?}");
                    assert!(near(found[1], expected[1]), "{pairs:?}: {found:?}");
                }
                (found, expected) => assert_eq!(found, expected, "{pairs:?}"),
            }
            assert!((tally.superiority() - superiority).abs() < 1e-7);
        }
    }

    /// The same for the test: claims, errors, pairs, logarithm of the ratio and verdict.
    #[test]
    fn ratios_are_those_of_another_program() {
        const LEVEL: [u64; 5] = [10, 20, 40, 20, 10];
        const AHEAD: [u64; 5] = [3, 57, 180, 81, 4];
        const BEHIND: [u64; 5] = [120, 600, 1300, 540, 90];
        const ONE_KIND: [u64; 5] = [0, 0, 0, 200, 0];
        let usual = [0.05, 0.05];
        let strict = [0.01, 0.1];
        let rows = [
            ([0.0, 5.0], usual, LEVEL, -0.034_506_85, None),
            ([-3.0, 1.0], usual, LEVEL, 0.011_044_25, None),
            ([0.0, 5.0], usual, AHEAD, 1.198_728_34, None),
            ([0.0, 10.0], strict, AHEAD, 1.877_102_45, None),
            (
                [0.0, 5.0],
                usual,
                BEHIND,
                -6.083_657_67,
                Some(Verdict::First),
            ),
            (
                [-3.0, 1.0],
                usual,
                BEHIND,
                -3.231_956_28,
                Some(Verdict::First),
            ),
            ([0.0, 5.0], usual, ONE_KIND, 2.857_535_2, None),
            (
                [0.0, 10.0],
                strict,
                ONE_KIND,
                5.673_657_84,
                Some(Verdict::Second),
            ),
            ([0.0, 5.0], usual, [0; 5], 0.0, None),
        ];
        for (claims, errors, pairs, ratio, verdict) in rows {
            let test = Sprt::new(claims, errors).expect("a test");
            assert!(near(test.ratio(&pairs), ratio), "{test:?} {pairs:?}");
            assert_eq!(test.verdict(&pairs), verdict, "{test:?} {pairs:?}");
        }
        let bounds = |errors| Sprt::new([0.0, 5.0], errors).expect("a test").bounds();
        assert!(near(bounds(usual)[0], -2.944_439) && near(bounds(usual)[1], 2.944_439));
        assert!(near(bounds(strict)[0], -2.292_535) && near(bounds(strict)[1], 4.499_81));
    }

    #[test]
    fn tests_that_test_nothing_are_refused() {
        for (claims, errors) in [
            ([5.0, 5.0], [0.05, 0.05]),
            ([0.0, f64::NAN], [0.05, 0.05]),
            ([0.0, 5.0], [0.0, 0.05]),
            ([0.0, 5.0], [0.5, 0.5]),
        ] {
            assert!(Sprt::new(claims, errors).is_err(), "{claims:?} {errors:?}");
        }
    }

    #[test]
    fn games_and_pairs_are_counted_and_written() {
        let mut tally = Tally::default();
        for halves in [2, 1, 0, 2] {
            tally.add_game(halves);
        }
        tally.add_pair([2, 1]);
        tally.add_pair([0, 2]);
        assert_eq!((tally.wins, tally.draws, tally.losses), (2, 1, 1));
        assert_eq!(tally.pairs, [0, 0, 1, 1, 0]);
        assert!((tally.score() - 0.625).abs() < 1e-12);
        assert_eq!(format!("{:.0}", tally.elo()), "+89 ± 136");
        let nothing = Tally::default().elo();
        assert_eq!(nothing.to_string(), "+0.0 (-inf to +inf)");
        let pairs = [9, 0, 0, 0, 0];
        let everything = Tally { pairs, ..tally };
        assert_eq!(everything.elo().to_string(), "-inf");
    }

    #[test]
    fn the_normal_distribution_ends_at_nought_and_one() {
        for (deviations, share) in [
            (f64::NEG_INFINITY, 0.0),
            (-1.959_964, 0.025),
            (0.0, 0.5),
            (1.0, 0.841_344_7),
            (1e9, 1.0),
        ] {
            assert!((normal(deviations) - share).abs() < 1e-7, "{deviations}");
        }
    }
}
