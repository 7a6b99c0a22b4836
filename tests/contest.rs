//! `tessera match`: the real program against itself, and against engines that fail on purpose.

#![cfg(unix)] // The engines are shell scripts.

use std::collections::HashMap;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tessera::board::{CHESS, Game, Outcome, Position, Rules};

/// A folder of the test's own, empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("contest")
        .join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a writable folder");
    folder
}

fn tessera(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tessera"));
    command
        .arg("match")
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn output(folder: &Path, arguments: &str) -> Output {
    let output = tessera(folder, arguments).output();
    output.expect("the program starts")
}

/// The result of a match that succeeds.
fn result(folder: &Path, arguments: &str) -> Value {
    let output = output(folder, &format!("{arguments} --json"));
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments}: {complaints}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// An engine that answers everything, and does this when it shall think. It writes the numbers of
/// its processes to a file.
fn engine(folder: &Path, name: &str, think: &str) {
    let text = format!(
        "#!/bin/sh
echo $$ >> pids
while read -r line; do
  case \"$line\" in
    uci) echo 'option name UCI_Variant type combo default chess var chess var gardner'
         echo 'option name Depth type spin default 1 min 1 max 9'
         echo uciok ;;
    isready) echo readyok ;;
    go*) {think} ;;
    quit) exit 0 ;;
  esac
done
"
    );
    let file = fs::OpenOptions::new()
        .create_new(true)
        .write(true)
        .mode(0o755)
        .open(folder.join(name));
    let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
    written.expect("a writable folder");
}

/// A think that never ends, in a process of its own.
const HANG: &str = "sleep 600 & echo $! >> pids; wait";

/// How many processes there were. None of them is left.
fn ended_processes(folder: &Path) -> usize {
    let text = fs::read_to_string(folder.join("pids")).expect("numbers");
    let since = Instant::now();
    for number in text.lines() {
        // One whose parent has ended may wait a moment for somebody to notice its own end.
        while is_running(number) {
            assert!(since.elapsed() < Duration::from_secs(5), "{number} is left");
            thread::sleep(Duration::from_millis(10));
        }
    }
    text.lines().count()
}

fn is_running(number: &str) -> bool {
    let found = Command::new("kill")
        .args(["-0", number])
        .stderr(Stdio::null())
        .status();
    found.expect("a shell command").success()
}

/// A game of a file.
struct Sheet {
    tags: HashMap<String, String>,
    moves: Vec<String>,
    comments: Vec<String>,
    game: Game,
}

impl Sheet {
    fn tag(&self, name: &str) -> &str {
        self.tags.get(name).map_or("", String::as_str)
    }
}

/// Reads a file with a reader that shares nothing with the writer.
fn read_games(path: &Path) -> Vec<Sheet> {
    let text = fs::read_to_string(path).expect("a file of games");
    let parts: Vec<&str> = text.split("\n\n").collect();
    let games = parts.chunks_exact(2);
    assert_eq!(games.remainder(), [""], "an unfinished game");
    games.map(|part| read_game(part[0], part[1])).collect()
}

fn read_game(tags: &str, text: &str) -> Sheet {
    let tags: HashMap<String, String> = tags
        .lines()
        .map(|line| {
            let line = line
                .strip_prefix('[')
                .and_then(|line| line.strip_suffix("\"]"));
            let (name, value) = line.and_then(|line| line.split_once(" \"")).expect("a tag");
            (name.to_string(), value.to_string())
        })
        .collect();
    let rules = match tags.get("Variant").map(String::as_str) {
        None | Some("Chess960") => &CHESS,
        Some(name) => Rules::named(name).expect("a game"),
    };
    let start = tags.get("FEN").map_or(rules.start, String::as_str);
    let mut game = Game::new(Position::from_fen(rules, start).expect("a position"));
    let (mut moves, mut comments) = (Vec::new(), Vec::new());
    let mut result = "";
    for (index, part) in text.split(['{', '}']).enumerate() {
        if index % 2 == 1 {
            comments.push(part.split_whitespace().collect::<Vec<_>>().join(" "));
            continue;
        }
        for word in part.split_whitespace().filter(|word| !word.ends_with('.')) {
            result = word;
            if !word.contains("1/2") && !["1-0", "0-1"].contains(&word) {
                let mv = game.position().parse_san(word);
                let mv = mv.unwrap_or_else(|error| panic!("{error}: {text}"));
                assert_eq!(game.position().san(mv), word);
                game.play(mv);
                moves.push(word.to_string());
            }
        }
    }
    assert_eq!(tags["Result"], result);
    assert_eq!(tags["PlyCount"], moves.len().to_string());
    Sheet {
        tags,
        moves,
        comments,
        game,
    }
}

/// Whoever plays itself with the same nodes plays both games of a pair alike.
#[test]
fn the_engine_plays_itself_and_the_games_can_be_read() {
    let rows = [
        ("gardner", "--variant gardner", 300, 6),
        ("", "", 200, 2),
        ("Chess960", "--chess960", 100, 2),
    ];
    for (variant, option, nodes, games) in rows {
        let folder = folder(&format!("self-{variant}"));
        let result = result(
            &folder,
            &format!(
                "self self {option} --nodes {nodes} --games {games} --concurrency 2 \
                 --each option.Hash=1 --each option.Endgames=false --pgn games.pgn --seed 5 \
                 --second name=other"
            ),
        );
        assert_eq!(result["games"], games);
        assert_eq!(result["pairs"], serde_json::json!([0, 0, games / 2, 0, 0]));
        assert_eq!(result["elo"][0], 0.0);
        assert_eq!(result["repeated_openings"], 0);
        for player in 0..2 {
            let player = &result["players"][player];
            assert_eq!(player["games"], games);
            assert_eq!(player["points"], f64::from(games) / 2.0);
            assert!(player["depth"].as_f64().is_some_and(|depth| depth > 1.0));
            assert!(
                player["nodes_per_second"]
                    .as_f64()
                    .is_some_and(|speed| speed > 1.0)
            );
            for kind in [
                "time_forfeit",
                "illegal_move",
                "crash",
                "hang",
                "illegal_lines",
            ] {
                assert_eq!(player[kind], 0, "{kind}: {player}");
            }
        }
        let sheets = read_games(&folder.join("games.pgn"));
        assert_eq!(sheets.len(), games as usize);
        let mut pairs: HashMap<&str, Vec<&Sheet>> = HashMap::new();
        for sheet in &sheets {
            check_sheet(sheet, variant, nodes);
            let (pair, _) = sheet.tag("Round").split_once('.').expect("a pair");
            pairs.entry(pair).or_default().push(sheet);
        }
        for pair in pairs.values() {
            assert_eq!(pair[0].moves, pair[1].moves);
            assert_eq!(pair[0].tag("FEN"), pair[1].tag("FEN"));
            assert_eq!(pair[0].tag("White"), pair[1].tag("Black"));
            assert_ne!(pair[0].tag("White"), pair[0].tag("Black"));
        }
    }
}

fn check_sheet(sheet: &Sheet, variant: &str, nodes: u64) {
    assert_eq!(sheet.tag("Termination"), "normal");
    assert_eq!(sheet.tag("TimeControl"), format!("{nodes} nodes"));
    assert_eq!(sheet.tag("Variant"), variant);
    let outcome = sheet.game.outcome().expect("the end of the game");
    let is_draw = sheet.tag("Result") == "1/2-1/2";
    assert_eq!(outcome == Outcome::Checkmate, !is_draw, "{outcome}");
    assert_eq!(sheet.comments.len(), sheet.moves.len());
    for comment in &sheet.comments {
        // As in {+0.25/14 0.120s}, with the reason after the last one.
        let (thought, seconds) = comment.split_once(' ').expect("two parts");
        let (score, depth) = thought.split_once('/').expect("score and depth");
        assert!(score.starts_with(['+', '-']), "{comment}");
        assert!(depth.parse::<u32>().is_ok(), "{comment}");
        let seconds = seconds
            .split(',')
            .next()
            .and_then(|part| part.strip_suffix('s'));
        assert!(
            seconds.is_some_and(|part| part.parse::<f64>().is_ok()),
            "{comment}"
        );
    }
    let last = sheet.comments.last().expect("a move");
    assert!(last.ends_with(&outcome.to_string()), "{last}");
}

/// Each kind of failure loses both games of a pair, is counted, and leaves no process behind.
#[test]
fn failures_are_counted_and_cost_the_game() {
    #[rustfmt::skip]
    let rows = [
        ("illegal_move", "rules infraction", "echo bestmove a1a1", "nodes=1", 60),
        ("illegal_move", "rules infraction", "echo bestmove", "nodes=1", 60),
        ("crash", "abandoned", "echo went wrong >&2; exit 3", "nodes=1", 60),
        ("hang", "abandoned", HANG, "nodes=1", 2),
        ("time_forfeit", "time forfeit", "sleep 0.4; echo bestmove a1a1", "movetime=50", 60),
    ];
    for (row, (kind, termination, think, limit, patience)) in rows.into_iter().enumerate() {
        let folder = folder(&format!("failure-{row}"));
        engine(&folder, "faulty", think);
        let result = result(
            &folder,
            &format!(
                "self ./faulty --variant gardner --nodes 1 --second {limit} --games 2 \
                 --patience {patience} --pgn games.pgn --first option.Endgames=false"
            ),
        );
        let faulty = &result["players"][1];
        for other in ["time_forfeit", "illegal_move", "crash", "hang"] {
            let expected = if other == kind { 2 } else { 0 };
            assert_eq!(faulty[other], expected, "{kind}: {result}");
            assert_eq!(result["players"][0][other], 0, "{kind}: {result}");
        }
        assert_eq!(result["pairs"], serde_json::json!([0, 0, 0, 0, 1]));
        assert_eq!(result["players"][0]["points"], 2.0);
        assert_eq!(result["elo"][0], Value::Null, "infinite");
        let notes = faulty["notes"].as_array().expect("notes");
        assert_eq!(notes.len(), 2, "{faulty}");
        if kind == "crash" {
            let note = notes[0].as_str().expect("words");
            assert!(
                note.contains("status: 3") && note.contains("went wrong"),
                "{note}"
            );
        }
        assert!(ended_processes(&folder) >= 2, "started again");
        let sheets = read_games(&folder.join("games.pgn"));
        assert_eq!(sheets.len(), 2);
        for sheet in &sheets {
            assert_eq!(sheet.tag("Termination"), termination);
            let winner = if sheet.tag("Result") == "1-0" {
                "White"
            } else {
                "Black"
            };
            assert_eq!(sheet.tag(winner), "self");
        }
    }
}

#[test]
fn illegal_lines_are_counted_and_cost_nothing() {
    let folder = folder("lines");
    let think = "echo info depth 7 score cp 12 nodes 5 pv a2a3 a2a3; echo bestmove a2a3";
    engine(&folder, "faulty", think);
    fs::write(
        folder.join("start.epd"),
        "rnbqk/ppppp/5/PPPPP/RNBQK w - - id \"start\";\n",
    )
    .expect("a writable folder");
    let result = result(
        &folder,
        "./faulty self --variant gardner --nodes 1 --games 4 --max-plies 1 --openings start.epd \
         --order sequential --pgn games.pgn --second option.Endgames=false",
    );
    let faulty = &result["players"][0];
    assert_eq!(faulty["illegal_lines"], 2);
    assert_eq!(faulty["depth"], 7.0);
    assert_eq!(result["players"][1]["illegal_lines"], 0);
    assert_eq!(result["draws"], 4);
    assert_eq!(result["repeated_openings"], 1);
    let sheets = read_games(&folder.join("games.pgn"));
    assert_eq!(sheets[0].comments[0].split(' ').next(), Some("+0.12/7"));
    assert_eq!(sheets[0].tag("Termination"), "adjudication");
    assert_eq!(sheets[0].tag("FEN"), "", "the start position");
    ended_processes(&folder);
}

#[test]
fn a_test_ends_the_match_when_it_is_decided() {
    let folder = folder("sprt");
    engine(&folder, "faulty", "echo bestmove a1a1");
    let result = result(
        &folder,
        "self ./faulty --nodes 1 --games 2000 --sprt 0,400,0.1,0.1",
    );
    assert_eq!(result["sprt"]["verdict"], "H1 accepted");
    let games = result["games"].as_u64().expect("a number");
    assert!((2..100).contains(&games), "{games}");
    assert_eq!(result["stopped"], false);
    let bounds = &result["sprt"]["bounds"];
    assert!(
        result["sprt"]["llr"].as_f64() >= bounds[1].as_f64(),
        "{result}"
    );
    ended_processes(&folder);
}

#[test]
fn one_that_always_fails_ends_the_match() {
    let folder = folder("always");
    engine(&folder, "faulty", "exit 1");
    let output = output(&folder, "self ./faulty --nodes 1 --random-plies 2");
    assert_eq!(output.status.code(), Some(1));
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(
        complaint.contains("faulty failed in 10 games in a row"),
        "{complaint}"
    );
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("self - faulty: +10 -0 =0"), "{said}");
    ended_processes(&folder);
}

/// The second game hangs; an interrupt drops it and keeps the first.
#[test]
fn an_interrupt_ends_everything_in_order() {
    let folder = folder("interrupt");
    let think = format!("if [ -e first ]; then {HANG}; else touch first; echo bestmove a1a1; fi");
    engine(&folder, "faulty", &think);
    let arguments = "self ./faulty --nodes 1 --concurrency 1 --pgn games.pgn";
    let mut child = tessera(&folder, arguments)
        .spawn()
        .expect("the program starts");
    let started = Instant::now();
    // The sleep of the second game is the third process.
    let processes =
        || fs::read_to_string(folder.join("pids")).map_or(0, |text| text.lines().count());
    while processes() < 3 {
        let is_early = started.elapsed() < Duration::from_secs(30);
        if !is_early {
            let _ = child.kill();
        }
        assert!(is_early, "the second game does not begin");
        thread::sleep(Duration::from_millis(10));
    }
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.expect("a shell command").success());
    let output = child.wait_with_output().expect("an end");
    assert!(started.elapsed() < Duration::from_mins(1));
    assert!(output.status.success(), "{:?}", output.status);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        said.contains("1 of 100 games") && said.contains(", stopped"),
        "{said}"
    );
    assert!(said.contains("+1 -0 =0"), "{said}");
    assert_eq!(ended_processes(&folder), 3);
    assert_eq!(read_games(&folder.join("games.pgn")).len(), 1);
}

#[test]
fn what_cannot_be_played_is_refused_before_the_first_game() {
    let folder = folder("refused");
    engine(&folder, "small", "echo bestmove a1a1");
    fs::write(folder.join("bad.epd"), "# one\n8/8/8/8/8/8/8/8 w - -\n").expect("a folder");
    #[rustfmt::skip]
    let rows = [
        ("self", 2, "match needs two players"),
        ("self self self", 2, "unexpected argument"),
        ("self self --frob", 2, "--frob"),
        ("self self --tc 8+x", 2, "--tc takes a clock such as 8+0.08"),
        ("self self --sprt 5,0", 2, "--sprt: the test needs a first claim below"),
        ("self self --sprt 5", 2, "--sprt takes ELO0,ELO1[,ALPHA,BETA]"),
        ("self self --draw 1,2", 2, "--draw takes FROM,MOVES,SCORE, not '1,2'"),
        ("self self --each colour=red", 2, "'colour=red' is not a setting"),
        ("self self --first nodes=0", 2, "nodes takes a number from 1 up"),
        ("self self --chess960 --variant gardner", 2, "--chess960 goes with chess"),
        ("self self --openings a --random-plies 2", 2, "does not go with --openings"),
        ("self self --openings bad.epd --order odd", 2, "--order is random or sequential"),
        ("self self --openings bad.epd", 1, "bad.epd, line 2: 0 white kings"),
        ("self self --openings none.epd", 1, "cannot read none.epd"),
        ("self self --pgn no/such/folder.pgn", 1, "cannot write no/such/folder.pgn"),
        ("self ./nobody", 1, "nobody: cannot start"),
        ("self self --second option.Frob=1", 1, "self 2: there is no option Frob"),
        ("self self --first option.Hash=0", 1, "self: Hash is from 1 to"),
        ("./small self --variant losalamos", 1, "small does not play losalamos: UCI_Variant is one of chess, gardner"),
        ("self ./small --chess960", 1, "small: there is no option UCI_Chess960"),
    ];
    for (arguments, code, message) in rows {
        let output = output(&folder, arguments);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(complaint.contains(message), "{arguments}: {complaint}");
        assert_eq!(output.status.code(), Some(code), "{arguments}");
        assert!(output.stdout.is_empty(), "{arguments}");
    }
    ended_processes(&folder);
}
