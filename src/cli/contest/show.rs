//! The result of a match, for people and for programs.

use crate::lab::strength::{Estimate, Sprt, Verdict};
use crate::tools::contest::game::Forfeit;
use crate::tools::contest::player::Entrant;
use crate::tools::contest::{Account, Plan, Report};
use crate::types::json::Object;

/// A line on how it stands.
pub(super) fn standing(plan: &Plan, report: &Report) -> String {
    let tally = &report.tally;
    let mut parts = vec![format!(
        "+{} -{} ={}",
        tally.wins, tally.losses, tally.draws
    )];
    if tally.pairs != [0; 5] {
        parts.push(format!("Elo {}", tally.elo()));
    }
    parts.extend(plan.sprt.map(|test| ratio(&test, report)));
    let forfeits = report.accounts.iter().flat_map(|account| account.forfeits);
    let forfeits: u64 = forfeits.sum();
    if forfeits > 0 {
        parts.push(format!("{forfeits} forfeited"));
    }
    parts.join(", ")
}

fn ratio(test: &Sprt, report: &Report) -> String {
    let ([low, high], ratio) = (test.bounds(), test.ratio(&report.tally.pairs));
    format!("LLR {ratio:.2} ({low:.2}, {high:.2})")
}

/// The result for people.
pub(super) fn text(plan: &Plan, report: &Report) -> String {
    let tally = &report.tally;
    let [first, second] = plan.names();
    let mut lines = vec![heading(plan, report)];
    lines.push(format!(
        "{first} - {second}: +{} -{} ={}, {:.1} %, pairs {}",
        tally.wins,
        tally.losses,
        tally.draws,
        100.0 * tally.score(),
        tally.pairs.map(|count| count.to_string()).join(" "),
    ));
    if tally.pairs != [0; 5] {
        let superiority = 100.0 * tally.superiority();
        let normalised = tally.normalised_elo();
        let normalised = normalised.map(|elo| format!(", normalised Elo {elo}"));
        let normalised = normalised.unwrap_or_default();
        lines.push(format!(
            "Elo {}, LOS {superiority:.1} %{normalised}",
            tally.elo()
        ));
    }
    if let Some(test) = &plan.sprt {
        let ([from, to], ratio) = (test.claims, ratio(test, report));
        let verdict = verdict(report.verdict);
        lines.push(format!("SPRT [{from}, {to}]: {ratio}, {verdict}"));
    }
    if !report.endings.is_empty() {
        let endings = report.endings.iter();
        let endings: Vec<String> = endings
            .map(|(end, count)| format!("{end} {count}"))
            .collect();
        lines.push(endings.join(", "));
    }
    if report.repeated_openings > 0 {
        lines.push(format!(
            "{} pairs began from a position that had been there already",
            report.repeated_openings
        ));
    }
    lines.push(String::new());
    lines.extend(accounts(plan, report));
    lines.join("\n") + "\n"
}

fn heading(plan: &Plan, report: &Report) -> String {
    let terms = &plan.terms;
    let game = if terms.chess960 {
        "Chess960"
    } else {
        terms.rules.name
    };
    let [limit, other] = terms.limits.map(|limit| limit.to_string());
    let limits = if limit == other {
        limit
    } else {
        format!("{limit} against {other}")
    };
    format!(
        "{game}, {limits}: {} of {} games in {:.1} s{}",
        report.tally.games(),
        plan.total_games(),
        report.time.as_secs_f64(),
        if was_stopped(plan, report) {
            ", stopped"
        } else {
            ""
        },
    )
}

fn verdict(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        None => "undecided",
        Some(Verdict::First) => "H0 accepted",
        Some(Verdict::Second) => "H1 accepted",
    }
}

fn was_stopped(plan: &Plan, report: &Report) -> bool {
    let is_done = report.tally.games() >= plan.total_games() || report.verdict.is_some();
    !is_done && report.error.is_none()
}

/// A table with a row for each player, and what went wrong.
fn accounts(plan: &Plan, report: &Report) -> Vec<String> {
    let forfeits = Forfeit::ALL.map(|forfeit| forfeit.to_string());
    let mut rows = vec![
        ["player", "games", "points", "depth", "nodes/s", "ms/move"]
            .map(str::to_string)
            .to_vec(),
    ];
    rows[0].extend(forfeits);
    rows[0].push("illegal lines".to_string());
    let players = || plan.names().into_iter().zip(&report.accounts);
    for (name, account) in players() {
        let mut row = vec![
            name.to_string(),
            account.games.to_string(),
            format!("{:.1}", account.halves as f64 / 2.0),
            format!("{:.1}", account.depth()),
            format!("{:.0}", account.nodes_per_second()),
            format!("{:.1}", account.milliseconds_per_move()),
        ];
        row.extend(account.forfeits.map(|count| count.to_string()));
        row.push(account.illegal_lines.to_string());
        rows.push(row);
    }
    let mut lines = aligned(&rows);
    for (name, account) in players() {
        let notes = account.notes.iter();
        lines.extend(notes.map(|note| format!("{name}: {note}")));
    }
    lines
}

/// Rows with columns of the same width: the first to the left, the others to the right.
fn aligned(rows: &[Vec<String>]) -> Vec<String> {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let line = |row: &Vec<String>| {
        let cells = row.iter().enumerate().map(|(column, cell)| {
            let width = width(column);
            if column == 0 {
                format!("{cell:width$}")
            } else {
                format!("{cell:>width$}")
            }
        });
        cells.collect::<Vec<String>>().join("  ")
    };
    rows.iter().map(line).collect()
}

/// The result for programs.
pub(super) fn json(plan: &Plan, report: &Report) -> String {
    let (tally, terms) = (&report.tally, &plan.terms);
    let mut object = Object::new("match")
        .text("variant", terms.rules.name)
        .value("chess960", terms.chess960)
        .value("games", tally.games())
        .value("planned", plan.total_games())
        .value("stopped", was_stopped(plan, report))
        .value("seconds", report.time.as_secs_f64())
        .value("wins", tally.wins)
        .value("losses", tally.losses)
        .value("draws", tally.draws)
        .raw("pairs", &format!("{:?}", tally.pairs))
        .raw("elo", &estimate(Some(tally.elo())))
        .value("los", tally.superiority())
        .raw("normalised_elo", &estimate(tally.normalised_elo()));
    if let Some(test) = &plan.sprt {
        let test = Object::new("sprt")
            .raw("claims", &array(&test.claims))
            .raw("bounds", &array(&test.bounds()))
            .raw("llr", &finite(test.ratio(&tally.pairs)))
            .text("verdict", verdict(report.verdict));
        object = object.raw("sprt", &test.end());
    }
    let endings = report.endings.iter();
    let endings = endings.fold(Object::new("endings"), |object, (end, count)| {
        object.value(end, count)
    });
    let players = plan.entrants.iter().zip(&report.accounts);
    let players: Vec<String> = players
        .map(|(entrant, account)| json_player(entrant, account))
        .collect();
    object
        .raw("endings", &endings.end())
        .value("repeated_openings", report.repeated_openings)
        .raw("players", &format!("[{}]", players.join(",")))
        .end()
        + "\n"
}

fn json_player(entrant: &Entrant, account: &Account) -> String {
    let mut object = Object::new("player")
        .text("name", &entrant.launch.name)
        .text("limit", &entrant.limit.to_string())
        .value("games", account.games)
        .value("points", account.halves as f64 / 2.0)
        .value("depth", account.depth())
        .value("nodes_per_second", account.nodes_per_second())
        .value("milliseconds_per_move", account.milliseconds_per_move());
    for (forfeit, count) in Forfeit::ALL.into_iter().zip(account.forfeits) {
        object = object.value(&forfeit.to_string().replace(' ', "_"), count);
    }
    object
        .value("illegal_lines", account.illegal_lines)
        .texts("notes", &account.notes)
        .end()
}

/// Value and bounds.
fn estimate(estimate: Option<Estimate>) -> String {
    match estimate {
        None => "null".to_string(),
        Some(Estimate { value, low, high }) => array(&[value, low, high]),
    }
}

fn array(numbers: &[f64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(|&number| finite(number)).collect();
    format!("[{}]", numbers.join(","))
}

/// What is not a number in JSON is `null`.
fn finite(number: f64) -> String {
    if number.is_finite() {
        number.to_string()
    } else {
        "null".to_string()
    }
}
