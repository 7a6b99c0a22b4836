#!/usr/bin/env bash
# What choosing the game at run time costs orthodox chess: perft of this build beside a
# build whose rules are a constant (feature `constant-rules`). The two take turns, and the
# best of ROUNDS counts, so that a passing disturbance of the machine hits neither alone.
# Usage: benches/constant-rules.sh [ROUNDS]
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-15}

cargo build --release --quiet --target-dir target/rules-run-time
cargo build --release --quiet --target-dir target/rules-constant --features constant-rules

positions=(
    "start|6|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    "Kiwipete|5|r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
    "CPW 3|7|8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
    "CPW 4|5|r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"
    "CPW 5|5|rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"
    "CPW 6|5|r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"
)

for _ in $(seq "$rounds"); do
    for row in "${positions[@]}"; do
        IFS='|' read -r name depth fen <<<"$row"
        for build in run-time constant; do
            seconds=$("target/rules-$build/release/tessera" perft "$depth" --fen "$fen" 2>&1 >/dev/null |
                sed 's/ s,.*//')
            echo "$name|$build|$seconds"
        done
    done
done | awk -F'|' '
    !($1 in seen) { seen[$1] = 1; order[++n] = $1 }
    { key = $1 "|" $2; if (!(key in best) || $3 < best[key]) best[key] = $3 }
    END {
        print "| seconds | rules at run time | rules constant | ratio |"
        print "|---|---:|---:|---:|"
        for (i = 1; i <= n; i++) {
            a = best[order[i] "|run-time"]; b = best[order[i] "|constant"]
            printf "| %s | %.4f | %.4f | %.3f |\n", order[i], a, b, a / b
            sum += log(a / b)
        }
        printf "| geometric mean | | | %.3f |\n", exp(sum / n)
    }'
