//! Reads games from a stream, one after the other, as people and programs write them.
//!
//! A game with a flaw is named and left out, and reading goes on with the next one: it begins at
//! the first tag after moves, or after a result. Comments and numbered judgements are kept.
//! Variations are kept as text, for nobody promises that they are sound. Moves may be in SAN with
//! the usual slips, or as engines write them. No more than one game is in memory.

use std::io::{self, BufRead};

use crate::board::{CHESS, MoveError, Position, Rules};
use crate::tools::lines::Lines;
use crate::types::{Color, Move};

use super::words::{
    clip, is_end_of_word, is_noise, is_tag, result, split_tag, without_mark, without_number,
};
use super::{Ending, Played, Record};

/// A game with more text, in bytes, is none...
const LONGEST_GAME: usize = 16 << 20;
/// ...and neither is one of more moves, both sides together: the rules allow no more.
const MOST_MOVES: usize = 20_000;

/// A game, and where it was found.
#[derive(Clone, Debug)]
pub struct Found {
    pub record: Record,
    /// Counted from 1, those with flaws included.
    pub number: usize,
    /// The line that it begins in, counted from 1.
    pub line: usize,
}

/// What is wrong with a game, or with the stream.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flaw {
    /// The line, counted from 1.
    pub line: usize,
    pub reason: String,
}

/// The game that a tag `Variant` names.
pub fn variant(name: &str) -> Option<&'static Rules> {
    let is_part = |letter: &char| letter.is_alphanumeric();
    let plain: String = name.to_lowercase().chars().filter(is_part).collect();
    match plain.as_str() {
        ""
        | "standard"
        | "normal"
        | "orthodox"
        | "fromposition"
        | "chess960"
        | "fischerandom"
        | "fischerrandom"
        | "fischerrandomchess"
        | "freestyle"
        | "frc"
        | "dfrc"
        | "doublefischerrandom" => Some(&CHESS),
        plain => {
            let short = plain.strip_suffix("chess").unwrap_or_default();
            Rules::named(plain).or_else(|| Rules::named(short))
        }
    }
}

/// The games of a stream.
pub struct Reader<R> {
    lines: Lines<R>,
    /// The game where no tag names it.
    rules: &'static Rules,
    games: usize,
    is_over: bool,
}

impl<R: BufRead> Reader<R> {
    /// Games of these rules, unless their tags say otherwise.
    pub fn new(input: R, rules: &'static Rules) -> Reader<R> {
        Reader {
            lines: Lines::new(input),
            rules,
            games: 0,
            is_over: false,
        }
    }

    /// How much of the stream has been read.
    pub fn bytes(&self) -> u64 {
        self.lines.bytes()
    }

    /// Reads on to the end of a game.
    fn fill(&mut self, draft: &mut Draft) -> io::Result<()> {
        let mut after_blank = false;
        while let Some(line) = self.lines.read()? {
            let number = self.lines.number();
            let is_tag = is_tag(&line);
            if is_tag && draft.ends_before_tag(after_blank) {
                self.lines.give_back(line);
                return Ok(());
            }
            after_blank = line.trim().is_empty();
            if draft.skips(&line) {
                continue;
            }
            draft.meet(number, line.len());
            if is_tag && draft.is_among_tags() {
                draft.read_tags(&line, number);
            } else if let Some(end) = draft.read_moves(&line, number) {
                self.lines.give_back(line[end..].to_string());
                return Ok(());
            }
        }
        self.is_over = true;
        draft.ends_with_stream();
        Ok(())
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Found, Flaw>;

    fn next(&mut self) -> Option<Result<Found, Flaw>> {
        if self.is_over {
            return None;
        }
        loop {
            let mut draft = Draft::new(self.rules);
            if let Err(error) = self.fill(&mut draft) {
                self.is_over = true;
                let (line, reason) = (self.lines.number() + 1, error.to_string());
                return Some(Err(Flaw { line, reason }));
            }
            // Comments before and between games are none.
            if !draft.is_empty() {
                self.games += 1;
                return Some(draft.finish(self.games));
            }
            if self.is_over {
                return None;
            }
        }
    }
}

/// A game as far as it has been read.
struct Draft {
    rules: &'static Rules,
    /// The line it begins in, 0 before it does.
    line: usize,
    /// Bytes of text.
    size: usize,
    tags: Vec<(String, String)>,
    tag_lines: Vec<usize>,
    /// With moves, or anything else after the tags.
    record: Option<Record>,
    /// Where the game stands.
    position: Position,
    /// The line in which an open comment began, and its text.
    comment: Option<(usize, String)>,
    /// The brackets that are open, the line in which the first one was, and the text since.
    depth: usize,
    aside: (usize, String),
    ending: Option<Ending>,
    /// The first flaw: nothing is kept after it.
    flaw: Option<Flaw>,
}

impl Draft {
    fn new(rules: &'static Rules) -> Draft {
        Draft {
            rules,
            line: 0,
            size: 0,
            tags: Vec::new(),
            tag_lines: Vec::new(),
            record: None,
            position: Position::start(rules),
            comment: None,
            depth: 0,
            aside: (0, String::new()),
            ending: None,
            flaw: None,
        }
    }

    fn fail(&mut self, line: usize, reason: impl Into<String>) {
        let reason = reason.into();
        self.flaw.get_or_insert(Flaw { line, reason });
    }

    /// Whether a line is empty, or meant for other programs.
    fn skips(&self, line: &str) -> bool {
        let is_escape = line.starts_with('%') && self.comment.is_none();
        is_escape || line.trim().is_empty()
    }

    /// Some text belongs to this game.
    fn meet(&mut self, line: usize, length: usize) {
        if self.line == 0 {
            self.line = line;
        }
        self.size += length;
        if self.size > LONGEST_GAME {
            self.fail(line, "a game of more than 16 megabytes");
        }
    }

    /// Whether there is no game in it: no tag, no move, no result and no flaw.
    fn is_empty(&self) -> bool {
        let record = self.record.as_ref();
        let has_moves = record.is_some_and(|record| !record.moves.is_empty());
        self.tags.is_empty() && !has_moves && self.ending.is_none() && self.flaw.is_none()
    }

    fn is_among_tags(&self) -> bool {
        self.record.is_none() && self.comment.is_none()
    }

    /// Whether a tag begins the next game. Within comments and variations it does only after an
    /// empty line: then they were never closed.
    fn ends_before_tag(&mut self, after_blank: bool) -> bool {
        let is_open = self.comment.is_some() || self.depth > 0;
        if is_open && after_blank {
            self.complain_of_open();
        }
        match &self.record {
            Some(_) => !is_open || after_blank,
            None => after_blank && !self.tags.is_empty(),
        }
    }

    fn complain_of_open(&mut self) {
        if let Some((line, _)) = self.comment.take() {
            self.fail(line, "a comment that is never closed");
        } else if self.depth > 0 {
            self.fail(self.aside.0, "a variation that is never closed");
        }
    }

    /// The stream ends: where a result was promised, it has been cut off.
    fn ends_with_stream(&mut self) {
        if self.line == 0 {
            return;
        }
        self.complain_of_open();
        let is_promised = self.tag("Result").is_some_and(|(result, _)| result != "*");
        if self.ending.is_none() && is_promised {
            self.fail(self.line, "the game is cut off: its result is missing");
        }
    }

    /// A line of tags, which may be followed by something else.
    fn read_tags(&mut self, line: &str, number: usize) {
        let mut rest = line;
        while is_tag(rest) {
            let Some((name, value, after)) = split_tag(rest) else {
                return self.fail(number, "a tag that is never closed");
            };
            self.tags.push((name.to_string(), value));
            self.tag_lines.push(number);
            rest = after;
        }
        if !rest.trim().is_empty() {
            self.fail(number, format!("{:?} after a tag", clip(rest.trim())));
        }
    }

    /// What a tag says, and its line.
    fn tag(&self, name: &str) -> Option<(&str, usize)> {
        let mut tags = self.tags.iter().zip(&self.tag_lines);
        let ((_, value), line) = tags.find(|((tag, _), _)| tag.eq_ignore_ascii_case(name))?;
        Some((value.as_str(), *line))
    }

    /// The position that the tags describe.
    fn start(&self) -> Result<Position, Flaw> {
        let mut rules = self.rules;
        if let Some((name, line)) = self.tag("Variant") {
            let reason = format!("unknown variant {:?}", clip(name));
            rules = variant(name).ok_or(Flaw { line, reason })?;
        }
        let Some((fen, line)) = self.tag("FEN") else {
            return Ok(Position::start(rules));
        };
        Position::from_fen(rules, fen).map_err(|error| {
            let reason = format!("the FEN is no position of {}: {error}", rules.name);
            Flaw { line, reason }
        })
    }

    /// The tags are complete.
    fn begin_moves(&mut self) -> &mut Record {
        if self.record.is_none() {
            match self.start() {
                Ok(start) => self.position = start,
                Err(flaw) => self.fail(flaw.line, flaw.reason),
            }
        }
        let position = self.position;
        self.record.get_or_insert_with(|| Record::new(position))
    }

    /// Reads moves and what is said about them. Returns where in the line the game ends, if it
    /// does.
    fn read_moves(&mut self, line: &str, number: usize) -> Option<usize> {
        self.begin_moves();
        let mut rest = line;
        while !rest.is_empty() {
            if self.comment.is_some() {
                rest = self.read_comment(rest);
                continue;
            }
            rest = rest.trim_start();
            let Some(first) = rest.chars().next() else {
                break;
            };
            // What is said behind the result still belongs to the game.
            if self.ending.is_some() && !matches!(first, '{' | ';') {
                return Some(line.len() - rest.len());
            }
            let after = &rest[first.len_utf8()..];
            rest = match first {
                '{' => {
                    self.comment = Some((number, String::new()));
                    after
                }
                ';' => {
                    self.add_comment(after);
                    ""
                }
                '(' => {
                    self.open_bracket(number);
                    after
                }
                ')' => {
                    self.close_bracket(number);
                    after
                }
                '}' => {
                    self.fail(number, "a brace is closed that was not opened");
                    after
                }
                _ => {
                    let length = after.find(is_end_of_word).unwrap_or(after.len());
                    let (word, after) = rest.split_at(first.len_utf8() + length);
                    if self.depth > 0 {
                        self.extend_aside(word);
                    } else if let Some(ending) = result(word) {
                        self.ending = Some(ending);
                    } else {
                        self.read_word(word, number);
                    }
                    after
                }
            };
        }
        if let Some((_, text)) = &mut self.comment {
            text.push(' ');
            return None;
        }
        self.ending.map(|_| line.len())
    }

    /// Goes on with an open comment, and returns what follows it.
    fn read_comment<'a>(&mut self, line: &'a str) -> &'a str {
        let (said, after) = line
            .split_once('}')
            .map_or((line, None), |(said, after)| (said, Some(after)));
        if let (None, Some((_, text))) = (&self.flaw, &mut self.comment) {
            text.push_str(said);
        }
        if after.is_some()
            && let Some((_, text)) = self.comment.take()
        {
            self.add_comment(&text);
        }
        after.unwrap_or_default()
    }

    /// Adds a comment to what was said last: of a variation, of the game, or of a move.
    fn add_comment(&mut self, text: &str) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() || self.flaw.is_some() {
            return;
        }
        if self.depth > 0 {
            let text = text.replace('{', "(").replace('}', ")");
            return self.extend_aside(&format!("{{{text}}}"));
        }
        let record = self.begin_moves();
        let comment = match record.moves.last_mut() {
            Some(played) => &mut played.comment,
            None => &mut record.introduction,
        };
        if !comment.is_empty() {
            comment.push(' ');
        }
        comment.push_str(&text);
    }

    fn open_bracket(&mut self, number: usize) {
        if self.depth == 0 {
            self.aside = (number, String::new());
        } else {
            self.extend_aside("(");
        }
        self.depth += 1;
    }

    fn close_bracket(&mut self, number: usize) {
        match self.depth {
            0 => return self.fail(number, "a bracket is closed that was not opened"),
            1 => {
                let text = std::mem::take(&mut self.aside.1);
                if let Some(played) = self.begin_moves().moves.last_mut()
                    && !text.is_empty()
                {
                    played.asides.push(text);
                }
            }
            _ => self.aside.1.push(')'),
        }
        self.depth -= 1;
    }

    fn extend_aside(&mut self, word: &str) {
        if self.flaw.is_some() {
            return;
        }
        let text = &mut self.aside.1;
        if !text.is_empty() && !text.ends_with('(') {
            text.push(' ');
        }
        text.push_str(word);
    }

    /// A move, its number, or a judgement of it.
    fn read_word(&mut self, word: &str, number: usize) {
        if self.flaw.is_some() {
            return;
        }
        if let Some(glyph) = word.strip_prefix('$') {
            let is_number = !glyph.is_empty() && glyph.bytes().all(|byte| byte.is_ascii_digit());
            return match glyph.parse() {
                Ok(glyph) => self.add_glyph(glyph),
                // No judgement that has a meaning.
                Err(_) if is_number => {}
                Err(_) => self.fail(number, format!("{:?} is not a judgement", clip(word))),
            };
        }
        let (word, mark) = without_mark(without_number(word));
        if !is_noise(word) {
            if self.begin_moves().moves.len() == MOST_MOVES {
                return self.fail(number, format!("a game of more than {MOST_MOVES} moves"));
            }
            match self.read_move(word) {
                Ok(mv) => self.play(mv),
                Err(error) => {
                    let side = match self.position.side() {
                        Color::White => ".",
                        Color::Black => "...",
                    };
                    let move_number = self.position.fullmoves();
                    self.fail(number, format!("move {move_number}{side} {error}"));
                }
            }
        }
        if let (None, Some(glyph)) = (&self.flaw, mark) {
            self.add_glyph(glyph);
        }
    }

    fn read_move(&self, word: &str) -> Result<Move, MoveError> {
        let word = ["e.p.", "e.p", "ep"]
            .iter()
            .find_map(|suffix| word.strip_suffix(suffix))
            .unwrap_or(word);
        self.position.parse_move(word)
    }

    fn play(&mut self, mv: Move) {
        self.begin_moves().moves.push(Played::new(mv));
        self.position = self.position.play(mv);
    }

    fn add_glyph(&mut self, glyph: u8) {
        if let Some(played) = self.begin_moves().moves.last_mut()
            && !played.glyphs.contains(&glyph)
        {
            played.glyphs.push(glyph);
        }
    }

    fn finish(mut self, number: usize) -> Result<Found, Flaw> {
        self.begin_moves();
        if let Some(flaw) = self.flaw {
            let reason = format!("game {number}: {}", flaw.reason);
            return Err(Flaw { reason, ..flaw });
        }
        let promised = self.tag("Result").and_then(|(text, _)| result(text));
        let ending = self.ending.or(promised).unwrap_or_default();
        let mut record = self.record.unwrap_or_else(|| Record::new(self.position));
        record.tags = self.tags;
        record.ending = ending;
        Ok(Found {
            record,
            number,
            line: self.line,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(text: &[u8]) -> Vec<Result<Found, Flaw>> {
        Reader::new(text, &CHESS).collect()
    }

    fn game(text: &str) -> Record {
        match games(text.as_bytes()).as_slice() {
            [Ok(found)] => found.record.clone(),
            other => panic!("{text:?} is {other:?}"),
        }
    }

    fn san(record: &Record) -> String {
        let mut position = record.start;
        let mut words = Vec::new();
        for played in &record.moves {
            words.push(position.san(played.mv));
            position = position.play(played.mv);
        }
        words.join(" ")
    }

    #[test]
    fn all_ways_to_write_a_move_are_read() {
        for text in [
            "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O *",
            "1.e4 e5 2.Nf3 Nf6 3.Bc4 Bc5 4.0-0 0-0",
            "1 e2e4 e7e5 2 g1f3 g8f6 3 f1c4 f8c5 4 e1g1 e8g8",
            "1. e2-e4 e7-e5 2. Ng1-f3 Ng8-f6 3. Bf1-c4 Bf8-c5 4. o-o o-o *",
            "e4 e5 Nf3 Nf6\nBc4 Bc5\n\nO-O\nO-O",
            "1...e4 1… e5! 2. Nf3!? Nf6?? 3. Bc4+ += Bc5 = 4. O-O+ O-O# 1/2-1/2",
            "% e9\n1. e4 ; e5\n1... e5 2. Nf3 Nf6 (2... Nc6 (2... d6 {a (b} 3. d4)) 3. Bc4 Bc5 4. O-O O-O",
        ] {
            assert_eq!(san(&game(text)), "e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O", "{text}");
        }
        let passing = game("1. e4 a6 2. e5 d5 3. exd6 e.p. exd6ep *");
        assert_eq!(san(&passing), "e4 a6 e5 d5 exd6 exd6");
    }

    #[test]
    fn what_is_said_is_kept() {
        let record = game(
            "[White \"A \\\"B\\\" \\\\C\"] [Black \"the \"old\" one\"]\n[Result \"0-1\"]\n\n\
             {before} 1. f3?! {[%clk 0:01:00] first\nsecond} $10 {third} (1. e4 e5 ; good\n (1... c5)) \
             e5 2. g4?? $4 Qh4# 0-1\n",
        );
        assert_eq!(record.tag("White"), Some("A \"B\" \\C"));
        assert_eq!(record.tag("Black"), Some("the \"old\" one"));
        assert_eq!(record.introduction, "before");
        assert_eq!(record.moves[0].comment, "[%clk 0:01:00] first second third");
        assert_eq!(record.moves[0].glyphs, [6, 10]);
        assert_eq!(record.moves[0].asides, ["1. e4 e5 {good} (1... c5)"]);
        assert_eq!(record.moves[2].glyphs, [4]);
        assert_eq!(record.ending, Ending::BlackWins);
        let again = game(&record.to_string());
        assert_eq!(again.to_string(), record.to_string());
    }

    #[test]
    fn words_need_no_blanks_between_them() {
        let record = game("1.e4$1$300{best}e5(1...c5)$2*");
        assert_eq!(san(&record), "e4 e5");
        assert_eq!(record.moves[0].glyphs, [1]);
        assert_eq!(record.moves[1].glyphs, [2]);
        assert!(games(b"1. e4 $ e5 *")[0].is_err());
    }

    #[test]
    fn comments_outside_of_games_are_no_games() {
        let text = "; written by a program\n{and\n\nby another}\n[Event \"1\"]\n\n1. e4 e5 1-0 {White\n\
                    wins} ; today\n\n[Event \"2\"]\n\n1. d4 * {open} 1. c4 *\n{the end}\n";
        let found: Vec<Found> = games(text.as_bytes())
            .into_iter()
            .map(Result::unwrap)
            .collect();
        let said = |game: &Found| {
            game.record
                .moves
                .last()
                .map(|played| played.comment.clone())
        };
        let [first, second, third] = &found[..] else {
            panic!("{found:?}");
        };
        assert_eq!((first.number, second.number, third.number), (1, 2, 3));
        assert_eq!(first.record.tag("Event"), Some("1"));
        assert_eq!(said(first).as_deref(), Some("White wins today"));
        assert_eq!(second.record.tag("Event"), Some("2"));
        assert_eq!(said(second).as_deref(), Some("open"));
        assert_eq!(san(&third.record), "c4");
    }

    #[test]
    fn tags_say_which_game_it_is() {
        for (name, rules) in [
            ("Standard", "chess"),
            ("Chess 960", "chess"),
            ("fischerandom", "chess"),
            ("Los Alamos", "losalamos"),
            ("Gardner chess", "gardner"),
            ("5x6chess", "5x6chess"),
            ("Chess Attack", "chessattack"),
            ("Silverman 4x5", "silverman4x5"),
        ] {
            let record = game(&format!("[Variant \"{name}\"]\n\n*"));
            assert_eq!(record.start.rules().name, rules, "{name}");
        }
        for rules in Rules::ALL {
            assert_eq!(
                variant(rules.name).map(|found| found.name),
                Some(rules.name)
            );
        }
        assert!(variant("crazyhouse").is_none());
        let fischer = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1";
        let text = format!("[FEN \"{fischer}\"]\n[Variant \"chess960\"]\n\n1. O-O 0-0-0 2. Rfe1 *");
        assert_eq!(san(&game(&text)), "O-O O-O-O Rfe1");
    }

    #[test]
    fn games_are_told_apart_with_or_without_tags() {
        let one = "[Event \"1\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n";
        let no_result = "[Event \"2\"]\n[Result \"1-0\"]\n\n1. e4 e5\n\n";
        let no_moves = "[Event \"3\"]\n\n";
        let text = format!("{one}{no_result}{no_moves}{one}1. d4 1-0 1. c4 0-1 1. b4");
        let all: Vec<Record> = games(text.as_bytes())
            .into_iter()
            .map(|game| game.expect("sound").record)
            .collect();
        let moves: Vec<String> = all.iter().map(san).collect();
        assert_eq!(moves, ["e4 e5", "e4 e5", "", "e4 e5", "d4", "c4", "b4"]);
        assert_eq!(all[1].ending, Ending::WhiteWins);
        assert!(games(b"").is_empty() && games(b"\n\n% x\n").is_empty());
    }

    #[test]
    fn a_flaw_is_named_and_the_rest_is_read() {
        let good = "[Event \"good\"]\n\n1. e4 e5 *\n\n";
        for (bad, line, reason) in [
            (
                "[Event \"x\"]\n\n1. e4\ne5 2. Ke3 Nf6 (2... d5) *\n\n",
                8,
                "move 2. Ke3 is not legal here",
            ),
            (
                "[Event \"x\"]\n\n1. e4 e5 2. -- *\n\n",
                7,
                "move 2. \"--\" is not a move",
            ),
            (
                "[Event \"x\"]\n\n1. e4 {never\n\n",
                7,
                "a comment that is never closed",
            ),
            (
                "[Event \"x\"]\n\n1. e4 (1. d4\n\n",
                7,
                "a variation that is never closed",
            ),
            (
                "[Event \"x\"]\n\n1. e4) *\n\n",
                7,
                "a bracket is closed that was not opened",
            ),
            (
                "[Event \"x\"]\n\n1. e4 } *\n\n",
                7,
                "a brace is closed that was not opened",
            ),
            (
                "[Event \"x\"]\n\n1. e4 $x *\n\n",
                7,
                "\"$x\" is not a judgement",
            ),
            (
                "[Variant \"shogi\"]\n\n1. e4 *\n\n",
                5,
                "unknown variant \"shogi\"",
            ),
            (
                "[Event \"x]\n\n1. e4 *\n\n",
                5,
                "a tag that is never closed",
            ),
            (
                "[Event \"x\"]\n[FEN \"8/8 w - -\"]\n\n*\n\n",
                6,
                "the FEN is no position of chess: the board has 8 ranks, here 2 are given",
            ),
            (
                "[Event \"x\"]\n[Variant \"gardner\"]\n\n1. e4 *\n\n",
                8,
                "move 1. e4 is not legal here",
            ),
        ] {
            let text = format!("{good}{bad}{good}");
            let found = games(text.as_bytes());
            assert!(
                found.len() == 3 && found[0].is_ok() && found[2].is_ok(),
                "{bad}: {found:?}"
            );
            let reason = format!("game 2: {reason}");
            assert_eq!(
                found[1].clone().expect_err("a flaw"),
                Flaw { line, reason },
                "{bad}"
            );
        }
        let cut = format!("{good}[Result \"1-0\"]\n\n1. e4 e5");
        let found = games(cut.as_bytes());
        assert!(found[0].is_ok() && found[1].is_err() && found.len() == 2);
        let latin = games(b"[White \"M\xFCller\"]\r\n\r\n1. e4 *\r\n");
        let record = &latin[0].as_ref().expect("sound").record;
        assert_eq!(record.tag("White"), Some("Müller"));
    }
}
