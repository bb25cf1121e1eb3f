"""How strong a Hex network is: games against a player that measures resistance one ply ahead."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...games.evaluator import Evaluator
from ...games.rules.hex import Hex, start
from ...games.state import State
from ..strength import DrawingPlayer, Game, score_against

SIZE = 7
GAMES, SEED, SIMULATIONS = 400, 77, 100
PLIES = (1, 2, 3)


class Resistance(DrawingPlayer):
    """The player that measures resistance, with a seed of its own."""

    def choose(self, state: State) -> int:
        """Its move."""
        from .resistance import choose

        assert isinstance(state, Hex)  # noqa: S101
        return choose(state, self._rng)


def draw_opening(seed: int) -> Hex:
    """A few random stones."""
    rng = np.random.Generator(np.random.PCG64([SEED, seed]))
    state = start(SIZE)
    for action in rng.permutation(SIZE * SIZE)[: int(rng.choice(PLIES))]:
        state = state.apply(int(action))
    return state


def strength(evaluator: Evaluator, scale: float = 1.0) -> Iterator[str]:
    """The table's lines; `scale` below 1 plays fewer games. Each opening is played by both sides."""
    yield from score_against(
        "the resistance player",
        int(GAMES * scale),
        evaluator,
        SIMULATIONS,
        lambda at, stack: Game(draw_opening(at // 2), at % 2, Resistance(at)),
    )
