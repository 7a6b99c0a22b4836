//! Monte Carlo tree search: random play, more and more where it is promising.

use super::monte_carlo::play_out;
use super::random::pick;
use super::{Dice, Estimate, Game, Player};

/// How much an action is preferred for having been tried little, in units of the range of
/// values seen. The square root of 2 is the value of the theory.
const CURIOSITY: f64 = std::f64::consts::SQRT_2;

/// An action at the root, and what came of it.
pub struct Branch<A> {
    pub action: A,
    /// What it was worth to MAX on average, and how often it was tried.
    pub estimate: Estimate,
}

/// A state in the tree.
struct Node<G: Game> {
    state: G::State,
    /// Empty if it is terminal.
    actions: Vec<G::Action>,
    /// The nodes that the first actions lead to; the others have not been tried.
    children: Vec<usize>,
    estimate: Estimate,
}

impl<G: Game> Node<G> {
    fn new(game: &G, state: G::State) -> Node<G> {
        let actions = if game.is_terminal(&state) {
            Vec::new()
        } else {
            game.actions(&state)
        };
        Node {
            state,
            actions,
            children: Vec::new(),
            estimate: Estimate::default(),
        }
    }
}

/// Plays `rounds` games from a state, and returns its actions, the one tried most often
/// first: that is the one to play.
///
/// Each game goes four steps. *Select*: walk down the tree, to the child with the best upper
/// confidence bound (UCB1), or where chance takes it. *Expand*: add one action not tried
/// before. *Simulate*: play on at random. *Back up*: count the result in every node passed.
pub fn tree_search<G: Game>(
    game: &G,
    state: &G::State,
    rounds: u64,
    dice: &mut Dice,
) -> Vec<Branch<G::Action>> {
    let mut tree = vec![Node::new(game, state.clone())];
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    for _ in 0..rounds {
        let mut path = vec![0];
        let mut at = 0;
        while !tree[at].actions.is_empty() {
            let is_whole = tree[at].children.len() == tree[at].actions.len();
            if !is_whole {
                let node = &tree[at];
                let action = &node.actions[node.children.len()];
                let child = Node::new(game, game.result(&node.state, action));
                let index = tree.len();
                tree.push(child);
                tree[at].children.push(index);
                path.push(index);
                break;
            }
            let node = &tree[at];
            at = match game.player(&node.state) {
                Player::Chance => node.children[pick(dice, game, &node.state, &node.actions)],
                player => {
                    let sign = if player.is_max() { 1.0 } else { -1.0 };
                    let total = (node.estimate.samples as f64).ln();
                    let bound = |child: &usize| {
                        let estimate = tree[*child].estimate;
                        let little_tried = (total / estimate.samples as f64).sqrt();
                        sign * estimate.mean() + CURIOSITY * (most - least) * little_tried
                    };
                    let by_bound = |a: &&usize, b: &&usize| bound(a).total_cmp(&bound(b));
                    *node.children.iter().max_by(by_bound).unwrap_or(&at)
                }
            };
            path.push(at);
        }
        let last = path[path.len() - 1];
        let value = play_out(game, tree[last].state.clone(), dice);
        (least, most) = (least.min(value), most.max(value));
        for index in path {
            tree[index].estimate.add(value);
        }
    }
    let root = &tree[0];
    let mut branches: Vec<Branch<G::Action>> = root
        .actions
        .iter()
        .zip(&root.children)
        .map(|(action, &child)| Branch {
            action: action.clone(),
            estimate: tree[child].estimate,
        })
        .collect();
    branches.sort_by_key(|branch| std::cmp::Reverse(branch.estimate.samples));
    branches
}
