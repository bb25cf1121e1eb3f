"""Train the Reversi reference checkpoint on a teacher's games: `python -m azx.training.reversi`.

Policy target: the teacher's best moves, all with the same share. Value target: the teacher's proof if it has one, else
a mix of the game's result and its search's value (`data.Games.values`). With `--size 6` the network is for 6x6; the
shipped one is for 8x8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...games.rules.reversi import PLANES, SHAPES, kind_of
from ...games.symmetry import SQUARE, Symmetry, symmetries
from .. import recipe, residual_network
from ..residual_network import Design
from . import data
from .boards import SIZES
from .data import Games


def design_of(size: int) -> Design:
    """The network for a board of this size."""
    return Design("reversi", size, len(PLANES), size * size, filters=32, blocks=4, precision="float32", l2=1e-5)


@dataclass(frozen=True)
class Examples:
    """`boards` uint8 (N, size, size, 3) as the network reads them, `best` uint8 (N, cells), `values` float32 (N,)."""

    boards: NDArray[np.uint8]
    best: NDArray[np.uint8]
    values: NDArray[np.float32]
    turns: Sequence[Symmetry]

    def __len__(self) -> int:
        return len(self.boards)

    def batch(self, rows: NDArray[np.int64], rng: np.random.Generator | None) -> tuple[NDArray[Any], ...]:
        """Input and targets of the rows, the board turned by one of its 8 symmetries."""
        turn = self.turns[recipe.draw_turn(rng)]
        best = np.zeros((len(rows), self.best.shape[1]), np.float32)
        best[:, turn.actions[: best.shape[1]]] = self.best[rows]
        total = np.maximum(best.sum(axis=1, keepdims=True), 1)
        return recipe.turn_boards(self.boards[rows], turn), best / total, self.values[rows]


def examples(games: Games, numbers: Sequence[int], size: int) -> Examples:
    """The positions of the games with these numbers; in those with a forced pass the policy has nothing to learn."""
    rows = np.concatenate([games.starts[number] + np.arange(games.lengths[number]) for number in numbers])
    own, other, kind = games.own[rows], games.other[rows], kind_of(size)
    legal = [kind.moves(int(mine), int(theirs)) for mine, theirs in zip(own, other, strict=True)]
    boards = np.stack(
        [recipe.planes_of(each, size, size) for each in (own, other, np.array(legal, np.uint64))], axis=-1
    )
    encoding = SHAPES.encoding(size, size)
    turns = symmetries(SQUARE, encoding, size * size + 1)
    best = recipe.planes_of(games.best[rows], size, size).reshape(len(rows), -1)
    return Examples(boards, best, games.values()[rows], turns)


def main() -> None:
    """Generate what is missing, train, and write the checkpoint after every epoch."""
    numbers = {"games": 6_000, "data_minutes": 60.0, "epochs": 8, "minutes": 90.0, "rate": 2e-3, "processes": 2}
    parser = recipe.options_of("reversi", **numbers, cache=recipe.cache_of("reversi"))
    parser.add_argument("--size", type=int, choices=SIZES, default=SHAPES.size, help="cells a side of the board")
    options = parser.parse_args()
    size = options.size
    shards, load = data.shards_of(size), partial(data.load, size=size)
    parts = recipe.parts_of(shards, load, partial(examples, size=size), options)
    residual_network.train(design_of(size), parts, residual_network.losses_of_shares, ("policy", "value"), options)


if __name__ == "__main__":
    main()
