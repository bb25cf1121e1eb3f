"""Checkpoint -> bundle: read, simplify, write every format, prove them all, publish."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..errors import BundleError, NotEqual
from ..export.checkpoint.layer_graph import LayerGraph
from ..export.checkpoint.located import find_checkpoint
from ..export.checkpoint.read import read
from ..export.formats.table import Format, choose
from ..export.graph.frozen import FrozenGraph
from ..export.graph.heads import Head
from ..export.graph.traced import trace
from ..validate import run as proving
from ..validate.positions import Positions
from ..validate.proof import Proof, Truth, establish, judge
from ..validate.prover import heads_info, ports, prove
from ..validate.workers import Workers, load_tensorflow, result
from . import describe
from . import folder as bundle
from . import manifest as manifests
from .kept import Kept, keep_others
from .last import remember
from .manifest import GOLDEN, MANIFEST, PARITY, dump, file_entries
from .plan import Settings, Simplified, game_of, heads_of, parity_positions, try_simplify
from .tasks import build_graph, write_artifact

Step = Callable[[str], None]
BUNDLES = Path("bundles")


@dataclass(frozen=True, eq=False)
class ExportResult:
    """What an export did.

    `skipped` has the reason for each format of `all` that cannot be written here; `kept` are the
    artifacts of other formats that stayed from the bundle that was there; `fallback` says which
    layer stopped the simplification, None for a canonical graph.
    """

    folder: Path
    manifest: Mapping[str, Any]
    proof: Proof
    skipped: Mapping[str, str]
    kept: tuple[str, ...]
    fallback: str | None
    heads: tuple[Head, ...]
    seconds: float


def export_checkpoint(
    checkpoint: str | Path | None = None,
    *,
    output: str | Path | None = None,
    config: str | Path | None = None,
    builder: str | None = None,
    allow_code: bool = False,
    on_step: Step = lambda name: None,
    **settings: Any,
) -> ExportResult:
    """Export a checkpoint and prove every artifact equal to it.

    Args:
        checkpoint: a path, a shipped checkpoint's name, or None for the shipped Connect4 network.
        output: the bundle's folder; bundles/<stem> if left out.
        config: JSON of the architecture, for weights-only files.
        builder: "module:function" that returns the Keras model, for weights-only files.
        allow_code: let Keras run Lambda layers of the file.
        on_step: told what begins, for a progress display.
        **settings: fields of `azx.bundle.plan.Settings`.

    Raises:
        AzxError: with one sentence; NotEqual where an artifact does not answer as the original.
            Then the artifacts are in <output>.failed and an existing bundle is as it was.

    """
    started = time.perf_counter()
    chosen = Settings(**settings)
    formats, skipped = choose(chosen.formats)
    path = find_checkpoint(checkpoint)
    stem = stem_of(path)
    folder = Path(output) if output is not None else BUNDLES / stem
    with bundle.locked(folder), Workers() as workers, bundle.staging(folder) as place:
        workers.tensorflow(load_tensorflow, builder is None)
        on_step("reading the checkpoint")
        graph = read(path, config=config, builder=builder, allow_code=allow_code)
        job = _Job(graph, chosen, formats, stem, place, folder, workers, on_step)
        proof, manifest, kept = job.run()
        done = ExportResult(
            folder, manifest, proof, skipped, kept.paths, job.fallback, job.heads, time.perf_counter() - started
        )
        _publish(done, place)
    return done


def stem_of(path: Path) -> str:
    """The bundle's name for a checkpoint's file: its name without .h5, .keras or .weights.h5."""
    return path.name.removesuffix(".h5").removesuffix(".keras").removesuffix(".weights").removesuffix(".hdf5") or "net"


def _publish(done: ExportResult, place: Path) -> None:
    if not done.proof:
        failed = bundle.publish_failed(place, done.folder)
        raise NotEqualExport(" ".join(done.proof.sentences) + f" The artifacts are in '{failed}'.", done)
    bundle.publish(place, done.folder)
    remember(done.folder)


class NotEqualExport(NotEqual):
    """An export whose proof failed; `result` is what would have been published."""

    def __init__(self, message: str, result: ExportResult) -> None:
        super().__init__(message)
        self.result = result


@dataclass
class _Job:
    """One export under way; `run` does it, in an order that keeps both processes busy."""

    graph: LayerGraph
    settings: Settings
    formats: list[Format]
    stem: str
    place: Path
    folder: Path
    workers: Workers
    on_step: Step
    heads: tuple[Head, ...] = ()
    fallback: str | None = None
    runs: dict[str, Future[proving.Run]] = field(default_factory=dict)

    def run(self) -> tuple[Proof, dict[str, Any], Kept]:
        """Everything but the publishing."""
        self.on_step("simplifying the network")
        simplified = try_simplify(self.graph)
        self.fallback = simplified.reason
        self.on_step("building the frozen graph" if simplified.network else "tracing the graph from Keras")
        traced: Any = None if simplified.network else self._traced()
        shapes = [exit_.shape for exit_ in simplified.network.outputs] if simplified.network else traced[4]
        self.heads = heads_of(self.graph, shapes, self.settings)
        reading = game_of(self.graph, self.heads, self.settings.game, self.settings.encoding)
        positions = parity_positions(self.graph, self.heads, reading, self.settings)
        witness = self.workers.light(proving.witness, self.graph, positions.feeds)
        frozen = self._frozen(simplified, traced)
        frozen = replace(frozen, metadata=describe.metadata(self.graph, frozen, reading))
        names = {spec.source_name: spec.name for spec in frozen.inputs}
        self._write_and_run(frozen, {names[name]: feed for name, feed in positions.feeds.items()}, positions)
        self.on_step("asking Keras and the float64 witness")
        manifest = describe.manifest(self.stem, self.graph, frozen, reading, positions, self.settings)
        info = heads_info(manifest)
        answers = (result(self.reference, "running Keras"), result(witness, "running the float64 witness"))
        truth = establish(info, *answers)
        proof = self._judge(info, truth, positions)
        self._write_golden(positions, names, frozen, truth, answers[1])
        return proof, manifest, self._complete(manifest, proof)

    def _traced(self) -> Any:
        return result(
            self.workers.tensorflow(trace, self.graph.source, self.settings.batch), "tracing the graph from Keras"
        )

    def _frozen(self, simplified: Simplified, traced: Any) -> FrozenGraph:
        sources = [spec.name for spec in self.graph.outputs]
        task = self.workers.tensorflow(
            build_graph, simplified, traced, self.heads, self.settings.batch, self.settings.keep_names, sources
        )
        return result(task, "building the frozen graph")

    def _write_and_run(self, frozen: FrozenGraph, feeds: Mapping[str, Any], positions: Positions) -> None:
        """Queue every writer, then each artifact's run as soon as it is there."""
        writing = [
            (
                entry,
                self.workers.tensorflow(
                    write_artifact, entry.name, frozen, self.place / entry.path(self.stem), self.settings.opset
                ),
            )
            for entry in self.formats
        ]
        self.reference = self.workers.tensorflow(proving.reference, self.graph, positions.feeds)
        inputs, outputs = ports(frozen.inputs), ports(frozen.outputs)
        for entry, task in writing:
            self.on_step(f"writing {entry.title}")
            result(task, f"writing {entry.title}")
            submit = self.workers.tensorflow if entry.needs_tensorflow else self.workers.light
            target = self.place / entry.path(self.stem)
            self.runs[entry.name] = submit(proving.run_artifact, entry.name, target, feeds, inputs, outputs)

    def _judge(self, info: Any, truth: Truth, positions: Positions) -> Proof:
        results = []
        for entry in self.formats:
            self.on_step(f"proving {entry.title}")
            run = prove(self.runs[entry.name], entry)
            results.append(judge(entry.path(self.stem), entry.name, run, info, truth, positions.legal))
        where = f"{self.graph.source.path.name}, by {truth.by}"
        return Proof(self.stem, len(positions), positions.description, where, truth.notes, tuple(results))

    def _write_golden(
        self,
        positions: Positions,
        names: Mapping[str, str],
        frozen: FrozenGraph,
        truth: Truth,
        witness: proving.Answers,
    ) -> None:
        exact = (
            {h.name: witness.outputs[h.source_name] for h in frozen.outputs} if not witness.missing else truth.expected
        )
        data = describe.golden(positions, names, exact, frozen.outputs)
        _write_text(self.place / GOLDEN, dump(data))

    def _complete(self, manifest: dict[str, Any], proof: Proof) -> Kept:
        """Add the artifacts and files to the manifest and write it, with parity.json; returns what was kept."""
        entries = [describe.artifact_entry(entry, self.place, self.stem, self.settings) for entry in self.formats]
        kept = keep_others(self.folder, self.place, manifest, entries) if proof else Kept()
        artifacts = sorted([*entries, *kept.entries], key=lambda entry: str(entry["path"]))
        manifest["artifacts"] = artifacts
        manifest["recommended"] = describe.recommended(artifacts)
        manifest["threads"] = describe.THREADS
        manifest["files"] = file_entries(self.place)
        _write_text(self.place / MANIFEST, manifests.text(manifest))
        parity = proof.as_data()
        parity["artifacts"] += kept.parity
        _write_text(self.place / PARITY, dump(parity))
        return kept


def _write_text(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf8", newline="\n")
    except OSError as error:
        raise BundleError(f"'{path.name}' cannot be written ({error.strerror or error}): free the disk.") from error
