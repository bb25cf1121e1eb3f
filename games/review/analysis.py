"""A game looked at again: a search from each of its positions, and the verdicts that follow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..evaluator import Evaluator
from ..search import Search, exploration, rank_candidates, run_together
from ..state import State
from .known import known_of
from .verdicts import DEEPER, Judged, Seen, judge_moves, positions_in_doubt

DEFAULT_SIMULATIONS = 200
# Searches that share a batch: more than a network gains by.
TOGETHER = 64


@dataclass(frozen=True)
class Review:
    """The evaluation of each position of a game, in order, and of each move between them."""

    seen: tuple[Seen, ...]
    moves: tuple[Judged, ...]


def review(
    states: Sequence[State],
    evaluator: Evaluator,
    simulations: int = DEFAULT_SIMULATIONS,
    constant: Callable[[int], float] = exploration,
) -> Review:
    """Look at a game, given as all its positions; each is searched anew, so that its verdicts depend on it alone.

    `simulations` are at least 2; where a blunder is to be said, the positions beside it get DEEPER times as many.
    `constant` is the search's C. GameError if the network gives no numbers.
    """
    actions = [state.last_action or 0 for state in states[1:]]
    seen: list[Seen] = []
    # Move by move, as the apps do, which say what they have found so far.
    for found in look(states, evaluator, simulations, constant):
        seen.append(found)
        while again := positions_in_doubt(seen, actions):
            deeper = look([states[at] for at in again], evaluator, DEEPER * simulations, constant)
            for at, surer in zip(again, deeper, strict=True):
                seen[at] = replace(surer, is_sure=True)
    return Review(tuple(seen), judge_moves(seen, actions))


def look(
    states: Sequence[State],
    evaluator: Evaluator,
    simulations: int,
    constant: Callable[[int], float] = exploration,
) -> list[Seen]:
    """The result of a search of `simulations` simulations of each position; the game's result if it is over."""
    seen: list[Seen] = []
    for first in range(0, len(states), TOGETHER):
        searches = [Search(state, evaluator, constant) for state in states[first : first + TOGETHER]]
        run_together(searches, evaluator, simulations)
        seen += [seen_by(search) for search in searches]
    return seen


def seen_by(search: Search) -> Seen:
    """What a search that has made two simulations or more says of its root.

    What the rules prove comes first: a win at once, one that cannot be stopped, a move that has to stop one, and the
    end of a game of Dots and Boxes or of Reversi.
    """
    state = search.state
    known = known_of(state)
    if state.is_terminal:
        return Seen(state.to_move, (1 + state.returns() * (1 - 2 * state.to_move)) / 2, None, known=known)
    if known.chance is not None:
        return Seen(state.to_move, known.chance, known.left[0], is_sure=True, known=known)
    first, *others = rank_candidates(search.candidates(), state.actions)
    best = next((each for each in (first, *others) if each.action in known.left), None)
    # A search so short that it has not tried the move that has to stop a win.
    if best is None:
        return Seen(state.to_move, first.win_rate, known.left[0], known=known)
    return Seen(state.to_move, best.win_rate, best.action, known=known)
