"""Train the Connect4 reference checkpoint from an exact solver: `python -m azx.training.connect4`.

Value target: the game's result for the mover under perfect play, +1, 0 or -1. Policy target: half of the mass is spread
evenly over the moves that keep that result, the other half over those of them that win soonest or lose latest. So the
best move always has the largest target. A network that cannot distinguish the best from the second best still learns
which moves lose the game.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...games.rules.connect4 import COLUMNS, ROWS
from .. import recipe
from ..trainer import Batch
from . import data, network
from .data import FULL_COLUMN, Positions

CACHE = recipe.cache_of("connect4")
HELD_OUT = 50


@dataclass(frozen=True)
class Examples:
    """`boards` uint8 (N, 6, 7, 2), `values` float32 (N, 1), `policies` float32 (N, 42), -1 where illegal."""

    boards: NDArray[np.uint8]
    values: NDArray[np.float32]
    policies: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.boards)

    def batch(self, rows: NDArray[np.int64], rng: np.random.Generator | None) -> Batch:
        """Input and targets of the rows; with a generator each row is mirrored with probability one half."""
        some = Examples(self.boards[rows], self.values[rows], self.policies[rows])
        some = some if rng is None else some.mirror(rng.random(len(rows)) < 0.5)
        return some.boards, some.values, some.policies

    def mirror(self, which: NDArray[np.bool_]) -> Examples:
        """The examples, with the chosen ones mirrored left to right."""
        boards, policies = self.boards.copy(), self.policies.reshape(-1, ROWS, COLUMNS).copy()
        boards[which], policies[which] = boards[which][:, :, ::-1], policies[which][:, :, ::-1]
        return Examples(boards, self.values, policies.reshape(-1, ROWS * COLUMNS))


def examples(positions: Positions) -> Examples:
    """Tensors and targets of solved positions."""
    boards = np.stack(positions.planes(), axis=-1)
    scores = positions.scores.astype(np.int16)
    values = np.sign(scores.max(axis=1, keepdims=True)).astype(np.float32)
    keeps = (np.sign(scores) == values) & (scores != FULL_COLUMN)
    best = scores == scores.max(axis=1, keepdims=True)
    share = (keeps / keeps.sum(axis=1, keepdims=True) + best / best.sum(axis=1, keepdims=True)) / 2
    share[scores == FULL_COLUMN] = -1
    return Examples(boards, values, by_cell(share.astype(np.float32), boards))


def by_cell(columns: NDArray[np.float32], boards: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Numbers by column (N, 7) as numbers by cell (N, 42), -1 for cells on which no disc can land."""
    height = boards.sum(axis=(1, 3))
    landing = np.where(height < ROWS, (ROWS - 1 - height.astype(int)) * COLUMNS + np.arange(COLUMNS), 0)
    cells = np.full((len(columns), ROWS * COLUMNS), -1, dtype=np.float32)
    row, column = np.nonzero(height < ROWS)
    cells[row, landing[row, column]] = columns[row, column]
    return cells


def split(positions: Positions) -> tuple[Positions, Positions]:
    """The positions for training, and those held out: about one in 50, with all its occurrences.

    A position and its mirror image are always in the same part.
    """
    own, other = positions.planes()
    weights = np.random.Generator(np.random.PCG64(2024)).integers(1, 1 << 62, size=(2, ROWS, COLUMNS), dtype=np.uint64)
    weights += weights[:, :, ::-1]
    keys = (own * weights[0]).sum(axis=(1, 2)) + (other * weights[1]).sum(axis=(1, 2))
    held = (keys >> np.uint64(20)) % np.uint64(HELD_OUT) == 0
    return positions.where(~held), positions.where(held)


def losses(outputs: Sequence[Any], targets: Sequence[Any]) -> tuple[Any, Any]:
    """(mean squared error of the value, cross-entropy of the policy), means over the batch."""
    import tensorflow as tf

    (value, policy), (values, policies) = outputs, targets
    cross_entropy = network.softmax_cross_entropy_with_logits(policies, policy)
    return tf.reduce_mean(tf.square(value - values)), tf.reduce_mean(cross_entropy)


def run(options: Namespace, build: Callable[[], Any], save: Callable[[Any], None]) -> None:
    """Generate missing data, train the network of `build`, and write it after every epoch."""
    data.SHARDS.generate(options.cache, options.positions, options.seed, options.processes, options.data_minutes)
    parts = [examples(part) for part in split(data.load(options.cache, options.seed, options.positions))]
    recipe.train(parts, build, save, losses, ("value", "policy"), options)


def main() -> None:
    """Train the shipped checkpoint, or continue with another one."""
    numbers = {"positions": 128_000, "data_minutes": 30.0, "epochs": 10, "minutes": 36.0, "rate": 2e-3, "processes": 2}
    parser = recipe.options_of("connect4", **numbers, cache=CACHE)
    parser.add_argument("--precision", choices=("float32", "mixed_bfloat16"), default="mixed_bfloat16")
    parser.add_argument("--start-from", type=Path, metavar="FILE.h5", help="train this checkpoint on, not a new one")
    options = parser.parse_args()

    def build() -> Any:
        if options.start_from:
            return network.to_channels_last(options.start_from, options.precision)
        return network.build("channels_last", options.precision)

    run(options, build, lambda model: network.save(model, options.output))


if __name__ == "__main__":
    main()
