"""Train the Go 9x9 reference checkpoint on games of GNU Go: `python -m azx.training.go`.

Policy target: the move that GNU Go chose. Value target: the result of the game, +1 or -1 for the mover, if GNU Go plays
both sides from there to the end. A third output, left out of the file, learns the owner of each point at the end. The
result alone says too little about where a game was won (Wu, "Accelerating Self-Play Learning in Go", 2019, section
4.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...games.encoding import Encoding, encode
from ...games.rules import go
from ...games.symmetry import SQUARE, symmetries
from .. import recipe, residual_network
from ..residual_network import Design
from . import data

SIZE, POINTS = data.SIZE, data.SIZE**2
DESIGN = Design("go", SIZE, 17, POINTS + 1, filters=64, blocks=5, ownership=True)
TURNS = symmetries(SQUARE, go.ENCODING, POINTS + 1)
OWNER_TURNS = symmetries(SQUARE, Encoding("sum", (SIZE, SIZE), ("signed",)), POINTS + 1)
VALUE_WEIGHT, OWNER_WEIGHT = 1.0, 0.5


@dataclass(frozen=True)
class Examples:
    """`boards` uint8 (N, 9, 9, 17), `moves` int64 (N,), `values` float32 (N,), `owners` int8 (N, 9, 9) for the mover.

    If `decided` (N,) is false, random moves followed in the game, so value and owners do not count.
    """

    boards: NDArray[np.uint8]
    moves: NDArray[np.int64]
    values: NDArray[np.float32]
    owners: NDArray[np.int8]
    decided: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.boards)

    def batch(self, rows: NDArray[np.int64], rng: np.random.Generator | None) -> tuple[NDArray[Any], ...]:
        """Input and targets of the rows, the board turned by one of its 8 symmetries."""
        return self.turn(rows, recipe.draw_turn(rng))

    def turn(self, rows: NDArray[np.int64], turn: int) -> tuple[NDArray[Any], ...]:
        """Input and targets of the rows, the board turned by symmetry 0 to 7."""
        owners = recipe.turn_boards(self.owners[rows], OWNER_TURNS[turn]).reshape(-1, POINTS).astype(np.float32)
        return (
            recipe.turn_boards(self.boards[rows], TURNS[turn]),
            TURNS[turn].actions[self.moves[rows]],
            self.values[rows],
            owners,
            self.decided[rows].astype(np.float32),
        )


def examples(games: Sequence[dict[str, Any]], numbers: Sequence[int]) -> Examples:
    """The positions of the games with these numbers, if they are legal and over by the rules of azx."""
    parts = [part for number in numbers if (part := _of_game(games[number]))]
    return Examples(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _of_game(game: dict[str, Any]) -> tuple[NDArray[Any], ...] | None:
    state, boards, movers = go.start(SIZE), [], []
    for action in game["moves"]:
        if action not in state.legal_actions():
            return None  # GNU Go knows no limit of plies and no superko of passes
        boards.append(encode(state, go.ENCODING).astype(np.uint8))
        movers.append(1 - 2 * state.to_move)
        state = state.apply(action)
    if not state.is_terminal:
        return None
    sign = np.array(movers, dtype=np.int8)
    values = (sign * state.returns()).astype(np.float32)
    owners = sign[:, None, None] * _owners(state)
    decided = np.arange(len(boards)) >= game["even_from"]
    return np.stack(boards), np.array(game["advice"], dtype=np.int64), values, owners.astype(np.int8), decided


def _owners(state: go.Go) -> NDArray[np.int8]:
    """Who owns each point at the end: +1 black, -1 white, 0 nobody."""
    owners = np.zeros(POINTS, dtype=np.int8)
    for colour, points in zip((1, -1), state.areas(), strict=True):
        owners[list(points)] = colour
    return owners.reshape(SIZE, SIZE)


def losses(outputs: Sequence[Any], targets: Sequence[Any]) -> tuple[Any, Any, Any]:
    """(cross-entropy of the policy, squared errors of value and owners), means over the batch, weighted."""
    import tensorflow as tf

    logits, value, owner = outputs
    moves, values, owners, decided = targets
    policy = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(moves, logits))
    share = decided / tf.maximum(tf.reduce_sum(decided), 1.0)
    wrong = tf.reduce_sum(share * tf.square(value[:, 0] - values))
    astray = tf.reduce_sum(share * tf.reduce_mean(tf.square(owner - owners), axis=1))
    return policy, VALUE_WEIGHT * wrong, OWNER_WEIGHT * astray


def main() -> None:
    """Generate what is missing, train, and write the checkpoint after every epoch."""
    numbers = {"games": 3_000, "data_minutes": 45.0, "epochs": 7, "minutes": 62.0, "rate": 2e-3, "processes": 2}
    options = recipe.options_of("go", **numbers, cache=recipe.cache_of("go")).parse_args()
    parts = recipe.parts_of(data.SHARDS, data.load, examples, options)
    residual_network.train(DESIGN, parts, losses, ("policy", "value", "owners"), options)


if __name__ == "__main__":
    main()
