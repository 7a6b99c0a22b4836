//! The start positions of Chess960, by number, and those with a row for each side.

/// How the two knights stand among five free squares.
const KNIGHTS: [(usize, usize); 10] = [
    (0, 1),
    (0, 2),
    (0, 3),
    (0, 4),
    (1, 2),
    (1, 3),
    (1, 4),
    (2, 3),
    (2, 4),
    (3, 4),
];

/// The start position with these numbers (0 to 959 each; 518 is orthodox chess) for
/// White's and Black's pieces, in FEN.
pub fn start_fen(white: u32, black: u32) -> String {
    let (white, black) = (row(white), row(black).to_ascii_lowercase());
    format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1")
}

/// The pieces of a number, in Scharnagl's order: the bishop on a light square, the other
/// one, the queen, the knights; what is left are the rooks with the king between.
fn row(number: u32) -> String {
    let number = number as usize % 960;
    let (number, light) = (number / 4, number % 4);
    let (number, dark) = (number / 4, number % 4);
    let (number, queen) = (number / 6, number % 6);
    let mut row = [' '; 8];
    row[2 * light + 1] = 'B';
    row[2 * dark] = 'B';
    let mut place = |index: usize, piece: char| {
        let mut free = row.iter_mut().filter(|piece| **piece == ' ');
        if let Some(square) = free.nth(index) {
            *square = piece;
        }
    };
    place(queen, 'Q');
    let (left, right) = KNIGHTS[number];
    place(right, 'N');
    place(left, 'N');
    for piece in ['R', 'K', 'R'] {
        place(0, piece);
    }
    row.iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn known_numbers_give_known_rows() {
        assert_eq!(row(0), "BBQNNRKR");
        assert_eq!(row(518), "RNBQKBNR");
        assert_eq!(row(534), "RNBKQBNR");
        assert_eq!(row(959), "RKRNNQBB");
    }

    #[test]
    fn all_rows_are_different_and_follow_the_rules() {
        let rows: HashSet<String> = (0..960).map(row).collect();
        assert_eq!(rows.len(), 960);
        for row in rows {
            let at = |piece| {
                row.match_indices(piece)
                    .map(|(at, _)| at)
                    .collect::<Vec<_>>()
            };
            assert_eq!((at("N").len(), at("Q").len()), (2, 1));
            assert_ne!(at("B")[0] % 2, at("B")[1] % 2);
            assert!(at("R")[0] < at("K")[0] && at("K")[0] < at("R")[1]);
        }
    }
}
