//! Runs a script of any bytes through a whole session in this process, and checks what
//! must always hold. Shared by the fuzzer and the tests.

use std::io::{Cursor, Write};
use std::sync::Arc;

use parking_lot::Mutex;
use tessera::uci::{self, Command, Output, Row, Strictness, Style};

/// Where the output goes.
#[derive(Clone, Default)]
struct Collected(Arc<Mutex<Vec<u8>>>);

impl Write for Collected {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Panics if the session breaks its contract.
pub fn check_script(bytes: &[u8]) {
    let (script, searches, has_quit) = tame(bytes);
    let collected = Collected::default();
    let output = Output::new(Box::new(collected.clone()), Style::Protocol, |_| {});
    let input = Cursor::new(script.clone());
    uci::run(input, &Arc::new(output), Strictness::Protocol).expect("a session");
    let said = String::from_utf8(collected.0.lock().clone()).expect("UTF-8");
    let shown = || format!("{}\n--\n{said}", String::from_utf8_lossy(&script));
    let answers = said
        .lines()
        .filter(|line| line.starts_with("bestmove "))
        .count();
    if has_quit {
        assert!(answers <= searches, "{}", shown());
    } else {
        assert_eq!(answers, searches, "{}", shown());
    }
    assert!(!said.contains("internal error"), "{}", shown());
}

/// Takes out what would take too long or touch the disk, and bounds every search. Returns
/// the script, the number of searches in it, and whether it ends with `quit`.
fn tame(bytes: &[u8]) -> (Vec<u8>, usize, bool) {
    let mut script = Vec::new();
    let mut searches = 0;
    for line in bytes.split(|byte| *byte == b'\n').take(40) {
        let mut bound: &[u8] = b"";
        match uci::parse(&String::from_utf8_lossy(line)) {
            Ok(Some(Command::Go(_))) => {
                searches += 1;
                bound = b" nodes 300 mate 1";
            }
            Ok(Some(Command::Perft(depth))) if depth > 2 => continue,
            Ok(Some(Command::Bench { .. })) => continue,
            Ok(Some(Command::SetOption { name, value })) => {
                let number = value.and_then(|value| value.parse::<u64>().ok());
                let is_large = number.is_some_and(|number| number > 8);
                let row = Row::named(&name).map(|row| row.name);
                match row {
                    Some("Debug Log File") => continue,
                    Some("Hash" | "Threads") if is_large => continue,
                    _ => {}
                }
            }
            Ok(Some(Command::Quit)) => {
                script.extend_from_slice(line);
                return (script, searches, true);
            }
            _ => {}
        }
        script.extend_from_slice(line);
        script.extend_from_slice(bound);
        script.push(b'\n');
    }
    (script, searches, false)
}
