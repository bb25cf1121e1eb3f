"""Train the Gomoku 15x15 reference checkpoint on a teacher's games: `python -m azx.training.gomoku`.

Policy target: the teacher's move. Value target: the teacher's proof if it has one, else a mix of the game's result and
its search's value (`data.Games.values`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...games.rules.gomoku import ENCODING
from ...games.symmetry import SQUARE, symmetries
from .. import recipe, residual_network
from ..residual_network import Design
from . import data
from .data import NO_ADVICE, Games

SIZE, HISTORY = 15, 4
DESIGN = Design("gomoku", SIZE, 2 * HISTORY + 1, SIZE * SIZE, filters=48, blocks=4)
TURNS = symmetries(SQUARE, ENCODING, SIZE * SIZE)


@dataclass(frozen=True)
class Examples:
    """`boards` uint8 (N, 15, 15, 9) as the network reads them, `moves` int64 (N,), `values` float32 (N,)."""

    boards: NDArray[np.uint8]
    moves: NDArray[np.int64]
    values: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.boards)

    def batch(self, rows: NDArray[np.int64], rng: np.random.Generator | None) -> tuple[NDArray[Any], ...]:
        """Input and targets of the rows, the board turned by one of its 8 symmetries."""
        turn = recipe.draw_turn(rng)
        moves = TURNS[turn].actions[self.moves[rows]]
        return recipe.turn_boards(self.boards[rows], TURNS[turn]), moves, self.values[rows]


def examples(games: Games, numbers: Sequence[int]) -> Examples:
    """The advised positions of the games with these numbers."""
    values = games.values()
    parts = [(_boards(games, number), _rows(games, number)) for number in numbers]
    rows = np.concatenate([rows for _, rows in parts])
    advised = games.best[rows] != NO_ADVICE
    boards = np.concatenate([boards for boards, _ in parts])[advised]
    return Examples(boards, games.best[rows[advised]].astype(np.int64), values[rows[advised]])


def _rows(games: Games, number: int) -> NDArray[np.int64]:
    rows: NDArray[np.int64] = games.starts[number] + np.arange(games.lengths[number])
    return rows


def _boards(games: Games, number: int) -> NDArray[np.uint8]:
    """The network's input before each ply of a game, uint8 (plies, 15, 15, 9), as in `rules.gomoku.encoding`."""
    moves = games.moves[_rows(games, number)]
    stones = np.zeros((len(moves) + HISTORY, 2, SIZE * SIZE), np.uint8)  # HISTORY empty boards come first
    for ply, action in enumerate(moves):
        stones[ply + HISTORY :, ply % 2, action] = 1
    boards = np.zeros((len(moves), SIZE * SIZE, 2 * HISTORY + 1), np.uint8)
    for ply in range(len(moves)):
        for ago in range(HISTORY):
            board = stones[ply + HISTORY - 1 - ago]
            boards[ply, :, ago], boards[ply, :, HISTORY + ago] = board[ply % 2], board[1 - ply % 2]
        boards[ply, :, 2 * HISTORY] = ply % 2 == 0
    return boards.reshape(-1, SIZE, SIZE, 2 * HISTORY + 1)


def losses(outputs: Sequence[Any], targets: Sequence[Any]) -> tuple[Any, Any]:
    """(cross-entropy of the policy, squared error of the value), means over the batch."""
    import tensorflow as tf

    logits, value = outputs
    moves, values = targets
    policy = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(moves, logits))
    return policy, tf.reduce_mean(tf.square(value[:, 0] - values))


def main() -> None:
    """Generate what is missing, train, and write the checkpoint after every epoch."""
    numbers = {"games": 6_000, "data_minutes": 45.0, "epochs": 8, "minutes": 40.0, "rate": 2e-3, "processes": 2}
    options = recipe.options_of("gomoku", **numbers, cache=recipe.cache_of("gomoku")).parse_args()
    parts = recipe.parts_of(data.SHARDS, data.load, examples, options)
    residual_network.train(DESIGN, parts, losses, ("policy", "value"), options)


if __name__ == "__main__":
    main()
