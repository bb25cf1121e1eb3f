"""A plain operation that Keras writes as a layer, with its tensors and other arguments by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..checkpoint.layer_graph import Array, Call
from .activations import number
from .emitter import Emitter, Value, refuse


@dataclass(frozen=True, eq=False)
class Operation:
    """One operation: its tensors, and its arguments under the names used here.

    In `given` a tensor is a Value and a number or an array is a float64 array; anything else is unchanged.
    """

    emitter: Emitter
    call: Call
    inputs: Sequence[Value]
    given: Mapping[str, Any]

    @property
    def x(self) -> Value:
        """The first operand; UnsupportedLayer if it is not a tensor."""
        x = self.given.get("x")
        if not isinstance(x, Value):
            raise self.refusal("its first operand is not a tensor")
        return x

    def refusal(self, reason: str) -> Exception:
        """The error to raise for an operation without a canonical form."""
        return refuse(self.call.layer, reason)

    def number(self, name: str, default: float) -> float:
        """The argument `name` as a number."""
        value = self.given.get(name)
        return default if value is None else number(value)

    def broadcast(self, constant: Any, value: Value) -> Array:
        """A constant as float64 with the rank of the tensor; its batch axis of size one is removed.

        Raises UnsupportedLayer if the constant has a batch, or is larger than the tensor along an axis.
        """
        array, rank = np.asarray(constant, np.float64), len(value.shape)
        if array.ndim == rank + 1 and array.shape[0] == 1:
            array = array[0]
        if array.ndim > rank:
            raise self.refusal("it combines the batch with a constant")
        array = array.reshape((1,) * (rank - array.ndim) + array.shape)
        if any(size not in (1, wide) for size, wide in zip(array.shape, value.shape, strict=True)):
            raise self.refusal(f"it spreads {value.shape} over a constant of shape {array.shape}")
        return array


Handler = Callable[[Operation], Value]
# An operation's parameters in order, and the function that makes its result: a tensor, or a list of its outputs.
Entry = tuple[tuple[str, ...], Callable[[Operation], Value | list[Value]]]
