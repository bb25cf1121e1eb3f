"""The training loop of the residual networks: Adam on a one-cycle rate, ended by the clock or by epochs."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

WARM_UP = 0.05
Batch = Sequence[NDArray[Any]]
Losses = Callable[[Any, Sequence[Any]], Sequence[Any]]


class Trainer:
    """Trains `model` on batches. `losses` maps (outputs, targets) to scalars, called `names`, whose sum is minimised.

    A batch is the input and then the targets. The training ends after `minutes` or `epochs`, whichever comes first.
    """

    def __init__(
        self, model: Any, losses: Losses, names: Sequence[str], *, rate: float, epochs: int, minutes: float
    ) -> None:
        import tensorflow as tf
        import tf_keras

        self.model, self.losses, self.names = model, losses, names
        self.rate, self.epochs, self.minutes = rate, epochs, minutes
        self.optimizer = tf_keras.optimizers.Adam(rate)
        self.start = time.monotonic()
        self._step = tf.function(self._train, reduce_retracing=True)
        self._judge = tf.function(self._compute_losses, reduce_retracing=True)

    def _train(self, board: Any, *targets: Any) -> Any:
        import tensorflow as tf

        with tf.GradientTape() as tape:
            losses = self.losses(self.model(tf.cast(board, tf.float32), training=True), targets)
            total = tf.add_n([*losses, *self.model.losses])
        variables = self.model.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(total, variables), variables, strict=True))
        return tf.stack(losses)

    def _compute_losses(self, board: Any, *targets: Any) -> Any:
        import tensorflow as tf

        return tf.stack(self.losses(self.model(tf.cast(board, tf.float32), training=False), targets))

    def progress(self, done: float) -> float:
        """The share of the run that is over, 0 to 1: by epochs or by the clock, whichever is larger."""
        return min(1.0, max(done / self.epochs, (time.monotonic() - self.start) / 60 / self.minutes))

    def train(
        self,
        batches: Callable[[], Iterator[Batch]],
        count: int,
        held: Callable[[], Iterator[Batch]],
        save: Callable[[], None],
    ) -> None:
        """Train on `count` batches an epoch; save and report on held-out batches after each."""
        for epoch in range(self.epochs):
            more = self.train_epoch(epoch, batches(), count)
            save()
            self.report(epoch, held())
            if not more:
                return

    def train_epoch(self, epoch: int, batches: Iterator[Batch], count: int) -> bool:
        """One pass over `count` batches; False if the time is over."""
        losses, shown = np.zeros(len(self.names)), time.monotonic()
        for number, batch in enumerate(batches):
            at = self.progress(epoch + number / count)
            self.optimizer.learning_rate.assign(max(self.rate * one_cycle(at), 1e-7))
            losses += (self._step(*batch).numpy() - losses) * max(0.02, 1 / (number + 1))
            if time.monotonic() - shown > 20:
                shown = time.monotonic()
                print(f"epoch {epoch + number / count:5.2f} ({at:4.0%}): {self._format(losses)}", flush=True)
            if at >= 1:
                return False
        return epoch + 1 < self.epochs

    def report(self, epoch: int, batches: Iterator[Batch]) -> None:
        """Print the losses on held-out batches, in inference mode."""
        losses = np.mean([self._judge(*batch).numpy() for batch in batches], axis=0)
        minutes = (time.monotonic() - self.start) / 60
        print(f"epoch {epoch + 1}: held out {self._format(losses)}, {minutes:.1f} minutes", flush=True)

    def _format(self, losses: NDArray[np.float64]) -> str:
        return ", ".join(f"{name} {loss:.4f}" for name, loss in zip(self.names, losses, strict=True))


def prepare(seed: int, threads: int) -> None:
    """Set seeds and threads; call it before TensorFlow runs anything."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    import tensorflow as tf
    import tf_keras

    tf.config.threading.set_intra_op_parallelism_threads(threads)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    # Grappler's remapper gives a fused activation another slope on a CPU.
    tf.config.optimizer.set_experimental_options({"remapping": False})
    tf_keras.utils.set_random_seed(seed)


def one_cycle(at: float) -> float:
    """The factor of the learning rate when `at` (0 to 1) of the run is over: up, then a cosine to 0."""
    if at < WARM_UP:
        return 0.05 + 0.95 * at / WARM_UP
    return 0.5 * (1 + math.cos(math.pi * (at - WARM_UP) / (1 - WARM_UP)))
