//! A pool and a table to search with, without the protocol.

#![allow(dead_code)] // Each test program uses its part.

use std::sync::Arc;
use std::time::Instant;

use crossbeam_channel::{Sender, bounded};
use tessera::board::{Game, Position, Rules};
use tessera::endgame::Endgames;
use tessera::search::{Best, Budget, Limits, Pool, Progress, Report, Request, Selectivity, Table};

struct Last(Sender<Progress>);

impl Report for Last {
    fn progress(&self, _: &Progress) {}

    fn done(&self, last: &Progress, best: Best) {
        assert_eq!(last.lines.first().map(|line| line.moves[0]), best.mv);
        self.0.send(last.clone()).expect("a listener");
    }

    fn trouble(&self, message: &str) {
        panic!("{message}");
    }
}

pub struct Arena {
    pub pool: Pool,
    pub table: Arc<Table>,
    pub selectivity: Selectivity,
}

impl Arena {
    pub fn new(threads: usize, megabytes: usize) -> Arena {
        Arena {
            pool: Pool::new(threads).expect("threads"),
            table: Arc::new(Table::new(megabytes, 0).expect("memory")),
            selectivity: Selectivity::Full,
        }
    }

    pub fn request(&self, game: Game, limits: Limits) -> Request {
        Request {
            game,
            limits,
            lines: 1,
            handicap: None,
            selectivity: self.selectivity,
            network: None,
            endgames: Endgames::default(),
            budget: Budget::default(),
            started: Instant::now(),
        }
    }

    pub fn search(&mut self, game: Game, limits: Limits) -> Progress {
        let (sender, receiver) = bounded(1);
        let request = self.request(game, limits);
        self.pool
            .start(request, &self.table, Arc::new(Last(sender)));
        receiver.recv().expect("an answer")
    }

    /// The last word of a search to this depth.
    pub fn search_depth(&mut self, position: &Position, depth: u32) -> Progress {
        let limits = Limits {
            depth: Some(depth),
            ..Limits::default()
        };
        self.search(Game::new(*position), limits)
    }

    pub fn search_fen(&mut self, rules: &'static Rules, fen: &str, depth: u32) -> Progress {
        let position = Position::from_fen(rules, fen).expect("legal");
        self.search_depth(&position, depth)
    }
}
