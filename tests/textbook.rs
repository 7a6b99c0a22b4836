//! The facts of the lectures, and that the algorithms agree with each other and the engine.

#![allow(clippy::float_cmp)] // Whole numbers and halves are exact.

use std::cell::RefCell;
use std::collections::HashMap;
use std::process::{Command, Stdio};

use proptest::prelude::*;
use tessera::board::{Position, Rules};
use tessera::textbook::games::{Chess, Nim, Race, TicTacToe, Tree};
use tessera::textbook::{
    CutOff, Decision, Dice, Estimate, Game, Ordered, Player, RandomOpponent, Recorder, Tally,
    all_values, alpha_beta, best_first, deepening, effect_of_ordering, expected, expectiminimax,
    max_n, memoised, minimax, monte_carlo, shuffled, svg, tree_search, words, worst_first,
};

const SLIDE: &str = "((3 12 8) (2 4 6) (14 5 2))";
const BINS: &str = "((-50 50) (1 3) (-5 15))";
/// The same bins, but a coin may move the choice one bin to the right, from the last to the
/// first, before the opponent chooses.
const BINS_AND_COIN: &str = "([(-50 50) (1 3)] [(1 3) (-5 15)] [(-5 15) (-50 50)])";

fn tree(text: &str) -> Tree {
    text.parse().expect("a tree")
}

fn minimax_of<G: Game>(game: &G) -> Decision<G::Action> {
    minimax(game, &game.initial(), &mut ())
}

fn alpha_beta_of<G: Game>(game: &G) -> Decision<G::Action> {
    alpha_beta(game, &game.initial(), &mut ())
}

fn expectiminimax_of<G: Game>(game: &G) -> Decision<G::Action> {
    expectiminimax(game, &game.initial(), &mut ())
}

fn decided<A>(value: f64, action: A) -> Decision<A> {
    Decision {
        value,
        action: Some(action),
    }
}

/// The values of all actions at the start.
fn values<G: Game>(game: &G, value: impl Fn(&G::State) -> f64) -> Vec<f64> {
    let start = game.initial();
    let actions = game.actions(&start);
    let each = actions.iter();
    each.map(|action| value(&game.result(&start, action)))
        .collect()
}

#[test]
fn the_tree_of_the_slide() {
    let tree = tree(SLIDE);
    assert_eq!(minimax_of(&tree), decided(3.0, 0));
    let mut watch = (Tally::default(), Recorder::new(100, true));
    assert_eq!(
        alpha_beta(&tree, &tree.initial(), &mut watch),
        decided(3.0, 0)
    );
    let (tally, recorder) = watch;
    assert_eq!((tally.visited, tally.leaves, tally.pruned), (11, 7, 2));

    let record = recorder.into_record().expect("room enough");
    let leaves = |is_pruned: bool| -> Vec<String> {
        let nodes = record.children.iter().flat_map(|child| &child.children);
        let chosen = nodes.filter(|leaf| leaf.is_pruned() == is_pruned);
        chosen.map(|leaf| leaf.text.clone()).collect()
    };
    assert_eq!(leaves(false), ["3", "12", "8", "2", "14", "5", "2"]);
    assert_eq!(leaves(true), ["4", "6"]);
    let alphas: Vec<f64> = record
        .children
        .iter()
        .map(|child| child.window.expect("a window").alpha)
        .collect();
    assert_eq!(alphas, [f64::NEG_INFINITY, 3.0, 3.0]);
    assert_eq!(
        words(&record),
        "MAX root: α=-∞ β=+∞
  MIN node A: α=-∞ β=+∞
    leaf 3, β=3
    leaf 12
    leaf 8
  MIN node A = 3, by 3
MAX root: α=3
  MIN node B: α=3 β=+∞
    leaf 2, β=2
  MIN node B: 2 ≤ alpha 3, prune 4 6
  MIN node C: α=3 β=+∞
    leaf 14, β=14
    leaf 5, β=5
    leaf 2, β=2
  MIN node C: 2 ≤ alpha 3, nothing left to prune
MAX root = 3, by A
"
    );
}

#[test]
fn another_tree_and_a_coin() {
    assert_eq!(minimax_of(&tree("((-5 2)(3 1)(4 -3))")), decided(1.0, 1));
    assert_eq!(expectiminimax_of(&tree("[100 9]")).value, 54.5);
    assert_eq!(minimax_of(&tree("min(100 9)")).value, 9.0);
}

#[test]
fn the_bins() {
    let bins = tree(BINS);
    assert_eq!(minimax_of(&bins), decided(1.0, 1));
    let random = RandomOpponent { game: &bins };
    assert_eq!(expectiminimax_of(&random), decided(5.0, 2));
    assert_eq!(
        values(&random, |s| expectiminimax(&random, s, &mut ()).value),
        [0.0, 2.0, 5.0]
    );

    let coin = tree(BINS_AND_COIN);
    assert_eq!(expectiminimax_of(&coin), decided(-2.0, 1));
    assert_eq!(
        values(&coin, |s| expectiminimax(&coin, s, &mut ()).value),
        [-24.5, -2.0, -27.5]
    );
    // Without a way from the last bin to the first, that one would be worth -5.
    let wall = tree("([(-50 50) (1 3)] [(1 3) (-5 15)] (-5 15))");
    assert_eq!(expectiminimax_of(&wall), decided(-2.0, 1));
}

#[test]
fn a_policy_has_a_value() {
    let bins = tree(BINS);
    let first_against_random = |state: &usize, actions: &[usize]| match bins.player(state) {
        Player::Max => vec![1.0, 0.0, 0.0],
        _ => vec![1.0 / actions.len() as f64; actions.len()],
    };
    assert_eq!(expected(&bins, &bins.initial(), &first_against_random), 0.0);
    // Perfect policies bring the minimax value.
    let perfect = |state: &usize, actions: &[usize]| {
        let best = minimax(&bins, state, &mut ()).action;
        let of = |action: &usize| f64::from(u8::from(Some(*action) == best));
        actions.iter().map(of).collect()
    };
    assert_eq!(expected(&bins, &bins.initial(), &perfect), 1.0);
}

#[test]
fn samples_have_a_mean() {
    let mut estimate = Estimate::default();
    estimate.extend([1.0, 3.0, 50.0, 50.0, 50.0, -50.0, -50.0, 50.0, 15.0, -5.0]);
    assert!((estimate.mean() - 11.4).abs() < 1e-12);
    // Squares 1526 on average, less 11.4 squared is 1396.04; a ninth of it, and the root.
    assert!(
        (estimate.error() - 12.4545).abs() < 1e-4,
        "{}",
        estimate.error()
    );
}

#[test]
fn random_play_comes_near_the_exact_value() {
    let bins = tree(BINS);
    let uniform = |_: &usize, actions: &[usize]| vec![1.0 / actions.len() as f64; actions.len()];
    let exact = expected(&bins, &bins.initial(), &uniform);
    assert!((exact - 7.0 / 3.0).abs() < 1e-12);
    let mut before = f64::INFINITY;
    for samples in [100, 10_000, 1_000_000] {
        let estimate = monte_carlo(&bins, &bins.initial(), samples, &mut Dice::new(1));
        assert!((estimate.mean() - exact).abs() < 4.0 * estimate.error());
        assert!(
            estimate.error() < before / 5.0,
            "the error shrinks with the root of n"
        );
        before = estimate.error();
    }
    assert!(before < 0.04, "{before}");
    let again = monte_carlo(&bins, &bins.initial(), 100, &mut Dice::new(1));
    assert_eq!(
        again,
        monte_carlo(&bins, &bins.initial(), 100, &mut Dice::new(1))
    );
}

#[test]
fn nim() {
    let won = |stones, most, last_wins| {
        let nim = Nim {
            stones,
            most,
            last_wins,
        };
        let decision = alpha_beta_of(&nim);
        assert_eq!(decision, minimax_of(&nim));
        (decision.value > 0.0).then_some(decision.action.expect("a move"))
    };
    assert_eq!(won(7, 3, false), Some(2));
    assert_eq!(won(8, 3, false), Some(3));
    assert_eq!(won(9, 3, false), None);
    assert_eq!(won(10, 3, false), Some(1));
    for stones in 1..=15 {
        assert_eq!(
            won(stones, 2, true).is_none(),
            stones % 3 == 0,
            "{stones} stones"
        );
    }
    // Not only one move is lost from 9, all are.
    let nine = Nim {
        stones: 9,
        most: 3,
        last_wins: false,
    };
    assert_eq!(
        values(&nine, |heap| minimax(&nine, heap, &mut ()).value),
        [-1.0; 3]
    );
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let game = TicTacToe::default();
    let start = game.initial();
    let mut plain = Tally::default();
    assert_eq!(minimax(&game, &start, &mut plain).value, 0.0);
    assert_eq!(plain.visited, 549_946);
    let mut pruning = Tally::default();
    assert_eq!(alpha_beta(&game, &start, &mut pruning).value, 0.0);
    assert_eq!(pruning.visited, TIC_TAC_TOE_BY_ALPHA_BETA);
    let mut known = HashMap::new();
    assert_eq!(memoised(&game, &start, &mut known, &mut ()).value, 0.0);
    assert_eq!(known.len(), 5_478);
}

/// In the order of the squares, row by row.
const TIC_TAC_TOE_BY_ALPHA_BETA: u64 = 18_297;

#[test]
fn the_race_with_the_die_by_hand() {
    // A coin with faces 1 and 2, up to 2: who throws once has 1 or 2. From 2 MAX stops and at
    // worst is equalled: MIN throws; with 2 (1/2) a draw, with 1 again, then half the time 2.
    let race = Race {
        target: 2,
        faces: 2,
    };
    let throw = |sums, turn| tessera::textbook::games::Throw {
        sums,
        turn,
        is_rolling: false,
    };
    let value = |state| expectiminimax(&race, &state, &mut ());
    assert_eq!(value(throw([2, 2], 1)).value, 0.0);
    // One behind: throw, 1 draws, 2 is too much.
    assert_eq!(value(throw([2, 1], 1)).value, 0.5);
    assert_eq!(value(throw([2, 0], 1)).value, 0.25);
    assert_eq!(value(throw([1, 0], 1)).value, -1.0 + 0.5);
}

#[test]
fn three_players_in_every_order() {
    let leaves = [
        [5.0, 2.0, 1.0],
        [1.0, 5.0, 2.0],
        [2.0, 1.0, 5.0],
        [4.0, 4.0, 0.0],
        [0.0, 4.0, 4.0],
        [4.0, 0.0, 4.0],
        [3.0, 3.0, 3.0],
        [6.0, 0.0, 1.0],
    ];
    for order in [
        [1, 2, 3],
        [1, 3, 2],
        [2, 1, 3],
        [2, 3, 1],
        [3, 1, 2],
        [3, 2, 1],
    ] {
        // From the leaves up: of every two the player takes what is better for itself, the
        // first of equals.
        let mut values = leaves.to_vec();
        let mut texts: Vec<String> = leaves.map(|[a, b, c]| format!("{a},{b},{c}")).to_vec();
        for player in order.into_iter().rev() {
            let choice = |pair: &[[f64; 3]]| {
                let is_better = pair[1][player - 1] > pair[0][player - 1];
                pair[usize::from(is_better)]
            };
            values = values.chunks(2).map(choice).collect();
            let node = |pair: &[String]| format!("p{player}({})", pair.join(" "));
            texts = texts.chunks(2).map(node).collect();
        }
        let tree = tree(&texts[0]);
        let decision = max_n(&tree, &tree.initial(), &mut ());
        assert_eq!(decision.value, values[0], "{}", texts[0]);
    }
    // Written without names they take turns in order.
    let unnamed = tree("(((5,2,1 1,5,2) (2,1,5 4,4,0)) ((0,4,4 4,0,4) (3,3,3 6,0,1)))");
    let decision = max_n(&unnamed, &unnamed.initial(), &mut ());
    // The third takes 2, 5, 4 and 3; of these the second takes 5 and 4, and the first 1.
    assert_eq!(decision.value, [1.0, 5.0, 2.0]);
    assert_eq!(decision.action, Some(0));
}

#[test]
fn perfect_order_visits_the_least() {
    for (branching, height) in [(2, 1), (2, 5), (3, 3), (3, 4), (4, 4), (5, 3)] {
        let tree = Tree::uniform(branching, height, 5);
        let effect = effect_of_ordering(&tree, 1);
        let half = |rounded: u32| (branching as u64).pow(rounded);
        let least = half(height.div_ceil(2)) + half(height / 2) - 1;
        assert_eq!(effect.minimax, half(height));
        assert_eq!(effect.best, least, "b = {branching}, m = {height}");
        assert!(effect.best <= effect.worst && effect.worst <= effect.minimax);
        assert!((effect.branching() - branching as f64).abs() < 1e-9);
    }
}

#[test]
fn tree_search_finds_what_minimax_finds() {
    for (stones, best) in [(7, 2), (8, 3), (10, 1)] {
        let nim = Nim {
            stones,
            most: 3,
            last_wins: false,
        };
        let branches = tree_search(&nim, &nim.initial(), 20_000, &mut Dice::new(1));
        assert_eq!(branches[0].action, best, "{stones} stones");
        let tried: u64 = branches.iter().map(|branch| branch.estimate.samples).sum();
        assert_eq!(tried, 20_000);
    }
    // X to move wins at once; O to move must block.
    for (board, best) in [("XX./OO./...", 2), ("XX./O../...", 2)] {
        let game = TicTacToe {
            start: board.parse().expect("a board"),
        };
        let branches = tree_search(&game, &game.initial(), 5_000, &mut Dice::new(1));
        assert_eq!(branches[0].action, best, "{board}");
    }
    // Where chance moves, it is followed as often as it is likely.
    let coin = tree(BINS_AND_COIN);
    let branches = tree_search(&coin, &coin.initial(), 50_000, &mut Dice::new(1));
    assert_eq!(branches[0].action, 1);
    assert!(
        (branches[0].estimate.mean() + 2.0).abs() < 0.5,
        "{}",
        branches[0].estimate.mean()
    );
}

#[test]
fn deepening_ends_with_the_value_of_its_depth() {
    let game = Chess {
        start: Position::start(Rules::named("gardner").expect("a game")),
    };
    let decisions = deepening(&game, &game.initial(), 4);
    assert_eq!(decisions.len(), 4);
    for (depth, (decision, _)) in (1..).zip(&decisions) {
        let limited = CutOff { game: &game, depth };
        assert_eq!(
            decision.value,
            alpha_beta_of(&limited).value,
            "depth {depth}"
        );
    }
}

#[test]
fn a_horizon_is_judged_by_the_evaluation() {
    // One ply deep the leaves are the means below: 7.67, 4 and 7.
    let slide = tree(SLIDE);
    let limited = CutOff {
        game: &slide,
        depth: 1,
    };
    let decision = minimax_of(&limited);
    assert_eq!(decision.action, Some(0));
    assert!((decision.value - 23.0 / 3.0).abs() < 1e-12);
    // Deep enough it makes no difference.
    assert_eq!(
        minimax_of(&CutOff {
            game: &slide,
            depth: 9
        }),
        minimax_of(&slide)
    );
}

#[test]
fn pictures_are_well_formed() {
    for text in [SLIDE, BINS_AND_COIN, "(1,2,3 3,2,1)"] {
        let tree = tree(text);
        let mut recorder = Recorder::new(100, true);
        max_n(&tree, &tree.initial(), &mut recorder);
        let picture = svg(&recorder.into_record().expect("room"));
        for (open, close) in [("<g", "</g>"), ("<text", "</text>"), ("<svg", "</svg>")] {
            assert_eq!(
                picture.matches(open).count(),
                picture.matches(close).count()
            );
        }
    }
}

#[test]
fn mistakes_in_trees_have_their_column() {
    for (text, column, message) in [
        ("", 1, "a number or '(' is missing"),
        ("3", 1, "a number alone"),
        ("((3 12 x) (2 4))", 8, "'x' is not a number"),
        ("((3 12) ()", 10, "nothing in this bracket"),
        (
            "((3 12) (4",
            11,
            "')' is missing for the bracket of column 9",
        ),
        ("(3 12))", 7, "ended before"),
        ("(3 ]", 4, "']' where a number"),
        ("[0:3 1:4]", 2, "'0' is no weight"),
        ("[a:3]", 2, "'a' is no weight"),
        ("(1:3 4)", 3, "':' where a number"),
        ("(1 nan)", 4, "'nan' is not a number"),
        ("(1,2 3)", 6, "values for 1, but 2"),
        ("mid(1 2)", 1, "'mid' before a bracket"),
        ("p3(1 2)", 1, "player 3 of 2"),
        ("(1,x 3)", 4, "'x' is not a number"),
        ("max[1 2]", 1, "chance has no name"),
    ] {
        let error = text.parse::<Tree>().expect_err(text);
        assert_eq!(error.column, column, "{text}: {error}");
        assert!(error.message.contains(message), "{text}: {error}");
    }
    let deep = "(".repeat(100_000);
    assert_eq!(deep.parse::<Tree>().expect_err("deep").column, 66);
}

/// Trees of numbers with nodes of up to four children, and chance nodes if wanted.
fn trees(with_chance: bool) -> impl Strategy<Value = Tree> {
    let leaf = (-20..=20_i32).prop_map(|value| value.to_string());
    let text = leaf.prop_recursive(4, 60, 4, move |inner| {
        let children = prop::collection::vec(inner.clone(), 1..=4);
        let weighted = prop::collection::vec((1..=5_u32, inner), 1..=4);
        let choice = children.prop_map(|children| format!("({})", children.join(" ")));
        let chance = weighted.prop_map(|children| {
            let texts: Vec<String> = children.iter().map(|(w, c)| format!("{w}:{c}")).collect();
            format!("[{}]", texts.join(" "))
        });
        if with_chance {
            prop_oneof![3 => choice, 2 => chance].boxed()
        } else {
            choice.boxed()
        }
    });
    let root = prop::collection::vec(text, 2..=4);
    root.prop_map(|children| tree(&format!("({})", children.join(" "))))
}

/// Grows fast, never falls, and is no straight line.
fn cubed(value: f64) -> f64 {
    value.powi(3)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn alpha_beta_is_minimax_in_any_order(tree in trees(false), seed in any::<u64>()) {
        let value = minimax_of(&tree).value;
        prop_assert_eq!(alpha_beta_of(&tree), minimax_of(&tree));
        let dice = RefCell::new(Dice::new(seed));
        let random = Ordered { game: &tree, order: shuffled(&dice) };
        prop_assert_eq!(alpha_beta_of(&random).value, value);
        let known = all_values(&tree);
        let best = Ordered { game: &tree, order: best_first(&tree, &known) };
        prop_assert_eq!(alpha_beta_of(&best).value, value);
        let worst = Ordered { game: &tree, order: worst_first(&tree, &known) };
        prop_assert_eq!(alpha_beta_of(&worst).value, value);
    }

    #[test]
    fn the_others_agree_with_minimax(tree in trees(false)) {
        let decision = minimax_of(&tree);
        prop_assert_eq!(&expectiminimax_of(&tree), &decision);
        let known = &mut HashMap::new();
        prop_assert_eq!(&memoised(&tree, &tree.initial(), known, &mut ()), &decision);
        let both = max_n(&tree, &tree.initial(), &mut ());
        prop_assert_eq!(both.value, vec![decision.value, -decision.value]);
        prop_assert_eq!(both.action, decision.action);
    }

    #[test]
    fn minimax_asks_for_the_order_of_values_only(tree in trees(false)) {
        let decision = minimax_of(&tree);
        let changed = minimax_of(&tree.map(cubed));
        prop_assert_eq!(changed, decided(cubed(decision.value), decision.action.expect("a move")));
    }

    #[test]
    fn straight_lines_change_no_choice_of_expectiminimax(tree in trees(true)) {
        // Halves and powers of two, so that nothing is lost in the arithmetic.
        let changed = tree.map(|value| 4.0 * value + 32.0);
        let (one, other) = (values(&tree, |s| expectiminimax(&tree, s, &mut ()).value),
            values(&changed, |s| expectiminimax(&changed, s, &mut ()).value));
        for (one, other) in one.iter().zip(&other) {
            prop_assert!((4.0 * one + 32.0 - other).abs() < 1e-9);
        }
        // What was chosen is still the best, but for what rounding may do to equals.
        let chosen = expectiminimax_of(&tree).action.expect("a move");
        prop_assert!(other[chosen] > expectiminimax_of(&changed).value - 1e-9);
    }
}

#[test]
fn a_monotone_change_may_change_the_choice_of_expectiminimax() {
    let tree = tree("([1 9] [6 5])");
    assert_eq!(expectiminimax_of(&tree).action, Some(1));
    assert_eq!(expectiminimax_of(&tree.map(cubed)).action, Some(0));
}

/// Positions of every board, some plies into random games.
fn chess_games(positions: usize) -> Vec<Chess> {
    let mut games = Vec::new();
    for rules in Rules::ALL {
        let mut dice = Dice::new(3);
        for _ in 0..positions {
            let mut position = Position::start(rules);
            for _ in 0..dice.below(30) {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position = position.play(moves[dice.below(moves.len())]);
            }
            if !position.legal_moves().is_empty() {
                games.push(Chess { start: position });
            }
        }
    }
    games
}

#[test]
fn alpha_beta_is_minimax_on_every_board_in_any_order() {
    let dice = RefCell::new(Dice::new(9));
    for chess in chess_games(6) {
        let game = CutOff {
            game: &chess,
            depth: 2,
        };
        let value = minimax_of(&game).value;
        assert_eq!(alpha_beta_of(&game).value, value, "{}", chess.start);
        let random = Ordered {
            game: &game,
            order: shuffled(&dice),
        };
        assert_eq!(alpha_beta_of(&random).value, value, "{}", chess.start);
        let known = &mut HashMap::new();
        assert_eq!(
            memoised(&game, &game.initial(), known, &mut ()).value,
            value
        );
    }
}

/// What the program says, on both channels, and its exit code.
fn program(arguments: &[&str]) -> (String, String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_tessera"))
        .arg("textbook")
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (
        text(output.stdout),
        text(output.stderr),
        output.status.code(),
    )
}

#[test]
fn the_program_shows_where_a_mistake_is() {
    let (_, complaint, code) = program(&["minimax", "((3 12 x) (2 4 6))"]);
    assert_eq!(code, Some(2));
    let lines: Vec<&str> = complaint.lines().collect();
    assert_eq!(lines[0], "tessera: tree: column 8: 'x' is not a number");
    assert_eq!(lines[1], "    ((3 12 x) (2 4 6))");
    assert_eq!(lines[2], "           ^");
    assert_eq!(lines[3], "Try 'tessera textbook --help'.");
    let (_, complaint, code) = program(&["tictactoe", "--board", "XX?"]);
    assert!(
        complaint.contains("board: column 3: '?' is none"),
        "{complaint}"
    );
    assert_eq!(code, Some(2));
}

#[test]
fn the_program_refuses_what_makes_no_sense() {
    for (arguments, message) in [
        (vec![], "textbook needs a game"),
        (vec!["minimax"], "textbook needs a game"),
        (vec!["minmax", SLIDE], "'minmax' is neither"),
        (vec!["chequers"], "'chequers' is neither"),
        (vec!["nim", "--board", "X"], "--board does not go with nim"),
        (
            vec!["nim", "--stones", "0"],
            "--stones takes a number from 1 to 1000, not '0'",
        ),
        (vec!["nim", "--last", "maybe"], "--last takes wins or loses"),
        (vec!["nim", "--depth", "0"], "--depth takes a number from 1"),
        (
            vec!["uniform", "--branching", "99", "--height", "9"],
            "too many",
        ),
        (
            vec!["chess", "--variant", "chequers"],
            "unknown game 'chequers'",
        ),
        (
            vec!["alphabeta", "[100 9]"],
            "a game of chance: use expectiminimax",
        ),
        (vec!["minimax", "(1,2,3 3,2,1)"], "more than two: use maxn"),
        (vec!["mcts", "nim", "--trace"], "no single tree to show"),
        (vec!["nim", "--frobnicate"], "invalid option '--frobnicate'"),
        (vec![SLIDE, SLIDE], "one game at a time"),
        (vec![SLIDE, "--samples", "9"], "--samples goes with"),
    ] {
        let (said, complaint, code) = program(&arguments);
        assert!(complaint.contains(message), "{arguments:?}: {complaint}");
        assert_eq!((said.as_str(), code), ("", Some(2)), "{arguments:?}");
    }
    for (arguments, message) in [
        (vec!["chess", "--fen", "nonsense"], "FEN of chess"),
        (
            vec!["minimax", "tictactoe", "--trace"],
            "too large to be told",
        ),
        (vec!["tictactoe", "--dot", "-"], "too large to be drawn"),
        (
            vec![SLIDE, "--svg", "no/such/folder/x.svg"],
            "cannot write no/such",
        ),
    ] {
        let (said, complaint, code) = program(&arguments);
        assert!(complaint.contains(message), "{arguments:?}: {complaint}");
        assert_eq!((said.as_str(), code), ("", Some(1)), "{arguments:?}");
    }
}

#[test]
fn the_program_draws_to_standard_output() {
    let (picture, _, code) = program(&[SLIDE, "--svg", "-"]);
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    assert_eq!(code, Some(0));
    assert_eq!(
        picture.matches("class=\"cut\"").count(),
        5,
        "two for each, one in the legend"
    );
    let (graph, ..) = program(&[SLIDE, "--dot", "-"]);
    assert!(graph.starts_with("digraph ") && graph.matches(" -> ").count() == 12);
    assert_eq!(
        graph.matches("style=dashed").count(),
        4,
        "two leaves and their edges"
    );
}
