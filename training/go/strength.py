"""How strong a Go 9x9 network is: games against GNU Go."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import numpy as np

from ...games.evaluator import Evaluator
from ...games.rules import go
from ...games.state import State
from ..strength import Game, play_out, share
from .gnugo import GnuGo

GAMES, SEED, SIMULATIONS, LEVEL = 100, 77, 400, 1
# One stone of each colour somewhere in the middle: openings that differ and favour nobody much.
MIDDLE = range(2, 7)


class GnuGoPlayer:
    """GNU Go in one game, told of every move."""

    def __init__(self, program: GnuGo, opening: list[int]) -> None:
        self._program = program
        self._own: int | None = None
        for ply, action in enumerate(opening):
            program.play(ply % 2, action)

    def choose(self, state: State) -> int:
        """Its move, which it has made on its own board."""
        self._own = self._program.generate(state.to_move)
        if self._own not in state.legal_actions():
            raise RuntimeError(f"GNU Go plays {self._own}, which is illegal here:\n{state.board_text()}")
        return self._own

    def told(self, state: State, action: int) -> None:
        """Make the network's move on GNU Go's board."""
        if self._own is None:
            self._program.play(state.to_move, action)
        self._own = None


def opening(seed: int) -> list[int]:
    """Two random points in the middle of the board."""
    rng = np.random.Generator(np.random.PCG64([SEED, seed]))
    points = [row * 9 + column for row in MIDDLE for column in MIDDLE]
    return [int(action) for action in rng.permutation(points)[:2]]


def strength(evaluator: Evaluator, scale: float = 1.0) -> Iterator[str]:
    """The table's lines; `scale` below 1 plays fewer games. Each opening is played by both sides."""
    for simulations in (0, SIMULATIONS):
        count = int(GAMES * scale)
        with ExitStack() as programs:
            games = []
            for at in range(count):
                moves, state = opening(at // 2), go.start(9)
                for action in moves:
                    state = state.apply(action)
                program = programs.enter_context(GnuGo(level=LEVEL, seed=at + 1))
                games.append(Game(state, at % 2, GnuGoPlayer(program, moves)))
            play_out(games, evaluator, simulations, lambda going: None)
        how = f"{simulations} simulations" if simulations else "policy alone"
        yield share(f"score against GNU Go level {LEVEL}, {how}", sum(game.score for game in games), count)
