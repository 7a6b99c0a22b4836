//! A fixed piece of work: the same positions to the same depth on one thread. The number
//! of nodes is the same on every machine, and changes when the search does.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::board::{Game, Position, Rules};
use crate::search::{Best, Limits, Progress, Report};

use super::Engine;

/// Enough for a second or two.
pub const DEFAULT_DEPTH: u32 = 14;

/// The nodes of this search by depth, first for a quick look, then for `bench` as it is. Whoever
/// changes the search changes them: `UPDATE_SIGNATURES=1 cargo test --test selfcheck` writes them
/// anew.
pub const SIGNATURES: [(u32, u64); 2] = [(8, 69_299), (14, 932_300)];

/// Game and position. Openings, middlegames, endgames, mates, on every board.
#[rustfmt::skip]
pub const POSITIONS: [(&str, &str); 34] = [
    ("chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("chess", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
    ("chess", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
    ("chess", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"),
    ("chess", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"),
    ("chess", "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"),
    ("chess", "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R b KQkq - 2 5"),
    ("chess", "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8"),
    ("chess", "2r2rk1/pb2qppp/1p2pn2/8/3P4/P1N1B3/1P2QPPP/2R2RK1 w - - 2 18"),
    ("chess", "8/5pk1/4p1p1/3pP2p/3P1K1P/6P1/5P2/8 w - - 0 40"),
    ("chess", "8/8/4k3/3p4/3P4/3K4/3R4/7r w - - 0 60"),
    ("chess", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"),
    ("chess", "3r2k1/p4ppp/1p2p3/2n1P3/2P2P2/4B1P1/P5KP/3R4 b - - 0 27"),
    ("chess", "8/8/1p1k4/p1p2p2/P1P2P2/1P1K4/8/8 w - - 0 1"),
    ("chess", "bnrbkqrn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKQRN w GCgc - 0 1"),
    ("chess", "nrkbbqrn/pp1ppppp/2p5/8/3P4/8/PPP1PPPP/NRKBBQRN w GBgb - 0 2"),
    ("chess", "qbrknbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RKQNBBNR w HAhc - 0 2"),
    ("gardner", "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1"),
    ("gardner", "rnbqk/1pp1p/p2p1/PPPPP/RNBQK w - - 0 2"),
    ("losalamos", "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 0 1"),
    ("losalamos", "r1qknr/pppppp/2n3/3P2/PPP1PP/RNQKNR w - - 1 2"),
    ("petty", "qkbnr/ppppp/5/5/PPPPP/QKBNR w - - 0 1"),
    ("5x6chess", "rnbqk/ppppp/5/5/PPPPP/RNBQK w - - 0 1"),
    ("4x5chess", "rnbk/pppp/4/PPPP/RNBK w - - 0 1"),
    ("4x6chess", "rnbk/pppp/4/4/PPPP/RNBK w - - 0 1"),
    ("microchess", "rbnk/p3/4/3P/RBNK w - - 0 1"),
    ("baby", "kqbnr/ppppp/5/PPPPP/RNBQK w - - 0 1"),
    ("mallett", "rbkqb/ppppp/5/PPPPP/RNKQN w - - 0 1"),
    ("silverman4x5", "rqkr/pppp/4/PPPP/RQKR w - - 0 1"),
    ("chessattack", "rnbqk/ppppp/5/5/PPPPP/RNBQK w Qq - 0 1"),
    ("chessattack", "r1bqk/pppp1/2n1p/5/PPPPP/RNBQK w Qq - 1 2"),
    ("chess", "r1b1k2r/1pp1q2p/p1n3p1/3QPp2/8/1BP3B1/P5PP/3R1RK1 w kq - 0 1"),
    ("chess", "7k/7P/6K1/8/3B4/8/8/8 b - - 0 1"),
    ("chess", "5k2/7R/4P2p/5K2/p1r2P1p/8/8/8 b - - 0 1"),
];

/// What came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Total {
    pub nodes: u64,
    pub time: Duration,
}

/// Says nothing, and remembers how many nodes there were.
#[derive(Default)]
pub struct Silent(AtomicU64);

impl Silent {
    /// The nodes of a search that is over.
    pub fn nodes(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

impl Report for Silent {
    fn progress(&self, _: &Progress) {}

    fn done(&self, last: &Progress, _: Best) {
        self.0.store(last.nodes, Relaxed);
    }

    fn trouble(&self, _: &str) {}
}

/// Searches all positions, each from a clean start, and calls `tell` after each with its
/// number, its game and its nodes. `None` if `stop` was set on the way.
pub fn run(
    depth: u32,
    stop: &AtomicBool,
    mut tell: impl FnMut(usize, &str, u64),
) -> Result<Option<Total>, String> {
    let mut engine = Engine::new()?;
    // What is measured is the search.
    engine.settings.use_endgames = false;
    let mut total = Total {
        nodes: 0,
        time: Duration::ZERO,
    };
    for (index, (name, fen)) in POSITIONS.into_iter().enumerate() {
        let rules = Rules::named(name).ok_or("a game that is not there")?;
        let position = Position::from_fen(rules, fen).map_err(|error| error.to_string())?;
        engine.set_rules(rules);
        engine.new_game();
        engine.set_game(Game::new(position));
        let limits = Limits {
            depth: Some(depth),
            ..Limits::default()
        };
        let (report, started) = (Arc::new(Silent::default()), Instant::now());
        engine.go(limits, started, Arc::clone(&report) as Arc<dyn Report>);
        if !engine.wait_unless(stop) {
            return Ok(None);
        }
        let nodes = report.nodes();
        total.nodes += nodes;
        total.time += started.elapsed();
        tell(index + 1, name, nodes);
    }
    Ok(Some(total))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_its_positions_and_all_are_legal() {
        for (name, fen) in POSITIONS {
            let rules = Rules::named(name).expect(name);
            Position::from_fen(rules, fen).expect(fen);
        }
        for rules in Rules::ALL {
            assert!(POSITIONS.iter().any(|(name, _)| *name == rules.name));
        }
    }

    #[test]
    fn it_can_be_stopped() {
        assert_eq!(run(60, &AtomicBool::new(true), |_, _, _| {}), Ok(None));
    }
}
