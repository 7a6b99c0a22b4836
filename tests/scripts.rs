//! Random scripts through a whole session: a short version of what the fuzzer does.

#[path = "../fuzz/harness.rs"]
mod harness;
mod support;

use support::Dice;

/// Pieces that scripts are made of.
const PIECES: [&str; 49] = [
    "uci\n",
    "isready\n",
    "ucinewgame\n",
    "position startpos moves e2e4 ",
    "position startpos\n",
    "position fen rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "position fen R6k/8/6K1/8/8/8/8/8 b - - 0 1\n",
    "position frc 5",
    " moves ",
    "e7e5 ",
    "e1g1 ",
    "setoption name ",
    "setoption name UCI_Variant value gardner\n",
    "setoption name UCI_Variant value chess\n",
    "setoption name Threads value 2\n",
    "setoption name Threads value 1\n",
    "setoption name Hash value 2\n",
    "setoption name Hash value 1\n",
    "setoption name Clear Hash\n",
    "setoption name MultiPV value 3\n",
    "setoption name UCI_Chess960 value true\n",
    "setoption name UCI_LimitStrength value true\n",
    " value ",
    "go ",
    "go infinite\n",
    "go ponder wtime 10 btime 10\n",
    "go\n",
    "go depth 3\n",
    "go mate 1\n",
    "movetime 3 ",
    "nodes 10 ",
    "searchmoves e2e4 d2d4 ",
    "wtime -5 btime 7 ",
    "perft 2\n",
    "stop\n",
    "stop\n",
    "quit\n",
    "ponderhit\n",
    "wait\n",
    "flip\n",
    "moves\n",
    "eval\n",
    "d\n",
    "debug on\n",
    "help\n",
    "\n",
    "\n",
    "\0\u{feff}\u{1f980}99999999999999999999",
];

#[test]
fn every_script_comes_to_its_end_with_all_its_answers() {
    let mut dice = Dice::new(3);
    for _ in 0..400 {
        let length = 1 + dice.below(40);
        let script: String = (0..length)
            .map(|_| PIECES[dice.below(PIECES.len())])
            .collect();
        let mut bytes = script.into_bytes();
        // Now and then a byte is damaged.
        if dice.below(3) == 0 && !bytes.is_empty() {
            let at = dice.below(bytes.len());
            bytes[at] = u8::try_from(dice.below(256)).expect("a byte");
        }
        harness::check_script(&bytes);
    }
}
