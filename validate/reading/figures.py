"""A network's figures on the probe's positions, for each of several readings.

For Go the positions are boards that a wall divides (`games/frontiers.py`). The figures decide nothing (`decision.py`
does that). They help a person who describes how the network reads the board. A reading in which the network finds more
right moves than chance, and gives its best move to empty cells, is probably right.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from ...export.checkpoint.head import POLICY, VALUE
from ...games.encoding import encode_all
from ...games.game import Reading
from ...games.known.catalogue import GAMES
from ...games.known.hypotheses import Hypothesis
from ...games.tactics import draw_positions
from ...games.value import ORDER
from .behaviour import OWNERS, ReadingAnswers, find_hits, order_values, value_of
from .budget import ANY
from .positions import AHEAD, BEHIND, BLOCK, BOTH, LOST, TACTICAL, WIN, Sample, ShownPosition, probe_positions
from .sign_test import Network

# The number of positions of each kind. On a board without stored positions, this many wins and blocks are drawn.
COUNT, DRAWN_COUNT = 24, 12


@dataclass(frozen=True)
class Figures:
    """Shares; None if nothing could be shown, or if the output is missing.

    `wins` and `blocks` are the shares of these moves that the network finds, `both` of wins beside a block. `legal` is
    how often its best move is legal, `chance` the share of moves that chance would find. `values` is the share of pairs
    in which the better position has the higher value.
    """

    wins: float | None
    blocks: float | None
    both: float | None
    legal: float | None
    chance: float | None
    values: float | None

    @property
    def mean_share(self) -> float:
        """The mean share of moves that the network finds."""
        moves = (self.wins, self.blocks, self.both)
        # In a game without such moves, the share of legal moves counts.
        every = (self.legal, self.values) if moves == (None, None, None) else (*moves, self.values)
        shares = [share for share in every if share is not None]
        return float(np.mean(shares)) if shares else 0.0


@dataclass(frozen=True)
class Measurement:
    """The figures for one tensor and one numbering, without a value's; and the answers that show the value's owner."""

    figures: Figures
    replies: ReadingAnswers
    samples: Mapping[str, Sample]


def measure(
    readings: Iterable[Reading],
    network: Network,
    roles: Sequence[str],
    known: dict[str, Measurement],
    boards: int = ANY,
) -> bool:
    """Add the figures of each reading to `known`, by its `key_of`; False if that would take more than `boards` boards.

    `roles` are the outputs that the network has. Readings of a game without positions to show are left out.
    """
    for reading in readings:
        key = key_of(reading)
        if key in known:
            continue
        shown = _positions(reading.game.name, tuple(sorted(reading.settings.items())))
        if boards < (count := sum(map(len, shown.values()))):
            return False
        boards -= count
        if shown:
            known[key] = _measure(reading, network, roles, shown)
    return True


def key_of(reading: Reading) -> str:
    """The key for a reading's answers, without the value's owner, which does not change the tensor."""
    return repr({**reading.as_data(), "encoding": {**reading.encoding.as_data(), "value": ""}})


def best_of(readings: Iterable[Reading], known: Mapping[str, Measurement]) -> Figures | None:
    """The figures of the reading that finds most; None if none was measured."""
    measured = [_figures(one, known[key_of(one)]) for one in readings if key_of(one) in known]
    return max(measured, key=lambda figures: figures.mean_share, default=None)


@cache
def _positions(game: str, settings: tuple[tuple[str, Any], ...]) -> Mapping[str, Sequence[ShownPosition]]:
    """Positions by kind, the same ones every time."""
    stored = probe_positions(GAMES[game], dict(settings))
    if stored:
        kinds = (*TACTICAL, LOST, AHEAD, BEHIND)
        by_kind = {kind: [one for one in stored if one.kind == kind][:COUNT] for kind in kinds}
        return {kind: of_kind for kind, of_kind in by_kind.items() if of_kind}
    start, tactics, frontiers = GAMES[game].begin(dict(settings)), GAMES[game].tactics, GAMES[game].frontiers
    if frontiers:
        pairs = frontiers.leads(start, DRAWN_COUNT)
        return {kind: [ShownPosition(pair[at], kind) for pair in pairs] for at, kind in enumerate((AHEAD, BEHIND))}
    drawn = {
        kind: [ShownPosition(state, kind, best) for state, best in draw_positions(start, tactic, DRAWN_COUNT)]
        for kind, tactic in zip((WIN, BLOCK), tactics, strict=False)
    }
    return drawn if all(drawn.values()) else {}


def _measure(
    reading: Reading, network: Network, roles: Sequence[str], shown: Mapping[str, Sequence[ShownPosition]]
) -> Measurement:
    flat = [one for of_kind in shown.values() for one in of_kind]
    answers = network(encode_all([one.state for one in flat], reading.encoding))
    rows = {role: np.asarray(answers[role], np.float64).reshape(len(flat), -1) for role in roles}
    replies, samples = (
        ReadingAnswers(Hypothesis("", "", reading)),
        {kind: Sample.of(of_kind) for kind, of_kind in shown.items()},
    )
    has_policy = POLICY in rows and reading.numbering is not None
    for at, one in enumerate(flat):
        if VALUE in rows:
            replies.values.setdefault(one.kind, []).append(rows[VALUE][at])
        if has_policy and one.kind in TACTICAL:
            replies.policies.setdefault(one.kind, []).append(rows[POLICY][at])
    if not has_policy:
        return Measurement(Figures(None, None, None, None, None, None), replies, samples)
    hit_by_kind = find_hits(replies, samples)
    hits = {kind: float(hit_by_kind[kind].mean()) if kind in hit_by_kind else None for kind in TACTICAL}
    largest = rows[POLICY].argmax(axis=1)
    legal = _share([bool(reading.legal(one.state)[at]) for one, at in zip(flat, largest, strict=True)])
    chance = _share([one.chance for one in flat if one.kind in TACTICAL])
    return Measurement(Figures(hits[WIN], hits[BLOCK], hits[BOTH], legal, chance, None), replies, samples)


def _share(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if values else None


def _figures(reading: Reading, measured: Measurement) -> Figures:
    """The figures, with those of the reading's own value."""
    values, whose = measured.replies.values, reading.encoding.value
    kind = AHEAD if AHEAD in measured.samples else LOST
    width = len(values[kind][0]) if values.get(kind) else 0
    if whose not in OWNERS or (width == len(ORDER)) != bool(reading.value_order) or width not in (1, len(ORDER)):
        return measured.figures
    variant = (whose, reading.value_order)
    if kind == LOST:
        return replace(
            measured.figures, values=order_values(measured.replies, measured.samples, [variant])[variant].share
        )
    ahead, behind = (
        value_of(np.array(values[kind]), measured.samples[kind].to_move, variant) for kind in (AHEAD, BEHIND)
    )
    return replace(measured.figures, values=float((ahead > behind).mean()))
