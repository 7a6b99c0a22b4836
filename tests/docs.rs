//! The commands in the documents print what the documents say, and draw their pictures.
//!
//! `UPDATE_DOCS=1 cargo test --test docs` writes them anew.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Where they are.
fn documents() -> Vec<PathBuf> {
    let is_document = |path: &PathBuf| path.extension().is_some_and(|end| end == "md");
    let all = files(&root().join("docs")).into_iter().filter(is_document);
    all.chain([root().join("README.md")]).collect()
}

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
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("docs-test");
    let pictures = folder.join("docs/textbook");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&pictures).expect("a writable folder");
    let is_update = env::var_os("UPDATE_DOCS").is_some();
    for document in documents() {
        let text = fs::read_to_string(&document).expect("a document");
        let wanted = renewed(&text, &folder);
        if is_update {
            fs::write(&document, &wanted).expect("a writable document");
        } else {
            assert!(
                text == wanted,
                "{}: run UPDATE_DOCS=1 cargo test --test docs",
                document.display()
            );
        }
    }
    for picture in files(&pictures) {
        let name = picture.file_name().expect("a name");
        let drawn = fs::read_to_string(&picture).expect("a picture");
        let kept = root().join("docs/textbook").join(name);
        if is_update {
            fs::create_dir_all(root().join("docs/textbook")).expect("a writable folder");
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
    for document in documents() {
        let text = fs::read_to_string(&document).expect("a document");
        let folder = document.parent().expect("a folder");
        for (at, _) in text.match_indices("](") {
            let link = text[at + 2..].split(')').next().unwrap_or_default();
            let file = link.split('#').next().unwrap_or_default();
            let is_elsewhere = file.is_empty() || file.contains("://");
            assert!(
                is_elsewhere || folder.join(file).exists(),
                "{}: {link}",
                document.display()
            );
        }
    }
}

/// The commands in blocks for a shell, each on one line.
fn shell_commands(text: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut in_shell = false;
    for line in text.replace("\\\n", " ").lines() {
        if line.starts_with("```") {
            in_shell = !in_shell && line == "```sh";
        } else if in_shell && line.starts_with("tessera ") && !line.contains('|') {
            commands.push(line.to_string());
        }
    }
    commands
}

const MOMENT: Duration = Duration::from_millis(200);
/// The exit code of a command line that makes no sense.
const USAGE: i32 = 2;

/// No command of the documents is misunderstood. What takes longer than a moment, or needs files
/// that are not there, is not waited for: only its words are judged.
#[test]
fn commands_are_understood() {
    if cfg!(not(unix)) {
        return; // They are written for a shell.
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("docs-commands");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a writable folder");
    let programs = Path::new(env!("CARGO_BIN_EXE_tessera")).parent();
    let programs = programs.expect("a folder").display().to_string();
    let path = env::var("PATH").unwrap_or_default();
    let mut count = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).expect("a document");
        for command in shell_commands(&text) {
            count += 1;
            let mut child = Command::new("sh")
                .args(["-c", &format!("exec {command}")])
                .env("PATH", format!("{programs}:{path}"))
                .current_dir(&folder)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("a shell");
            let started = Instant::now();
            while matches!(child.try_wait(), Ok(None)) && started.elapsed() < MOMENT {
                thread::sleep(Duration::from_millis(5));
            }
            let _ = child.kill();
            let code = child.wait().expect("its end").code();
            assert_ne!(code, Some(USAGE), "{}: {command}", document.display());
        }
    }
    fs::remove_dir_all(&folder).expect("a folder to remove");
    assert!(count > 30, "only {count} commands");
}
