"""Makes an export's content in a staged folder: artifacts in each format and precision, golden.json, the proof."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from ..errors import ConversionError, first_line
from ..export.checkpoint.layer_graph import LayerGraph
from ..export.formats.precisions.calibration import Calibration
from ..export.formats.precisions.precision import FP32, PRECISIONS
from ..export.formats.table import Format
from ..export.graph.freeze import freeze, heads_of, try_simplify
from ..export.graph.frozen import FrozenGraph
from ..export.original.live import LiveModel
from ..games.game import Reading
from ..manifest import Artifact, Manifest
from ..system.progress import Step
from ..system.workers import Workers, result
from ..validate.answers import Answers
from ..validate.gate.gate import Gate
from ..validate.positions import Positions
from ..validate.proof.calculation import TRIED, can_match
from ..validate.proof.proof import Proof
from ..validate.run import PendingRun
from ..validate.run import witness as ask_witness
from ..validate.runners.runner import Signature
from .case.case import Case
from .case.detection import Detection, game_of
from .case.original import Original
from .case.positions import OF_ROUNDING, USUAL, parity_positions
from .case.settings import Settings
from .contents import describe
from .contents.golden import golden
from .contents.manifest import GOLDEN, dump
from .folder import write_text
from .precision.plan import Plan, check_refused
from .precision.reached import GateSources, Player, choosing_sources, find_scales, gate_sources
from .precision.trial import Trials, gate_of
from .precision.written import Way, remove, write_artifact


@dataclass(frozen=True, eq=False)
class Order:
    """What to export, how, and into which folder (`place`): the checkpoint's `graph`, and `model` if it is in memory.

    `stem` begins the artifacts' names. `keeps_tried` is true if artifacts that only positions prove may stay from the
    replaced bundle.
    """

    graph: LayerGraph
    settings: Settings
    plan: Plan
    stem: str
    place: Path
    model: LiveModel | None = None
    keeps_tried: bool = False


@dataclass(frozen=True, eq=False)
class ExportContent:
    """The content of the staged folder; the manifest still lacks the files and the artifacts that stay.

    `refused` has the reason for each format that its converter did not write.
    """

    frozen: FrozenGraph
    detection: Detection
    manifest: Manifest
    proof: Proof
    refused: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class _Preparation:
    """The frozen graph with its metadata, the original, the game, the positions, and the witness' pending answers.

    `measures_rounding` is true if there are only enough positions to measure rounding, because each file may prove to
    be the same calculation.
    """

    frozen: FrozenGraph
    original: Original
    detection: Detection
    positions: Positions
    witness: Future[Answers]
    measures_rounding: bool

    @property
    def reading(self) -> Reading | None:
        """How the network reads its game, None if unknown."""
        return self.detection.reading


@dataclass(frozen=True, eq=False)
class Export:
    """An export under way, in an order that keeps both worker processes busy.

    `written` are the artifacts' entries so far, `refused` the reasons for those not written.
    """

    order: Order
    workers: Workers
    on_step: Step
    written: list[Artifact] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)

    def run(self) -> ExportContent:
        """Write every format, and prove all artifacts."""
        order, settings, plan = self.order, self.order.settings, self.order.plan
        ready = self._prepare()
        writing = self._begin_exact(ready.frozen)
        begun, plan = self._begin_precisions(ready.frozen)
        player = Player(order.graph, ready.frozen.outputs, ready.reading, ready.frozen)
        sources = self._gate_sources(plan, player, ready)
        played = sources.played if sources else None
        asking = ready.original.ask(self.workers, ready.positions.feeds, played, ready.witness)
        case = self._case(ready)
        runs = self._await_exact(writing, case)
        if not sources:
            self._check_refused(self.written)
        exact = {each.path: each.format for each in self.written if each.precision == FP32}
        calculations = ready.original.compare(order.place, exact, self.on_step)
        if ready.measures_rounding and any(each.verdict == TRIED for each in calculations.values()):
            # A file that is not the same calculation is tried on the usual number of positions.
            usual = parity_positions(
                order.graph, ready.original.heads, ready.reading, settings, ready.original.work, USUAL
            )
            ready = replace(ready, positions=usual)
            asking, case = ready.original.ask(self.workers, ready.positions.feeds), self._case(ready)
            runs = [case.start(run.entry, run.file) for run in runs]
        self.on_step("asking the original and the float64 witness")
        answers = asking.wait()
        frozen = replace(ready.frozen, outputs=answers.heads)
        manifest = describe.manifest(order.stem, order.graph, frozen, ready.reading, ready.positions, settings)
        trials = None
        if sources:
            stated = {head.name: describe.output_of(head, ready.reading) for head in answers.heads}
            gate = gate_of(sources, answers, ready.original.names, stated, settings.gate)
            choosing = self._choosing(player, sources, gate, ready.original.names) if plan.chooses else None
            scales = cache(partial(self._scales, player, sources.drawn, ready.original))
            trials = Trials(frozen, gate, choosing, scales, case, settings, begun)
            self._try_precisions(trials, plan)
            manifest = replace(manifest, auto=tuple(trials.chosen) or None)
        judged = trials.results if trials else ()
        proof = case.prove(answers.heads, answers.on(ready.positions), runs, judged, calculations)
        rows = golden(ready.positions, ready.original.names, answers.by_witness, answers.heads)
        write_text(order.place / GOLDEN, dump(rows))
        proved = {each.file: each.calculation for each in proof.artifacts}
        artifacts = tuple(replace(each, calculation=proved.get(each.path)) for each in self.written)
        return ExportContent(frozen, ready.detection, replace(manifest, artifacts=artifacts), proof, self.refused)

    def _prepare(self) -> _Preparation:
        order, settings, names = self.order, self.order.settings, self.order.settings.names
        self.on_step("simplifying the network")
        network = try_simplify(order.graph).network
        doing = "building the frozen graph" if network else "tracing the graph from Keras"
        self.on_step(doing)
        freezing = self.workers.tensorflow(freeze, order.graph, names, settings.batch)
        if network is not None:
            # TensorFlow is still loading. The heads are known without it, so game, positions and witness need not wait.
            heads = heads_of(order.graph, [head.shape for head in network.outputs], names)
        else:
            heads = result(freezing, doing).outputs
        detection = game_of(order.graph, heads, settings.game, settings.encoding)
        work = network.multiply_adds if network else None
        formats = [entry.name for entry in order.plan.exact]
        may_match = network is not None and settings.batch in (None, 1) and can_match(order.graph, formats)
        chosen = settings.inputs is not None or settings.count is not None
        # These positions also serve the gates of lower precisions.
        measures_rounding = may_match and not (chosen or order.plan.needs_gate or order.keeps_tried)
        count = OF_ROUNDING if measures_rounding else USUAL
        positions = parity_positions(order.graph, heads, detection.reading, settings, work, count)
        witness = self.workers.light(ask_witness, order.graph, positions.feeds)
        frozen = result(freezing, doing)
        degrees = {head.source_name: head.degree for head in detection.heads}
        outputs = tuple(replace(head, degree=degrees[head.source_name]) for head in frozen.outputs)
        frozen = replace(frozen, outputs=outputs, metadata=describe.metadata(order.graph, frozen, detection.reading))
        original = Original(order.graph, outputs, frozen.inputs, order.model, frozen.fallback, work)
        return _Preparation(frozen, original, detection, positions, witness, measures_rounding)

    def _case(self, ready: _Preparation) -> Case:
        order, settings = self.order, self.order.settings
        ports = Signature(ready.frozen.inputs, ready.frozen.output_ports)
        boards = ready.original.fed(ready.positions)
        return Case(order.stem, order.place, ports, boards, settings.also, settings.seed, self.workers, self.on_step)

    def _begin_exact(self, frozen: FrozenGraph) -> list[tuple[Format, Future[dict[str, Any]]]]:
        """Start to write the artifacts in float32."""
        way = Way(self.order.settings.opset)
        return [
            (entry, self.workers.tensorflow(write_artifact, entry.name, frozen, self._target(entry), way))
            for entry in self.order.plan.exact
        ]

    def _await_exact(self, writing: Sequence[tuple[Format, Future[dict[str, Any]]]], case: Case) -> list[PendingRun]:
        """Wait until each artifact is written, and start its run."""
        runs = []
        for entry, task in writing:
            self.on_step(f"writing {entry.title}")
            about = self._await_artifact(entry, task)
            if about is not None:
                self.written.append(describe.artifact_entry(entry, self.order.stem, about))
                runs.append(case.start(entry, entry.path(self.order.stem)))
        return runs

    def _target(self, entry: Format, precision: str = FP32) -> Path:
        return self.order.place / entry.path(self.order.stem, precision)

    def _await_artifact(
        self, entry: Format, task: Future[dict[str, Any]], precision: str = FP32
    ) -> dict[str, Any] | None:
        """What the artifact states about itself.

        None, with the reason in `refused`, if its converter does not write it.

        A full disk or a dead process is not the format's fault and ends the export.
        """
        try:
            return result(task, f"writing {entry.title}")
        except (ConversionError, RuntimeError) as error:  # RuntimeError: a converter's own error, by `shielded`
            name = entry.name if precision == FP32 else f"{entry.name} {precision}"
            self.refused[name] = first_line(error)
        remove(self._target(entry, precision))
        return None

    def _begin_precisions(self, frozen: FrozenGraph) -> tuple[dict[tuple[str, str], dict[str, Any]], Plan]:
        """Start the precisions asked for by name that need no self-play; returns the others.

        So a network with too few weights for a precision fails at once.
        """
        plan, begun, remaining = self.order.plan, {}, []
        for entry, precision in plan.approximate:
            if not PRECISIONS[precision].calibrated:
                self.on_step(f"writing {entry.title} in {precision}")
                target, way = self._target(entry, precision), Way(self.order.settings.opset, precision)
                task = self.workers.tensorflow(write_artifact, entry.name, frozen, target, way)
                about = self._await_artifact(entry, task, precision)
                if about is None:
                    continue
                begun[entry.name, precision] = about
            remaining.append((entry, precision))
        if self.refused:
            self._check_refused([*remaining, *plan.exact, *plan.automatic])
        return begun, replace(plan, approximate=tuple(remaining))

    def _gate_sources(self, plan: Plan, player: Player, ready: _Preparation) -> GateSources | None:
        if not plan.needs_gate:
            return None
        self.on_step("playing against itself")
        return gate_sources(self.workers, player, ready.positions, self.order.settings)

    def _choosing(self, player: Player, judging: GateSources, gate: Gate, names: Mapping[str, str]) -> Gate:
        """The gate for choosing precisions and layers, on other positions than those that judge."""
        self.on_step("playing against itself, to choose")
        sources, answers = choosing_sources(self.workers, player, self.order.model, judging, self.order.settings)
        expected = {head.name: answers[head.source_name] for head in gate.heads}
        return replace(gate, positions=sources.positions(names), expected=expected)

    def _scales(self, player: Player, drawn: Positions, original: Original) -> Calibration | None:
        """The positions for int8's scales, by the artifacts' inputs."""
        self.on_step("playing against itself, for the scales of int8")
        scales = find_scales(self.workers, player, drawn, self.order.settings)
        return Calibration(original.fed(scales).feeds, scales.description) if scales else None

    def _try_precisions(self, trials: Trials, plan: Plan) -> None:
        """Write the artifacts of lower precisions, and judge each by the gate."""
        trials.run(plan)
        self.written.extend(trials.written)
        self.refused.update(trials.refused)
        self._check_refused(self.written)

    def _check_refused(self, written: Sequence[Any]) -> None:
        check_refused(self.order.settings.formats, self.refused, written, self.order.graph.source.name)
