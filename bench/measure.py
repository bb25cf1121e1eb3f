"""Every artifact of some bundles measured in turn, so that what else the machine does meets all of them alike.

    measured = bench([Path("bundles/connect4")])

Each artifact has a process of its own. Each round asks every artifact for one block of answers and starts with a
different artifact. A ratio compares times that are each measured against their own round.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..bundle.contents.manifest import check_artifact, read_manifest
from ..errors import AzxError, NotRunHere
from ..export.formats.table import FORMATS, check_also, check_name
from ..match.players import ONE_THREAD
from ..system.temporary import temporary_folder
from ..system.workers import Ask, ask_in_process
from ..validate.door.look import look_at_all
from . import artifact

# A block takes about so long, so that a slow runtime does not keep the quick ones waiting.
BLOCK_SECONDS, MOST_CALLS = 0.03, 50
PERCENTILES = (50, 90, 99)


@dataclass(eq=False)
class Measured:
    """What was measured of one artifact; times in seconds, sizes in bytes.

    `blocks` has the time of an answer in each round, the block's median; `answers` every single one. `ratio` is to the
    quickest artifact of the same bundle. `searches` are in processor time; `playouts` are simulations of a search in a
    second of it, None if no game is known.
    `reason` says why nothing was measured; `further` names the runtime if it is not the format's own.
    """

    bundle: Path
    format: str
    path: str
    size: int
    precision: str = "fp32"
    further: str | None = None
    runtime: str = ""
    reason: str = ""
    batch: int = 1
    load: float | None = None
    first_load: float | None = None
    first_answer: float | None = None
    memory: int | None = None
    answers: list[float] = field(default_factory=list)
    blocks: list[float] = field(default_factory=list)
    searches: list[float] = field(default_factory=list)
    simulations: int = 0
    ratio: float | None = None

    @property
    def title(self) -> str:
        """What a table calls it."""
        precise = self.path if self.precision == "fp32" else f"{self.path} ({self.precision})"
        return f"{precise}, {self.further}" if self.further else precise

    @property
    def latency(self) -> dict[str, float]:
        """Percentiles of the time of one answer; empty if absent."""
        if not self.answers:
            return {}
        return {f"p{at}": float(np.percentile(self.answers, at)) for at in PERCENTILES}

    @property
    def playouts(self) -> float | None:
        """Simulations in a second of processor time, the median of the rounds."""
        return self.simulations / statistics.median(self.searches) if self.searches else None

    def as_data(self) -> dict[str, Any]:
        """What `azx bench --json` prints of it."""
        names = ("bundle", "format", "path", "precision", "further", "size", "runtime", "batch", "load", "first_load")
        told = {name: getattr(self, name) for name in names}
        told |= {"first_answer": self.first_answer, "peak_memory": self.memory, "latency": self.latency}
        return told | {"ratio": self.ratio, "playouts_per_second": self.playouts, "reason": self.reason or None}


@dataclass(frozen=True, eq=False)
class Bench:
    """All artifacts, and the machine's arithmetic: `multiply_adds` a second on one thread, `work` of a position.

    `work` is by bundle; None without an ONNX artifact.
    """

    artifacts: list[Measured]
    multiply_adds: float
    work: Mapping[Path, int | None]
    rounds: int
    threads: int

    def least(self, bundle: Path) -> float | None:
        """Seconds below which no answer on one thread can be, if each multiply-add is done: those of the products."""
        work = self.work.get(bundle)
        return work / self.multiply_adds if work else None


def bench(
    bundles: Sequence[Path],
    *,
    formats: Sequence[str] = (),
    batch: int = 1,
    threads: int = 1,
    rounds: int = 20,
    simulations: int = 100,
    also: Sequence[str] = (),
    on_step: Callable[[str], None] = lambda name: None,
) -> Bench:
    """Measure the artifacts of `bundles`, those of `formats` alone if some are named.

    Args:
        bundles: folders that azx export wrote.
        formats: names of the table of formats.
        batch: positions per answer; an artifact with another batch size answers them batch by batch.
        threads: of ONNX Runtime, LiteRT and TensorFlow; the other runtimes have one.
        rounds: blocks of answers per artifact.
        simulations: of each search, 0 for none.
        also: further runtimes, such as litert.js, in which there is no search.
        on_step: receives the name of each step.

    Raises:
        BundleError: a bundle or an artifact is missing or damaged.
        UnsafeArtifact: an artifact does more than calculate; none was run.
        AzxError: there is no such format or further runtime, or nothing that this runtime runs.

    """
    for name in formats:
        check_name(name)
    with ExitStack() as stack:
        folder = stack.enter_context(temporary_folder("bench"))
        listed = [found for bundle in bundles for found in _list_artifacts(bundle, formats, also)]
        check_also(also, [FORMATS[found.format] for found in listed])
        look_at_all((found.format, found.bundle / found.path) for found in listed if found.further is None)
        opened = [stack.enter_context(_process(folder, threads, f"measuring {found.path}")) for found in listed]
        on_step("the machine's arithmetic")
        with _process(folder, 1, "measuring this machine") as ask:
            speed = ask(artifact.arithmetic)
        running = list(_open_artifacts(listed, opened, batch, threads, on_step))
        _answers(running, batch, rounds, on_step)
        for found, ask in running:
            found.memory = ask(artifact.peak_memory)
        if simulations:
            _searches(running, simulations, max(1, rounds // 5), on_step)
        with _process(folder, 1, "measuring this machine") as ask:
            work = {bundle: _work(bundle, ask) for bundle in dict.fromkeys(bundles)}
    for bundle in work:
        _compare([found for found in listed if found.bundle == bundle and found.blocks])
    return Bench(listed, speed, work, rounds, threads)


def _process(folder: Path, threads: int, doing: str) -> AbstractContextManager[Ask]:
    environment = dict.fromkeys((*ONE_THREAD, "TF_NUM_INTRAOP_THREADS"), str(threads))
    return ask_in_process(folder, {**environment, "CUDA_VISIBLE_DEVICES": "-1", "TF_CPP_MIN_LOG_LEVEL": "3"}, doing)


def _list_artifacts(bundle: Path, formats: Sequence[str], also: Sequence[str]) -> Iterator[Measured]:
    """The artifacts of a bundle, whose files are those of its manifest, each in its own runtime and in further ones."""
    manifest = read_manifest(bundle)
    for entry in manifest.artifacts:
        if entry.format in FORMATS and (not formats or entry.format in formats):
            check_artifact(bundle, entry.path, manifest)
            size = manifest.size_of(entry.path)
            ways = (None, *(each.name for each in FORMATS[entry.format].also if each.name in also))
            for further in ways:
                yield Measured(bundle, entry.format, entry.path, size, entry.precision, further)


def _open_artifacts(
    listed: Sequence[Measured], asks: Sequence[Ask], batch: int, threads: int, on_step: Callable[[str], None]
) -> Iterator[tuple[Measured, Ask]]:
    """Those that can be run here, each with its process."""
    for found, ask in zip(listed, asks, strict=True):
        on_step(f"loading {found.title}")
        runner = next((each.runner for each in FORMATS[found.format].also if each.name == found.further), None)
        try:
            told = ask(artifact.time_opening, found.format, found.bundle / found.path, threads, runner)
        except NotRunHere as error:
            found.reason = str(error)
            continue
        found.runtime, found.batch = told["runtime"], batch
        found.first_load, found.load, found.first_answer = told["first_load"], told["load"], told["first_answer"]
        yield found, ask


def _answers(running: Sequence[tuple[Measured, Ask]], batch: int, rounds: int, on_step: Callable[[str], None]) -> None:
    calls = {}
    for found, ask in running:
        on_step(f"warming up {found.title}")
        calls[found] = max(1, min(MOST_CALLS, int(BLOCK_SECONDS / max(ask(artifact.time_warm_answer, batch), 1e-6))))
    for turn in range(rounds):
        on_step(f"answers, round {turn + 1} of {rounds}")
        for found, ask in _rotate(running, turn):
            times = ask(artifact.time_answers, calls[found], batch)
            found.answers += times
            found.blocks.append(statistics.median(times))


def _searches(
    running: Sequence[tuple[Measured, Ask]], simulations: int, rounds: int, on_step: Callable[[str], None]
) -> None:
    """Searches in turn; an artifact of which no game is known has none."""
    unknown = {found for found, _ in running if found.further}
    for turn in range(rounds + 1):
        on_step(f"searches, round {turn + 1} of {rounds + 1}")
        for found, ask in _rotate(running, turn):
            if found in unknown:
                continue
            try:
                seconds = ask(artifact.time_search, found.bundle / found.path, simulations)
            except AzxError:
                unknown.add(found)
                continue
            found.simulations = simulations
            # The first has compiled the walk, and opened the network.
            found.searches += [seconds] if turn else []


def _rotate(running: Sequence[tuple[Measured, Ask]], turn: int) -> Sequence[tuple[Measured, Ask]]:
    at = turn % max(1, len(running))
    return [*running[at:], *running[:at]]


def _work(bundle: Path, ask: Ask) -> int | None:
    manifest = read_manifest(bundle)
    path = next((entry.path for entry in manifest.artifacts if entry.format == "onnx"), None)
    try:
        work: int | None = ask(artifact.multiply_adds, bundle / path) if path else None
    except (ImportError, AzxError):
        return None
    return work


def _compare(measured: Sequence[Measured]) -> None:
    """Each one's ratio to the quickest one.

    What is compared is the median over the rounds of an artifact's block, divided by the geometric mean of the round's
    blocks: what slows a whole round slows no one in particular, and nobody is quicker than the quickest.
    """
    if not measured:
        return
    times = np.log([found.blocks for found in measured])
    usual = np.median(times - times.mean(axis=0), axis=1)
    for found, ratio in zip(measured, np.exp(usual - usual.min()), strict=True):
        found.ratio = float(ratio)
