#!/usr/bin/env bash
# Archives of the program for every level of processors, with their checksums:
#
#     tools/release.sh [FOLDER]       FOLDER is target/release-archives if it is not given
#     LEVELS="x86-64-v3" tools/release.sh
#
# The same sources give the same bytes with the same compiler, wherever they are: SOURCE_DATE_EPOCH,
# or else the last commit, says what time it is, and no path of this machine gets into a program.
# Every program is built anew.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() { echo "release.sh: $*" >&2; exit 1; }

for tool in make cargo rustc tar gzip sha256sum; do
    command -v "$tool" >/dev/null || fail "$tool is missing"
done

folder=${1:-target/release-archives}
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null)} ||
    fail "no commit to take the time from: set SOURCE_DATE_EPOCH"
export SOURCE_DATE_EPOCH

system=$(uname -s | tr '[:upper:]' '[:lower:]')
case $system-$(uname -m) in
    linux-x86_64) all="x86-64-v1 x86-64-v2 x86-64-v3 x86-64-v3-slow-pext x86-64-v4 universal" ;;
    *-x86_64) all="x86-64-v1 x86-64-v2 x86-64-v3 x86-64-v3-slow-pext x86-64-v4" ;;
    *) all="generic" ;;
esac
levels=${LEVELS:-$all}

# What the compiler writes into a program of where things are.
homes="--remap-path-prefix=$PWD=/tessera"
homes+=" --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo"
homes+=" --remap-path-prefix=$(rustc --print sysroot)=/rust"
export RUSTFLAGS_EXTRA="$homes -C strip=symbols"
export CARGO_INCREMENTAL=0

if [ $# -gt 0 ] && [ -e "$folder" ]; then fail "$folder is there already"; fi
rm -rf "$folder"
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
work=$folder/work

# Writes the manual page and the completions.
texts() {
    local program=$1 to=$2
    "$program" --version >/dev/null || fail "$program does not run here: put another level first"
    mkdir -p "$to/completions"
    "$program" man --date "$(date -u -d "@$SOURCE_DATE_EPOCH" +%F)" >"$to/tessera.6"
    "$program" completions bash >"$to/completions/tessera.bash"
    "$program" completions zsh >"$to/completions/_tessera"
    "$program" completions fish >"$to/completions/tessera.fish"
}

for level in $levels; do
    name=tessera-$version-$system-$level
    mkdir -p "$work/$name"
    make "$level" TARGET="$work/target" EXE="$work/$name/tessera"
    # Any program will do for the texts, if it runs here; the first level does everywhere.
    [ -d "$work/texts" ] || texts "$work/$name/tessera" "$work/texts"
    if [ "$level" = universal ]; then
        "$work/$name/tessera" selfcheck --quick >"$work/selfcheck" ||
            fail "the universal program is not well: $(cat "$work/selfcheck")"
    fi
    cp -r README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE docs "$work/texts/." "$work/$name/"
    tar --create --directory="$work" --sort=name --format=ustar --owner=0 --group=0 \
        --numeric-owner --mode='u+rwX,go+rX,go-w' --mtime="@$SOURCE_DATE_EPOCH" "$name" |
        gzip --no-name -9 >"$folder/$name.tar.gz"
done
rm -rf "$work"
cd "$folder"
sha256sum -- *.tar.gz | tee SHA256SUMS
