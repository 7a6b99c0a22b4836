//! `tessera explain`: why a move is good or bad.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use lexopt::{Arg, Parser, ValueExt};

use crate::board::{CHESS, Position, Rules};
use crate::engine::Engine;
use crate::search::Limits;
use crate::tools::explain::{Past, Question, explain};
use crate::types::Move;
use crate::uci::explanation::{self, Form};

use super::{Failure, number, print, rules_named};

pub(super) const HELP: &str = "\
tessera explain [OPTIONS]

Says in a few sentences what the best move is and what the opponent threatens, and with --move why
that move is good or bad; then the best moves with their scores, shares of the nodes and lines, and
the evaluation by terms. What the sentences say of mates, men and draws is counted on the board.

    --variant NAME              the game [default: chess]
    --fen FEN                   the position [default: the start of the game]
    --moves \"e4 e5 …\"           play these moves first, in SAN or as e2e4
    --move MOVE                 the move to be judged
    --nodes N, --depth N, --movetime MS
                                for each of two or three searches [default: --nodes 500000]
    --lines N                   how many best moves to show [default: 3]
    --dir FOLDER                tables of 'tessera endgame build'
    --brief                     without the evaluation by terms
    --json                      one JSON object
";

/// Nodes of each search, if nothing else limits it.
const NODES: u64 = 500_000;

/// What the command line asks for.
struct Wanted {
    rules: &'static Rules,
    fen: Option<String>,
    moves: String,
    judged: Option<String>,
    limits: Limits,
    lines: usize,
    folder: Option<PathBuf>,
    is_brief: bool,
    is_json: bool,
}

pub(super) fn run(mut parser: Parser) -> Result<(), Failure> {
    let mut wanted = Wanted {
        rules: &CHESS,
        fen: None,
        moves: String::new(),
        judged: None,
        limits: Limits::default(),
        lines: 3,
        folder: None,
        is_brief: false,
        is_json: false,
    };
    let limits = &mut wanted.limits;
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return print(HELP),
            Arg::Long("variant") => wanted.rules = rules_named(&parser.value()?.string()?)?,
            Arg::Long("fen") => wanted.fen = Some(parser.value()?.string()?),
            Arg::Long("moves") => wanted.moves = parser.value()?.string()?,
            Arg::Long("move") => wanted.judged = Some(parser.value()?.string()?),
            Arg::Long("nodes") => limits.nodes = Some(number(&mut parser, "--nodes", 1)?),
            Arg::Long("depth") => limits.depth = Some(number(&mut parser, "--depth", 1)?),
            Arg::Long("movetime") => {
                let milliseconds = number(&mut parser, "--movetime", 1)?;
                limits.move_time = Some(Duration::from_millis(milliseconds));
            }
            Arg::Long("lines") => wanted.lines = number(&mut parser, "--lines", 1)?,
            Arg::Long("dir") => wanted.folder = Some(PathBuf::from(parser.value()?)),
            Arg::Long("brief") => wanted.is_brief = true,
            Arg::Long("json") => wanted.is_json = true,
            unknown => return Err(unknown.unexpected().into()),
        }
    }
    if !limits.is_bounded() {
        limits.nodes = Some(NODES);
    }
    answer(wanted)
}

fn answer(wanted: Wanted) -> Result<(), Failure> {
    let mut engine = Engine::new().map_err(Failure::Failed)?;
    engine.set_rules(wanted.rules);
    let problems = engine.set_endgame_path(wanted.folder.clone());
    let problems = problems.map_err(Failure::Failed)?;
    if !problems.is_empty() {
        return Err(Failure::Failed(problems.join("\n")));
    }
    let past = past(&wanted).map_err(Failure::Failed)?;
    let judged = wanted.judged.as_deref();
    let judged = judged.map(|text| read(past.position(), text, "--move"));
    let question = Question {
        mv: judged.transpose().map_err(Failure::Failed)?,
        past,
        limits: wanted.limits,
        lines: wanted.lines,
    };
    let Some(explanation) = explain(&mut engine, &question, &AtomicBool::new(false)) else {
        return Err(Failure::Failed("stopped".to_string()));
    };
    let network = engine.network();
    let form = Form {
        network: network.as_deref(),
        is_brief: wanted.is_brief,
        chess960: false,
    };
    let text = if wanted.is_json {
        explanation::object(&explanation, form).end()
    } else {
        explanation::text(&explanation, form)
    };
    print(&(text + "\n"))
}

/// The game up to the position in question.
fn past(wanted: &Wanted) -> Result<Past, String> {
    let fen = wanted.fen.as_deref().unwrap_or(wanted.rules.start);
    let position = Position::from_fen(wanted.rules, fen);
    let mut past = Past::new(position.map_err(|error| format!("{fen}: {error}"))?);
    for (index, text) in wanted.moves.split_whitespace().enumerate() {
        let place = format!("--moves: move {}", index + 1);
        past.play(read(past.position(), text, &place)?);
    }
    Ok(past)
}

/// A move that stands at this place of the command line.
fn read(position: &Position, text: &str, place: &str) -> Result<Move, String> {
    let mv = position.parse_move(text);
    mv.map_err(|error| format!("{place}: {error}"))
}
