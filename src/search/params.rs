//! The numbers of the search, one line each: name, value, range, and what it is.
//!
//! Without the feature `tune` each is a constant. With it each is an option of the
//! protocol too, so that matches and tuners can try other values without a new build; and a
//! thread may have values of its own, so that two players can differ within one program.
//!
//! Depths are in plies, margins in centipawns, reductions in 1024ths of a ply, histories
//! in their own units.

use std::cell::Cell;
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};
use std::thread::LocalKey;

/// A number of the search.
pub struct Param {
    pub name: &'static str,
    pub default: i32,
    pub low: i32,
    pub high: i32,
    value: &'static AtomicI32,
    own: &'static LocalKey<Cell<Option<i32>>>,
}

impl Param {
    pub fn set(&self, value: i32) -> Result<(), String> {
        let (name, low, high) = (self.name, self.low, self.high);
        if !(low..=high).contains(&value) {
            return Err(format!(
                "{name} is a number from {low} to {high}, not {value}"
            ));
        }
        self.value.store(value, Relaxed);
        Ok(())
    }

    /// Changes it for searches on this thread only.
    pub fn set_here(&self, value: i32) {
        self.own.set(Some(value.clamp(self.low, self.high)));
    }

    /// How far a tuner may try at last: a twentieth of the range, a fifth of the value if that
    /// is less, but no less than what rounding takes to another number.
    pub fn step(&self) -> f64 {
        let of_range = f64::from(self.high - self.low) / 20.0;
        let of_value = f64::from(self.default.abs()) / 5.0;
        of_range.min(of_value).max(0.5)
    }

    /// The line by which `OpenBench` tunes it: name, kind, value, range, the size of the last
    /// steps, and the rate at which the last ones are learned from.
    pub fn spsa_line(&self) -> String {
        let Param {
            name,
            default,
            low,
            high,
            ..
        } = self;
        let step = self.step();
        format!("{name}, int, {default}, {low}, {high}, {step}, {SPSA_RATE}")
    }
}

/// What tuners begin with.
pub const SPSA_RATE: f64 = 0.002;

/// Whether numbers can be changed: also where the parts of this program are tested.
const IS_TUNABLE: bool = cfg!(any(feature = "tune", test));

/// The numbers that can be changed: all of them, or without the feature `tune` none.
pub fn tunable() -> &'static [Param] {
    if IS_TUNABLE { ALL } else { &[] }
}

macro_rules! params {
    ($($(#[doc = $doc:literal])+ $name:ident: $value:literal, $low:literal..=$high:literal;)*) => {
        $(
            $(#[doc = $doc])+
            #[inline]
            pub fn $name() -> i32 {
                if IS_TUNABLE {
                    own::$name.get().unwrap_or_else(|| values::$name.load(Relaxed))
                } else {
                    $value
                }
            }
        )*

        #[allow(non_upper_case_globals)] // Each has the name of its function.
        mod values {
            use super::AtomicI32;
            $(pub static $name: AtomicI32 = AtomicI32::new($value);)*
        }

        #[allow(non_upper_case_globals)]
        mod own {
            use super::Cell;
            thread_local! {$(pub static $name: Cell<Option<i32>> = const { Cell::new(None) };)*}
        }

        static ALL: &[Param] = &[$(Param {
            name: stringify!($name),
            default: $value,
            low: $low,
            high: $high,
            value: &values::$name,
            own: &own::$name,
        }),*];

        const _: () = {
            $(assert!($low <= $value && $value <= $high, stringify!($name));)*
        };
    };
}

params! {
    /// Half the width of the first window around the last score.
    aspiration_window: 17, 5..=100;
    /// The window is narrow from this iteration on.
    aspiration_depth: 4, 2..=10;

    /// Razoring up to this depth.
    razor_depth: 3, 0..=8;
    /// Razoring: how far below alpha the evaluation must be, for each ply.
    razor_margin: 213, 50..=600;

    /// Reverse futility up to this depth.
    reverse_futility_depth: 9, 0..=16;
    /// Reverse futility: how far above beta the evaluation must be, for each ply.
    reverse_futility_margin: 59, 20..=200;
    /// Reverse futility: one part in so many of what is above beta is believed.
    reverse_futility_trust: 2, 1..=10;

    /// Reverse futility: less where the opponent has made things worse.
    reverse_futility_worsening: 20, 0..=100;

    /// Hindsight: the evaluations of both sides must add up to this for a reduced move to be
    /// reduced further.
    hindsight_margin: 50, 0..=300;

    /// Null move from this depth on.
    null_depth: 3, 1..=99;
    /// Null move: how far above beta the evaluation must be at depth 0, and how much less
    /// for each ply.
    null_base: 59, -100..=500;
    /// See `null_base`.
    null_slope: 8, 0..=50;
    /// Null move: what is always taken off the depth.
    null_reduction: 4, 1..=8;
    /// Null move: one ply more for each so many plies of depth.
    null_divisor: 3, 1..=12;
    /// Null move: one ply more for each so many centipawns above beta.
    null_margin: 66, 50..=500;
    /// Null move: so many plies more for that, at most.
    null_excess: 6, 0..=10;
    /// Null move: verified from this depth on.
    null_verified: 13, 1..=99;

    /// Null move: with a single piece only from this depth on.
    null_single: 8, 1..=99;

    /// `ProbCut` from this depth on.
    probcut_depth: 5, 3..=99;
    /// `ProbCut`: how far above beta a capture must come out.
    probcut_margin: 155, 50..=500;
    /// `ProbCut`: and how much less where things get better.
    probcut_improving: 50, 0..=200;

    /// Reduce where no good move is known, from this depth on.
    iir_depth: 4, 2..=99;

    /// Late moves are skipped up to this depth.
    late_move_depth: 8, 0..=16;
    /// Late moves: how many are tried at depth 0.
    late_move_base: 6, 1..=20;
    /// Futility of quiet moves up to this reduced depth.
    futility_depth: 8, 0..=16;
    /// Futility: what a quiet move may gain at once.
    futility_base: 79, 0..=400;
    /// Futility: and for each ply that is left.
    futility_margin: 65, 20..=300;
    /// Futility of captures up to this reduced depth.
    noisy_futility_depth: 6, 0..=16;
    /// Futility of captures: what one may gain beside the man.
    noisy_futility_base: 100, 0..=400;
    /// Futility of captures: and for each ply that is left.
    noisy_futility_margin: 90, 20..=300;
    /// History pruning up to this reduced depth.
    history_depth: 4, 0..=12;
    /// History pruning: the worst history at each ply of depth that is still searched.
    history_margin: 4208, 500..=10000;
    /// Quiet moves may lose this in an exchange, for each squared ply of reduced depth.
    quiet_exchange_margin: 14, 5..=100;
    /// Captures may lose this in an exchange, for each ply of depth.
    noisy_exchange_margin: 77, 20..=300;

    /// Singular extension from this depth on.
    singular_depth: 6, 4..=99;
    /// Singular extension: how far below the table's score the others must stay, in
    /// sixteenths of a centipawn for each ply.
    singular_margin: 38, 4..=100;
    /// A move that is this much better than all others is extended twice.
    double_margin: 18, 0..=100;
    /// Extensions of the second kind in one line.
    double_limit: 6, 0..=20;

    /// Late move reduction: for any move.
    reduction_base: 543, 0..=3000;
    /// Late move reduction: the product of the logarithms of depth and number, divided by
    /// a thousandth of this.
    reduction_divisor: 1940, 1000..=5000;
    /// Reduction: less where the main line may pass.
    reduction_pv: 804, 0..=3000;
    /// Reduction: still less there if the table's score is above alpha.
    reduction_pv_above: 350, 0..=3000;
    /// Reduction: and if it is from a search as deep.
    reduction_pv_deep: 350, 0..=3000;
    /// Reduction: what is left of it for captures and promotions, in 1024ths.
    reduction_noisy: 756, 0..=1024;
    /// Reduction: less near the root, and twice that at the root.
    reduction_near_root: 959, 0..=3000;
    /// Reduction: more where a cut is expected.
    reduction_cut: 1564, 0..=3000;
    /// Reduction: still more there if no move is known.
    reduction_cut_blind: 600, 0..=3000;
    /// Reduction: less for each centipawn by which the evaluation was corrected.
    reduction_doubt: 12, 0..=100;
    /// Reduction: more where things get worse.
    reduction_worsening: 1019, 0..=3000;
    /// Reduction: less for killers and replies.
    reduction_killer: 916, 0..=3000;
    /// Reduction: less for checks.
    reduction_check: 1914, 0..=3000;
    /// Reduction: more where the table's move is a capture.
    reduction_noisy_table: 870, 0..=3000;
    /// Reduction: more where later nodes have cut often.
    reduction_cutoffs: 1341, 0..=3000;
    /// Reduction: the history that is worth one ply.
    reduction_history: 10926, 2000..=40000;
    /// Reduction: the history at which a quiet move is reduced neither more nor less.
    reduction_history_base: 2595, -10000..=10000;
    /// The reduced search was this good: look deeper than planned.
    deeper_margin: 44, 10..=200;

    /// Captures may lose a centipawn more for each so much of history.
    noisy_history: 49, 8..=512;
    /// Quiet moves may gain a centipawn more for each so much of history.
    futility_history: 270, 32..=2048;

    /// History: bonus for each ply of depth.
    bonus_slope: 193, 20..=400;
    /// History: taken off each bonus.
    bonus_offset: 66, 0..=400;
    /// History: the largest bonus.
    bonus_limit: 1295, 400..=4000;

    /// Correction of the evaluation by pawns: centipawns at full scale.
    correction_pawns: 54, 0..=300;
    /// ... by the pieces of either side.
    correction_pieces: 59, 0..=300;
    /// ... by the last move.
    correction_move: 41, 0..=300;

    /// Quiescence: what a capture may gain beyond its victim.
    delta_margin: 197, 0..=500;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_a_line_that_a_tuner_reads() {
        for param in ALL {
            let line = param.spsa_line();
            let fields: Vec<&str> = line.split(", ").collect();
            assert_eq!(fields[..2], [param.name, "int"]);
            let numbers: Vec<f64> = fields[2..].iter().flat_map(|field| field.parse()).collect();
            let [value, low, high, step, rate] = numbers[..] else {
                panic!("{line}");
            };
            assert!(low <= value && value <= high && low < high, "{line}");
            assert!(step >= 0.5 && step < high - low && rate > 0.0, "{line}");
        }
    }
}
