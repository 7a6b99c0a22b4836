//! How much shallower late moves are searched. Reductions are in 1024ths of a ply.

use super::params;

pub const PLY: i32 = 1024;

/// Natural logarithms of 0 to 255, in 1024ths; 0 for 0.
static LOGARITHMS: [i32; 256] = {
    let mut table = [0; 256];
    let mut number = 1;
    while number < 256 {
        table[number] = logarithm(number as u64);
        number += 1;
    }
    table
};

/// The natural logarithm in 1024ths, in whole numbers, so that it is the same everywhere.
const fn logarithm(number: u64) -> i32 {
    const ONE: u64 = 1 << 30;
    // The whole part of the binary logarithm, then ten binary places: squaring doubles it.
    let mut places = number.ilog2() as i32;
    let mut rest = (number * ONE) >> places;
    let mut count = 0;
    while count < 10 {
        rest = (rest * rest) >> 30;
        places *= 2;
        if rest >= 2 * ONE {
            rest /= 2;
            places += 1;
        }
        count += 1;
    }
    // times ln 2
    (places as i64 * 693_147 / 1_000_000) as i32
}

/// What the number of a move and the depth alone suggest.
#[inline]
pub fn base(depth: i32, number: i32) -> i32 {
    let [depth, number] = [depth, number].map(|value| LOGARITHMS[value.clamp(0, 255) as usize]);
    // A product of 1024ths has too many of them by 1024; the divisor is in thousandths.
    params::reduction_base() + depth * number / PLY * 1000 / params::reduction_divisor()
}

/// What else speaks for or against looking deeply at a move.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)] // Each is a fact of its own.
pub struct Case {
    pub is_noisy: bool,
    /// How near the node is: 2 at the root, 1 in the plies next to it, 0 elsewhere.
    pub nearness: i32,
    pub was_pv: bool,
    pub cut_node: bool,
    pub improving: bool,
    pub is_killer: bool,
    pub gives_check: bool,
    pub table_move_is_noisy: bool,
    /// Moves at the next ply have cut often.
    pub cuts_follow: bool,
    /// Another worker is at the same node: leave the details to it.
    pub is_shared: bool,
    /// How the move has done.
    pub history: i32,
    /// The table's score is above alpha.
    pub table_is_above: bool,
    /// The table's score is from a search as deep as this one.
    pub table_is_deep: bool,
    pub no_table_move: bool,
    /// By how much the evaluation was corrected.
    pub doubt: i32,
}

/// The reduction of a move.
#[inline]
pub fn adjust(base: i32, case: &Case) -> i32 {
    let history = if case.is_noisy {
        case.history
    } else {
        case.history - params::reduction_history_base()
    };
    let when = |condition: bool, amount: i32| if condition { amount } else { 0 };
    let reduction = base
        - when(case.was_pv, params::reduction_pv())
        - when(
            case.was_pv && case.table_is_above,
            params::reduction_pv_above(),
        )
        - when(
            case.was_pv && case.table_is_deep,
            params::reduction_pv_deep(),
        )
        + when(case.cut_node, params::reduction_cut())
        + when(
            case.cut_node && case.no_table_move,
            params::reduction_cut_blind(),
        )
        - case.doubt * params::reduction_doubt()
        + when(!case.improving, params::reduction_worsening())
        - when(case.is_killer, params::reduction_killer())
        - when(case.gives_check, params::reduction_check())
        + when(case.table_move_is_noisy, params::reduction_noisy_table())
        + when(case.cuts_follow, params::reduction_cutoffs())
        + when(case.is_shared, PLY)
        - history * PLY / params::reduction_history();
    let reduction = if case.is_noisy {
        reduction * params::reduction_noisy() / 1024
    } else {
        reduction
    };
    reduction - case.nearness * params::reduction_near_root()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_and_deeper_moves_are_reduced_more() {
        for depth in 1..60 {
            for number in 1..60 {
                let here = base(depth, number);
                assert!(here <= base(depth + 1, number));
                assert!(here <= base(depth, number + 1));
            }
        }
        let plies = base(12, 20) / PLY;
        assert!((2..=5).contains(&plies), "{plies}");
        assert!(base(1000, 1000) > 0);
    }

    #[test]
    fn logarithms_are_right_to_a_thousandth() {
        for (number, &value) in LOGARITHMS.iter().enumerate().skip(1) {
            let exact = (number as f64).ln() * f64::from(PLY);
            assert!((f64::from(value) - exact).abs() < 2.0, "{number}");
        }
    }
}
