"""The average of a network's recent weights, which plays better than the last ones.

At a constant rate the weights move around an optimum, and strength varies with them. Their mean is closer to the
optimum (Izmailov et al., "Averaging Weights Leads to Wider Optima and Better Generalization", UAI 2018).
"""

from __future__ import annotations

from typing import Any


class WeightAverage:
    """The exponential average of a model's weights, including its normalisations, as a separate `model`."""

    def __init__(self, source: Any) -> None:
        """Begin with the source's present weights."""
        import keras

        self.model = keras.Model.from_config(source.get_config())
        self._source, self._weights = source, source.get_weights()
        self.model.set_weights(self._weights)

    def follow(self, horizon: float, step: int, made: int) -> None:
        """Add the source's weights, `made` steps after the last call; weights count for about `horizon` steps.

        `step` counts all steps of the run. Early averages are shorter, because untrained weights do not help.
        """
        share = min(1.0, made / min(horizon, 1 + step / 4))
        for average, weights in zip(self._weights, self._source.get_weights(), strict=True):
            average += share * (weights - average)

    def update(self) -> None:
        """Copy the average into `model`."""
        self.model.set_weights(self._weights)
