//! `tessera endgame`: makes endgame tables, and looks at them.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};
use std::fs;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::Instant;

use lexopt::{Arg, Parser, ValueExt};

use crate::board::{CHESS, Position, Rules};
use crate::endgame::{Class, Stats, Table, Tables, Value, check, max_men};
use crate::search::available_memory;
use crate::tools::pgn::{self, read::Found};
use crate::types::Color;

use super::{
    Failure, all_threads, complain, number, print, progress_bar, rules_named, thread_count,
};

pub(super) const HELP: &str = "\
tessera endgame build [OPTIONS]     work out all endgames of a game, into a folder
tessera endgame stats [OPTIONS]     how many are won, drawn and lost, and the longest mates
tessera endgame verify [OPTIONS]    is every value that of the best move?
tessera endgame probe FEN [OPTIONS] what a position is worth, and each of its moves
tessera endgame review FILE… [OPTIONS]  which moves of the games in PGN files gave away a win or
                                    a draw that the tables know

    --variant NAME              the game [default: chess]
    --men N                     classes of up to N men, the kings included: 3 to 6, on 8x8 to 5
                                [default: 4, on 8x8 3]
    --from FEN                  'build' makes only classes that can still come up from this
                                position, or from the 'start'
    --dir FOLDER                where the tables are; 'build' needs it, and goes on where it was
                                interrupted; the others make them in memory without it
    --class NAME                only this one, such as KQKR
    --longest N                 'stats' shows the N classes with the longest mates
    --step N                    'verify' looks at every Nth position [default: 1]
    --threads N                 [default: all]

To play with the tables of a folder: setoption name EndgamePath value FOLDER.
";

struct Order {
    rules: &'static Rules,
    men: usize,
    from: Option<Position>,
    folder: Option<PathBuf>,
    class: Option<Class>,
    longest: Option<usize>,
    step: usize,
    threads: usize,
}

pub(super) fn run(mut parser: Parser) -> Result<(), Failure> {
    let mut order = Order {
        rules: &CHESS,
        men: 0,
        from: None,
        folder: None,
        class: None,
        longest: None,
        step: 1,
        threads: all_threads(),
    };
    let (mut words, mut from) = (Vec::new(), None);
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return print(HELP),
            Arg::Long("variant") => order.rules = rules_named(&parser.value()?.string()?)?,
            Arg::Long("men") => order.men = number(&mut parser, "--men", 3)?,
            Arg::Long("from") => from = Some(parser.value()?.string()?),
            Arg::Long("dir") => order.folder = Some(PathBuf::from(parser.value()?)),
            Arg::Long("class") => {
                let name = parser.value()?.string()?;
                let unknown = || Failure::Usage(format!("no class '{name}'; KQKR is one"));
                order.class = Some(Class::named(&name).ok_or_else(unknown)?);
            }
            Arg::Long("longest") => order.longest = Some(number(&mut parser, "--longest", 1)?),
            Arg::Long("step") => order.step = number(&mut parser, "--step", 1)?,
            Arg::Long("threads") => order.threads = thread_count(&mut parser)?,
            Arg::Value(word) => words.push(word.string()?),
            unknown => return Err(unknown.unexpected().into()),
        }
    }
    let usage = |text: &str| Failure::Usage(format!("{text}\n\n{}", HELP.trim_end()));
    if order.men() > max_men(order.rules) {
        let (name, most, men) = (order.rules.name, max_men(order.rules), order.men());
        return Err(usage(&format!(
            "{men} men are too many: {most} at most in {name}"
        )));
    }
    if let Some(fen) = from {
        let fen = if fen == "start" {
            order.rules.start
        } else {
            &fen
        };
        order.from = Some(position(order.rules, fen)?);
    }
    let Some((verb, rest)) = words.split_first() else {
        return Err(usage("endgame needs to know what to do"));
    };
    if verb != "build" && order.from.is_some() {
        return Err(usage("--from goes with build"));
    }
    if !matches!(verb.as_str(), "probe" | "review") && !rest.is_empty() {
        return Err(usage(&format!("unexpected '{}'", rest[0])));
    }
    match verb.as_str() {
        "build" => build(&order),
        "stats" => stats(&order),
        "verify" => verify(&order),
        "probe" if !rest.is_empty() => probe(&order, &rest.join(" ")),
        "probe" => Err(usage("probe needs a FEN")),
        "review" if !rest.is_empty() => review(&order, rest),
        "review" => Err(usage("review needs a file of games")),
        _ => Err(usage(&format!("endgame cannot '{verb}'"))),
    }
}

/// Names damaged files, which are left out.
fn name_all(problems: &[String]) {
    for problem in problems {
        complain(problem);
    }
}

impl Order {
    fn men(&self) -> usize {
        match (self.men, &self.class) {
            (0, Some(class)) => class.men(),
            (0, None) if !self.rules.is_compact() => 3,
            (0, None) => 4,
            (men, _) => men,
        }
    }

    /// Works out the tables that are missing, with a bar, and writes each into the folder as soon
    /// as it is done.
    fn complete(&self, tables: &mut Tables, folder: Option<&Path>) -> Result<(), Failure> {
        let classes = match &self.from {
            None => Class::all(self.rules, self.men()),
            Some(position) => Class::all_from(position, self.men()),
        };
        let total = classes.iter().filter(|class| !tables.has(class)).count();
        if total == 0 {
            return Ok(());
        }
        load(tables, |table| table.class.men() <= self.men())?;
        self.refuse_too_large(tables, &classes)?;
        let bar = progress_bar(
            total as u64,
            "{bar:32} {pos}/{len} classes, {msg}, {eta} left",
        );
        let made = tables.complete(classes, self.threads, |table| {
            if let Some(folder) = folder {
                table.write(folder)?;
            }
            bar.inc(1);
            bar.set_message(table.class.to_string());
            Ok(())
        });
        bar.finish_and_clear();
        made.map_err(Failure::Failed)
    }

    /// All tables are kept in memory while others are made, for they lead to each other. Those at
    /// work take more, up to two other bytes and twice a number for each position.
    fn refuse_too_large(&self, tables: &Tables, classes: &[Class]) -> Result<(), Failure> {
        let missing = classes.iter().filter(|class| !tables.has(class));
        let mut sizes: Vec<u64> = missing.map(|class| class.positions(self.rules)).collect();
        sizes.sort_unstable_by_key(|&size| Reverse(size));
        let at_work: u64 = sizes.iter().take(self.threads).sum();
        let needed = sizes.iter().sum::<u64>() + 10 * at_work;
        match available_memory() {
            Some(available) if needed > available as u64 => Err(Failure::Failed(format!(
                "these tables need {} MB of memory, and there are {}: fewer --men, or --from?",
                needed >> 20,
                available >> 20
            ))),
            _ => Ok(()),
        }
    }

    /// The tables of the folder, or made anew. Damaged files are named and left out, unless the
    /// folder has to be sound.
    fn tables(&self, must_be_sound: bool) -> Result<Tables, Failure> {
        let Some(folder) = &self.folder else {
            let mut tables = Tables::new(self.rules);
            self.complete(&mut tables, None)?;
            return Ok(tables);
        };
        let (mut tables, mut problems) =
            Tables::open(folder, self.rules).map_err(Failure::Failed)?;
        // Nothing is made in memory here.
        problems.extend(tables.leave_out_gaps(|_| false));
        if must_be_sound && !problems.is_empty() {
            return Err(Failure::Failed(problems.join("\n")));
        }
        name_all(&problems);
        if tables.tables().is_empty() {
            let (folder, name) = (folder.display(), self.rules.name);
            let message = format!("{folder}: no endgame tables of {name}");
            return Err(Failure::Failed(message));
        }
        Ok(tables)
    }

    fn is_wanted(&self, table: &Table) -> bool {
        let class = &table.class;
        (self.men == 0 || class.men() <= self.men)
            && self.class.as_ref().is_none_or(|wanted| wanted == class)
    }

    /// Those of the tables that are asked for.
    fn wanted<'a>(&self, tables: &'a Tables) -> Result<Vec<&'a Table>, Failure> {
        let tables = tables.tables().iter();
        let wanted: Vec<&Table> = tables.filter(|table| self.is_wanted(table)).collect();
        if wanted.is_empty() {
            let what = self
                .class
                .as_ref()
                .map_or("such".to_string(), Class::to_string);
            let message = format!("there is no {what} table of {}", self.rules.name);
            return Err(Failure::Failed(message));
        }
        Ok(wanted)
    }
}

/// Reads tables into memory that are in files, if there is room for them.
pub(super) fn load(tables: &mut Tables, is_wanted: impl Fn(&Table) -> bool) -> Result<(), Failure> {
    let in_files = |table: &&Table| table.origin().is_some() && is_wanted(table);
    let sizes = tables.tables().iter().filter(in_files);
    let needed = sizes.map(Table::positions).sum::<usize>();
    match available_memory() {
        Some(available) if needed > available => Err(Failure::Failed(format!(
            "these tables need {} MB of memory, and there are {}",
            needed >> 20,
            available >> 20
        ))),
        _ => tables.load(is_wanted).map_err(Failure::Failed),
    }
}

fn build(order: &Order) -> Result<(), Failure> {
    let folder = order.folder.as_ref();
    let folder = folder.ok_or_else(|| Failure::Usage("build needs --dir FOLDER".to_string()))?;
    let fail = |error| Failure::Failed(format!("{}: {error}", folder.display()));
    if order.class.is_some() {
        let message = "build makes all classes, for they lead to each other: no --class";
        return Err(Failure::Usage(message.to_string()));
    }
    fs::create_dir_all(folder).map_err(fail)?;
    let clock = Instant::now();
    // What an earlier run has left is taken over; what is damaged is made anew.
    let (mut tables, problems) = Tables::open(folder, order.rules).map_err(Failure::Failed)?;
    name_all(&problems);
    let before = tables.tables().len();
    order.complete(&mut tables, Some(folder))?;
    let bytes: usize = tables.tables().iter().map(Table::positions).sum();
    print(&format!(
        "{}: {} classes of up to {} men, {:.1} MB, {} of them made now in {:.1} s\n",
        folder.display(),
        tables.tables().len(),
        tables.men(),
        bytes as f64 / 1e6,
        tables.tables().len() - before,
        clock.elapsed().as_secs_f64(),
    ))
}

const SIDES: &str = "       won      drawn       lost";

fn stats(order: &Order) -> Result<(), Failure> {
    let tables = order.tables(false)?;
    let wanted = order.wanted(&tables)?;
    let mut rows: Vec<(&Class, Stats)> = wanted
        .into_iter()
        .map(|table| Ok((&table.class, Stats::of(table)?)))
        .collect::<Result<_, String>>()
        .map_err(Failure::Failed)?;
    let total = Stats::sum(rows.iter().map(|(_, stats)| stats));
    let classes = rows.len();
    if let Some(count) = order.longest {
        rows.sort_by_key(|(_, stats)| Reverse(stats.longest));
        rows.truncate(count);
    }
    let width = tables.men().max(5);
    print(&format!(
        "{:width$} {:>32} | {:>32} | longest mate\n{:width$} {SIDES} | {SIDES} |\n",
        "class", "white to move", "black to move", ""
    ))?;
    for (class, stats) in rows {
        print(&row(&class.to_string(), width, &stats))?;
    }
    if classes > 1 {
        print(&row("all", width, &total))?;
    }
    Ok(())
}

/// A line of statistics.
fn row(name: &str, width: usize, stats: &Stats) -> String {
    let half = |side: usize| {
        let [win, draw, loss] = [&stats.wins, &stats.draws, &stats.losses].map(|all| all[side]);
        format!("{win:>10} {draw:>10} {loss:>10}")
    };
    let mate = match &stats.example {
        Some(example) => format!("{:>3}  {example}", stats.longest.div_ceil(2)),
        None => "  -".to_string(),
    };
    format!("{name:width$} {} | {} | {mate}\n", half(0), half(1))
}

fn verify(order: &Order) -> Result<(), Failure> {
    let mut tables = order.tables(true)?;
    // The values looked at, and those that captures and promotions lead to; a capture may be both.
    let wanted = order.wanted(&tables)?;
    let mut next: Vec<Class> = Vec::new();
    for class in wanted
        .iter()
        .flat_map(|table| table.class.next(order.rules))
    {
        next.extend(class.next(order.rules));
        next.push(class);
    }
    load(&mut tables, |table| {
        order.is_wanted(table) || next.contains(&table.class)
    })?;
    let wanted = order.wanted(&tables)?;
    let mut positions = 0;
    for table in &wanted {
        positions += check(&tables, table, order.step).map_err(|fault| {
            Failure::Failed(format!(
                "{}: {} is {}, but its moves say {}",
                table.class,
                fault.position,
                words(fault.found),
                words(fault.expected)
            ))
        })?;
    }
    print(&format!(
        "{} classes, {positions} positions: all as their moves say\n",
        wanted.len()
    ))
}

fn position(rules: &'static Rules, fen: &str) -> Result<Position, Failure> {
    let position = Position::from_fen(rules, fen);
    position.map_err(|error| Failure::Failed(format!("{fen}: {error}")))
}

fn probe(order: &Order, fen: &str) -> Result<(), Failure> {
    let position = position(order.rules, fen)?;
    if position.castling_rooks().nonempty() {
        let message = "the tables know no position in which somebody may castle".to_string();
        return Err(Failure::Failed(message));
    }
    let men = position.occupied().count() as usize;
    let needed = if order.folder.is_none() {
        let most = max_men(order.rules);
        if men > most {
            let message = format!("{men} men are too many: {most} at most");
            return Err(Failure::Failed(message));
        }
        men.max(3)
    } else {
        order.men
    };
    let tables = Order {
        men: needed,
        from: Some(position),
        folder: order.folder.clone(),
        class: None,
        ..*order
    }
    .tables(false)?;
    let value = tables.value(&position);
    if value.is_none() {
        let message = "the tables do not know this position".to_string();
        return Err(Failure::Failed(message));
    }
    let mut text = format!("{}\n", words(value));
    for (mv, value) in tables.moves(&position).unwrap_or_default() {
        let _ = writeln!(text, "{:7} {}", position.san(mv), words(Some(value)));
    }
    print(&text)
}

/// How a player has done where the tables know the result.
#[derive(Default)]
struct Account {
    moves: u64,
    wins_given: u64,
    draws_given: u64,
}

fn review(order: &Order, files: &[String]) -> Result<(), Failure> {
    let tables = order.tables(false)?;
    let mut accounts: BTreeMap<String, Account> = BTreeMap::new();
    let mut left_out = 0;
    for file in files {
        let fail = |error: &dyn Display| Failure::Failed(format!("{file}: {error}"));
        let input = fs::File::open(file).map_err(|error| fail(&error))?;
        for found in pgn::read::Reader::new(BufReader::new(input), order.rules) {
            let found = match found {
                Ok(found) => found,
                Err(flaw) => {
                    complain(&format!("{file}, line {}: {}", flaw.line, flaw.reason));
                    left_out += 1;
                    continue;
                }
            };
            let game = found.record.start.rules().name;
            if game != order.rules.name {
                let number = found.number;
                return Err(fail(&format!(
                    "game {number} is of {game}: --variant {game}"
                )));
            }
            review_game(&tables, &found, &mut accounts)?;
        }
    }
    let mut text = String::new();
    for (player, account) in accounts {
        let Account {
            moves,
            wins_given,
            draws_given,
        } = account;
        let _ = writeln!(
            text,
            "{player}: {moves} moves in known positions, {wins_given} wins and {draws_given} \
             draws given away"
        );
    }
    if text.is_empty() {
        text = "no game came to a position that the tables know\n".to_string();
    }
    print(&text)?;
    match left_out {
        0 => Ok(()),
        _ => Err(Failure::Failed(format!(
            "not all could be read: {left_out} left out"
        ))),
    }
}

/// Looks at the moves of one game, and prints those that gave something away.
fn review_game(
    tables: &Tables,
    found: &Found,
    accounts: &mut BTreeMap<String, Account>,
) -> Result<(), Failure> {
    let record = &found.record;
    let mut position = record.start;
    for played in &record.moves {
        let (before, mv) = (position, played.mv);
        position.make(mv);
        let values = (tables.value(&before), tables.value(&position));
        let (Some(value), Some(next)) = values else {
            continue;
        };
        // What the fifty-move rule takes away was not given away.
        if !value.is_in_time(before.halfmoves()) || !next.is_in_time(position.halfmoves()) {
            continue;
        }
        let player = record.tag(match before.side() {
            Color::White => "White",
            Color::Black => "Black",
        });
        let player = player.unwrap_or("?").to_string();
        let account = accounts.entry(player.clone()).or_default();
        account.moves += 1;
        let given = match (value, next.before()) {
            (Value::Win(_), Value::Draw | Value::Loss(_)) => &mut account.wins_given,
            (Value::Draw, Value::Loss(_)) => &mut account.draws_given,
            _ => continue,
        };
        *given += 1;
        print(&format!(
            "game {}, {player}: {} is {}, the position is {}: {before}\n",
            found.number,
            before.san(mv),
            words(Some(next.before())),
            words(Some(value)),
        ))?;
    }
    Ok(())
}

/// A value for people.
fn words(value: Option<Value>) -> String {
    match value {
        None => "not legal".to_string(),
        Some(Value::Draw) => "a draw".to_string(),
        Some(Value::Loss(0)) => "mate".to_string(),
        Some(Value::Win(plies)) => format!("won, mate in {}", plies.div_ceil(2)),
        Some(Value::Loss(plies)) => format!("lost, mated in {}", plies / 2),
    }
}
