"""One layer applied to float64 tensors: the argument of every rule of the witness."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import UnsupportedLayer
from ...export.checkpoint.layer_graph import Layer

Values = NDArray[np.float64]
# The most values that a layer which repeats its input may make: half a gibibyte.
LARGEST = 1 << 26
Result = Values | list[Values]


@dataclass(frozen=True, eq=False)
class LayerCall:
    """A layer, its inputs (N, ...) in float64, the call's other arguments, and Keras' major version."""

    layer: Layer
    inputs: tuple[Values, ...]
    arguments: Mapping[str, Any]
    keras_major: int

    @property
    def x(self) -> Values:
        """The first input, (N, ...)."""
        return self.inputs[0]

    @property
    def config(self) -> Mapping[str, Any]:
        """The layer's own configuration."""
        config: Mapping[str, Any] = self.layer.config
        return config

    @property
    def channels_first(self) -> bool:
        """Whether the layer's channels come right after the batch."""
        return bool(self.config.get("data_format") == "channels_first")

    def weight(self, name: str) -> Values:
        """A weight in its own shape and the inputs' dtype; UnsupportedLayer if the layer lacks it."""
        if name not in self.layer.weights:
            raise self.refusal(f"has no weight '{name}'")
        dtype = self.inputs[0].dtype if self.inputs else np.dtype(np.float64)
        return np.asarray(self.layer.weights[name], dtype=dtype if dtype.kind == "f" else np.float64)

    def refusal(self, reason: str) -> UnsupportedLayer:
        """The error to raise if the witness has no rule for the layer."""
        return UnsupportedLayer(self.layer.name, f"{self.layer.kind}: {reason}")


Rule = Callable[[LayerCall], Result]


def number(value: Any, default: float = 0.0) -> float:
    """A number, which may also be {"type": "ndarray", "value": 0.3} or a list with one number; `default` for None."""
    if isinstance(value, Mapping):
        value = value.get("value", value.get("config"))
    return default if value is None else float(np.asarray(value, dtype=np.float64).reshape(()).item())


def per_axis(value: Any, rank: int) -> tuple[int, ...]:
    """`value` for each of `rank` axes; an int counts for all of them."""
    return (int(value),) * rank if isinstance(value, int) else tuple(int(item) for item in value)


def roomy(x: Values, times: float) -> Values:
    """`x`; ValueError if `times` as many values, which a file may ask for, would fill the memory."""
    if not abs(x.size * times) <= LARGEST:
        raise ValueError(f"{times:g} times {x.shape} are over {LARGEST:,} values")
    return x


def channels_last(x: Values, channels_first: bool) -> Values:
    """`x` (N, C, *board) as (N, *board, C) if its channels are first, else `x` itself."""
    return np.moveaxis(x, 1, -1) if channels_first else x


def channels_back(x: Values, channels_first: bool) -> Values:
    """The inverse of `channels_last`: (N, *board, C) to (N, C, *board)."""
    return np.moveaxis(x, -1, 1) if channels_first else x
