"""Random play that depends only on a seed: it uses `Generator.random` alone, whose stream NumPy never changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError

if TYPE_CHECKING:
    from .game import Game
    from .state import State


def generator(seed: int) -> np.random.Generator:
    """A generator of a fixed type, which does not depend on NumPy's default."""
    return np.random.Generator(np.random.PCG64(seed))


def below(rng: np.random.Generator, limit: int) -> int:
    """A number from 0 to `limit` - 1."""
    return int(rng.random() * limit)


def draw(weights: NDArray[np.float64], temperature: float, rng: np.random.Generator | None) -> int:
    """The index of the largest weight, the first of equals; with a temperature T, drawn in proportion to w^(1/T).

    `weights` are float64 (n,), none negative. If all are 0, the first is chosen at any temperature. GameError for a
    draw without `rng`.
    """
    most = weights.max()
    if temperature <= 0 or most <= 0:
        return int(np.argmax(weights))
    if rng is None:
        raise GameError("search: a temperature draws moves, give a random generator.")
    # Divide by the largest first: with a small temperature the powers would leave the range of a float.
    upto = np.cumsum((weights / most) ** (1 / temperature))
    return int(np.searchsorted(upto, rng.random() * upto[-1], side="right"))


def random_action(state: State, rng: np.random.Generator) -> int:
    """A legal action of an unfinished state; all have the same probability."""
    legal = state.legal_actions()
    return legal[below(rng, len(legal))]


def positions_of_a_game(state: State, rng: np.random.Generator, count: int) -> list[State]:
    """`count` positions, none over, of one random game from `state` on; each of its plies is equally likely."""
    positions = []
    while not state.is_terminal:
        positions.append(state)
        state = state.apply(random_action(state, rng))
    return [positions[below(rng, len(positions))] for _ in range(count)]


def random_states(game: Game, seed: int) -> Iterator[State]:
    """Positions of random games on the reference network's board, without end."""
    rng = generator(seed)
    while True:
        yield from positions_of_a_game(game.begin(), rng, game.per_game)
