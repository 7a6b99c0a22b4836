//! The search, told step by step.

use std::fmt::Write as _;

use super::{Player, Record, Window, number};

/// What happened, a line for each step, indented by the depth in the tree.
pub fn words(root: &Record) -> String {
    let mut text = String::new();
    tell(root, 0, &mut text);
    text
}

fn tell(record: &Record, level: usize, text: &mut String) {
    let indent = "  ".repeat(level);
    let Some(player) = record.player else {
        return;
    };
    let who = match record.name.as_str() {
        "" => format!("{player} root"),
        name => format!("{player} node {name}"),
    };
    let bounds = record
        .bounds
        .as_ref()
        .map_or(String::new(), |[alpha, beta]| {
            format!(": α={alpha} β={beta}")
        });
    let _ = writeln!(text, "{indent}{who}{bounds}");

    let mut window = record.window;
    for child in record.children.iter().filter(|child| !child.is_pruned()) {
        let news = window
            .as_mut()
            .map_or(String::new(), |window| narrow(window, player, child));
        if child.player.is_some() {
            tell(child, level + 1, text);
            if !news.is_empty() {
                let _ = writeln!(text, "{indent}{who}: {news}");
            }
        } else {
            let comma = if news.is_empty() { "" } else { ", " };
            let _ = writeln!(text, "{indent}  {}{comma}{news}", leaf(child));
        }
    }
    let _ = writeln!(text, "{indent}{who}{}", verdict(record, player));
}

/// A leaf is named after its value, or after the action that leads to it.
fn leaf(record: &Record) -> String {
    if record.is_value {
        format!("leaf {}", record.text)
    } else {
        format!("{}: {}", record.label, record.text)
    }
}

/// What a child's value changes about the window.
fn narrow(window: &mut Window, player: Player, child: &Record) -> String {
    let Some(value) = child.value() else {
        return String::new();
    };
    if player.is_max() && value > window.alpha {
        window.alpha = value;
        format!("α={}", child.text)
    } else if !player.is_max() && value < window.beta {
        window.beta = value;
        format!("β={}", child.text)
    } else {
        String::new()
    }
}

/// What came out, and why the search did not look further.
fn verdict(record: &Record, player: Player) -> String {
    let text = &record.text;
    if player == Player::Chance {
        let terms = record.children.iter().map(|child| {
            let weight = number(child.probability.unwrap_or_default());
            format!("{weight} × {}", child.text)
        });
        return format!(" = {} = {text}", terms.collect::<Vec<_>>().join(" + "));
    }
    if let (Some(value), Some(window), Some([alpha, beta])) =
        (record.value(), record.window, &record.bounds)
    {
        let pruned: Vec<&str> = record
            .children
            .iter()
            .filter(|child| child.is_pruned())
            .map(|child| child.label.as_str())
            .collect();
        let prune = match pruned.as_slice() {
            [] => "nothing left to prune".to_string(),
            pruned => format!("prune {}", pruned.join(" ")),
        };
        match player.is_max() {
            true if value >= window.beta => return format!(": {text} ≥ beta {beta}, {prune}"),
            true if value <= window.alpha => {
                return format!(": at most {text}, no more than alpha {alpha}");
            }
            false if value <= window.alpha => return format!(": {text} ≤ alpha {alpha}, {prune}"),
            false if value >= window.beta => {
                return format!(": at least {text}, no less than beta {beta}");
            }
            _ => {}
        }
    }
    let choice = record.choice().map(|index| &record.children[index]);
    let by = choice.map_or(String::new(), |child| format!(", by {}", child.label));
    format!(" = {text}{by}")
}
