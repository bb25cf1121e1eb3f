"""Prove a bundle again, any time, on any machine: with its checkpoint, or with golden.json alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..errors import AzxError, BundleError, GameError, NotEqual, NotRunHere
from ..export.checkpoint.head import Head
from ..export.checkpoint.layer_graph import LayerGraph
from ..export.formats.table import FORMATS, Format
from ..export.graph.frozen import Port
from ..export.original.live import LiveModel
from ..games import recognition
from ..validate import run as asked
from ..validate import whole_numbers
from ..validate.positions import Positions, positions
from ..validate.positions_file import from_npz
from ..validate.proof import Proof, Truth, establish, prove_all, recorded_distances
from ..validate.workers import Workers, load_tensorflow, result
from .folder import last_bundle
from .given import given
from .golden import read_golden
from .manifest import GOLDEN, PARITY, heads_in, load_manifest, read_json
from .settings import artifact_feeds, check_least, policy_width, unknown_positions

Step = Callable[[str], None]


@dataclass(frozen=True, eq=False)
class ValidateResult:
    """What a validation found, and in which folder."""

    folder: Path
    manifest: Mapping[str, Any]
    proof: Proof
    seconds: float


class NotProvedBundle(NotRunHere):
    """A bundle of which artifacts could not be proved here; `result` has every figure."""

    def __init__(self, message: str, result: ValidateResult) -> None:
        super().__init__(message)
        self.result = result


class NotEqualBundle(NotEqual):
    """A bundle that does not answer as the original; `result` has every figure."""

    def __init__(self, message: str, result: ValidateResult) -> None:
        super().__init__(message)
        self.result = result


def validate_bundle(
    bundle: str | Path | None = None,
    *,
    against: str | Path | LiveModel | None = None,
    config: str | Path | None = None,
    builder: str | None = None,
    preset: str | None = None,
    board: tuple[int, int] | None = None,
    allow_code: bool = False,
    inputs: str | Path | None = None,
    count: int | None = None,
    require_all: bool = False,
    on_step: Step = lambda name: None,
) -> ValidateResult:
    """Check a bundle's files and prove every artifact in it.

    Args:
        bundle: the bundle's folder; the one written last if left out.
        against: the checkpoint it was made from (a path, a shipped name, or the Keras model in memory). Without it the
            artifacts are compared with golden.json, 20 positions.
        config: JSON of its architecture, if it holds weights alone.
        builder: "module:function" that returns the Keras model, likewise.
        preset: the family of networks whose weights they are, instead of either.
        board: (rows, columns), where it leaves them free.
        allow_code: let Keras run Lambda layers of it.
        inputs: positions of one's own (.npz) instead of the recorded ones; needs `against`.
        count: number of positions instead of the recorded one; needs `against`.
        require_all: raise where an artifact cannot be run here.
        on_step: told what begins, for a progress display.

    Returns:
        The folder, its manifest, and the proof with every figure.

    Raises:
        NotRunHere: nothing could be proved here, or not all that was required.
        BundleError: the bundle is damaged or not one; nothing was run.
        NotEqual: an artifact does not answer as the original. Every artifact was run first.

    """
    started = time.perf_counter()
    folder = Path(bundle) if bundle is not None else last_bundle()
    on_step("checking the files")
    manifest = load_manifest(folder)
    formats = [(str(artifact["path"]), _format(folder, artifact)) for artifact in manifest["artifacts"]]
    check_least("count", count, 1)
    if against is None and (inputs is not None or count is not None):
        option = "--inputs" if inputs is not None else "--positions"
        raise AzxError(f"{option} needs the checkpoint to compare with: give it with --against.")
    with Workers() as workers, ExitStack() as stack:
        if against is not None or any(entry.needs_tensorflow for _, entry in formats):
            workers.tensorflow(load_tensorflow, builder is None)
        job = _Validation(folder, manifest, heads_in(manifest), workers, on_step)
        if against is not None:
            on_step("reading the checkpoint")
            source = stack.enter_context(given(against, builder))
            graph = source.read(config=config, builder=builder, preset=preset, board=board, allow_code=allow_code)
            own = Path(inputs) if inputs is not None else None
            truth, boards = job.from_checkpoint(graph, source.model, own, count)
        else:
            truth, boards = job.from_golden()
        proof = job.prove(formats, truth, boards)
    return _verdict(ValidateResult(folder, manifest, proof, time.perf_counter() - started), require_all)


def _verdict(done: ValidateResult, require_all: bool) -> ValidateResult:
    """The result, or the error that it amounts to: not equal comes before not readable, and that before not run."""
    unequal = [a for a in done.proof.artifacts if not a.passed and not a.damage and not a.not_run]
    damaged = [a.damage for a in done.proof.artifacts if a.damage]
    if unequal or not done.proof.artifacts:
        raise NotEqualBundle(
            " ".join(done.proof.sentences) or "The bundle holds no artifact: nothing was compared.", done
        )
    if damaged:
        raise BundleError(" ".join(filter(None, damaged)))
    try:
        done.proof.check_proved(require_all)
    except NotRunHere as error:
        raise NotProvedBundle(str(error), done) from error
    return done


def _format(folder: Path, artifact: Mapping[str, Any]) -> Format:
    name = str(artifact["format"])
    if name not in FORMATS:
        raise BundleError(f"'{folder}': '{artifact['path']}' is of format '{name}', which this azx does not know.")
    return FORMATS[name]


@dataclass(eq=False)
class _Validation:
    """One validation under way."""

    folder: Path
    manifest: Mapping[str, Any]
    heads: tuple[Head, ...]
    workers: Workers
    on_step: Step

    def from_checkpoint(
        self, graph: LayerGraph, model: LiveModel | None, inputs: Path | None, count: int | None
    ) -> tuple[Truth, Positions]:
        """Keras' and the witness' answers on the recorded positions, fed under the artifacts' names."""
        if self.manifest["checkpoint"].get("sha256") != graph.source.sha256:
            raise BundleError(
                f"'{self.folder}' was not made from '{graph.source.path}' (the checkpoint's SHA-256 differs): "
                f"give '{self.manifest['checkpoint'].get('file')}' with --against, or export this one."
            )
        boards = self._positions(graph, inputs, count)
        whole_numbers.check(graph, boards.feeds)
        self.on_step("asking Keras and the float64 witness")
        reference = asked.original(self.workers, graph, model, boards.feeds)
        witness = self.workers.light(asked.witness, graph, boards.feeds)
        truth = establish(self.heads, reference(), result(witness, "running the float64 witness"))
        names = {spec["source_name"]: spec["name"] for spec in self.manifest["inputs"]}
        feeds = artifact_feeds(boards, names)
        return replace(truth, by=f"{graph.source.name}, by {truth.by}"), replace(boards, feeds=dict(feeds))

    def _positions(self, graph: LayerGraph, inputs: Path | None, count: int | None) -> Positions:
        width = policy_width(self.heads)
        if inputs is not None:
            return from_npz(inputs, graph.inputs, [spec["name"] for spec in self.manifest["inputs"]], width)
        recorded = self.manifest["positions"]
        if recorded.get("source") == "file":
            raise GameError(f"'{self.folder}' was proved on a file of positions: give it again with --inputs FILE.npz.")
        number, seed = count or int(recorded["count"]), int(recorded["seed"] or 0)
        if self.manifest.get("game"):
            reading = recognition.from_manifest(self.manifest, width)
            return positions(reading, graph.inputs[0].name, number, seed)
        return unknown_positions(graph, number, seed)

    def from_golden(self) -> tuple[Truth, Positions]:
        """The recorded answers on the recorded positions."""
        shapes = {spec["name"]: spec["shape"] for spec in self.manifest["inputs"]}
        boards, expected = read_golden(self.folder, shapes, self.heads)
        try:
            distances = recorded_distances(read_json(self.folder / PARITY, ""))
        except BundleError:
            distances = {}
        note = (
            f"{len(boards)} of the export's {self.manifest['positions']['count']:,} positions: "
            "give the checkpoint with --against for all of them"
        )
        return Truth(GOLDEN, expected, {name: distances.get(name) for name in expected}, (note,)), boards

    def prove(self, formats: list[tuple[str, Format]], truth: Truth, boards: Positions) -> Proof:
        """Run every artifact, then judge them all."""
        batch = self.manifest.get("batch")
        inputs = [Port(spec["name"], (batch, *spec["shape"])) for spec in self.manifest["inputs"]]
        outputs = [Port(head.name, (batch, *head.shape), node=head.node) for head in self.heads]
        runs = [
            asked.start(self.workers, entry, self.folder, path, boards.feeds, (inputs, outputs))
            for path, entry in formats
        ]
        return prove_all(str(self.manifest["name"]), runs, self.heads, truth, boards, self.on_step)
