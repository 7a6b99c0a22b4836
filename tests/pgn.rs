//! Games as text and back: whatever is written is read again, and whatever is read does no harm.

mod support;

use proptest::prelude::*;
use support::{Dice, random_start};
use tessera::board::{CHESS, Game, Rules};
use tessera::tools::pgn::read::{Flaw, Found, Reader};
use tessera::tools::pgn::{Ending, Played, Record};

const ENDINGS: [Ending; 4] = [
    Ending::WhiteWins,
    Ending::BlackWins,
    Ending::Draw,
    Ending::Open,
];

/// Words that comments and names are made of.
const WORDS: [&str; 12] = [
    "[%clk 0:00:01]",
    "50 %",
    "%",
    "a \"b\"",
    "c\\d",
    "1-0",
    "*",
    "; e4",
    "(no)",
    "ü€",
    "[Event",
    "$4",
];

fn words(dice: &mut Dice) -> String {
    let words = (0..dice.below(5)).map(|_| WORDS[dice.below(WORDS.len())]);
    words.collect::<Vec<_>>().join(" ")
}

/// A game of random moves with all that may be said about them.
fn random_game(rules: &'static Rules, seed: u64) -> Record {
    let dice = &mut Dice::new(seed);
    let mut record = Record::new(random_start(rules, dice));
    record.set_tag("White", words(dice));
    record.set_tag("Variant", rules.name);
    record.set_tag("FEN", record.start.fen());
    record.introduction = words(dice);
    let mut game = Game::new(record.start);
    for _ in 0..dice.below(60) {
        if game.outcome().is_some() {
            break;
        }
        let moves = game.position().legal_moves();
        let mut played = Played::new(moves[dice.below(moves.len())]);
        if dice.below(4) == 0 {
            played.comment = words(dice);
            played.glyphs.extend((dice.below(2) == 0).then_some(6));
            played.variations.push(vec![moves[dice.below(moves.len())]]);
        }
        game.play(played.mv);
        record.moves.push(played);
    }
    record.ending = ENDINGS[dice.below(4)];
    record.set_tag("Result", record.ending.to_string());
    record
}

fn read(bytes: &[u8]) -> Vec<Result<Found, Flaw>> {
    Reader::new(bytes, &CHESS).collect()
}

fn moves(record: &Record) -> Vec<String> {
    let moves = record.moves.iter();
    moves.map(|played| played.mv.to_string()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn games_of_every_board_come_back_as_they_were(seed: u64) {
        for rules in Rules::ALL {
            let record = random_game(rules, seed);
            let text = record.to_string();
            let found = read(text.as_bytes());
            prop_assert_eq!(found.len(), 1, "{}", text);
            let back = found[0].clone().expect("sound").record;
            prop_assert_eq!(back.start.fen(), record.start.fen());
            prop_assert_eq!(&back.tags, &record.tags);
            prop_assert_eq!(&back.introduction, &record.introduction);
            prop_assert_eq!(moves(&back), moves(&record));
            prop_assert_eq!(back.ending, record.ending);
            for (a, b) in back.moves.iter().zip(&record.moves) {
                prop_assert_eq!(&a.comment, &b.comment);
                prop_assert_eq!(&a.glyphs, &b.glyphs);
                prop_assert_eq!(a.asides.len(), b.variations.len());
            }
            // Variations are text now, and stay as they are.
            let again = read(back.to_string().as_bytes());
            prop_assert_eq!(again[0].clone().expect("sound").record.to_string(), back.to_string());
        }
    }

    #[test]
    fn a_text_that_is_cut_off_gives_the_whole_games_before(seed: u64, cut: u16, damage: [u8; 3]) {
        let dice = &mut Dice::new(seed);
        let texts: Vec<String> = (0..4)
            .map(|_| random_game(Rules::ALL[dice.below(Rules::ALL.len())], seed ^ dice.below(99) as u64))
            .map(|record| record.to_string())
            .collect();
        let mut bytes = texts.concat().into_bytes();
        bytes.truncate(usize::from(cut) % (bytes.len() + 1));
        let mut left = bytes.len();
        let whole = texts.iter().take_while(|text| {
            let is_whole = left >= text.len();
            left = left.saturating_sub(text.len());
            is_whole
        });
        let whole = whole.count();
        let found = read(&bytes);
        prop_assert!(found.len() >= whole && found.len() <= whole + 1);
        prop_assert!(found[..whole].iter().all(Result::is_ok));
        // What is damaged may be anything, but it is read to its end.
        let mut reader = Reader::new(&*bytes, &CHESS);
        while reader.next().is_some() {}
        prop_assert_eq!(reader.bytes(), bytes.len() as u64);
        for byte in damage {
            if let Some(place) = bytes.get_mut(dice.below(usize::from(cut) + 1)) {
                *place = byte;
            }
        }
        read(&bytes);
    }

    #[test]
    fn no_bytes_do_harm(bytes: Vec<u8>, text in "[\\[\\]\"{}();$%*.0-9a-hNBRQKOx \\n-]{0,200}") {
        read(&bytes);
        read(text.as_bytes());
    }
}
