//! `tessera solve`: what is a position worth with best play?

use std::io::{IsTerminal, stderr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use lexopt::{Arg, Parser, ValueExt};
use parking_lot::Mutex;

use crate::board::{CHESS, Position, Rules};
use crate::endgame::{Endgames, Tables};
use crate::eval::network;
use crate::lab::solve::{Progress, Proof, Verdict};
use crate::search::Solo;
use crate::types::Color;

use super::endgame::load;
use super::{
    Failure, complain, number, print, progress_bar, remark, rules_named, stop_on_interrupt,
};

pub(super) const HELP: &str = "\
tessera solve [OPTIONS]

Tries to prove what a position is worth: can White force mate, can Black, or neither? What is not
proven is not claimed. With endgame tables of more men it takes fewer positions. The fifty-move
rule is left out. Both questions are worked on at once, on two threads. Ctrl-C gives up.

    --variant NAME              the game [default: chess]
    --fen FEN                   the position [default: the start of the game]
    --hours H                   give up after so many hours [default: 0.1]
    --dir FOLDER                tables of 'tessera endgame build'
    --nodes N                   for the searches that suggest answers; more where much rests on
                                one, up to 64 times [default: 500]
    --memory MB                 for the proof [default: 4096]
";

/// For the searches of one question: neighbouring positions have much in common.
const TABLE_MEGABYTES: usize = 64;
/// Where no bar is seen, a line says so often how far it is.
const TOLD_EVERY: Duration = Duration::from_mins(1);

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
    let files = folder.map(|folder| loaded(&folder, rules)).transpose()?;
    let endgames = Endgames::of(rules, files);
    let solo = || -> Result<Solo, Failure> {
        let solo = Solo::new(TABLE_MEGABYTES, network::built_in(rules)).map_err(Failure::Failed)?;
        Ok(solo.with_endgames(&endgames))
    };
    let mut solos = [solo()?, solo()?];
    let stop = stop_on_interrupt()?;
    print(&format!(
        "{position}\ntables of up to {} men\n",
        endgames.men()
    ))?;

    // Both questions at once; who wins has answered the other one too.
    let bar = progress_bar(0, "{msg}");
    let told = Mutex::new([String::new(), String::new()]);
    let is_won = AtomicBool::new(false);
    let is_logged = !stderr().is_terminal();
    let ask = |attacker: Color, solo: &mut Solo| -> Result<(Verdict, String), Failure> {
        let clock = Instant::now();
        let mut minute = Instant::now();
        let mut proof = Proof::new(solo, &endgames, rules, attacker, nodes, megabytes / 2);
        let verdict = proof.run(&position, |progress| {
            let line = format!("can {attacker} win? {}", words(progress));
            if is_logged && minute.elapsed() >= TOLD_EVERY {
                minute = Instant::now();
                remark(&format!("{:.0} s: {line}\n", clock.elapsed().as_secs_f64()));
            }
            let mut told = told.lock();
            told[attacker.index()] = line;
            bar.set_message(told.join("\n"));
            clock.elapsed() < time && !is_won.load(Relaxed) && !stop.is_requested()
        });
        if verdict == Verdict::Wins {
            is_won.store(true, Relaxed);
        }
        let seconds = clock.elapsed().as_secs_f64();
        let checked = proof.check(&position, verdict).map_err(|fault| {
            Failure::Failed(format!("internal error: the proof fails at {fault}"))
        })?;
        let line = format!(
            "can {attacker} win? {}: {}, {seconds:.1} s\n",
            match verdict {
                Verdict::Wins => format!("yes, a proof of {checked} positions"),
                Verdict::IsHeld => format!("no, a proof of {checked} positions"),
                Verdict::Unknown => "not proven".to_string(),
                Verdict::NoRoom => "not proven, there is no more --memory".to_string(),
            },
            words(&proof.progress()),
        );
        Ok((verdict, line))
    };
    let [first, second] = &mut solos;
    let (white, black) = thread::scope(|scope| {
        let white = scope.spawn(|| ask(Color::White, first));
        let black = ask(Color::Black, second);
        (white.join(), black)
    });
    bar.finish_and_clear();
    let white = white.map_err(|_| Failure::Failed("a thread has fallen".to_string()))??;
    let black = black?;
    let mut text = String::new();
    // That a side does not win goes without saying where the other one does.
    for ((verdict, line), (other, _)) in [(&white, &black), (&black, &white)] {
        if *other != Verdict::Wins || *verdict == Verdict::IsHeld {
            text += line;
        }
    }
    text += match (white.0, black.0) {
        (Verdict::Wins, _) => "proven: White wins (the fifty-move rule left out)\n",
        (_, Verdict::Wins) => "proven: Black wins (the fifty-move rule left out)\n",
        (Verdict::IsHeld, Verdict::IsHeld) => "proven: a draw\n",
        (Verdict::IsHeld, _) => "proven: White does not win\n",
        (_, Verdict::IsHeld) => "proven: Black does not win\n",
        _ => "nothing is proven\n",
    };
    print(&text)
}

/// The tables of a folder, in memory: they will be asked millions of times.
fn loaded(folder: &Path, rules: &'static Rules) -> Result<Arc<Tables>, Failure> {
    let (mut tables, problems) = Tables::open(folder, rules).map_err(Failure::Failed)?;
    for problem in problems {
        complain(&problem);
    }
    load(&mut tables, |_| true)?;
    Ok(Arc::new(tables))
}

fn words(progress: &Progress) -> String {
    let Progress {
        positions,
        lost,
        held,
        reached,
        open,
    } = progress;
    format!(
        "{positions} positions, of which the defender has lost {lost} and holds {held}; the \
         answers lead to {reached} others, {open} of them open"
    )
}
