//! What no input may do: end the engine, hang it, or change anything without a word.
//!
//! After every line `isready` is answered within a second, the position is as before,
//! and a legal move is played.

#[path = "support/process.rs"]
mod process;

use std::time::{Duration, Instant};

use process::{Process, game, game_of};
use tessera::board::Rules;

/// Lines that are wrong: each is answered by an error.
#[rustfmt::skip]
const WRONG: [&str; 68] = [
    // The position command.
    "position", "position fen", "position nonsense", "position startpos move e2e4", "position moves e2e4",
    "position startpos startpos", "position fen startpos", "position fen moves e2e4", "position frc", "position frc 960",
    "position frc -1", "position frc x", "position dfrc 921600", "position frc 1 2", "position fen fen",
    // Moves.
    "position startpos moves e2e5", "position startpos moves e2e4 e2e4", "position startpos moves e7e5", "position startpos moves 0000",
    "position startpos moves e2e4q", "position startpos moves e2e4 e7e5 e1e3", "position startpos moves a1a1", "position startpos moves i1i2",
    "position startpos moves e2", "position startpos moves e2e9", "position startpos moves P@e4", "position startpos moves Nf3",
    "position startpos moves e2e4 moves e7e5", "position startpos moves \u{fffd}", "position startpos moves e2e4 (none)",
    "position startpos moves e1g1", "position startpos moves e2-e4",
    // Options.
    "setoption", "setoption name", "setoption name Frob", "setoption name Frob value 1", "setoption value 1", "setoption Hash 16",
    "setoption name Hash", "setoption name Hash value", "setoption name Hash value abc", "setoption name Hash value 0", "setoption name Hash value -1",
    "setoption name Hash value 99999999999999999999", "setoption name Hash value 16 MB", "setoption name Hash 16", "setoption name Threads value 0",
    "setoption name Threads value 100000", "setoption name MultiPV value zero", "setoption name UCI_Chess960 value maybe",
    "setoption name UCI_Variant value shogi", "setoption name UCI_EngineAbout value me", "setoption name Debug Log File value /",
    "setoption name Debug Log File value /no/such/folder/file", "setoption name Debug Log File value \u{1}/\u{2}",
    // Other commands.
    "go perft", "go perft 0", "go perft -1", "go perft 65", "go perft 99999999999999999999", "go perft x", "perft", "perft x",
    "bench x", "bench 0", "debug", "debug maybe", "help me",
];

/// FENs that are wrong, and a part of what is said about each.
#[rustfmt::skip]
const WRONG_FENS: [(&str, &str); 47] = [
    ("", "position takes"),
    ("8/8/8/8/8/8/8/8 w - - 0 1", "0 white kings"),
    ("4k3/8/8/8/8/8/8/8 w - - 0 1", "0 white kings"),
    ("8/8/8/8/8/8/8/4K3 w - - 0 1", "0 black kings"),
    ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "2 white kings"),
    ("3kk3/8/8/8/8/8/8/4K3 w - - 0 1", "2 black kings"),
    ("8/8/8/3kK3/8/8/8/8 w - - 0 1", ""),
    ("4k3/8/8/8/8/8/8/4K2r b - - 0 1", ""),
    ("4k2R/8/8/8/8/8/8/4K3 w - - 0 1", ""),
    ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", ""),
    ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", ""),
    ("p3k3/8/8/8/8/8/8/4K3 w - - 0 1", ""),
    ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", ""),
    ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", "pawns"),
    ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "pawns"),
    ("qqqqkqqq/qqqqqqqq/8/8/8/8/8/4K3 w - - 0 1", ""),
    ("4k3/8/8/8/8/8/QQQQQQQQ/QQQQKQQQ b - - 0 1", ""),
    ("nnnnnnnn/nnnnnnnn/nnnnnnnn/nnnknnnn/NNNKNNNN/NNNNNNNN/NNNNNNNN/NNNNNNNN w - - 0 1", ""),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", "ranks"),
    ("rnbqkbnr/pppppppp/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "ranks"),
    ("rnbqkbnr/pppppppp/8/8/8/7/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "files"),
    ("rnbqkbnr/pppppppp/8/8/8/9/PPPPPPPP/RNBQKBNR w KQkq - 0 1", ""),
    ("rnbqkbnr/pppppppp/8/8/8/81/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "files"),
    ("rnbqkbnr/pppppppp/8/8/8/0/PPPPPPPP/RNBQKBNR w KQkq - 0 1", ""),
    ("rnbqkbnr/pppppppp/8/8/8/44444444/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "files"),
    ("rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "'x'"),
    ("rnbqkbnr/pppp ppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", ""),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "fields"),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", ""),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR W KQkq - 0 1", ""),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w XYZ! - 0 1", ""),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq z9 0 1", ""),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e 0 1", ""),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - x 1", ""),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 x", ""),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -5 1", ""),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 2", "fields"),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w KQkq - 0 1", ""),
    ("////////////////////////////// w - - 0 1", ""),
    ("the quick brown fox jumps over", ""),
    ("rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1", "ranks"),
    ("ＲＮＢ/8/8/8/8/8/8/8 w - - 0 1", ""),
    ("kkkkkkkk/88888888/8/8/8/8/8/8 w - - 0 1", ""),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN~ w - - 0 1", ""),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1", ""),
    ("-1/8/8/8/8/8/8/8 w - - 0 1", ""),
    ("8/8/8/8/8/8/8/8", ""),
];

/// Lines that are no commands, or mean something in spite of how they look. Nothing is
/// said about them.
#[rustfmt::skip]
const IGNORED: [&str; 22] = [
    "", " ", "\t", "foo", "foo bar baz", "\u{feff}", "\0", "\0\0\0", "isreadyfoo", "ucinewgamex", "bestmove e2e4", "info depth 5 score cp 3 pv e2e4",
    "info string stop", "id name stop", "readyok", "uciok", "option name go type button", "ponder", "depth 5", "=", "\u{1b}[A", "🦀 ♞",
];

/// FENs with slips that do no harm: understood, and played from.
#[rustfmt::skip]
const REPAIRED: [&str; 13] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1",
    "4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1",
    "4k3/8/8/8/8/8/8/4K3 b KQkq - 0 0",
    "4k3/8/8/8/8/8/8/4K2R w K - 120 200",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "8/8/8/8/4Pp2/8/8/k1K4R b - e3 0 1",
    "2r3k1/1q1nbppp/r3p3/3pP3/pPpP4/P1Q2N2/2RN1PPP/2R4K b - b3 0 23",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 65535",
    "4k3/8/8/8/8/8/8/4K3 w - - 99999999999999999999 99999999999999999999",
];

/// Sets up a known position, sends something, and checks that all is as it was.
fn unharmed(process: &mut Process, bytes: &[u8]) -> Vec<String> {
    let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(100)]).into_owned();
    process.send("position startpos moves e2e4");
    process.send_bytes(bytes);
    process.send_bytes(b"\nisready\n");
    let started = Instant::now();
    let mut said = process.until("readyok");
    assert!(started.elapsed() < Duration::from_secs(1), "{shown:?}");
    said.pop();
    let board = process.ask("d");
    let fen = "Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert!(board.iter().any(|line| line == fen), "{shown:?}: {board:?}");
    process.search("go depth 2").check(&game("e2e4"), false);
    said
}

#[test]
fn wrong_lines_are_answered_by_an_error_and_change_nothing() {
    let mut process = Process::start();
    for line in WRONG {
        for end in ["", " ", "\r", "\t \r"] {
            let said = unharmed(&mut process, format!("{line}{end}").as_bytes());
            assert_eq!(said.len(), 1, "{line:?}: {said:?}");
            assert!(
                said[0].starts_with("info string error: "),
                "{line:?}: {said:?}"
            );
        }
    }
    process.quit();
}

#[test]
fn wrong_fens_are_explained_and_change_nothing() {
    let mut process = Process::start();
    for (fen, part) in WRONG_FENS {
        let said = unharmed(&mut process, format!("position fen {fen}").as_bytes());
        assert_eq!(said.len(), 1, "{fen:?}: {said:?}");
        assert!(
            said[0].starts_with("info string error: "),
            "{fen:?}: {said:?}"
        );
        assert!(said[0].contains(part), "{fen:?}: {said:?}");
    }
    process.quit();
}

#[test]
fn what_is_no_command_is_ignored() {
    let mut process = Process::start();
    for line in IGNORED {
        let said = unharmed(&mut process, line.as_bytes());
        assert!(said.is_empty(), "{line:?}: {said:?}");
    }
    // Unknown words before a command are skipped.
    for line in ["joho isready", "\u{feff}isready", "isready now", "IsReady"] {
        process.send(line);
        process.until("readyok");
    }
    assert!(!process.ask("joho setoption name Frob").is_empty());
    process.quit();
}

#[test]
fn bytes_that_are_no_text_are_survived() {
    let mut process = Process::start();
    let all: Vec<u8> = (0..=255).filter(|byte| *byte != b'\n').collect();
    let inputs: [&[u8]; 8] = [
        &all,
        b"\xff\xfe\xfd",
        b"position startpos moves \xff\xfe",
        b"setoption name \xc3\x28 value \xa0\xa1",
        b"go depth \xf0\x28\x8c\x28 nodes 50\nwait",
        b"\0isready\0",
        b"\xc0\x80quit",
        b"position fen \xf5\x80\x80\x80",
    ];
    for input in inputs {
        still_answers(&mut process, input);
    }
    process.quit();
}

/// After input that may contain any command, the engine still answers.
fn still_answers(process: &mut Process, bytes: &[u8]) {
    process.send_bytes(bytes);
    process.send_bytes(b"\nstop\nisready\n");
    process.until("readyok");
    process.send("wait\nucinewgame\nposition startpos");
    process.search("go depth 1\nwait");
    process.ask("");
}

#[test]
fn long_lines_are_survived() {
    let mut process = Process::start();
    for length in [1 << 16, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 9 << 20] {
        let said = unharmed(&mut process, &vec![b'a'; length]);
        assert_eq!(
            said.len(),
            usize::from(length > 1 << 20),
            "{length}: {said:?}"
        );
    }
    for word in ["e2e4 ", "position ", "go ", "setoption name ", "moves "] {
        let line = format!("position startpos moves {}", word.repeat(100_000));
        process.send_bytes(line.as_bytes());
        assert_eq!(process.ask("\n").len(), 1, "{word:?}");
    }
    process.quit();
}

#[test]
fn harmless_slips_are_repaired() {
    let mut process = Process::start();
    for fen in REPAIRED {
        let said = process.ask(&format!("position fen {fen}"));
        assert!(said.is_empty(), "{fen}: {said:?}");
        let game = game_of(&tessera::board::CHESS, fen, "");
        process.search("go depth 2").check(&game, false);
    }
    process.quit();
}

/// On each board the FENs of all others of another size are wrong.
#[test]
fn positions_of_other_boards_are_refused() {
    let mut process = Process::start();
    for rules in Rules::ALL {
        process.ask(&format!("setoption name UCI_Variant value {}", rules.name));
        for other in Rules::ALL {
            let said = process.ask(&format!("position fen {}", other.start));
            let is_other = (rules.files, rules.ranks) != (other.files, other.ranks);
            assert!(
                !is_other || said.len() == 1,
                "{} {}: {said:?}",
                rules.name,
                other.name
            );
        }
        process.send("position startpos");
        process
            .search("go depth 2")
            .check(&game_of(rules, rules.start, ""), false);
    }
    process.quit();
}

/// Faults that were found once, by what broke.
mod regressions {
    use super::*;

    /// The crate that reads sentences panics on a blank after `go` and on numbers beyond a
    /// byte; both come from real GUIs.
    #[test]
    fn blanks_and_numbers_killed_the_parser() {
        let mut process = Process::start();
        for go in [
            "go ",
            "go infinite ",
            "go depth 256",
            "go mate 300",
            "go wtime 9 btime 9 movestogo 256",
        ] {
            process.send(go);
            process.send("stop");
            process.until("bestmove");
        }
        process.quit();
    }

    #[test]
    fn quit_was_swallowed_behind_a_count_or_a_wait() {
        for script in [
            "go infinite\nwait",
            "go infinite\nperft 2",
            "go infinite\nbench 1",
            "perft 3\ngo infinite",
            "bench 1\ngo infinite",
            "perft 3\ngo depth 90",
            "go ponder\nperft 1\ngo ponder\nwait\ngo infinite",
        ] {
            let mut process = Process::start();
            process.send(script);
            let started = Instant::now();
            let lines = process.quit();
            assert!(started.elapsed() < Duration::from_secs(10), "{script}");
            let answers = lines
                .iter()
                .filter(|line| line.starts_with("bestmove "))
                .count();
            assert_eq!(
                answers,
                script.matches("go ").count(),
                "{script}: {lines:?}"
            );
        }
        // What is waited for comes to its end, and `quit` said twice does not wait.
        let mut process = Process::start();
        process.send("go depth 5\nwait\nperft 3");
        let lines = process.quit();
        assert!(
            lines.iter().any(|line| line.starts_with("info depth 5 ")),
            "{lines:?}"
        );
        assert!(
            lines.contains(&"Nodes searched: 8902".to_string()),
            "{lines:?}"
        );
        let mut process = Process::start();
        process.send("perft 20\nquit");
        let started = Instant::now();
        process.quit();
        assert!(started.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn ponderhit_was_eaten_by_a_search_already_stopped() {
        let mut process = Process::start();
        let ponder = "go ponder wtime 1000 btime 1000";
        process.send(&format!("{ponder}\nstop\n{ponder}\nponderhit"));
        process.until("bestmove");
        process.until("bestmove");
        process.send("go infinite\ngo ponder depth 3\nstop\ngo ponder depth 3\nponderhit");
        for _ in 0..3 {
            process.until("bestmove");
        }
        process.quit();
    }

    #[test]
    fn ponderhit_let_the_answer_of_an_infinite_search_go() {
        let mut process = Process::start();
        for go in ["go infinite ponder depth 2", "go ponder"] {
            process.send(go);
            process.send("ponderhit");
            let lines = process.during(Duration::from_millis(100));
            assert!(
                !lines.iter().any(|line| line.starts_with("bestmove")),
                "{lines:?}"
            );
            process.send("stop");
            process.until("bestmove");
        }
        process.quit();
    }

    #[test]
    fn lines_were_out_of_order_when_no_depth_was_completed() {
        let mut process = Process::start();
        process.send("setoption name MultiPV value 20");
        process.send("position fen 8/8/8/8/8/2Q2K2/2kP4/8 b - - 50 1 moves c2d1 f3g4 d1e1 g4f3 e1f1 c3c5 f1e1 c5c8 e1f1");
        let answer = process.search("go nodes 1");
        assert_eq!(answer.best, "c8c1");
        assert_eq!(answer.last().score, "mate 1");
        process.send("position startpos");
        let answer = process.search("go nodes 1");
        let score = |info: &process::Info| info.score[3..].parse::<i32>().expect("a number");
        let scores: Vec<i32> = answer.infos.iter().map(score).collect();
        assert!(
            scores.is_sorted_by(|a, b| a >= b) && scores.len() == 20,
            "{scores:?}"
        );
        process.quit();
    }

    /// The same nodes twice, in every line that is printed.
    #[test]
    fn what_was_printed_depended_on_the_time_of_day() {
        let mut process = Process::start();
        let mut passes = Vec::new();
        for _ in 0..2 {
            process.send("ucinewgame");
            let mut lines = Vec::new();
            let mut nodes = 100;
            for _ in 0..14 {
                process.send("position startpos moves d2d4 d7d5");
                let answer = process.search(&format!("go nodes {nodes}"));
                lines.extend(answer.infos.iter().map(|info| (info.depth, info.nodes)));
                nodes += nodes / 2;
            }
            passes.push(lines);
        }
        assert_eq!(passes[0], passes[1]);
        process.quit();
    }

    #[test]
    fn a_pipe_as_log_file_hung_the_engine() {
        let mut process = Process::start();
        for path in ["/dev/stdin", "/dev/stdout", "/dev/full", "/tmp"] {
            let lines = process.ask(&format!("setoption name Debug Log File value {path}"));
            assert_eq!(lines.len(), 1, "{path}: {lines:?}");
        }
        process.quit();
    }

    /// `quit` did not end a program whose output nobody read.
    #[test]
    fn an_output_that_nobody_reads_kept_it_alive() {
        use std::io::Write;
        use std::process::{Command, Stdio};
        let mut child = Command::new(env!("CARGO_BIN_EXE_tessera"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut input = child.stdin.take().expect("piped");
        // More than a pipe holds.
        let script = "uci\n".repeat(200) + "quit\n";
        input.write_all(script.as_bytes()).expect("written");
        let started = Instant::now();
        while child.try_wait().expect("a status").is_none() {
            assert!(started.elapsed() < Duration::from_secs(30), "hangs");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// One `stop` looked at every command that waited.
    #[test]
    fn storms_of_searches_are_answered_in_time() {
        let mut process = Process::start();
        process.send("go infinite");
        process.send(&"go\n".repeat(20_000));
        process.send(&"stop\n".repeat(2000));
        for _ in 0..20_001 {
            process.until("bestmove");
        }
        process.quit();
    }

    #[test]
    fn a_long_line_of_nonsense_is_answered_in_a_few_words() {
        let mut process = Process::start();
        for line in [
            format!("go depth 1 searchmoves {}", "e2e5 ".repeat(200_000)),
            format!("go depth 1 {}", "nodes x ".repeat(100_000)),
            format!("help {}", "a ".repeat(400_000)),
            format!(
                "setoption name Debug Log File value /{}",
                "a/ ".repeat(300_000)
            ),
            format!("validate {}", "a/ ".repeat(300_000)),
        ] {
            process.send(&line);
            process.send("isready\nstop\nwait\nisready");
            let lines = [process.until("readyok"), process.until("readyok")].concat();
            let length: usize = lines.iter().map(String::len).sum();
            assert!(length < 5000, "{length}: {line:.200}");
        }
        process.quit();
    }
}
