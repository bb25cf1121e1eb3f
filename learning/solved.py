"""Connect4 by an exact solver, BitBully, if it is installed: in how many positions the policy alone keeps the value.

A move keeps the value when a win stays a win and a draw a draw. In lost positions every move does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..games.evaluator import Evaluator
from ..games.known.catalogue import GAMES
from ..games.random_play import random_states
from ..games.rules.connect4 import COLUMNS, Connect4
from ..games.state import State

# Enough to see progress by, and solved in some seconds, once for each command.
POSITIONS, SEED = 200, 77
NORMAL_95 = 1.959964


@dataclass(frozen=True)
class Kept:
    """Of `positions` solved ones the per cent whose value is kept, and the ends of its 95 % interval."""

    percent: float
    low: float
    high: float
    positions: int


class SolvedPositions:
    """Positions of random games, each with the columns that keep its value."""

    def __init__(self, states: Sequence[State], keeping: Sequence[frozenset[int]]) -> None:
        self._states, self._keeping = states, keeping

    def measure(self, network: Evaluator) -> Kept:
        """How often the network's first choice keeps the value, without any search."""
        answers = network.evaluate(self._states)
        choices = (answer.best(state.legal_actions()) for state, answer in zip(self._states, answers, strict=True))
        count = len(self._states)
        hits = sum(choice % COLUMNS in keeping for choice, keeping in zip(choices, self._keeping, strict=True))
        low, high = _wilson(hits, count)
        return Kept(round(100 * hits / count, 1), round(100 * low, 1), round(100 * high, 1), count)


def solved_positions(start: State) -> SolvedPositions | None:
    """The positions to judge a network of this game on; None if it is no usual Connect4, or nothing here solves it."""
    if not isinstance(start, Connect4) or start != Connect4():
        return None
    return _solve()


@cache
def _solve() -> SolvedPositions | None:
    try:
        from bitbully import BitBully, Board
    except ImportError:
        return None
    solver, states = BitBully(), _draw(POSITIONS)
    return SolvedPositions(states, [_keeping(solver, Board, state) for state in states])


def _draw(count: int) -> list[State]:
    """Distinct positions of random games in which there is something to choose."""
    found: dict[State, None] = {}
    for state in random_states(GAMES["connect4"], SEED):
        if len(state.legal_actions()) > 1:
            found[state] = None
        if len(found) == count:
            break
    return list(found)


def _keeping(solver: Any, board: Any, state: State) -> frozenset[int]:
    first, second = state.plane("mover"), state.plane("opponent")
    if state.to_move:
        first, second = second, first
    scores = solver.score_all_moves(board((first + 2 * second).astype(int).tolist()))
    value = _sign(max(scores.values()))
    return frozenset(column for column, score in scores.items() if _sign(score) == value)


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)


def _wilson(hits: int, count: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson, "Probable Inference", 1927)."""
    square = NORMAL_95**2
    middle, share = (hits + square / 2) / (count + square), hits / count
    half = NORMAL_95 / (count + square) * math.sqrt(count * share * (1 - share) + square / 4)
    return middle - half, middle + half
