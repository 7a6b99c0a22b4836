//! The score sheet: a game of a contest in portable notation.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::board::CHESS;
use crate::lab::record::Points;
use crate::tools::pgn::{Ending, Played as PlayedMove, Record};

use super::game::{Finish, Forfeit, Played, Terms};

/// Writes a game down. The names are those of the players by number, the round is a pair and the
/// game in it, both from 1 up.
pub fn record(
    played: &Played,
    terms: &Terms,
    names: [&str; 2],
    (pair, game): (u64, u64),
) -> Record {
    let (white, black) = (played.white, 1 - played.white);
    let mut record = Record::new(played.start);
    record.ending = match played.points {
        Points::WhiteWins => Ending::WhiteWins,
        Points::BlackWins => Ending::BlackWins,
        Points::Draw => Ending::Draw,
    };
    record.set_tag("Event", format!("{} - {}", names[0], names[1]));
    record.set_tag("Site", "?");
    record.set_tag("Date", date(SystemTime::now()));
    record.set_tag("Round", format!("{pair}.{game}"));
    record.set_tag("White", names[white]);
    record.set_tag("Black", names[black]);
    record.set_tag("Result", record.ending.to_string());
    if terms.chess960 {
        record.set_tag("Variant", "Chess960");
    } else if terms.rules.name != CHESS.name {
        record.set_tag("Variant", terms.rules.name);
    }
    let fen = played.start.fen();
    if fen != terms.rules.start || terms.chess960 {
        record.set_tag("SetUp", "1");
        record.set_tag("FEN", fen);
    }
    record.set_tag("PlyCount", played.plies.len().to_string());
    let [first, second] = [white, black].map(|player| terms.limits[player].to_string());
    if first == second {
        record.set_tag("TimeControl", first);
    } else {
        record.set_tag("WhiteTimeControl", first);
        record.set_tag("BlackTimeControl", second);
    }
    record.set_tag("Termination", termination(&played.finish));
    for ply in &played.plies {
        let mut made = PlayedMove::new(ply.mv);
        made.comment = ply.thought.to_string();
        record.moves.push(made);
    }
    if let Some(last) = record.moves.last_mut() {
        let reason = match &played.finish {
            Finish::Forfeited { loser, forfeit, .. } => format!("{}: {forfeit}", names[*loser]),
            other => other.to_string(),
        };
        last.comment = format!("{}, {reason}", last.comment);
    }
    record
}

/// In the words of the standard.
fn termination(finish: &Finish) -> &'static str {
    match finish {
        Finish::Rules(_) => "normal",
        Finish::Adjudicated(_) => "adjudication",
        Finish::Forfeited { forfeit, .. } => match forfeit {
            Forfeit::Time => "time forfeit",
            Forfeit::IllegalMove => "rules infraction",
            Forfeit::Crash | Forfeit::Hang => "abandoned",
        },
    }
}

/// The day in universal time. Years are counted from March, so that the odd day of a leap year is
/// the last of all.
fn date(time: SystemTime) -> String {
    const DAYS_IN_400_YEARS: u64 = 146_097;
    /// From the first of March of the year 0 to the first of January 1970.
    const DAYS_BEFORE_1970: u64 = 719_468;
    let seconds = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let days = seconds.as_secs() / 86_400 + DAYS_BEFORE_1970;
    let (era, day) = (days / DAYS_IN_400_YEARS, days % DAYS_IN_400_YEARS);
    let year = (day - day / 1460 + day / 36_524 - day / (DAYS_IN_400_YEARS - 1)) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // Months from March on: 31, 30, 31, 30, 31 days, twice.
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = match month {
        0..10 => (400 * era + year, month + 3),
        _ => (400 * era + year + 1, month - 9),
    };
    format!("{year:04}.{month:02}.{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn days_have_dates() {
        for (days, written) in [
            (0, "1970.01.01"),
            (58, "1970.02.28"),
            (59, "1970.03.01"),
            (11_016, "2000.02.29"),
            (11_017, "2000.03.01"),
            (19_782, "2024.02.29"),
            (20_088, "2024.12.31"),
            (20_089, "2025.01.01"),
            (47_541, "2100.03.01"),
        ] {
            let time = UNIX_EPOCH + Duration::from_secs(days * 86_400 + 86_399);
            assert_eq!(date(time), written, "{days}");
        }
    }
}
