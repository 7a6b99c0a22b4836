//! The course of a game as a picture: what White could expect after each move.

use std::fmt::Write as _;

use crate::types::Color;

use super::judge::{Grade, Judged, expectation};

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 40.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 32.0;

/// The colours, light and dark.
const STYLE: &str = "<style>\
.page{fill:#fff}.white{fill:#f4f1ea}.black{fill:#5b5750}.line{fill:none;stroke:#1f6fb4;stroke-width:1.6}\
.rule{stroke:#9a958c;stroke-width:.6}text{fill:#333;font:12px sans-serif}.title{font-size:14px}\
.inaccuracy{fill:#e0a800}.mistake{fill:#e06c00}.blunder{fill:#c62828}\
@media(prefers-color-scheme:dark){.page{fill:#1b1b1d}.white{fill:#d9d5cc}.black{fill:#3a3835}\
text{fill:#ddd}.line{stroke:#2f8fe0}}</style>\n";

/// The share of a point that White could expect in each position.
pub fn expectations(judged: &Judged) -> Vec<f64> {
    let findings = judged.analysed.findings.iter();
    let of = |(finding, position): (&super::Finding, &crate::board::Position)| {
        let share = expectation(finding.score, position);
        match position.side() {
            Color::White => share,
            Color::Black => 1.0 - share,
        }
    };
    findings.zip(&judged.positions).map(of).collect()
}

/// An SVG that works as a file of its own, and in the dark.
pub fn graph(judged: &Judged) -> String {
    let shares = expectations(judged);
    let last = shares.len().saturating_sub(1).max(1) as f64;
    let x = |ply: usize| LEFT + ply as f64 / last * (WIDTH - LEFT - RIGHT);
    let y = |share: f64| TOP + (1.0 - share) * (HEIGHT - TOP - BOTTOM);
    let bottom = y(0.0);
    let points: Vec<String> = (0..)
        .zip(&shares)
        .map(|(ply, &share)| format!("{:.1},{:.1}", x(ply), y(share)))
        .collect();
    let points = points.join(" ");
    let title = title(judged);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\">\n{STYLE}\
         <title>{title}</title>\n<rect class=\"page\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n\
         <text class=\"title\" x=\"{LEFT}\" y=\"26\">{title}</text>\n\
         <rect class=\"black\" x=\"{LEFT}\" y=\"{TOP}\" width=\"{}\" height=\"{}\"/>\n\
         <polygon class=\"white\" points=\"{LEFT},{bottom} {points} {:.1},{bottom}\"/>\n",
        WIDTH - LEFT - RIGHT,
        bottom - TOP,
        x(shares.len() - 1),
    );
    for (share, name) in [(1.0, "1"), (0.5, "½"), (0.0, "0")] {
        let _ = writeln!(
            svg,
            "<path class=\"rule\" d=\"M{LEFT} {0:.1}H{1}\"/>\
             <text x=\"{2}\" y=\"{3:.1}\" text-anchor=\"end\">{name}</text>",
            y(share),
            WIDTH - RIGHT,
            LEFT - 8.0,
            y(share) + 4.0,
        );
    }
    for (ply, number) in numbers(judged) {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{number}</text>",
            x(ply),
            HEIGHT - 10.0
        );
    }
    let _ = writeln!(svg, "<polyline class=\"line\" points=\"{points}\"/>");
    for (index, verdict) in judged.verdicts.iter().enumerate() {
        if let Some(grade) = verdict.grade {
            let (ply, name) = (index + 1, Grade::name(grade));
            let _ = writeln!(
                svg,
                "<circle class=\"{name}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\"/>",
                x(ply),
                y(shares[ply])
            );
        }
    }
    svg + "</svg>\n"
}

/// Some plies, and the numbers of the moves before them.
fn numbers(judged: &Judged) -> Vec<(usize, u16)> {
    let positions = judged.positions.iter().enumerate();
    let white = positions.filter(|(_, position)| position.side() == Color::White);
    let numbered: Vec<(usize, u16)> = white
        .map(|(ply, position)| (ply, position.fullmoves()))
        .collect();
    let every = numbered.len().div_ceil(12).max(1);
    numbered.into_iter().step_by(every).collect()
}

/// Who played, and how it ended.
fn title(judged: &Judged) -> String {
    let name = match judged.record() {
        Some(record) => format!(
            "{} – {}  {}",
            judged.player(Color::White),
            judged.player(Color::Black),
            record.ending
        ),
        None => judged.positions[0].fen(),
    };
    name.replace('&', "&amp;").replace('<', "&lt;")
}
