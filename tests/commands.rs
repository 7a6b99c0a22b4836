//! Lines and what they are understood as: above all those that the crate vampirc-uci
//! gets wrong by itself. Each hole has its name here.

use tessera::uci::{Command, Go, Setup, parse};

fn go(line: &str) -> Go {
    match parse(line) {
        Ok(Some(Command::Go(go))) => *go,
        other => panic!("{line:?} is {other:?}"),
    }
}

fn position(line: &str) -> (Setup, Vec<String>) {
    match parse(line) {
        Ok(Some(Command::Position { setup, moves })) => (setup, moves),
        other => panic!("{line:?} is {other:?}"),
    }
}

fn option(line: &str) -> (String, Option<String>) {
    match parse(line) {
        Ok(Some(Command::SetOption { name, value })) => (name, value),
        other => panic!("{line:?} is {other:?}"),
    }
}

#[test]
fn hole_a_blank_after_go_panics() {
    for line in ["go ", "go  ", "go\n", "go \n", "go \r\n"] {
        assert_eq!(go(line), Go::default());
    }
    for line in ["go depth 10 ", "go depth 10 \n", "go depth 10\r"] {
        assert_eq!(go(line).depth, Some(10));
    }
    assert!(go("go infinite ").infinite);
}

#[test]
fn hole_numbers_beyond_a_byte_panic() {
    assert_eq!(go("go depth 256").depth, Some(255));
    assert_eq!(go("go depth 999").depth, Some(255));
    assert_eq!(go("go mate 300").mate, Some(255));
    assert_eq!(go("go wtime 1 movestogo 256").moves_to_go, Some(255));
}

#[test]
fn hole_long_numbers_are_cut() {
    assert_eq!(go("go depth 1000").depth, Some(255), "not 100");
    assert_eq!(go("go nodes 1000000000000").nodes, Some(999_999_999_999));
    assert_eq!(
        go("go nodes 18446744073709551616").nodes,
        Some(999_999_999_999)
    );
    let clocks = go("go wtime 1234567890123 btime 1000");
    assert_eq!(clocks.time, [Some(999_999_999_999), Some(1000)]);
}

#[test]
fn hole_only_one_time_control_survives() {
    let both = go("go ponder wtime 1000 btime 2000");
    assert!(both.ponder);
    assert_eq!(both.time, [Some(1000), Some(2000)]);
    let both = go("go wtime 1000 btime 1000 movetime 100");
    assert_eq!((both.time[0], both.move_time), (Some(1000), Some(100)));
    let both = go("go ponder movetime 100");
    assert_eq!((both.ponder, both.move_time), (true, Some(100)));
    let both = go("go infinite movetime 5");
    assert_eq!((both.infinite, both.move_time), (true, Some(5)));
}

#[test]
fn hole_unknown_words_end_the_line() {
    assert_eq!(go("go foo depth 5").depth, Some(5));
    assert_eq!(go("go movetim 1000").unknown.as_deref(), Some("movetim"));
    let both = go("go depth 5 foo 7 nodes 100");
    assert_eq!((both.depth, both.nodes), (Some(5), Some(100)));
    assert_eq!(parse("joho debug on"), Ok(Some(Command::Debug(true))));
    assert_eq!(parse("uci foo"), Ok(Some(Command::Uci)));
    assert_eq!(parse("stop now"), Ok(Some(Command::Stop)));
}

#[test]
fn hole_negative_and_missing_numbers() {
    let clocks = go("go wtime -50 btime 1000 winc -3");
    assert_eq!(clocks.time, [Some(-50), Some(1000)]);
    assert_eq!(clocks.increment[0], Some(0));
    assert_eq!(go("go depth -1").depth, Some(1));
    assert_eq!(go("go nodes -5").nodes, Some(1));
    for line in [
        "go depth",
        "go depth abc",
        "go depth 1.5",
        "go depth --5",
        "go depth ²",
    ] {
        assert_eq!(go(line).problems.len(), 1, "{line}");
        assert_eq!(go(line).depth, None, "{line}");
    }
    let next = go("go depth nodes 7");
    assert_eq!((next.nodes, next.problems.len()), (Some(7), 1));
}

#[test]
fn hole_searchmoves_swallow_what_follows_or_fail() {
    let both = go("go searchmoves e2e4 d2d4 depth 5");
    assert_eq!(both.search_moves, ["e2e4", "d2d4"]);
    assert_eq!(both.depth, Some(5));
    let odd = go("go depth 2 searchmoves E2E4 0000 e7e8k zz9");
    assert_eq!(odd.search_moves, ["e2e4", "0000", "e7e8k", "zz9"]);
}

#[test]
fn hole_perft_is_not_in_the_grammar() {
    assert_eq!(parse("go perft 5"), Ok(Some(Command::Perft(5))));
    assert_eq!(parse("perft 5"), Ok(Some(Command::Perft(5))));
    assert!(parse("go perft").is_err() && parse("perft 0").is_err());
}

#[test]
fn hole_blanks_between_moves_lose_them() {
    let (setup, moves) = position("position startpos moves  e2e4 e7e5");
    assert_eq!(setup, Setup::Start);
    assert_eq!(moves, ["e2e4", "e7e5"]);
    assert_eq!(position("position\tstartpos   moves\te2e4").1, ["e2e4"]);
    assert_eq!(position("position startpos moves").1, Vec::<String>::new());
}

#[test]
fn hole_odd_moves_cut_the_list() {
    for odd in ["0000", "e7e8k", "P@e4", "e2e9", "i1i2"] {
        let (_, moves) = position(&format!("position startpos moves e2e4 {odd} e7e5"));
        assert_eq!(moves, ["e2e4", &odd.to_lowercase(), "e7e5"]);
    }
    assert_eq!(
        position("position startpos moves E2E4 E7E8Q").1,
        ["e2e4", "e7e8q"]
    );
}

#[test]
fn hole_fens_of_other_shapes() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
        "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1",
        "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 10000 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 12345",
    ] {
        let (setup, moves) = position(&format!("position fen {fen} moves e2e4"));
        assert_eq!(setup, Setup::Fen(fen.to_string()));
        assert_eq!(moves, ["e2e4"]);
    }
    assert_eq!(position("position frc 17").0, Setup::Fischer(17));
    assert_eq!(position("position dfrc 9999").0, Setup::DoubleFischer(9999));
}

#[test]
fn hole_values_keep_their_blanks() {
    let hash = |value: &str| ("Hash".to_string(), Some(value.to_string()));
    assert_eq!(option("setoption name Hash value 64 "), hash("64"));
    assert_eq!(option("setoption name Hash value  64\t\r\n"), hash("64"));
    let (name, value) = option("setoption name  Clear   Hash ");
    assert_eq!((name.as_str(), value), ("Clear Hash", None));
    let (_, value) = option("setoption name Debug Log File value C:\\a  b\\c.log ");
    assert_eq!(
        value.as_deref(),
        Some("C:\\a  b\\c.log"),
        "blanks inside are kept"
    );
}

#[test]
fn hole_empty_values() {
    let text = |line: &str| option(line).1;
    assert_eq!(text("setoption name X value <empty>"), Some(String::new()));
    assert_eq!(text("setoption name X value"), Some(String::new()));
    assert_eq!(text("setoption name X value "), Some(String::new()));
    assert_eq!(text("setoption name X"), None);
}

#[test]
fn hole_names_with_a_word_like_value() {
    let (name, value) = option("setoption name Use Valuenet value true");
    assert_eq!(
        (name.as_str(), value.as_deref()),
        ("Use Valuenet", Some("true"))
    );
}

#[test]
fn hole_options_without_name() {
    for line in [
        "setoption",
        "setoption name",
        "setoption Hash value 5",
        "setoption value 5",
        "setoption name value 5",
    ] {
        assert!(parse(line).is_err(), "{line}");
    }
}

#[test]
fn hole_glued_words_are_commands() {
    for line in ["isreadyfoo", "ponderhitfoo", "ucinewgame2", "stop!"] {
        assert!(matches!(parse(line), Ok(Some(Command::Bare(_)))), "{line}");
    }
}

#[test]
fn hole_marks_and_blanks_around_a_command() {
    for line in [
        "\u{feff}uci",
        "\0uci\0",
        "\u{a0}uci\u{a0}",
        "\tuci\r\n",
        "UCI",
        "uCi",
    ] {
        assert_eq!(parse(line), Ok(Some(Command::Uci)), "{line:?}");
    }
    for line in ["", " ", "\n", "\r\n", "\0", "\u{feff}"] {
        assert_eq!(parse(line), Ok(None), "{line:?}");
    }
}

#[test]
fn hole_what_engines_say_is_taken_for_a_command() {
    for line in [
        "bestmove e2e4",
        "info string stop",
        "id name quit",
        "info depth 300 score cp 1",
    ] {
        assert!(matches!(parse(line), Ok(Some(Command::Bare(_)))), "{line}");
    }
}

#[test]
fn what_the_crate_reads_right_stays_right() {
    assert_eq!(parse("uci"), Ok(Some(Command::Uci)));
    assert_eq!(parse("isready"), Ok(Some(Command::IsReady)));
    assert_eq!(parse("ucinewgame"), Ok(Some(Command::NewGame)));
    assert_eq!(parse("stop"), Ok(Some(Command::Stop)));
    assert_eq!(parse("ponderhit"), Ok(Some(Command::PonderHit)));
    assert_eq!(parse("quit"), Ok(Some(Command::Quit)));
    assert_eq!(parse("debug off"), Ok(Some(Command::Debug(false))));
    assert!(parse("debug").is_err() && parse("debug perhaps").is_err());
    assert_eq!(
        parse("register name a b code 1"),
        Ok(Some(Command::Register))
    );
    let all = go("go binc 4 winc 3 btime 2 wtime 1 movestogo 5 depth 6 nodes 7 mate 8 movetime 9");
    assert_eq!(
        (all.time, all.increment),
        ([Some(1), Some(2)], [Some(3), Some(4)])
    );
    assert_eq!(
        (all.moves_to_go, all.depth, all.nodes),
        (Some(5), Some(6), Some(7))
    );
    assert_eq!((all.mate, all.move_time), (Some(8), Some(9)));
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let (setup, moves) = position(&format!("position fen {fen} moves e2e4 e7e5"));
    assert_eq!(setup, Setup::Fen(fen.to_string()));
    assert_eq!(moves, ["e2e4", "e7e5"]);
    assert_eq!(
        option("setoption name Hash value 64").1.as_deref(),
        Some("64")
    );
}
