//! `tessera solve`: what is a position worth with best play?

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lexopt::{Arg, Parser, ValueExt};

use crate::board::{CHESS, Position};
use crate::endgame::{Endgames, Tables};
use crate::eval::network;
use crate::lab::solve::{Progress, Proof, Verdict};
use crate::search::Solo;
use crate::types::Color;

use super::{Failure, number, print, progress_bar, rules_named};

pub(super) const HELP: &str = "\
tessera solve [OPTIONS]

Tries to prove what a position is worth: can White force mate, can Black, or neither? What is not
proven is not claimed. With endgame tables of more men it takes fewer positions.

    --variant NAME              the game [default: chess]
    --fen FEN                   the position [default: the start of the game]
    --hours H                   give up after so many hours, for each side [default: 0.1]
    --dir FOLDER                tables of 'tessera endgame build'
    --nodes N                   for the searches that suggest answers [default: 500]
    --memory MB                 for the proof [default: 4096]
";

pub(super) fn run(mut parser: Parser) -> Result<(), Failure> {
    let (mut rules, mut fen, mut folder) = (&CHESS, None, None);
    let (mut hours, mut nodes, mut megabytes) = (0.1, 500, 4096);
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return print(HELP),
            Arg::Long("variant") => rules = rules_named(&parser.value()?.string()?)?,
            Arg::Long("fen") => fen = Some(parser.value()?.string()?),
            Arg::Long("hours") => hours = number(&mut parser, "--hours", 0.0)?,
            Arg::Long("dir") => folder = Some(PathBuf::from(parser.value()?)),
            Arg::Long("nodes") => nodes = number(&mut parser, "--nodes", 1)?,
            Arg::Long("memory") => megabytes = number(&mut parser, "--memory", 1)?,
            unknown => return Err(unknown.unexpected().into()),
        }
    }
    let time = Duration::try_from_secs_f64(hours * 3600.0)
        .map_err(|_| Failure::Usage(format!("--hours {hours} is too long")))?;
    let fen = fen.as_deref().unwrap_or(rules.start);
    let position = Position::from_fen(rules, fen);
    let position = position.map_err(|error| Failure::Failed(format!("{fen}: {error}")))?;
    let files = match folder {
        None => None,
        Some(folder) => {
            let (tables, problems) = Tables::open(&folder, rules).map_err(Failure::Failed)?;
            if !problems.is_empty() {
                return Err(Failure::Failed(problems.join("\n")));
            }
            Some(Arc::new(tables))
        }
    };
    let endgames = Endgames::of(rules, files);
    let solo = Solo::new(1, network::built_in(rules)).map_err(Failure::Failed)?;
    let mut solo = solo.with_endgames(&endgames);
    print(&format!(
        "{position}\ntables of up to {} men\n",
        endgames.men()
    ))?;

    let mut verdicts = Vec::new();
    for attacker in Color::ALL {
        let bar = progress_bar(0, "can {prefix} win? {msg}");
        bar.set_prefix(attacker.to_string());
        let clock = Instant::now();
        let mut proof = Proof::new(&mut solo, &endgames, attacker, nodes, megabytes);
        let verdict = proof.run(&position, |progress| {
            bar.set_message(told(progress));
            clock.elapsed() < time
        });
        bar.finish_and_clear();
        print(&format!(
            "can {attacker} win? {}: {}, {:.1} s\n",
            match verdict {
                Verdict::Wins => "yes",
                Verdict::IsHeld => "no",
                Verdict::Unknown => "not proven",
            },
            told(&proof.progress()),
            clock.elapsed().as_secs_f64(),
        ))?;
        verdicts.push(verdict);
        if verdict == Verdict::Wins {
            break;
        }
    }
    print(match verdicts[..] {
        [Verdict::Wins] => "proven: White wins\n",
        [_, Verdict::Wins] => "proven: Black wins\n",
        [Verdict::IsHeld, Verdict::IsHeld] => "proven: a draw\n",
        [Verdict::IsHeld, _] => "proven: White does not win\n",
        [_, Verdict::IsHeld] => "proven: Black does not win\n",
        _ => "nothing is proven\n",
    })
}

fn told(progress: &Progress) -> String {
    let Progress {
        positions,
        lost,
        open,
    } = progress;
    format!("{positions} positions, {lost} of them lost for the defender, {open} open")
}
