//! Positions that one rule or one idea decides, each of which a search can get wrong.

mod arena;

use arena::Arena;
use tessera::board::CHESS;
use tessera::search::Selectivity;
use tessera::types::Score;

/// The best move and its score, searched so deep.
fn best(fen: &str, depth: u32) -> (String, Score) {
    let mut arena = Arena::new(1, 16);
    let last = arena.search_fen(&CHESS, fen, depth);
    let line = &last.lines[0];
    (line.moves[0].to_string(), line.score)
}

/// Only the pawn saves the win: any other move is the hundredth without progress.
#[test]
fn the_fifty_move_rule() {
    let (mv, score) = best("7k/8/8/8/8/P7/8/K5R1 w - - 99 80", 6);
    assert_eq!(mv, "a3a4");
    assert!(score > Score::centipawns(300), "{score:?}");
    // One ply earlier it is not needed yet, but known to be near.
    let (_, score) = best("7k/8/8/8/8/P7/8/K5R1 w - - 97 80", 8);
    assert!(score > Score::centipawns(300), "{score:?}");
    // Mate comes before the rule.
    let (mv, score) = best("7k/8/6K1/8/8/8/8/R7 w - - 99 80", 4);
    assert_eq!((mv.as_str(), score), ("a1a8", Score::mating(1)));
}

/// What is a draw by the fifty-move rule is none with another counter, although the table
/// has seen the position.
#[test]
fn the_table_does_not_mix_up_counters() {
    let score = |arena: &mut Arena, king: &str, counter: u32, depth: u32| {
        let fen = format!("8/8/{king}/8/4K3/8/4R3/8 w - - {counter} 80");
        arena.search_fen(&CHESS, &fen, depth).lines[0].score
    };
    let exact = |megabytes| Arena {
        selectivity: Selectivity::None,
        ..Arena::new(1, megabytes)
    };
    let (mut used, mut fresh) = (exact(1), exact(0));
    for king in ["k7", "1k6", "2k5", "3k4", "4k3", "5k2", "6k1", "7k"] {
        assert_eq!(score(&mut used, king, 98, 2), Score::DRAW);
        let expected = score(&mut fresh, king, 0, 2);
        assert_eq!(score(&mut used, king, 0, 2), expected, "{king}");
        assert!(expected > Score::centipawns(300), "{expected:?}");
    }
}

/// White is about to be mated, but can check for ever on e8 and h5.
#[test]
fn repetition() {
    let (mv, score) = best("6k1/6p1/8/8/8/8/qr6/4Q2K w - - 0 1", 12);
    assert_eq!((mv.as_str(), score), ("e1e8", Score::DRAW));
}

/// A pawn less and about to be mated, but the king has no move: whoever takes the rook ends
/// the game, so it gives check for ever, or itself.
#[test]
fn stalemate() {
    let (mv, score) = best("R7/8/8/8/8/6k1/1r5p/7K w - - 0 1", 16);
    assert!(["a8g8", "a8a3"].contains(&mv.as_str()), "{mv}");
    assert_eq!(score, Score::DRAW);
    // And the winning side does not fall for it.
    let (mv, score) = best("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", 4);
    assert_ne!(mv, "g6f7");
    assert!(score.is_mate(), "{score:?}");
}

/// After Saavedra: a queen is stalemate in two, a rook wins.
#[test]
fn underpromotion() {
    let (mv, score) = best("8/2P5/8/8/3r4/8/2K5/k7 w - - 0 1", 10);
    assert_eq!(mv, "c7c8r");
    assert!(score > Score::centipawns(300), "{score:?}");
}

/// A rook holds out against a queen as long as it need not move: every move loses it. A null
/// move that is believed here hides the win.
#[test]
fn zugzwang() {
    let (_, score) = best("1k6/1r6/2K5/Q7/8/8/8/8 b - - 0 1", 16);
    assert!(score < Score::centipawns(-700), "{score:?}");
}
