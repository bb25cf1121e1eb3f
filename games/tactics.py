"""Tactics by the rules alone: a position's immediate wins, and the opponent's immediate winning answers.

In play, `forced_moves` comes before the network. `draw_positions` finds positions with one clearly best move, which any
trained network should see. They need neither search nor teacher, so they show whether a network's policy alone reads
the board correctly.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple, cast

from .game import Tactic
from .random_play import generator, random_action
from .state import State, SuddenEnds

# If this many random plies show no such position, the game counts as having none.
PATIENCE = 20_000
# With fewer moves than this, chance finds the best one too often.
FEWEST_MOVES = 3


class ForcedMoves(NamedTuple):
    """What two plies prove: the `moves` that are left to choose among, ascending, and the `result` for the mover.

    Result 1: each of `moves` wins at once. Result -1: the opponent wins at once after every legal move; `moves` leave
    it the fewest ways. None: after each of `moves` the opponent has no immediate win, after every other move it has
    one. With a known result the lowest of the moves is played, and no network is asked.
    """

    moves: tuple[int, ...]
    result: int | None


def forced_moves(state: State) -> ForcedMoves:
    """The moves that are left to choose among; none if the game is over.

    `SuddenEnds` states answer this themselves; for other games each action and each answer to it is tried.
    """
    legal = state.legal_actions()
    known = _sudden(state)
    wins = known[0] if known else tuple(_wins(state))
    if wins:
        return ForcedMoves(wins, 1)
    answers = known[1] if known else tuple(_answers(state.apply(action)) for action in legal)
    fewest = min(answers, default=0)
    moves = tuple(action for action, count in zip(legal, answers, strict=True) if count == fewest)
    return ForcedMoves(moves, -1 if fewest else None)


def _sudden(state: State) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    # Not isinstance(state, SuddenEnds), which takes longer than the answer.
    return cast("SuddenEnds", state).sudden() if hasattr(state, "sudden") else None


def _answers(after: State) -> int:
    """The number of the mover's winning moves; more than possible if the last move lost the game."""
    if after.is_terminal:
        return after.actions + 1 if after.returns() * (1 - 2 * after.to_move) > 0 else 0
    return sum(1 for _ in _wins(after))


def list_wins(state: State) -> list[int]:
    """The moves that win at once, ascending."""
    known = _sudden(state)
    return list(known[0] if known else _wins(state))


def only_win(state: State) -> int | None:
    """The only move that wins at once; None if there are several or none."""
    if len(state.legal_actions()) < FEWEST_MOVES:
        return None
    wins = list(islice(_wins(state), 2))
    return wins[0] if len(wins) == 1 else None


def only_block(state: State) -> int | None:
    """The only move after which the opponent cannot win at once, if the mover cannot win at once."""
    legal = state.legal_actions()
    if len(legal) < FEWEST_MOVES or next(_wins(state), None) is not None:
        return None
    safe = [action for action in legal if next(_wins(state.apply(action)), None) is None]
    return safe[0] if len(safe) == 1 else None


def _wins(state: State) -> Iterator[int]:
    """The moves that win at once."""
    mover = 1 - 2 * state.to_move
    for action in state.legal_actions():
        after = state.apply(action)
        if after.is_terminal and after.returns() * mover > 0:
            yield action


def draw_positions(start: State, tactic: Tactic, count: int, seed: int = 0) -> list[tuple[State, int]]:
    """Up to `count` positions with their one best move, each from another random game; a seed always gives the same."""
    return list(islice(_find_tactics(start, tactic, seed), count))


def _find_tactics(start: State, tactic: Tactic, seed: int) -> Iterator[tuple[State, int]]:
    rng = generator(seed)
    patience = PATIENCE
    while patience > 0:
        state = start
        while not state.is_terminal:
            patience -= 1
            best = tactic(state)
            if best is not None:
                patience = PATIENCE
                yield state, best
                break
            state = state.apply(random_action(state, rng))
