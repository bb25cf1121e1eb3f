"""The moves that a network chooses in many positions at once, by its policy alone or with search."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..games.evaluator import Evaluator
from ..games.random_play import random_states
from ..games.recognition import by_name
from ..games.search import Search, run_together
from ..games.state import State

TOGETHER = 128


def drawn(game: str, count: int, seed: int) -> list[State]:
    """`count` distinct positions of random games in which there is something to choose."""
    found: dict[bytes, State] = {}
    for state in random_states(by_name(game), seed):
        if len(state.legal_actions()) > 1:
            found.setdefault(state.encode().tobytes(), state)
        if len(found) == count:
            break
    return list(found.values())


def moves(states: Sequence[State], evaluator: Evaluator, simulations: int) -> list[int]:
    """What the network plays in each state: the best prior (0 simulations), or the most visited move."""
    groups = [states[at : at + TOGETHER] for at in range(0, len(states), TOGETHER)]
    chosen: list[int] = []
    for group in groups:
        chosen += _searched(group, evaluator, simulations) if simulations else _best(group, evaluator)
    return chosen


def _best(states: Sequence[State], evaluator: Evaluator) -> list[int]:
    answers = evaluator.evaluate(states)
    return [answer.best(state.legal_actions()) for state, answer in zip(states, answers, strict=True)]


def _searched(states: Sequence[State], evaluator: Evaluator, simulations: int) -> list[int]:
    searches = [Search(state, evaluator) for state in states]
    run_together(searches, evaluator, simulations)
    return [search.best_action() for search in searches]


def values(states: Sequence[State], evaluator: Evaluator) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The network's value of each state for its player to move, float64 (N,)."""
    parts = [evaluator.evaluate(states[at : at + TOGETHER]) for at in range(0, len(states), TOGETHER)]
    return np.array([answer.value for part in parts for answer in part])
