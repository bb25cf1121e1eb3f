"""What artifacts of lower precisions are judged on: positions of two kinds, with the original's answers on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import UnsupportedLayer
from ...export.checkpoint.head import POLICY, Head
from ...export.checkpoint.layer_graph import LayerGraph
from ...export.formats.precisions.calibration import Calibration
from ...export.graph.frozen import FrozenGraph
from ...games.game import Reading
from ...validate.gate.positions import BOARDS, OWN, RANDOM, SELF_PLAY, GatePositions, gate_positions
from ...validate.positions import Positions, positions
from ...validate.positions_file import from_npz
from ...validate.proof import Truth, establish
from ...validate.run import Answers
from ...validate.workers import Workers
from ..settings import Settings, artifact_feeds, policy_width, unknown_positions
from .reached import CALIBRATED, CALIBRATION_SEED, JUDGED, Reached, reached

Feeds = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Gated:
    """The positions of a gate.

    `played` are those of self-play, None where the network plays no known game; `drawn` those that artifacts are proved
    on too, of the kind `kind`; `scales` are what int8's scales are found on.
    """

    drawn: Positions
    kind: str
    played: Reached | None = None
    scales: Positions | None = None

    def asked(self, feeds: Feeds) -> Feeds:
        """`feeds`, and behind them what else the original must answer."""
        return feeds if self.played is None else _joined(feeds, self.played.positions.feeds)

    def positions(self, names: Mapping[str, str]) -> GatePositions:
        """All kinds as artifacts take them; `names` maps the checkpoint's input names to theirs."""
        parts = [(SELF_PLAY, self.played.positions)] if self.played else []
        kinds = [*parts, (self.kind, self.drawn)]
        return gate_positions([(kind, replace(part, feeds=dict(artifact_feeds(part, names)))) for kind, part in kinds])

    def expected(self, heads: Sequence[Head], truth: Truth, answers: Answers) -> dict[str, NDArray[Any]]:
        """The original's answers on `positions`, by head: `truth` on the drawn ones, `answers` end with the played."""
        rows = {name: found[: len(self.drawn)] for name, found in truth.expected.items()}
        if self.played is None:
            return rows
        rest = rows_of(answers, slice(-len(self.played.positions), None))
        played = establish(heads, rest, self.played.exact).expected
        return {name: np.concatenate([played[name], rows[name]]) for name in rows}

    def calibration(self, names: Mapping[str, str]) -> Calibration | None:
        """What int8's scales are found on, as artifacts take it."""
        if self.scales is None:
            return None
        feeds = {names[name]: np.asarray(feed, np.float32) for name, feed in self.scales.feeds.items()}
        return Calibration(feeds, self.scales.description)


def gated(
    workers: Workers,
    graph: LayerGraph,
    heads: tuple[Head, ...],
    reading: Reading | None,
    boards: Positions,
    settings: Settings,
    frozen: FrozenGraph | None = None,
    *,
    calibrated: bool = False,
) -> Gated:
    """Positions of self-play where the game is known and the network has a policy, and those drawn for the proof.

    Without `frozen` only the witness can play; where it does not know a layer there is then no self-play.
    """
    drawn = boards.first(boards.drawn)
    own = settings.inputs is not None
    kind = OWN if own else BOARDS if reading is None else RANDOM
    plays = reading is not None and reading.numbering is not None and any(head.role == POLICY for head in heads)
    scales = None
    if calibrated and settings.calibration is not None:
        names = [spec.name for spec in graph.inputs]
        scales = from_npz(settings.calibration, graph.inputs, names, policy_width(heads))
    elif calibrated and not plays:
        scales = unknown_positions(graph, CALIBRATED, settings.seed + CALIBRATION_SEED) if reading is None else drawn
    if not plays or reading is None:
        return Gated(drawn, kind, None, scales)
    counts = {settings.seed: JUDGED}
    if calibrated and scales is None:
        counts[settings.seed + CALIBRATION_SEED] = CALIBRATED
    try:
        played = reached(workers, graph, heads, reading, counts, frozen)
    except UnsupportedLayer:
        return Gated(drawn, kind, None, scales)
    if len(played) > 1:
        # What the network never meets in its own games may be far outside their ranges.
        more = positions(reading, graph.inputs[0].name, CALIBRATED // 2, settings.seed + CALIBRATION_SEED)
        both = played[1].positions
        feeds = _joined(both.feeds, more.feeds)
        scales = replace(both, feeds=feeds, legal=None, description=f"{both.description}; {more.description}")
    return Gated(drawn, kind, played[0], scales)


def rows_of(answers: Answers, rows: slice) -> Answers:
    """Some rows of the original's answers."""
    return replace(answers, outputs={name: output[rows] for name, output in answers.outputs.items()})


def _joined(feeds: Feeds, more: Feeds) -> dict[str, NDArray[Any]]:
    return {name: np.concatenate([feed, np.asarray(more[name], feed.dtype)]) for name, feed in feeds.items()}
