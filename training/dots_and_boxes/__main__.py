"""Train the Dots and Boxes 3x3 reference checkpoint from exact values: `python -m azx.training.dots_and_boxes`.

Every batch comes from new semi-random games, until the time is over. Value target: the result under perfect play for
the mover, +1 or -1. Policy target: half of the mass is spread evenly over the moves that keep the result, the other
half over those that win the most boxes.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import recipe
from ..shards import write_beside
from ..trainer import one_cycle
from . import network, values
from .data import ILLEGAL, Examples, Games
from .values import CACHE

# A seed that no training run uses.
HELD_OUT_SEED = 9_000_001
BOXES_A_UNIT = 3.0


class Trainer:
    """Adam with a one-cycle rate over `minutes`, on batches of `games`."""

    def __init__(self, seed: int, minutes: float, rate: float, precision: str) -> None:
        import tensorflow as tf
        import tf_keras

        tf.config.threading.set_intra_op_parallelism_threads(1)
        tf.config.threading.set_inter_op_parallelism_threads(1)
        tf_keras.utils.set_random_seed(seed)
        self.network = network.Network(seed)
        self.optimizer = tf_keras.optimizers.Adam(rate, beta_2=0.99)
        self.optimizer.build(self.network.variables())
        self.rate, self.minutes, self.precision = rate, minutes, precision
        self.passed, self.steps = 0.0, 0
        self.step = tf.function(self._step)

    def _step(self, boards: Any, values: Any, policies: Any, worth: Any) -> Any:
        import tensorflow as tf

        variables = self.network.variables()
        with tf.GradientTape() as tape:
            losses = self.losses(boards, values, policies, worth)
            total = tf.add_n(losses)
        self.optimizer.apply_gradients(zip(tape.gradient(total, variables), variables, strict=True))
        return tf.stack(losses)

    def losses(self, boards: Any, values: Any, policies: Any, worth: Any) -> list[Any]:
        """[squared error of the value, cross-entropy of the policy, squared error of the worth], means."""
        import tensorflow as tf

        answers = self.network(boards, self.precision)
        # Illegal moves, -1 in `policies`, become targets of 0, so that the softmax learns to give them no mass.
        cross_entropy = tf.nn.softmax_cross_entropy_with_logits(tf.nn.relu(policies), answers.policy)
        legal = tf.cast(worth > ILLEGAL, tf.float32)
        errors = legal * tf.square(answers.worth - tf.cast(worth, tf.float32) / BOXES_A_UNIT)
        by_action = tf.reduce_sum(errors, axis=1) / tf.reduce_sum(legal, axis=1)
        return [
            tf.reduce_mean(tf.square(answers.value - values)),
            tf.reduce_mean(cross_entropy),
            tf.reduce_mean(by_action),
        ]

    def train(self, batches: Iterator[Examples], minutes: float) -> NDArray[np.float64]:
        """Train for `minutes`; returns the losses' running means."""
        start, before, losses = time.monotonic(), self.passed, np.zeros(3)
        until = min(self.minutes, self.passed + minutes)
        for number, batch in enumerate(batches):
            self.optimizer.learning_rate.assign(max(self.rate * one_cycle(self.passed / self.minutes), 1e-7))
            losses += (self.step(*batch).numpy() - losses) * max(0.01, 1 / (number + 1))
            self.steps += 1
            self.passed = before + (time.monotonic() - start) / 60
            if self.passed >= until:
                break
        return losses

    def keep(self, path: Path) -> None:
        """Write the state for `resume`."""
        variables = [v.numpy() for v in (*self.network.variables(), *self.optimizer.variables)]
        clock = np.array([self.passed, self.steps])
        write_beside(path, lambda beside: np.savez(beside, *variables, clock=clock))

    def resume(self, path: Path) -> None:
        """Continue from the state of `keep`."""
        state = np.load(path)
        variables = (*self.network.variables(), *self.optimizer.variables)
        for number, variable in enumerate(variables):
            variable.assign(state[f"arr_{number}"])
        self.passed, self.steps = float(state["clock"][0]), int(state["clock"][1])


def shares_right(trainer: Trainer, held: Examples) -> tuple[float, float]:
    """The share of positions whose best legal move keeps the result, and of those whose value has the right sign."""
    answers = trainer.network(held.boards)
    action = np.where(held.policies < 0, -np.inf, answers.policy.numpy()).argmax(axis=1)
    # Only moves that keep the result have a share of the target.
    right = held.policies[np.arange(len(action)), action] > 0
    return float(right.mean()), float((np.sign(answers.value.numpy()) == held.values).mean())


def main() -> None:
    """Train, write the checkpoint every few minutes, and print its strength."""
    numbers = {"minutes": 25.0, "save_minutes": 2.0, "batch": 512, "rate": 1e-3}
    parser = recipe.options_of("dots_and_boxes", **numbers, cache=CACHE)
    parser.add_argument("--precision", choices=("float32", "bfloat16"), default="bfloat16")
    parser.add_argument("--resume", action="store_true", help="resume the interrupted run with this seed")
    options = parser.parse_args()
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    table = values.table(3, options.cache)
    held = Games(table, np.random.Generator(np.random.PCG64(HELD_OUT_SEED))).examples(1500)
    trainer = Trainer(options.seed, options.minutes, options.rate, options.precision)
    state = options.cache / f"training-seed{options.seed}.npz"
    if options.resume and state.exists():
        trainer.resume(state)
    rng = np.random.Generator(np.random.PCG64([options.seed, trainer.steps]))
    batches = Games(table, rng).batches(options.batch)
    while trainer.passed < trainer.minutes:
        value, policy, worth = trainer.train(batches, options.save_minutes)
        trainer.keep(state)
        network.save(trainer.network, options.output)
        moves, signs = shares_right(trainer, held)
        print(
            f"{trainer.passed:5.1f} minutes, {trainer.steps * options.batch:,} positions: value {value:.4f}, "
            f"policy {policy:.4f}, worth {worth:.4f}; of {len(held.values):,} others the move is right in "
            f"{moves:.2%}, the sign of the value in {signs:.2%}",
            flush=True,
        )
    print(f"written: {options.output}", flush=True)


if __name__ == "__main__":
    main()
