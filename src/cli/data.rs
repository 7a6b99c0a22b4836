//! `tessera data`: looks after files of games.

use std::path::{Path, PathBuf};

use lexopt::{Arg, Parser};

use crate::eval::Chances;
use crate::lab::chances;
use crate::lab::file::{Games, Writer};
use crate::lab::sample::fit;
use crate::lab::stats::Stats;
use crate::types::Dice;

use super::{Failure, all_threads, number, open_games, print};

pub(super) const HELP: &str = "\
tessera data stats FILE…                        what is in files of games
tessera data verify FILE…                       check every block and every move
tessera data shuffle FILE… --out FILE [--seed N] the games of all files in random order
tessera data merge FILE… --out FILE             the sound blocks of all files as they are
tessera data chances FILE…                      how scores turn into chances: the numbers
                                                for src/eval/wdl.rs

The files are those of 'tessera selfplay'. What is damaged is told and left out.
";

pub(super) fn run(mut parser: Parser) -> Result<(), Failure> {
    let (mut words, mut path, mut seed) = (Vec::new(), None, 1);
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return print(HELP),
            Arg::Long("out") => path = Some(PathBuf::from(parser.value()?)),
            Arg::Long("seed") => seed = number(&mut parser, "--seed", 0)?,
            Arg::Value(value) => words.push(value),
            unknown => return Err(unknown.unexpected().into()),
        }
    }
    let usage = |text: &str| Failure::Usage(format!("{text}\n\n{}", HELP.trim_end()));
    let Some((verb, files)) = words.split_first() else {
        return Err(usage("data needs to know what to do"));
    };
    if files.is_empty() {
        return Err(usage("data needs a file of games"));
    }
    let files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
    let out = || {
        path.as_deref()
            .ok_or_else(|| usage("this needs --out FILE"))
    };
    match verb.to_str() {
        Some("stats") => stats(&files),
        Some("verify") => verify(&files),
        Some("chances") => chances(&files),
        Some("shuffle") => shuffle(&files, out()?, seed),
        Some("merge") => merge(&files, out()?),
        _ => Err(usage(&format!("data cannot '{}'", verb.to_string_lossy()))),
    }
}

fn stats(files: &[PathBuf]) -> Result<(), Failure> {
    for path in files {
        let games = open_games(path)?;
        let mut stats = Stats::of(&games, all_threads()).map_err(Failure::Failed)?;
        let text = stats.to_string();
        let different = stats.different();
        print(&format!(
            "{}\ngame       {}\norigin     {}\nbytes      {}, {:.2} a position to learn from\n\
             {text}different  {different}, {:.1} %\n",
            path.display(),
            games.rules.name,
            games.origin,
            games.bytes(),
            games.bytes() as f64 / stats.fit.max(1) as f64,
            100.0 * different as f64 / stats.fit.max(1) as f64,
        ))?;
    }
    Ok(())
}

fn verify(files: &[PathBuf]) -> Result<(), Failure> {
    let mut is_sound = true;
    for path in files {
        let games = open_games(path)?;
        let fail = |error| Failure::Failed(format!("{}: {error}", path.display()));
        let stats = Stats::of(&games, all_threads()).map_err(fail)?;
        if stats.fit != games.positions() || stats.games != games.games() {
            return Err(fail("its blocks do not count right".to_string()));
        }
        is_sound &= games.damaged == 0;
        print(&format!(
            "{}: {} blocks, {} games, {} plies, {} positions to learn from{}\n",
            path.display(),
            games.blocks(),
            stats.games,
            stats.plies,
            stats.fit,
            match games.damaged {
                0 => String::new(),
                damaged => format!("; {damaged} bytes are damaged"),
            }
        ))?;
    }
    if is_sound {
        Ok(())
    } else {
        Err(Failure::Failed("not all is sound".to_string()))
    }
}

fn chances(files: &[PathBuf]) -> Result<(), Failure> {
    let fit = chances::fit(&open_alike(files)?).map_err(Failure::Failed)?;
    let Chances { even, spread } = fit.chances;
    print(&format!(
        "even: [{:.1}, {:.1}, {:.1}], spread: [{:.1}, {:.1}]\n\
         {} positions, {:.4} of surprise each\n",
        even[0], even[1], even[2], spread[0], spread[1], fit.positions, fit.surprise
    ))
}

/// Opens files that must be of one game.
fn open_alike(files: &[PathBuf]) -> Result<Vec<Games>, Failure> {
    let all: Vec<Games> = files
        .iter()
        .map(|path| open_games(path))
        .collect::<Result<_, _>>()?;
    let first = all[0].rules.name;
    match all.iter().find(|games| games.rules.name != first) {
        None => Ok(all),
        Some(other) => Err(Failure::Failed(format!(
            "games of {first} and of {} do not go into one file",
            other.rules.name
        ))),
    }
}

/// Says what a new file was made of.
fn origin(verb: &str, all: &[Games]) -> String {
    let origins: Vec<&str> = all.iter().map(|games| games.origin.as_str()).collect();
    format!("{verb} ({})", origins.join("; "))
}

fn finish(writer: Writer, path: &Path) -> Result<(), Failure> {
    let (games, positions) = (writer.total_games, writer.total_positions);
    writer.finish().map_err(Failure::Failed)?;
    print(&format!(
        "{}: {games} games, {positions} positions\n",
        path.display()
    ))
}

fn merge(files: &[PathBuf], path: &Path) -> Result<(), Failure> {
    let all = open_alike(files)?;
    let mut writer =
        Writer::create(path, all[0].rules, &origin("merged", &all)).map_err(Failure::Failed)?;
    for block in all.iter().flat_map(Games::raw_blocks) {
        writer.add_raw(block).map_err(Failure::Failed)?;
    }
    finish(writer, path)
}

fn shuffle(files: &[PathBuf], path: &Path, seed: u64) -> Result<(), Failure> {
    let all = open_alike(files)?;
    let mut games = Vec::new();
    for file in &all {
        for block in 0..file.blocks() {
            for record in file.block(block).map_err(Failure::Failed)? {
                let count = fit(&record).count() as u32;
                let mut bytes = Vec::new();
                record.write(&mut bytes);
                games.push((bytes.into_boxed_slice(), count));
            }
        }
    }
    Dice::new(seed).shuffle(&mut games);
    let mut writer =
        Writer::create(path, all[0].rules, &origin("shuffled", &all)).map_err(Failure::Failed)?;
    for (bytes, positions) in &games {
        writer.add(bytes, *positions).map_err(Failure::Failed)?;
    }
    finish(writer, path)
}
