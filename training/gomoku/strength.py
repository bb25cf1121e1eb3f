"""How strong a Gomoku network is: games against a player that looks one ply ahead, attack and defence."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...games.evaluator import Evaluator
from ...games.rules.gomoku import Gomoku, start
from ...games.state import State
from ..strength import DrawingPlayer, Game, score_against

GAMES, SEED, SIMULATIONS = 400, 77, 100
# The openings' stones are in the middle of the board.
CENTRE, PLIES = range(5, 10), (2, 3, 4)


class OnePly(DrawingPlayer):
    """The one-ply player with a seed of its own."""

    def choose(self, state: State) -> int:
        """The move of the one-ply player."""
        from .lines import board_of
        from .one_ply import choose

        own, other = state.plane("mover"), state.plane("opponent")
        first, second = (own, other) if state.to_move == 0 else (other, own)
        return choose(board_of((first + 2 * second).astype(np.int8).reshape(-1)), state.to_move, self._rng)


def draw_opening(seed: int) -> Gomoku:
    """A few random stones in the middle of the board."""
    rng = np.random.Generator(np.random.PCG64([SEED, seed]))
    cells = rng.permutation([row * 15 + column for row in CENTRE for column in CENTRE])
    state = start()
    for action in cells[: int(rng.choice(PLIES))]:
        state = state.apply(int(action))
    return state


def strength(evaluator: Evaluator, scale: float = 1.0) -> Iterator[str]:
    """The table's lines; `scale` below 1 plays fewer games. Each opening is played by both sides."""
    return score_against(
        "the one-ply player",
        int(GAMES * scale),
        evaluator,
        SIMULATIONS,
        lambda at, stack: Game(draw_opening(at // 2), at % 2, OnePly(at)),
    )
