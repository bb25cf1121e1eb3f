"""How strong a Go 9x9 network is: games against GNU Go."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import numpy as np

from ...games.evaluator import Evaluator
from ...games.rules import go
from ...games.state import State
from ..strength import Game, score_against
from .gnugo import GnuGo

GAMES, SEED, SIMULATIONS, LEVEL = 100, 77, 400, 1
# Openings have one stone of each colour in the middle, so that they differ and favour neither side much.
MIDDLE = range(2, 7)


class GnuGoPlayer:
    """GNU Go in one game, with its own board."""

    def __init__(self, program: GnuGo, opening: list[int]) -> None:
        self._program = program
        self._own: int | None = None
        for ply, action in enumerate(opening):
            program.play(ply % 2, action)

    def choose(self, state: State) -> int:
        """GNU Go's move, which it also makes on its own board."""
        self._own = self._program.generate(state.to_move)
        if self._own not in state.legal_actions():
            raise RuntimeError(f"GNU Go plays {self._own}, which is illegal here:\n{state.board_text()}")
        return self._own

    def follow(self, state: State, action: int) -> None:
        """Make the network's move on GNU Go's board."""
        if self._own is None:
            self._program.play(state.to_move, action)
        self._own = None


def begin(number: int, stack: ExitStack) -> Game:
    """A game from two random points in the middle of the board; each opening is played by both sides."""
    rng = np.random.Generator(np.random.PCG64([SEED, number // 2]))
    points = [row * 9 + column for row in MIDDLE for column in MIDDLE]
    moves = [int(action) for action in rng.permutation(points)[:2]]
    program = stack.enter_context(GnuGo(level=LEVEL, seed=number + 1))
    return Game(go.start(9).apply(moves[0]).apply(moves[1]), number % 2, GnuGoPlayer(program, moves))


def strength(evaluator: Evaluator, scale: float = 1.0) -> Iterator[str]:
    """The table's lines; `scale` below 1 plays fewer games."""
    return score_against(f"GNU Go level {LEVEL}", int(GAMES * scale), evaluator, SIMULATIONS, begin)
