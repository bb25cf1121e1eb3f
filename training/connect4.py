"""Train the Connect4 reference checkpoint from an exact solver: `python -m azx.training.connect4`.

Value target: the game's result for the mover under perfect play, +1, 0 or -1. Policy target: half
of the mass even over the moves that keep that result, half even over those among them that win
soonest or lose latest. So the best move always has the largest target, and a net that cannot tell
the best from the second best still learns which moves throw the game away.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from azx.training import connect4_data, connect4_network
from azx.training.connect4_data import FULL_COLUMN, Positions

CHECKPOINT = Path(__file__).parent.parent / "mobile_assets" / "checkpoints" / "connect4.h5"
CACHE = Path.home() / ".cache" / "azx" / "connect4"
CELLS, COLUMNS, ROWS = 42, 7, 6
HELD_OUT = 50
WARM_UP = 0.05
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


class Trainer:
    """Adam on a one-cycle rate over `epochs`, or over `minutes` where those pass first."""

    def __init__(self, seed: int, epochs: int, minutes: float, rate: float, precision: str) -> None:
        import tensorflow as tf
        import tf_keras

        tf.config.threading.set_intra_op_parallelism_threads(2)
        tf.config.threading.set_inter_op_parallelism_threads(1)
        # Grappler's remapper gives LeakyReLU another slope when it fuses it on a CPU.
        tf.config.optimizer.set_experimental_options({"remapping": False})
        tf_keras.utils.set_random_seed(seed)
        self.model = connect4_network.build("channels_last", precision)
        self.optimizer = tf_keras.optimizers.Adam(rate)
        self.rate, self.epochs, self.minutes = rate, epochs, minutes
        self.rng = np.random.Generator(np.random.PCG64(seed))
        self.start = time.monotonic()
        self.step = tf.function(self._step)

    def _step(self, boards: Any, values: Any, policies: Any) -> Any:
        import tensorflow as tf

        with tf.GradientTape() as tape:
            losses = self.losses(boards, values, policies, training=True)
            total = losses[0] + losses[1] + tf.add_n(self.model.losses)
        variables = self.model.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(total, variables), variables, strict=True))
        return tf.stack(losses)

    def losses(self, boards: Any, values: Any, policies: Any, training: bool) -> tuple[Any, Any]:
        """(mean squared error of the value, cross-entropy of the policy), means over the batch."""
        import tensorflow as tf

        value, policy = self.model(tf.cast(boards, tf.float32), training=training)
        cross_entropy = connect4_network.softmax_cross_entropy_with_logits(policies, policy)
        return tf.reduce_mean(tf.square(value - values)), tf.reduce_mean(cross_entropy)

    def progress(self, done: float) -> float:
        """How much of the run is over, 0 to 1, by epochs or by the clock, whichever is further."""
        return min(1.0, max(done / self.epochs, (time.monotonic() - self.start) / 60 / self.minutes))

    def train_epoch(self, epoch: int, data: Examples) -> bool:
        """One pass over `data`; False where the time is over."""
        losses, count, shown = np.zeros(2), len(data) // BATCH, time.monotonic()
        for number, batch in enumerate(data.batches(self.rng)):
            at = self.progress(epoch + number / count)
            self.optimizer.learning_rate.assign(max(self.rate * one_cycle(at), 1e-7))
            latest = self.step(batch.boards, batch.values, batch.policies).numpy()
            losses += (latest - losses) * max(0.02, 1 / (number + 1))
            if time.monotonic() - shown > 20:
                shown = time.monotonic()
                losses_said = f"value {losses[0]:.3f}, policy {losses[1]:.3f}"
                print(f"epoch {epoch + number / count:5.2f} ({at:4.0%}): {losses_said}", flush=True)
            if at >= 1:
                return False
        return epoch + 1 < self.epochs

    def report(self, epoch: int, held: Examples) -> None:
        """Print the losses on the held-out examples, in inference mode."""
        parts = np.array_split(np.arange(len(held)), max(1, len(held) // 512))
        losses = [self.losses(held.boards[r], held.values[r], held.policies[r], training=False) for r in parts]
        value, policy = np.mean(np.array(losses), axis=0)
        minutes = (time.monotonic() - self.start) / 60
        print(f"epoch {epoch + 1}: held out value {value:.4f}, policy {policy:.4f}, {minutes:.1f} minutes", flush=True)


def one_cycle(at: float) -> float:
    """The factor of the learning rate when `at` (0 to 1) of the run is over: up, then a cosine to 0."""
    if at < WARM_UP:
        return 0.05 + 0.95 * at / WARM_UP
    return 0.5 * (1 + math.cos(math.pi * (at - WARM_UP) / (1 - WARM_UP)))


def main() -> None:
    """Generate what is missing, train, and write the checkpoint after every epoch."""
    options = arguments().parse_args()
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    connect4_data.generate(options.cache, options.positions, options.seed, options.processes, options.data_minutes)
    train, held = map(examples, split(connect4_data.load(options.cache, options.seed, options.positions)))
    print(f"{len(train):,} positions to train on, {len(held):,} held out", flush=True)
    trainer = Trainer(options.seed, options.epochs, options.minutes, options.rate, options.precision)
    for epoch in range(options.epochs):
        more = trainer.train_epoch(epoch, train)
        connect4_network.save(trainer.model, options.output)
        trainer.report(epoch, held)
        if not more:
            break
    print(f"written: {options.output}", flush=True)


def arguments() -> argparse.ArgumentParser:
    """The options of the recipe; the defaults are those of the shipped checkpoint."""
    parser = argparse.ArgumentParser(description="Train the Connect4 reference checkpoint.")
    parser.add_argument("--positions", type=int, default=128_000, help="solved positions to train on")
    parser.add_argument("--data-minutes", type=float, default=30.0, help="stop generating positions after this long")
    parser.add_argument("--epochs", type=int, default=10, help="passes over the positions")
    parser.add_argument("--minutes", type=float, default=36.0, help="end the training after this long")
    parser.add_argument("--rate", type=float, default=2e-3, help="the largest learning rate")
    parser.add_argument("--precision", choices=("float32", "mixed_bfloat16"), default="mixed_bfloat16")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2, help="solvers at a time")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of the solved positions")
    parser.add_argument("--output", type=Path, default=CHECKPOINT)
    return parser


if __name__ == "__main__":
    main()
