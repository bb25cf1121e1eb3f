"""Proves a bundle: runs its artifacts and compares its statements with the checkpoint or the artifacts."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import prod
from pathlib import Path
from types import MappingProxyType
from typing import Any

from numpy.typing import NDArray

from ..errors import AzxError, BundleError, GameError, HeadError
from ..export.checkpoint.head import Head
from ..export.checkpoint.layer_graph import LayerGraph
from ..export.formats.table import Format
from ..export.graph.freeze import heads_of, try_simplify
from ..export.graph.frozen import Port
from ..export.graph.names import Names
from ..export.original.live import LiveModel
from ..games.game import Reading
from ..manifest import Calculation, Manifest
from ..manifest import Head as Output
from ..system.workers import Workers, result
from ..validate import whole_numbers
from ..validate.extremes import pool_size
from ..validate.gate.gate import Gate
from ..validate.gate.positions import gate_positions
from ..validate.gate.verdict import readings_of
from ..validate.positions import BOARDS, Part, Positions
from ..validate.positions_file import from_npz
from ..validate.proof.calculation import SAME, Comparison
from ..validate.proof.proof import Proof
from ..validate.proof.recorded import RecordedGate
from ..validate.proof.truth import Truth, recorded_distances, recorded_rules
from ..validate.runners.runner import Signature
from ..version import __version__
from .case.case import Case, Step
from .case.detection import artifact_feeds, game_of, policy_width
from .case.original import Original, join_rows
from .case.positions import (
    OF_ROUNDING,
    draw_positions,
    draw_seed,
    fresh_positions,
    recorded_positions,
    usual_count,
)
from .case.settings import Settings
from .claims import artifacts as carried
from .claims import derived, gates, reading
from .claims.checks import run_checks
from .claims.evidence import CheckpointEvidence, Evidence
from .claims.findings import Claims, Findings
from .claims.golden import GoldenRows, are_same
from .contents.describe import FROM_FILE, FROM_GAME, RANDOM
from .contents.golden import GOLDEN_POSITIONS, GoldenFile, read_golden
from .contents.listing import read_measured
from .contents.manifest import GOLDEN, heads_in, is_shown
from .precision.reached import GateSources, Player, find_scales, gate_sources
from .precision.trial import approximate, gate_of, judge_again

Formats = Sequence[tuple[str, Format]]
# Numbers that boards of a recorded count may hold, some hundred megabytes: a manifest may say any count, and of more it
# is the user who says so, with --positions. No export of the usual count comes near.
MOST_NUMBERS = 200_000_000
ARTIFACTS_AND_RULES = "its artifacts and the rules"


@dataclass(eq=False)
class Validation:
    """The validation of one bundle; `formats` are its artifacts' paths and formats, `findings` those about its claims.

    `also` are further runtimes that artifacts are proved in. `work` is multiply-adds a position, None if unknown.
    `traced` says why the checkpoint's graph is traced from Keras, None if it is simplified. `seed` is the fresh one,
    which nobody knew when the bundle was written.
    """

    folder: Path
    manifest: Manifest
    formats: Formats
    workers: Workers
    on_step: Step
    also: Sequence[str] = ()
    seed: int = field(default_factory=draw_seed)
    findings: Findings = field(init=False)
    outputs: dict[str, Output] = field(init=False)
    work: int | None = field(init=False, default=None)
    traced: str | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.outputs = {head.name: head for head in self.manifest.outputs}
        self.findings = Findings(self.manifest.azx_version == __version__)
        run_checks(self.findings, Evidence(self.manifest, self.folder))

    def against(
        self, graph: LayerGraph, model: LiveModel | None, inputs: Path | None, count: int | None
    ) -> tuple[Proof, Claims]:
        """The proof by Keras' and the witness' answers on the recorded positions, and all claims derived again.

        What the artifacts are held to is the checkpoint's own contract, whatever the manifest says of it.
        """
        self._check_source(graph)
        names, heads = self._heads(graph)
        ports = derived.name_inputs(graph, heads, names)
        own = {port.source_name: port.name for port in ports}
        claimed = reading.claimed_reading(self.findings, self.manifest, policy_width(heads))
        player = Player(graph, heads, claimed)
        boards, drawn = self._positions(player, own, inputs, count)
        whole_numbers.check(graph, boards.feeds)
        outputs, inputs_of = ({each.name: each.source_name for each in of} for of in (heads, ports))
        compared = self._compare(Comparison(graph, outputs, inputs_of, self.traced))
        boards = self._with_fresh(player, boards, compared, count)
        rows = self._golden_rows(player, boards, own, again=count is not None or inputs is not None)
        sources, self_play = self._gate_sources(player, boards, inputs)
        self.on_step("asking the original and the float64 witness")
        asking = Original(graph, heads, model).ask(self.workers, rows.feeds, sources.played if sources else None)
        frozen = self.workers.tensorflow(derived.freeze_again, graph, self.manifest)
        reading_files = self._read_statements()
        alone = derived.game_without_options(graph, heads)  # while the workers are busy: a witness is asked
        answers = asking.wait()
        gate = gate_of(sources, answers, own, self.outputs) if sources else None
        case = self._case(ports, answers.heads, replace(boards, feeds=artifact_feeds(boards, own)))
        fresh = self._fresh_gate(gate, boards, answers.on(boards), own)
        proof = self._prove(case, answers.heads, answers.on(boards), gate, fresh=fresh, compared=compared)
        known = CheckpointEvidence(
            graph,
            names,
            ports,
            heads,
            alone,
            result(frozen, "freezing the checkpoint"),
            compared,
            answers,
            rows,
            boards.recorded,
            count is None and inputs is None,
            drawn,
            self_play,
        )
        statements = _wait_for(reading_files)
        run_checks(
            self.findings,
            Evidence(self.manifest, self.folder, answers.heads, claimed, statements, proof.artifacts, known),
        )
        return proof, self.findings.verdict(graph.source.name)

    def by_golden(self) -> tuple[Proof, Claims]:
        """The proof by the recorded answers on their positions, and the claims that artifacts and rules decide."""
        manifest, heads = self.manifest, heads_in(self.manifest)
        reading_files = self._read_statements()
        claimed = reading.claimed_reading(self.findings, manifest, policy_width(heads))
        evidence = Evidence(manifest, self.folder, heads, claimed)
        try:
            golden = read_golden(self.folder, manifest.input_shapes, heads)
        except BundleError as error:
            run_checks(self.findings, replace(evidence, statements=_wait_for(reading_files)))
            if not self.findings.is_false(""):
                raise
            self.findings.refute("positions", f"do not fit that manifest: {str(error).rstrip('.')}", GOLDEN)
            nothing = Proof(manifest.name, 0, "no positions", GOLDEN, (), ())
            return nothing, self.findings.verdict(ARTIFACTS_AND_RULES)
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
        run_checks(
            self.findings,
            replace(evidence, statements=statements, artifacts=proof.artifacts, golden=golden, drawn=drawn),
        )
        return proof, self.findings.verdict(ARTIFACTS_AND_RULES)

    def _read_statements(self) -> dict[str, Future[carried.ArtifactStatements]]:
        """The statements in each artifact, asked for in the process that has its packages loaded."""
        tasks = {}
        for path, entry in self.formats:
            submit = self.workers.tensorflow if entry.needs_tensorflow else self.workers.light
            tasks[path] = submit(carried.read_stated, entry.name, self.folder / path)
        return tasks

    def _check_source(self, graph: LayerGraph) -> None:
        """BundleError if the bundle was made from another checkpoint; if only the manifest says so, it lies."""
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

    def _compare(self, checkpoint: Comparison) -> dict[str, Calculation]:
        """What each float32 artifact's bytes are beside the checkpoint, by path."""
        self.on_step("comparing the files with the checkpoint")
        gated = {entry.path for entry, _ in approximate(self.manifest, self.formats)}
        return checkpoint.of_all(self.folder, {path: entry.name for path, entry in self.formats if path not in gated})

    def _heads(self, graph: LayerGraph) -> tuple[Names, tuple[Head, ...]]:
        """The outputs under the options of the export that the manifest amounts to; BundleError if none can be."""
        simplified = try_simplify(graph)
        network, self.traced = simplified.network, simplified.reason
        self.work = network.multiply_adds if network else None
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
        return names, heads_of(graph, shapes, names)

    def _positions(
        self, player: Player, own: Mapping[str, str], inputs: Path | None, count: int | None
    ) -> tuple[Positions, Positions | None]:
        """The proof's positions, and the same if they are the recorded ones drawn again, else None.

        `own` has the artifacts' name of each of the checkpoint's inputs.
        """
        said, graph = self.manifest.positions, player.graph
        if inputs is not None:
            return from_npz(inputs, graph.inputs, list(own.values()), policy_width(player.heads)), None
        if said.source == FROM_FILE:
            raise GameError(f"'{self.folder}' was proved on a file of positions: give it again with --inputs FILE.npz.")
        if count is None and self.findings.is_false("positions.count"):
            count = GOLDEN_POSITIONS  # nobody knows how many: what is recorded must be among them
        number = count or reading.positions_asked_for(self.manifest)
        if count is None and not self._is_affordable(graph, number):
            raise AzxError(f"'{self.folder}' records {number:,} positions: say how many with --positions.")
        boards = self._draw(player, number, self._look_through() if count is None else said.looked_through)
        return boards, boards if count is None else None

    def _with_fresh(
        self, player: Player, boards: Positions, compared: Mapping[str, Calculation], count: int | None
    ) -> Positions:
        """The positions with some of the fresh seed, of which no author could know; a user's own stay alone.

        They are as many as the recorded ones, or `count`, the user's number. Where every file is shown to be the same
        calculation, they measure rounding alone and are fewer. Where one is not, but was called so, they are as many as
        an export takes without that.
        """
        if boards.seed is None:
            return boards
        number, drawn_as = boards.drawn, self._played_as(player)
        shown = all(each.verdict == SAME for each in compared.values()) and len(compared) == len(self.formats)
        if count is None and shown:
            number = min(number, OF_ROUNDING)
        elif count is None and any(is_shown(each) for each in self.manifest.artifacts) and not shown:
            number = max(number, usual_count(player.graph, drawn_as, self.work)[0])
        fresh = fresh_positions(player.graph, player.heads, drawn_as, boards, self.seed, number)
        if not len(fresh):
            none = "no position was found that is not recorded: an author of the artifacts could know all of them"
            return replace(boards, note="; ".join(filter(None, [boards.note, none])))
        return boards.with_fresh(fresh)

    def _look_through(self) -> int:
        """Among how many positions an export looks for extreme ones; as the manifest says if nothing tells it."""
        said = self.manifest.positions
        if self.findings.is_false("positions.looked_through"):
            return 0
        if not self.findings.current or (said.source != FROM_GAME and not said.looked_through):
            return said.looked_through
        return pool_size(said.count, self.work)

    def _is_affordable(self, graph: LayerGraph, number: int) -> bool:
        return number * sum(prod(spec.shape) for spec in graph.inputs) <= MOST_NUMBERS

    def _draw(self, player: Player, number: int, look_through: int = 0) -> Positions:
        """Positions by the manifest's seed, of the game that it names if that can be, and extreme ones."""
        seed, reading = self.manifest.positions.seed or 0, self._played_as(player)
        return recorded_positions(player.graph, player.heads, reading, seed, number, look_through)

    def _played_as(self, player: Player) -> Reading | None:
        """How the positions are drawn: as the manifest says, else as the checkpoint does if a game is named."""
        claimed = player.reading
        if claimed is None and self.manifest.game:
            with suppress(GameError):
                claimed = game_of(player.graph, player.heads, None).reading
        return claimed

    def _golden_rows(self, player: Player, boards: Positions, own: Mapping[str, str], *, again: bool) -> GoldenRows:
        """golden.json beside the positions that must be in it, which are drawn `again` if `boards` are others."""
        graph = player.graph
        ports = {own[spec.name]: spec.shape for spec in graph.inputs}
        try:
            golden = read_golden(self.folder, ports, player.heads)
        except BundleError as error:
            self.findings.refute("positions", f"cannot be read: {str(error).rstrip('.')}", GOLDEN)
            return GoldenRows(boards.feeds, len(boards))
        source_of = {name: source for source, name in own.items()}
        rows = {source_of[name]: feed for name, feed in golden.positions.feeds.items()}
        first, begins = boards.first(GOLDEN_POSITIONS), 0
        users_own = self.manifest.positions.source == FROM_FILE
        if again and not users_own:
            # Of a game's positions the first are the same however many follow; random boards depend on their number.
            number = min(
                reading.positions_asked_for(self.manifest), GOLDEN_POSITIONS if player.reading else sys.maxsize
            )
            if not self._is_affordable(graph, number):
                return self._as_recorded(graph, boards, golden, rows)
            drawn_as, seed = self._played_as(player), self.manifest.positions.seed or 0
            first = draw_positions(graph, drawn_as, max(1, number), seed).first(GOLDEN_POSITIONS)
            begins = len(boards)
        drawn = replace(first, feeds=dict(artifact_feeds(first, own)))
        if are_same(drawn.feeds, golden.positions.feeds):
            return GoldenRows(join_rows(boards.feeds, first.feeds) if begins else boards.feeds, begins, golden, drawn)
        return self._as_recorded(graph, boards, golden, rows, None if users_own else drawn)

    def _as_recorded(
        self,
        graph: LayerGraph,
        boards: Positions,
        golden: GoldenFile,
        rows: Mapping[str, NDArray[Any]],
        drawn: Positions | None = None,
    ) -> GoldenRows:
        """Recorded positions that are not those at hand: the network is asked them as they are.

        `drawn` are those that must be there, where that is known.
        """
        cast = {spec.name: rows[spec.name].astype(spec.dtype) for spec in graph.inputs}
        try:
            whole_numbers.check(graph, cast)
        except GameError as error:
            self.findings.refute("positions", f"cannot be fed to the network: {str(error).rstrip('.')}", GOLDEN)
            return GoldenRows(boards.feeds, len(boards))
        return GoldenRows(join_rows(boards.feeds, cast), len(boards), golden, drawn)

    def _gate_sources(
        self, player: Player, boards: Positions, inputs: Path | None
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
        return Case(self.manifest.name, self.folder, Signature(inputs, outputs), boards, self.also, self.seed)

    def _fresh_gate(self, gate: Gate | None, boards: Positions, truth: Truth, own: Mapping[str, str]) -> Gate | None:
        """The gate on the fresh positions alone; None without any."""
        if gate is None or not boards.fresh:
            return None
        rows = slice(boards.recorded, boards.drawn)
        legal = None if boards.legal is None else boards.legal[rows]
        feeds = {name: feed[rows] for name, feed in artifact_feeds(boards, own).items()}
        part = replace(boards, feeds=feeds, legal=legal, description=f"{boards.fresh:,} fresh positions")
        expected = {name: answers[rows] for name, answers in truth.expected.items()}
        return replace(gate, positions=gate_positions([("fresh", part)]), expected=expected)

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
        """Run every artifact, then compare them all; those of lower precisions by the gate, or by what is recorded."""
        listed = approximate(self.manifest, self.formats)
        gated = {entry.path for entry, _ in listed}
        runs = [case.start(self.workers, entry, path) for path, entry in self.formats if path not in gated]
        judged = judge_again(self.workers, case, gate, listed, self.on_step, recorded, fresh) if gate else []
        return case.judge(heads, truth, runs, judged, self.on_step, compared)


def _wait_for(tasks: Mapping[str, Future[carried.ArtifactStatements]]) -> dict[str, carried.ArtifactStatements]:
    """The statements of each artifact by path."""
    return {path: _result_or_nothing(task) for path, task in tasks.items()}


def _result_or_nothing(task: Future[carried.ArtifactStatements]) -> carried.ArtifactStatements:
    """An artifact's own statements; nothing if reading it ended its process."""
    try:
        return result(task, "reading an artifact's metadata")
    except (AzxError, RuntimeError):
        return carried.ArtifactStatements()
