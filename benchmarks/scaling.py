"""What a checkpoint, a game and a megabyte cost on one, two and three workers here, and what that predicts.

    python -P benchmarks/scaling.py [--workers 1 2 3] [--checkpoints 6] [--games 64] [--figures build/scaling.json]

Each number of workers has a scheduler of Dask and workers of its own, processes on the loopback; their figures are kept
in a file, so that they can be measured one after another. Seconds of processors are told beside those of the clock:
they hardly depend on what else the machine does. Then `simulated_cluster.py` says how long the same should have taken
by the figures of one worker alone, and what larger clusters do.
"""

from __future__ import annotations

import argparse
import csv
import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import h5py
import numpy as np

from azx.cluster.cluster import Call, Lost
from azx.cluster.dask_cluster import DaskCluster
from azx.cluster.players import ClusterPlayers
from azx.export.checkpoint.located import find_checkpoint
from azx.play.match import Rules
from azx.play.match_runner import play, prepare
from azx.play.match_workers import Net
from azx.sweeps.run import sweep


def beside(name: str) -> Any:
    """The script `name` of this folder, which is on no import path."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    assert spec is not None and spec.loader is not None  # noqa: S101, PT018 - the file lies there
    sys.modules[name] = importlib.util.module_from_spec(spec)  # a dataclass looks its module up by name
    spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


simulated = beside("simulated_cluster")
TICKS = os.sysconf("SC_CLK_TCK")
ECHOES = 40
LARGE = 10
# As much as a Connect4 checkpoint and its bundle, and a place that nothing else wants.
WAITED, MOVED = 0.5, (3.8, 17.5)


def versions(folder: Path, count: int) -> None:
    """So many checkpoints of the shipped Connect4 network's shape, each with other weights."""
    folder.mkdir(parents=True)
    for number in range(count):
        path = Path(shutil.copy(find_checkpoint("connect4"), folder / f"version{number}.h5"))
        rng = np.random.default_rng([count, number])
        with h5py.File(path, "r+") as file:
            found: list[Any] = []
            file.visititems(
                lambda name, part, into=found: into.append(part) if isinstance(part, h5py.Dataset) else None
            )
            for part in found:
                if part.dtype.kind == "f":
                    part[...] = part[...] * (1 + 0.01 * rng.standard_normal(part.shape)).astype(part.dtype)


@contextmanager
def cluster(folder: Path, count: int) -> Iterator[tuple[str, list[int]]]:
    """The address of a scheduler with so many workers, and the numbers of their processes, the scheduler's first."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{found.getsockname()[1]}"
    options = ("--no-nanny", "--nthreads", "1", "--memory-limit", "0", "--no-dashboard", "--local-directory", folder)
    commands: list[Sequence[Any]] = [("scheduler", "--host", address, "--no-dashboard")]
    commands += [("worker", address, "--host", "127.0.0.1", *options, "--name", f"w{n}") for n in range(count)]
    with ExitStack() as stack:
        started = []
        for command in commands:
            log = stack.enter_context((folder / f"{command[0]}.log").open("ab"))
            run = [sys.executable, "-m", "dask", *map(str, command)]
            started.append(subprocess.Popen(run, cwd=folder, stdout=log, stderr=log))
            stack.callback(started[-1].wait)
            stack.callback(started[-1].terminate)
            time.sleep(3)
        yield address, [process.pid for process in started]


def processor_seconds(pids: Sequence[int]) -> float:
    """Of these processes and all below them."""
    parents, used = dict[int, int](), dict[int, float]()
    for place in Path("/proc").glob("[0-9]*"):
        try:
            told = (place / "stat").read_text().rsplit(") ", 1)[1].split()
        except OSError:
            continue
        parents[int(place.name)], used[int(place.name)] = int(told[1]), (int(told[11]) + int(told[12])) / TICKS
    ours = set(pids)
    while more := {pid for pid, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return sum(used.get(pid, 0.0) for pid in ours)


@contextmanager
def measured(pids: Sequence[int]) -> Iterator[dict[str, float]]:
    """Seconds of the block: by the clock, and of the processors of client, scheduler and workers."""

    def now() -> dict[str, float]:
        own = {"clock": time.perf_counter(), "client": time.process_time()}
        return {**own, "scheduler": processor_seconds(pids[:1]), "workers": processor_seconds(pids[1:])}

    told: dict[str, float] = {}
    before = now()
    yield told
    told |= {name: value - before[name] for name, value in now().items()}


def echo(seconds: float, size: int, content: bytes) -> bytes:
    """A task that waits and moves bytes: so many come back."""
    time.sleep(seconds)
    return bytes(size)


def passing(address: str, pids: Sequence[int], seconds: float, sent: float, returned: float) -> dict[str, Any]:
    """Tasks that send and return so many megabytes, and keep a place for so long."""
    size, content = round(returned * 1e6), os.urandom(round(sent * 1e6))
    with DaskCluster(address) as own, measured(pids) as told:
        for _, answer in own.results(Call(number, echo, (seconds, size, content)) for number in range(ECHOES)):
            if isinstance(answer, Lost):
                sys.exit(f"A task failed: {answer.reason}")
    return {"tasks": ECHOES, **told}


def exports(folder: Path, address: str, pids: Sequence[int], count: int, workers: int) -> dict[str, Any]:
    """A sweep after one that has every worker load what it needs."""

    def swept(name: str, checkpoints: int) -> tuple[dict[str, float], list[float], int]:
        versions(folder / name, checkpoints)
        with measured(pids) as told:
            done = sweep([folder / name], output=folder / f"{name}-bundles", backend="dask", scheduler=address)
        with (done.folder / "results.csv").open(newline="") as file:
            seconds = {row["checkpoint"]: float(row["seconds"]) for row in csv.DictReader(file)}
        bundles = [path for outcome in done.outcomes if outcome.folder for path in outcome.folder.rglob("*")]
        return told, list(seconds.values()), sum(path.stat().st_size for path in bundles if path.is_file())

    _, first, _ = swept("first", 2 * workers)
    told, each, returned = swept("then", count)
    sent = sum(path.stat().st_size for path in (folder / "then").iterdir())
    figures = {
        "first": max(first),
        "each": median(each),
        "sent": sent / count / 1e6,
        "returned": returned / count / 1e6,
    }
    return {"tasks": count, **told, **figures}


def games(folder: Path, address: str, pids: Sequence[int], count: int) -> dict[str, Any]:
    """A match of two of the bundles, by ONNX Runtime, after one that opens them."""
    bundles = sorted((folder / "then-bundles").glob("version*"))[:2]
    nets = [Net(str(path / f"{path.name}.onnx")) for path in bundles]
    with DaskCluster(address) as own:
        players = ClusterPlayers(own)
        for seed, pairs in ((1, 16), (2, count // 2)):
            match = prepare(nets, Rules(simulations=50, seed=seed), pairs, None, {}, players)
            with measured(pids) as told:
                play(match, folder / f"{seed}.jsonl", players, lambda logged: None, lambda record: None)
    return {"tasks": len(match.blocks), "games": match.games, **told}


def measure(count: int, checkpoints: int, played: int) -> dict[str, Any]:
    """Everything, with so many workers."""
    with tempfile.TemporaryDirectory(prefix="azx-scaling-") as name:
        folder = Path(name)
        with cluster(folder, count) as (address, pids):
            figures = {
                "small": passing(address, pids, 0, 0, 0),
                "large": passing(address, pids, 0, LARGE, LARGE),
                "waiting": passing(address, pids, WAITED, *MOVED),
                "load": os.getloadavg()[1],
            }
            if checkpoints:
                figures["export"] = exports(folder, address, pids, checkpoints, count)
                figures["games"] = games(folder, address, pids, played)
    return figures


def costs(told: dict[str, Any]) -> dict[str, Any]:
    """Of the tasks of each kind, from what one worker did."""

    def each(kind: str, part: str) -> float:
        return float(told[kind][part] / told[kind]["tasks"])

    scheduler = each("small", "scheduler")
    passed = {"scheduler": scheduler, "per_megabyte": (each("large", "scheduler") - scheduler) / (2 * LARGE)}
    export = told["export"]
    return {
        "waiting": simulated.Costs(
            load=0.0,
            place=WAITED,
            processor=each("waiting", "workers"),
            client=each("waiting", "client"),
            sent=MOVED[0],
            returned=MOVED[1],
            **passed,
        ),
        "export": simulated.Costs(
            load=export["first"] - export["each"],
            place=export["each"],
            processor=each("export", "workers"),
            client=each("export", "client"),
            sent=export["sent"],
            returned=export["returned"],
            **passed,
        ),
        "games": simulated.Costs(
            load=0.0,
            place=each("games", "clock"),
            processor=each("games", "workers"),
            client=each("small", "client"),  # without what waiting for long tasks costs
            sent=0.002,
            returned=0.002,
            **passed,
        ),
    }


WHAT = {"waiting": "tasks of half a second", "export": "checkpoints", "games": "blocks of games"}


def main() -> None:
    """Measure, keep the figures, predict."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2, 3])
    parser.add_argument("--checkpoints", type=int, default=6, help="0: tasks that only wait and move bytes")
    parser.add_argument("--games", type=int, default=64)
    parser.add_argument("--figures", type=Path, default=Path("build/scaling.json"))
    asked = parser.parse_args()
    figures = json.loads(asked.figures.read_text()) if asked.figures.exists() else {}
    for count in asked.workers:
        figures[str(count)] = measure(count, asked.checkpoints, asked.games)
        asked.figures.write_text(json.dumps(figures, indent=1))
    if "1" not in figures:
        sys.exit("The predictions are from the figures of one worker: measure --workers 1 too.")
    found = costs(figures["1"])
    print(
        "| workers | what | measured, s | predicted, s | processor seconds a task: workers, client, scheduler | load |"
    )
    print("|---|---|---|---|---|---|")
    for kind, what in WHAT.items():
        for number, told in sorted(figures.items()):
            if kind not in told:
                continue
            tasks, warm = told[kind]["tasks"], simulated.replace(found[kind], load=0.0)
            run = simulated.simulate(warm, tasks, int(number), os.cpu_count(), link=1e9)
            each = ", ".join(f"{told[kind][part] / tasks:.3f}" for part in ("workers", "client", "scheduler"))
            clock = f"{told[kind]['clock']:.1f} | {run.seconds:.1f}"
            print(f"| {number} | {tasks} {what} | {clock} | {each} | {told['load']:.1f} |")
    print()
    # A place of a larger cluster has a core or two of its own: as long as its processor seconds, one after another.
    export, block = (simulated.replace(found[kind], place=found[kind].processor) for kind in ("export", "games"))
    print(f"EXPORT = {export}\nGAMES = {block}\n")
    simulated.show(export, block)


if __name__ == "__main__":
    main()
