//! A slow chess move generator written straight from the rules: a test oracle,
//! independent of the engine that it checks.
//!
//! The board is a plain mailbox: one letter a square, as in a FEN. Legal moves are
//! found the long way: generate every pseudo-legal move, make it on a copy of the
//! board, and ask whether the mover's king is attacked. No bitboards, no
//! incremental state, no cleverness.

/// The rules in which the supported games differ.
#[derive(Clone, Debug)]
pub struct Game {
    /// Board width and height, at most 8.
    pub files: usize,
    pub ranks: usize,
    /// The pieces a pawn may become, in lower case: "qrbn".
    pub promotions: &'static str,
    /// Whether a pawn on its second rank may step two squares (en passant follows).
    pub double_step: bool,
    /// The files (0 = a) of king and rook after castling: first castling with a rook
    /// on the higher files (FEN `K`), then with one on the lower files (FEN `Q`).
    pub castling: [Option<(usize, usize)>; 2],
}

impl Game {
    /// Orthodox chess, Chess960 and double Fischer random: only the start differs.
    pub const CHESS: Game = Game {
        double_step: true,
        castling: [Some((6, 5)), Some((2, 3))],
        ..Game::compact(8, 8, "qrbn")
    };

    /// Silverman's 4x5 game: double step and en passant, no castling.
    pub const SILVERMAN_4X5: Game = Game {
        double_step: true,
        ..Game::compact(4, 5, "qrbn")
    };

    /// Chess Attack: 5x6 with double step, en passant and queen-side castling.
    pub const CHESS_ATTACK: Game = Game {
        double_step: true,
        castling: [None, Some((2, 3))],
        ..Game::compact(5, 6, "qrbn")
    };

    /// A board of any size with single-step pawns and no castling.
    #[must_use]
    pub const fn compact(files: usize, ranks: usize, promotions: &'static str) -> Game {
        Game {
            files,
            ranks,
            promotions,
            double_step: false,
            castling: [None, None],
        }
    }
}

/// The letter of an empty square. All others are FEN letters, upper case for White.
const EMPTY: char = '.';

/// A direction or a jump: files to the right, ranks upwards.
type Step = (isize, isize);

const ROOK_STEPS: [Step; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const BISHOP_STEPS: [Step; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
#[rustfmt::skip]
const KING_STEPS: [Step; 8] =
    [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)];
#[rustfmt::skip]
const KNIGHT_STEPS: [Step; 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// From, to, and the lower-case letter of the piece promoted to. Castling goes to
/// the square of the castling rook: the only move to a square of an own piece.
type Move = (usize, usize, Option<char>);

/// One position of a game.
#[derive(Clone)]
pub struct Oracle {
    game: &'static Game,
    /// Square number = rank * files + file; a1 is 0.
    board: [char; 64],
    white_to_move: bool,
    /// Files of the rooks that may still castle: of White, then of Black, each in
    /// the order of `Game::castling`.
    castling_rooks: [[Option<usize>; 2]; 2],
    /// The square passed over, if the last move was a double step.
    en_passant: Option<usize>,
}

impl Oracle {
    /// Reads a FEN of four to six fields; the counters are ignored.
    ///
    /// # Panics
    /// If the text is not a FEN of this game.
    #[must_use]
    pub fn from_fen(game: &'static Game, fen: &str) -> Oracle {
        let fields: Vec<&str> = fen.split_whitespace().collect();
        assert!((4..=6).contains(&fields.len()), "4 to 6 fields: {fen}");
        assert!(["w", "b"].contains(&fields[1]), "side to move: {fen}");
        let mut oracle = Oracle {
            game,
            board: [EMPTY; 64],
            white_to_move: fields[1] == "w",
            castling_rooks: [[None; 2]; 2],
            en_passant: None,
        };
        oracle.read_placement(fields[0]);
        for letter in fields[2].chars().filter(|letter| *letter != '-') {
            oracle.read_castling_letter(letter);
        }
        if fields[3] != "-" {
            let mut squares = oracle.squares();
            let square = squares.find(|&square| oracle.name(square) == fields[3]);
            oracle.en_passant = Some(square.expect("the name of a square"));
        }
        oracle
    }

    fn read_placement(&mut self, placement: &str) {
        let rows: Vec<&str> = placement.split('/').collect();
        assert_eq!(rows.len(), self.game.ranks, "ranks: {placement}");
        for (rank, row) in rows.iter().rev().enumerate() {
            let mut file = 0;
            for letter in row.chars() {
                if let Some(digit) = letter.to_digit(10) {
                    file += digit as usize;
                } else {
                    let fits = file < self.game.files && "pnbrqkPNBRQK".contains(letter);
                    assert!(fits, "{letter} in {placement}");
                    self.board[self.square(file, rank)] = letter;
                    file += 1;
                }
            }
            assert_eq!(file, self.game.files, "files: {placement}");
        }
    }

    /// `K` and `Q` mean the outermost rook on that side of the king (X-FEN), any
    /// other letter the file of the rook (Shredder-FEN).
    fn read_castling_letter(&mut self, letter: char) {
        let white = letter.is_ascii_uppercase();
        let rank = self.back_rank(white);
        let king_square = self.king_square(white).expect("castling needs a king");
        assert_eq!(self.rank(king_square), rank, "king not on its back rank");
        let king_file = self.file(king_square);
        let has_rook = |file: &usize| self.board[self.square(*file, rank)] == piece('r', white);
        let rook_file = match letter.to_ascii_lowercase() {
            'k' => (king_file + 1..self.game.files).rev().find(has_rook),
            'q' => (0..king_file).find(has_rook),
            name => (0..self.game.files).find(|file| self.name(*file).starts_with(name)),
        };
        let rook_file = rook_file.filter(has_rook).expect("castling without a rook");
        let wing = usize::from(rook_file < king_file);
        assert!(self.game.castling[wing].is_some(), "castling: {letter}");
        self.castling_rooks[usize::from(!white)][wing] = Some(rook_file);
    }

    /// The placement field of the FEN.
    #[must_use]
    pub fn board_rows(&self) -> String {
        let mut rows = Vec::new();
        for rank in (0..self.game.ranks).rev() {
            let squares = (0..self.game.files).map(|file| self.board[self.square(file, rank)]);
            let mut row: String = squares.collect();
            for count in (1..=self.game.files).rev() {
                row = row.replace(&EMPTY.to_string().repeat(count), &count.to_string());
            }
            rows.push(row);
        }
        rows.join("/")
    }

    /// All legal moves in UCI notation, sorted; castling is king takes own rook.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<String> {
        let moves = self.legal();
        let mut texts: Vec<String> = moves.iter().map(|(mv, _)| self.move_text(*mv)).collect();
        texts.sort();
        texts
    }

    /// The position after a legal move.
    ///
    /// # Panics
    /// If `uci` is not one of `legal_moves`.
    #[must_use]
    pub fn play(&self, uci: &str) -> Oracle {
        let mut moves = self.legal().into_iter();
        let found = moves.find(|(mv, _)| self.move_text(*mv) == uci);
        found.unwrap_or_else(|| panic!("{uci} is not legal")).1
    }

    /// Whether a legal move is a capture or a pawn move.
    ///
    /// # Panics
    /// If `uci` is not one of `legal_moves`.
    #[must_use]
    pub fn makes_progress(&self, uci: &str) -> bool {
        let mut moves = self.legal().into_iter();
        let found = moves.find(|(mv, _)| self.move_text(*mv) == uci);
        let (from, to, _) = found.unwrap_or_else(|| panic!("{uci} is not legal")).0;
        self.board[from] == piece('p', self.white_to_move)
            || is_colour(self.board[to], !self.white_to_move)
    }

    /// Whether the side to move is in check.
    #[must_use]
    pub fn in_check(&self) -> bool {
        self.king_attacked(self.white_to_move)
    }

    /// The legal moves, each with the position after it.
    fn legal(&self) -> Vec<(Move, Oracle)> {
        let moves = self.pseudo_legal().into_iter();
        let mut made: Vec<(Move, Oracle)> = moves.map(|mv| (mv, self.make(mv))).collect();
        made.retain(|(_, after)| !after.king_attacked(self.white_to_move));
        made
    }

    /// Every move, whether or not it leaves the king attacked. Only castling looks
    /// at attacks here: out of check and through attacked squares is not a move.
    fn pseudo_legal(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        let is_own = |square: &usize| is_colour(self.board[*square], self.white_to_move);
        for from in self.squares().filter(is_own) {
            match self.board[from].to_ascii_lowercase() {
                'p' => self.pawn_moves(from, &mut moves),
                'n' => self.piece_moves(from, &KNIGHT_STEPS, false, &mut moves),
                'b' => self.piece_moves(from, &BISHOP_STEPS, true, &mut moves),
                'r' => self.piece_moves(from, &ROOK_STEPS, true, &mut moves),
                'q' => self.piece_moves(from, &KING_STEPS, true, &mut moves),
                _ => {
                    self.piece_moves(from, &KING_STEPS, false, &mut moves);
                    self.castling_moves(from, &mut moves);
                }
            }
        }
        moves
    }

    /// One step each way, or for pieces that slide, steps up to the first piece.
    fn piece_moves(&self, from: usize, steps: &[Step], slides: bool, moves: &mut Vec<Move>) {
        for &step in steps {
            let mut next = self.step(from, step);
            while let Some(to) = next {
                if !is_colour(self.board[to], self.white_to_move) {
                    moves.push((from, to, None));
                }
                let goes_on = slides && self.board[to] == EMPTY;
                next = if goes_on { self.step(to, step) } else { None };
            }
        }
    }

    fn pawn_moves(&self, from: usize, moves: &mut Vec<Move>) {
        let white = self.white_to_move;
        let forward = forward(white);
        let second_rank = if white { 1 } else { self.game.ranks - 2 };
        let mut targets = Vec::new();

        let is_empty = |square: &usize| self.board[*square] == EMPTY;
        if let Some(one) = self.step(from, (0, forward)).filter(is_empty) {
            targets.push(one);
            if self.game.double_step && self.rank(from) == second_rank {
                targets.extend(self.step(one, (0, forward)).filter(is_empty));
            }
        }
        for side in [-1, 1] {
            if let Some(to) = self.step(from, (side, forward)) {
                // A pawn to be taken en passant stands beside the capturing pawn.
                let beside = self.board[self.square(self.file(to), self.rank(from))];
                let takes_en_passant = self.en_passant == Some(to)
                    && self.board[to] == EMPTY
                    && beside == piece('p', !white);
                if is_colour(self.board[to], !white) || takes_en_passant {
                    targets.push(to);
                }
            }
        }

        for to in targets {
            if self.rank(to) == self.back_rank(!white) {
                let promotions = self.game.promotions.chars();
                moves.extend(promotions.map(|kind| (from, to, Some(kind))));
            } else {
                moves.push((from, to, None));
            }
        }
    }

    /// Castling by the rules of Chess960. Whether the king's destination is attacked
    /// is tested as with any other move: after it is made.
    fn castling_moves(&self, king_from: usize, moves: &mut Vec<Move>) {
        let white = self.white_to_move;
        let rank = self.back_rank(white);
        let rights = self.castling_rooks[usize::from(!white)];
        for (right, files) in rights.into_iter().zip(self.game.castling) {
            let (Some(rook_file), Some((king_file, final_rook_file))) = (right, files) else {
                continue;
            };
            let king_to = self.square(king_file, rank);
            let rook_from = self.square(rook_file, rank);
            let rook_to = self.square(final_rook_file, rank);

            let mut without_both = self.clone();
            without_both.board[king_from] = EMPTY;
            without_both.board[rook_from] = EMPTY;
            let is_empty = |square: usize| without_both.board[square] == EMPTY;
            let is_attacked = |square: usize| without_both.attacked(square, !white);
            let rook_path = rook_from.min(rook_to)..=rook_from.max(rook_to);
            let king_path = king_from.min(king_to)..=king_from.max(king_to);
            let mut king_passes = king_from.min(king_to) + 1..king_from.max(king_to);
            let is_free = rook_path.chain(king_path).all(is_empty);
            if is_free && !self.in_check() && !king_passes.any(is_attacked) {
                moves.push((king_from, rook_from, None));
            }
        }
    }

    /// The position after a pseudo-legal move.
    fn make(&self, (from, to, promotion): Move) -> Oracle {
        let white = self.white_to_move;
        let moved = self.board[from];
        let mut after = self.clone();
        after.white_to_move = !white;
        after.en_passant = None;

        after.board[from] = EMPTY;
        if is_colour(self.board[to], white) {
            let files = self.game.castling[usize::from(to < from)];
            let (king_file, rook_file) = files.expect("a castling move of this game");
            let rank = self.back_rank(white);
            after.board[to] = EMPTY;
            after.board[self.square(king_file, rank)] = piece('k', white);
            after.board[self.square(rook_file, rank)] = piece('r', white);
        } else {
            after.board[to] = promotion.map_or(moved, |kind| piece(kind, white));
        }
        if moved == piece('p', white) {
            if self.file(from) != self.file(to) && self.board[to] == EMPTY {
                // En passant: the captured pawn is on the rank that the capturer left.
                after.board[self.square(self.file(to), self.rank(from))] = EMPTY;
            }
            if self.rank(from).abs_diff(self.rank(to)) == 2 {
                after.en_passant = self.step(from, (0, forward(white)));
            }
        }

        // A right is lost when its king moves, and when its rook moves or is taken.
        if moved == piece('k', white) {
            after.castling_rooks[usize::from(!white)] = [None; 2];
        }
        for (rights, of_white) in after.castling_rooks.iter_mut().zip([true, false]) {
            let rank = self.back_rank(of_white);
            for right in rights {
                *right = right.filter(|&file| ![from, to].contains(&self.square(file, rank)));
            }
        }
        after
    }

    fn king_attacked(&self, white: bool) -> bool {
        let king_square = self.king_square(white);
        king_square.is_some_and(|square| self.attacked(square, !white))
    }

    /// Whether a piece of the given colour attacks the square: look outwards from
    /// the square for a piece that moves like that.
    fn attacked(&self, square: usize, by_white: bool) -> bool {
        let next_is = |step: Step, kind: char| {
            let next = self.step(square, step);
            next.is_some_and(|from| self.board[from] == piece(kind, by_white))
        };
        let first_is = |step, kind| self.first_piece(square, step) == Some(piece(kind, by_white));
        let backward = -forward(by_white);
        next_is((-1, backward), 'p')
            || next_is((1, backward), 'p')
            || KNIGHT_STEPS.iter().any(|&step| next_is(step, 'n'))
            || BISHOP_STEPS.iter().any(|&step| first_is(step, 'b'))
            || ROOK_STEPS.iter().any(|&step| first_is(step, 'r'))
            || KING_STEPS.iter().any(|&step| first_is(step, 'q'))
            || KING_STEPS.iter().any(|&step| next_is(step, 'k'))
    }

    /// The first piece met on the way from a square in one direction.
    fn first_piece(&self, from: usize, step: Step) -> Option<char> {
        let mut square = self.step(from, step)?;
        while self.board[square] == EMPTY {
            square = self.step(square, step)?;
        }
        Some(self.board[square])
    }

    fn king_square(&self, white: bool) -> Option<usize> {
        let king = piece('k', white);
        self.squares().find(|&square| self.board[square] == king)
    }

    /// The square one step away, unless that is off the board.
    fn step(&self, from: usize, (right, up): Step) -> Option<usize> {
        let file = self.file(from).checked_add_signed(right)?;
        let rank = self.rank(from).checked_add_signed(up)?;
        (file < self.game.files && rank < self.game.ranks).then(|| self.square(file, rank))
    }

    fn squares(&self) -> std::ops::Range<usize> {
        0..self.game.files * self.game.ranks
    }

    fn square(&self, file: usize, rank: usize) -> usize {
        rank * self.game.files + file
    }

    fn file(&self, square: usize) -> usize {
        square % self.game.files
    }

    fn rank(&self, square: usize) -> usize {
        square / self.game.files
    }

    fn back_rank(&self, white: bool) -> usize {
        if white { 0 } else { self.game.ranks - 1 }
    }

    fn name(&self, square: usize) -> String {
        let file = ["a", "b", "c", "d", "e", "f", "g", "h"][self.file(square)];
        format!("{file}{}", self.rank(square) + 1)
    }

    fn move_text(&self, (from, to, promotion): Move) -> String {
        let promotion = promotion.map_or(String::new(), String::from);
        self.name(from) + &self.name(to) + &promotion
    }
}

/// The board letter of a piece; `kind` is in lower case.
fn piece(kind: char, white: bool) -> char {
    let upper_case = kind.to_ascii_uppercase();
    if white { upper_case } else { kind }
}

/// Whether there is a piece of this colour.
fn is_colour(letter: char, white: bool) -> bool {
    letter != EMPTY && letter.is_ascii_uppercase() == white
}

fn forward(white: bool) -> isize {
    if white { 1 } else { -1 }
}
