"""Measures the artifacts of bundles in turn, so that other work on the machine affects all of them alike.

    measured = bench([Path("bundles/connect4")])

Each artifact has its own process. Each round asks every artifact for one block of answers and starts with a
different artifact. A ratio compares times after each is divided by its own round's mean.
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
from ..pages.notebook import html_table
from ..system.temporary import temporary_folder
from ..system.workers import Ask, ask_in_process
from ..validate.door.look import look_at_all
from . import artifact

# A block lasts about this long, so that slow runtimes do not keep fast ones waiting.
BLOCK_SECONDS, MOST_CALLS = 0.03, 50
PERCENTILES = (50, 90, 99)


@dataclass(eq=False)
class ArtifactBench:
    """The figures of one artifact; times in seconds, sizes in bytes.

    `blocks` has for each round the median time of an answer, `answers` the time of every single one. `ratio` compares
    it with the fastest artifact of the same bundle. `searches` are in processor time. `playouts` are simulations per
    second of that time, None if the game is not known. `reason` says why nothing was measured; `further` names the
    runtime if it is not the format's own.
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
        """Its name in a table."""
        precise = self.path if self.precision == "fp32" else f"{self.path} ({self.precision})"
        return f"{precise}, {self.further}" if self.further else precise

    @property
    def latency(self) -> dict[str, float]:
        """Percentiles of the time of one answer; empty if nothing was measured."""
        if not self.answers:
            return {}
        return {f"p{at}": float(np.percentile(self.answers, at)) for at in PERCENTILES}

    @property
    def playouts(self) -> float | None:
        """Simulations per second of processor time, the median of the rounds."""
        return self.simulations / statistics.median(self.searches) if self.searches else None

    def as_data(self) -> dict[str, Any]:
        """The artifact's part of the output of `azx bench --json`."""
        names = ("bundle", "format", "path", "precision", "further", "size", "runtime", "batch", "load", "first_load")
        data = {name: getattr(self, name) for name in names}
        data |= {"first_answer": self.first_answer, "peak_memory": self.memory, "latency": self.latency}
        return data | {"ratio": self.ratio, "playouts_per_second": self.playouts, "reason": self.reason or None}


@dataclass(frozen=True, eq=False)
class Bench:
    """The figures of all artifacts, and the machine's `multiply_adds` per second on one thread.

    `work` has by bundle the multiply-adds of a position; None without an ONNX artifact.
    """

    artifacts: list[ArtifactBench]
    multiply_adds: float
    work: Mapping[Path, int | None]
    rounds: int
    threads: int

    def least(self, bundle: Path) -> float | None:
        """The shortest possible time of an answer on one thread, in seconds: that of its multiply-adds alone."""
        work = self.work.get(bundle)
        return work / self.multiply_adds if work else None

    def _repr_html_(self) -> str:
        """The figures as a table, for notebooks."""
        heads = ("bundle", "artifact", "MB", "load, ms", "answer, ms (median)", "90 %", "")
        return html_table(f"{self.rounds} rounds, {self.threads} threads", heads, map(_row, self.artifacts))


def _row(measured: ArtifactBench) -> tuple[object, ...]:
    times = [measured.load, *(measured.latency.get(at) for at in ("p50", "p90"))]
    milliseconds = [None if time is None else f"{1e3 * time:.3g}" for time in times]
    return (
        measured.bundle,
        measured.title,
        f"{measured.size / 1e6:.2f}",
        *milliseconds,
        measured.reason or measured.runtime,
    )


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
    """Measure the artifacts of `bundles`, or only those of `formats` if some are named.

    Args:
        bundles: folders that azx export wrote.
        formats: names of the table of formats.
        batch: positions per answer; an artifact with another batch size answers them batch by batch.
        threads: threads of ONNX Runtime, LiteRT and TensorFlow; the other runtimes have one.
        rounds: blocks of answers per artifact.
        simulations: simulations of each search, 0 for no search.
        also: further runtimes, such as litert.js; they do no search.
        on_step: receives the name of each step.

    Raises:
        BundleError: a bundle or an artifact is missing or damaged.
        UnsafeArtifact: an artifact does more than calculate; none was run.
        AzxError: a format or further runtime does not exist, or nothing can be run here.

    """
    for name in formats:
        check_name(name)
    with ExitStack() as stack:
        folder = stack.enter_context(temporary_folder("bench"))
        listed = [entry for bundle in bundles for entry in _list_artifacts(bundle, formats, also)]
        check_also(also, [FORMATS[entry.format] for entry in listed])
        look_at_all((entry.format, entry.bundle / entry.path) for entry in listed if entry.further is None)
        opened = [stack.enter_context(_process(folder, threads, f"measuring {entry.path}")) for entry in listed]
        on_step("the machine's arithmetic")
        with _process(folder, 1, "measuring this machine") as ask:
            speed = ask(artifact.arithmetic)
        running = list(_open_artifacts(listed, opened, batch, threads, on_step))
        _answers(running, batch, rounds, on_step)
        for entry, ask in running:
            entry.memory = ask(artifact.peak_memory)
        if simulations:
            _searches(running, simulations, max(1, rounds // 5), on_step)
        with _process(folder, 1, "measuring this machine") as ask:
            work = {bundle: _work(bundle, ask) for bundle in dict.fromkeys(bundles)}
    for bundle in work:
        _compare([entry for entry in listed if entry.bundle == bundle and entry.blocks])
    return Bench(listed, speed, work, rounds, threads)


def _process(folder: Path, threads: int, doing: str) -> AbstractContextManager[Ask]:
    environment = dict.fromkeys(ONE_THREAD, str(threads))
    return ask_in_process(folder, {**environment, "CUDA_VISIBLE_DEVICES": "-1", "TF_CPP_MIN_LOG_LEVEL": "3"}, doing)


def _list_artifacts(bundle: Path, formats: Sequence[str], also: Sequence[str]) -> Iterator[ArtifactBench]:
    """The artifacts of a bundle whose files match its manifest, each in its own runtime and in further ones."""
    manifest = read_manifest(bundle)
    for entry in manifest.artifacts:
        if entry.format in FORMATS and (not formats or entry.format in formats):
            check_artifact(bundle, entry.path, manifest)
            size = manifest.size_of(entry.path)
            ways = (None, *(each.name for each in FORMATS[entry.format].also if each.name in also))
            for further in ways:
                yield ArtifactBench(bundle, entry.format, entry.path, size, entry.precision, further)


def _open_artifacts(
    listed: Sequence[ArtifactBench], asks: Sequence[Ask], batch: int, threads: int, on_step: Callable[[str], None]
) -> Iterator[tuple[ArtifactBench, Ask]]:
    """The artifacts that can be run here, each with its process."""
    for entry, ask in zip(listed, asks, strict=True):
        on_step(f"loading {entry.title}")
        runner = next((each.runner for each in FORMATS[entry.format].also if each.name == entry.further), None)
        try:
            times = ask(artifact.time_opening, entry.format, entry.bundle / entry.path, threads, runner)
        except NotRunHere as error:
            entry.reason = str(error)
            continue
        entry.runtime, entry.batch = times["runtime"], batch
        entry.first_load, entry.load, entry.first_answer = times["first_load"], times["load"], times["first_answer"]
        yield entry, ask


def _answers(
    running: Sequence[tuple[ArtifactBench, Ask]], batch: int, rounds: int, on_step: Callable[[str], None]
) -> None:
    calls = {}
    for entry, ask in running:
        on_step(f"warming up {entry.title}")
        calls[entry] = max(1, min(MOST_CALLS, int(BLOCK_SECONDS / max(ask(artifact.time_warm_answer, batch), 1e-6))))
    for turn in range(rounds):
        on_step(f"answers, round {turn + 1} of {rounds}")
        for entry, ask in _rotate(running, turn):
            times = ask(artifact.time_answers, calls[entry], batch)
            entry.answers += times
            entry.blocks.append(statistics.median(times))


def _searches(
    running: Sequence[tuple[ArtifactBench, Ask]], simulations: int, rounds: int, on_step: Callable[[str], None]
) -> None:
    """Let the artifacts search in turn; an artifact without a known game does not search."""
    unknown = {entry for entry, _ in running if entry.further}
    for turn in range(rounds + 1):
        on_step(f"searches, round {turn + 1} of {rounds + 1}")
        for entry, ask in _rotate(running, turn):
            if entry in unknown:
                continue
            try:
                seconds = ask(artifact.time_search, entry.bundle / entry.path, simulations)
            except AzxError:
                unknown.add(entry)
                continue
            entry.simulations = simulations
            # The first search compiled code and opened the network.
            entry.searches += [seconds] if turn else []


def _rotate(running: Sequence[tuple[ArtifactBench, Ask]], turn: int) -> Sequence[tuple[ArtifactBench, Ask]]:
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


def _compare(measured: Sequence[ArtifactBench]) -> None:
    """Set each artifact's ratio to the fastest one.

    In each round an artifact's time is divided by the round's geometric mean, and the median over the rounds counts. So
    work that slows a whole round does not change the ratios. The fastest artifact has ratio 1.
    """
    if not measured:
        return
    times = np.log([entry.blocks for entry in measured])
    usual = np.median(times - times.mean(axis=0), axis=1)
    for entry, ratio in zip(measured, np.exp(usual - usual.min()), strict=True):
        entry.ratio = float(ratio)
