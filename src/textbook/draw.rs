//! Pictures of a search: SVG for slides, and the language of Graphviz.

use std::fmt::Write as _;

use super::{Player, Record, number};

/// Distances, in units of the picture.
const LEVEL: f64 = 104.0;
const MOST_LEVEL: f64 = 300.0;
const MARGIN: f64 = 28.0;
const GAP: f64 = 12.0;
/// Half the width of a node, and half its height.
const HALF_WIDTH: f64 = 30.0;
const HALF_HEIGHT: f64 = 24.0;
const LEAF_HALF_HEIGHT: f64 = 16.0;
/// The width of a letter of the sizes used.
const LETTER: f64 = 8.6;
const SMALL_LETTER: f64 = 6.6;

const STYLE: &str = "\
text{font-family:'Helvetica Neue',Helvetica,Arial,'Liberation Sans',sans-serif;text-anchor:middle;fill:#1b1f24}
.value{font-size:16px}.long{font-size:12px}.small{font-size:12px;fill:#57606a}
.window{font-size:12px;fill:#0b6e4f;text-anchor:start}
.label{paint-order:stroke;stroke:#fff;stroke-width:7px;stroke-linejoin:round;font-size:13px}
.edge{stroke:#57606a;stroke-width:1.4;fill:none}
.node{stroke-width:1.8}
.max{fill:#dcebfa;stroke:#1f6fb2}.min{fill:#fde5d8;stroke:#b5511f}
.chance{fill:#ece6f7;stroke:#6b4fa0}.one{fill:#e3f1e4;stroke:#3c7a45}.leaf{fill:#fff;stroke:#57606a}
.best{stroke:#111;stroke-width:4}.chosen{stroke-width:3.2}
.pruned .edge,.pruned .node{stroke:#c3c8ce;stroke-dasharray:4 3}.pruned .node{fill:#f6f7f8}
.pruned text{fill:#a3aab2}.cut{stroke:#c0392b;stroke-width:1.8}
";

/// A state with its place in the picture.
struct Placed<'a> {
    record: &'a Record,
    x: f64,
    y: f64,
    level: usize,
    /// On the line that both sides choose.
    is_principal: bool,
    children: Vec<Placed<'a>>,
}

/// The tree as a picture: MAX points up, MIN down, chance is round, leaves are square; pruned
/// branches are grey, and the line of best play is bold.
pub fn svg(root: &Record) -> String {
    let (mut placed, width) = place(root, 0, true);
    shift(&mut placed, MARGIN);
    let depth = height(&placed) as f64;
    // Wide trees get higher levels, so that their branches are not all flat.
    let level = (width / (depth + 1.0) / 5.0).clamp(LEVEL, MOST_LEVEL);
    lower(&mut placed, level);
    let legend = legend(root);
    let width = (width + 2.0 * MARGIN).max(legend.1 + 2.0 * MARGIN);
    let bottom = 2.0 * MARGIN + 2.0 * HALF_HEIGHT + level * depth;
    let full = bottom + 34.0;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{full:.0}\" \
         viewBox=\"0 0 {width:.0} {full:.0}\" role=\"img\">\n<title>Value {}</title>\n\
         <style>\n{STYLE}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        escaped(&root.text)
    );
    edges(&placed, &mut text);
    nodes(&placed, &mut text);
    let _ = writeln!(
        text,
        "<g transform=\"translate({:.1} {:.1})\">{}</g>\n</svg>",
        (width - legend.1) / 2.0,
        bottom + 6.0,
        legend.0
    );
    text
}

/// Puts children side by side and their parent above the middle. Returns the width too.
fn place(record: &Record, level: usize, is_principal: bool) -> (Placed<'_>, f64) {
    let mut children = Vec::new();
    let mut below = 0.0;
    for (index, child) in record.children.iter().enumerate() {
        if index > 0 {
            below += GAP;
        }
        let is_next = is_principal && record.goes_on_with(index);
        let (mut placed, width) = place(child, level + 1, is_next);
        shift(&mut placed, below);
        below += width;
        children.push(placed);
    }
    let own = width_of(record);
    let width = below.max(own);
    for child in &mut children {
        shift(child, (width - below) / 2.0);
    }
    let x = match (children.first(), children.last()) {
        (Some(first), Some(last)) => f64::midpoint(first.x, last.x),
        _ => width / 2.0,
    };
    // The middle between the outer children may leave no room on one side.
    let (left, right) = (own / 2.0 - x, x + own / 2.0 - width);
    let mut placed = Placed {
        record,
        x,
        y: 0.0,
        level,
        is_principal,
        children,
    };
    shift(&mut placed, left.max(0.0));
    (placed, width + left.max(0.0) + right.max(0.0))
}

fn shift(placed: &mut Placed<'_>, by: f64) {
    placed.x += by;
    for child in &mut placed.children {
        shift(child, by);
    }
}

/// Puts every state on the height of its level.
fn lower(placed: &mut Placed<'_>, level: f64) {
    placed.y = MARGIN + HALF_HEIGHT + level * placed.level as f64;
    for child in &mut placed.children {
        lower(child, level);
    }
}

fn height(placed: &Placed<'_>) -> usize {
    let below = placed.children.iter().map(height).max();
    below.unwrap_or(placed.level)
}

/// The room a state needs by itself, its window and its label included.
fn width_of(record: &Record) -> f64 {
    let window = window(record).map_or(0.0, |text| letters(&text) * SMALL_LETTER + 8.0);
    let label = branch_label(record).map_or(0.0, |label| letters(&label) * SMALL_LETTER + 8.0);
    match record.player {
        None => (2.0 * half_width(record)).max(label),
        Some(_) => (2.0 * (half_width(record) + window)).max(label),
    }
}

/// Half the width of the shape.
fn half_width(record: &Record) -> f64 {
    let letters = letters(&shown(record));
    match record.player {
        Some(Player::Max | Player::Min) => (letters * SMALL_LETTER / 2.0 + 13.0).max(HALF_WIDTH),
        Some(Player::Chance) => (letters * SMALL_LETTER / 2.0 + 5.0).max(HALF_HEIGHT),
        Some(Player::One(_)) => (letters * LETTER / 2.0 + 8.0).max(HALF_WIDTH),
        None => (letters * LETTER / 2.0 + 8.0).max(17.0),
    }
}

/// Half the height of the shape.
fn half_height(record: &Record) -> f64 {
    if record.player.is_some() {
        HALF_HEIGHT
    } else {
        LEAF_HALF_HEIGHT
    }
}

fn letters(text: &str) -> f64 {
    text.chars().count() as f64
}

/// The value as it stands in the picture.
fn shown(record: &Record) -> String {
    format!("{}{}", record.sign(), record.text).replace('-', "−")
}

/// The bounds that a state was entered with. Leaves do not use theirs.
fn window(record: &Record) -> Option<String> {
    record.player?;
    let [alpha, beta] = record.bounds.as_ref()?;
    Some(format!("[{alpha}, {beta}]").replace('-', "−"))
}

/// What stands on the branch to a state: the action, its probability, or both.
fn branch_label(record: &Record) -> Option<String> {
    let label = Some(&record.label).filter(|label| !record.is_value && !label.is_empty());
    match (label, record.probability) {
        (Some(label), Some(probability)) => Some(format!("{label}: {}", number(probability))),
        (None, Some(probability)) => Some(number(probability)),
        (label, None) => label.cloned(),
    }
}

/// The branches, drawn first so that the states lie above them.
fn edges(placed: &Placed<'_>, text: &mut String) {
    for child in &placed.children {
        let record = child.record;
        let (x1, y1) = (placed.x, placed.y + HALF_HEIGHT);
        let (x2, y2) = (child.x, child.y - half_height(record));
        let is_pruned = record.is_pruned();
        let starts_cut = is_pruned && !placed.record.is_pruned();
        let open = if is_pruned {
            "<g class=\"pruned\">"
        } else {
            "<g>"
        };
        let bold = if child.is_principal { " best" } else { "" };
        let _ = write!(
            text,
            "{open}<path class=\"edge{bold}\" d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\"/>"
        );
        if starts_cut {
            // Two short strokes across the branch.
            let (x, y) = (x1 + (x2 - x1) * 0.36, y1 + (y2 - y1) * 0.36);
            let length = (x2 - x1).hypot(y2 - y1);
            let (along, across) = ((x2 - x1) / length, (y2 - y1) / length);
            for offset in [-2.5, 2.5] {
                let (x, y) = (x + along * offset, y + across * offset);
                let (dx, dy) = (across * 7.0, -along * 7.0);
                let _ = write!(
                    text,
                    "<path class=\"cut\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/>",
                    x - dx,
                    y - dy,
                    x + dx,
                    y + dy
                );
            }
        }
        if let Some(label) = branch_label(record) {
            let (x, y) = (x1 + (x2 - x1) * 0.64, y1 + (y2 - y1) * 0.64 + 4.0);
            let _ = write!(
                text,
                "<text class=\"label\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
                escaped(&label)
            );
        }
        text.push_str("</g>\n");
        edges(child, text);
    }
}

fn nodes(placed: &Placed<'_>, text: &mut String) {
    let record = placed.record;
    let (x, y) = (placed.x, placed.y);
    text.push_str(if record.is_pruned() {
        "<g class=\"pruned\">"
    } else {
        "<g>"
    });
    let chosen = if placed.is_principal { " chosen" } else { "" };
    let mut baseline = y + 6.0;
    let half = half_width(record);
    let (top, bottom) = (y - half_height(record), y + half_height(record));
    let (left, right) = (x - half, x + half);
    let _ = match record.player {
        Some(Player::Max) => {
            baseline += 8.0;
            write!(
                text,
                "<path class=\"node max{chosen}\" d=\"M{x:.1} {top:.1}L{right:.1} {bottom:.1}H{left:.1}Z\"/>"
            )
        }
        Some(Player::Min) => {
            baseline -= 7.0;
            write!(
                text,
                "<path class=\"node min{chosen}\" d=\"M{x:.1} {bottom:.1}L{right:.1} {top:.1}H{left:.1}Z\"/>"
            )
        }
        Some(Player::Chance) => write!(
            text,
            "<ellipse class=\"node chance{chosen}\" cx=\"{x:.1}\" cy=\"{y:.1}\" rx=\"{half:.1}\" ry=\"{HALF_HEIGHT}\"/>"
        ),
        player => {
            let kind = if player.is_some() { "one" } else { "leaf" };
            let (wide, tall) = (2.0 * half, 2.0 * half_height(record));
            write!(
                text,
                "<rect class=\"node {kind}{chosen}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{tall}\" rx=\"4\"/>"
            )
        }
    };
    if let Some(Player::One(index)) = record.player {
        baseline += 7.0;
        let _ = write!(
            text,
            "<text class=\"small\" x=\"{x:.1}\" y=\"{:.1}\">player {}</text>",
            y - 8.0,
            index + 1
        );
    }
    let size = if record.player.is_some() && letters(&shown(record)) > 3.0 {
        "long"
    } else {
        "value"
    };
    let _ = write!(
        text,
        "<text class=\"{size}\" x=\"{x:.1}\" y=\"{baseline:.1}\">{}</text>",
        escaped(&shown(record))
    );
    if let Some(window) = window(record) {
        let (x, y) = match record.player {
            Some(Player::Max) => (x + half * 0.55 + 4.0, y - 8.0),
            _ => (right + 4.0, y - 10.0),
        };
        let _ = write!(
            text,
            "<text class=\"window\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
            escaped(&window)
        );
    }
    text.push_str("</g>\n");
    for child in &placed.children {
        nodes(child, text);
    }
}

/// What the signs mean, as far as they occur, and how wide that is.
fn legend(root: &Record) -> (String, f64) {
    let mut entries: Vec<(&str, &str)> = Vec::new();
    for (mark, meaning, occurs) in [
        (
            "<path class=\"node max\" d=\"M9 1L18 16H0Z\"/>",
            "MAX",
            has(root, |r| r.player == Some(Player::Max)),
        ),
        (
            "<path class=\"node min\" d=\"M9 16L18 1H0Z\"/>",
            "MIN",
            has(root, |r| r.player == Some(Player::Min)),
        ),
        (
            "<circle class=\"node chance\" cx=\"9\" cy=\"9\" r=\"8\"/>",
            "chance",
            has(root, |r| r.player == Some(Player::Chance)),
        ),
        (
            "<path class=\"edge best\" d=\"M0 9H18\"/>",
            "best play",
            root.player.is_some(),
        ),
        (
            "<g class=\"pruned\"><path class=\"edge\" d=\"M0 9H18\"/></g><path class=\"cut\" d=\"M6 15L9 3M10 15L13 3\"/>",
            "pruned",
            has(root, Record::is_pruned),
        ),
        (
            "<text class=\"window\" x=\"-6\" y=\"13\">[α, β]</text>",
            "window",
            has(root, |r| r.bounds.is_some()),
        ),
    ] {
        if occurs {
            entries.push((mark, meaning));
        }
    }
    let (mut text, mut x) = (String::new(), 0.0);
    for (mark, meaning) in entries {
        let _ = write!(
            text,
            "<g transform=\"translate({x:.1} 0)\">{mark}<text class=\"small\" style=\"text-anchor:start\" x=\"26\" y=\"13\">{meaning}</text></g>"
        );
        x += 26.0 + letters(meaning) * SMALL_LETTER + 22.0;
    }
    (text, (x - 22.0).max(0.0))
}

/// Whether a state anywhere in the tree is like this.
fn has(record: &Record, is_so: fn(&Record) -> bool) -> bool {
    is_so(record) || record.children.iter().any(|child| has(child, is_so))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// The tree in the language of Graphviz.
pub fn dot(root: &Record) -> String {
    let mut text = "digraph search {\n  node [fontname=\"Helvetica\"];\n  \
                    edge [fontname=\"Helvetica\", arrowhead=none];\n"
        .to_string();
    let mut count = 0;
    dot_node(root, true, &mut count, &mut text);
    text.push_str("}\n");
    text
}

/// Writes a state and all below it, and returns its number.
fn dot_node(record: &Record, is_principal: bool, count: &mut usize, text: &mut String) -> usize {
    let number_here = *count;
    *count += 1;
    let shape = match record.player {
        Some(Player::Max) => "triangle",
        Some(Player::Min) => "invtriangle",
        Some(Player::Chance) => "circle",
        Some(Player::One(_)) => "box",
        None => "plaintext",
    };
    let window = record.bounds.as_ref().filter(|_| record.player.is_some());
    let window = window.map_or(String::new(), |[alpha, beta]| {
        format!(", xlabel=\"[{alpha}, {beta}]\"")
    });
    let look = dot_look(record, is_principal);
    let _ = writeln!(
        text,
        "  n{number_here} [shape={shape}, label=\"{}\"{window}{look}];",
        quoted(&shown(record))
    );
    for (index, child) in record.children.iter().enumerate() {
        let is_next = is_principal && record.goes_on_with(index);
        let below = dot_node(child, is_next, count, text);
        let label = branch_label(child).unwrap_or_default();
        let look = dot_look(child, is_next);
        let _ = writeln!(
            text,
            "  n{number_here} -> n{below} [label=\"{}\"{look}];",
            quoted(&label)
        );
    }
    number_here
}

/// How a state and the branch to it are drawn.
fn dot_look(record: &Record, is_principal: bool) -> &'static str {
    match (record.is_pruned(), is_principal) {
        (true, _) => ", color=grey, fontcolor=grey, style=dashed",
        (_, true) => ", penwidth=2.5",
        _ => "",
    }
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
