//! `tessera textbook …`: the algorithms of the lectures at work.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::str::FromStr;

use lexopt::{Arg, Parser, ValueExt};

use crate::board::{CHESS, Position};
use crate::textbook::games::{Chess, Grid, Misread, Nim, Race, TicTacToe, Tree};
use crate::textbook::{
    CutOff, Decision, Dice, Game, RandomOpponent, Recorder, Tally, alpha_beta, deepening, dot,
    effect_of_ordering, expectiminimax, max_n, memoised, minimax, monte_carlo, number, svg,
    tree_search, words,
};

use super::{Failure, game_names, print, rules_named};

pub(super) const HELP: &str = "\
The algorithms of the lectures on adversarial search, at work.

USAGE
    tessera textbook [ALGORITHM] GAME [OPTIONS]
    tessera textbook ordering GAME [OPTIONS]
                        how many leaves alpha-beta visits, by the order of the moves

ALGORITHM
    minimax             everybody plays perfectly
    alphabeta           the same value, with less work [default]
    deepening           alpha-beta 1, 2, … up to --depth plies deep
    memo                minimax, each state only once
    expectiminimax      with turns of chance [default where there are any]
    expectimax          against an opponent that plays at random
    maxn                several players, each for itself [default for more than two]
    montecarlo          the average of random games
    mcts                Monte Carlo tree search

GAME
    '((3 12 8) (2 4 6) (14 5 2))'
                        a tree. MAX begins, and players take turns; 'max(…)', 'min(…)' and
                        'p2(…)' name another player. '[100 9]' is a coin, '[1:100 5:9]' has
                        weights. Leaves such as '1,2,6' have a value for each player
    uniform             a tree of random leaves: --branching N [3], --height N [4]
    nim                 --stones N [7], --take N [3] at most, --last wins | loses [loses]
    tictactoe           --board XO../.X./... [empty]
    dice                the higher sum wins, but not above --target N [6]; --faces N [6]
    chess               --variant NAME [chess], --fen FEN; --depth is 3 if not given

OPTIONS
    --depth N           look no deeper; at the horizon the game's evaluation counts
    --trace             tell every step
    --svg FILE          draw the tree ('-' for standard output)
    --dot FILE          write the tree for Graphviz ('-' for standard output)
    --samples N         random games [1000]
    --seed N            of all that is random [1]
";

/// Trees larger than this are not told, and those not drawn.
const MOST_TOLD: usize = 200_000;
const MOST_DRAWN: usize = 3_000;
/// How deep chess is searched if nothing is said.
const CHESS_DEPTH: u32 = 3;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Algorithm {
    Minimax,
    AlphaBeta,
    Deepening,
    Memo,
    Expectiminimax,
    Expectimax,
    MaxN,
    MonteCarlo,
    TreeSearch,
    Ordering,
}

impl Algorithm {
    const NAMES: [(&'static str, Algorithm); 10] = [
        ("minimax", Algorithm::Minimax),
        ("alphabeta", Algorithm::AlphaBeta),
        ("deepening", Algorithm::Deepening),
        ("memo", Algorithm::Memo),
        ("expectiminimax", Algorithm::Expectiminimax),
        ("expectimax", Algorithm::Expectimax),
        ("maxn", Algorithm::MaxN),
        ("montecarlo", Algorithm::MonteCarlo),
        ("mcts", Algorithm::TreeSearch),
        ("ordering", Algorithm::Ordering),
    ];

    fn named(name: &str) -> Option<Algorithm> {
        let found = Algorithm::NAMES.iter().find(|(known, _)| *known == name);
        found.map(|&(_, algorithm)| algorithm)
    }

    /// Whether it goes through a tree that can be told and drawn.
    fn has_tree(self) -> bool {
        use Algorithm::{Deepening, MonteCarlo, Ordering, TreeSearch};
        !matches!(self, Deepening | MonteCarlo | TreeSearch | Ordering)
    }

    /// Whether it plays random games.
    fn samples(self) -> bool {
        matches!(self, Algorithm::MonteCarlo | Algorithm::TreeSearch)
    }

    /// Whether it knows turns of chance.
    fn knows_chance(self) -> bool {
        use Algorithm::{Expectimax, Expectiminimax, MaxN, MonteCarlo, TreeSearch};
        matches!(
            self,
            Expectiminimax | Expectimax | MaxN | MonteCarlo | TreeSearch
        )
    }
}

/// What is asked for.
#[derive(Default)]
struct Request {
    algorithm: Option<Algorithm>,
    subject: Option<String>,
    /// The options of games, by name: those that do not belong to the game are refused.
    settings: HashMap<&'static str, String>,
    depth: Option<u32>,
    trace: bool,
    svg: Option<String>,
    dot: Option<String>,
    samples: Option<u64>,
    seed: u64,
}

const SETTINGS: [&str; 10] = [
    "stones",
    "take",
    "last",
    "board",
    "target",
    "faces",
    "branching",
    "height",
    "variant",
    "fen",
];

const GAMES: [&str; 5] = ["nim", "tictactoe", "dice", "uniform", "chess"];

pub(super) fn run(parser: Parser) -> Result<(), Failure> {
    match read(parser)? {
        Some(request) => print(&answer(request)?),
        None => print(&format!("{HELP}\nGAMES OF CHESS\n    {}", game_names())),
    }
}

/// The request, or `None` if help is asked for.
fn read(mut parser: Parser) -> Result<Option<Request>, Failure> {
    let mut request = Request {
        seed: 1,
        ..Request::default()
    };
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return Ok(None),
            Arg::Long("trace") => request.trace = true,
            Arg::Long("depth") => request.depth = Some(super::number(&mut parser, "--depth", 1)?),
            Arg::Long("samples") => {
                request.samples = Some(super::number(&mut parser, "--samples", 2)?);
            }
            Arg::Long("seed") => request.seed = super::number(&mut parser, "--seed", 0)?,
            Arg::Long("svg") => request.svg = Some(parser.value()?.string()?),
            Arg::Long("dot") => request.dot = Some(parser.value()?.string()?),
            Arg::Long(name) => {
                let Some(&name) = SETTINGS.iter().find(|known| **known == name) else {
                    return Err(argument.unexpected().into());
                };
                request.settings.insert(name, parser.value()?.string()?);
            }
            Arg::Value(word) => {
                let word = word.string()?;
                match Algorithm::named(&word) {
                    Some(algorithm) if request.algorithm.is_none() && request.subject.is_none() => {
                        request.algorithm = Some(algorithm);
                    }
                    _ if request.subject.is_none() => request.subject = Some(word),
                    _ => {
                        let before = request.subject.unwrap_or_default();
                        let is_tree = before.contains(['(', '[', ' ']);
                        return Err(Failure::Usage(if is_tree || GAMES.contains(&&*before) {
                            format!("one game at a time: '{word}' is too much")
                        } else {
                            unknown(&before)
                        }));
                    }
                }
            }
            Arg::Short(_) => return Err(argument.unexpected().into()),
        }
    }
    Ok(Some(request))
}

impl Request {
    /// The value of a game's option, within limits.
    fn setting<N>(
        &mut self,
        name: &'static str,
        default: N,
        least: N,
        most: N,
    ) -> Result<N, Failure>
    where
        N: FromStr + PartialOrd + std::fmt::Display + Copy,
    {
        let Some(text) = self.settings.remove(name) else {
            return Ok(default);
        };
        match text.parse() {
            Ok(number) if (least..=most).contains(&number) => Ok(number),
            _ => Err(Failure::Usage(format!(
                "--{name} takes a number from {least} to {most}, not '{text}'"
            ))),
        }
    }

    /// Whatever is left in the settings belongs to another game.
    fn refuse_others(&self, game: &str) -> Result<(), Failure> {
        match self.settings.keys().min() {
            None => Ok(()),
            Some(name) => Err(Failure::Usage(format!("--{name} does not go with {game}"))),
        }
    }
}

/// What the tree of a game is like.
#[derive(Clone, Copy)]
struct Nature {
    has_chance: bool,
    players: usize,
    /// Small enough to show what was pruned.
    is_explicit: bool,
}

/// Without chance, for two.
const PLAIN: Nature = Nature {
    has_chance: false,
    players: 2,
    is_explicit: false,
};

/// What to print.
fn answer(mut request: Request) -> Result<String, Failure> {
    let Some(subject) = request.subject.take() else {
        let games = GAMES.join(", ");
        let message = format!("textbook needs a game: a tree, or one of {games}");
        return Err(Failure::Usage(message));
    };
    match subject.as_str() {
        "nim" => {
            let game = Nim {
                stones: request.setting("stones", 7, 1, 1000)?,
                most: request.setting("take", 3, 1, 1000)?,
                last_wins: match request.settings.remove("last").as_deref() {
                    Some("wins") => true,
                    None | Some("loses") => false,
                    Some(other) => {
                        let message = format!("--last takes wins or loses, not '{other}'");
                        return Err(Failure::Usage(message));
                    }
                },
            };
            study(&game, PLAIN, &subject, &request)
        }
        "tictactoe" => {
            let board = request.settings.remove("board");
            let start = board.map_or(Ok(Grid::default()), |text| {
                text.parse()
                    .map_err(|error| pointed("board", &text, &error))
            })?;
            study(&TicTacToe { start }, PLAIN, &subject, &request)
        }
        "dice" => {
            let game = Race {
                target: request.setting("target", 6, 1, 500)?,
                faces: request.setting("faces", 6, 1, 100)?,
            };
            let nature = Nature {
                has_chance: true,
                ..PLAIN
            };
            study(&game, nature, &subject, &request)
        }
        "uniform" => {
            let branching: usize = request.setting("branching", 3, 1, 1000)?;
            let height: u32 = request.setting("height", 4, 1, 64)?;
            if (branching as f64).powf(f64::from(height)) > 2e6 {
                let message =
                    format!("{branching}^{height} leaves are too many: at most two million");
                return Err(Failure::Usage(message));
            }
            let nature = Nature {
                is_explicit: true,
                ..PLAIN
            };
            let tree = Tree::uniform(branching, height, request.seed);
            study(&tree, nature, &subject, &request)
        }
        "chess" => {
            let rules = match request.settings.remove("variant") {
                Some(name) => rules_named(&name)?,
                None => &CHESS,
            };
            let fen = request.settings.remove("fen");
            let fen = fen.as_deref().unwrap_or(rules.start);
            let start = Position::from_fen(rules, fen)
                .map_err(|error| Failure::Failed(format!("FEN of {}: {error}", rules.name)))?;
            request.depth.get_or_insert(CHESS_DEPTH);
            study(&Chess { start }, PLAIN, &subject, &request)
        }
        text if text.contains(['(', '[', ' ']) => {
            let tree: Tree = text
                .parse()
                .map_err(|error| pointed("tree", text, &error))?;
            let nature = Nature {
                has_chance: tree.has_chance(),
                players: tree.players().max(2),
                is_explicit: true,
            };
            study(&tree, nature, "a tree", &request)
        }
        other => Err(Failure::Usage(unknown(other))),
    }
}

fn unknown(word: &str) -> String {
    format!("'{word}' is neither an algorithm nor a game of the textbook")
}

/// What is wrong with a text, and an arrow to the place.
fn pointed(what: &str, text: &str, error: &Misread) -> Failure {
    let arrow = " ".repeat(error.column - 1) + "^";
    Failure::Usage(format!("{what}: {error}\n    {text}\n    {arrow}"))
}

/// Solves the game as it is, or as far as the horizon.
fn study<G: Game>(
    game: &G,
    nature: Nature,
    name: &str,
    request: &Request,
) -> Result<String, Failure> {
    request.refuse_others(name)?;
    let algorithm = request.algorithm.unwrap_or(match nature {
        Nature { players: 3.., .. } => Algorithm::MaxN,
        Nature {
            has_chance: true, ..
        } => Algorithm::Expectiminimax,
        _ => Algorithm::AlphaBeta,
    });
    let refused = match nature {
        _ if !algorithm.has_tree()
            && (request.trace || request.svg.is_some() || request.dot.is_some()) =>
        {
            "there is no single tree to show: --trace, --svg and --dot go with the others"
        }
        _ if request.samples.is_some() && !algorithm.samples() => {
            "--samples goes with montecarlo and mcts"
        }
        Nature { players: 3.., .. } if algorithm != Algorithm::MaxN => {
            "this is a game for more than two: use maxn"
        }
        Nature {
            has_chance: true, ..
        } if !algorithm.knows_chance() => "this is a game of chance: use expectiminimax",
        _ => "",
    };
    if !refused.is_empty() {
        return Err(Failure::Usage(refused.to_string()));
    }
    match (algorithm, request.depth) {
        (Algorithm::Deepening, depth) => Ok(deepen(game, depth.unwrap_or(CHESS_DEPTH))),
        (_, None) => solve(game, algorithm, nature, request),
        (_, Some(depth)) => solve(&CutOff { game, depth }, algorithm, nature, request),
    }
}

fn solve<G: Game>(
    game: &G,
    algorithm: Algorithm,
    nature: Nature,
    request: &Request,
) -> Result<String, Failure> {
    let start = game.initial();
    let samples = request.samples.unwrap_or(1000);
    let mut dice = Dice::new(request.seed);
    match algorithm {
        Algorithm::Expectimax => search(&RandomOpponent { game }, algorithm, nature, request),
        Algorithm::MonteCarlo => {
            let estimate = monte_carlo(game, &start, samples, &mut dice);
            let (mean, error) = (number(estimate.mean()), number(estimate.error()));
            Ok(format!(
                "value        {mean} ± {error}, the mean of {samples} random games\n"
            ))
        }
        Algorithm::TreeSearch => Ok(explore(game, samples, &mut dice)),
        Algorithm::Ordering => Ok(compare_orders(game, request.seed)),
        _ => search(game, algorithm, nature, request),
    }
}

/// Goes through the tree, and tells and draws it if that is wanted.
fn search<G: Game>(
    game: &G,
    algorithm: Algorithm,
    nature: Nature,
    request: &Request,
) -> Result<String, Failure> {
    let start = game.initial();
    let draws = request.svg.is_some() || request.dot.is_some();
    let room = if draws { MOST_DRAWN } else { MOST_TOLD };
    let recorder = (draws || request.trace).then(|| Recorder::new(room, nature.is_explicit));
    let mut watch = (Tally::default(), recorder);
    let mut known = HashMap::new();
    let decision = match algorithm {
        Algorithm::Minimax => as_vector(minimax(game, &start, &mut watch)),
        Algorithm::Memo => as_vector(memoised(game, &start, &mut known, &mut watch)),
        Algorithm::MaxN => max_n(game, &start, &mut watch),
        Algorithm::Expectimax | Algorithm::Expectiminimax => {
            as_vector(expectiminimax(game, &start, &mut watch))
        }
        _ => as_vector(alpha_beta(game, &start, &mut watch)),
    };
    let (tally, recorder) = watch;
    let mut text = String::new();
    if let Some(recorder) = recorder {
        let record = recorder.into_record().ok_or_else(|| {
            let deed = if draws { "drawn" } else { "told" };
            Failure::Failed(format!(
                "the tree is too large to be {deed}: {room} states or more; give a smaller --depth"
            ))
        })?;
        for (file, picture) in [(&request.svg, svg as fn(&_) -> String), (&request.dot, dot)] {
            match file.as_deref() {
                None => {}
                Some("-") => return Ok(picture(&record)),
                Some(file) => fs::write(file, picture(&record))
                    .map_err(|error| Failure::Failed(format!("cannot write {file}: {error}")))?,
            }
        }
        if request.trace {
            text = words(&record) + "\n";
        }
    }
    let values: Vec<String> = decision
        .value
        .iter()
        .map(|&value| game.value_text(value))
        .collect();
    let _ = writeln!(text, "value        {}", values.join(","));
    let _ = writeln!(
        text,
        "best action  {}",
        action(game, decision.action.as_ref())
    );
    let _ = writeln!(
        text,
        "visited      {} states, {} of them leaves",
        tally.visited, tally.leaves
    );
    if algorithm == Algorithm::AlphaBeta {
        let branches = if tally.pruned == 1 {
            "branch"
        } else {
            "branches"
        };
        let _ = writeln!(text, "pruned       {} {branches}", tally.pruned);
    }
    if algorithm == Algorithm::Memo {
        let _ = writeln!(text, "known        {} different states", known.len());
    }
    Ok(text)
}

fn as_vector<A>(decision: Decision<A>) -> Decision<A, Vec<f64>> {
    Decision {
        value: vec![decision.value],
        action: decision.action,
    }
}

/// An action at the start, or that there is none.
fn action<G: Game>(game: &G, action: Option<&G::Action>) -> String {
    match action {
        None => "none".to_string(),
        Some(action) => game.action_text(&game.initial(), action),
    }
}

/// Iterative deepening, a line for each depth.
fn deepen<G: Game>(game: &G, depth: u32) -> String {
    let mut text = "depth     value  best action      visited      pruned\n".to_string();
    let decisions = deepening(game, &game.initial(), depth);
    for (depth, (decision, tally)) in (1..).zip(decisions) {
        let _ = writeln!(
            text,
            "{depth:>5} {:>9}  {:<11} {:>12} {:>11}",
            game.value_text(decision.value),
            action(game, decision.action.as_ref()),
            tally.visited,
            tally.pruned
        );
    }
    text
}

/// Monte Carlo tree search, a line for each action.
fn explore<G: Game>(game: &G, rounds: u64, dice: &mut Dice) -> String {
    let branches = tree_search(game, &game.initial(), rounds, dice);
    let mut text = "action         games      mean     error\n".to_string();
    for branch in &branches {
        let _ = writeln!(
            text,
            "{:<11} {:>8} {:>9} {:>9}",
            game.action_text(&game.initial(), &branch.action),
            branch.estimate.samples,
            game.value_text(branch.estimate.mean()),
            number(branch.estimate.error())
        );
    }
    let best = branches.first().map(|branch| &branch.action);
    let _ = writeln!(text, "\nbest action  {}", action(game, best));
    text
}

/// Alpha-beta in different orders.
fn compare_orders<G: Game>(game: &G, seed: u64) -> String {
    let effect = effect_of_ordering(game, seed);
    let (branching, height) = (effect.branching(), effect.height);
    let mut text = format!(
        "height m = {height}, mean branching b = {branching:.2}\n\n\
         order of the moves         leaves  expected\n"
    );
    let least = format!(
        "b^(m/2) = {:.0}; b^⌈m/2⌉ + b^⌊m/2⌋ - 1 = {:.0}",
        effect.power(0.5),
        effect.least()
    );
    for (order, leaves, expected) in [
        (
            "minimax, no pruning",
            effect.minimax as f64,
            format!("b^m = {:.0}", effect.power(1.0)),
        ),
        ("worst first", effect.worst as f64, String::new()),
        (
            "random, mean of 10",
            effect.random,
            format!("b^(3m/4) = {:.0}", effect.power(0.75)),
        ),
        ("by evaluation", effect.promising as f64, String::new()),
        ("best first", effect.best as f64, least),
    ] {
        let line = format!("{order:<21} {leaves:>11.0}  {expected}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}
