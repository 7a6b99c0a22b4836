//! The errors of a training as a picture.

use std::fmt::Write as _;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 78.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 48.0;

/// An SVG of the errors after each epoch: training and validation.
pub fn curve(title: &str, errors: &[(f64, f64)]) -> String {
    let all = || errors.iter().flat_map(|&(a, b)| [a, b]);
    let most = all().fold(0.0, f64::max);
    let least = all().fold(most, f64::min);
    let span = (most - least).max(most * 0.01).max(1e-9);
    let (low, high) = (least - 0.05 * span, most + 0.05 * span);
    let x = |epoch: usize| {
        let share = (epoch - 1) as f64 / errors.len().saturating_sub(1).max(1) as f64;
        LEFT + share * (WIDTH - LEFT - RIGHT)
    };
    let y = |error: f64| TOP + (high - error) / (high - low) * (HEIGHT - TOP - BOTTOM);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n\
         <text x=\"{LEFT}\" y=\"24\" font-size=\"15\" fill=\"#222222\">{}</text>\n",
        escaped(title)
    );
    for line in 0..=5 {
        let error = low + (high - low) * f64::from(line) / 5.0;
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {0:.1}H{1}\" stroke=\"#dddddd\"/>\
             <text x=\"{2}\" y=\"{3:.1}\" text-anchor=\"end\" fill=\"#555555\">{error:.5}</text>",
            y(error),
            WIDTH - RIGHT,
            LEFT - 8.0,
            y(error) + 4.0,
        );
    }
    let every = errors.len().div_ceil(12).max(1);
    for epoch in (1..=errors.len()).step_by(every) {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555555\">{epoch}</text>",
            x(epoch),
            HEIGHT - BOTTOM + 20.0,
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555555\">epochs</text>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 8.0,
    );
    let series: [(&str, &str, Vec<f64>); 2] = [
        (
            "training",
            "#1f6fb4",
            errors.iter().map(|error| error.0).collect(),
        ),
        (
            "validation",
            "#d1495b",
            errors.iter().map(|error| error.1).collect(),
        ),
    ];
    for (place, (name, color, values)) in series.into_iter().enumerate() {
        let points: Vec<String> = (1..)
            .zip(&values)
            .map(|(epoch, &error)| format!("{:.1},{:.1}", x(epoch), y(error)))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>",
            points.join(" ")
        );
        for point in &points {
            let (x, y) = point.split_once(',').unwrap_or_default();
            let _ = writeln!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"2.5\" fill=\"{color}\"/>"
            );
        }
        let last = values.last().copied().unwrap_or_default();
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"{color}\">{name} {last:.6}</text>",
            WIDTH - RIGHT,
            TOP + 14.0 + 18.0 * place as f64,
        );
    }
    svg + "</svg>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
