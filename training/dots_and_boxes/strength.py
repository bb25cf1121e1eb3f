"""How strong a 3x3 Dots and Boxes network is, judged by dynamic programming over all sets of edges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...games.evaluator import Evaluator
from ...games.state import State
from ...learning.solvers.dots_and_boxes import Table, keeps_result, result
from ..strength import Bools, draw_positions, moves, row, values
from .values import table

POSITIONS, SEED, SIMULATIONS = 2000, 77, 50


def strength(evaluator: Evaluator, scale: float = 1.0) -> Iterator[str]:
    """The table's lines; `scale` below 1 judges fewer positions."""
    states = draw_positions("dots_and_boxes", int(POSITIONS * scale), SEED)
    exact = table()
    yield f"{len(states):,} positions of random games, seed {SEED}, judged by dynamic programming"
    keeps = _keeps(exact, states, moves(states, evaluator, 0))
    yield from row("move keeps the value", keeps)
    decisive = np.array([len(keeps_result(exact, s)) < len(s.legal_actions()) for s in states])  # type: ignore[arg-type]
    yield from row("move keeps the value, decisive positions", keeps[decisive])
    truth = np.array([result(exact, s) for s in states])  # type: ignore[arg-type]
    yield from row("sign of the value right", np.sign(values(states, evaluator)) == truth)
    yield from row(
        f"move keeps the value, {SIMULATIONS} simulations", _keeps(exact, states, moves(states, evaluator, SIMULATIONS))
    )


def _keeps(exact: Table, states: Sequence[State], played: Sequence[int]) -> Bools:
    return np.array([a in keeps_result(exact, s) for s, a in zip(states, played, strict=True)])  # type: ignore[arg-type]
