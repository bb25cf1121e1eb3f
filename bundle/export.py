"""Checkpoint -> bundle: read, simplify, write every format, prove them all, publish."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..errors import ConversionError, NotEqual, NotRunHere, first_line
from ..export.checkpoint.head import Head
from ..export.checkpoint.layer_graph import LayerGraph
from ..export.formats.precisions.precision import FP32
from ..export.formats.precisions.precision import listed as listed_precisions
from ..export.formats.table import ALL, Format, as_names, check_also, choose
from ..export.graph.freeze import freeze, heads_of, try_simplify
from ..export.graph.frozen import FrozenGraph
from ..export.original.live import LiveModel
from ..games.game import Reading
from ..validate import run as asked
from ..validate.gate.limits import limits_from, with_given
from ..validate.positions import Positions
from ..validate.proof import Proof, establish, prove_all
from ..validate.workers import Workers, load_tensorflow, result
from . import describe
from .artifacts.gated import gated, rows_of
from .artifacts.judging import Judging, judging
from .artifacts.plan import Plan, check_refused, planned
from .artifacts.trial import Trials
from .artifacts.written import remove, write_artifact
from .folder import complete, locked, publish, publish_failed, remember, staging, write_text
from .given import Given, given, stem_of
from .golden import golden
from .manifest import GOLDEN, dump
from .settings import Settings, artifact_feeds, game_of, parity_positions

Step = Callable[[str], None]
BUNDLES = Path("bundles")
_ENTERING = threading.Lock()


@dataclass(frozen=True, eq=False)
class ExportResult:
    """What an export did.

    `skipped` has the reason for each format of `all` that could not be written; `kept` are the
    artifacts of other formats that stayed from the bundle that was there; `fallback` says which
    layer stopped the simplification, None for a canonical graph; `game_note` says which games the shapes
    fit where they tell none; `reading` says how the board is read.
    """

    folder: Path
    manifest: Mapping[str, Any]
    proof: Proof
    skipped: Mapping[str, str]
    kept: tuple[str, ...]
    fallback: str | None
    heads: tuple[Head, ...]
    seconds: float
    game_note: str | None = None
    reading: str | None = None


class NotProvedExport(NotRunHere):
    """An export of which artifacts could not be proved here; `result` is what would have been published."""

    def __init__(self, message: str, result: ExportResult) -> None:
        super().__init__(message)
        self.result = result


class NotEqualExport(NotEqual):
    """An export whose proof failed; `result` is what would have been published."""

    def __init__(self, message: str, result: ExportResult) -> None:
        super().__init__(message)
        self.result = result


def export_checkpoint(
    checkpoint: str | Path | LiveModel | Given | None = None,
    *,
    output: str | Path | None = None,
    formats: str | Sequence[str] = ALL,
    without: str | Sequence[str] = (),
    game: str | None = None,
    encoding: str | Path | None = None,
    batch: int | None = 1,
    opset: int = 17,
    value_head: str | None = None,
    policy_head: str | None = None,
    keep_names: bool = False,
    inputs: str | Path | None = None,
    count: int | None = None,
    seed: int = 0,
    require_all: bool = False,
    also: Sequence[str] = (),
    config: str | Path | None = None,
    builder: str | None = None,
    preset: str | None = None,
    board: tuple[int, int] | None = None,
    allow_code: bool = False,
    on_step: Step = lambda name: None,
    workers: Workers | None = None,
    precision: str | Sequence[str] = FP32,
    limits: Mapping[str, float] | Sequence[str] = (),
    keep_failing: bool = False,
    calibration: str | Path | None = None,
    report: bool = True,
    noted: bool = True,
) -> ExportResult:
    """Export a checkpoint and prove every artifact equal to it.

    Args:
        checkpoint: a path, a shipped checkpoint's name, a Keras model in memory (Functional or Sequential, of Keras 3
            or tf_keras, proved against its own answers), one that was read already, or None for the shipped Connect4
            network.
        output: the bundle's folder; bundles/<stem> if left out.
        formats: pb, tflite, coreml, onnx, tfjs, one or several; "all" for each that can be written here. And coreai,
            which is experimental and not in "all".
        without: formats left out of "all".
        game: a name of `azx games` where the shapes do not tell it, "none" for none.
        encoding: JSON that describes what the network reads, for a network that azx does not know.
        batch: positions that an artifact takes at a time; None leaves it free (Core ML: 1 to 64).
        opset: ONNX operator set, 13 to 18.
        value_head: the checkpoint's name of the value, where names and shapes do not tell.
        policy_head: likewise of the policy.
        keep_names: keep the checkpoint's own names of inputs and outputs.
        inputs: positions of one's own (.npz) to prove the artifacts on.
        count: number of positions otherwise; None for 1,000, and fewer for large images.
        seed: of the positions, from 0.
        require_all: raise where an artifact cannot be run here.
        also: further runtimes to prove artifacts in: "litert.js" for .tflite.
        config: JSON of the architecture, for weights-only files.
        builder: "module:function" that returns the Keras model, for weights-only files.
        preset: the family of networks whose weights they are, instead of either (alpha-zero-general, zeta36).
        board: (rows, columns), for a network that leaves them free.
        allow_code: let Keras run Lambda layers of the file.
        on_step: told what begins, for a progress display.
        workers: processes that stay loaded from one export to the next; of its own where left out.
        precision: fp32, fp16, int8-weights, int8-dynamic, int8, one or several; "auto" for the fastest of each format
            that is inside its gate, beside fp32.
        limits: those of the lower precisions' gate by name (docs/precision.md), as numbers or as "kl-p99=0.05".
        keep_failing: write an artifact outside its gate all the same, marked in its name and in the manifest.
        calibration: positions (.npz) of int8's scales; otherwise 500 of self-play and 250 random legal ones.
        report: whether report.html is written, a page to look at (docs/report.md).
        noted: whether `azx validate` alone may take the bundle as the one written last.

    Returns:
        The folder, the manifest, the proof with every figure, and what was not written and why.

    Raises:
        AzxError: with one sentence: CheckpointError where the checkpoint cannot be read, GameError where game, encoding
            or positions do not fit, ConversionError where a format asked for by name is refused, BundleError where the
            folder cannot be written; NotRunHere where nothing could be proved here, or not all that was required;
            NotEqual where an artifact does not answer as the original, or is outside its gate.
            Then the artifacts are in <output>.failed and an existing bundle is as it was.

    """
    started = time.perf_counter()
    chosen = Settings(
        formats=as_names(formats),
        without=as_names(without),
        game=game,
        encoding=_path(encoding),
        batch=batch,
        opset=opset,
        value_head=value_head,
        policy_head=policy_head,
        keep_names=keep_names,
        inputs=_path(inputs),
        count=count,
        seed=seed,
        require_all=require_all,
        precisions=listed_precisions(as_names(precision)),
        gate=limits_from(limits) if isinstance(limits, Mapping) else with_given(limits),
        keep_failing=keep_failing,
        calibration=_path(calibration),
        also=tuple(also),
    )
    to_write, skipped = choose(chosen.formats, chosen.without)
    check_also(chosen.also, to_write)
    plan = planned(to_write, chosen.precisions, chosen.formats)
    with ExitStack() as stack:
        source = stack.enter_context(given(checkpoint, builder))
        stem = stem_of(source.path)
        folder = Path(output) if output is not None else BUNDLES / stem
        # In one thread at a time: who clears up in the folder above holds, for a moment, locks that others come for.
        with _ENTERING:
            stack.enter_context(locked(folder))
            own = stack.enter_context(Workers()) if workers is None else workers
            place = stack.enter_context(staging(folder))
        if workers is not None:
            stack.callback(workers.finish)  # before the staged folder goes
        own.tensorflow(load_tensorflow, builder is None)
        on_step("reading the checkpoint")
        graph = source.read(config=config, builder=builder, preset=preset, board=board, allow_code=allow_code)
        job = _Job(graph, chosen, to_write, stem, place, own, on_step, source.model, plan=plan)
        frozen, manifest, proof = job.run()
        kept = complete(place, folder, manifest, proof.as_data(traces=True), equal=bool(proof), report=report)
        done = ExportResult(
            folder,
            manifest,
            proof,
            {**skipped, **plan.skipped, **job.refused},
            kept.paths,
            frozen.fallback,
            frozen.outputs,
            time.perf_counter() - started,
            job.game_note,
            job.reading,
        )
        _publish(done, place, require_all)
        if noted:
            remember(folder)
    return done


def _publish(done: ExportResult, place: Path, require_all: bool) -> None:
    """Put the staged bundle where it belongs, or raise what speaks against it."""
    if not done.proof.sentences:
        try:
            done.proof.check_proved(require_all)
        except NotRunHere as error:
            raise NotProvedExport(f"{error} Nothing was published.", done) from error
    if not done.proof:
        failed = publish_failed(place, done.folder)
        raise NotEqualExport(" ".join(done.proof.sentences) + f" The artifacts are in '{failed}'.", done)
    publish(place, done.folder)


def _path(path: str | Path | None) -> Path | None:
    return None if path is None else Path(path)


@dataclass
class _Job:
    """One export under way, in an order that keeps both processes busy.

    `written` are the artifacts' entries; `refused` has the reason for each format that its converter did not write.
    `game_note` and `reading` are known once it has run; `model` is the original where it is one in memory.
    """

    graph: LayerGraph
    settings: Settings
    formats: list[Format]
    stem: str
    place: Path
    workers: Workers
    on_step: Step
    model: LiveModel | None = None
    written: list[dict[str, Any]] = field(default_factory=list)
    game_note: str | None = None
    refused: dict[str, str] = field(default_factory=dict)
    reading: str | None = None
    plan: Plan = field(default_factory=lambda: Plan(()))

    def run(self) -> tuple[FrozenGraph, dict[str, Any], Proof]:
        """Freeze, write every format, prove them all; the manifest still lacks files and what is kept."""
        frozen, game, positions, witness = self._frozen()
        manifest = describe.manifest(self.stem, self.graph, frozen, game, positions, self.settings)
        writing = []
        for entry in self.plan.exact:
            target = self.place / entry.path(self.stem)
            task = self.workers.tensorflow(write_artifact, entry.name, frozen, target, self.settings.opset)
            writing.append((entry, task))
        gate = None
        if self.plan.gated:
            self.on_step("playing against itself")
            known, calibrated = (self.workers, self.graph, frozen.outputs, game), self.plan.calibrated
            gate = gated(*known, positions, self.settings, frozen, calibrated=calibrated)
        feeds = gate.asked(positions.feeds) if gate else positions.feeds
        reference = asked.original(self.workers, self.graph, self.model, feeds)
        names = {port.source_name: port.name for port in frozen.inputs}
        feeds = artifact_feeds(positions, names)
        runs = []
        for entry, task in writing:
            self.on_step(f"writing {entry.title}")
            about = self._written(entry, task)
            if about is None:
                continue
            self.written.append(describe.artifact_entry(entry, self.stem, about))
            path, ports = entry.path(self.stem), (frozen.inputs, frozen.output_ports)
            runs.append(asked.start(self.workers, entry, self.place, path, feeds, ports, self.settings.also))
        if not gate:
            check_refused(self.settings.formats, self.refused, self.written, self.graph.source.name)
        self.on_step("asking Keras and the float64 witness")
        answers = reference()
        exact = result(witness, "running the float64 witness")
        truth = establish(frozen.outputs, rows_of(answers, slice(0, len(positions))), exact)
        held = (names, truth, answers, self.settings.gate)
        tried = self._tried(frozen, judging(frozen, game, gate, *held)) if gate else None
        notes = (*truth.notes, *filter(None, [positions.note]))
        truth = replace(truth, by=f"{self.graph.source.name}, by {truth.by}", notes=notes)
        judged = tried.results if tried else ()
        proof = prove_all(self.stem, runs, frozen.outputs, truth, positions, self.on_step, judged)
        if tried and tried.chosen:
            manifest["auto"] = tried.chosen
        # The witness' where there is one: the same on every machine, whatever Keras rounds.
        told = truth.expected if exact.missing else {h.name: exact.outputs[h.source_name] for h in frozen.outputs}
        write_text(self.place / GOLDEN, dump(golden(positions, names, told, frozen.outputs)))
        manifest["artifacts"] = self.written
        return frozen, manifest, proof

    def _frozen(self) -> tuple[FrozenGraph, Reading | None, Positions, Future[asked.Answers]]:
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
        reading, self.game_note = told.reading, told.note
        self.reading = reading.line if reading else None
        work = network.multiply_adds if network else None
        positions = parity_positions(self.graph, heads, reading, self.settings, work)
        witness = self.workers.light(asked.witness, self.graph, positions.feeds)
        frozen = result(freezing, doing)
        return replace(frozen, metadata=describe.metadata(self.graph, frozen, reading)), reading, positions, witness

    def _written(self, entry: Format, task: Future[dict[str, Any]]) -> dict[str, Any] | None:
        """What the artifact says of itself; None, and the reason in `refused`, where its converter does not write it.

        A full disk, or a process that died, is no matter of the format and ends the export.
        """
        try:
            return result(task, f"writing {entry.title}")
        except (ConversionError, RuntimeError) as error:  # RuntimeError: `shielded` made it of a converter's own
            self.refused[entry.name] = first_line(error)
        remove(self.place / entry.path(self.stem))
        return None

    def _tried(self, frozen: FrozenGraph, judges: Judging) -> Trials:
        """The artifacts of lower precisions, each held to the gate."""
        tried = Trials(self.workers, frozen, judges, self.stem, self.place, self.settings, self.on_step)
        tried.run(self.plan)
        self.written += tried.written
        self.refused |= tried.refused
        check_refused(self.settings.formats, self.refused, self.written, self.graph.source.name)
        return tried
