//! Perft speed beside other move generators, in one run.
//!
//! `cargo bench --bench perft` counts the same six positions with Tessera, with the
//! crates chess, cozy-chess and shakmaty and, if there is one on the PATH, with
//! Stockfish: one thread, no hash table, every one of them counting the last ply in
//! bulk. The contestants take turns, and the best of `ROUNDS` counts, so that a passing
//! disturbance of the machine hits none of them alone. Prints a Markdown table.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::str::FromStr;
use std::time::Instant;

use tessera::board::{CHESS, Position, perft};

const ROUNDS: usize = 5;

/// Name, position, depth, and the count that everyone has to reach.
const POSITIONS: [(&str, &str, u32, u64); 6] = [
    (
        "start",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        6,
        119_060_324,
    ),
    (
        "Kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        5,
        193_690_690,
    ),
    (
        "CPW 3",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        7,
        178_633_661,
    ),
    (
        "CPW 4",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        5,
        15_833_292,
    ),
    (
        "CPW 5",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        5,
        89_941_194,
    ),
    (
        "CPW 6",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        5,
        164_075_551,
    ),
];

/// Counts one position to one depth.
type Counter = Box<dyn FnMut(&str, u32) -> u64>;

fn main() {
    println!("{}", processor());
    let mut contestants: Vec<(&str, Counter)> = vec![
        ("tessera", Box::new(tessera_count)),
        ("chess", Box::new(chess_count)),
        ("cozy-chess", Box::new(cozy_count)),
        ("shakmaty", Box::new(shakmaty_count)),
    ];
    match Stockfish::start() {
        Some(mut engine) => {
            let count = move |fen: &str, depth| engine.count(fen, depth);
            contestants.push(("stockfish", Box::new(count)));
        }
        None => println!("(no stockfish on the PATH)"),
    }

    let mut best = vec![[f64::INFINITY; POSITIONS.len()]; contestants.len()];
    for round in 1..=ROUNDS {
        eprintln!("round {round} of {ROUNDS}");
        for (column, &(name, fen, depth, expected)) in POSITIONS.iter().enumerate() {
            for (row, (who, count)) in contestants.iter_mut().enumerate() {
                let clock = Instant::now();
                let nodes = count(fen, depth);
                let seconds = clock.elapsed().as_secs_f64();
                assert_eq!(nodes, expected, "{who} on {name}");
                best[row][column] = best[row][column].min(seconds);
            }
        }
    }

    print!("| Mnps |");
    for (name, ..) in POSITIONS {
        print!(" {name} |");
    }
    println!(" geometric mean | tessera is |");
    println!("|---|{}", "---:|".repeat(POSITIONS.len() + 2));
    let mean = |row: usize| {
        let speeds = best[row].iter().zip(POSITIONS).map(|(s, p)| p.3 as f64 / s);
        (speeds.map(f64::ln).sum::<f64>() / POSITIONS.len() as f64).exp() / 1e6
    };
    for (row, (name, _)) in contestants.iter().enumerate() {
        print!("| {name} |");
        for (seconds, (.., nodes)) in best[row].iter().zip(POSITIONS) {
            print!(" {:.0} |", nodes as f64 / seconds / 1e6);
        }
        println!(" {:.0} | {:.2} × |", mean(row), mean(0) / mean(row));
    }
}

/// The name of the processor, where the system tells it.
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    name.map_or("unknown processor", |(_, name)| name)
        .to_string()
}

fn tessera_count(fen: &str, depth: u32) -> u64 {
    perft::perft(&Position::from_fen(&CHESS, fen).expect("valid"), depth)
}

fn chess_count(fen: &str, depth: u32) -> u64 {
    let board = chess::Board::from_str(fen).expect("valid");
    chess::MoveGen::movegen_perft_test(&board, depth as usize) as u64
}

fn cozy_count(fen: &str, depth: u32) -> u64 {
    fn count(board: &cozy_chess::Board, depth: u32) -> u64 {
        let mut nodes = 0;
        board.generate_moves(|moves| {
            if depth == 1 {
                nodes += moves.len() as u64;
            } else {
                for mv in moves {
                    let mut child = board.clone();
                    child.play_unchecked(mv);
                    nodes += count(&child, depth - 1);
                }
            }
            false
        });
        nodes
    }
    count(&fen.parse().expect("valid"), depth)
}

fn shakmaty_count(fen: &str, depth: u32) -> u64 {
    let fen: shakmaty::fen::Fen = fen.parse().expect("valid");
    let position: shakmaty::Chess = fen
        .into_position(shakmaty::CastlingMode::Standard)
        .expect("legal");
    shakmaty::perft(&position, depth)
}

/// A Stockfish process that answers `go perft`.
struct Stockfish {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Stockfish {
    fn start() -> Option<Stockfish> {
        let mut process = Command::new("stockfish")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let input = process.stdin.take()?;
        let output = BufReader::new(process.stdout.take()?);
        let mut engine = Stockfish {
            process,
            input,
            output,
        };
        // Name and build: a generic binary is no match for one made for this machine.
        writeln!(engine.input, "compiler\nisready").ok()?;
        for line in engine.read_until("readyok").lines() {
            if line.starts_with("Stockfish") || line.starts_with("Compilation settings") {
                println!("{line}");
            }
        }
        Some(engine)
    }

    fn count(&mut self, fen: &str, depth: u32) -> u64 {
        writeln!(self.input, "position fen {fen}\ngo perft {depth}").expect("stockfish reads");
        let answer = self.read_until("Nodes searched: ");
        let nodes = answer
            .rsplit(' ')
            .next()
            .and_then(|n| n.trim().parse().ok());
        nodes.expect("a node count")
    }

    /// Everything up to and including the line that starts like this.
    fn read_until(&mut self, start: &str) -> String {
        let mut text = String::new();
        loop {
            let from = text.len();
            let read = self.output.read_line(&mut text).expect("stockfish writes");
            assert_ne!(read, 0, "stockfish ended");
            if text[from..].starts_with(start) {
                return text;
            }
        }
    }
}

impl Drop for Stockfish {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "quit");
        let _ = self.process.wait();
    }
}
