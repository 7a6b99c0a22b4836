#!/usr/bin/env python3
"""Analysis and self-play on many machines, over a Ray cluster.

The work is cut into shards. A shard is the same whoever does it and however often, its result comes
back as bytes (so no shared folder is needed), and is kept under its number as soon as it is there.
A shard whose worker is lost is given to another one. At the end every number is merged once.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import json
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
import ray  # noqa: E402  (the setting above must come before it)

TRIES = 5  # A shard that fails so often will fail again.
HERE_ONLY = ("type", "file", "line", "game", "ply")  # What an answer says of its shard.
Shard = dict[str, Any]


def die_with_parent() -> None:
    """Lets no engine go on for a worker that was killed. Runs in the child, on Linux."""
    if sys.platform == "linux":
        PR_SET_PDEATHSIG = 1
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def install(program: bytes | str) -> str:
    """The engine on this machine: a path that is there, or a file from the bytes that were sent."""
    if isinstance(program, str):
        return program
    path = Path(tempfile.gettempdir()) / f"tessera-{hashlib.sha256(program).hexdigest()[:16]}"
    if not path.exists():
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(program)
        os.chmod(file.name, 0o755)
        os.replace(file.name, path)  # Others may be doing the same.
    return str(path)


def play(engine: str, shard: Shard) -> bytes:
    """The games of a shard, as a file of `tessera selfplay`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games"
        words = [engine, "selfplay", "--out", path, "--threads", "1", "--games", shard["games"]]
        words += ["--seed", shard["seed"], *shard["options"]]
        run = subprocess.run([str(word) for word in words], preexec_fn=die_with_parent,
                             stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if run.returncode < 0:
            raise ConnectionError(f"the engine was ended by signal {-run.returncode}")
        if run.returncode > 0:
            raise RuntimeError(run.stderr.strip())
        return path.read_bytes()


def analyse(engine: str, shard: Shard) -> bytes:
    """One line of JSON for each position of a shard, in their order, by `tessera analyse`."""
    numbers, rows = zip(*shard["positions"])
    words = [engine, "analyse", "-", "--format", "jsonl", "--threads", "1", *shard["options"]]
    run = subprocess.run(words, preexec_fn=die_with_parent, input="\n".join(rows) + "\n",
                         capture_output=True, text=True)
    if run.returncode < 0:
        raise ConnectionError(f"the engine was ended by signal {-run.returncode}")
    if run.returncode > 1:
        raise RuntimeError(run.stderr.strip())
    found: dict[int, Shard] = {}
    for said in re.finditer(r"^-:(\d+): (.*)$", run.stderr, re.MULTILINE):
        found[int(said[1])] = {"error": said[2]}
    for said in map(json.loads, run.stdout.splitlines()):
        found[said["line"]] = {key: said[key] for key in said if key not in HERE_ONLY}
    if len(found) < len(rows):  # Not a bad row, but no output at all.
        raise RuntimeError(run.stderr.strip())
    return "".join(json.dumps({"line": number} | found[place]) + "\n"
                   for place, number in enumerate(numbers, start=1)).encode()


WORK: dict[str, Callable[[str, Shard], bytes]] = {"selfplay": play, "analyse": analyse}


@ray.remote(num_cpus=1, max_retries=0, scheduling_strategy="SPREAD")
def do_shard(kind: str, program: bytes | str, shard: Shard) -> bytes:
    return WORK[kind](install(program), shard)


def gather(kind: str, program: Any, shards: list[Shard], folder: Path) -> None:
    """Has all shards done that are not there yet, each into a file named by its number."""
    tries: Counter[int] = Counter()
    begun = time.monotonic()

    def begin(number: int) -> ray.ObjectRef[bytes]:
        return do_shard.remote(kind, program, shards[number])

    todo = [number for number in range(len(shards)) if not (folder / str(number)).exists()]
    pending = {begin(number): number for number in todo}
    while pending:
        done = len(shards) - len(pending)
        seconds = time.monotonic() - begun
        print(f"{done}/{len(shards)} shards, {sum(tries.values())} lost, {seconds:.0f} s",
              file=sys.stderr, flush=True)
        ready, _ = ray.wait(list(pending), num_returns=1)
        number = pending.pop(ready[0])
        try:
            result: bytes = ray.get(ready[0])
        except ray.exceptions.RayError as error:
            if isinstance(error, ray.exceptions.RayTaskError) and not isinstance(error, ConnectionError):
                sys.exit(f"shard {number}: {error.cause}")  # It would be the same elsewhere.
            reason = str(error).strip().splitlines()[0]
            tries[number] += 1
            print(f"shard {number} lost: {reason}", file=sys.stderr, flush=True)
            if tries[number] == TRIES:
                sys.exit(f"shard {number} failed {TRIES} times")
            pending[begin(number)] = number
            continue
        keep(folder / str(number), result)


def keep(path: Path, content: bytes) -> None:
    """Writes a file whole or not at all."""
    new = path.with_name(f"{path.name}.new")
    new.write_bytes(content)
    os.replace(new, path)


def parts_of(out: Path, job: Shard) -> Path:
    """The folder of the shards that are there, which must be those of the same job."""
    folder = out.with_name(out.name + ".parts")
    folder.mkdir(parents=True, exist_ok=True)
    print_of_job = hashlib.sha256(json.dumps(job, sort_keys=True).encode()).hexdigest().encode()
    plan = folder / "job"
    has_shards = any(path.name.isdigit() for path in folder.iterdir())
    if has_shards and plan.read_bytes() != print_of_job:
        sys.exit(f"{folder} is of another job: remove it, or write to another file")
    keep(plan, print_of_job)
    return folder


def pieces(items: list[Any], size: int) -> Iterator[list[Any]]:
    return (items[start:start + size] for start in range(0, len(items), size))


def selfplay_shards(given: argparse.Namespace) -> list[Shard]:
    """The games in shards. Each has a seed of its own, so no game is in two of them."""
    sizes = [len(games) for games in pieces(list(range(given.games)), given.shard)]
    options = given.options.split()
    return [{"seed": given.seed + number, "games": size, "options": options}
            for number, size in enumerate(sizes)]


def analyse_shards(given: argparse.Namespace) -> list[Shard]:
    """The lines of a file in shards, each line with its number. Empty ones and remarks are left out."""
    lines = enumerate(Path(given.file).read_text().splitlines(), start=1)
    positions = [(number, text) for number, text in lines if text.strip() and text.strip()[0] != "#"]
    options = ["--nodes", str(given.nodes), "--variant", given.variant, *given.options.split()]
    return [{"options": options, "positions": part}
            for part in pieces(positions, given.shard)]


def merge(kind: str, engine: str, parts: list[Path], out: Path) -> None:
    """All shards, each of them once."""
    if kind == "analyse":
        keep(out, b"".join(part.read_bytes() for part in parts))
        return
    new = out.with_name(out.name + ".new")
    subprocess.run([engine, "data", "merge", *parts, "--out", new], check=True)
    subprocess.run([engine, "data", "verify", new], check=True)
    os.replace(new, out)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--engine", default="tessera", help="the program [default: %(default)s]")
    parser.add_argument("--installed", action="store_true",
                        help="it is at that path on every machine; else it is sent to them")
    parser.add_argument("--address", help="of a Ray cluster, or 'auto' [default: this machine only]")
    parser.add_argument("--workers", type=int, help="on this machine [default: one for each processor]")
    kinds = parser.add_subparsers(dest="kind", required=True)
    games = kinds.add_parser("selfplay", help="games to learn from")
    games.add_argument("--games", type=int, required=True)
    games.add_argument("--seed", type=int, default=1, help="of the first shard; the others count on")
    games.add_argument("--shard", type=int, default=500, help="games in one [default: %(default)s]")
    games.add_argument("--options", default="", help="for 'tessera selfplay', in one word")
    positions = kinds.add_parser("analyse", help="positions, a FEN or EPD on each line")
    positions.add_argument("file")
    positions.add_argument("--nodes", type=int, default=1_000_000, help="[default: %(default)s]")
    positions.add_argument("--variant", default="chess")
    positions.add_argument("--shard", type=int, default=50, help="positions in one [default: %(default)s]")
    positions.add_argument("--options", default="", help="more for 'tessera analyse', in one word")
    for kind in (games, positions):
        kind.add_argument("--out", type=Path, required=True)
    return parser.parse_args()


def main() -> None:
    given = arguments()
    shards = {"selfplay": selfplay_shards, "analyse": analyse_shards}[given.kind](given)
    engine = shutil.which(given.engine) or sys.exit(f"no program {given.engine}")
    program = Path(engine).read_bytes()
    engine_hash = hashlib.sha256(program).hexdigest()
    folder = parts_of(given.out, {"kind": given.kind, "engine": engine_hash, "shards": shards})
    ray.init(address=given.address, num_cpus=None if given.address else given.workers,
             include_dashboard=False, logging_level=logging.ERROR, log_to_driver=False)
    gather(given.kind, engine if given.installed else ray.put(program), shards, folder)
    merge(given.kind, engine, [folder / str(number) for number in range(len(shards))], given.out)
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    print(f"{given.out}: {len(shards)} shards", file=sys.stderr)


if __name__ == "__main__":
    main()
