//! When a node or a move need not be searched: the formulas. Where they apply, and in
//! which order, is said in `node`.

use crate::types::Score;

use super::params;

/// What the formulas need to know of a node.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// What is left, in plies.
    pub depth: i32,
    /// The static evaluation, corrected; what the table knows if that is better.
    pub estimate: Score,
    /// The side to move stands better than at its move before.
    pub improving: bool,
    /// The opponent stands worse than before their last move.
    pub opponent_worsening: bool,
}

/// Whether the position is so bad that only captures could help.
pub fn razoring(view: &View, alpha: Score) -> bool {
    let margin = params::razor_margin() * view.depth;
    view.depth <= params::razor_depth() && view.estimate + margin < alpha
}

/// The score of a position so good that it will hold.
pub fn reverse_futility(view: &View, beta: Score) -> Option<Score> {
    let margin = params::reverse_futility_margin() * (view.depth - i32::from(view.improving))
        - params::reverse_futility_worsening() * i32::from(view.opponent_worsening);
    let excess = view.estimate - beta;
    let holds = view.depth <= params::reverse_futility_depth() && excess >= margin;
    // Not the whole excess: nobody has proved it.
    holds.then(|| beta + excess / params::reverse_futility_trust())
}

/// Whether the evaluation is good enough to let the opponent move twice.
pub fn null_is_promising(eval: Score, depth: i32, beta: Score) -> bool {
    eval - beta >= params::null_base() - params::null_slope() * depth
}

/// The plies that the reply to a null move is searched less.
pub fn null_reduction(view: &View, beta: Score) -> i32 {
    let excess = (view.estimate - beta) / params::null_margin();
    params::null_reduction()
        + view.depth / params::null_divisor()
        + excess.clamp(0, params::null_excess())
}

/// What a capture must come out at in a shallow search to cut.
pub fn probcut_beta(view: &View, beta: Score) -> Score {
    let discount = params::probcut_improving() * i32::from(view.improving);
    beta + params::probcut_margin() - discount
}

/// How many moves are tried before the quiet ones that are left are skipped.
pub fn late_move_count(view: &View) -> i32 {
    let count = params::late_move_base() + view.depth * view.depth;
    if view.improving { count } else { count / 2 }
}

/// What a quiet move may reach that is searched `reduced` plies deep, given its history.
pub fn futility(eval: Score, reduced: i32, history: i32) -> Score {
    let trust = history / params::futility_history();
    eval + params::futility_base() + params::futility_margin() * reduced + trust
}

/// What a capture of a man of this worth may reach, given its history.
pub fn noisy_futility(eval: Score, reduced: i32, gain: i32, history: i32) -> Score {
    let trust = history / params::noisy_history();
    eval + params::noisy_futility_base() + params::noisy_futility_margin() * reduced + gain + trust
}

/// The exchange that a quiet move may lose.
pub fn quiet_exchange(reduced: i32) -> i32 {
    -params::quiet_exchange_margin() * reduced * reduced
}

/// The exchange that a capture may lose, given its history.
pub fn noisy_exchange(depth: i32, history: i32) -> i32 {
    -params::noisy_exchange_margin() * depth - history / params::noisy_history()
}

/// What all other moves must stay below for the table's to be singular.
pub fn singular_beta(table_score: Score, depth: i32) -> Score {
    table_score - params::singular_margin() * depth / 16
}
