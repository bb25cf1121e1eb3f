"""Positions for lower precisions: for the gate that judges, for choosing, and for int8's scales.

If possible they come from self-play, since a network meets those positions in games.
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
from ...export.graph.frozen import FrozenGraph
from ...export.original.live import LiveModel
from ...games.encoding import split_inputs
from ...games.game import Reading
from ...games.policy import policy_range
from ...system.temporary import temporary_folder
from ...system.workers import Workers, result
from ...validate.answers import Answers
from ...validate.gate.positions import BOARDS, OWN, RANDOM, SELF_PLAY, GatePositions, gate_positions
from ...validate.positions import Positions, key_of, positions
from ...validate.positions_file import from_user
from ...validate.self_play import self_play
from ...validate.witness.evaluate import evaluate
from ..case.detection import artifact_feeds, policy_width
from ..case.original import OriginalAnswers, SelfPlay, ask_once, join_rows
from ..case.positions import draw_positions
from ..case.settings import Settings

# The numbers of self-play positions: for a gate; for choosing, plus the same number of random ones; for int8's scales.
GATE_COUNT, CHOOSING_COUNT, CALIBRATION_COUNT = 1_000, 1_000, 500
# Added to the gate's seed for the other two, so that the positions that judge are never those that chose or scaled.
CALIBRATION_SEED, CHOOSING_SEED = 2**34, 2**35
Outputs = dict[str, NDArray[Any]]
Ask = Callable[[NDArray[np.float32]], Outputs]


@dataclass(frozen=True, eq=False)
class GateSources:
    """The positions of a gate by origin, under the checkpoint's input names.

    `played` come from self-play, None if the network plays no known game. `drawn` are those of the proof, of the kind
    `kind`.
    """

    drawn: Positions
    kind: str
    played: SelfPlay | None = None

    def positions(self, names: Mapping[str, str]) -> GatePositions:
        """All kinds of positions under the artifacts' input names; `names` maps the checkpoint's names to these."""
        kinds = [(SELF_PLAY, self.played.positions)] if self.played else []
        kinds.append((self.kind, self.drawn))
        return gate_positions([(kind, replace(part, feeds=artifact_feeds(part, names))) for kind, part in kinds])

    def answers_in(self, answers: OriginalAnswers) -> dict[str, NDArray[Any]]:
        """The original's answers on `positions`, {head: (N, ...)}."""
        rows = {name: answers_here[: len(self.drawn)] for name, answers_here in answers.truth.expected.items()}
        if answers.in_play is None:
            return rows
        return {name: np.concatenate([answers.in_play[name], rows[name]]) for name in rows}


@dataclass(frozen=True, eq=False)
class Player:
    """The original as a player against itself; `reading` is None if its game is unknown.

    If the witness does not know a layer, `frozen` plays in TensorFlow; without `frozen` there is then no self-play.
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
    def inputs(self) -> dict[str, tuple[int, ...]]:
        """Its inputs' shapes by the checkpoint's names."""
        return self.graph.input_shapes


def gate_sources(
    workers: Workers, player: Player, boards: Positions, settings: Settings, count: int = GATE_COUNT
) -> GateSources:
    """`count` positions of self-play if the network can play, and those drawn for the proof."""
    drawn = boards.random
    kind = OWN if settings.inputs is not None else BOARDS if player.reading is None else RANDOM
    return GateSources(drawn, kind, _one_game(workers, player, settings.seed, count))


def choosing_sources(
    workers: Workers, player: Player, model: LiveModel | None, judging: GateSources, settings: Settings
) -> tuple[GateSources, dict[str, NDArray[Any]]]:
    """Positions for choosing, from other seeds than those that judge, and the original's answers on them.

    The user's own positions cannot be extended, so every second one is used. The answers are {source_name: (N, ...)},
    the witness' or, if it does not know a layer, Keras'.
    """
    seed = settings.seed + CHOOSING_SEED
    if judging.kind == OWN:
        rows = slice(0, None, 2)
        legal = None if judging.drawn.legal is None else judging.drawn.legal[rows]
        feeds = {name: feed[rows] for name, feed in judging.drawn.feeds.items()}
        drawn = replace(judging.drawn, feeds=feeds, legal=legal)
    else:
        count = min(CHOOSING_COUNT, len(judging.drawn)) if player.reading is None else CHOOSING_COUNT
        drawn = draw_positions(player.graph, player.reading, count, seed)
    played = _one_game(workers, player, seed, CHOOSING_COUNT) if judging.played else None
    known = played.exact.outputs if played and not played.exact.missing else {}
    every = drawn.feeds if played is None or known else join_rows(played.positions.feeds, drawn.feeds)
    answers = ask_once(workers, player.graph, model, every)
    expected = {name: np.concatenate([known[name], rows]) if known else rows for name, rows in answers.outputs.items()}
    return GateSources(drawn, judging.kind, played), expected


def find_scales(workers: Workers, player: Player, drawn: Positions, settings: Settings) -> Positions | None:
    """The positions for int8's scales: the user's file, or self-play and random ones; None if no scales are needed."""
    seed, reading = settings.seed + CALIBRATION_SEED, player.reading
    if settings.calibration is not None:
        names = [spec.name for spec in player.graph.inputs]
        return from_user(settings.calibration, player.graph.inputs, names, policy_width(player.heads))
    if not player.can_play or reading is None:
        return draw_positions(player.graph, None, CALIBRATION_COUNT, seed) if reading is None else drawn
    game = _one_game(workers, player, seed, CALIBRATION_COUNT)
    if game is None:
        return None
    # Positions that the network never meets in its own games may lie far outside their ranges.
    both, more = game.positions, positions(reading, player.inputs, CALIBRATION_COUNT // 2, seed)
    feeds = join_rows(both.feeds, more.feeds)
    return replace(both, feeds=feeds, legal=None, description=f"{both.description}; {more.description}")


def _one_game(workers: Workers, player: Player, seed: int, count: int) -> SelfPlay | None:
    """`count` positions of self-play; None if neither the witness nor the graph can play."""
    if not player.can_play:
        return None
    try:
        return play_itself(workers, player, seed, count)
    except UnsupportedLayer:
        return None


def play_itself(workers: Workers, player: Player, seed: int, count: int) -> SelfPlay:
    """`count` positions of self-play by the seed; UnsupportedLayer if neither the witness nor the graph can play."""
    light = replace(player, frozen=None)
    try:
        return result(workers.light(play_by_witness, light, seed, count), "playing by the float64 witness")
    except UnsupportedLayer as error:
        if player.frozen is None:
            raise
        played = result(workers.tensorflow(play_by_graph, player, seed, count), "playing by TensorFlow")
        return replace(played, exact=Answers("float64 witness", missing=str(error)))


def play_by_witness(player: Player, seed: int, count: int) -> SelfPlay:
    """Self-play by the witness; UnsupportedLayer if it does not know a layer."""
    return _play(lambda boards: evaluate(player.graph, split_inputs(boards, player.inputs)), player, seed, count)


def play_by_graph(player: Player, seed: int, count: int) -> SelfPlay:
    """Self-play by the frozen graph in TensorFlow, without answers of a witness."""
    from ...export.formats.table import FORMATS

    frozen = player.frozen
    assert frozen is not None  # noqa: S101 - asked of no other player
    sources = {head.name: head.source_name for head in frozen.outputs}
    shapes = {port.name: shape for port, shape in zip(frozen.inputs, player.inputs.values(), strict=True)}
    with temporary_folder("self-play") as folder:
        path = folder / "network.pb"
        FORMATS["pb"].write(frozen, path)
        with FORMATS["pb"].open(path) as runner:

            def ask(boards: NDArray[np.float32]) -> Outputs:
                answers = runner.run(split_inputs(boards, shapes))
                return {sources[name]: answer for name, answer in answers.items()}

            return _play(ask, player, seed, count)


def _play(ask: Ask, player: Player, seed: int, count: int) -> SelfPlay:
    policy = next(head for head in player.heads if head.role == POLICY)
    names = [head.source_name for head in player.heads]
    assert player.reading is not None  # noqa: S101 - asked of no other player
    answers: dict[bytes, tuple[NDArray[Any], ...]] = {}
    answer = partial(_answer, ask, names, policy.source_name, answers)
    # The activation alone decides here: the answers are known only after the positions.
    drawn = self_play(player.reading, player.inputs, answer, policy_range(policy.activation), count, seed)
    rows = [answers[key_of(drawn.feeds, row)] for row in range(len(drawn))]
    outputs = {name: np.stack([row[at] for row in rows]) for at, name in enumerate(names)}
    return SelfPlay(drawn, Answers("float64 witness", outputs))


def _answer(
    ask: Ask, names: list[str], policy: str, noted: dict[bytes, tuple[NDArray[Any], ...]], boards: NDArray[np.float32]
) -> NDArray[Any]:
    """The policy's answers (N, width) on `boards` (N, *shape).

    `noted` gets all heads' answers by board, which saves a second run.
    """
    outputs = ask(boards)
    for row, board in enumerate(boards):
        noted.setdefault(board.tobytes(), tuple(outputs[name][row] for name in names))
    return outputs[policy]
