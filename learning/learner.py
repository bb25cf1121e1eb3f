"""The learner: makes the next network from the positions in the window, by any backend of Keras."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import AzxError
from ..games.game import Reading
from ..self_play.settings import Recipe
from .averaged import WeightAverage
from .faster import bfloat16_steps, fuse_normalisations
from .window import Examples, SymmetryBatches

# Weight of the value's squared error; the policy's cross-entropy has weight 1.
VALUE_WEIGHT = 1.0
CLIP = 1.0
# The average covers about PASSES passes of a generation, and adds the weights after every EACH steps.
PASSES, EACH = 6.0, 4


@dataclass(frozen=True)
class Losses:
    """The means of a generation's steps: the policy's cross-entropy in nats, the value's squared error."""

    policy: float
    value: float
    steps: int


class Learner:
    """A network and its optimizer, over all generations of a run. The average of its weights plays the games."""

    def __init__(self, model: Any, reading: Reading, recipe: Recipe, seed: int) -> None:
        import keras

        self.model, self._recipe = model, recipe
        self._turned = SymmetryBatches(reading, reading.start().actions)
        self._seed = seed
        self._averaged = WeightAverage(model)
        fuse_normalisations(model)
        # Dense layers alone gain little by it.
        convolves = any(isinstance(layer, keras.layers.Conv2D) for layer in model.layers)
        self._precision = bfloat16_steps if convolves else nullcontext
        self._optimizer = keras.optimizers.Adam(recipe.rate, clipnorm=CLIP)
        model.compile(
            optimizer=self._optimizer,
            loss=[keras.losses.CategoricalCrossentropy(from_logits=True), keras.losses.MeanSquaredError()],
            loss_weights=[1.0, VALUE_WEIGHT],
        )

    @property
    def averaged(self) -> Any:
        """The network to play with and to keep, with the average weights after the last generation."""
        return self._averaged.model

    def learn(self, examples: Examples, played: int, generation: int, rate: float) -> Losses:
        """Learn one generation, with `played` new positions; `rate` is a share of the recipe's.

        AzxError if the loss becomes NaN.
        """
        recipe, rng = self._recipe, np.random.default_rng([self._seed, generation])
        self._optimizer.learning_rate = recipe.rate * rate
        size = min(recipe.batch, len(examples))
        steps = max(1, round(recipe.epochs * played / size))
        # Frequent positions count more, but less than proportionally.
        upto = np.cumsum(np.sqrt(examples.counts.astype(np.float64)))
        upto /= upto[-1]
        sums = np.zeros(3)
        horizon, before = PASSES * played / size, int(self._optimizer.iterations)
        with self._precision():
            for step in range(1, steps + 1):
                rows = np.searchsorted(upto, rng.random(size), side="right")
                boards, policies, values = self._turned.batch(examples, rows, rng)
                # Cross-entropy's derivative is softmax - targets. Without a target it would lower every logit for ever.
                counts = [policies.sum(axis=1), np.ones_like(values)]
                losses = self.model.train_on_batch(boards, [policies, values[:, None]], sample_weight=counts)
                sums += np.asarray([float(each) for each in losses[:3]])
                if step % EACH == 0 or step == steps:
                    self._averaged.follow(horizon, before + step, (step - 1) % EACH + 1)
        if not np.isfinite(sums).all():
            raise AzxError(f"training diverged in generation {generation}: begin the run anew with a smaller --rate.")
        self._averaged.update()
        return Losses(sums[1] / steps, sums[2] / steps, steps)
