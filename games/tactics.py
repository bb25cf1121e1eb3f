"""Positions in which one move is plainly the best, found by the rules alone: what any trained network should see.

They need no search and no teacher, so that a network's raw policy can be asked whether it understands the board
that it is shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from .game import Tactic
from .random_play import generator, random_action
from .state import State

# Random plies after which a game that gave no more such positions counts as having none.
PATIENCE = 20_000
# With fewer moves than this the best one is found by chance too often to tell anything.
FEWEST_MOVES = 3


def only_win(state: State) -> int | None:
    """The only move that wins at once; None where there are several or none."""
    if len(state.legal_actions()) < FEWEST_MOVES:
        return None
    wins = list(islice(_wins(state), 2))
    return wins[0] if len(wins) == 1 else None


def only_block(state: State) -> int | None:
    """Where the mover cannot win at once, the only move after which the opponent cannot either."""
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


def drawn(start: State, tactic: Tactic, count: int, seed: int = 0) -> list[tuple[State, int]]:
    """Up to `count` positions with their one best move, each of another random game, the same for a seed everywhere."""
    return list(islice(_found(start, tactic, seed), count))


def _found(start: State, tactic: Tactic, seed: int) -> Iterator[tuple[State, int]]:
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
