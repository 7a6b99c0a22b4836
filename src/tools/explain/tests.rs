//! Each kind of sentence: where it is true, and where it must not be said.

use super::story::{Material, Story};
use super::words::{self, Known};
use super::*;
use crate::board::{CHESS, Rules};
use crate::search::Variation;
use crate::types::{Color, Score};

/// A game from moves in SAN.
fn past(fen: &str, moves: &str) -> Past {
    let position = Position::from_fen(&CHESS, fen).expect("a legal position");
    let mut past = Past::new(position);
    for san in moves.split_whitespace() {
        let mv = past.position().parse_san(san).expect("a legal move");
        past.play(mv);
    }
    past
}

/// A line that begins where the game is, with this score.
fn story_after(past: &Past, line: &str, score: Score) -> Story {
    let mut position = *past.position();
    let mut moves = Variation::new();
    for san in line.split_whitespace() {
        let mv = position.parse_san(san).expect("a legal move");
        moves.push(mv);
        position = position.play(mv);
    }
    let line = Line {
        moves,
        score,
        bound: Bound::Exact,
        nodes: 0,
    };
    Story::new(&past.game, &past.calm, &line)
}

/// What is said of a bad line, beside another move that is well.
fn blamed(fen: &str, line: &str, score: Score, best: &str) -> String {
    let past = past(fen, "");
    let story = story_after(&past, line, score);
    let best = story_after(&past, best, Score::centipawns(50));
    words::why(&story, &best, Known::default()).join(" ")
}

const BAD: Score = Score::centipawns(-400);

#[test]
fn a_mate_is_told_where_the_line_ends_with_it() {
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2";
    let said = blamed(fen, "g4 Qh4#", Score::mated(2), "e4");
    assert!(
        said.starts_with("2. g4 allows mate in 1: 2. g4 Qh4#. Better is 2. e4"),
        "{said}"
    );
    // The score alone is not enough, nor is the board.
    for (line, score) in [("g4 d6", Score::mated(2)), ("g4 Qh4#", BAD)] {
        let said = blamed(fen, line, score, "e4");
        assert!(!said.contains("mate"), "{said}");
    }
}

#[test]
fn a_mate_that_is_missed_is_told() {
    let past = past("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "");
    let quiet = story_after(&past, "h3", Score::centipawns(600));
    let mate = story_after(&past, "Ra8#", Score::mating(1));
    let said = words::why(&quiet, &mate, Known::default()).join(" ");
    assert!(
        said.starts_with("1. h3 misses a mate in 1. Better is 1. Ra8# (#1), which is mate."),
        "{said}"
    );
    let other = story_after(&past, "Ra8#", Score::mating(1));
    let said = words::why(&other, &mate, Known::default()).join(" ");
    assert_eq!(
        said,
        "1. Ra8# is the best move found (#1). It is mate: 1. Ra8#."
    );
}

#[test]
fn material_is_counted_when_all_is_quiet() {
    let said = blamed("4k3/8/1b6/8/3N4/8/P7/4K3 w - - 0 1", "a3 Bxd4", BAD, "Nf3");
    assert!(
        said.starts_with("1. a3 loses a knight: 1. a3 Bxd4. Better is 1. Nf3"),
        "{said}"
    );
    // What is taken back is not lost, neither in the line nor after its end.
    for line in ["a3 Bxd4 cxd4", "a3 Bxd4"] {
        let said = blamed("4k3/8/1b6/8/3N4/2P5/P7/4K3 w - - 0 1", line, BAD, "Nf3");
        assert!(!said.contains("loses"), "{said}");
    }
    let said = blamed(
        "4k3/8/8/8/6b1/8/P7/3RK3 w - - 0 1",
        "a3 Bxd1 Kxd1",
        BAD,
        "Rd2",
    );
    assert!(
        said.starts_with("1. a3 loses the exchange: 1. a3 Bxd1 2. Kxd1. "),
        "{said}"
    );
    // Nor is what the best move loses too.
    let fen = "4k3/8/1b6/8/3N4/8/P7/4K3 w - - 0 1";
    let said = blamed(fen, "a3 Bxd4", BAD, "a4 Bxd4");
    assert!(!said.contains("loses"), "{said}");
}

#[test]
fn captures_in_turn_are_one_exchange() {
    // Black has just taken a knight: to take back wins nothing, unless nothing is known of that.
    let past = past("4k3/8/8/b7/8/2N5/1P6/R3K3 b - - 0 1", "Bxc3+");
    let said = |past: &Past| {
        let back = story_after(past, "bxc3 Ke7", Score::centipawns(300));
        words::best(&[back]).join(" ")
    };
    assert!(!said(&past).contains("wins"), "{}", said(&past));
    let alone = Past::of(past.game.clone());
    let known = said(&alone);
    assert!(known.contains("which wins a bishop"), "{known}");
    // Nor does a move lose what was lost before it.
    let walk = story_after(&past, "Kf1 Be5 Rb1", BAD);
    assert_eq!(walk.material(Color::White).map(|net| net.points()), Some(0));
}

/// A blow that does not cost what is lost is no reason.
#[test]
fn a_fork_explains_only_what_it_takes() {
    let fen = "3qk3/8/8/4p3/1B6/5N2/5PPP/6K1 w - - 0 1";
    let past = past(fen, "");
    let story = story_after(&past, "Nxe5 Qd4 Nf3 Qxb4", BAD);
    let lost = story.material(Color::White).expect("a bishop");
    assert!(story.blow(&lost).is_some());
    let other = Material {
        net: [-1, 0, 0, 0, 0],
        ..lost
    };
    assert_eq!(story.blow(&other), None);
}

#[test]
fn a_fork_is_told_where_several_men_hang() {
    let line = "Nxe5 Qd4 Nf3 Qxb4";
    let said = blamed(
        "3qk3/8/8/4p3/1B6/5N2/5PPP/6K1 w - - 0 1",
        line,
        BAD,
        "h3 e4 Ne1",
    );
    assert!(
        said.starts_with(
            "1. Nxe5 loses a bishop for a pawn: after 1. Nxe5 Qd4 the queen attacks the bishop \
             on b4 and the knight on e5. "
        ),
        "{said}"
    );
    // A guarded bishop is no target.
    let said = blamed(
        "3qk3/8/8/4p3/1B6/P4N2/5PPP/6K1 w - - 0 1",
        line,
        BAD,
        "h3 e4 Ne1",
    );
    assert!(!said.contains("attacks"), "{said}");
    // Nor is anything threatened by a man that is lost itself.
    let said = blamed(
        "3qk3/8/8/4p3/1B6/2P2N2/5PPP/6K1 w - - 0 1",
        line,
        BAD,
        "h3 e4 Ne1",
    );
    assert!(!said.contains("attacks"), "{said}");
}

#[test]
fn a_check_that_attacks_is_told() {
    let line = "h3 Nc2+ Kd2 Nxa1";
    let said = blamed("4k3/8/8/8/1n6/8/7P/R3K3 w - - 0 1", line, BAD, "Kd2");
    assert!(
        said.starts_with(
            "1. h3 loses a rook: after 1. h3 Nc2+ the knight gives check and attacks the rook on \
             a1. "
        ),
        "{said}"
    );
    let line = "h3 Nc2 h4 Nxa1";
    let said = blamed("4k3/8/8/8/1n6/8/7P/R6K w - - 0 1", line, BAD, "Rg1");
    assert!(
        said.contains("loses a rook: 1. h3 Nc2 2. h4 Nxa1."),
        "{said}"
    );
}

#[test]
fn a_pin_is_told_where_it_costs_the_piece() {
    let line = "h3 Bb4 h4 Bxc3+ Kd1";
    let said = blamed("4kb2/8/8/8/8/2N5/7P/4K3 w - - 0 1", line, BAD, "Ne4");
    assert!(
        said.starts_with(
            "1. h3 loses a knight: after 1. h3 Bb4 the knight on c3 is pinned to its king. "
        ),
        "{said}"
    );
    let line = "h3 Bb4 h4 Bxc3";
    let said = blamed("4kb2/8/8/8/8/2N5/7P/5K2 w - - 0 1", line, BAD, "Ne4");
    assert!(
        said.contains("loses a knight: 1. h3 Bb4 2. h4 Bxc3."),
        "{said}"
    );
}

#[test]
fn a_promotion_is_told_where_the_new_piece_stays() {
    let said = blamed("4k3/8/8/8/8/8/1p5P/4K3 w - - 0 1", "h3 b1=Q+", BAD, "Kd2");
    assert!(
        said.starts_with("1. h3 lets a pawn promote: 1. h3 b1=Q+. "),
        "{said}"
    );
    for line in ["h3 b1=Q Rxb1", "h3 b1=Q"] {
        let said = blamed("4k3/8/8/8/8/8/1p5P/3RK3 w - - 0 1", line, BAD, "Kd2");
        assert!(!said.contains("promote"), "{said}");
    }
    let past = past("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "");
    let story = story_after(&past, "b8=Q+", Score::centipawns(900));
    let said = words::best(&[story]).join(" ");
    assert!(said.ends_with("which promotes a pawn."), "{said}");
}

#[test]
fn a_draw_is_told_where_the_line_ends_with_it() {
    let fen = "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1";
    let past_of = past(fen, "");
    let best = story_after(&past_of, "Qa1+", Score::centipawns(2000));
    let said = |line: &str, score| {
        let story = story_after(&past_of, line, score);
        words::why(&story, &best, Known::default()).join(" ")
    };
    let drawn = said("Qf7", Score::DRAW);
    assert!(
        drawn.starts_with("1. Qf7 ends in stalemate: 1. Qf7. Better is"),
        "{drawn}"
    );
    assert!(!said("Qf2", Score::DRAW).contains("stalemate"));
}

#[test]
fn a_repetition_is_told_where_a_position_comes_back() {
    let fen = "7k/8/6K1/8/8/8/8/5R2 w - - 0 1";
    let best = |past: &Past| story_after(past, "Rf8#", Score::mating(1));
    let been = past(fen, "Rf2 Kg8 Rf1 Kh8 Rf2 Kg8");
    let story = story_after(&been, "Rf1", Score::DRAW);
    assert_eq!(story.draw(), Some(Outcome::Repetition));
    let other = story_after(&been, "Rf7", Score::centipawns(600));
    let said = words::why(&story, &other, Known::default()).join(" ");
    let wanted = "4. Rf1 lets the position come back: 4. Rf1. ";
    assert!(said.starts_with(wanted), "{said}");
    let new = past(fen, "");
    let story = story_after(&new, "Rf2", Score::DRAW);
    assert_eq!(story.draw(), None);
    let said = words::why(&story, &best(&new), Known::default()).join(" ");
    assert!(!said.contains("come back"), "{said}");
}

#[test]
fn tables_are_quoted_where_they_know_both_positions() {
    let past = past("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "");
    let best = story_after(&past, "Qa1+", Score::centipawns(2000));
    let story = story_after(&past, "Qf2", Score::DRAW);
    let known = Known {
        before: Some(Value::Win(3)),
        after: Some(Value::Draw),
    };
    let said = words::why(&story, &best, known).join(" ");
    assert!(
        said.starts_with("1. Qf2 turns a win into a draw, as endgame tables know. "),
        "{said}"
    );
    for after in [None, Some(Value::Win(9))] {
        let said = words::why(&story, &best, Known { after, ..known }).join(" ");
        assert!(!said.contains("tables"), "{said}");
    }
}

#[test]
fn chances_are_told_where_they_change() {
    let past = past(CHESS.start, "");
    let best = story_after(&past, "e4", Score::centipawns(150));
    let said = |score: i32| {
        let story = story_after(&past, "a3", Score::centipawns(score));
        words::why(&story, &best, Known::default()).join(" ")
    };
    assert!(
        said(0).contains("White's expected score falls from"),
        "{}",
        said(0)
    );
    assert!(said(0).ends_with("to 50 %."), "{}", said(0));
    assert!(
        said(0).starts_with("1. a3 (+0.00) is weaker: 1. a3."),
        "{}",
        said(0)
    );
    assert!(
        said(145).contains("is about as good as 1. e4"),
        "{}",
        said(145)
    );
    assert!(!said(145).contains("expected"), "{}", said(145));
    let best = story_after(&past, "e4", Score::centipawns(2000));
    let said = |score: i32| {
        let story = story_after(&past, "a3", Score::centipawns(score));
        words::why(&story, &best, Known::default()).join(" ")
    };
    assert!(
        said(1500).contains("should win, as should 1. e4"),
        "{}",
        said(1500)
    );
}

#[test]
fn a_threat_is_told_where_it_gains_something() {
    let told = |fen: &str, line: &str| {
        let past = past(fen, "");
        words::threat(&story_after(&past, line, Score::centipawns(300)))
    };
    let fen = "4k3/8/1b6/8/3N4/8/P7/4K3 b - - 0 1";
    let said = told(fen, "Bxd4").expect("a threat");
    assert_eq!(said, "Black threatens 1... Bxd4, which wins a knight.");
    assert_eq!(told(fen, "Ba5+ Kd1"), None);
    // A pawn that is lost later on does not matter, but the bishop does.
    let fen = "4k3/2p5/1b6/8/3N4/8/P7/4K2R b - - 0 1";
    let said = told(fen, "Bxd4 Ke2 Kf8 a3 Kg8 Rc1 Kf8 Rxc7").expect("a threat");
    assert_eq!(said, "Black threatens 1... Bxd4, which wins a knight.");
    assert_eq!(told(fen, "Bxd4 Ke2 Kf8 a3 Kg8 Rh4 Kf8 Rxd4"), None);
}

#[test]
fn the_only_move_is_called_so() {
    let forced = past("7k/8/8/8/8/8/6q1/7K w - - 0 1", "");
    let line = story_after(&forced, "Kxg2", Score::DRAW);
    assert!(words::best(&[line]).join(" ").contains("only legal move"));
    let free = past(CHESS.start, "");
    let lines = |second: i32| {
        let first = story_after(&free, "e4", Score::centipawns(30));
        let second = story_after(&free, "d4", Score::centipawns(second));
        words::best(&[first, second]).join(" ")
    };
    assert!(!lines(20).contains("only") && !lines(20).contains("comes close"));
    assert!(lines(-200).contains("No other move comes close: the next is 1. d4"));
}

/// On every board: the answer is whole, and the same each time.
#[test]
fn every_board_can_be_explained() {
    for rules in Rules::ALL {
        let ask = || {
            let mut engine = Engine::new().expect("an engine");
            // They take long to make, and have a test of their own.
            engine.settings.use_endgames = false;
            engine.set_rules(rules);
            let position = Position::start(rules);
            let question = Question {
                past: Past::new(position),
                mv: position.legal_moves().first().copied(),
                limits: Limits {
                    nodes: Some(500),
                    ..Limits::default()
                },
                lines: 2,
            };
            explain(&mut engine, &question, &AtomicBool::new(false)).expect("an answer")
        };
        let answer = ask();
        assert_eq!(answer.best.lines.len(), 2, "{}", rules.name);
        let share: u64 = answer.best.lines.iter().map(|line| line.nodes).sum();
        assert!(share > 0 && share <= answer.best.nodes, "{}", rules.name);
        assert!(answer.judged.is_some() && !answer.sentences.is_empty());
        assert_eq!(answer.sentences, ask().sentences, "{}", rules.name);
    }
}

#[test]
fn it_can_be_stopped() {
    let mut engine = Engine::new().expect("an engine");
    let question = Question {
        past: Past::new(Position::start(&CHESS)),
        mv: None,
        limits: Limits {
            depth: Some(60),
            ..Limits::default()
        },
        lines: 1,
    };
    assert!(explain(&mut engine, &question, &AtomicBool::new(true)).is_none());
}
