"""Positions for lower precisions: what a gate judges them on, what the original answers there, and int8's scales.

The network plays itself if it can: those positions are what it meets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import UnsupportedLayer
from ...export.checkpoint.head import POLICY, Head
from ...export.checkpoint.layer_graph import LayerGraph
from ...export.formats.precisions.calibration import Calibration
from ...export.graph.frozen import FrozenGraph
from ...games.game import Reading
from ...games.policy import policy_range
from ...system.temporary import temporary_folder
from ...system.workers import Workers, result
from ...validate.answers import Answers
from ...validate.gate.positions import BOARDS, OWN, RANDOM, SELF_PLAY, GatePositions, gate_positions
from ...validate.positions import Positions, positions
from ...validate.positions_file import from_npz
from ...validate.self_play import self_play
from ...validate.witness.evaluate import evaluate
from ..case.original import OriginalAnswers, SelfPlay, join_rows
from ..case.positions import draw_positions
from ..case.settings import Settings, artifact_feeds, policy_width

# How many positions of self-play a gate takes, and how many int8's scales are found on.
GATE_COUNT, CALIBRATION_COUNT = 2_000, 500
# What the seed of the second has more than that of the first: scales are not judged on what they were found on.
CALIBRATION_SEED = 2**34
Outputs = dict[str, NDArray[Any]]
Ask = Callable[[NDArray[np.float32]], Outputs]


@dataclass(frozen=True, eq=False)
class GateSources:
    """Where the positions of a gate come from.

    `played` are those of self-play, None if the network plays no known game; `drawn` those that artifacts are proved
    on too, of the kind `kind`; `scales` are what int8's scales are found on. All are by the checkpoint's input names.
    """

    drawn: Positions
    kind: str
    played: SelfPlay | None = None
    scales: Positions | None = None

    def positions(self, names: Mapping[str, str]) -> GatePositions:
        """All kinds as artifacts take them; `names` maps the checkpoint's input names to theirs."""
        kinds = [(SELF_PLAY, self.played.positions)] if self.played else []
        kinds.append((self.kind, self.drawn))
        return gate_positions([(kind, replace(part, feeds=artifact_feeds(part, names))) for kind, part in kinds])

    def answers_in(self, answers: OriginalAnswers) -> dict[str, NDArray[Any]]:
        """The original's answers on `positions`, {head: (N, ...)}."""
        rows = {name: found[: len(self.drawn)] for name, found in answers.truth.expected.items()}
        if answers.in_play is None:
            return rows
        return {name: np.concatenate([answers.in_play[name], rows[name]]) for name in rows}

    def calibration(self, names: Mapping[str, str]) -> Calibration | None:
        """What int8's scales are found on, as artifacts take it."""
        return Calibration(artifact_feeds(self.scales, names), self.scales.description) if self.scales else None


@dataclass(frozen=True, eq=False)
class Player:
    """The original as it plays itself; `reading` is None if its game is not known.

    `frozen` plays in TensorFlow where the witness does not know a layer; without it there is then no self-play.
    """

    graph: LayerGraph
    heads: tuple[Head, ...]
    reading: Reading | None
    frozen: FrozenGraph | None = None

    @property
    def can_play(self) -> bool:
        """Whether its answers determine its moves."""
        has_policy = any(head.role == POLICY for head in self.heads)
        return self.reading is not None and self.reading.numbering is not None and has_policy

    @property
    def input(self) -> str:
        """The checkpoint's name of what it reads."""
        return self.graph.inputs[0].name


def gate_sources(
    workers: Workers, player: Player, boards: Positions, settings: Settings, *, calibrated: bool = False
) -> GateSources:
    """Positions of self-play if the network can play, those drawn for the proof, and scales if they are needed."""
    drawn, reading = boards.random, player.reading
    kind = OWN if settings.inputs is not None else BOARDS if reading is None else RANDOM
    seed = settings.seed + CALIBRATION_SEED
    scales = None
    if calibrated and settings.calibration is not None:
        names = [spec.name for spec in player.graph.inputs]
        scales = from_npz(settings.calibration, player.graph.inputs, names, policy_width(player.heads))
    elif calibrated and not player.can_play:
        scales = draw_positions(player.graph, None, CALIBRATION_COUNT, seed) if reading is None else drawn
    if not player.can_play or reading is None:
        return GateSources(drawn, kind, None, scales)
    counts = {settings.seed: GATE_COUNT}
    if calibrated and scales is None:
        counts[seed] = CALIBRATION_COUNT
    try:
        games = play_itself(workers, player, counts)
    except UnsupportedLayer:
        return GateSources(drawn, kind, None, scales)
    if len(games) > 1:
        # What the network never meets in its own games may be far outside their ranges.
        more = positions(reading, player.input, CALIBRATION_COUNT // 2, seed)
        both = games[1].positions
        feeds = join_rows(both.feeds, more.feeds)
        scales = replace(both, feeds=feeds, legal=None, description=f"{both.description}; {more.description}")
    return GateSources(drawn, kind, games[0], scales)


def play_itself(workers: Workers, player: Player, counts: Mapping[int, int]) -> list[SelfPlay]:
    """Positions of self-play, `counts` of them by the seed; UnsupportedLayer if nobody can play."""
    light = replace(player, frozen=None)
    try:
        return result(workers.light(play_by_witness, light, counts), "playing by the float64 witness")
    except UnsupportedLayer as error:
        if player.frozen is None:
            raise
        played = result(workers.tensorflow(play_by_graph, player, counts), "playing by TensorFlow")
        return [replace(each, exact=Answers("float64 witness", missing=str(error))) for each in played]


def play_by_witness(player: Player, counts: Mapping[int, int]) -> list[SelfPlay]:
    """Self-play by the witness; UnsupportedLayer if it does not know a layer."""
    return _play(lambda boards: evaluate(player.graph, {player.input: boards}), player, counts)


def play_by_graph(player: Player, counts: Mapping[int, int]) -> list[SelfPlay]:
    """Self-play by the frozen graph in TensorFlow; its answers are its own and no witness'."""
    from ...export.formats.table import FORMATS

    frozen = player.frozen
    assert frozen is not None  # noqa: S101 - asked of no other player
    sources = {head.name: head.source_name for head in frozen.outputs}
    with temporary_folder("self-play") as folder:
        path = folder / "network.pb"
        FORMATS["pb"].write(frozen, path)
        with FORMATS["pb"].open(path) as runner:

            def ask(boards: NDArray[np.float32]) -> Outputs:
                answers = runner.run({frozen.inputs[0].name: boards})
                return {sources[name]: answer for name, answer in answers.items()}

            return _play(ask, player, counts)


def _play(ask: Ask, player: Player, counts: Mapping[int, int]) -> list[SelfPlay]:
    policy = next(head for head in player.heads if head.role == POLICY)
    names = [head.source_name for head in player.heads]
    assert player.reading is not None  # noqa: S101 - asked of no other player
    found = []
    for seed, count in counts.items():
        answers: dict[bytes, tuple[NDArray[Any], ...]] = {}
        answer = partial(_answer, ask, names, policy.source_name, answers)
        # By the activation alone: what the answers decide is known after the positions.
        drawn = self_play(player.reading, player.input, answer, policy_range(policy.activation), count, seed)
        rows = [answers[board.tobytes()] for board in drawn.feeds[player.input]]
        outputs = {name: np.stack([row[at] for row in rows]) for at, name in enumerate(names)}
        found.append(SelfPlay(drawn, Answers("float64 witness", outputs)))
    return found


def _answer(
    ask: Ask, names: list[str], policy: str, noted: dict[bytes, tuple[NDArray[Any], ...]], boards: NDArray[np.float32]
) -> NDArray[Any]:
    """The policy's answers (N, width) on `boards` (N, *shape). All heads' are noted by board, to save a second run."""
    outputs = ask(boards)
    for row, board in enumerate(boards):
        noted.setdefault(board.tobytes(), tuple(outputs[name][row] for name in names))
    return outputs[policy]
