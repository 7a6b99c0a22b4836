#!/usr/bin/env bash
# Learns the network of one game from nothing but its own play, and shows what came of it:
#
#     nets/learn.sh gardner
#
# Generation 0 plays with the linear evaluation, each one after it with the network before, and
# each network learns from the games of all. The games go to target/learn/GAME, the last network
# to nets/GAME.net. With the same number of threads it comes out the same every time.
set -euo pipefail
cd "$(dirname "$0")/.."

game=${1:?which game? see tessera --help}
# The positions of each generation, in millions.
generations=(${GENERATIONS:-1 1 1 6})
folder=target/learn/$game
tessera=target/release/tessera
mkdir -p "$folder"
cargo build --release --quiet

player=(--linear)
files=()
for generation in "${!generations[@]}"; do
    file=$folder/$generation.games
    network=$folder/$generation.net
    "$tessera" selfplay --variant "$game" "${player[@]}" \
        --positions $((generations[generation] * 1000000)) \
        --plain --nodes 60 --seed $((generation + 1)) --out "$file"
    files+=("$file")
    "$tessera" train "${files[@]}" --out "$network" --hidden 128 --buckets 4 --epochs 10 \
        --scale 200 --result-share 0.1 --foresight 0.6
    player=(--network "$network")
done
"$tessera" duel "$network" linear --games 400 --nodes 3000
cp "$network" "nets/$game.net"
