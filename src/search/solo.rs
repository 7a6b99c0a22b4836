//! Searches on the thread that asks for them: for many short ones in a row.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::board::{Game, Position};
use crate::endgame::{Endgames, Value};
use crate::eval::network::Network;

use super::job::Job;
use super::table::Table;
use super::worker::{Memory, Searcher};
use super::{Best, Budget, Limits, Line, Progress, Report, Request, Selectivity};

/// One worker with a table of its own, and no thread.
pub struct Solo {
    table: Arc<Table>,
    memory: Memory,
    network: Option<Arc<Network>>,
    endgames: Endgames,
    selectivity: Selectivity,
    report: Arc<dyn Report>,
    /// What it has done so far.
    pub searches: u64,
    pub nodes: u64,
}

/// Nobody listens: the answer is returned.
struct Unheard;

impl Report for Unheard {
    fn progress(&self, _: &Progress) {}
    fn done(&self, _: &Progress, _: Best) {}
    fn trouble(&self, _: &str) {}
}

impl Solo {
    /// A searcher with a table of this size, if there is the memory, that evaluates with a
    /// network or without one.
    pub fn new(megabytes: usize, network: Option<Arc<Network>>) -> Result<Solo, String> {
        Ok(Solo {
            table: Arc::new(Table::new(megabytes, 0)?),
            memory: Memory::new(),
            network,
            endgames: Endgames::default(),
            selectivity: Selectivity::Full,
            report: Arc::new(Unheard),
            searches: 0,
            nodes: 0,
        })
    }

    /// The same, with what is known of endgames, as soon as all of it is there.
    pub fn with_endgames(self, endgames: &Endgames) -> Solo {
        while !endgames.wait(Duration::from_secs(1)) {}
        Solo {
            endgames: endgames.clone(),
            ..self
        }
    }

    /// The same, with searches that leave out so much.
    pub fn with_selectivity(self, selectivity: Selectivity) -> Solo {
        Solo {
            selectivity,
            ..self
        }
    }

    /// What endgame tables say of a position.
    pub fn known(&self, position: &Position) -> Option<Value> {
        self.endgames.value(position)
    }

    /// Begins anew: what follows depends on nothing before.
    pub fn forget(&mut self) {
        self.table.clear();
        self.memory.forget();
    }

    /// Searches another game from now on: with this network, and what is known of its endgames,
    /// as soon as all of it is there.
    pub fn change(&mut self, network: Option<Arc<Network>>, endgames: &Endgames) {
        while !endgames.wait(Duration::from_secs(1)) {}
        self.network = network;
        self.endgames = endgames.clone();
    }

    /// The best line of a position within limits, `None` if it has no legal move. Without
    /// any limit this never ends.
    pub fn search(&mut self, game: &Game, limits: Limits) -> Option<Line> {
        let job = self.job(game, limits, 1, None);
        job.best_line()
    }

    /// The same with as many of the best lines as are wanted, and all that is known of the
    /// search. If somebody listens, each iteration is told.
    pub fn analyse(
        &mut self,
        game: &Game,
        limits: Limits,
        lines: usize,
        listener: Option<Arc<dyn Report>>,
    ) -> Option<Progress> {
        let job = self.job(game, limits, lines, listener);
        job.chosen()
    }

    /// A search from its beginning to its end.
    fn job(
        &mut self,
        game: &Game,
        limits: Limits,
        lines: usize,
        listener: Option<Arc<dyn Report>>,
    ) -> Job {
        self.table.grow_older();
        let started = Instant::now();
        let request = Request {
            game: game.clone(),
            lines,
            handicap: None,
            selectivity: self.selectivity,
            network: self.network.clone(),
            endgames: self.endgames.clone(),
            budget: Budget {
                soft: None,
                hard: limits.move_time,
            },
            limits,
            started,
        };
        let is_heard = listener.is_some();
        let report = listener.unwrap_or_else(|| Arc::clone(&self.report));
        let job = Job::new(request, &self.table, report, 0, 1);
        if !is_heard {
            job.fall_silent();
        }
        self.memory.history.forget_killers();
        Searcher::new(&job, &mut self.memory, 0).deepen();
        self.searches += 1;
        self.nodes += job.nodes();
        job
    }
}
