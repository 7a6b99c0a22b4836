//! Fitting how scores turn into chances: see `eval::Chances`.

use std::collections::BTreeMap;

use crate::eval::{Chances, material};

use super::file::Games;
use super::record::Points;
use super::sample;

/// A score, the material left, what became of it, for the side to move, and how often.
struct Case {
    score: f64,
    material: f64,
    points: Points,
    count: f64,
}

/// What a fit gave.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    pub chances: Chances,
    pub positions: usize,
    /// The mean of -ln of the chance given to what happened.
    pub surprise: f64,
}

/// Fits the curves to the games of files.
pub fn fit(files: &[Games]) -> Result<Fit, String> {
    // Most scores come many times: a case takes no longer for that.
    let mut counts: BTreeMap<(i32, u64, usize), u64> = BTreeMap::new();
    for games in files {
        for block in 0..games.blocks() {
            for record in games.block(block)? {
                for (position, ply) in sample::fit(&record) {
                    let points = 2.0 * record.points.of(position.side());
                    let material = material(&position).to_bits();
                    let case = (ply.score.value(), material, points as usize);
                    *counts.entry(case).or_default() += 1;
                }
            }
        }
    }
    let case = |(&(score, material, points), &count): (&(i32, u64, usize), &u64)| Case {
        score: f64::from(score),
        material: f64::from_bits(material),
        points: Points::ALL[points],
        count: count as f64,
    };
    let cases: Vec<Case> = counts.iter().map(case).collect();
    let positions = counts.values().sum::<u64>() as usize;
    if cases.is_empty() {
        return Err("no positions to learn from".to_string());
    }
    // By smaller and smaller steps in one number at a time: five numbers and a smooth bowl need
    // nothing cleverer.
    let mut numbers = [150.0, 0.0, 0.0, 60.0, 0.0];
    let mut least = surprise(&cases, &numbers);
    let mut step = 32.0;
    while step > 0.1 {
        let mut is_better = false;
        for index in 0..numbers.len() {
            for direction in [step, -step] {
                let before = numbers[index];
                numbers[index] += direction;
                let now = surprise(&cases, &numbers);
                if now < least {
                    least = now;
                    is_better = true;
                } else {
                    numbers[index] = before;
                }
            }
        }
        if !is_better {
            step /= 2.0;
        }
    }
    Ok(Fit {
        chances: chances(&numbers),
        positions,
        surprise: least,
    })
}

fn chances(numbers: &[f64; 5]) -> Chances {
    Chances {
        even: [numbers[0], numbers[1], numbers[2]],
        spread: [numbers[3], numbers[4]],
    }
}

fn surprise(cases: &[Case], numbers: &[f64; 5]) -> f64 {
    let chances = chances(numbers);
    let sum: f64 = cases
        .iter()
        .map(|case| {
            let win = chances.win(case.score, case.material);
            let loss = chances.win(-case.score, case.material);
            let chance = match case.points {
                Points::WhiteWins => win,
                Points::BlackWins => loss,
                Points::Draw => 1.0 - win - loss,
            };
            -chance.max(1e-6).ln() * case.count
        })
        .sum();
    sum / cases.iter().map(|case| case.count).sum::<f64>()
}
