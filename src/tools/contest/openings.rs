//! Where games begin: positions from a file, or random ones that are about level.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use crate::board::{Game, Position, Rules};
use crate::eval::network;
use crate::lab::openings::Plan;
use crate::search::Solo;
use crate::tools::epd;
use crate::types::{Color, Dice};

/// An endless row of start positions.
pub struct Openings {
    source: Source,
    /// The keys of those that were given away.
    seen: HashSet<u64>,
    /// How many of them had been there before.
    pub repeated: u64,
}

enum Source {
    File {
        positions: Vec<Position>,
        next: usize,
    },
    Random {
        plan: Plan,
        judge: Box<Solo>,
        next: u64,
        /// Nothing new was found for long.
        is_exhausted: bool,
    },
}

/// In which order a file is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    AsWritten,
    /// Shuffled, the same way for the same seed.
    Random(u64),
}

/// So many tries in a row that found only what had been there.
const PATIENCE: usize = 100;
/// For the search that judges.
const TABLE_MEGABYTES: usize = 4;

impl Openings {
    /// Those of a file: a FEN a line, or EPD, whose operations are not read.
    pub fn read(
        path: &Path,
        rules: &'static Rules,
        chess960: bool,
        order: Order,
    ) -> Result<Openings, String> {
        let name = path.display();
        let bytes = fs::read(path).map_err(|error| format!("cannot read {name}: {error}"))?;
        let text = String::from_utf8_lossy(&bytes);
        let mut positions = parse(&text, rules, chess960)
            .map_err(|(line, reason)| format!("{name}, line {line}: {reason}"))?;
        if positions.is_empty() {
            return Err(format!("{name}: no openings in it"));
        }
        if let Order::Random(seed) = order {
            Dice::new(seed).shuffle(&mut positions);
        }
        Ok(Openings::from(Source::File { positions, next: 0 }))
    }

    /// Random ones, the same for the same plan.
    pub fn random(plan: Plan) -> Result<Openings, String> {
        let judge = Solo::new(TABLE_MEGABYTES, network::built_in(plan.rules))?;
        Ok(Openings::from(Source::Random {
            plan,
            judge: Box::new(judge),
            next: 0,
            is_exhausted: false,
        }))
    }

    fn from(source: Source) -> Openings {
        Openings {
            source,
            seen: HashSet::new(),
            repeated: 0,
        }
    }

    /// The next one. A file begins anew at its end; random ones repeat when there are no more.
    pub fn draw(&mut self) -> Result<Position, String> {
        match &mut self.source {
            Source::File { positions, next } => {
                let position = positions[*next % positions.len()];
                *next += 1;
                self.repeated += u64::from(!self.seen.insert(position.key()));
                Ok(position)
            }
            Source::Random {
                plan,
                judge,
                next,
                is_exhausted,
            } => {
                let tries = if *is_exhausted { 1 } else { PATIENCE };
                let mut last = Position::start(plan.rules);
                for _ in 0..tries {
                    let game = plan.game(*next, judge);
                    let game = game.ok_or("random moves lead to no level position")?;
                    *next += 1;
                    last = *game.position();
                    if self.seen.insert(last.key()) {
                        return Ok(last);
                    }
                }
                *is_exhausted = true;
                self.repeated += 1;
                Ok(last)
            }
        }
    }
}

/// The positions of a text, or the line from which no game can begin, and why.
fn parse(
    text: &str,
    rules: &'static Rules,
    chess960: bool,
) -> Result<Vec<Position>, (usize, String)> {
    epd::positions(rules, text)
        .map(|(number, position)| {
            let playable = position.and_then(|position| {
                check(&position, chess960)?;
                Ok(position)
            });
            playable.map_err(|reason| (number, reason))
        })
        .collect()
}

fn check(position: &Position, chess960: bool) -> Result<(), String> {
    if let Some(outcome) = Game::new(*position).outcome() {
        return Err(format!("the game is over: {outcome}"));
    }
    if !chess960 && !is_orthodox(position) {
        return Err("only Chess960 castles like this (--chess960)".to_string());
    }
    Ok(())
}

/// Whether castling is that of the start position.
fn is_orthodox(position: &Position) -> bool {
    let start = Position::start(position.rules());
    let rooks = position.castling_rooks();
    Color::ALL.into_iter().all(|color| {
        let ours = rooks & position.color(color);
        ours.is_empty() || position.king(color) == start.king(color)
    }) && (rooks - start.castling_rooks()).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::CHESS;

    #[test]
    fn rows_are_fen_or_epd() {
        let text = "\u{feff}# a comment\n\n\
                    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 7\n\
                    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - bm e5; id \"one\";\r\n\
                    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1;\n\
                    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20\n";
        let positions = parse(text, &CHESS, false).expect("positions");
        let fens: Vec<String> = positions.iter().map(Position::fen).collect();
        assert_eq!(fens.len(), 4);
        assert!(fens[0].ends_with(" w KQkq - 3 7"), "{fens:?}");
        assert!(fens[1].ends_with(" b KQkq - 0 1"), "{fens:?}");
        assert_eq!(fens[2..], [CHESS.start, CHESS.start]);
    }

    #[test]
    fn what_cannot_be_played_is_refused_with_its_line() {
        let fischer = "brnqknrb/pppppppp/8/8/8/8/PPPPPPPP/BRNQKNRB w KQkq - 0 1";
        for (row, chess960, reason) in [
            ("rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1", false, "8 ranks"),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", false, "stalemate"),
            (fischer, false, "--chess960"),
            ("e4 e5", false, "fields"),
        ] {
            let text = format!("# one\n{row}\n");
            let (line, said) = parse(&text, &CHESS, chess960).expect_err(row);
            assert!(line == 2 && said.contains(reason), "{line}: {said}");
        }
        assert!(parse(fischer, &CHESS, true).is_ok());
    }

    #[test]
    fn files_begin_anew_and_seeds_decide_the_order() {
        let positions = |seed: u64| {
            let text = "8/8/8/8/8/3k4/8/R2K4 w - - 0 1\n8/8/8/8/8/2k5/8/R2K4 w - - 0 1\n\
                        8/8/8/8/8/4k3/8/R2K4 w - - 0 1\n";
            let mut positions = parse(text, &CHESS, false).expect("positions");
            Dice::new(seed).shuffle(&mut positions);
            positions.iter().map(Position::fen).collect::<Vec<_>>()
        };
        assert_eq!(positions(1), positions(1));
        assert!((2..20).any(|seed| positions(seed) != positions(1)));
        let positions = parse(CHESS.start, &CHESS, false).expect("a position");
        let mut openings = Openings::from(Source::File { positions, next: 0 });
        assert!((0..3).all(|_| openings.draw().is_ok()));
        assert_eq!(openings.repeated, 2);
    }

    #[test]
    fn random_openings_differ_until_there_are_no_more() {
        let rules = Rules::named("microchess").expect("a game");
        let plan = Plan {
            rules,
            fischer: false,
            count: 0,
            plies: 1,
            nodes: 50,
            max_score: 1000,
            seed: 7,
            threads: 1,
        };
        let draw = || {
            let mut openings = Openings::random(plan.clone()).expect("openings");
            let fens: Vec<String> = (0..40)
                .map(|_| openings.draw().expect("an opening").fen())
                .collect();
            (fens, openings.repeated)
        };
        let (fens, repeated) = draw();
        let different: HashSet<&String> = fens.iter().collect();
        assert_eq!(different.len() as u64, 40 - repeated);
        assert_eq!(draw().0, fens);
    }
}
