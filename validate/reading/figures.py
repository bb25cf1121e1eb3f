"""What a network makes of positions with one right move, as each of several readings shows them to it.

No verdict: figures for a person who says how the network sees the board. A reading in which the network finds more wins
and blocks than by chance, and gives its best move to empty cells, is likely the right one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...games.encoding import encode
from ...games.game import Reading
from ...games.known.catalogue import GAMES
from ...games.state import State
from ...games.tactics import draw_positions

# Positions of each tactic, and the seconds of processor time that all readings together may take.
COUNT, BUDGET = 12, 4.0
# Boards, float32 (N, *shape), to the policy's answers, (N, width).
Policy = Callable[[NDArray[np.float32]], NDArray[Any]]


@dataclass(frozen=True)
class Figures:
    """Shares of the positions: wins found, blocks found, best output on a legal move; and what chance would find."""

    wins: float
    blocks: float
    legal: float
    chance: float

    @property
    def found(self) -> float:
        """Wins and blocks together."""
        return (self.wins + self.blocks) / 2


def measure(readings: Iterable[Reading], policy: Policy, known: dict[str, Figures], seconds: float = BUDGET) -> bool:
    """Add to `known` the figures of each reading by its `key_of`; False if the time was over before the last one.

    Readings of a game without tactics, of a board that has none, or without a policy are left out.
    """
    end = time.process_time() + seconds
    for reading in readings:
        key = key_of(reading)
        if key in known or reading.numbering is None:
            continue
        if time.process_time() > end:
            return False
        shown = _positions(reading.game.name, tuple(sorted(reading.settings.items())))
        if all(shown):
            known[key] = _measure(reading, policy, shown)
    return True


def key_of(reading: Reading) -> str:
    """What the figures of a reading are kept under: whose value it is makes no difference to a policy."""
    data = {**reading.as_data(), "encoding": {**reading.encoding.as_data(), "value": ""}}
    return repr(data)


Position = tuple[State, int]


@cache
def _positions(game: str, settings: tuple[tuple[str, Any], ...]) -> tuple[list[Position], ...]:
    """Positions of each of the game's tactics; the same every time."""
    start = GAMES[game].begin(dict(settings))
    return tuple(draw_positions(start, tactic, COUNT) for tactic in GAMES[game].tactics) or ([],)


def _measure(reading: Reading, policy: Policy, shown: Sequence[Sequence[Position]]) -> Figures:
    flat = [position for part in shown for position in part]
    boards = np.stack([encode(state, reading.encoding) for state, _ in flat])
    answers = np.asarray(policy(boards), dtype=np.float64).reshape(len(flat), -1)
    hits = list(_hits(reading, flat, answers))
    first = len(shown[0])
    wins, blocks = hits[:first], hits[first:] or hits[:first]
    legal = [bool(reading.legal(state)[int(row.argmax())]) for (state, _), row in zip(flat, answers, strict=True)]
    chance = [1 / len(state.legal_actions()) for state, _ in flat]
    return Figures(*(float(np.mean(values)) for values in (wins, blocks, legal, chance)))


def _hits(reading: Reading, shown: Sequence[Position], answers: NDArray[np.float64]) -> Iterator[bool]:
    """Of each position whether the largest answer of all legal moves is the right one's."""
    assert reading.numbering is not None  # noqa: S101
    index = reading.numbering.index
    for (state, best), row in zip(shown, answers, strict=True):
        yield max(state.legal_actions(), key=lambda action, row=row: row[index(action)]) == best  # type: ignore[misc]


def best_of(readings: Iterable[Reading], known: Mapping[str, Figures]) -> Figures | None:
    """The figures of that reading which finds most; None if none was measured."""
    measured = [known[key_of(reading)] for reading in readings if key_of(reading) in known]
    return max(measured, key=lambda figures: figures.found, default=None)
