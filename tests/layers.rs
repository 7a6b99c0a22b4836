//! Dependencies between modules point one way. A layer may use those below it only.

use std::fs;
use std::path::{Path, PathBuf};

/// The layers from the lowest up. Each may use the ones before it.
const LAYERS: [&str; 11] = [
    "types", "board", "eval", "endgame", "textbook", "search", "engine", "lab", "tools", "uci",
    "cli",
];
/// Stands beside the engine: only the highest layer may use it.
const ASIDE: &str = "textbook";

#[test]
fn no_layer_uses_a_higher_one() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (height, layer) in LAYERS.iter().enumerate() {
        let files = files_of(&source, layer);
        assert!(!files.is_empty(), "no files in layer {layer}");
        for file in files {
            let text = fs::read_to_string(&file).expect("readable source");
            let climbs = text.contains("super::super");
            assert!(!climbs, "{}: a path through super::super", file.display());
            for used in layers_used(&text) {
                let place = LAYERS.iter().position(|name| *name == used);
                let allowed = place.is_some_and(|place| place <= height);
                let is_aside = used == ASIDE && ![ASIDE, "cli"].contains(layer);
                let place = file.display();
                assert!(allowed && !is_aside, "{place}: {layer} uses crate::{used}");
            }
        }
    }
}

#[test]
fn every_module_has_its_layer() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs");
    let text = fs::read_to_string(source).expect("readable source");
    let mut modules: Vec<&str> = text
        .lines()
        .filter_map(|line| {
            line.trim_start_matches("pub ")
                .strip_prefix("mod ")?
                .strip_suffix(';')
        })
        .collect();
    let mut layers = LAYERS.to_vec();
    modules.sort_unstable();
    layers.sort_unstable();
    assert_eq!(modules, layers);
}

#[test]
fn every_way_to_name_a_layer_is_seen() {
    let text = "use crate::board::{Position, Rules};\nlet x = crate::uci::run();\n\
                use crate::{\n    cli::run,\n    types::{Color, Move},\n};";
    assert_eq!(layers_used(text), ["board", "uci", "cli", "types"]);
}

/// The files of a module: `layer.rs` and everything under `layer/`.
fn files_of(source: &Path, layer: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![source.join(layer)];
    files.extend(Some(source.join(format!("{layer}.rs"))).filter(|file| file.exists()));
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files
}

/// The first name after every `crate::`, those in a braced list included.
fn layers_used(text: &str) -> Vec<String> {
    let name_at = |text: &str| {
        let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
        text.chars()
            .take_while(|&letter| is_name(letter))
            .collect::<String>()
    };
    let mut used = Vec::new();
    for (at, found) in text.match_indices("crate::") {
        let rest = &text[at + found.len()..];
        let Some(list) = rest.strip_prefix('{') else {
            used.push(name_at(rest));
            continue;
        };
        // The names at the first level of braces.
        let mut level = 0;
        let mut start = 0;
        for (index, letter) in list.char_indices() {
            match letter {
                '{' => level += 1,
                '}' | ',' if level == 0 => {
                    used.push(name_at(list[start..index].trim()));
                    start = index + 1;
                    if letter == '}' {
                        break;
                    }
                }
                '}' => level -= 1,
                _ => {}
            }
        }
    }
    used.retain(|name| !name.is_empty());
    used
}
