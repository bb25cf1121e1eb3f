"""`azx sweep` against single exports: many checkpoints to all formats with proof, again, with one more, and its memory.

    python -P benchmarks/sweep.py [--checkpoints 30] [--jobs 2] [--games tictactoe,connect4] [--json]

The checkpoints are the shipped networks with every weight changed by half a percent. Half of the single exports come
before the sweeps and half after them, so that a machine that gets busier does not decide. Processor seconds are those
of the commands with all their processes. One more comes to a sweep that ended, and to an `azx watch` that is at work:
of each game the second network, beside a single export of the same one.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from azx.export.checkpoint.located import find_checkpoint

GAMES = ("tictactoe", "connect4", "dots_and_boxes", "gomoku", "go")
# Shares of the time of all single exports; of one single export for `one more`, beyond what an unchanged sweep takes.
TARGETS = {"sweep": 0.4, "unchanged": 0.05, "one more": 0.2}
MEGABYTE = 2**20


def disturbed(game: str, folder: Path, number: int) -> Path:
    """A checkpoint of the game with weights of its own: near enough to the shipped ones for float32 to be proved."""
    path = Path(shutil.copy(find_checkpoint(game), folder / f"{game}{number:03d}.h5"))
    rng = np.random.default_rng(number)

    def change(name: str, part: object) -> None:
        if isinstance(part, h5py.Dataset) and part.dtype.kind == "f":
            part[...] = part[...] * (1 + 0.005 * rng.standard_normal(part.shape)).astype(part.dtype)

    with h5py.File(path, "r+") as file:
        file.visititems(change)
    return path


class Run:
    """A command that has ended: `wall` and `processor` seconds, and megabytes of its largest processes as it went on.

    `memory` has, for each line that it told of a checkpoint, the resident memory of each of its processes, the largest
    first.
    """

    def __init__(self, folder: Path, *arguments: object) -> None:
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        command = [sys.executable, "-P", "-m", "azx", *map(str, arguments)]
        self.memory: list[list[int]] = []
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        with subprocess.Popen(command, cwd=folder, **pipes) as process:
            assert process.stderr is not None  # noqa: S101 - it is a pipe
            said = []
            for line in process.stderr:
                said.append(line)
                if line.startswith("Sweep "):
                    self.memory.append(resident(process.pid))
            process.communicate()
        if process.returncode:
            raise SystemExit("".join(said[-5:]))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.wall = time.perf_counter() - began
        self.processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def resident(parent: int) -> list[int]:
    """Megabytes of the processes that this one started, the largest first."""
    found = []
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            facts = dict(line.split(":", 1) for line in status.read_text().splitlines())
        except OSError:
            continue  # it has ended
        if int(facts["PPid"]) == parent and "VmRSS" in facts:
            found.append(int(facts["VmRSS"].split()[0]) * 1024 // MEGABYTE)
    return sorted(found, reverse=True)


def measured(folder: Path, checkpoints: Sequence[Path], more: Path, jobs: int) -> dict[str, Any]:
    """All commands, one after the other."""
    half, singles = len(checkpoints) // 2, []

    def single(paths: Sequence[Path]) -> None:
        for path in paths:
            singles.append(Run(folder, "export", path, "-o", f"single/{path.stem}", "--quiet"))
            print(f"export {path.stem}: {singles[-1].wall:.1f} s", file=sys.stderr, flush=True)

    single(checkpoints[:half])
    sweep = Run(folder, "sweep", "runs", "--jobs", jobs)
    print(f"sweep: {sweep.wall:.1f} s", file=sys.stderr, flush=True)
    unchanged = Run(folder, "sweep", "runs", "--jobs", jobs)
    single(checkpoints[half:])
    shutil.move(more, folder / "runs")
    one_more = Run(folder, "sweep", "runs", "--jobs", jobs)
    found: dict[str, Any] = {"checkpoints": len(checkpoints), "jobs": jobs, "load": os.getloadavg()[1]}
    for kind in ("wall", "processor"):
        total = sum(getattr(run, kind) for run in singles)
        once, again, plus = (getattr(run, kind) for run in (sweep, unchanged, one_more))
        found[kind] = {
            "single": total,
            "sweep": once,
            "unchanged": again,
            "one more": plus,
            "shares": {
                "sweep": once / total,
                "unchanged": again / total,
                "one more": (plus - again) / (total / len(singles)),
            },
        }
    return found | {"memory": sweep.memory}


def watched(folder: Path, game: str) -> dict[str, float]:
    """Wall seconds of one more network of the game: by a watch that has done one, from its arrival, and by itself."""
    first, more = (disturbed(game, folder, number) for number in (100, 101))
    arriving = folder / f"watched-{game}"
    arriving.mkdir()
    command = [sys.executable, "-P", "-m", "azx", "watch", arriving.name, "-o", f"{arriving.name}-bundles", "--json"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None  # noqa: S101 - it is a pipe
        told = (json.loads(line) for line in process.stdout)
        seconds = {}
        for path in (first, more):
            shutil.copy(path, arriving / f".{path.name}")
            began = time.perf_counter()
            (arriving / f".{path.name}").rename(arriving / path.name)
            event = next(event for event in told if event["event"] in ("proved", "failed"))
            if event["event"] == "failed":
                raise SystemExit(str(event))
            seconds[path] = time.perf_counter() - began
        process.send_signal(signal.SIGINT)
    single = Run(folder, "export", more, "-o", f"single/{more.stem}", "--quiet").wall
    return {"watched": seconds[more], "single": single}


def main() -> None:
    """Measure and print, as a table or as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoints", type=int, default=30)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--games", default=",".join(GAMES), help="whose networks, in turn")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    games = options.games.split(",")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "runs").mkdir()
        numbers = range(options.checkpoints)
        checkpoints = [disturbed(games[number % len(games)], folder / "runs", number) for number in numbers]
        found = measured(folder, checkpoints, disturbed(games[0], folder, options.checkpoints), options.jobs)
        found["watched"] = {game: watched(folder, game) for game in games}
    if options.json:
        print(json.dumps(found))
        return
    print(f"{found['checkpoints']} checkpoints, {found['jobs']} jobs, load {found['load']:.1f}")
    for kind in ("wall", "processor"):
        print(f"\n{kind} seconds: {found[kind]['single']:.1f} in single exports")
        for run, share in found[kind]["shares"].items():
            print(f"  {run:10} {found[kind][run]:8.1f}   {share:.3f}, at most {TARGETS[run]}")
    print("\none more to a watch at work, wall seconds, and as a share of a single export:")
    for game, one in found["watched"].items():
        print(f"  {game:14} {one['watched']:8.1f}   {one['watched'] / one['single']:.2f}")
    print("\nmegabytes of its processes, after each checkpoint:")
    for number, sizes in enumerate(found["memory"], start=1):
        print(f"  {number:4} {', '.join(map(str, sizes[: 2 * found['jobs']]))}")


if __name__ == "__main__":
    main()
