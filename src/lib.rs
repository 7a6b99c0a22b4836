//! Tessera: chess on 8x8 and on compact boards, from perft to play.
//!
//! Dependencies between the modules point one way, and `tests/layers.rs` keeps it so:
//!
//! ```text
//! main ─► cli ─► uci ─► engine ─► search ─► eval ───► board ─► types
//!          ├─► tools ─► lab ───────┘  └────► endgame ─┤
//!          └───────────────────────────────► textbook ┘
//! ```
//!
//! * [`types`]: colours, pieces, squares, sets of squares, moves, scores.
//! * [`board`]: rules, positions, legal moves, FEN and SAN, perft.
//! * [`eval`]: what a position is worth without looking ahead.
//! * [`endgame`]: what is known to the end: tables of positions with few men.
//! * [`search`]: iterative deepening over alpha-beta, on any number of threads.
//! * [`engine`]: a game, a table and a pool of threads; the facade for all that play.
//! * [`lab`]: self-play, and what is learned from it.
//! * [`tools`]: games as text, other engines over pipes, matches between them.
//! * [`textbook`]: the algorithms of the lectures, to be read, and to test the search with.
//! * [`uci`]: the protocol on standard input and output.
//! * [`cli`]: what the command line offers to people and scripts.
//!
//! ```
//! use tessera::board::{CHESS, Game, Outcome, Position, perft};
//!
//! let mut game = Game::new(Position::start(&CHESS));
//! assert_eq!(perft::perft(game.position(), 3), 8902);
//! for san in ["f3", "e5", "g4", "Qh4#"] {
//!     let mv = game.position().parse_san(san)?;
//!     game.play(mv);
//! }
//! assert_eq!(game.outcome(), Some(Outcome::Checkmate));
//! # Ok::<(), tessera::board::MoveError>(())
//! ```

pub mod board;
pub mod cli;
pub mod endgame;
pub mod engine;
pub mod eval;
pub mod lab;
pub mod search;
pub mod textbook;
pub mod tools;
pub mod types;
pub mod uci;

/// The examples of the README are tested too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
