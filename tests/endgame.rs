//! Endgame tables: against plain search, through symmetries, in files, and on the command line.

#[path = "support/endgames.rs"]
mod endgames;
#[path = "support/process.rs"]
mod process;
mod support;

use std::fmt::Write;
use std::fs;
use std::process::Command;

use endgames::{built, random_position, rules, table, write};
use process::{Process, errors};
use support::{Dice, Folder};
use tessera::board::{Position, Rules};
use tessera::endgame::{Class, Stats, Table, Tables, Value, check};
use tessera::types::{Piece, Square, crc32};

/// One of each kind of endgames: the other compact games share theirs.
const GAMES: [&str; 7] = [
    "gardner",
    "losalamos",
    "petty",
    "chessattack",
    "4x6chess",
    "4x5chess",
    "silverman4x5",
];

#[test]
fn every_compact_game_ends_like_one_that_is_tested() {
    for game in Rules::ALL.into_iter().filter(|game| game.is_compact()) {
        let alike = GAMES.iter().filter(|name| game.ends_like(rules(name)));
        assert_eq!(alike.count(), 1, "{}", game.name);
    }
}

/// The value of a position as far as so many plies of plain search can tell: a mate within
/// them, or nothing.
fn searched(position: &Position, plies: u16) -> Option<Value> {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return position.in_check().then_some(Value::Loss(0));
    }
    if plies == 0 {
        return None;
    }
    let mut values = Vec::new();
    for &mv in &moves {
        values.push(searched(&position.play(mv), plies - 1).map(Value::before));
    }
    let best_win = values
        .iter()
        .flatten()
        .filter(|value| matches!(value, Value::Win(_)))
        .max();
    match best_win {
        Some(win) => Some(*win),
        None if values.iter().all(Option::is_some) => values.into_iter().flatten().max(),
        None => None,
    }
}

#[test]
fn mates_up_to_five_plies_are_those_of_plain_search() {
    let mut mates = 0;
    for game in GAMES {
        let rules = rules(game);
        let tables = built(rules, 4);
        let mut dice = Dice::new(rules.key);
        for class in Class::all(rules, 4) {
            for _ in 0..25 {
                let position = random_position(rules, &class, &mut dice);
                let value = tables.value(&position).expect("known");
                let is_near = matches!(value, Value::Win(0..=5) | Value::Loss(0..=5));
                assert_eq!(
                    searched(&position, 5),
                    Some(value).filter(|_| is_near),
                    "{position}"
                );
                mates += u32::from(is_near);
            }
        }
    }
    assert!(mates > 300, "{mates}");
}

#[test]
fn mirrored_and_colour_swapped_positions_are_worth_the_same() {
    for game in GAMES {
        let rules = rules(game);
        let tables = built(rules, 4);
        let mut dice = Dice::new(7);
        for class in Class::all(rules, 4) {
            for _ in 0..50 {
                let position = random_position(rules, &class, &mut dice);
                let value = tables.value(&position);
                assert!(value.is_some(), "{position}");
                let flipped = position.flipped().expect("legal");
                assert_eq!(tables.value(&flipped), value, "{position}");
                let mirrored: Vec<(Piece, Square)> = position
                    .occupied()
                    .squares()
                    .map(|square| {
                        let other = Square::at(rules.files - 1 - square.file(), square.rank());
                        (position.piece_at(square).expect("a man"), other)
                    })
                    .collect();
                let mirrored = Position::of_men(rules, position.side(), &mirrored).expect("legal");
                assert_eq!(tables.value(&mirrored), value, "{position}");
            }
        }
    }
}

/// All classes of up to four men: how many positions are won, drawn and lost for who is to move, the
/// longest mate in plies, and a checksum over these numbers of each class. They are what the tables had
/// when every value was compared with those after the moves (`tessera endgame verify`).
#[test]
fn totals_are_as_they_were() {
    for (game, expected) in [
        ("gardner", (889_706, 1_082_061, 909_221, 62, 696_224_438)),
        (
            "losalamos",
            (2_984_040, 2_454_539, 2_986_593, 57, 744_842_267),
        ),
        (
            "petty",
            (2_514_074, 2_931_077, 2_599_602, 72, 3_496_950_922),
        ),
        (
            "chessattack",
            (2_523_109, 2_920_926, 2_600_718, 72, 2_141_777_211),
        ),
        ("4x6chess", (736_195, 932_531, 766_161, 71, 627_784_768)),
        ("4x5chess", (317_780, 430_264, 336_795, 58, 4_203_829_213)),
        (
            "silverman4x5",
            (320_281, 427_859, 336_699, 58, 3_726_881_384),
        ),
    ] {
        let tables = built(rules(game), 4);
        let (mut wins, mut draws, mut losses, mut longest) = (0, 0, 0, 0);
        let mut lines = String::new();
        for table in tables.tables() {
            let stats = Stats::of(table).expect("readable");
            wins += stats.wins.iter().sum::<u64>();
            draws += stats.draws.iter().sum::<u64>();
            losses += stats.losses.iter().sum::<u64>();
            longest = longest.max(stats.longest);
            let numbers = (stats.wins, stats.draws, stats.losses, stats.longest);
            writeln!(lines, "{} {numbers:?}", table.class).expect("a string takes all");
        }
        let found = (wins, draws, losses, longest, crc32(lines.as_bytes()));
        assert_eq!(found, expected, "{game}\n{lines}");
    }
}

/// Five men, where two pawns can be captured in passing by one: no other class checks that by itself.
#[test]
fn five_men_with_captures_in_passing_are_as_their_moves_say() {
    let rules = rules("silverman4x5");
    let class = Class::named("KPPKP").expect("a class");
    let mut tables = Tables::new(rules);
    let mut classes = Class::all(rules, 5);
    let ahead = ahead_of(&class, rules);
    classes.retain(|class| ahead.contains(class));
    tables.complete(classes, 2, |_| Ok(())).expect("tables");
    let checked = check(&tables, table(&tables, "KPPKP"), 1).expect("no fault");
    assert!(checked > 100_000, "{checked}");
}

/// A class with all that captures and promotions lead to from it.
fn ahead_of(class: &Class, rules: &Rules) -> Vec<Class> {
    let mut all = vec![class.clone()];
    let mut place = 0;
    while place < all.len() {
        for next in all[place].next(rules) {
            if !all.contains(&next) {
                all.push(next);
            }
        }
        place += 1;
    }
    all
}

#[test]
fn a_capture_in_passing_counts() {
    let rules = rules("chessattack");
    let tables = built(rules, 4);
    let mut seen = 0;
    // Every double step beside a pawn of the other side.
    for fen in [
        "4k/5/2p2/5/1P3/K4 w - - 0 1",
        "4k/5/p4/5/1P3/4K w - - 0 1",
        "k4/5/2p2/5/3P1/K4 w - - 0 1",
    ] {
        let position = Position::from_fen(rules, fen).expect("legal");
        for &mv in &position.legal_moves() {
            let next = position.play(mv);
            if next.en_passant().is_some() {
                let values = next.legal_moves();
                let best = values
                    .iter()
                    .map(|&mv| tables.value(&next.play(mv)).expect("known").before())
                    .max();
                assert_eq!(tables.value(&next), best, "{next}");
                seen += 1;
            }
        }
    }
    assert!(seen > 0);
}

#[test]
fn files_hold_what_was_built() {
    let folder = Folder::new("files");
    let game = rules("microchess");
    let tables = built(game, 3);
    write(&tables, folder.path());
    let (read, problems) = Tables::open(folder.path(), game).expect("a folder");
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(read.tables().len(), tables.tables().len());
    let mut dice = Dice::new(3);
    for class in Class::all(game, 3) {
        for _ in 0..200 {
            let position = random_position(game, &class, &mut dice);
            assert_eq!(read.value(&position), tables.value(&position), "{position}");
        }
    }
    // Another game finds nothing here, even on a board of the same size whose pawns step twice;
    // one with the same endgames finds all of it.
    for other in ["gardner", "silverman4x5"] {
        let (none, problems) = Tables::open(folder.path(), rules(other)).expect("a folder");
        assert!(none.tables().is_empty() && problems.is_empty(), "{other}");
    }
    let other = rules("4x5chess");
    let (shared, problems) = Tables::open(folder.path(), other).expect("a folder");
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(shared.tables().len(), tables.tables().len());
    for table in built(other, 3).tables() {
        let position = random_position(other, &table.class, &mut dice);
        let value = shared.value(&position);
        assert_eq!(value, tables.value(&position), "{position}");
        assert!(value.is_some(), "{position}");
    }
}

/// Runs the program to its end, and returns what it said and whether it was content.
fn run(arguments: &[&str]) -> (String, bool) {
    let output = Command::new(env!("CARGO_BIN_EXE_tessera"))
        .args(arguments)
        .output()
        .expect("it runs");
    let text = String::from_utf8(output.stdout).expect("text");
    (text, output.status.success())
}

#[test]
fn a_build_goes_on_where_it_was_interrupted() {
    let folder = Folder::new("resume");
    let path = folder.path().display().to_string();
    let build = ["endgame", "build", "--variant", "microchess", "--men", "3"];
    let build = [&build[..], &["--dir", &path]].concat();
    let (text, is_well) = run(&build);
    assert!(is_well && text.contains("5 of them made now"), "{text}");
    let file = folder.file("microchess-KRK.endgame");
    let whole = fs::read(&file).expect("there");
    // Nothing is made twice; what is gone or damaged is made anew, and comes out the same.
    let (text, _) = run(&build);
    assert!(text.contains(" 0 of them made now"), "{text}");
    fs::remove_file(&file).expect("there");
    fs::write(folder.file("microchess-KQK.endgame"), "cut off").expect("room");
    let verify = ["endgame", "verify", "--variant", "microchess", "--dir"];
    assert!(!run(&[&verify[..], &[&path]].concat()).1, "one is damaged");
    let (text, is_well) = run(&build);
    assert!(is_well && text.contains(" 2 of them made now"), "{text}");
    assert!(fs::read(&file).expect("there") == whole);
    let (text, is_well) = run(&[
        "endgame",
        "verify",
        "--variant",
        "microchess",
        "--dir",
        &path,
    ]);
    assert!(is_well && text.starts_with("5 classes"), "{text}");
    assert!(!run(&[&build[..], &["--class", "KQK"]].concat()).1);
}

#[test]
fn only_what_was_checked_is_vouched_for() {
    let verify = |class: &str| {
        let order = ["endgame", "verify", "--variant", "losalamos", "--men", "3"];
        run(&[&order[..], &["--class", class]].concat())
    };
    let (text, is_well) = verify("KQK");
    assert!(is_well && text.starts_with("1 classes, "), "{text}");
    // There are no bishops in that game, and no four men here.
    for class in ["KBK", "KQKR"] {
        let (text, is_well) = verify(class);
        assert!(!is_well && text.is_empty(), "{class}: {text}");
    }
}

/// One may be put there by mistake; to wait for it would be to wait for ever.
#[cfg(unix)]
#[test]
fn a_pipe_is_not_a_table() {
    let folder = Folder::new("pipe");
    let made = Command::new("mkfifo")
        .arg(folder.file("chess-KQK.endgame"))
        .status();
    assert!(made.expect("mkfifo").success());
    let mut process = Process::start();
    let path = folder.path().display();
    let lines = process.ask(&format!("setoption name EndgamePath value {path}"));
    assert!(errors(&lines)[0].ends_with("not a file"), "{lines:?}");
}

#[test]
fn a_build_may_leave_out_what_cannot_come_up() {
    let folder = Folder::new("from");
    let path = folder.path().display().to_string();
    let build = |from: &str| {
        let order = ["endgame", "build", "--variant", "gardner", "--men", "4"];
        run(&[&order[..], &["--from", from, "--dir", &path]].concat())
    };
    // A rook each; then what a pawn may become instead of one of them.
    let (text, is_well) = build("k3r/5/5/5/1R2K w - - 0 1");
    assert!(is_well && text.contains(" 2 of them made now"), "{text}");
    let (text, is_well) = build("k3p/p4/5/5/1R2K w - - 0 1");
    assert!(
        !is_well && text.is_empty(),
        "a pawn cannot be there: {text}"
    );
    let (text, is_well) = build("k4/4p/5/5/1R2K w - - 0 1");
    assert!(is_well && text.contains(" 8 of them made now"), "{text}");
    let probe = |fen: &str| {
        run(&[
            "endgame",
            "probe",
            fen,
            "--variant",
            "gardner",
            "--dir",
            &path,
        ])
    };
    let (text, is_well) = probe("k4/4p/5/5/1R2K w - - 0 1");
    assert!(is_well && text.lines().count() > 5, "{text}");
    assert!(!probe("k3b/5/5/5/B3K w - - 0 1").1, "no bishop for White");
    // All classes can come up from the start.
    let (text, is_well) = build("start");
    assert!(is_well && text.contains("25 of them made now"), "{text}");
}

#[test]
fn a_review_finds_what_was_given_away() {
    let folder = Folder::new("review");
    let file = folder.file("games.pgn");
    let game = |fen: &str, moves: &str| {
        format!(
            "[White \"one\"]\n[Black \"other\"]\n[Variant \"gardner\"]\n[SetUp \"1\"]\n\
             [FEN \"{fen}\"]\n\n{moves} *\n\n"
        )
    };
    // One without a fault, and one in which the queen is left to the king.
    let games = [
        game("5/5/2k2/5/KQ3 w - - 0 1", "1. Qb2+ Kd3"),
        game("5/5/2k2/5/K2Q1 w - - 0 1", "1. Qd2+ Kxd2"),
    ];
    fs::write(&file, games.concat()).expect("room");
    let path = file.display().to_string();
    let (text, is_well) = run(&["endgame", "review", "--variant", "gardner", &path]);
    assert!(is_well, "{text}");
    assert!(
        text.contains("game 2, one: Qd2+ is a draw, the position is won"),
        "{text}"
    );
    assert!(
        text.contains("one: 2 moves in known positions, 1 wins and 0 draws given away"),
        "{text}"
    );
    assert!(
        text.contains("other: 2 moves in known positions, 0 wins and 0 draws given away"),
        "{text}"
    );
    assert!(
        !run(&["endgame", "review", &path]).1,
        "chess has no such game"
    );
    // What cannot be read is no success.
    fs::write(&file, games.concat() + "[White \"one\"]\n\n1. Zz9 *\n").expect("room");
    let (text, is_well) = run(&["endgame", "review", "--variant", "gardner", &path]);
    assert!(!is_well && text.contains("one: 2 moves"), "{text}");
    let here = folder.path().display().to_string();
    assert!(!run(&["endgame", "review", "--variant", "gardner", &here]).1);
}

#[test]
fn damaged_files_are_never_believed() {
    let folder = Folder::new("damaged");
    let game = rules("4x5chess");
    let tables = built(game, 3);
    let one = table(&tables, "KRK");
    one.write(folder.path()).expect("room");
    let path = one.path(folder.path());
    let whole = fs::read(&path).expect("readable");
    Table::open(&path, game).expect("sound");
    let mut dice = Dice::new(11);
    let refused = |bytes: &[u8], what: &str| {
        fs::write(&path, bytes).expect("room");
        let error = Table::open(&path, game).err();
        let error = error.unwrap_or_else(|| panic!("{what} is believed"));
        assert!(error.contains("KRK"), "{error}");
    };
    for length in (0..whole.len()).step_by(97) {
        refused(&whole[..length], "a part");
    }
    for _ in 0..300 {
        let mut bytes = whole.clone();
        let place = dice.below(bytes.len());
        bytes[place] ^= 1 << dice.below(8);
        refused(&bytes, "a changed bit");
    }
    refused(&[&whole[..], b"x"].concat(), "a longer file");
    // Of another game, under the name of this one.
    let others = built(rules("silverman4x5"), 3);
    table(&others, "KRK").write(folder.path()).expect("room");
    let other = table(&others, "KRK").path(folder.path());
    refused(&fs::read(other).expect("readable"), "another game");
}
