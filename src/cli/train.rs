//! `tessera train`: a network from games of self-play.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use lexopt::{Arg, Parser};

use crate::board::Rules;
use crate::eval::network::{Network, Shape};
use crate::lab::replace;
use crate::lab::train::{self, RUN, Recipe, Samples, Target, Trainer};
use crate::types::Dice;

use super::{
    Failure, all_threads, number, open_games, print, progress_bar, read_network, share,
    thread_count,
};

pub(super) const HELP: &str = "\
tessera train FILE… --out NETWORK [OPTIONS]

Trains a network on games of 'tessera selfplay'. After every epoch it is written, with a picture
of the errors so far (NETWORK.svg) and all that is needed to go on (NETWORK.checkpoint).

    --hidden N                  neurons of the hidden layer, a multiple of 16 [default: 128]
    --buckets N                 sets of output weights, by the number of men [default: 1]
    --zones N                   sets of input weights, by where the own king is: 1 or 4
                                [default: 1]
    --no-mirror                 tell left from right, whichever side the king is on
    --epochs N                  how often every position is seen [default: 10]
    --batch N                   positions of one step, a multiple of 256 [default: 4096]
    --rate X, --last-rate X     learning rate, at first and at the end [default: 0.001, 0.00001]
    --result-share X            how much of the target is the result, the rest being the
                                score [default: 0.1]
    --foresight X               how much of the score is that after the next move, which in turn
                                looks ahead as much: TD(λ) [default: 0]
    --scale X                   scores are compared as chances, σ(score / X): the lower, the less
                                it matters by how much a game is won [default: 400]
    --decay X                   how fast weights are drawn to 0 [default: 0.01]
    --start NETWORK             begin with what this network of the same size has learned; one
                                without zones is for all of them
    --resume                    go on with NETWORK.checkpoint, if it is there
    --threads N                 [default: all]
    --seed N                    with the same seed, files and threads the network is the same
                                [default: 1]
";

/// What the command line asks for.
struct Arguments {
    recipe: Recipe,
    files: Vec<PathBuf>,
    path: PathBuf,
    resume: bool,
    start: Option<Arc<Network>>,
}

pub(super) fn run(parser: Parser) -> Result<(), Failure> {
    let Some(arguments) = read(parser)? else {
        return print(HELP);
    };
    let clock = Instant::now();
    let (rules, samples) = load(&arguments)?;
    print(&format!(
        "{} positions of {} to learn from, {} to check with, read in {:.0} s\n",
        samples.training.len(),
        rules.name,
        samples.validation.len(),
        clock.elapsed().as_secs_f64(),
    ))?;
    learn(&arguments, rules, &samples, clock)
}

/// The arguments, or `None` if help is asked for.
fn read(mut parser: Parser) -> Result<Option<Arguments>, Failure> {
    let mut recipe = Recipe {
        shape: Shape {
            hidden: 128,
            buckets: 1,
            is_mirrored: true,
            zones: 1,
        },
        target: Target::default(),
        epochs: 10,
        batch: 4096,
        rate: 1e-3,
        last_rate: 1e-5,
        decay: 0.01,
        threads: all_threads(),
        seed: 1,
    };
    let (mut files, mut path, mut resume, mut start) = (Vec::new(), None, false, None);
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return Ok(None),
            Arg::Long("hidden") => recipe.shape.hidden = number(&mut parser, "--hidden", 16)?,
            Arg::Long("buckets") => recipe.shape.buckets = number(&mut parser, "--buckets", 1)?,
            Arg::Long("zones") => recipe.shape.zones = number(&mut parser, "--zones", 1)?,
            Arg::Long("no-mirror") => recipe.shape.is_mirrored = false,
            Arg::Long("epochs") => recipe.epochs = number(&mut parser, "--epochs", 1)?,
            Arg::Long("batch") => recipe.batch = number(&mut parser, "--batch", 256)?,
            Arg::Long("rate") => recipe.rate = number(&mut parser, "--rate", 0.0)?,
            Arg::Long("last-rate") => recipe.last_rate = number(&mut parser, "--last-rate", 0.0)?,
            Arg::Long("result-share") => {
                recipe.target.result_share = share(&mut parser, "--result-share")?;
            }
            Arg::Long("foresight") => {
                recipe.target.foresight = share(&mut parser, "--foresight")?;
            }
            Arg::Long("scale") => recipe.target.scale = number(&mut parser, "--scale", 1.0)?,
            Arg::Long("decay") => recipe.decay = number(&mut parser, "--decay", 0.0)?,
            Arg::Long("threads") => recipe.threads = thread_count(&mut parser)?,
            Arg::Long("seed") => recipe.seed = number(&mut parser, "--seed", 0)?,
            Arg::Long("start") => start = Some(read_network(&parser.value()?)?),
            Arg::Long("resume") => resume = true,
            Arg::Long("out") => path = Some(PathBuf::from(parser.value()?)),
            Arg::Value(value) => files.push(PathBuf::from(value)),
            unknown => return Err(unknown.unexpected().into()),
        }
    }
    let missing = |what: &str| Failure::Usage(format!("train needs {what}"));
    let path = path.ok_or_else(|| missing("--out NETWORK"))?;
    if files.is_empty() {
        return Err(missing("a file of games"));
    }
    recipe.shape.check().map_err(Failure::Usage)?;
    if !recipe.batch.is_multiple_of(RUN) {
        return Err(Failure::Usage(format!("--batch is a multiple of {RUN}")));
    }
    Ok(Some(Arguments {
        recipe,
        files,
        path,
        resume,
        start,
    }))
}

/// The positions of all files, in random order.
fn load(arguments: &Arguments) -> Result<(&'static Rules, Samples), Failure> {
    let recipe = &arguments.recipe;
    let mut samples = Samples::default();
    let mut rules = None;
    for file in &arguments.files {
        let games = open_games(file)?;
        let first = *rules.get_or_insert(games.rules);
        if first.name != games.rules.name {
            let (file, name) = (file.display(), games.rules.name);
            let message = format!("{file} has games of {name}, not of {}", first.name);
            return Err(Failure::Failed(message));
        }
        let more = train::load(&games, recipe.threads, recipe.target).map_err(Failure::Failed)?;
        samples.training.extend(more.training);
        samples.validation.extend(more.validation);
    }
    Dice::new(recipe.seed).shuffle(&mut samples.training);
    match rules.filter(|_| !samples.training.is_empty()) {
        Some(rules) => Ok((rules, samples)),
        None => Err(Failure::Failed("no positions to learn from".to_string())),
    }
}

/// Trains, and writes network, checkpoint and picture after each epoch.
fn learn(
    arguments: &Arguments,
    rules: &'static Rules,
    samples: &Samples,
    clock: Instant,
) -> Result<(), Failure> {
    let Arguments { recipe, path, .. } = arguments;
    let beside = |extension: &str| {
        let mut name = path.clone().into_os_string();
        name.push(extension);
        PathBuf::from(name)
    };
    let start = match &arguments.start {
        Some(network) => format!(" after network {:08x}", network.fingerprint()),
        None => String::new(),
    };
    let origin = format!(
        "{} positions, {} epochs, seed {}, result share {}, foresight {}, scale {}{start}",
        samples.training.len(),
        recipe.epochs,
        recipe.seed,
        recipe.target.result_share,
        recipe.target.foresight,
        recipe.target.scale
    );
    let checkpoint = beside(".checkpoint");
    let mut trainer = if arguments.resume && checkpoint.exists() {
        let fail = |error: &dyn Display| {
            let name = checkpoint.display();
            Failure::Failed(format!("cannot go on with {name}: {error}"))
        };
        let bytes = fs::read(&checkpoint).map_err(|error| fail(&error))?;
        Trainer::from_checkpoint(rules, recipe.clone(), &origin, &bytes)
            .map_err(|error| fail(&error))?
    } else {
        let mut trainer = Trainer::new(rules, recipe.clone());
        if let Some(network) = &arguments.start {
            let begun = trainer.begin_with(network);
            begun.map_err(|error| {
                Failure::Failed(format!("cannot start with that network: {error}"))
            })?;
        }
        trainer
    };
    let title = format!("{}, {} neurons: {origin}", rules.name, recipe.shape.hidden);
    let steps = 1000 * recipe.epochs as u64;
    let bar = progress_bar(steps, "{bar:32} {msg}, {eta} left");
    for epoch in trainer.errors().len() + 1..=recipe.epochs {
        let progress = trainer.run_epoch(samples, |progress| {
            bar.set_position((progress.epoch * 1000.0) as u64);
            bar.set_message(format!(
                "epoch {:.2}, error {:.6}, {:.2} million positions/s",
                progress.epoch,
                progress.training_error,
                progress.positions_per_second / 1e6
            ));
        });
        let validation = progress.validation_error;
        let validation = validation.map_or("-".to_string(), |error| format!("{error:.6}"));
        bar.suspend(|| {
            print(&format!(
                "epoch {epoch:>3}  training {:.6}  validation {validation}  {:.2} M/s  {:.0} s\n",
                progress.training_error,
                progress.positions_per_second / 1e6,
                clock.elapsed().as_secs_f64(),
            ))
        })?;
        write(path, &trainer.network(&origin).to_bytes())?;
        write(&checkpoint, &trainer.to_checkpoint(&origin))?;
        let picture = train::curve(&title, trainer.errors());
        write(&beside(".svg"), picture.as_bytes())?;
    }
    bar.finish_and_clear();
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    replace(path, bytes).map_err(Failure::Failed)
}
