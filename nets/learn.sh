#!/usr/bin/env bash
# Learns the network of one game from nothing but its own play, and shows what came of it:
#
#     nets/learn.sh gardner
#
# Generation 0 plays with the linear evaluation, each one after it with the network before, and
# each network learns from the games of the last three. The games go to target/learn/GAME, the last
# network to nets/GAME.net, and what was said on the way to docs/logs/learn-GAME.txt. With the same
# search it comes out the same every time; interrupted, it goes on where it was. For other
# GENERATIONS remove that folder first.
set -euo pipefail
cd "$(dirname "$0")/.."

game=${1:?which game? see tessera --help}
# The positions of each generation, in thousands: smaller boards have less to learn. And how many
# games, of how many nodes a move, tell what its scores mean: on small boards most are drawn.
case $game in
    chessattack | petty) usual="500 1000 2000 10000 10000 20000" telling="400 5000" ;;
    4x5chess | microchess | silverman4x5 | 4x6chess) usual="300 600 1200 4000 4000" telling="1000 3000" ;;
    gardner | baby | mallett) usual="500 1000 2000 5000 5000" telling="1000 3000" ;;
    *) usual="500 1000 2000 10000 10000" telling="400 5000" ;;
esac
read -ra generations <<<"${GENERATIONS:-$usual}"
folder=target/learn/$game
tessera=target/release/tessera
mkdir -p "$folder"
cargo build --release --locked --quiet

# Runs a command of the program, and says what it was and how long it took, here and in the log.
run() {
    local begun=$SECONDS
    {
        echo "\$ tessera $*"
        "$tessera" "$@"
        echo "-- $((SECONDS - begun)) s"
    } | tee -a "$folder/log.txt"
}

player=(--linear)
files=()
for generation in "${!generations[@]}"; do
    file=$folder/$generation.games
    network=$folder/$generation.net
    run selfplay --variant "$game" "${player[@]}" --threads 2 \
        --positions $((generations[generation] * 1000)) \
        --nodes 40 --seed $((generation + 1)) --out "$file"
    files+=("$file")
    ((generation < 3)) || files=("${files[@]: -3}")
    run train "${files[@]}" --out "$network" --hidden 256 --buckets 4 --epochs 10 \
        --scale 200 --result-share 0.1 --foresight 0.6 --threads 2 --resume
    if ((generation > 0)); then
        run duel "$network" "$folder/$((generation - 1)).net" --games 400 --nodes 3000
    fi
    player=(--network "$network")
done
run duel "$network" linear --games 400 --nodes 3000
run duel "$network" internal --games 1000 --nodes 3000
# The numbers for src/eval/wdl.rs.
read -r games nodes <<<"$telling"
run selfplay --variant "$game" "${player[@]}" --threads 2 \
    --games "$games" --nodes "$nodes" --seed 901 --out "$folder/chances.games"
run data chances "$folder/chances.games"
cp "$network" "nets/$game.net"
cp "$folder/log.txt" "docs/logs/learn-$game.txt"
