"""Artifacts of lower precisions: written, run and judged; where one fails, with more of its layers left in float."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ...errors import ConversionError, first_line
from ...export.formats.precisions.calibration import Calibration
from ...export.formats.precisions.precision import FP32, PRECISIONS
from ...export.formats.table import Format
from ...export.graph.frozen import FrozenGraph
from ...export.temporary import temporary_folder
from ...validate import run as asked
from ...validate.gate.verdict import Verdict
from ...validate.proof import ArtifactResult
from ...validate.run import Run
from ...validate.workers import Workers, result
from .. import describe
from ..settings import Settings
from .judging import Judging
from .mixing import Attempt, Measured, mixed
from .plan import Plan
from .written import remove, write_artifact, write_each_layer_alone


@dataclass(eq=False)
class Trials:
    """Lower precisions of one export on trial.

    `written` are the manifest's entries, `results` the proof's, `refused` has the reason for each that its converter
    did not write, `chosen` what `auto` took.
    """

    workers: Workers
    frozen: FrozenGraph
    gate: Judging
    stem: str
    place: Path
    settings: Settings
    on_step: Callable[[str], None]
    written: list[dict[str, Any]] = field(default_factory=list)
    results: list[ArtifactResult] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    chosen: list[dict[str, Any]] = field(default_factory=list)

    def run(self, plan: Plan) -> None:
        """Everything that a plan has in lower precisions."""
        for entry, precision in plan.approximate:
            self.try_one(entry, precision)
        for entry in plan.automatic:
            self.choose(entry)

    def try_one(self, entry: Format, precision: str) -> None:
        """Write an artifact in the precision asked for; one outside its gate is a failure, or is marked as failing."""
        try:
            best, attempts = self._best(entry, precision)
        except (ConversionError, RuntimeError) as error:
            remove(self.place / entry.path(self.stem, precision))
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
                remove(self.place / entry.path(self.stem, precision))
                fell.append({"precision": precision, "why": first_line(error)})
                continue
            if best.passed:
                self._take(entry, precision, best, attempts)
                self.chosen.append({"format": entry.name, "chosen": precision, "fell": fell})
                return
            remove(self.place / entry.path(self.stem, precision))
            fell.append({"precision": precision, "why": _why(best)})
        self.chosen.append({"format": entry.name, "chosen": FP32, "fell": fell})

    def _best(self, entry: Format, precision: str) -> tuple[Attempt, list[Attempt]]:
        """The artifact nearest to the original's decisions, which then lies in its place; and all that was tried."""
        if precision not in entry.mixed:
            only = self._attempt(entry, precision, ())
            return only, [only]
        best, attempts = mixed(
            lambda in_float: self._attempt(entry, precision, in_float), lambda: self._measured(entry, precision)
        )
        if best is not attempts[-1]:
            self._write(entry, precision, best.in_float)
        return best, attempts

    def _write(self, entry: Format, precision: str, in_float: tuple[str, ...]) -> dict[str, Any]:
        """Write the artifact where it belongs; what it says of itself."""
        file = entry.path(self.stem, precision)
        remove(self.place / file)
        options = (self.settings.opset, precision, self._scales(precision), in_float)
        task = self.workers.tensorflow(write_artifact, entry.name, self.frozen, self.place / file, *options)
        return result(task, f"writing {entry.title} in {precision}")

    def _scales(self, precision: str) -> Calibration | None:
        return self.gate.calibration if PRECISIONS[precision].calibrated else None

    def _attempt(self, entry: Format, precision: str, in_float: tuple[str, ...]) -> Attempt:
        so = f", {len(in_float)} layers in float" if in_float else ""
        self.on_step(f"writing {entry.title} in {precision}{so}")
        about = self._write(entry, precision, in_float)
        file, ports = entry.path(self.stem, precision), (self.frozen.inputs, self.frozen.output_ports)
        run = asked.start(self.workers, entry, self.place, file, self.gate.positions.feeds, ports).finished()
        return Attempt(in_float, about, run, self.gate.verdict(run))

    def _measured(self, entry: Format, precision: str) -> list[Measured]:
        """What each layer of the artifact that lies in its place does to the decisions, alone in 8 bits."""
        self.on_step(f"asking which layers of {entry.title} in {precision} harm most")
        artifact = self.place / entry.path(self.stem, precision)
        part, ports = self.gate.some(), (self.frozen.inputs, self.frozen.output_ports)
        options = (self.settings.opset, precision, self._scales(precision))
        with temporary_folder("layers") as folder:
            task = self.workers.tensorflow(write_each_layer_alone, entry.name, self.frozen, artifact, folder, *options)
            alone = result(task, f"writing {entry.title} layer by layer")
            found = []
            for layer, (weights, file) in alone.items():
                run = asked.start(self.workers, entry, folder, file, part[0].feeds, ports).finished()
                found.append(Measured(layer, weights, self.gate.harm(run, part)))
        return found

    def _take(self, entry: Format, precision: str, best: Attempt, attempts: list[Attempt]) -> None:
        failing = bool(best.verdict and not best.verdict.passed)
        # What answers NaN, or not at all, is no approximation of anything.
        marked = failing and self.settings.keep_failing and not best.run.problems and not _is_broken(best.verdict)
        more: dict[str, Any] = {}
        if best.verdict is not None:
            more["gate"] = {
                "passed": best.verdict.passed,
                "limits": self.gate.limits.as_data(),
                "positions": [kind.description for kind in self.gate.positions.kinds],
            }
        if (scales := self._scales(precision)) is not None:
            more["calibration"] = scales.description
        listed = describe.artifact_entry(entry, self.stem, best.about, precision, failing=marked, more=more)
        if marked:
            (self.place / entry.path(self.stem, precision)).rename(self.place / listed["path"])
        self.written.append(listed)
        also = [(run, self.gate.verdict(run)) for run in self._elsewhere(entry, listed["path"])]
        told = approximation(
            listed["path"], entry.name, precision, best.run, best.verdict, keep_failing=marked, also=also
        )
        tried = tuple(attempt.as_data() for attempt in attempts)
        self.results.append(replace(told, attempts=tried, trace=self.gate.trace(best.run)))

    def _elsewhere(self, entry: Format, file: str) -> list[Run]:
        """What the artifact that was taken answers in the further runtimes that were asked for."""
        also = self.settings.also
        if also:
            self.on_step(f"proving {file} in {', '.join(also)}")
        ports = (self.frozen.inputs, self.frozen.output_ports)
        feeds = self.gate.positions.feeds
        return [run.finished() for run in asked.start_also(self.workers, entry, self.place, file, feeds, ports, also)]


def approximation(
    file: str,
    format_name: str,
    precision: str,
    run: Run,
    verdict: Verdict | None,
    *,
    keep_failing: bool,
    also: Sequence[tuple[Run, Verdict | None]] = (),
) -> ArtifactResult:
    """The verdict on one artifact of a lower precision, as a proof holds it; `also` is of further runtimes."""
    others = tuple(approximation(file, format_name, precision, *each, keep_failing=keep_failing) for each in also)
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
        further=run.further,
        also=others,
    )


def _is_broken(verdict: Verdict | None) -> bool:
    return verdict is None or bool(verdict.broken or not verdict.checks)


def _why(attempt: Attempt) -> str:
    """Why a precision was not taken, without a figure: those are measured, and a manifest holds nothing that is."""
    if attempt.run.not_run:
        return f"not proved here: {attempt.run.not_run}"
    if attempt.run.damage or attempt.run.problems:
        return attempt.run.damage or attempt.run.problems[0]
    closest = attempt.verdict.closest if attempt.verdict else None
    if closest is None or (attempt.verdict and attempt.verdict.broken):
        return "; ".join(attempt.verdict.failures) if attempt.verdict else "nothing was measured"
    return f"{closest.head}: {closest.metric} on {closest.kind} is outside {closest.allowed}"
