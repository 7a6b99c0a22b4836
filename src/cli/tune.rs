//! `tessera tune`: the weights of the linear evaluation from games of self-play.

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use lexopt::{Arg, Parser};

use crate::lab::sample::fit;
use crate::lab::tune::{self, Examples, Recipe};
use crate::types::Dice;

use super::{Failure, all_threads, make_sure_of, number, open_games, print, share, thread_count};

pub(super) const HELP: &str = "\
tessera tune FILE… --out WEIGHTS [OPTIONS]

Fits the weights of the linear evaluation to games of 'tessera selfplay', of one board or of
several, beginning with those that the engine has. What it writes is to be put into
src/eval/linear/values.in.

    --positions N               positions to learn from, of each file [default: 1000000]
    --result-share X            how much of the target is the result, the rest being the
                                score [default: 0.3]
    --rate X                    the largest step in centipawns, at first [default: 0.5]
    --batch N                   positions of one step [default: 16384]
    --epochs N                  at most [default: 60]
    --threads N                 [default: all]
    --seed N                    [default: 1]
";

/// One game of so many is held out.
const HELD_OUT: usize = 10;

pub(super) fn run(mut parser: Parser) -> Result<(), Failure> {
    let mut recipe = Recipe {
        result_share: 0.3,
        rate: 0.5,
        batch: 16384,
        max_epochs: 60,
        patience: 3,
        threads: all_threads(),
        seed: 1,
    };
    let (mut files, mut path, mut positions) = (Vec::new(), None, 1_000_000_usize);
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return print(HELP),
            Arg::Long("positions") => positions = number(&mut parser, "--positions", 100)?,
            Arg::Long("result-share") => {
                recipe.result_share = share(&mut parser, "--result-share")?;
            }
            Arg::Long("rate") => recipe.rate = number(&mut parser, "--rate", 0.0)?,
            Arg::Long("batch") => recipe.batch = number(&mut parser, "--batch", 16)?,
            Arg::Long("epochs") => recipe.max_epochs = number(&mut parser, "--epochs", 1)?,
            Arg::Long("threads") => recipe.threads = thread_count(&mut parser)?,
            Arg::Long("seed") => recipe.seed = number(&mut parser, "--seed", 0)?,
            Arg::Long("out") => path = Some(PathBuf::from(parser.value()?)),
            Arg::Value(value) => files.push(PathBuf::from(value)),
            unknown => return Err(unknown.unexpected().into()),
        }
    }
    let missing = |what: &str| Failure::Usage(format!("tune needs {what}"));
    let path = path.ok_or_else(|| missing("--out WEIGHTS"))?;
    if files.is_empty() {
        return Err(missing("a file of games"));
    }
    make_sure_of(&path)?;

    let clock = Instant::now();
    let (training, held_out) = load(&files, positions, recipe.seed)?;
    let scale = tune::fit_scale(&training);
    let share = recipe.result_share;
    let before = tune::error(&held_out, &tune::present_weights(), share, scale);
    print(&format!(
        "{} positions to learn from, {} to check with; scores predict results best on a scale \
         of {scale:.0}\nerror {before:.6} with the present weights\n",
        training.len(),
        held_out.len(),
    ))?;
    let mut failure = None;
    let weights = tune::fit(&training, &held_out, &recipe, scale, |progress| {
        let mark = if progress.is_best { "*" } else { "" };
        let line = format!(
            "epoch {:>3}  error {:.6} {mark}  {:.0} s\n",
            progress.epoch,
            progress.held_out,
            clock.elapsed().as_secs_f64()
        );
        failure = print(&line).err();
    });
    if let Some(failure) = failure {
        return Err(failure);
    }
    fs::write(&path, tune::source(&weights))
        .map_err(|error| Failure::Failed(format!("cannot write {}: {error}", path.display())))
}

/// Positions to learn from, so many of each file, and those that are held out.
fn load(files: &[PathBuf], positions: usize, seed: u64) -> Result<(Examples, Examples), Failure> {
    let (mut training, mut held_out) = (Examples::default(), Examples::default());
    let mut dice = Dice::new(seed);
    for file in files {
        let games = open_games(file)?;
        // Blocks from all over the file, until there is enough.
        let mut blocks: Vec<usize> = (0..games.blocks()).collect();
        dice.shuffle(&mut blocks);
        let before = training.len();
        for block in blocks {
            if training.len() - before >= positions {
                break;
            }
            let records = games.block(block).map_err(Failure::Failed)?;
            for (number, record) in records.iter().enumerate() {
                let examples = if number % HELD_OUT == 0 {
                    &mut held_out
                } else {
                    &mut training
                };
                for (position, ply) in fit(record) {
                    examples.push(&position, &ply, record.points);
                }
            }
        }
    }
    if training.is_empty() || held_out.is_empty() {
        return Err(Failure::Failed("too few positions to learn from".into()));
    }
    Ok((training, held_out))
}
