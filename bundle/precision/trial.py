"""Writes, runs and judges artifacts of lower precisions; if one fails, more of its layers stay in float."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from ... import manifest as parts
from ...errors import ConversionError, first_line
from ...export.formats.precisions.calibration import Calibration
from ...export.formats.precisions.precision import FP16, FP32, INT8_WEIGHTS, PRECISIONS
from ...export.formats.table import FORMATS, Format
from ...export.graph.frozen import FrozenGraph
from ...system.temporary import temporary_folder
from ...system.workers import result
from ...validate.asked import Sample, draw_sample
from ...validate.gate.fresh import faults_again, faults_on_fresh
from ...validate.gate.gate import Gate
from ...validate.gate.harm import harm
from ...validate.gate.limits import Limits, limits_from
from ...validate.gate.risk import risk
from ...validate.gate.verdict import Verdict, judge, readings_of
from ...validate.proof.proof import ArtifactResult, asked_again
from ...validate.proof.recorded import RecordedGate, note_answers
from ...validate.proof.trace import gate_trace
from ...validate.run import Run, RunTask, start, start_also
from ..case.case import Case
from ..case.original import OriginalAnswers
from ..case.settings import Settings
from ..contents import describe
from ..contents.golden import GOLDEN_POSITIONS
from .mixing import Attempt, LayerMeasurement, mix_precisions
from .plan import Plan
from .reached import GateSources
from .written import Way, remove, write_artifact, write_each_layer_alone

Formats = Sequence[tuple[str, Format]]
# Lower precisions that calculate in float, where another order of sums only changes rounding.
_FLOAT = (FP16, INT8_WEIGHTS)


def gate_of(
    sources: GateSources,
    answers: OriginalAnswers,
    names: Mapping[str, str],
    stated: Mapping[str, parts.Head],
    limits: Limits | None = None,
) -> Gate:
    """The gate on the positions of `sources`, with the usual limits unless `limits` are given.

    `names` maps the checkpoint's input names to the artifacts'; `stated` has a manifest's outputs by name.
    """
    readings = readings_of(answers.heads, stated)
    return Gate(answers.heads, readings, sources.positions(names), sources.answers_in(answers), limits or Limits())


@dataclass(eq=False)
class Trials:
    """Lower precisions of one export on trial: chosen on the positions of `choosing`, judged on those of `gate`.

    `scales` returns the positions for int8's scales when they are needed. `begun` has the statements of artifacts that
    are already in their places, by format and precision. `choosing` is None if nothing is chosen. `written` are the
    manifest's entries, `results` the proof's. `refused` has the reason for each artifact that its converter did not
    write, `chosen` the choices of `auto`.
    """

    frozen: FrozenGraph
    gate: Gate
    choosing: Gate | None
    scales: Callable[[], Calibration | None]
    case: Case
    settings: Settings
    begun: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    written: list[parts.Artifact] = field(default_factory=list)
    results: list[ArtifactResult] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    chosen: list[parts.AutoChoice] = field(default_factory=list)

    @property
    def stem(self) -> str:
        """The beginning of the artifacts' names."""
        return self.case.name

    @property
    def place(self) -> Path:
        """The folder into which the artifacts are written."""
        return self.case.folder

    def run(self, plan: Plan) -> None:
        """Write and judge everything that a plan has in lower precisions."""
        for entry, precision in plan.approximate:
            self.try_one(entry, precision)
        for entry in plan.automatic:
            self.choose(entry)
        for each in plan.mixed:
            self.try_one(FORMATS[each.format], each.precision, each.in_float)

    def try_one(self, entry: Format, precision: str, in_float: tuple[str, ...] | None = None) -> None:
        """Write an artifact in the given precision; if it fails its gate, it counts as a failure or is marked.

        Without `in_float`, this searches for the layers that stay in float.
        """
        try:
            if precision in entry.mixed and in_float is None:
                best, attempts = self._best(entry, precision)
                judged = self._judge(entry, precision, best)
            else:
                judged = self._attempt(entry, precision, in_float or (), self.gate)
                if others := set(in_float or ()) - set(judged.about.get("float_layers") or ()):
                    raise ConversionError(f"{entry.title}: it has no layer with weights of the name '{min(others)}'")
                attempts = [judged]
        except (ConversionError, RuntimeError) as error:
            remove(self.place / entry.path(self.stem, precision))
            self.refused[f"{entry.name} {precision}"] = first_line(error)
            return
        self._take(entry, precision, judged, attempts)

    def choose(self, entry: Format) -> None:
        """Add the fastest precision of a format that passes its gate, if any, to float32."""
        fell: list[parts.RejectedPrecision] = []
        for precision in reversed(entry.precisions[1:]):
            try:
                best, attempts = self._best(entry, precision)
                judged = self._judge(entry, precision, best) if best.passed else best
                why = None if judged.passed else _why(judged)
            except (ConversionError, RuntimeError) as error:
                why = first_line(error)
            if why is None:
                self._take(entry, precision, judged, attempts)
                self.chosen.append(parts.AutoChoice(format=entry.name, chosen=precision, fell=tuple(fell)))
                return
            remove(self.place / entry.path(self.stem, precision))
            fell.append(parts.RejectedPrecision(precision=precision, why=why))
        self.chosen.append(parts.AutoChoice(format=entry.name, chosen=FP32, fell=tuple(fell)))

    def _best(self, entry: Format, precision: str) -> tuple[Attempt, list[Attempt]]:
        """The chosen attempt, whose artifact is then in its place, and all attempts."""
        choosing = self.choosing
        assert choosing is not None  # noqa: S101 - a plan that chooses has positions to choose on
        if precision not in entry.mixed:
            only = self._attempt(entry, precision, (), choosing)
            return only, [only]
        best, attempts = mix_precisions(
            lambda in_float: self._attempt(entry, precision, in_float, choosing),
            lambda: self._measure_layers(entry, precision, choosing.part()),
        )
        if best is not attempts[-1]:
            self._write(entry, precision, best.in_float)
        return best, attempts

    def _judge(self, entry: Format, precision: str, best: Attempt) -> Attempt:
        """The attempt judged on other positions than those for choosing; its artifact must be in its place."""
        run = self._run(entry, self.place, entry.path(self.stem, precision), self.gate)
        return replace(best, run=run, verdict=_verdict(self.gate, run), risk=0.0)

    def _write(self, entry: Format, precision: str, in_float: tuple[str, ...]) -> dict[str, Any]:
        """Write the artifact into its place; returns what it states about itself."""
        if not in_float and (about := self.begun.pop((entry.name, precision), None)) is not None:
            return about
        target, way = self.place / entry.path(self.stem, precision), self._way(precision, in_float)
        remove(target)
        task = self.case.workers.tensorflow(write_artifact, entry.name, self.frozen, target, way)
        return result(task, f"writing {entry.title} in {precision}")

    def _way(self, precision: str, in_float: tuple[str, ...] = ()) -> Way:
        return Way(self.settings.opset, precision, self._scales(precision), in_float)

    def _task(self, entry: Format, folder: Path, file: str, gate: Gate) -> RunTask:
        """The task of running an artifact on a gate's positions; on those that judge, it is asked in other ways too."""
        sample = gate_sample(gate, self.case.seed) if gate is self.gate else None
        return RunTask(entry, folder, file, gate.positions.feeds, self.case.ports, sample=sample)

    def _run(self, entry: Format, folder: Path, file: str, gate: Gate) -> Run:
        return start(self.case.workers, self._task(entry, folder, file, gate)).wait()

    def _scales(self, precision: str) -> Calibration | None:
        return self.scales() if PRECISIONS[precision].calibrated else None

    def _attempt(self, entry: Format, precision: str, in_float: tuple[str, ...], gate: Gate) -> Attempt:
        so = f", {len(in_float)} layers in float" if in_float else ""
        self.case.on_step(f"writing {entry.title} in {precision}{so}")
        about = self._write(entry, precision, in_float)
        run = self._run(entry, self.place, entry.path(self.stem, precision), gate)
        chance = risk(gate, run.outputs) if gate is self.choosing else 0.0
        return Attempt(in_float, about, run, _verdict(gate, run), chance)

    def _measure_layers(self, entry: Format, precision: str, part: Gate) -> list[LayerMeasurement]:
        """The harm of each layer of the artifact in its place, if that layer alone is in 8 bits."""
        self.case.on_step(f"measuring which layers of {entry.title} in {precision} harm most")
        artifact = self.place / entry.path(self.stem, precision)
        way = self._way(precision)
        with temporary_folder("layers") as folder:
            task = self.case.workers.tensorflow(write_each_layer_alone, entry.name, self.frozen, artifact, folder, way)
            alone = result(task, f"writing {entry.title} layer by layer")
            measurements = []
            for layer, (weights, file) in alone.items():
                run = self._run(entry, folder, file, part)
                measurements.append(LayerMeasurement(layer, weights, harm(part, run.outputs)))
        return measurements

    def _take(self, entry: Format, precision: str, best: Attempt, attempts: list[Attempt]) -> None:
        """List the artifact, with its verdict on the positions that judge."""
        failing = bool(best.verdict and not best.verdict.passed)
        # An artifact that answers NaN, or not at all, is no approximation.
        marked = failing and self.settings.keep_failing and not best.run.problems and not _is_broken(best.verdict)
        listed = describe.artifact_entry(entry, self.stem, best.about, precision, failing=marked)
        if best.verdict is not None:
            kinds = tuple(kind.description for kind in self.gate.positions.kinds)
            limits = self.gate.limits.as_data()
            listed = replace(listed, gate=parts.Gate(passed=best.verdict.passed, limits=limits, positions=kinds))
        if (scales := self._scales(precision)) is not None:
            listed = replace(listed, calibration=scales.description)
        if marked:
            (self.place / entry.path(self.stem, precision)).rename(self.place / listed.path)
        self.written.append(listed)
        run = replace(best.run, also=self._elsewhere(entry, listed.path))
        judged = judge_approximation(listed, self.gate, run, keep_failing=marked)
        self.results.append(replace(judged, attempts=tuple(attempt.as_data() for attempt in attempts)))

    def _elsewhere(self, entry: Format, file: str) -> tuple[Run, ...]:
        """The verdicts on the chosen artifact in the further runtimes."""
        also = self.settings.also
        if also:
            self.case.on_step(f"proving {file} in {', '.join(also)}")
        task = self._task(entry, self.place, file, self.gate)
        return tuple(run.wait() for run in start_also(self.case.workers, task, also))


def gate_sample(gate: Gate, seed: int, fresh: Gate | None = None) -> Sample:
    """The positions that are also asked in other ways: of the gate, and of the `fresh` ones after them.

    They are golden.json's, which begin the gate's last kind, and some that the seed chooses.
    """
    count, first = len(gate.positions), gate.positions.kinds[-1].rows.start
    every = count + (len(fresh.positions) if fresh else 0)
    fixed = np.zeros(every, bool)
    fixed[first : min(first + GOLDEN_POSITIONS, count)] = True
    return draw_sample(fixed, range(count if fresh else 0, every), seed)


def judge_approximation(
    listed: parts.Artifact,
    gate: Gate,
    run: Run,
    recorded: RecordedGate | None = None,
    fresh: Gate | None = None,
    *,
    keep_failing: bool,
) -> ArtifactResult:
    """The proof's verdict on one artifact of a lower precision, in further runtimes too.

    `listed` is its entry in the manifest. `recorded` is given if the gate's positions are golden.json's. `run` has the
    answers on the gate's positions, then on those of `fresh`.
    """
    others = tuple(
        judge_approximation(listed, gate, each, recorded, fresh, keep_failing=keep_failing) for each in run.also
    )
    run = _with_faults(run, gate, fresh, keep_failing)
    answered = not (run.not_run or run.damage)
    verdict = recorded.judge(gate, run, listed.path) if recorded and answered else _verdict(gate, run)
    return ArtifactResult(
        listed.path,
        listed.format,
        run.runtime,
        run.seconds,
        (),
        run.problems,
        run.damage,
        run.not_run,
        listed.precision,
        verdict,
        golden=None if verdict is None else note_answers(gate, run.outputs, GOLDEN_POSITIONS),
        keep_failing=keep_failing,
        trace=None if verdict is None or run.further else gate_trace(gate, run.outputs),
        further=run.further,
        also=others,
        again=asked_again(run),
    )


def _with_faults(run: Run, gate: Gate, fresh: Gate | None, keep_failing: bool) -> Run:
    """The run on the gate's positions alone; faults on other positions are added to its problems."""
    if run.problems or run.damage or run.not_run:
        return run
    faults = list(faults_again(gate, run))
    count = len(gate.positions)
    if fresh is not None and not keep_failing:
        faults += faults_on_fresh(fresh, {name: answers[count:] for name, answers in run.outputs.items()})
    outputs = {name: answers[:count] for name, answers in run.outputs.items()}
    return replace(run, outputs=outputs, problems=tuple(faults))


def approximate(manifest: parts.Manifest, formats: Formats) -> list[tuple[parts.Artifact, Format]]:
    """The manifest's entries in lower precisions, with their formats."""
    listed = {entry.path: entry for entry in manifest.artifacts}
    return [(listed[path], entry) for path, entry in formats if listed[path].precision != FP32]


def judge_again(
    case: Case,
    gate: Gate,
    listed: Sequence[tuple[parts.Artifact, Format]],
    recorded: RecordedGate | None = None,
    fresh: Gate | None = None,
) -> list[ArtifactResult]:
    """Run a bundle's artifacts of lower precisions on the gate's positions, and judge each by its own limits.

    `listed` are their entries in the manifest, which record the limits. An artifact marked as failing may exceed them.
    `recorded` is given if the positions are golden.json's. The positions of `fresh` are asked too.
    """
    feeds = gate.positions.feeds
    if fresh is not None:
        feeds = {name: np.concatenate([feed, fresh.positions.feeds[name]]) for name, feed in feeds.items()}
    sample = gate_sample(gate, case.seed, fresh)
    runs = []
    for entry, made in listed:
        own_form = sample.rows if entry.precision in _FLOAT else None
        task = RunTask(made, case.folder, entry.path, feeds, case.ports, own_form, sample)
        runs.append((entry, start(case.workers, task, case.also)))
    results = []
    for entry, under_way in runs:
        case.on_step(f"judging {under_way.entry.title} in {entry.precision}")
        limits = limits_from(entry.gate.limits if entry.gate else {})
        own, others = replace(gate, limits=limits), replace(fresh, limits=limits) if fresh else None
        failing = entry.gate is not None and not entry.gate.passed
        run = under_way.wait()
        judged = judge_approximation(entry, own, run, recorded, others, keep_failing=failing)
        if run.together and under_way.again and not judged.passed:
            run = replace(under_way.again().wait(), also=run.also)
            judged = judge_approximation(entry, own, run, recorded, others, keep_failing=failing)
        results.append(judged)
    return results


def _verdict(gate: Gate, run: Run) -> Verdict | None:
    """The gate's verdict on an artifact's answers; None if it gave no answers."""
    return None if run.not_run or run.damage else judge(gate, run.outputs)


def _is_broken(verdict: Verdict | None) -> bool:
    return verdict is None or bool(verdict.broken or not verdict.checks)


def _why(attempt: Attempt) -> str:
    """The reason why a precision was rejected, without figures, since a manifest holds no measurement."""
    if attempt.run.not_run:
        return f"not proved here: {attempt.run.not_run}"
    if attempt.run.damage or attempt.run.problems:
        return attempt.run.damage or attempt.run.problems[0]
    closest = attempt.verdict.closest if attempt.verdict else None
    if closest is None or (attempt.verdict and attempt.verdict.broken):
        return "; ".join(attempt.verdict.failures) if attempt.verdict else "nothing was measured"
    where = "outside" if not closest.passed else "so close to a limit that it may fail elsewhere"
    return f"{closest.head}: {closest.metric} on {closest.kind} is {where} {closest.limit_text}"
