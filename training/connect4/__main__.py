"""Train the Connect4 reference checkpoint from an exact solver: `python -m azx.training.connect4`.

Value target: the game's result for the mover under perfect play, +1, 0 or -1. Policy target: half of the mass is even
over the moves that keep that result. The other half is even over those among them that win soonest or lose latest. So
the best move always has the largest target. A network that cannot distinguish the best from the second best still
learns which moves lose the game.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..trainer import Batch, Trainer, prepare
from . import data, network
from .data import FULL_COLUMN, Positions

CHECKPOINT = Path(__file__).parents[2] / "mobile_assets" / "checkpoints" / "connect4.h5"
CACHE = Path.home() / ".cache" / "azx" / "connect4"
CELLS, COLUMNS, ROWS = 42, 7, 6
HELD_OUT = 50
BATCH = 256


@dataclass(frozen=True)
class Examples:
    """`boards` uint8 (N, 6, 7, 2), `values` float32 (N, 1), `policies` float32 (N, 42), -1 where illegal."""

    boards: NDArray[np.uint8]
    values: NDArray[np.float32]
    policies: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.boards)

    def batches(self, rng: np.random.Generator) -> Iterator[Examples]:
        """All examples once in random order, each mirrored left to right with probability one half."""
        order = rng.permutation(len(self))
        for at in range(0, len(self) - BATCH + 1, BATCH):
            rows = order[at : at + BATCH]
            yield Examples(self.boards[rows], self.values[rows], self.policies[rows]).mirrored(rng.random(BATCH) < 0.5)

    def in_order(self) -> Iterator[Batch]:
        """All examples as they are."""
        for rows in np.array_split(np.arange(len(self)), max(1, len(self) // 512)):
            yield self.boards[rows], self.values[rows], self.policies[rows]

    def tensors(self) -> Batch:
        """Input and targets."""
        return self.boards, self.values, self.policies

    def mirrored(self, which: NDArray[np.bool_]) -> Examples:
        """The examples with the chosen ones turned left to right."""
        boards, policies = self.boards.copy(), self.policies.reshape(-1, ROWS, COLUMNS).copy()
        boards[which], policies[which] = boards[which][:, :, ::-1], policies[which][:, :, ::-1]
        return Examples(boards, self.values, policies.reshape(-1, CELLS))


def examples(positions: Positions) -> Examples:
    """Tensors and targets of solved positions."""
    boards = np.stack([bits(positions.mover), bits(positions.opponent)], axis=-1)
    scores = positions.scores.astype(np.int16)
    values = np.sign(scores.max(axis=1, keepdims=True)).astype(np.float32)
    kept = (np.sign(scores) == values) & (scores != FULL_COLUMN)
    best = scores == scores.max(axis=1, keepdims=True)
    share = (kept / kept.sum(axis=1, keepdims=True) + best / best.sum(axis=1, keepdims=True)) / 2
    share[scores == FULL_COLUMN] = -1
    return Examples(boards, values, by_cell(share.astype(np.float32), boards))


def bits(discs: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Discs (N,) as 42 bits to uint8 (N, 6, 7)."""
    raw = discs.astype("<u8").view(np.uint8).reshape(-1, 8)
    return np.unpackbits(raw, axis=1, bitorder="little")[:, :CELLS].reshape(-1, ROWS, COLUMNS)


def by_cell(columns: NDArray[np.float32], boards: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Numbers for columns (N, 7) to numbers for cells (N, 42), -1 for cells no disc can land on."""
    height = boards.sum(axis=(1, 3))
    landing = np.where(height < ROWS, (ROWS - 1 - height.astype(int)) * COLUMNS + np.arange(COLUMNS), 0)
    cells = np.full((len(columns), CELLS), -1, dtype=np.float32)
    row, column = np.nonzero(height < ROWS)
    cells[row, landing[row, column]] = columns[row, column]
    return cells


def split(positions: Positions) -> tuple[Positions, Positions]:
    """(to train on, held out): about one position in 50 is held out, wherever and however often it occurs.

    A position and its mirror image fall on the same side.
    """
    own, other = bits(positions.mover), bits(positions.opponent)
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


def main() -> None:
    """Generate what is missing, train, and write the checkpoint after every epoch."""
    options = arguments().parse_args()
    data.generate(options.cache, options.positions, options.seed, options.processes, options.data_minutes)
    train, held = map(examples, split(data.load(options.cache, options.seed, options.positions)))
    print(f"{len(train):,} positions to train on, {len(held):,} held out", flush=True)
    prepare(options.seed, threads=options.processes)
    if options.start_from:
        model = network.to_channels_last(options.start_from, options.precision)
    else:
        model = network.build("channels_last", options.precision)
    rng = np.random.Generator(np.random.PCG64(options.seed))
    trainer = Trainer(
        model, losses, ("value", "policy"), rate=options.rate, epochs=options.epochs, minutes=options.minutes
    )
    trainer.train(
        lambda: (batch.tensors() for batch in train.batches(rng)),
        len(train) // BATCH,
        lambda: held.in_order(),
        lambda: network.save(model, options.output),
    )
    print(f"written: {options.output}", flush=True)


def arguments() -> argparse.ArgumentParser:
    """The options of the recipe; the defaults are those of the shipped checkpoint."""
    parser = argparse.ArgumentParser(
        prog="python -m azx.training.connect4", description="Train the Connect4 reference checkpoint."
    )
    parser.add_argument("--positions", type=int, default=128_000, help="solved positions to train on")
    parser.add_argument("--data-minutes", type=float, default=30.0, help="stop generating positions after this long")
    parser.add_argument("--epochs", type=int, default=10, help="passes over the positions")
    parser.add_argument("--minutes", type=float, default=36.0, help="end the training after this long")
    parser.add_argument("--rate", type=float, default=2e-3, help="the largest learning rate")
    parser.add_argument("--precision", choices=("float32", "mixed_bfloat16"), default="mixed_bfloat16")
    parser.add_argument("--start-from", type=Path, metavar="FILE.h5", help="train this checkpoint on, not a new one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2, help="solvers at a time")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of the solved positions")
    parser.add_argument("--output", type=Path, default=CHECKPOINT)
    return parser


if __name__ == "__main__":
    main()
