"""Reviews a game: a search from each of its positions, and the verdicts that follow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..evaluator import Evaluator
from ..search import Search, exploration, rank_candidates, run_together
from ..state import State
from .known import known_of
from .verdicts import DEEPER, EvaluatedPosition, JudgedMove, judge_moves, positions_in_doubt

DEFAULT_SIMULATIONS = 200
# Searches that share a batch: more than this gains nothing.
TOGETHER = 64


@dataclass(frozen=True)
class Review:
    """The evaluation of each position of a game, in order, and of each move between them."""

    positions: tuple[EvaluatedPosition, ...]
    moves: tuple[JudgedMove, ...]


def review(
    states: Sequence[State],
    evaluator: Evaluator,
    simulations: int = DEFAULT_SIMULATIONS,
    constant: Callable[[int], float] = exploration,
) -> Review:
    """Review a game, given as all its positions; each is searched anew, so that its verdict depends on it alone.

    `simulations` is at least 2. Before a mistake or blunder is declared, the positions before and after it are searched
    again with DEEPER times as many. `constant` is the search's C. GameError if the network's answers are not numbers.
    """
    actions = [state.last_action or 0 for state in states[1:]]
    positions: list[EvaluatedPosition] = []
    # Move by move, like the apps, which show their results as they come.
    for position in look(states, evaluator, simulations, constant):
        positions.append(position)
        while again := positions_in_doubt(positions, actions):
            # One at a time, like the apps: the result may settle the doubt about the others.
            (surer,) = look([states[again[0]]], evaluator, DEEPER * simulations, constant)
            positions[again[0]] = replace(surer, is_sure=True)
    return Review(tuple(positions), judge_moves(positions, actions))


def look(
    states: Sequence[State],
    evaluator: Evaluator,
    simulations: int,
    constant: Callable[[int], float] = exploration,
) -> list[EvaluatedPosition]:
    """The result of a search with `simulations` simulations for each position; if the game is over, its result."""
    positions: list[EvaluatedPosition] = []
    for first in range(0, len(states), TOGETHER):
        searches = [Search(state, evaluator, constant) for state in states[first : first + TOGETHER]]
        run_together(searches, evaluator, simulations)
        positions += [evaluate_root(search) for search in searches]
    return positions


def evaluate_root(search: Search) -> EvaluatedPosition:
    """The evaluation of a search's root, after two simulations or more.

    Proofs by the rules come first: an immediate win, an unstoppable one, a forced block, and the end of a game of Dots
    and Boxes or of Reversi.
    """
    state = search.state
    known = known_of(state)
    if state.is_terminal:
        return EvaluatedPosition(state.to_move, (1 + state.returns() * (1 - 2 * state.to_move)) / 2, None, known=known)
    if known.chance is not None:
        return EvaluatedPosition(state.to_move, known.chance, known.left[0], is_sure=True, known=known)
    first, *others = rank_candidates(search.candidates(), state.actions)
    best = next((each for each in (first, *others) if each.action in known.left), None)
    # The search was so short that it never tried the forced block.
    if best is None:
        return EvaluatedPosition(state.to_move, first.win_rate, known.left[0], known=known)
    return EvaluatedPosition(state.to_move, best.win_rate, best.action, known=known)
