"""Checkpoint -> bundle: read, simplify, write every format, prove them all, publish."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, Unpack

from ..errors import ConversionError, NotEqual, NotRunHere, first_line
from ..export.checkpoint.head import Head
from ..export.checkpoint.layer_graph import LayerGraph
from ..export.checkpoint.run_folder import is_run
from ..export.formats.precisions.calibration import Calibration
from ..export.formats.precisions.precision import FP32, PRECISIONS
from ..export.formats.table import Format, check_also, choose
from ..export.graph.freeze import freeze, heads_of, try_simplify
from ..export.graph.frozen import FrozenGraph
from ..export.original.live import LiveModel
from ..games.game import Reading
from ..manifest import Artifact, Calculation, Manifest
from ..statement import Statement
from ..system.workers import Workers, load_tensorflow, result
from ..validate.answers import Answers
from ..validate.gate.gate import Gate
from ..validate.positions import Positions
from ..validate.proof.calculation import TRIED, Comparison, can_match
from ..validate.proof.proof import ArtifactResult, Proof
from ..validate.run import UnderWay
from ..validate.run import witness as ask_witness
from ..validate.runners.runner import Signature
from .case.case import Case, ProofError, Step, in_one_line
from .case.checkpoint import Checkpoint, Place, as_checkpoint
from .case.checkpoint_file import CheckpointFile, open_checkpoint
from .case.detection import Told, artifact_feeds, game_of, statements_of
from .case.keywords import ReadOptions, SettingsOptions
from .case.option import takes_options
from .case.original import Original
from .case.positions import OF_ROUNDING, USUAL, parity_positions
from .case.settings import Settings, as_settings
from .contents import describe
from .contents.golden import golden
from .contents.manifest import GOLDEN, dump
from .contents.unwritten import NOT_WRITTEN
from .folder import (
    complete,
    holds_tried,
    lock_folder,
    loses_search,
    publish,
    publish_failed,
    remember,
    staging,
    write_text,
)
from .precision.plan import Plan, check_refused, plan_formats
from .precision.reached import GateSources, Player, choosing_sources, find_scales, gate_sources
from .precision.trial import Trials, gate_of
from .precision.written import Way, remove, write_artifact

BUNDLES = Path("bundles")
_ENTERING = threading.Lock()


@dataclass(frozen=True, eq=False)
class ExportResult:
    """What an export did.

    `contents` is the manifest, and `manifest` the same as JSON types.
    `skipped` has the reason for each format of `all` that could not be written; `kept` are the
    artifacts of other formats that stayed from the bundle that was there; `fallback` says which
    layer stopped the simplification, None for a canonical graph; `game_note` says which games the shapes
    fit where they tell none; `reading` says how the board is read. `statements` say what the outputs are and how the
    board is read, each with how that is known. `search_dropped`: the bundle that was there said how
    it is searched, of another network.
    """

    folder: Path
    contents: Manifest
    proof: Proof
    skipped: Mapping[str, str]
    kept: tuple[str, ...]
    fallback: str | None
    heads: tuple[Head, ...]
    seconds: float
    game_note: str | None = None
    reading: str | None = None
    search_dropped: bool = False
    statements: tuple[Statement, ...] = ()

    @property
    def manifest(self) -> dict[str, Any]:
        """manifest.json as JSON types."""
        return self.contents.as_data()

    def __repr__(self) -> str:
        return in_one_line(self, self.folder, self.contents, self.proof.passed)


class NotProvedExport(ProofError[ExportResult], NotRunHere):
    """An export of which artifacts could not be proved here; `result` is what would have been published."""


class NotEqualExport(ProofError[ExportResult], NotEqual):
    """An export whose proof failed; `result` is what would have been published."""


class ExportOptions(SettingsOptions, ReadOptions, total=False):
    """The keywords of `export_checkpoint`."""


@takes_options(Settings, Checkpoint)
def export_checkpoint(
    checkpoint: Place | Checkpoint = None,
    settings: Settings | None = None,
    *,
    output: str | Path | None = None,
    workers: Workers | None = None,
    on_step: Step = lambda name: None,
    **options: Unpack[ExportOptions],
) -> ExportResult:
    """Export a checkpoint and prove every artifact equal to it.

    Args:
        checkpoint: a path, a shipped checkpoint's name, or a Keras model in memory (Functional or Sequential, Keras 3
            or tf_keras). A model is proved against its own answers. None: the shipped Connect4 network. An
            `azx.Checkpoint` carries its own settings.
        settings: an `azx.Settings` instead of the keywords from `formats` to `noted`.
        output: the bundle's folder; bundles/<stem> if left out.
        workers: processes that stay loaded from one export to the next; its own if left out.
        on_step: receives the name of each step, for a progress display.
        options: as below.

    Returns:
        The folder, the manifest, the proof with every figure, and what was not written and why.

    Raises:
        AzxError: with one sentence: CheckpointError if the checkpoint cannot be read; GameError if game, encoding or
            positions do not fit; ConversionError if a format asked for by name is refused; BundleError if the folder
            cannot be written; NotRunHere if nothing could be proved here, or not all that was required; NotEqual
            if an artifact does not answer as the original, or is outside its gate. Then the artifacts are in
            <output>.failed and an existing bundle is as it was.

    """
    started = time.perf_counter()
    chosen: dict[str, Any] = dict(options)
    reading = {name: chosen.pop(name) for name in ReadOptions.__annotations__ if name in chosen}
    checkpoint, settings = as_checkpoint(checkpoint, **reading), as_settings(settings, **chosen)
    to_write, skipped = choose(settings.formats, settings.without)
    check_also(settings.also, to_write)
    plan = plan_formats(to_write, settings.precisions, settings.formats, settings.mixed)
    with ExitStack() as stack:
        source = stack.enter_context(open_checkpoint(checkpoint))
        folder = Path(output) if output is not None else BUNDLES / _name_of(checkpoint, source)
        # In one thread at a time: who clears up in the folder above holds, for a moment, locks that others come for.
        with _ENTERING:
            stack.enter_context(lock_folder(folder))
            own = stack.enter_context(Workers()) if workers is None else workers
            place = stack.enter_context(staging(folder))
        if workers is not None:
            stack.callback(workers.finish)  # before the staged folder goes
        own.tensorflow(load_tensorflow, checkpoint.builder is None)
        on_step("reading the checkpoint")
        job = _Job(source.read(), settings, to_write, source.stem, place, own, on_step, source.model, plan=plan)
        job.keeps_tried = holds_tried(folder, {entry.path(source.stem) for entry in plan.exact})
        frozen, manifest, proof = job.run()
        parity = proof.as_data(traces=True) | ({NOT_WRITTEN: job.refused} if job.refused else {})
        manifest, kept = complete(place, folder, manifest, parity, equal=bool(proof), report=settings.report)
        done = ExportResult(
            folder,
            manifest,
            proof,
            {**skipped, **plan.skipped, **job.refused},
            kept,
            frozen.fallback,
            frozen.outputs,
            time.perf_counter() - started,
            job.told.note if job.told else None,
            job.told.reading.input_line if job.told and job.told.reading else None,
            loses_search(folder, manifest),
            statements_of(job.told) if job.told else (),
        )
        _publish(done, place, settings.require_all)
        if settings.noted:
            remember(folder)
    return done


def _name_of(checkpoint: Checkpoint, source: CheckpointFile) -> str:
    """The folder's usual name; the best network of a run has the run's name in it, for each run has a gen0001."""
    given = checkpoint.path
    if isinstance(given, (str, Path)) and is_run(Path(given)):
        return f"{Path(given).absolute().name}-{source.stem}"
    return source.stem


def _publish(done: ExportResult, place: Path, require_all: bool) -> None:
    """Put the staged bundle in its place, or raise the error that prevents it."""
    if not done.proof.sentences:
        try:
            done.proof.check_proved(require_all)
        except NotRunHere as error:
            raise NotProvedExport(f"{error} Nothing was published.", done) from error
    if not done.proof:
        failed = publish_failed(place, done.folder)
        raise NotEqualExport(" ".join(done.proof.sentences) + f" The artifacts are in '{failed}'.", done)
    publish(place, done.folder)


@dataclass
class _Job:
    """One export under way, in an order that keeps both processes busy.

    `written` are the artifacts' entries; `refused` has the reason for each format that its converter did not write.
    `told` is the game, known once it has run; `model` is the original where it is one in memory. `work` is
    multiply-adds a position, `usual` the number of positions of a proof. `keeps_tried` says that artifacts may
    stay from the bundle that is there, for which positions alone speak.
    """

    graph: LayerGraph
    settings: Settings
    formats: list[Format]
    stem: str
    place: Path
    workers: Workers
    on_step: Step
    model: LiveModel | None = None
    written: list[Artifact] = field(default_factory=list)
    told: Told | None = None
    refused: dict[str, str] = field(default_factory=dict)
    plan: Plan = field(default_factory=lambda: Plan(()))
    work: int | None = None
    usual: int = USUAL
    keeps_tried: bool = False

    def run(self) -> tuple[FrozenGraph, Manifest, Proof]:
        """Write every format, and prove them all; the manifest still lacks files and what is kept."""
        frozen, reading, positions, witness = self._freeze()
        names = {port.source_name: port.name for port in frozen.inputs}
        way = Way(self.settings.opset)
        writing = []
        for entry in self.plan.exact:
            target = self.place / entry.path(self.stem)
            writing.append((entry, self.workers.tensorflow(write_artifact, entry.name, frozen, target, way)))
        begun = self._begin_precisions(frozen)
        player = Player(self.graph, frozen.outputs, reading, frozen)
        sources = None
        if self.plan.needs_gate:
            self.on_step("playing against itself")
            sources = gate_sources(self.workers, player, positions, self.settings)
        played = sources.played if sources else None
        asking = Original(self.graph, frozen.outputs, self.model).ask(self.workers, positions.feeds, played, witness)
        ports = Signature(frozen.inputs, frozen.output_ports)
        fed = replace(positions, feeds=artifact_feeds(positions, names))
        case = Case(self.stem, self.place, ports, fed, self.settings.also, self.settings.seed)
        runs = self._runs(writing, case)
        if not sources:
            self._check_refused()
        outputs = {head.name: head.source_name for head in frozen.outputs}
        inputs = {name: source for source, name in names.items()}
        calculations = self._compare(Comparison(self.graph, outputs, inputs, frozen.fallback))
        if self._lacks_positions(calculations):
            # A file without a match is tried on as many as ever.
            positions = parity_positions(self.graph, frozen.outputs, reading, self.settings, self.work)
            asking = Original(self.graph, frozen.outputs, self.model).ask(self.workers, positions.feeds)
            case = replace(case, positions=replace(positions, feeds=artifact_feeds(positions, names)))
            runs = [case.start(self.workers, run.entry, run.file) for run in runs]
        self.on_step("asking the original and the float64 witness")
        answers = asking.wait()
        frozen = replace(frozen, outputs=answers.heads)
        manifest = describe.manifest(self.stem, self.graph, frozen, reading, positions, self.settings)
        judged: Sequence[ArtifactResult] = ()
        if sources:
            stated = {head.name: describe.output_of(head, reading) for head in answers.heads}
            gate = gate_of(sources, answers, names, stated, self.settings.gate)
            choosing = self._choosing(player, sources, gate, names) if self.plan.chooses else None
            scales = cache(partial(self._scales, player, sources.drawn, names))
            trials = Trials(self.workers, frozen, gate, choosing, scales, case, self.settings, self.on_step, begun)
            judged = self._try_precisions(trials)
            manifest = replace(manifest, auto=tuple(trials.chosen) or None)
        proof = case.judge(answers.heads, answers.on(positions), runs, judged, self.on_step, calculations)
        write_text(self.place / GOLDEN, dump(golden(positions, names, answers.by_witness, answers.heads)))
        told = {each.file: each.calculation for each in proof.artifacts}
        artifacts = tuple(replace(each, calculation=told.get(each.path)) for each in self.written)
        return frozen, replace(manifest, artifacts=artifacts), proof

    def _runs(self, writing: Sequence[tuple[Format, Future[dict[str, Any]]]], case: Case) -> list[UnderWay]:
        """Wait for each artifact to be written, and begin its run."""
        runs = []
        for entry, task in writing:
            self.on_step(f"writing {entry.title}")
            about = self._await_artifact(entry, task)
            if about is not None:
                self.written.append(describe.artifact_entry(entry, self.stem, about))
                runs.append(case.start(self.workers, entry, entry.path(self.stem)))
        return runs

    def _freeze(self) -> tuple[FrozenGraph, Reading | None, Positions, Future[Answers]]:
        """The frozen graph with its metadata, the game, the positions, and the witness' answers under way."""
        self.on_step("simplifying the network")
        network = try_simplify(self.graph).network
        doing = "building the frozen graph" if network else "tracing the graph from Keras"
        self.on_step(doing)
        names = self.settings.names
        freezing = self.workers.tensorflow(freeze, self.graph, names, self.settings.batch)
        if network is not None:
            # TensorFlow still loads, and the heads are known without it: game, positions and witness need not wait.
            heads = heads_of(self.graph, [head.shape for head in network.outputs], names)
        else:
            heads = result(freezing, doing).outputs
        told = game_of(self.graph, heads, self.settings.game, self.settings.encoding)
        self.told, reading = told, told.reading
        self.work = network.multiply_adds if network else None
        # A lower precision is held to its gate on these positions too.
        formats = [entry.name for entry in self.plan.exact]
        may_match = network is not None and self.settings.batch in (None, 1) and can_match(self.graph, formats)
        chosen = self.settings.inputs is not None or self.settings.count is not None
        if may_match and not (chosen or self.plan.needs_gate or self.keeps_tried):
            self.usual = OF_ROUNDING
        positions = parity_positions(self.graph, heads, reading, self.settings, self.work, self.usual)
        witness = self.workers.light(ask_witness, self.graph, positions.feeds)
        frozen = result(freezing, doing)
        degrees = {head.source_name: head.degree for head in told.heads}
        outputs = tuple(replace(head, degree=degrees[head.source_name]) for head in frozen.outputs)
        frozen = replace(frozen, outputs=outputs, metadata=describe.metadata(self.graph, frozen, reading))
        return frozen, reading, positions, witness

    def _compare(self, checkpoint: Comparison) -> dict[str, Calculation]:
        """What each float32 artifact's bytes are beside the checkpoint, by path."""
        self.on_step("comparing the files with the checkpoint")
        return checkpoint.of_all(
            self.place, {each.path: each.format for each in self.written if each.precision == FP32}
        )

    def _lacks_positions(self, calculations: Mapping[str, Calculation]) -> bool:
        """Whether positions were drawn to measure rounding alone, and an artifact has no match."""
        unmatched = any(each.verdict == TRIED for each in calculations.values())
        return unmatched and self.usual != USUAL

    def _await_artifact(
        self, entry: Format, task: Future[dict[str, Any]], precision: str = FP32
    ) -> dict[str, Any] | None:
        """What the artifact says of itself; None, and the reason in `refused`, if its converter does not write it.

        A full disk, or a process that died, is no matter of the format and ends the export.
        """
        try:
            return result(task, f"writing {entry.title}")
        except (ConversionError, RuntimeError) as error:  # RuntimeError: `shielded` made it of a converter's own
            name = entry.name if precision == FP32 else f"{entry.name} {precision}"
            self.refused[name] = first_line(error)
        remove(self.place / entry.path(self.stem, precision))
        return None

    def _begin_precisions(self, frozen: FrozenGraph) -> dict[tuple[str, str], dict[str, Any]]:
        """Write the precisions that were asked for by name, as far as nothing else need be known.

        So what has too few weights for one is an error at once, and not once the network has played itself.
        """
        begun, kept = {}, []
        for entry, precision in self.plan.approximate:
            if not PRECISIONS[precision].calibrated:
                self.on_step(f"writing {entry.title} in {precision}")
                target, way = self.place / entry.path(self.stem, precision), Way(self.settings.opset, precision)
                task = self.workers.tensorflow(write_artifact, entry.name, frozen, target, way)
                about = self._await_artifact(entry, task, precision)
                if about is None:
                    continue
                begun[entry.name, precision] = about
            kept.append((entry, precision))
        self.plan = replace(self.plan, approximate=tuple(kept))
        if self.refused:
            self._check_refused([*kept, *self.plan.exact, *self.plan.automatic])
        return begun

    def _choosing(self, player: Player, judging: GateSources, gate: Gate, names: Mapping[str, str]) -> Gate:
        """The gate on other positions, which precisions and layers are chosen on."""
        self.on_step("playing against itself, to choose")
        sources, answers = choosing_sources(self.workers, player, self.model, judging, self.settings)
        expected = {head.name: answers[head.source_name] for head in gate.heads}
        return replace(gate, positions=sources.positions(names), expected=expected)

    def _scales(self, player: Player, drawn: Positions, names: Mapping[str, str]) -> Calibration | None:
        """What int8's scales are found on, as artifacts take it."""
        self.on_step("playing against itself, for the scales of int8")
        found = find_scales(self.workers, player, drawn, self.settings)
        return Calibration(artifact_feeds(found, names), found.description) if found else None

    def _try_precisions(self, trials: Trials) -> Sequence[ArtifactResult]:
        """The artifacts of lower precisions, each held to the gate."""
        trials.run(self.plan)
        self.written += trials.written
        self.refused |= trials.refused
        self._check_refused()
        return trials.results

    def _check_refused(self, written: Sequence[Any] | None = None) -> None:
        check_refused(
            self.settings.formats, self.refused, self.written if written is None else written, self.graph.source.name
        )
