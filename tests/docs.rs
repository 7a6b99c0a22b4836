//! The commands in the documents print what the documents say, and draw their pictures.
//!
//! `UPDATE_DOCS=1 cargo test --test docs` writes them anew.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const DOCUMENTS: [&str; 4] = [
    "docs/analysis.md",
    "docs/textbook.md",
    "docs/training.md",
    "docs/compact-boards.md",
];

/// Words as a shell splits them, single quotes included.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in line.split('\'').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_string());
        } else {
            words.extend(part.split_whitespace().map(str::to_string));
        }
    }
    words
}

/// What a command prints, run in a folder of its own.
fn run(command: &str, folder: &Path) -> String {
    let words = words(command);
    assert_eq!(words[0], "tessera", "{command}");
    let output = Command::new(env!("CARGO_BIN_EXE_tessera"))
        .args(&words[1..])
        .current_dir(folder)
        .output()
        .expect("the program starts");
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command}: {complaints}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The document with the answers that the program gives now.
fn renewed(text: &str, folder: &Path) -> String {
    let mut wanted = String::new();
    let mut in_console = false;
    for line in text.lines() {
        if in_console && line == "```" {
            in_console = false;
        } else if line == "```console" {
            in_console = true;
        } else if in_console {
            if let Some(command) = line.strip_prefix("$ ") {
                wanted += &[line, "\n", &run(command, folder)].concat();
            }
            continue;
        }
        wanted += line;
        wanted.push('\n');
    }
    wanted
}

/// The files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    files
}

#[test]
fn the_documents_tell_what_the_program_does() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("docs-test");
    let pictures = folder.join("docs/textbook");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&pictures).expect("a writable folder");
    let is_update = env::var_os("UPDATE_DOCS").is_some();
    for document in DOCUMENTS {
        let text = fs::read_to_string(root.join(document)).expect("a document");
        let wanted = renewed(&text, &folder);
        if is_update {
            fs::write(root.join(document), &wanted).expect("a writable document");
        } else {
            assert!(
                text == wanted,
                "{document}: run UPDATE_DOCS=1 cargo test --test docs"
            );
        }
    }
    for picture in files(&pictures) {
        let name = picture.file_name().expect("a name");
        let drawn = fs::read_to_string(&picture).expect("a picture");
        let kept = root.join("docs/textbook").join(name);
        if is_update {
            fs::create_dir_all(root.join("docs/textbook")).expect("a writable folder");
            fs::write(kept, drawn).expect("a writable picture");
        } else {
            let same = fs::read_to_string(&kept).is_ok_and(|kept| kept == drawn);
            assert!(
                same,
                "{}: run UPDATE_DOCS=1 cargo test --test docs",
                kept.display()
            );
        }
    }
}

/// Links to files of the project lead somewhere.
#[test]
fn links_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for document in DOCUMENTS.iter().chain(&["README.md"]) {
        let text = fs::read_to_string(root.join(document)).expect("a document");
        let folder = root
            .join(document)
            .parent()
            .expect("a folder")
            .to_path_buf();
        for (at, _) in text.match_indices("](") {
            let link = text[at + 2..].split(')').next().unwrap_or_default();
            let file = link.split('#').next().unwrap_or_default();
            let is_elsewhere = file.is_empty() || file.contains("://");
            assert!(
                is_elsewhere || folder.join(file).exists(),
                "{document}: {link}"
            );
        }
    }
}
