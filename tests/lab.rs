//! Files of games and of networks: whole, cut off, damaged; and games that come out the same
//! however they are played.

#[path = "../fuzz/formats.rs"]
mod formats;
mod support;

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use support::{Dice, Folder, random_start};
use tessera::board::{CHESS, Game, Rules};
use tessera::eval::network::{Network, Shape, ZONES};
use tessera::lab::file::{Games, Writer};
use tessera::lab::record::{Ply, Points, Record};
use tessera::lab::sample::fitness;
use tessera::lab::selfplay::{self, Amount, Plan};
use tessera::lab::stats::Stats;
use tessera::lab::train::{Recipe, Samples, Target, Trainer, load, untrained};
use tessera::search::Selectivity;
use tessera::types::Score;

/// A game of random moves with random scores.
fn random_record(rules: &'static Rules, dice: &mut Dice) -> Record {
    let start = random_start(rules, dice);
    let mut game = Game::new(start);
    let (mut opening, mut plies) = (Vec::new(), Vec::new());
    for ply in 0..120 {
        if game.outcome().is_some() {
            break;
        }
        let moves = game.position().legal_moves();
        let mv = moves[dice.below(moves.len())];
        if ply < 5 {
            opening.push(mv);
        } else {
            let score = match dice.below(8) {
                0 => Score::mating(1 + dice.below(20)),
                1 => Score::mated(dice.below(20)),
                2 => Score::centipawns(dice.below(60_000) as i32 - 30_000),
                _ => Score::centipawns(dice.below(200) as i32 - 100),
            };
            plies.push(Ply { mv, score });
        }
        game.play(mv);
    }
    let points = Points::ALL[dice.below(3)];
    Record {
        start,
        opening,
        points,
        plies,
    }
}

fn fit(record: &Record) -> u32 {
    let fit = record
        .positions()
        .filter(|(position, ply)| fitness(position, ply).is_ok());
    fit.count() as u32
}

/// Writes records to a file.
fn write(path: &Path, rules: &Rules, records: &[Record]) {
    let mut writer = Writer::create(path, rules, "a test").expect("a new file");
    for record in records {
        let mut bytes = Vec::new();
        record.write(&mut bytes);
        writer.add(&bytes, fit(record)).expect("room");
    }
    writer.finish().expect("room");
}

fn read(games: &Games) -> Vec<Record> {
    let blocks = 0..games.blocks();
    blocks
        .flat_map(|block| games.block(block).expect("sound"))
        .collect()
}

#[test]
fn games_of_every_board_come_back_as_they_were() {
    let folder = Folder::new("round");
    let mut dice = Dice::new(1);
    for rules in Rules::ALL {
        let records: Vec<Record> = (0..300).map(|_| random_record(rules, &mut dice)).collect();
        let path = folder.file(rules.name);
        write(&path, rules, &records);
        let games = Games::open(&path).expect("sound");
        assert_eq!(games.rules.name, rules.name);
        assert_eq!(games.origin, "a test");
        assert_eq!(games.damaged, 0);
        assert_eq!(games.games(), 300);
        assert!(read(&games) == records, "{}", rules.name);
        let stats = Stats::of(&games, 2).expect("sound");
        assert_eq!(stats.fit, games.positions());
        assert_eq!(stats.games, 300);
    }
}

/// A file of several blocks, small.
fn sample_file(folder: &Folder) -> (Vec<u8>, Vec<Record>) {
    let mut dice = Dice::new(2);
    let rules = Rules::named("gardner").expect("there");
    let records: Vec<Record> = (0..900).map(|_| random_record(rules, &mut dice)).collect();
    let path = folder.file("sample");
    write(&path, rules, &records);
    (fs::read(&path).expect("readable"), records)
}

#[test]
fn a_file_cut_off_anywhere_is_read_up_to_its_last_whole_block() {
    let folder = Folder::new("cut");
    let (bytes, records) = sample_file(&folder);
    let whole = Games::from_bytes(bytes.clone()).expect("sound");
    assert!(whole.blocks() >= 3, "{} blocks", whole.blocks());
    let sizes: Vec<usize> = whole.raw_blocks().map(<[u8]>::len).collect();
    let header = bytes.len() - sizes.iter().sum::<usize>();
    let ends: Vec<usize> = sizes
        .iter()
        .scan(header, |end, size| {
            *end += size;
            Some(*end)
        })
        .collect();
    let mut dice = Dice::new(3);
    let mut lengths: Vec<usize> = (0..60).collect();
    lengths.extend((0..200).map(|_| dice.below(bytes.len())));
    for length in lengths {
        let Ok(games) = Games::from_bytes(bytes[..length].to_vec()) else {
            assert!(length < header, "{length} bytes have a whole header");
            continue;
        };
        let whole_blocks = ends.iter().filter(|&&end| end <= length).count();
        assert_eq!(games.blocks(), whole_blocks, "{length} bytes");
        let read = read(&games);
        assert!(read[..] == records[..read.len()], "{length} bytes");
        let missing = bytes.len() - length;
        assert!(read.len() < records.len(), "{missing} bytes are missing");
    }
}

#[test]
fn damage_is_found_and_the_rest_is_kept() {
    let folder = Folder::new("damage");
    let (bytes, records) = sample_file(&folder);
    let whole = Games::from_bytes(bytes.clone()).expect("sound");
    let encoded = |record: &Record| {
        let mut bytes = Vec::new();
        record.write(&mut bytes);
        bytes
    };
    let known: HashSet<Vec<u8>> = records.iter().map(encoded).collect();
    let mut dice = Dice::new(4);
    for _ in 0..60 {
        let mut damaged = bytes.clone();
        let place = dice.below(bytes.len());
        damaged[place] ^= 1 << dice.below(8);
        let Ok(games) = Games::from_bytes(damaged) else {
            continue; // The header.
        };
        assert_eq!(games.blocks(), whole.blocks() - 1, "byte {place}");
        assert!(games.damaged > 0);
        let read = read(&games);
        assert!(!read.is_empty() && read.len() < records.len());
        assert!(read.iter().all(|record| known.contains(&encoded(record))));
    }
}

#[test]
fn no_bytes_are_too_wild_for_a_reader() {
    let mut dice = Dice::new(5);
    let folder = Folder::new("wild");
    let (bytes, _) = sample_file(&folder);
    for _ in 0..2000 {
        let length = dice.below(200);
        let noise: Vec<u8> = (0..length).map(|_| dice.below(256) as u8).collect();
        // As a file, behind a sound header, and as a game.
        assert!(Games::from_bytes(noise.clone()).is_err());
        let mut file = bytes[..60].to_vec();
        file.extend(&noise);
        let _ = Games::from_bytes(file);
        for rules in [&CHESS, Rules::named("microchess").expect("there")] {
            let _ = Record::read(rules, &mut &noise[..]);
        }
        assert!(Network::from_bytes(&noise).is_err());
    }
}

/// Sound sums around content that is not: what the sums cannot find, the readers must.
#[test]
fn wrong_content_with_right_sums_is_refused_or_read() {
    let mut dice = Dice::new(6);
    let mut refused = 0;
    for round in 0..3000 {
        let place = round % Rules::ALL.len();
        let mut bytes = vec![place as u8];
        random_record(Rules::ALL[place], &mut dice).write(&mut bytes);
        for _ in 0..=dice.below(3) {
            let at = 1 + dice.below(bytes.len() - 1);
            bytes[at] = dice.below(256) as u8;
        }
        refused += u32::from(Record::read(Rules::ALL[place], &mut &bytes[1..]).is_err());
        formats::check_games(&bytes);
    }
    assert!((300..3000).contains(&refused), "{refused}");
    let rules = Rules::named("microchess").expect("there");
    let sound = untrained(rules, recipe(16, 1).shape, 1).to_bytes();
    for _ in 0..2000 {
        let mut bytes = sound[..sound.len() - 4].to_vec();
        for _ in 0..=dice.below(3) {
            // Most of it are weights.
            let end = if dice.below(2) == 0 { 40 } else { bytes.len() };
            let at = dice.below(end);
            bytes[at] = dice.below(256) as u8;
        }
        formats::check_network(&bytes);
    }
}

/// Games behind a damaged block are not thrown away by going on.
#[test]
fn a_file_damaged_in_the_middle_is_not_continued() {
    let folder = Folder::new("middle");
    let (mut bytes, _) = sample_file(&folder);
    let rules = Rules::named("gardner").expect("there");
    let path = folder.file("damaged");
    let size = bytes.len();
    bytes[size / 2] ^= 1;
    fs::write(&path, &bytes).expect("room");
    let refused = Writer::resume(&path, rules, "a test")
        .err()
        .expect("refused");
    assert!(refused.contains("sound games behind"), "{refused}");
    assert!(fs::read(&path).expect("readable") == bytes, "changed");
    // Damage at the end is cut off.
    bytes[size / 2] ^= 1;
    bytes[size - 1] ^= 1;
    fs::write(&path, &bytes).expect("room");
    let writer = Writer::resume(&path, rules, "a test").expect("sound");
    assert!(writer.total_games > 0 && writer.total_games < 900);
}

fn plan(name: &str) -> Plan {
    let rules = Rules::named(name).expect("there");
    Plan {
        rules,
        fischer: false,
        nodes: 40,
        selectivity: Selectivity::Full,
        seed: 7,
        random_plies: selfplay::RANDOM_PLIES,
    }
}

fn play(plan: &Plan, amount: Amount, threads: usize, path: &Path) {
    selfplay::run(plan, amount, threads, path, None, |_| {}).expect("games");
}

#[test]
fn self_play_depends_on_the_seed_alone() {
    let folder = Folder::new("seed");
    let (one, two, three) = (folder.file("1"), folder.file("2"), folder.file("3"));
    let plan = plan("gardner");
    play(&plan, Amount::Games(60), 1, &one);
    play(&plan, Amount::Games(60), 3, &two);
    let bytes = fs::read(&one).expect("readable");
    assert!(bytes == fs::read(&two).expect("readable"), "threads matter");
    // Interrupted, with the last block cut off, and continued in two parts.
    fs::write(&three, &bytes[..bytes.len() - 9]).expect("room");
    play(&plan, Amount::Games(40), 2, &three);
    play(&plan, Amount::Games(60), 2, &three);
    let records = read(&Games::open(&one).expect("sound"));
    assert_eq!(records.len(), 60);
    assert!(read(&Games::open(&three).expect("sound")) == records);
    // Another plan does not go on with it.
    let other = Plan {
        seed: 8,
        ..plan.clone()
    };
    let refused = selfplay::run(&other, Amount::Games(99), 1, &three, None, |_| {});
    assert!(refused.is_err_and(|error| error.contains("seed 8")));
    let other = Plan {
        selectivity: Selectivity::None,
        ..plan
    };
    let refused = selfplay::run(&other, Amount::Games(99), 1, &three, None, |_| {});
    assert!(refused.is_err_and(|error| error.contains("plain")));
    assert!(read(&Games::open(&three).expect("sound")) == records);
    // And plays other games.
    let four = folder.file("4");
    play(&other, Amount::Games(60), 2, &four);
    let plain = read(&Games::open(&four).expect("sound"));
    assert!(plain.len() == 60 && plain != records);
}

#[test]
fn self_play_plays_every_board_and_fischers_starts() {
    let folder = Folder::new("boards");
    for rules in Rules::ALL {
        for fischer in [false, true] {
            if fischer && rules.name != CHESS.name {
                continue;
            }
            let path = folder.file(&format!("{}-{fischer}", rules.name));
            let plan = Plan {
                fischer,
                ..plan(rules.name)
            };
            play(&plan, Amount::Positions(150), 2, &path);
            let games = Games::open(&path).expect("sound");
            assert!(games.positions() >= 150);
            let records = read(&games);
            let starts = records
                .iter()
                .filter(|record| record.start.to_string() != rules.start);
            assert_eq!(starts.count() > 0, fischer, "{}", rules.name);
            let stats = Stats::of(&games, 1).expect("sound");
            assert_eq!(stats.fit, games.positions());
        }
    }
}

fn recipe(hidden: usize, epochs: usize) -> Recipe {
    Recipe {
        shape: Shape {
            hidden,
            buckets: 2,
            is_mirrored: true,
            zones: 1,
        },
        target: Target::default(),
        epochs,
        batch: 256,
        rate: 1e-2,
        last_rate: 1e-4,
        decay: 0.01,
        threads: 2,
        seed: 5,
    }
}

/// Samples of a few quick games.
fn samples(folder: &Folder, name: &str, games: u64) -> (&'static Rules, Samples) {
    let path = folder.file("samples");
    play(&plan(name), Amount::Games(games), 2, &path);
    let games = Games::open(&path).expect("sound");
    (
        games.rules,
        load(&games, 2, Target::default()).expect("sound"),
    )
}

#[test]
fn training_lowers_the_error_and_can_be_repeated() {
    let folder = Folder::new("train");
    let (rules, samples) = samples(&folder, "gardner", 400);
    assert!(!samples.validation.is_empty());
    let train = || {
        let mut trainer = Trainer::new(rules, recipe(16, 8));
        let before = trainer.error(&samples.validation);
        let errors: Vec<f64> = (0..8)
            .map(|_| trainer.run_epoch(&samples, |_| {}))
            .filter_map(|progress| progress.validation_error)
            .collect();
        (before, errors, trainer.network("a test").to_bytes())
    };
    let (before, errors, network) = train();
    assert!(errors[7] < 0.5 * before, "{before} {errors:?}");
    assert!(train().2 == network, "not the same twice");
    // Nor if it is interrupted.
    let mut first = Trainer::new(rules, recipe(16, 8));
    for _ in 0..3 {
        first.run_epoch(&samples, |_| {});
    }
    let checkpoint = first.to_checkpoint("these");
    let mut second =
        Trainer::from_checkpoint(rules, recipe(16, 8), "these", &checkpoint).expect("sound");
    for _ in 3..8 {
        second.run_epoch(&samples, |_| {});
    }
    assert!(second.network("a test").to_bytes() == network);
    assert_eq!(second.errors().len(), 8);
    // A checkpoint of something else, or a bad one, is refused.
    let other = Trainer::from_checkpoint(rules, recipe(32, 8), "these", &checkpoint);
    assert!(other.is_err());
    let other = Trainer::from_checkpoint(rules, recipe(16, 8), "others", &checkpoint);
    assert!(other.is_err_and(|error| error.contains("another training")));
    for length in [0, 7, 20, 300, checkpoint.len() - 1] {
        let cut = &checkpoint[..length];
        assert!(Trainer::from_checkpoint(rules, recipe(16, 8), "these", cut).is_err());
    }
    let mut damaged = checkpoint;
    damaged[5000] ^= 4;
    assert!(Trainer::from_checkpoint(rules, recipe(16, 8), "these", &damaged).is_err());
}

#[test]
fn a_network_file_comes_back_and_a_bad_one_is_refused() {
    let zones = [1, ZONES].into_iter().cycle();
    for (&rules, zones) in Rules::ALL.iter().zip(zones) {
        let mut recipe = recipe(16, 1);
        recipe.shape.zones = zones;
        let shape = recipe.shape;
        let network = Trainer::new(rules, recipe).network("seed 5, nothing learned");
        let bytes = network.to_bytes();
        let again = Network::from_bytes(&bytes).expect("sound");
        assert!(again.to_bytes() == bytes, "{}", rules.name);
        assert_eq!(again.origin, "seed 5, nothing learned");
        assert_eq!(again.shape(), shape);
        let mut dice = Dice::new(6);
        for _ in 0..200 {
            let place = dice.below(bytes.len());
            assert!(Network::from_bytes(&bytes[..place]).is_err());
            let mut damaged = bytes.clone();
            damaged[place] ^= 1 << dice.below(8);
            assert!(Network::from_bytes(&damaged).is_err(), "byte {place}");
        }
        let mut long = bytes.clone();
        long.push(0);
        assert!(Network::from_bytes(&long).is_err());
    }
}
