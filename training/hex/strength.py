"""How strong a Hex network is: games against a player that measures resistance one ply ahead, and its teacher."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...games.evaluator import Evaluator
from ...games.rules.hex import Hex, start
from ...games.state import State
from ..strength import DrawingPlayer, Game, score_against
from .teacher import SIZE

GAMES, SEED, SIMULATIONS = 400, 77, 100
# Games against the teacher, and its simulations.
TEACHER_GAMES, TEACHER = 200, 1_500
PLIES = (1, 2, 3)


class Resistance(DrawingPlayer):
    """The player that measures resistance, with a seed of its own."""

    def choose(self, state: State) -> int:
        """Its move."""
        from .resistance import choose

        assert isinstance(state, Hex)  # noqa: S101
        return choose(state, self._rng)


class Teacher(Resistance):
    """The teacher with few simulations, and a seed of its own."""

    def choose(self, state: State) -> int:
        """Its move."""
        from .data import stones_of
        from .teacher import answer

        assert isinstance(state, Hex)  # noqa: S101
        move = answer(stones_of(state), state.to_move, TEACHER, int(self._rng.integers(1 << 40)))
        return int(move.visits.argmax())


def draw_opening(seed: int) -> Hex:
    """A few random stones."""
    rng = np.random.Generator(np.random.PCG64([SEED, seed]))
    state = start(SIZE)
    for action in rng.permutation(SIZE * SIZE)[: int(rng.choice(PLIES))]:
        state = state.apply(int(action))
    return state


def strength(evaluator: Evaluator, scale: float = 1.0) -> Iterator[str]:
    """The table's lines; `scale` below 1 plays fewer games. Each opening is played by both sides."""
    others = (("the resistance player", GAMES, Resistance), ("the teacher", TEACHER_GAMES, Teacher))
    for name, games, player in others:
        yield from score_against(
            name,
            int(games * scale),
            evaluator,
            SIMULATIONS,
            lambda at, stack, player=player: Game(draw_opening(at // 2), at % 2, player(at)),  # type: ignore[misc]
        )
