"""How strong a Gomoku network is: games against a player that looks one ply ahead, attack and defence."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...games.evaluator import Evaluator
from ...games.rules.gomoku import Gomoku, start
from ...games.state import State
from ..strength import Game, play_out, share

GAMES, SEED, SIMULATIONS = 400, 77, 100
# The openings' stones lie in the middle, so that neither side is far from the play.
CENTRE, PLIES = range(5, 10), (2, 3, 4)


class OnePly:
    """The one-ply player with a seed of its own."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.Generator(np.random.PCG64(seed))

    def choose(self, state: State) -> int:
        """Its move."""
        from .one_ply import one_ply_move

        own, other = state.plane("mover"), state.plane("opponent")
        first, second = (own, other) if state.to_move == 0 else (other, own)
        return one_ply_move((first + 2 * second).astype(np.int8).reshape(-1), state.to_move, self._rng)

    def told(self, state: State, action: int) -> None:
        """It remembers nothing."""


def opening(seed: int) -> Gomoku:
    """A few random stones in the middle of the board."""
    rng = np.random.Generator(np.random.PCG64([SEED, seed]))
    cells = rng.permutation([row * 15 + column for row in CENTRE for column in CENTRE])
    state = start()
    for action in cells[: int(rng.choice(PLIES))]:
        state = state.apply(int(action))
    return state


def strength(evaluator: Evaluator, scale: float = 1.0) -> Iterator[str]:
    """The table's lines; `scale` below 1 plays fewer games. Each opening is played by both sides."""
    for simulations in (0, SIMULATIONS):
        count = int(GAMES * scale)
        games = [Game(opening(at // 2), at % 2, OnePly(at)) for at in range(count)]
        play_out(games, evaluator, simulations, lambda going: None)
        how = f"{simulations} simulations" if simulations else "policy alone"
        yield share(f"score against the one-ply player, {how}", sum(game.score for game in games), count)
