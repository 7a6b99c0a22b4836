//! Chess on every board of the engine. White is MAX; values are centipawns.

use std::cmp::Reverse;
use std::hash::{Hash, Hasher};

use crate::board::{Position, worth};
use crate::eval;
use crate::textbook::{Game, Player, alpha_beta, number};
use crate::types::{Color, Move, Score};

pub struct Chess {
    pub start: Position,
}

/// A position, and how far from the start it is: a mate is worth more the sooner it comes.
#[derive(Clone)]
pub struct Board {
    pub position: Position,
    pub ply: usize,
}

impl Board {
    /// Whether the game is drawn although there are moves. How the position came about is
    /// not known here, so repetitions are none.
    fn is_drawn(&self) -> bool {
        let is_mate = || self.position.in_check() && self.position.legal_moves().is_empty();
        self.position.halfmoves() >= 100 && !is_mate() || self.position.has_insufficient_material()
    }

    /// The value of a position without legal moves, or a drawn one.
    fn end(&self) -> f64 {
        if self.position.in_check() && self.position.legal_moves().is_empty() {
            self.for_white(Score::mated(self.ply))
        } else {
            0.0
        }
    }

    /// The value of a score of the side to move.
    fn for_white(&self, score: Score) -> f64 {
        match self.position.side() {
            Color::White => f64::from(score.value()),
            Color::Black => -f64::from(score.value()),
        }
    }

    fn after(&self, mv: Move) -> Board {
        Board {
            position: self.position.play(mv),
            ply: self.ply + 1,
        }
    }

    fn player(&self) -> Player {
        match self.position.side() {
            Color::White => Player::Max,
            Color::Black => Player::Min,
        }
    }

    /// What makes two positions the same: the men, the rights, the clock, and the ply.
    fn identity(&self) -> (u64, u16, usize) {
        (self.position.key(), self.position.halfmoves(), self.ply)
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for Board {}

impl Hash for Board {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

impl Game for Chess {
    type State = Board;
    type Action = Move;

    fn initial(&self) -> Board {
        Board {
            position: self.start,
            ply: 0,
        }
    }

    fn player(&self, board: &Board) -> Player {
        board.player()
    }

    fn actions(&self, board: &Board) -> Vec<Move> {
        board.position.legal_moves().iter().copied().collect()
    }

    fn result(&self, board: &Board, &mv: &Move) -> Board {
        board.after(mv)
    }

    /// The start is searched in any case, as long as there are moves.
    fn is_terminal(&self, board: &Board) -> bool {
        board.ply > 0 && board.is_drawn() || board.position.legal_moves().is_empty()
    }

    fn utility(&self, board: &Board) -> f64 {
        board.end()
    }

    /// Only quiet positions can be judged at a glance, so captures are played out first:
    /// that is a game of its own, searched to its end. It sees mates, but no stalemates.
    fn evaluation(&self, board: &Board) -> f64 {
        alpha_beta(&Captures, &(board.clone(), false), &mut ()).value
    }

    fn action_text(&self, board: &Board, &mv: &Move) -> String {
        board.position.san(mv)
    }

    /// In pawns, or as a distance to mate in moves.
    fn value_text(&self, value: f64) -> String {
        if value.is_infinite() {
            return number(value);
        }
        let score = Score::from_bits(value as i16 as u16).unwrap_or(Score::DRAW);
        match score.mate_moves() {
            Some(moves) => format!("#{moves}"),
            None => format!("{:+.2}", value / 100.0),
        }
    }
}

/// Quiescence search as a game: capture, or stand still and be judged. In check every move
/// is allowed, and standing still is not.
pub struct Captures;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Capture {
    Stand,
    Take(Move),
}

impl Game for Captures {
    /// The position, and whether its player stands still.
    type State = (Board, bool);
    type Action = Capture;

    /// From somewhere: this game begins where another one is cut off.
    fn initial(&self) -> (Board, bool) {
        let position = Position::start(&crate::board::CHESS);
        (Board { position, ply: 0 }, false)
    }

    fn player(&self, (board, _): &(Board, bool)) -> Player {
        board.player()
    }

    fn actions(&self, (board, _): &(Board, bool)) -> Vec<Capture> {
        let position = &board.position;
        let in_check = position.in_check();
        let mut moves: Vec<Move> = position.legal_moves().iter().copied().collect();
        moves.retain(|&mv| in_check || position.is_noisy(mv));
        // The largest victim first, so that alpha-beta soon knows enough.
        let victim = |mv: Move| {
            position
                .piece_at(mv.to())
                .map_or(0, |piece| worth(piece.kind))
        };
        moves.sort_by_key(|&mv| Reverse(victim(mv)));
        let stand = (!in_check).then_some(Capture::Stand);
        stand
            .into_iter()
            .chain(moves.into_iter().map(Capture::Take))
            .collect()
    }

    fn result(&self, (board, _): &(Board, bool), action: &Capture) -> (Board, bool) {
        match action {
            Capture::Stand => (board.clone(), true),
            Capture::Take(mv) => (board.after(*mv), false),
        }
    }

    fn is_terminal(&self, state: &(Board, bool)) -> bool {
        let (board, stands) = state;
        *stands || board.is_drawn() || self.actions(state).is_empty()
    }

    fn utility(&self, (board, stands): &(Board, bool)) -> f64 {
        if *stands {
            board.for_white(eval::evaluate(&board.position))
        } else {
            board.end()
        }
    }

    fn action_text(&self, (board, _): &(Board, bool), action: &Capture) -> String {
        match action {
            Capture::Stand => "stand".to_string(),
            Capture::Take(mv) => board.position.san(*mv),
        }
    }
}
