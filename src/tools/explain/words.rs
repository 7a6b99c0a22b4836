//! Facts in sentences. Where there is no fact there is no sentence.

use crate::board::{Outcome, Position};
use crate::endgame::Value;
use crate::eval::{Wdl, centipawns, wdl};
use crate::types::{Color, Move, PieceType, Score, Square};

use super::story::{Blow, HORIZON, Material, POINTS, Story};

/// A threat that takes more plies is none, unless it is mate.
const DIRECT: usize = 5;
/// A difference in expected score below this is none.
const NOTICEABLE: f64 = 0.05;
/// Who expects as much has won, and who expects as little of the opponent has lost.
const WON: f64 = 0.9;
/// Where the next best move is so much worse there is no choice.
const DECISIVE: f64 = 0.15;

/// Moves with their numbers.
pub fn numbered(position: &Position, moves: &[Move]) -> String {
    let mut words = Vec::new();
    let mut position = *position;
    for &mv in moves {
        let number = position.fullmoves();
        match position.side() {
            Color::White => words.push(format!("{number}.")),
            Color::Black if words.is_empty() => words.push(format!("{number}...")),
            Color::Black => {}
        }
        words.push(position.san(mv));
        position = position.play(mv);
    }
    words.join(" ")
}

/// The score for White: in pawns, or moves to mate.
pub fn score_text(score: Score, position: &Position) -> String {
    let moves = score.mate_moves().map(i32::abs);
    let score = match position.side() {
        Color::White => score,
        Color::Black => -score,
    };
    match moves {
        Some(moves) if score < Score::DRAW => format!("-#{moves}"),
        Some(moves) => format!("#{moves}"),
        None => format!("{:+.2}", f64::from(centipawns(score, position)) / 100.0),
    }
}

/// Points that the side to move can expect from the game, up to 1.
pub fn expected(score: Score, position: &Position) -> f64 {
    let Wdl { win, draw, .. } = wdl(score, position);
    (f64::from(win) + f64::from(draw) / 2.0) / 1000.0
}

/// What is known of a move beside its line: what endgame tables say of the position before it and
/// after it, to the side that makes it.
#[derive(Clone, Copy, Default, Debug)]
pub struct Known {
    pub before: Option<Value>,
    pub after: Option<Value>,
}

/// Why a move is not the best, if it is not.
pub fn why(story: &Story, best: &Story, known: Known) -> Vec<String> {
    let position = story.start();
    let [expected, possible] = [story, best].map(|story| expected(story.score(), position));
    let (first, better) = (first_move(story), first_move(best));
    let (score, best_score) = (valued(story), valued(best));
    if story.line.moves[0] == best.line.moves[0] {
        let mut sentences = vec![format!("{first} is the best move found ({score}).")];
        sentences
            .extend(gain(best).map(|(gain, plies)| format!("It {gain}: {}.", shown(best, plies))));
        return sentences;
    }
    let is_worse = possible - expected >= NOTICEABLE;
    let is_about_mate = best.mate().is_some() || story.mate().is_some();
    if story.score() >= best.score() || !is_worse && !is_about_mate {
        let [low, high] = [expected.min(possible), expected.max(possible)];
        let relation = if low >= WON {
            "should win, as should"
        } else if high <= 1.0 - WON {
            "should lose, as should"
        } else {
            "is about as good as"
        };
        return vec![format!(
            "{first} ({score}) {relation} {better} ({best_score})."
        )];
    }
    let line = shown(story, story.line.moves.len());
    let harm = [
        drawn(story),
        table_harm(known),
        mated(story),
        let_promote(story, best),
        lost(story, best),
        misses_mate(story, best),
    ];
    let harm = harm.into_iter().flatten().next();
    let harm = harm.unwrap_or_else(|| format!("({score}) is weaker: {line}"));
    let gain = gain(best).map_or(String::new(), |(gain, _)| format!(", which {gain}"));
    let mut sentences = vec![
        format!("{first} {harm}."),
        format!("Better is {better} ({best_score}){gain}."),
    ];
    sentences.extend(chances(position.side(), possible, expected));
    sentences
}

/// What the best move is, and what it does; and whether there is a choice.
pub fn best(stories: &[Story]) -> Vec<String> {
    let Some(best) = stories.first() else {
        return Vec::new();
    };
    let position = best.start();
    let gain = match gain(best) {
        Some((gain, 1)) => format!(", which {gain}"),
        Some((gain, plies)) => format!(", which {gain}: {}", shown(best, plies)),
        None => String::new(),
    };
    let mut sentences = vec![format!(
        "Best is {} ({}){gain}.",
        first_move(best),
        valued(best)
    )];
    let value = |story: &Story| expected(story.score(), position);
    if position.count_moves() == 1 {
        sentences.push("It is the only legal move.".to_string());
    } else if let Some(second) = stories.get(1)
        && value(best) - value(second) >= DECISIVE
    {
        let (next, score) = (first_move(second), valued(second));
        sentences.push(format!(
            "No other move comes close: the next is {next} ({score})."
        ));
    }
    sentences
}

/// What the opponent would do if it were his turn, if that does something.
pub fn threat(story: &Story) -> Option<String> {
    let (gain, plies) = gain(story)?;
    let is_direct = plies <= DIRECT || plies <= HORIZON && story.mate().is_some();
    let (gain, plies) = if is_direct {
        (gain, plies)
    } else {
        // What changes hands later is another matter, if something is won in the end.
        let won = story.gained_within(DIRECT)?;
        (wins(&won), won.plies)
    };
    let side = name(story.start().side());
    Some(format!(
        "{side} threatens {}, which {gain}.",
        shown(story, plies)
    ))
}

/// A mate that the best move gives and this one does not.
fn misses_mate(story: &Story, best: &Story) -> Option<String> {
    let side = story.start().side();
    let (winner, moves) = best.mate()?;
    let mates = story.score().is_mate() && !story.score().is_loss();
    let is_missed = winner == side && !mates;
    is_missed.then(|| format!("misses a mate in {moves}"))
}

/// What a move gives away according to endgame tables.
fn table_harm(known: Known) -> Option<String> {
    let (before, after) = match (known.before?, known.after?) {
        (Value::Win(_), Value::Draw) => ("win", "draw"),
        (Value::Win(_), Value::Loss(_)) => ("win", "loss"),
        (Value::Draw, Value::Loss(_)) => ("draw", "loss"),
        _ => return None,
    };
    Some(format!(
        "turns a {before} into a {after}, as endgame tables know"
    ))
}

/// A draw that the line comes to.
fn drawn(story: &Story) -> Option<String> {
    let what = match story.draw()? {
        Outcome::Stalemate => "ends in stalemate",
        Outcome::Repetition => "lets the position come back",
        Outcome::FiftyMoves => "runs into the fifty-move rule",
        Outcome::InsufficientMaterial => "leaves too little to mate with",
        Outcome::Checkmate => return None,
    };
    let line = shown(story, story.line.moves.len());
    Some(format!("{what}: {line}"))
}

/// A mate by the opponent.
fn mated(story: &Story) -> Option<String> {
    let (winner, moves) = story.mate()?;
    let line = shown(story, story.line.moves.len());
    (winner != story.start().side()).then(|| format!("allows mate in {moves}: {line}"))
}

/// A new piece of the opponent, which the best move prevents.
fn let_promote(story: &Story, best: &Story) -> Option<String> {
    let opponent = !story.start().side();
    let plies = story.promotion(opponent)?;
    let is_avoidable = best.promotion(opponent).is_none();
    is_avoidable.then(|| format!("lets a pawn promote: {}", shown(story, plies)))
}

/// Men that are lost, and not by the best move too.
fn lost(story: &Story, best: &Story) -> Option<String> {
    let lost = story.lost(best)?;
    let what = exchanged(&lost, -1);
    Some(format!("loses {what}: {}", blow(story, &lost)))
}

/// What the side to move gets by a line, and the plies that show it.
fn gain(story: &Story) -> Option<(String, usize)> {
    let side = story.start().side();
    if story.score().is_loss() {
        return None;
    }
    match story.mate() {
        Some((_, 1)) => return Some(("is mate".to_string(), 1)),
        Some((_, moves)) => {
            return Some((format!("mates in {moves}"), story.line.moves.len()));
        }
        None => {}
    }
    if let Some(plies) = story.promotion(side) {
        return Some(("promotes a pawn".to_string(), plies));
    }
    let won = story.gained()?;
    Some((wins(&won), won.plies))
}

fn wins(won: &Material) -> String {
    format!("wins {}", exchanged(won, 1))
}

/// How the opponent gets what is lost: by a blow, or else the line.
fn blow(story: &Story, lost: &Material) -> String {
    let Some((blow, at)) = story.blow(lost) else {
        return shown(story, lost.plies);
    };
    let line = shown(story, at);
    match blow {
        Blow::Fork {
            man,
            gives_check,
            targets,
        } => {
            let targets: Vec<String> = targets.into_iter().map(place).collect();
            let targets = listed(&targets);
            let check = if gives_check { "gives check and " } else { "" };
            format!("after {line} the {man} {check}attacks {targets}")
        }
        Blow::Pin { man, at } => {
            format!("after {line} {} is pinned to its king", place((man, at)))
        }
    }
}

/// The change in what can be expected, if it is noticeable.
fn chances(side: Color, before: f64, after: f64) -> Option<String> {
    let side = name(side);
    let [from, to] = [before, after].map(|share| (100.0 * share).round());
    (before - after >= NOTICEABLE)
        .then(|| format!("{side}'s expected score falls from {from} % to {to} %."))
}

/// What one side has got of the other: `sign` is 1 for what the side of the count has won, -1 for
/// what it has lost.
fn exchanged(material: &Material, sign: i32) -> String {
    let list = |sign: i32| -> Vec<String> {
        let kinds = material.net.iter().zip(POINTS).rev();
        let kinds = kinds.filter(|(count, _)| *count * sign > 0);
        kinds
            .map(|(count, (kind, _))| counted(kind, count.unsigned_abs()))
            .collect()
    };
    let (got, given) = (listed(&list(sign)), listed(&list(-sign)));
    match (got.as_str(), given.as_str()) {
        ("a rook", "a knight" | "a bishop") => "the exchange".to_string(),
        (_, "") => got,
        _ => format!("{got} for {given}"),
    }
}

fn counted(kind: PieceType, count: u32) -> String {
    match count {
        1 => format!("a {kind}"),
        2 => format!("two {kind}s"),
        3 => format!("three {kind}s"),
        more => format!("{more} {kind}s"),
    }
}

fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [word] => word.clone(),
        [first, second] => format!("{first} and {second}"),
        [first, rest @ ..] => format!("{first}, {}", listed(rest)),
    }
}

fn place((kind, square): (PieceType, Square)) -> String {
    format!("the {kind} on {square}")
}

fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

fn first_move(story: &Story) -> String {
    shown(story, 1)
}

fn valued(story: &Story) -> String {
    score_text(story.score(), story.start())
}

/// The beginning of a line.
fn shown(story: &Story, plies: usize) -> String {
    let moves = &story.line.moves[..plies.min(HORIZON)];
    let more = if plies > HORIZON { " …" } else { "" };
    numbered(story.start(), moves) + more
}
