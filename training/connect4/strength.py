"""How strong a Connect4 network is, judged by an exact solver (BitBully).

A move keeps the value if a win stays a win and a draw a draw. In many positions every move does. So the share among
the "decisive" positions, in which some move does not, is given as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ...games.evaluator import Evaluator
from ...games.rules.connect4 import COLUMNS, Connect4
from ..strength import Bools, draw_positions, moves, row, values
from .data import EXACT, FULL_COLUMN, solver

POSITIONS, SEED, SIMULATIONS = 2000, 77, 200


def strength(evaluator: Evaluator, scale: float = 1.0) -> Iterator[str]:
    """The table's lines; `scale` below 1 judges fewer positions."""
    states = draw_positions("connect4", int(POSITIONS * scale), SEED)
    yield f"{len(states):,} positions of random games, seed {SEED}, judged by BitBully"
    scores = np.stack([solve(state) for state in states])  # type: ignore[arg-type]
    yield from raw(scores, moves(states, evaluator, 0), values(states, evaluator))
    holds = keeps(scores, moves(states, evaluator, SIMULATIONS))
    yield from row(f"move keeps the value, {SIMULATIONS} simulations", holds)


def solve(state: Connect4) -> NDArray[np.int16]:
    """The exact score of each column, int16 (7,), the greater the sooner the mover wins, `FULL_COLUMN` where full."""
    from bitbully import Board

    first, second = state.plane("mover"), state.plane("opponent")
    if state.to_move:
        first, second = second, first
    scores = np.full(COLUMNS, FULL_COLUMN, dtype=np.int16)
    for column, score in solver(EXACT).score_all_moves(Board((first + 2 * second).astype(int).tolist())).items():
        scores[column] = score
    return scores


def keeps(scores: NDArray[np.int16], played: Sequence[int]) -> Bools:
    """Whether each move keeps the value, bool (N,), from scores (N, 7)."""
    same: Bools = np.sign(_of_played(scores, played)) == np.sign(scores.max(axis=1))
    return same


def _of_played(scores: NDArray[np.int16], played: Sequence[int]) -> NDArray[np.int16]:
    chosen: NDArray[np.int16] = scores[np.arange(len(scores)), np.array(played) % COLUMNS]
    return chosen


def raw(scores: NDArray[np.int16], played: Sequence[int], value: NDArray[np.float64]) -> Iterator[str]:
    """The network's own answers: moves, and values (N,) for the player to move."""
    truth = np.sign(scores.max(axis=1))
    holds, best = keeps(scores, played), _of_played(scores, played) == scores.max(axis=1)
    decisive = ((scores != FULL_COLUMN) & (np.sign(scores) != truth[:, None])).any(axis=1)
    yield from row("move keeps the value", holds)
    yield from row("move keeps the value, decisive positions", holds[decisive])
    yield from row("move is a best one (soonest win, latest loss)", best)
    yield from row("sign of the value right, won and lost positions", (np.sign(value) == truth)[truth != 0])
    yield f"{'mean absolute error of the value':50} {np.abs(value - truth).mean():6.3f}"
