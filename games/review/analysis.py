"""A game looked at again: a search from each of its positions, and the verdicts that follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..evaluator import Evaluator
from ..search import Search, run_together
from ..state import State
from .candidates import candidates
from .verdicts import Judged, Seen, judged

DEFAULT_SIMULATIONS = 200
# Searches that share a batch: more than a network gains by.
TOGETHER = 64


@dataclass(frozen=True)
class Review:
    """What was found of each position of a game, the first one first, and of each move between them."""

    seen: tuple[Seen, ...]
    moves: tuple[Judged, ...]


def review(states: Sequence[State], evaluator: Evaluator, simulations: int = DEFAULT_SIMULATIONS) -> Review:
    """Look at a game, given as all its positions; each is searched anew, so that its verdicts depend on it alone.

    `simulations` are at least 2. GameError where the network gives no numbers.
    """
    seen = look(states, evaluator, simulations)
    return Review(tuple(seen), judged(seen, [state.last_action or 0 for state in states[1:]]))


def look(states: Sequence[State], evaluator: Evaluator, simulations: int) -> list[Seen]:
    """What a search of so many simulations finds of each position; the result where the game is over."""
    seen: list[Seen] = []
    for first in range(0, len(states), TOGETHER):
        searches = [Search(state, evaluator) for state in states[first : first + TOGETHER]]
        run_together(searches, evaluator, simulations)
        seen += [seen_by(search) for search in searches]
    return seen


def seen_by(search: Search) -> Seen:
    """What a search that has made two simulations or more says of its root."""
    state = search.state
    if state.is_terminal:
        return Seen(state.to_move, (1 + state.returns() * (1 - 2 * state.to_move)) / 2, None)
    best = candidates(search, 1)[0]
    return Seen(state.to_move, best.win_rate, best.action)
