//! `tessera analyse` on files of every kind: what it writes, what it says about bad input, and
//! that an interruption anywhere changes nothing.

mod support;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use support::{Dice, random_start};
use tessera::board::{CHESS, Game, Rules};
use tessera::tools::pgn::read::Reader;
use tessera::tools::pgn::{Played, Record};

/// A place for files that is gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("analyse-{name}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.0.join(name), text).expect("writable");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn has(&self, name: &str) -> bool {
        self.0.join(name).exists()
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tessera"));
        command
            .arg("analyse")
            .args(arguments.split_whitespace())
            .current_dir(&self.0)
            .stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &str) -> Output {
        self.command(arguments).output().expect("the program runs")
    }

    /// Runs to success, and returns what is printed.
    fn good(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments}: {}", stderr(&output));
        String::from_utf8(output.stdout).expect("UTF-8")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Random games of chess.
fn games(count: usize, plies: usize) -> String {
    games_of(&["chess"], count, plies)
}

/// Random games, of these boards in turn. Endgame tables are made first where a board is small,
/// so most tests do without.
fn games_of(boards: &[&str], count: usize, plies: usize) -> String {
    let dice = &mut Dice::new(7);
    let mut text = String::new();
    for number in 0..count {
        let rules = Rules::named(boards[number % boards.len()]).expect("a game");
        let mut record = Record::new(random_start(rules, dice));
        record.set_tag("White", "A");
        record.set_tag("Black", "B");
        record.set_tag("Variant", rules.name);
        record.set_tag("FEN", record.start.fen());
        let mut game = Game::new(record.start);
        while record.moves.len() < plies && game.outcome().is_none() {
            let moves = game.position().legal_moves();
            let mv = moves[dice.below(moves.len())];
            record.moves.push(Played::new(mv));
            game.play(mv);
        }
        let _ = write!(text, "{record}");
    }
    text
}

const FOOLS_MATE: &str = "[White \"W\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n\
    1. f3 {[%eval 9.99] [%clk 0:01:00] hm} e5 2. g4 $3 (2. e4 {better}) 2... Qh4# {[%clk 0:00:09]} 0-1\n";

#[test]
fn a_game_gets_evaluations_judgements_and_better_lines() {
    let folder = Folder::new("game");
    folder.write("fool.pgn", FOOLS_MATE);
    let text = folder.good("fool.pgn --depth 6 --lines 2");
    let records: Vec<Record> = Reader::new(text.as_bytes(), &CHESS)
        .map(|game| game.expect("sound").record)
        .collect();
    assert_eq!(records.len(), 1, "{text}");
    let record = &records[0];
    assert!(
        record
            .tag("Annotator")
            .is_some_and(|name| name.contains("depth 6"))
    );
    let [first, second, third, last] = &record.moves[..] else {
        panic!("{text}");
    };
    assert!(first.comment.starts_with("[%eval -") && first.comment.ends_with("[%clk 0:01:00] hm"));
    assert!(!first.comment.contains("9.99"), "{text}");
    assert!(second.comment.starts_with("[%eval ") && second.glyphs.is_empty());
    assert_eq!(third.comment, "[%eval #-1]");
    assert_eq!(third.glyphs, [3, 4], "the blunder, and what others said");
    assert_eq!(third.asides[0], "2. e4 {better}");
    assert_eq!(third.asides.len(), 3, "two better lines: {text}");
    assert_eq!(last.comment, "[%clk 0:00:09]", "a mate has no evaluation");
}

#[test]
fn rows_get_what_was_found() {
    let folder = Folder::new("rows");
    let mate = "6k1/5ppp/8/8/8/8/8/R3K3 w Q -";
    folder.write(
        "x.epd",
        format!("{mate} id \"a\"; c0 \"b;c\";\n# no\n7k/5Q2/6K1/8/8/8/8/8 b - - 3 9\n"),
    );
    let text = folder.good("x.epd --nodes 2000");
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows.len(), 2, "{text}");
    assert!(
        rows[0].starts_with(&format!("{mate} id \"a\"; c0 \"b;c\"; acd ")),
        "{text}"
    );
    assert!(rows[0].ends_with("ce 32766; bm Ra8#; pv Ra8#;"), "{text}");
    assert_eq!(
        rows[1],
        "7k/5Q2/6K1/8/8/8/8/8 b - - hmvc 3; fmvn 9; acd 0; acn 0; ce 0;"
    );
    // The same on standard input, and in the other formats.
    let mut command = folder.command("- --nodes 2000 --format jsonl");
    let child = command.stdin(fs::File::open(folder.0.join("x.epd")).expect("a file"));
    let text = String::from_utf8(child.output().expect("it runs").stdout).expect("UTF-8");
    let objects: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(objects[0]["mate"], 1);
    assert_eq!(objects[0]["lines"][0]["san"][0], "Ra8#");
    assert_eq!(objects[1]["cp"], 0);
    let text = folder.good("x.epd --nodes 2000 --format csv");
    let table: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert!(
        table.len() == 3 && table.iter().all(|row| row.len() == table[0].len()),
        "{text}"
    );
    assert!(
        folder
            .good("x.epd --nodes 2000 --format pgn")
            .contains("{[%eval #1] 1. Ra8#}")
    );
    // Compact boards, by name of the file or by option.
    let gardner = "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1\n";
    folder.write("gardner.epd", gardner);
    folder.write("other.epd", gardner);
    assert_eq!(folder.good("gardner.epd --nodes 100").lines().count(), 1);
    assert_eq!(
        folder
            .good("other.epd --nodes 100 --variant gardner")
            .lines()
            .count(),
        1
    );
    assert_eq!(folder.run("other.epd --nodes 100").status.code(), Some(1));
}

#[test]
fn questions_are_marked() {
    let folder = Folder::new("suite");
    folder.write(
        "suite.epd",
        "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; id \"mate\";\n\
         6k1/5ppp/8/8/8/8/8/R3K3 w Q - am Ra8#; id \"never\";\n\
         6k1/5ppp/8/8/8/8/8/R3K3 w Q - id \"no question\";\n\
         6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra9; id \"no move\";\n",
    );
    let output = folder.run("suite.epd --suite --nodes 3000");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("solved 1 of 2"), "{text}");
    assert!(
        text.lines()
            .any(|line| line.starts_with("never") && line.contains("missed"))
    );
    let complaints = stderr(&output);
    assert!(
        complaints.contains("suite.epd:3: neither bm nor am"),
        "{complaints}"
    );
    assert!(
        complaints.contains("suite.epd:4: bm: \"Ra9\" is not a move"),
        "{complaints}"
    );
}

#[test]
fn bad_input_is_named_and_the_rest_is_analysed() {
    let folder = Folder::new("bad");
    let good = "[Event \"x\"]\n\n1. e4 e5 *\n\n";
    folder.write(
        "bad.pgn",
        format!("{good}[Event \"y\"]\n\n1. e4 Ke6 *\n\n{good}[Variant \"shogi\"]\n\n*\n\n{good}[Result \"1-0\"]\n\n1. e"),
    );
    folder.write("bad.epd", format!("nonsense/8 w - -\n{}\n", CHESS.start));
    let output =
        folder.run("bad.pgn . no-such-file bad.epd --nodes 100 --out out.pgn --format pgn");
    assert_eq!(output.status.code(), Some(1));
    let complaints = stderr(&output);
    for part in [
        "bad.pgn:7: game 2: move 1... Ke6 is not legal here",
        "bad.pgn:13: game 4: unknown variant \"shogi\"",
        "bad.pgn:23: game 6: move 1. \"e\" is not a move",
        "\n.: ",
        "no-such-file: ",
        "bad.epd:1: ",
        "6 left out",
    ] {
        assert!(complaints.contains(part), "{part:?} is not in {complaints}");
    }
    assert_eq!(folder.read("out.pgn").matches("1. e4 {").count(), 3);
    for (arguments, code) in [
        ("", 2),
        ("bad.pgn --depth 0", 2),
        ("bad.pgn --format xml", 2),
        ("bad.pgn --variant shogi", 2),
        ("bad.pgn --resume", 2),
        ("bad.pgn --frob", 2),
        ("bad.pgn --out no/such/folder/x", 1),
        ("bad.pgn --svg bad.epd", 1),
        ("bad.pgn --out bad.pgn", 1),
        ("bad.pgn --html out.html --journal bad.epd", 1),
        ("bad.pgn --nodes 1 --threads 999999 --lines 999999", 1),
    ] {
        let output = folder.run(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments}");
        assert!(!stderr(&output).contains("panicked"), "{arguments}");
    }
    assert!(
        folder.read("bad.pgn").starts_with(good),
        "the input is as it was"
    );
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let folder = Folder::new("threads");
    folder.write(
        "in.pgn",
        games_of(&["chess", "microchess", "4x5chess"], 24, 40),
    );
    let one = folder.good("in.pgn --nodes 200 --threads 1 --format jsonl");
    let three = folder.good("in.pgn --nodes 200 --threads 3 --format jsonl");
    assert!(one == three && one.lines().count() > 500);
}

const KILLED: &str = "in.pgn --nodes 400 --threads 2 --out out.pgn --html page.html --svg graphs";

/// The process is killed at twenty different moments, and goes on each time.
#[test]
fn killed_anywhere_it_goes_on_to_the_same_end() {
    let folder = Folder::new("killed");
    folder.write("in.pgn", games(36, 60));
    let whole = Folder::new("whole");
    whole.write("in.pgn", games(36, 60));
    whole.good(KILLED);
    assert!(!whole.has("out.pgn.journal"), "removed when all is done");
    let mut kills = 0;
    for attempt in 0..20 {
        let mut child = folder
            .command(&format!("{KILLED} --resume"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        thread::sleep(Duration::from_millis(5 + 7 * attempt));
        child.kill().expect("it is killed");
        kills += u32::from(!child.wait().expect("it ends").success());
        if !folder.has("out.pgn.journal") && folder.has("out.pgn") {
            break;
        }
    }
    assert!(kills >= 5, "too fast to be killed");
    folder.good(&format!("{KILLED} --resume"));
    for name in [
        "out.pgn",
        "page.html",
        "graphs/game-0001.svg",
        "graphs/game-0036.svg",
    ] {
        assert!(folder.read(name) == whole.read(name), "{name} differs");
    }
    assert!(!folder.has("out.pgn.journal"));
}

#[test]
fn a_journal_is_asked_before_anything_is_searched_again() {
    let folder = Folder::new("journal");
    folder.write("in.pgn", games(3, 20));
    folder.good("in.pgn --nodes 300 --out out.pgn --journal j");
    let first = folder.read("out.pgn");
    let lines = folder.read("j").lines().count();
    // Other outputs from the same findings: nothing is added.
    folder.good("in.pgn --nodes 300 --out out.csv --format csv --journal j");
    assert_eq!(folder.read("j").lines().count(), lines);
    // Another analysis is refused, and one that was interrupted is not overwritten.
    assert_eq!(
        folder
            .run("in.pgn --nodes 301 --out out.pgn --journal j")
            .status
            .code(),
        Some(1)
    );
    fs::rename(folder.0.join("j"), folder.0.join("out.pgn.journal")).expect("a file");
    let refused = folder.run("in.pgn --nodes 300 --out out.pgn");
    assert!(stderr(&refused).contains("--resume") && refused.status.code() == Some(1));
    folder.good("in.pgn --nodes 300 --out out.pgn --resume");
    assert_eq!(folder.read("out.pgn"), first);
    // Where a game has changed, what was found of the old one is not used.
    folder.good("in.pgn --nodes 300 --out out.pgn --journal j");
    let others = games(6, 20);
    let start = others.len() / 2;
    let place = others[start..].find("[White").expect("a game") + start;
    folder.write("in.pgn", &others[place..]);
    folder.good("in.pgn --nodes 300 --out new.pgn --journal j");
    folder.good("in.pgn --nodes 300 --out alone.pgn");
    assert_eq!(folder.read("new.pgn"), folder.read("alone.pgn"));
}

#[test]
fn the_page_needs_no_network_and_holds_every_game() {
    let folder = Folder::new("page");
    let nasty = FOOLS_MATE.replace("\"W\"", "\"</script><b>&\"");
    let games = games_of(&["chess", "microchess"], 12, 12);
    folder.write("in.pgn", format!("{nasty}\n{games}"));
    folder.write("rows.epd", format!("{} id \"row\";\n", CHESS.start));
    folder.good("in.pgn rows.epd --nodes 100 --html page.html");
    let page = folder.read("page.html");
    assert_eq!(page.matches("</script>").count(), 1);
    for outside in ["src=", "url(", "@import", "fetch(", "https://"] {
        assert!(!page.contains(outside), "{outside}");
    }
    let start = page.find("const games = [").expect("the games") + "const games = ".len();
    let end = page.find("];\nconst summary").expect("their end");
    let list = page[start..end]
        .trim_end()
        .trim_end_matches(',')
        .to_string()
        + "]";
    let list: serde_json::Value = serde_json::from_str(&list).expect("JSON");
    let list = list.as_array().expect("a list");
    assert_eq!(list.len(), 14);
    assert_eq!(list[0]["players"][0], "</script><b>&");
    for game in list {
        let moves = game["moves"].as_array().expect("moves").len();
        assert_eq!(
            game["positions"].as_array().expect("positions").len(),
            moves + 1
        );
    }
}

/// A thousand games, and memory for a few: `cargo test --test analyse -- --ignored`.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "measures memory"]
fn a_thousand_games_need_no_more_memory_than_three_hundred() {
    let folder = Folder::new("memory");
    let peak = |count: usize| {
        folder.write("in.pgn", games(count, 60));
        let mut child = folder
            .command("in.pgn --nodes 50 --threads 2 --out out.pgn --html page.html")
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts");
        let (mut peak, status) = (0, format!("/proc/{}/status", child.id()));
        while child.try_wait().expect("it can be asked").is_none() {
            let text = fs::read_to_string(&status).unwrap_or_default();
            let line = text.lines().find(|line| line.starts_with("VmHWM"));
            let number = line.and_then(|line| line.split_whitespace().nth(1));
            peak = peak.max(number.and_then(|number| number.parse().ok()).unwrap_or(0));
            thread::sleep(Duration::from_millis(5));
        }
        peak
    };
    let (few, many): (u64, u64) = (peak(300), peak(1000));
    println!("{few} kB for 300 games, {many} kB for 1,000");
    assert!(many < few + few / 5);
}

#[test]
fn what_is_written_says_which_game_it_is() {
    let folder = Folder::new("named");
    folder.write("gardner.pgn", "1. a3 b3 *\n");
    let text = folder.good("gardner.pgn --nodes 100");
    assert!(text.contains("[Variant \"gardner\"]"), "{text}");
    folder.write("again.pgn", &text);
    let again = folder.good("again.pgn --nodes 100");
    assert_eq!(again, text);
}

#[test]
fn nobody_has_to_listen() {
    let folder = Folder::new("deaf");
    folder.write("games.pgn", "1. e4 *\n\n1. e5 *\n\n1. e6 *\n\n1. d4 *\n");
    // Complaints that nobody reads stop nothing.
    let mut deaf = folder.command("games.pgn --nodes 100 --out out.pgn");
    let mut deaf = deaf
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    drop(deaf.stderr.take());
    assert_eq!(deaf.wait().expect("an end").code(), Some(1));
    assert_eq!(folder.read("out.pgn").matches("[%eval").count(), 2);
    // A page is written to its end, also when nobody reads the text.
    let mut deaf = folder.command("games.pgn --nodes 100 --html page.html --format pgn");
    let deaf = deaf.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut deaf = deaf.spawn().expect("the program runs");
    drop(deaf.stdout.take());
    assert_eq!(deaf.wait().expect("an end").code(), Some(1));
    assert!(folder.read("page.html").trim_end().ends_with("</html>"));
}
