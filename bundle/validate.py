"""Prove a bundle again, any time, on any machine: with its checkpoint, or with golden.json alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import AzxError, BundleError, GameError, NotEqual
from ..export.checkpoint.layer_graph import LayerGraph
from ..export.checkpoint.located import find_checkpoint
from ..export.checkpoint.read import read
from ..export.formats.table import FORMATS, Format
from ..games import recognition
from ..validate import run as tasks
from ..validate.contract import Expected
from ..validate.positions import Positions, positions, random_boards
from ..validate.positions_file import from_npz
from ..validate.proof import HeadInfo, Proof, Truth, establish, judge, recorded_distances
from ..validate.prover import heads_info, prove
from ..validate.workers import Workers, load_tensorflow, result
from .last import last_bundle
from .manifest import GOLDEN, PARITY, SCHEMA_VERSION, load, read_json
from .plan import board_layout

Step = Callable[[str], None]


@dataclass(frozen=True, eq=False)
class ValidateResult:
    """What a validation found, and in which folder."""

    folder: Path
    manifest: Mapping[str, Any]
    proof: Proof
    seconds: float


class NotEqualBundle(NotEqual):
    """A bundle that does not answer as the original; `result` has every figure."""

    def __init__(self, message: str, result: ValidateResult) -> None:
        super().__init__(message)
        self.result = result


def validate_bundle(
    bundle: str | Path | None = None,
    *,
    against: str | Path | None = None,
    config: str | Path | None = None,
    builder: str | None = None,
    allow_code: bool = False,
    inputs: str | Path | None = None,
    count: int | None = None,
    on_step: Step = lambda name: None,
) -> ValidateResult:
    """Check a bundle's files and prove every artifact in it.

    Args:
        bundle: the bundle's folder; the one written last if left out.
        against: the checkpoint it was made from (a path or a shipped name). Without it the artifacts
            are compared with golden.json, 20 positions.
        config: JSON of its architecture, if it holds weights alone.
        builder: "module:function" that returns the Keras model, likewise.
        allow_code: let Keras run Lambda layers of it.
        inputs: positions of one's own (.npz) instead of the recorded ones; needs `against`.
        count: number of positions instead of the recorded one; needs `against`.
        on_step: told what begins, for a progress display.

    Raises:
        BundleError: the bundle is damaged or not one; nothing was run.
        NotEqual: an artifact does not answer as the original. Every artifact was run first.

    """
    started = time.perf_counter()
    folder = Path(bundle) if bundle is not None else last_bundle()
    on_step("checking the files")
    manifest = load(folder)
    formats = [(artifact, _format(folder, artifact)) for artifact in manifest["artifacts"]]
    if against is None and (inputs is not None or count is not None):
        option = "--inputs" if inputs is not None else "--positions"
        raise AzxError(f"{option} needs the checkpoint to compare with: give it with --against.")
    with Workers() as workers:
        if against is not None or any(entry.needs_tensorflow for _, entry in formats):
            workers.tensorflow(load_tensorflow, builder is None)
        graph = None
        if against is not None:
            on_step("reading the checkpoint")
            graph = read(find_checkpoint(against), config=config, builder=builder, allow_code=allow_code)
            _check_source(folder, manifest, graph)
        job = _Validation(folder, manifest, workers, on_step)
        given = Path(inputs) if inputs is not None else None
        truth, boards = job.from_checkpoint(graph, given, count) if graph else job.from_golden()
        proof = job.prove(formats, truth, boards, graph)
    return _verdict(ValidateResult(folder, manifest, proof, time.perf_counter() - started))


def _verdict(done: ValidateResult) -> ValidateResult:
    """The result, or the error that it amounts to: not equal comes before not readable."""
    unequal = [a for a in done.proof.artifacts if not a.passed and not a.damage]
    damaged = [a.damage for a in done.proof.artifacts if a.damage]
    if unequal or not done.proof.artifacts:
        raise NotEqualBundle(
            " ".join(done.proof.sentences) or "The bundle holds no artifact: nothing was compared.", done
        )
    if damaged:
        raise BundleError(" ".join(filter(None, damaged)))
    return done


def _format(folder: Path, artifact: Mapping[str, Any]) -> Format:
    name = str(artifact["format"])
    if name not in FORMATS:
        raise BundleError(f"'{folder}': '{artifact['path']}' is of format '{name}', which this azx does not know.")
    return FORMATS[name]


def _check_source(folder: Path, manifest: Mapping[str, Any], graph: LayerGraph) -> None:
    if manifest["checkpoint"].get("sha256") != graph.source.sha256:
        raise BundleError(
            f"'{folder}' was not made from '{graph.source.path}' (the checkpoint's SHA-256 differs): "
            f"give '{manifest['checkpoint'].get('file')}' with --against, or export this one."
        )


@dataclass(eq=False)
class _Validation:
    """One validation under way."""

    folder: Path
    manifest: Mapping[str, Any]
    workers: Workers
    on_step: Step

    @property
    def heads(self) -> tuple[HeadInfo, ...]:
        return heads_info(self.manifest)

    def from_checkpoint(self, graph: LayerGraph, inputs: Path | None, count: int | None) -> tuple[Truth, Positions]:
        """Keras' and the witness' answers on the recorded positions, fed under the artifacts' names."""
        boards = self._positions(graph, inputs, count)
        self.on_step("asking Keras and the float64 witness")
        answers = self.workers.tensorflow(tasks.reference, graph, boards.feeds)
        witness = self.workers.light(tasks.witness, graph, boards.feeds)
        known = result(answers, "running Keras"), result(witness, "running the float64 witness")
        truth = establish(self.heads, *known)
        names = {spec["source_name"]: spec["name"] for spec in self.manifest["inputs"]}
        feeds = {names[name]: feed for name, feed in boards.feeds.items()}
        return truth, Positions(feeds, boards.legal, boards.description, boards.seed)

    def _positions(self, graph: LayerGraph, inputs: Path | None, count: int | None) -> Positions:
        width = next((int(np.prod(h["shape"])) for h in self.manifest["outputs"] if h["role"] == "policy"), None)
        if inputs is not None:
            return from_npz(inputs, graph.inputs, [spec["name"] for spec in self.manifest["inputs"]], width)
        recorded = self.manifest["positions"]
        if recorded.get("source") == "file":
            raise GameError(f"'{self.folder}' was proved on a file of positions: give it again with --inputs FILE.npz.")
        number, seed = count or int(recorded["count"]), int(recorded["seed"] or 0)
        if self.manifest.get("game"):
            reading = recognition.from_manifest(self.manifest, width)
            return positions(reading, graph.inputs[0].name, number, seed)
        return random_boards(graph.inputs, number, seed, board_layout(graph))

    def from_golden(self) -> tuple[Truth, Positions]:
        """The recorded answers on the recorded positions."""
        golden = read_json(self.folder / GOLDEN, f"'{self.folder}' holds no {GOLDEN}: export the checkpoint again.")
        version = golden.get("schema_version")
        if version != SCHEMA_VERSION:
            raise BundleError(
                f"'{self.folder}': its {GOLDEN} has schema version {version!r} and this azx reads {SCHEMA_VERSION}: "
                "use the azx that wrote it, or export the checkpoint again."
            )
        try:
            return self._golden(golden["positions"])
        except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
            raise BundleError(
                f"'{self.folder}': {GOLDEN} is damaged ({error}): export the checkpoint again."
            ) from error

    def _golden(self, rows: list[dict[str, Any]]) -> tuple[Truth, Positions]:
        if not rows:
            raise ValueError("it has no positions")
        feeds = {spec["name"]: _stacked(rows, "inputs", spec) for spec in self.manifest["inputs"]}
        expected = {spec["name"]: _stacked(rows, "outputs", spec) for spec in self.manifest["outputs"]}
        distances = self._distances()
        all_of_them = self.manifest["positions"]["count"]
        note = (
            f"{len(rows)} of the export's {all_of_them:,} positions: give the checkpoint with --against for all of them"
        )
        truth = Truth(GOLDEN, expected, {name: distances.get(name) for name in expected}, (note,))
        said = f"{len(rows)} recorded positions"
        return truth, Positions(feeds, _legal(rows, self.manifest), said)

    def _distances(self) -> dict[str, float | None]:
        try:
            return recorded_distances(read_json(self.folder / PARITY, ""))
        except BundleError:
            return {}

    def prove(
        self, formats: list[tuple[dict[str, Any], Format]], truth: Truth, boards: Positions, graph: LayerGraph | None
    ) -> Proof:
        """Run every artifact, then judge them all."""
        batch = self.manifest.get("batch")
        inputs, outputs = (
            tuple(Expected(spec["name"], (batch, *spec["shape"]), spec.get("pb_node")) for spec in self.manifest[key])
            for key in ("inputs", "outputs")
        )
        runs = []
        for artifact, entry in formats:
            submit = self.workers.tensorflow if entry.needs_tensorflow else self.workers.light
            path = self.folder / artifact["path"]
            runs.append(submit(tasks.run_artifact, entry.name, path, boards.feeds, inputs, outputs))
        results = []
        for (artifact, entry), task in zip(formats, runs, strict=True):
            self.on_step(f"proving {entry.title}")
            results.append(judge(artifact["path"], entry.name, prove(task, entry), self.heads, truth, boards.legal))
        by = f"{graph.source.path.name}, by {truth.by}" if graph else truth.by
        return Proof(str(self.manifest["name"]), len(boards), boards.description, by, truth.notes, tuple(results))


def _stacked(rows: list[dict[str, Any]], key: str, spec: Mapping[str, Any]) -> NDArray[np.float32]:
    flat = np.array([row[key][spec["name"]] for row in rows], np.float32)
    if not np.isfinite(flat).all():
        raise ValueError(f"a number of '{spec['name']}' is not finite")
    return flat.reshape(len(rows), *spec["shape"])


def _legal(rows: list[dict[str, Any]], manifest: Mapping[str, Any]) -> NDArray[np.bool_] | None:
    width = next((int(np.prod(head["shape"])) for head in manifest["outputs"] if head["role"] == "policy"), 0)
    if not width or any(row.get("legal") is None for row in rows):
        return None
    mask = np.zeros((len(rows), width), np.bool_)
    for number, row in enumerate(rows):
        if not row["legal"] or any(type(at) is not int or not 0 <= at < width for at in row["legal"]):
            raise ValueError(f"position {number} has no legal move, or one that is none of the policy's {width}")
        mask[number, row["legal"]] = True
    return mask
