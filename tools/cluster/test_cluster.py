#!/usr/bin/env python3
"""Kills a worker in the middle of a job: nothing may be lost, and nothing done twice.

    python tools/cluster/test_cluster.py target/debug/tessera

needs Linux and an environment with Ray. It starts clusters of two workers on this machine: for
self-play and for analysis with a worker that is killed while its engine is at work, and for
self-play on two nodes of which one is.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ray.cluster_utils import Cluster

CLUSTER = Path(__file__).with_name("cluster.py")
GAMES, SHARD = 24, 3
POSITIONS = 30


def parent_of(process: int) -> int:
    """0 if it is gone."""
    try:
        after_name = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2]
        return int(after_name.split()[1])
    except (OSError, IndexError):
        return 0


def is_below(process: int, ancestor: int) -> bool:
    while process > 1 and process != ancestor:
        process = parent_of(process)
    return process == ancestor


def is_engine(process: int) -> bool:
    try:
        words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return os.path.basename(words[0]).startswith(b"tessera-")


def worker_of(job: int) -> int | None:
    """A worker of this job with an engine at work, and no other process."""
    numbers = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
    engines = [number for number in numbers if is_engine(number) and is_below(number, job)]
    return next((parent_of(engine) for engine in engines if parent_of(engine) > 1), None)


def disturb(words: list[str], parts: Path) -> str:
    """Runs a job, kills a worker after the first shard is done, and returns what was said."""
    job = subprocess.Popen([sys.executable, str(CLUSTER), *words], stderr=subprocess.PIPE, text=True)
    worker = None
    while job.poll() is None and worker is None:
        time.sleep(0.05)
        if any(path.name.isdigit() for path in parts.glob("*")):
            worker = worker_of(job.pid)
            if worker:
                os.kill(worker, signal.SIGKILL)
    said = job.communicate()[1]
    print(said, end="")
    assert job.returncode == 0, "the job failed"
    assert worker, "the job was over before a worker could be killed"
    assert " lost: " in said, "no worker was missed"
    return said


def lose_machine(words: list[str], parts: Path) -> str:
    """Runs a job on two nodes, kills one after the first shard is done, and returns what was said."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    node = cluster.add_node(num_cpus=1)
    words = ["--address", cluster.address, *words]
    job = subprocess.Popen([sys.executable, str(CLUSTER), *words], stderr=subprocess.PIPE, text=True)
    while job.poll() is None and not any(path.name.isdigit() for path in parts.glob("*")):
        time.sleep(0.05)
    cluster.remove_node(node, allow_graceful=False)
    said = job.communicate()[1]
    cluster.shutdown()
    print(said, end="")
    assert job.returncode == 0, "the job failed"
    assert " lost: " in said, "the machine was not missed"
    return said


def games_of(engine: str, path: Path) -> str:
    run = subprocess.run([engine, "data", "verify", path], check=True, capture_output=True, text=True)
    print(run.stdout, end="")
    return run.stdout


def test_selfplay(engine: str, folder: Path) -> None:
    play(engine, folder, disturb, ["--workers", "2"])


def test_machine(engine: str, folder: Path) -> None:
    play(engine, folder, lose_machine, [])


def play(engine: str, folder: Path, run: Callable[[list[str], Path], str], words: list[str]) -> None:
    """The games are those of the shards played one after the other, byte for byte."""
    options = "--nodes 2000"
    out = folder / "games"
    words = [*words, "--engine", engine, "selfplay", "--games", str(GAMES), "--shard", str(SHARD)]
    run([*words, "--out", str(out), "--options", options], folder / "games.parts")
    alone = []
    for number in range(GAMES // SHARD):
        alone.append(folder / f"alone{number}")
        subprocess.run([engine, "selfplay", "--out", alone[-1], "--threads", "1", "--games", str(SHARD),
                        "--seed", str(1 + number), *options.split()],
                       check=True, stdout=subprocess.DEVNULL)
    wanted = folder / "wanted"
    subprocess.run([engine, "data", "merge", *alone, "--out", wanted], check=True,
                   stdout=subprocess.DEVNULL)
    assert f"{GAMES} games" in games_of(engine, out)
    assert out.read_bytes() == wanted.read_bytes(), "other games than without a cluster"
    assert not (folder / "games.parts").exists()


def test_analysis(engine: str, folder: Path) -> None:
    """Every line of the file is answered once, in order, and a bad one is told."""
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
    lines = ["# remarks and empty lines are left out", ""]
    lines += [f"{start} 0 {number + 1}" for number in range(POSITIONS - 2)]
    lines += ["4k3/8/8/8/8/8/8/8 w - - no white king", "R5k1/5ppp/8/8/8/8/8/4K3 b - - id \"mated\";"]
    file, out = folder / "positions.epd", folder / "answers.jsonl"
    file.write_text("\n".join(lines) + "\n")
    words = ["--engine", engine, "--workers", "2", "analyse", str(file), "--shard", "3"]
    disturb([*words, "--nodes", "100000", "--out", str(out)], folder / "answers.jsonl.parts")
    answers = [json.loads(line) for line in out.read_text().splitlines()]
    assert [answer["line"] for answer in answers] == list(range(3, 3 + POSITIONS))
    assert "white kings" in answers[-2]["error"], answers[-2]
    assert answers[-1]["mate"] == 0 and not answers[-1]["lines"], answers[-1]
    same = {(answer["cp"], tuple(answer["lines"][0]["pv"]), answer["nodes"]) for answer in answers[:-2]}
    assert len(same) == 1, "the same position has several answers"


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: test_cluster.py ENGINE")
    engine = str(Path(sys.argv[1]).resolve())
    begun = time.monotonic()
    for test in (test_selfplay, test_analysis, test_machine):
        with tempfile.TemporaryDirectory() as folder:
            test(engine, Path(folder))
        print(f"{test.__name__}: passed")
    print(f"{time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
