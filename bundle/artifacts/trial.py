"""Artifacts of lower precisions: written, run and judged; where one fails, with more of its layers left in float."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from ...errors import ConversionError, first_line
from ...export.checkpoint.head import Head
from ...export.formats.precisions.calibration import Calibration
from ...export.formats.precisions.precision import FP32, PRECISIONS
from ...export.formats.table import Format
from ...export.graph.frozen import FrozenGraph
from ...games.value import ValueReading
from ...validate import run as asked
from ...validate.gate.positions import GatePositions
from ...validate.gate.verdict import Verdict, judge
from ...validate.proof import ArtifactResult
from ...validate.run import Run
from ...validate.traces.trace import gate_trace
from ...validate.workers import Workers, result
from .. import describe
from ..settings import Settings
from .written import write_artifact


@dataclass(frozen=True, eq=False)
class _Attempt:
    """One way of writing an artifact, with `step` of its layers' groups in float, and what the gate said of it."""

    step: int
    about: Mapping[str, Any]
    run: Run
    verdict: Verdict | None

    @property
    def used(self) -> float:
        """How much of its limits it takes at most."""
        closest = self.verdict.closest if self.verdict else None
        return math.inf if closest is None or (self.verdict and self.verdict.broken) else closest.used

    def as_data(self) -> dict[str, Any]:
        closest = self.verdict.closest if self.verdict else None
        return {
            "float_layers": list(self.about.get("float_layers", [])),
            "passed": bool(self.verdict and self.verdict.passed),
            "closest": closest.as_data() if closest else None,
        }


@dataclass(eq=False)
class Trials:
    """Lower precisions of one export on trial.

    `written` are the manifest's entries, `results` the proof's, `refused` has the reason for each that its converter
    did not write, `chosen` what `auto` took.
    """

    workers: Workers
    frozen: FrozenGraph
    readings: Mapping[str, ValueReading]
    stem: str
    place: Path
    settings: Settings
    positions: GatePositions
    expected: Mapping[str, NDArray[Any]]
    calibration: Calibration | None
    on_step: Callable[[str], None]
    written: list[dict[str, Any]] = field(default_factory=list)
    results: list[ArtifactResult] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    chosen: list[dict[str, Any]] = field(default_factory=list)

    def try_one(self, entry: Format, precision: str) -> None:
        """Write an artifact in the precision asked for; one outside its gate is a failure, or is marked as failing."""
        try:
            best, attempts = self._best(entry, precision)
        except (ConversionError, RuntimeError) as error:
            self._remove(entry.path(self.stem, precision))
            self.refused[f"{entry.name} {precision}"] = first_line(error)
            return
        self._take(entry, precision, best, attempts)

    def choose(self, entry: Format) -> None:
        """Take the fastest precision of a format that is inside its gate, if any; float32 is written beside it."""
        fell: list[dict[str, str]] = []
        for precision in reversed(entry.precisions[1:]):
            try:
                best, attempts = self._best(entry, precision)
            except (ConversionError, RuntimeError) as error:
                self._remove(entry.path(self.stem, precision))
                fell.append({"precision": precision, "why": first_line(error)})
                continue
            if best.verdict and best.verdict.passed and not best.run.problems:
                self._take(entry, precision, best, attempts)
                self.chosen.append({"format": entry.name, "chosen": precision, "fell": fell})
                return
            self._remove(entry.path(self.stem, precision))
            fell.append({"precision": precision, "why": _why(best)})
        self.chosen.append({"format": entry.name, "chosen": FP32, "fell": fell})

    def _best(self, entry: Format, precision: str) -> tuple[_Attempt, list[_Attempt]]:
        """The first attempt inside the gate, else the nearest to it, which then lies in its place; and all of them."""
        attempts: list[_Attempt] = []
        for step in range(entry.steps.get(precision, 0) + 1):
            try:
                attempt = self._attempt(entry, precision, step)
            except ConversionError:
                if not attempts:
                    raise
                break  # nothing would be left in 8 bits
            if attempts and attempt.about.get("float_layers") == attempts[-1].about.get("float_layers"):
                continue  # what should stay in float was so already
            attempts.append(attempt)
            if attempt.verdict is None or attempt.verdict.passed or attempt.run.problems:
                return attempt, attempts
        best = min(attempts, key=lambda each: each.used)
        return self._attempt(entry, precision, best.step), attempts

    def _attempt(self, entry: Format, precision: str, step: int) -> _Attempt:
        self.on_step(f"writing {entry.title} in {precision}" + (f", step {step}" if step else ""))
        file = entry.path(self.stem, precision)
        self._remove(file)
        target, calibrated = self.place / file, PRECISIONS[precision].calibrated
        options = (self.settings.opset, precision, self.calibration if calibrated else None, step)
        task = self.workers.tensorflow(write_artifact, entry.name, self.frozen, target, *options)
        about = result(task, f"writing {entry.title} in {precision}")
        ports = (self.frozen.inputs, self.frozen.output_ports)
        run = asked.start(self.workers, entry, self.place, file, self.positions.feeds, ports).finished()
        verdict = None
        if not (run.not_run or run.damage):
            heads: tuple[Head, ...] = self.frozen.outputs
            verdict = judge(heads, self.readings, run.outputs, self.expected, self.positions, self.settings.gate)
        return _Attempt(step, about, run, verdict)

    def _take(self, entry: Format, precision: str, best: _Attempt, attempts: list[_Attempt]) -> None:
        failing = bool(best.verdict and not best.verdict.passed)
        # What answers NaN, or not at all, is no approximation of anything.
        marked = failing and self.settings.keep_failing and not best.run.problems and not _is_broken(best.verdict)
        more: dict[str, Any] = {}
        if best.verdict is not None:
            more["gate"] = {
                "passed": best.verdict.passed,
                "limits": self.settings.gate.as_data(),
                "positions": [kind.description for kind in self.positions.kinds],
            }
        if PRECISIONS[precision].calibrated and self.calibration is not None:
            more["calibration"] = self.calibration.description
        listed = describe.artifact_entry(entry, self.stem, best.about, precision, failing=marked, more=more)
        if marked:
            (self.place / entry.path(self.stem, precision)).rename(self.place / listed["path"])
        self.written.append(listed)
        told = approximation(listed["path"], entry.name, precision, best.run, best.verdict, keep_failing=marked)
        answers, heads = best.run.outputs, self.frozen.outputs
        trace = gate_trace(heads, self.readings, answers, self.expected, self.positions, self.settings.gate)
        self.results.append(replace(told, attempts=tuple(attempt.as_data() for attempt in attempts), trace=trace))

    def _remove(self, file: str) -> None:
        path = self.place / file
        if path.is_dir():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)


def approximation(
    file: str, format_name: str, precision: str, run: Run, verdict: Verdict | None, *, keep_failing: bool
) -> ArtifactResult:
    """The verdict on one artifact of a lower precision, as a proof holds it."""
    return ArtifactResult(
        file,
        format_name,
        run.runtime,
        run.seconds,
        (),
        run.problems,
        run.damage,
        run.not_run,
        precision,
        verdict,
        keep_failing=keep_failing,
    )


def _is_broken(verdict: Verdict | None) -> bool:
    return verdict is None or bool(verdict.broken or not verdict.checks)


def _why(attempt: _Attempt) -> str:
    """Why a precision was not taken, without a figure: those are measured, and a manifest holds nothing that is."""
    if attempt.run.not_run:
        return f"not proved here: {attempt.run.not_run}"
    if attempt.run.damage or attempt.run.problems:
        return attempt.run.damage or attempt.run.problems[0]
    closest = attempt.verdict.closest if attempt.verdict else None
    if closest is None or (attempt.verdict and attempt.verdict.broken):
        return "; ".join(attempt.verdict.failures) if attempt.verdict else "nothing was measured"
    return f"{closest.head}: {closest.metric} on {closest.kind} is outside {closest.allowed}"
