//! What a line of play does on the board: facts that are counted, nothing that is felt.

use crate::board::{Game, Outcome, Position, attacks, worth};
use crate::search::Line;
use crate::types::{Bitboard, Color, Move, MoveKind, PieceType, Score, Square};

/// Plies of a line that are looked at. What comes later is less certain.
pub(super) const HORIZON: usize = 10;

/// The kinds that change hands, and what they count.
pub(super) const POINTS: [(PieceType, i32); 5] = [
    (PieceType::Pawn, 1),
    (PieceType::Knight, 3),
    (PieceType::Bishop, 3),
    (PieceType::Rook, 5),
    (PieceType::Queen, 9),
];

/// A line, and the positions that it leads through.
pub struct Story {
    game: Game,
    /// Before the captures that led to the start: to take back is not to win.
    calm: Position,
    pub line: Line,
    /// Before the first move and after each of them.
    positions: Vec<Position>,
}

/// What a side has won and lost, by kind in the order of [`POINTS`]: below zero where it has lost.
/// A knight and a bishop cancel each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Material {
    pub net: [i32; 5],
    /// The moves of the line after which it is so, and stays so.
    pub plies: usize,
}

/// How a move attacks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Blow {
    /// The man that moved attacks pieces that are undefended or worth more than itself: several, or
    /// one beside the king.
    Fork {
        man: PieceType,
        gives_check: bool,
        targets: Vec<(PieceType, Square)>,
    },
    /// A piece must not leave the line to its king.
    Pin { man: PieceType, at: Square },
}

impl Material {
    pub fn points(&self) -> i32 {
        points(&self.net)
    }
}

fn points(net: &[i32; 5]) -> i32 {
    let counts = net.iter().zip(POINTS);
    counts.map(|(count, (_, points))| count * points).sum()
}

impl Story {
    /// A line from the position of a game, which was last at rest in another one.
    pub fn new(game: &Game, calm: &Position, line: &Line) -> Story {
        let mut positions = vec![*game.position()];
        let mut position = *game.position();
        for &mv in &line.moves {
            position = position.play(mv);
            positions.push(position);
        }
        Story {
            game: game.clone(),
            calm: *calm,
            line: line.clone(),
            positions,
        }
    }

    /// The position that it begins with.
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    pub fn score(&self) -> Score {
        self.line.score
    }

    fn end(&self) -> &Position {
        &self.positions[self.line.moves.len()]
    }

    fn mover(&self, ply: usize) -> Color {
        self.positions[ply].side()
    }

    /// Who mates, and in how many moves: if the score says so and the line ends with it.
    pub fn mate(&self) -> Option<(Color, usize)> {
        let end = self.end();
        let is_mate = end.in_check() && end.count_moves() == 0;
        let winner = !end.side();
        let is_expected =
            self.score().is_mate() && self.score().is_loss() == (winner != self.start().side());
        let plies = self.line.moves.len();
        let moves = if winner == self.start().side() {
            plies.div_ceil(2)
        } else {
            plies / 2
        };
        (is_mate && is_expected).then_some((winner, moves))
    }

    /// The draw that the line ends with. A position that comes back counts as one.
    pub fn draw(&self) -> Option<Outcome> {
        let mut game = self.game.clone();
        for &mv in &self.line.moves {
            game.play(mv);
        }
        let repeats = (game.occurrences() > 1).then_some(Outcome::Repetition);
        let outcome = game.outcome().or(repeats);
        outcome.filter(|_| self.score() == Score::DRAW)
    }

    /// After how many moves a pawn of this side has promoted, to a piece that nobody can take at a
    /// profit, and that stays on the board.
    pub fn promotion(&self, side: Color) -> Option<usize> {
        let plies = 0..self.line.moves.len().min(HORIZON);
        let promotes = |ply: &usize| {
            let mv = self.line.moves[*ply];
            self.mover(*ply) == side
                && mv.promotes_to().is_some()
                && !has_capture(&self.positions[ply + 1], mv.to(), 1)
                && self.survives(*ply)
        };
        plies.into_iter().find(promotes).map(|ply| ply + 1)
    }

    /// Whether the man that moves at this ply is there to the end of the line.
    fn survives(&self, ply: usize) -> bool {
        let mut square = self.line.moves[ply].to();
        for mv in &self.line.moves[ply + 1..] {
            if mv.from() == square {
                square = mv.to();
            } else if mv.to() == square {
                return false;
            }
        }
        true
    }

    /// What this side has won or lost at the last quiet moment of the line, as soon as it is so.
    /// `None` if there is no such moment, or a new piece has come to the board.
    pub fn material(&self, side: Color) -> Option<Material> {
        self.material_within(HORIZON, side)
    }

    fn material_within(&self, plies: usize, side: Color) -> Option<Material> {
        let last = self.line.moves.len().min(plies);
        let quiet = (1..=last).filter(|&plies| is_quiet(&self.positions[plies]));
        let counts: Vec<Material> = quiet
            .map(|plies| Material {
                net: net(self.start(), &self.positions[plies], side),
                plies,
            })
            .collect();
        let net = counts.last()?.net;
        let settled = counts.iter().rev().take_while(|count| count.net == net);
        let settled = settled.last().copied()?;
        let is_new =
            |ply: usize| self.line.moves[ply].promotes_to().is_some() && self.survives(ply);
        let has_new = (0..settled.plies).any(is_new);
        (!has_new).then_some(settled)
    }

    /// What the side to move wins, beyond what it takes back.
    pub fn gained(&self) -> Option<Material> {
        self.gained_within(HORIZON)
    }

    /// The same of the first plies alone.
    pub fn gained_within(&self, plies: usize) -> Option<Material> {
        let side = self.start().side();
        let from_here = self.material_within(plies, side)?;
        let in_all = Material {
            net: net(&self.calm, &self.positions[from_here.plies], side),
            ..from_here
        };
        let gained = [from_here, in_all].into_iter().min_by_key(Material::points);
        gained.filter(|gained| gained.points() > 0)
    }

    /// What the side to move loses by the line, and would not by a better one.
    pub fn lost(&self, better: &Story) -> Option<Material> {
        let side = self.start().side();
        let lost = self.material(side).filter(|lost| lost.points() < 0)?;
        let otherwise = match better.mate() {
            Some(_) => 0,
            None => better.material(side)?.points(),
        };
        (lost.points() < otherwise).then_some(lost)
    }

    /// The first blow by which the opponent takes what is lost, and the moves of the line up to it.
    pub fn blow(&self, lost: &Material) -> Option<(Blow, usize)> {
        let opponent = !self.start().side();
        let own = (0..lost.plies).filter(|&ply| self.mover(ply) == opponent);
        let mut blows = own.filter_map(|ply| {
            let fork = self.fork(ply, lost);
            Some((fork.or_else(|| self.pin(ply, lost))?, ply + 1))
        });
        blows.next()
    }

    /// Whether who moves at a ply later takes a man on this square, and that is what is lost.
    fn is_taken(&self, square: Square, after: usize, lost: &Material) -> bool {
        let counts = lost.net.iter().zip(POINTS);
        let is_lost = |kind| {
            counts
                .clone()
                .any(|(&count, (of, _))| of == kind && count < 0)
        };
        let takes = |ply: usize| {
            let mv = self.line.moves[ply];
            let man = self.positions[ply].piece_at(square);
            mv.to() == square && man.is_some_and(|man| is_lost(man.kind))
        };
        (after + 2..lost.plies).step_by(2).any(takes)
    }

    fn fork(&self, ply: usize, lost: &Material) -> Option<Blow> {
        let next = &self.positions[ply + 1];
        let mv = self.line.moves[ply];
        let fork = fork(next, mv)?;
        let Blow::Fork { targets, .. } = &fork else {
            return None;
        };
        let is_used = |(_, square): &(PieceType, Square)| self.is_taken(*square, ply, lost);
        targets.iter().any(is_used).then_some(fork)
    }

    fn pin(&self, ply: usize, lost: &Material) -> Option<Blow> {
        let next = &self.positions[ply + 1];
        // The opponent never moves first.
        let before = self.positions[ply.checked_sub(1)?].pinned();
        let pieces = next.pieces(next.side());
        let pinned = (next.pinned() & pieces) - before;
        let mut used = pinned
            .squares()
            .filter(|&square| self.is_taken(square, ply, lost));
        let at = used.next()?;
        let man = next.piece_at(at)?.kind;
        Some(Blow::Pin { man, at })
    }
}

/// What the man that has just moved attacks: several pieces, or one and the king. `None` if it can
/// be taken itself, or must not take.
fn fork(position: &Position, mv: Move) -> Option<Blow> {
    let at = mv.to();
    let man = position.piece_at(at)?;
    let victim = position.side();
    if mv.kind() == MoveKind::Castle || man.color == victim || has_capture(position, at, 0) {
        return None;
    }
    let occupied = position.occupied();
    let without = occupied ^ Bitboard::from(at);
    let king = position.king(!victim);
    let is_held = (position.attackers(king, without) & position.color(victim)).nonempty();
    if is_held && man.kind != PieceType::King {
        return None;
    }
    let reach = match man.kind {
        PieceType::Pawn => attacks::pawn(man.color, at),
        kind => attacks::piece(kind, at, occupied),
    };
    let targets = (reach & position.pieces(victim)).squares();
    let targets = targets.filter_map(|square| {
        let kind = position.piece_at(square)?.kind;
        let guards = position.attackers(square, without) & position.color(victim);
        (guards.is_empty() || worth(kind) > worth(man.kind)).then_some((kind, square))
    });
    let targets: Vec<_> = targets.collect();
    let gives_check = position.checkers().has(at);
    (targets.len() + usize::from(gives_check) >= 2).then_some(Blow::Fork {
        man: man.kind,
        gives_check,
        targets,
    })
}

/// Whether the side to move can take on a square, and gain as much in the exchange there.
fn has_capture(position: &Position, square: Square, gain: i32) -> bool {
    let moves = position.legal_moves();
    let takes = |&mv: &Move| mv.to() == square && position.is_capture(mv);
    let mut captures = moves.iter().copied().filter(takes);
    captures.any(|mv| position.exchange_gains(mv, gain))
}

/// Whether neither side has a check to answer, nor an exchange to win.
fn is_quiet(position: &Position) -> bool {
    !position.in_check() && !can_gain(position) && !can_gain(&position.pass())
}

fn can_gain(position: &Position) -> bool {
    let moves = position.legal_moves();
    let mut noisy = moves.iter().filter(|&&mv| position.is_noisy(mv));
    noisy.any(|&mv| position.exchange_gains(mv, 1))
}

/// What a side has won less what it has lost between two positions.
fn net(before: &Position, after: &Position, side: Color) -> [i32; 5] {
    let lead = |position: &Position, kind| {
        let count = |color| position.men(color, kind).count() as i32;
        count(side) - count(!side)
    };
    let mut net = POINTS.map(|(kind, _)| lead(after, kind) - lead(before, kind));
    let [_, knights, bishops, ..] = &mut net;
    if knights.signum() * bishops.signum() < 0 {
        let pairs = knights.abs().min(bishops.abs());
        *knights -= knights.signum() * pairs;
        *bishops -= bishops.signum() * pairs;
    }
    net
}
