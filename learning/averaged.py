"""The average of a network's last weights, which plays better than the last ones do.

At a constant rate the weights wander about the place that they learn towards, and strength flickers with them. Their
mean lies nearer (Izmailov et al., "Averaging Weights Leads to Wider Optima and Better Generalization", UAI 2018).
"""

from __future__ import annotations

from typing import Any


class Averaged:
    """The exponential average of a model's weights, those of its normalisations too, as a `model` of its own."""

    def __init__(self, source: Any) -> None:
        """Begin with the weights as they are."""
        import keras

        self.model = keras.Model.from_config(source.get_config())
        self._source, self._weights = source, source.get_weights()
        self.model.set_weights(self._weights)

    def follow(self, horizon: float, step: int, made: int) -> None:
        """Take in the source's weights, `made` steps after the last time; each counts for about `horizon` steps.

        `step` counts all steps of the run. At its beginning the average is shorter: an untrained network has nothing
        to say.
        """
        share = min(1.0, made / min(horizon, 1 + step / 4))
        for average, weights in zip(self._weights, self._source.get_weights(), strict=True):
            average += share * (weights - average)

    def update(self) -> None:
        """Give `model` the average."""
        self.model.set_weights(self._weights)
