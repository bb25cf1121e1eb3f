"""Proves a bundle: runs its artifacts, and compares its statements with the checkpoint or the artifacts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ..errors import AzxError, BundleError, HeadError
from ..export.checkpoint.head import Head
from ..export.checkpoint.layer_graph import LayerGraph
from ..export.formats.table import Format
from ..export.graph.freeze import heads_of, try_simplify
from ..export.graph.frozen import Port
from ..export.graph.names import Names
from ..export.original.live import LiveModel
from ..manifest import Calculation, Manifest
from ..manifest import Head as Output
from ..system.progress import Step
from ..system.workers import Workers, result
from ..validate.gate.gate import Gate
from ..validate.gate.positions import gate_positions
from ..validate.gate.verdict import readings_of
from ..validate.positions import BOARDS, Part, Positions
from ..validate.positions_file import GivenArrays
from ..validate.proof.proof import Proof
from ..validate.proof.recorded import RecordedGate
from ..validate.proof.truth import Truth, recorded_distances, recorded_rules
from ..validate.runners.runner import Signature
from .case.case import Case
from .case.detection import policy_width
from .case.original import Original
from .case.positions import (
    draw_seed,
)
from .case.settings import Settings
from .claims import artifacts as carried
from .claims import derived, gates, reading
from .claims.checks import run_checks
from .claims.evidence import ArtifactStatements, CheckpointEvidence, Evidence
from .claims.findings import Claims, refute
from .contents.describe import RANDOM
from .contents.golden import read_golden
from .contents.listing import read_measured
from .contents.manifest import GOLDEN, heads_in
from .precision.reached import GateSources, Player, find_scales, gate_sources
from .precision.trial import approximate, gate_of, judge_again
from .recorded import RecordedPositions

Formats = Sequence[tuple[str, Format]]
ARTIFACTS_AND_RULES = "its artifacts and the rules"


@dataclass(eq=False)
class Validation:
    """The validation of one bundle; `formats` are its artifacts' paths and formats.

    `also` are further runtimes that prove artifacts. `seed` is the fresh one, which was unknown when the bundle was
    written.
    """

    folder: Path
    manifest: Manifest
    formats: Formats
    workers: Workers
    on_step: Step
    also: Sequence[str] = ()
    seed: int = field(default_factory=draw_seed)
    outputs: dict[str, Output] = field(init=False)

    def __post_init__(self) -> None:
        self.outputs = {head.name: head for head in self.manifest.outputs}

    def against(
        self, graph: LayerGraph, model: LiveModel | None, inputs: Path | GivenArrays | None, count: int | None
    ) -> tuple[Proof, Claims]:
        """The proof by Keras' and the witness' answers on the recorded positions, and all claims derived again.

        The checkpoint's own outputs and inputs decide what artifacts must answer, whatever the manifest says of them.
        """
        self._check_source(graph)
        names, original = self._original(graph, model)
        heads = original.heads
        claimed = reading.claimed_reading(self.manifest, policy_width(heads))
        player = Player(graph, heads, claimed)
        recorded = RecordedPositions(self.folder, self.manifest, original, player)
        boards = recorded.positions(inputs, count)
        as_recorded = boards if count is None and inputs is None else None
        gated = {entry.path for entry, _ in approximate(self.manifest, self.formats)}
        exact = {path: entry.name for path, entry in self.formats if path not in gated}
        compared = original.compare(self.folder, exact, self.on_step)
        boards = recorded.with_fresh(boards, self.seed, len(self.formats), compared, count)
        rows = recorded.golden_rows(boards, again=as_recorded is None)
        sources, self_play = self._gate_sources(player, boards, inputs)
        self.on_step("asking the original and the float64 witness")
        asking = original.ask(self.workers, rows.feeds, sources.played if sources else None)
        frozen = self.workers.tensorflow(derived.freeze_again, graph, self.manifest)
        reading_files = self._read_statements()
        alone = derived.game_without_options(graph, heads)  # while the workers are busy: the witness runs here
        answers = asking.wait()
        gate = gate_of(sources, answers, original.names, self.outputs) if sources else None
        case = self._case(original.inputs, answers.heads, original.fed(boards))
        fresh = _fresh_gate(gate, case.positions, answers.on(boards))
        proof = self._prove(case, answers.heads, answers.on(boards), gate, fresh=fresh, compared=compared)
        known = CheckpointEvidence(
            graph,
            names,
            original.inputs,
            heads,
            alone,
            result(frozen, "freezing the checkpoint"),
            compared,
            answers,
            rows,
            boards.recorded,
            as_recorded is not None,
            as_recorded,
            self_play,
        )
        statements = _wait_for(reading_files)
        evidence = Evidence(self.folder, answers.heads, claimed, statements, proof.artifacts, known)
        return proof, run_checks(self.manifest, evidence, graph.source.name)

    def by_golden(self) -> tuple[Proof, Claims]:
        """The proof by the recorded answers on their positions, and the claims that artifacts and rules decide."""
        manifest, heads = self.manifest, heads_in(self.manifest)
        reading_files = self._read_statements()
        claimed = reading.claimed_reading(manifest, policy_width(heads))
        evidence = Evidence(self.folder, heads, claimed)
        try:
            golden = read_golden(self.folder, manifest.input_shapes, heads)
        except BundleError as error:
            evidence = replace(evidence, statements=_wait_for(reading_files))
            claims = run_checks(manifest, evidence, ARTIFACTS_AND_RULES)
            if not claims.false:
                raise
            unread = refute("positions", f"do not fit that manifest: {str(error).rstrip('.')}", GOLDEN).claim
            nothing = Proof(manifest.name, 0, "no positions", GOLDEN, (), ())
            return nothing, replace(claims, false=(unread, *claims.false))
        boards = golden.positions
        if manifest.positions.source == RANDOM:
            boards = replace(boards, parts=(Part(BOARDS, len(boards), None),))
        parity: dict[str, Any] = {}
        with suppress(BundleError):
            parity = read_measured(self.folder) or {}
        distances, rules = recorded_distances(parity), recorded_rules(parity, golden.answers)
        note = (
            f"{len(boards)} of the export's {manifest.positions.count:,} positions: "
            "give the checkpoint with --against for all of them"
        )
        truth = Truth(
            GOLDEN, golden.answers, {name: distances.get(name) for name in golden.answers}, (note,), rules=rules
        )
        inputs = [Port(port.name, (None, *port.shape)) for port in manifest.inputs]
        readings = readings_of(heads, self.outputs)
        gate = Gate(heads, readings, gate_positions([(GOLDEN, boards)]), golden.answers)
        recorded = RecordedGate(parity, manifest.positions.count)
        proof = self._prove(self._case(inputs, heads, boards), heads, truth, gate, recorded)
        drawn = reading.draw_again(manifest, claimed)
        statements = _wait_for(reading_files)
        evidence = replace(evidence, statements=statements, artifacts=proof.artifacts, golden=golden, drawn=drawn)
        return proof, run_checks(manifest, evidence, ARTIFACTS_AND_RULES)

    def _read_statements(self) -> dict[str, Future[ArtifactStatements]]:
        """What each artifact states about itself, read in the process that has its packages loaded."""
        tasks = {}
        for path, entry in self.formats:
            submit = self.workers.tensorflow if entry.needs_tensorflow else self.workers.light
            tasks[path] = submit(carried.read_stated, entry.name, self.folder / path)
        return tasks

    def _check_source(self, graph: LayerGraph) -> None:
        """Raise BundleError if the bundle was made from another checkpoint.

        If only the manifest says so, the checks refute that later.
        """
        said = self.manifest.checkpoint
        if said.sha256 == graph.source.sha256:
            return
        statements = _wait_for(self._read_statements()).values()
        hashes = {each.metadata.get("checkpoint_sha256") for each in statements} - {None}
        if hashes != {graph.source.sha256}:
            raise BundleError(
                f"'{self.folder}' was not made from '{graph.source.path}' (the checkpoint's SHA-256 differs): "
                f"give '{said.file}' with --against, or export this one."
            )

    def _original(self, graph: LayerGraph, model: LiveModel | None) -> tuple[Names, Original]:
        """The original under the export options that the manifest implies; BundleError if no options fit."""
        simplified = try_simplify(graph)
        network = simplified.network
        if network is not None:
            shapes = [head.shape for head in network.outputs]
        else:
            self.on_step("tracing the graph from Keras")
            task = self.workers.tensorflow(derived.freeze_again, graph, self.manifest)
            made = result(task, "tracing the graph from Keras")
            stated = {head.source_name: head.shape for head in made.outputs or heads_in(self.manifest)}
            shapes = [stated.get(head.source_name, head.shape) for head in graph.outputs]
        try:
            names = derived.find_names(graph, self.manifest, shapes)
        except HeadError as error:
            raise BundleError(f"'{self.folder}' cannot be of this checkpoint: {error}") from error
        heads = heads_of(graph, shapes, names)
        inputs, work = derived.name_inputs(graph, heads, names), network.multiply_adds if network else None
        return names, Original(graph, heads, inputs, model, simplified.reason, work)

    def _gate_sources(
        self, player: Player, boards: Positions, inputs: Path | GivenArrays | None
    ) -> tuple[GateSources | None, tuple[Sequence[str], str | None] | None]:
        """The gate's positions for lower precisions, and the descriptions of self-play and scales; else None, None."""
        if not approximate(self.manifest, self.formats):
            return None, None
        self.on_step("playing against itself")
        count, seed = gates.played(self.manifest)
        settings = Settings(inputs=inputs, seed=seed)
        sources = gate_sources(self.workers, player, boards, settings, count)
        scales = None
        if any(artifact.calibration for artifact in self.manifest.artifacts):
            scales = find_scales(self.workers, player, sources.drawn, settings)
        lines = [sources.played.positions.description] if sources.played else []
        return sources, (lines, scales.description if scales else None)

    def _case(self, ports: Sequence[Port], heads: Sequence[Head], boards: Positions) -> Case:
        """The artifacts under proof on `boards`, with the inputs and outputs that they must have."""
        batch = self.manifest.batch
        inputs = tuple(Port(port.name, (batch, *port.shape[1:])) for port in ports)
        nodes = {name: head.pb_node for name, head in self.outputs.items()}
        outputs = tuple(Port(head.name, (batch, *head.shape), node=nodes.get(head.name, "")) for head in heads)
        signature, name = Signature(inputs, outputs), self.manifest.name
        return Case(name, self.folder, signature, boards, self.also, self.seed, self.workers, self.on_step)

    def _prove(
        self,
        case: Case,
        heads: Sequence[Head],
        truth: Truth,
        gate: Gate | None,
        recorded: RecordedGate | None = None,
        fresh: Gate | None = None,
        compared: Mapping[str, Calculation] = MappingProxyType({}),
    ) -> Proof:
        """Start every run, then compare each artifact; lower precisions by the gate, or by what is recorded."""
        listed = approximate(self.manifest, self.formats)
        gated = {entry.path for entry, _ in listed}
        runs = [case.start(entry, path) for path, entry in self.formats if path not in gated]
        judged = judge_again(case, gate, listed, recorded, fresh) if gate else []
        return case.prove(heads, truth, runs, judged, compared)


def _fresh_gate(gate: Gate | None, boards: Positions, truth: Truth) -> Gate | None:
    """The gate on the fresh positions among `boards`, which have the artifacts' input names; None if none are fresh."""
    if gate is None or not boards.fresh:
        return None
    rows = slice(boards.recorded, boards.drawn)
    legal = None if boards.legal is None else boards.legal[rows]
    feeds = {name: feed[rows] for name, feed in boards.feeds.items()}
    part = replace(boards, feeds=feeds, legal=legal, description=f"{boards.fresh:,} fresh positions")
    expected = {name: answers[rows] for name, answers in truth.expected.items()}
    return replace(gate, positions=gate_positions([("fresh", part)]), expected=expected)


def _wait_for(tasks: Mapping[str, Future[ArtifactStatements]]) -> dict[str, ArtifactStatements]:
    """What each artifact states about itself, by path."""
    return {path: _result_or_nothing(task) for path, task in tasks.items()}


def _result_or_nothing(task: Future[ArtifactStatements]) -> ArtifactStatements:
    """What an artifact states about itself; nothing if reading it ended the process."""
    try:
        return result(task, "reading an artifact's metadata")
    except (AzxError, RuntimeError):
        return ArtifactStatements()
