"""Train the Hex 7x7 reference checkpoint on a teacher's games: `python -m azx.training.hex`.

Policy target: how often the teacher's search visits each cell. Value target: its search's value, mixed with the game's
continuation (`data.values_of`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...games.rules.hex import ENCODING, Hex, kind_of
from ...games.symmetry import HALF_TURN, symmetries
from .. import recipe, residual_network
from ..residual_network import Design
from . import data
from .data import Games
from .teacher import CELLS, SIZE

DESIGN = Design("hex", SIZE, len(ENCODING.planes), CELLS, filters=48, blocks=4, precision="float32")
TURNS = symmetries(HALF_TURN, ENCODING, CELLS)
KIND = kind_of(SIZE, "plain")


@dataclass(frozen=True)
class Examples:
    """`boards` uint8 (2, N, 7, 7, 6): each position as the network reads it, first as played, then players exchanged.

    `visits` float32 (2, N, 49), `values` float32 (N,).
    """

    boards: NDArray[np.uint8]
    visits: NDArray[np.float32]
    values: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.values)

    def batch(self, rows: NDArray[np.int64], rng: np.random.Generator | None) -> tuple[NDArray[Any], ...]:
        """Input and targets of the rows; a generator exchanges the players in half of them, and may turn all boards."""
        turn = 0 if rng is None else int(rng.integers(len(TURNS)))
        exchanged = np.zeros(len(rows), np.int64) if rng is None else rng.integers(2, size=len(rows))
        boards = recipe.turn_boards(self.boards[exchanged, rows], TURNS[turn])
        visits = np.empty((len(rows), CELLS), np.float32)
        visits[:, TURNS[turn].actions] = self.visits[exchanged, rows]
        return boards, visits, self.values[rows]


def examples(games: Games, numbers: Sequence[int]) -> Examples:
    """The positions of the games with these numbers."""
    ends = np.cumsum(games.lengths)
    rows = np.concatenate([np.arange(ends[number] - games.lengths[number], ends[number]) for number in numbers])
    states = [_state(games.stones[row], int(games.movers[row])) for row in rows]
    boards = [[state.encode() for state in states], [state.mirrored().encode() for state in states]]
    visits = games.visits[rows].astype(np.float32)
    both = np.stack([visits, visits[:, KIND.mirror]])
    return Examples(np.array(boards).astype(np.uint8), both, games.values[rows])


def _state(stones: NDArray[np.int8], mover: int) -> Hex:
    first, second = (sum(1 << int(cell) for cell in np.flatnonzero(stones == player)) for player in (0, 1))
    return Hex(KIND, (first, second), mover)


def main() -> None:
    """Generate what is missing, train, and write the checkpoint after every epoch."""
    numbers = {"games": 750, "data_minutes": 7.0, "epochs": 20, "minutes": 60.0, "rate": 2e-3, "processes": 1}
    options = recipe.options_of("hex", **numbers, cache=recipe.cache_of("hex")).parse_args()
    parts = recipe.parts_of(data.SHARDS, data.load, examples, options)
    residual_network.train(DESIGN, parts, residual_network.losses_of_shares, ("policy", "value"), options)


if __name__ == "__main__":
    main()
