"""An ONNX operation while it is read, and the Keras 3 layers that it becomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

import numpy as np

from ..door.limits import FOLDED_VALUES, LAYERS
from ..layer_graph import Array, Call, Layer
from .model import Node
from .values import NoForm, Tensor, Value

FIRST = "channels_first"


@dataclass(eq=False)
class Calls:
    """The layers so far, and the value of each name in the graph.

    `folded` counts the numbers that operations made from the file's own.
    """

    opset: int
    batch: int | None = None
    values: dict[str, Value] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    inputs: frozenset[str] = frozenset()
    folded: int = 0
    _names: set[str] = field(default_factory=set)

    def add(
        self,
        name: str,
        kind: str,
        inputs: Sequence[Tensor],
        shape: Sequence[int],
        *,
        weights: Any = None,
        arguments: Any = None,
        **config: Any,
    ) -> Tensor:
        """Append a layer that is called once, and return its result, of `shape` without the batch."""
        if len(self.calls) >= LAYERS:
            raise NoForm(f"it is one of over {LAYERS:,} layers")
        name = self.unique(name)
        layer = Layer(name, kind, {"name": name, **config}, weights or {})
        self.calls.append(Call(layer, tuple(each.name for each in inputs), name, arguments or {}))
        return Tensor(name, tuple(int(size) for size in shape))

    def count_folded(self, answers: Sequence[Array]) -> None:
        """Count new numbers, but no views of others; NoForm if the file's operations have made too many."""
        self.folded += sum(answer.size for answer in answers if answer.base is None)
        if self.folded > FOLDED_VALUES:
            raise NoForm(f"with it the graph makes over {FOLDED_VALUES:,} numbers beside its network")

    def unique(self, name: str) -> str:
        """The name, with a number appended if it is already used."""
        unused = next(
            each
            for each in (name, *(f"{name}_{at}" for at in range(1, len(self._names) + 2)))
            if each not in self._names
        )
        self._names.add(unused)
        return unused


@dataclass(frozen=True, eq=False)
class Operation:
    """A node with the values of its inputs."""

    calls: Calls
    node: Node
    values: Sequence[Value | None]

    @property
    def x(self) -> Tensor:
        """The first input."""
        return self.tensor(0)

    @property
    def name(self) -> str:
        """A short name for its layers: the node's name without slashes; /conv1/Conv becomes conv1."""
        parts = [part for part in self.node.name.split("/") if part]
        if (len(parts) > 1 and parts[-1].rpartition("_")[0] in (self.node.kind, "")) or parts[-1:] == [self.node.kind]:
            parts = parts[:-1] or parts
        return "_".join(parts)[:200] or self.node.kind.lower()

    def tensor(self, at: int) -> Tensor:
        """The input at a place; NoForm if it is not a tensor of positions."""
        value = self.values[at] if at < len(self.values) else None
        if not isinstance(value, Tensor):
            raise NoForm("it takes numbers of the file in a tensor's place")
        if value.is_apart:
            raise NoForm("it reads a tensor whose positions lie on another axis than the first")
        return self.repeat(value)

    @property
    def operand(self) -> Tensor:
        """The first input with its positions on any axis; NoForm if it is not a tensor of positions."""
        value = self.values[0]
        if not isinstance(value, Tensor):
            raise NoForm("it takes numbers of the file in a tensor's place")
        return value

    def positions_first(self, x: Tensor) -> Tensor:
        """The tensor treated as if its positions came first."""
        return self.repeat(replace(x, batch=0, before=False, after=False))

    def as_tensor(self, at: int) -> Tensor:
        """The input at a place; numbers in the file become a tensor that is the same for each position."""
        value = self.values[at] if at < len(self.values) else None
        if value is None or isinstance(value, Tensor):
            return self.tensor(at)
        first = next((each for each in self.values if isinstance(each, Tensor)), None)
        if first is None or value.ndim < 2 or value.shape[0] != 1:
            raise NoForm("it takes numbers of the file in a tensor's place")
        # A dense layer on one number of the position: its kernel is 0 and its bias holds the file's numbers.
        flat = self.make("Reshape", (prod(first.shape),), [replace(first, spread=None)], target_shape=[-1])
        where: list[Any] = [{"start": None, "stop": None, "step": None}, {"start": 0, "stop": 1, "step": None}]
        one = self.make("ops.GetItem", (1,), [flat], arguments={"args": [{"tensor": 0}, where]})
        weights = {"kernel": np.zeros((1, value.size), np.float32), "bias": np.asarray(value, np.float32).reshape(-1)}
        config = {"units": value.size, "use_bias": True, "activation": "linear"}
        return self.reshape(self.make("Dense", (value.size,), [one], weights=weights, **config), value.shape[1:])

    def repeat(self, x: Tensor) -> Tensor:
        """A tensor with the repetitions that Expand asked for; possible only for planes of one cell."""
        if x.spread is None:
            return x
        if len(x.shape) != 3 or x.shape[1:] != (1, 1) or x.spread[0] != x.shape[0]:
            raise NoForm(f"{x.shape} repeated as {x.spread} has no canonical form")
        return self.calls.add(
            f"{self.name}_repeated", "UpSampling2D", [x], x.spread, size=list(x.spread[1:]), data_format=FIRST
        )

    def known(self, at: int) -> Array | None:
        """An input that must be numbers in the file; None if it is left out."""
        value = self.values[at] if at < len(self.values) else None
        if isinstance(value, Tensor):
            raise NoForm(f"its {at + 1}. input is computed from the position")
        return value

    def needed(self, at: int) -> Array:
        """An input that must be numbers in the file; NoForm if it is left out."""
        value = self.known(at)
        if value is None:
            raise NoForm(f"its {at + 1}. input is missing")
        return value

    def get(self, name: str, default: Any = None) -> Any:
        """One of the node's attributes."""
        return self.node.attributes.get(name, default)

    def make(
        self, kind: str, shape: Sequence[int] | None = None, inputs: Sequence[Tensor] | None = None, **rest: Any
    ) -> Tensor:
        """Append a layer with the node's name; its input is the first one unless others are given."""
        inputs = [self.x] if inputs is None else inputs
        return self.calls.add(self.name, kind, inputs, inputs[0].shape if shape is None else shape, **rest)

    def axis(self, name: str, default: int, rank: int) -> int:
        """An axis counted with the batch; NoForm for the batch itself."""
        axis = int(self.get(name, default)) % (rank + 1)
        if axis == 0:
            raise NoForm("it works along the positions")
        return axis

    def reshape(self, x: Tensor, shape: Sequence[int]) -> Tensor:
        """A tensor in another shape, by a layer if its shape differs."""
        if tuple(shape) == x.shape:
            return x
        return self.make("Reshape", shape, [x], target_shape=list(shape))


def as_keras_numbers(array: Any) -> dict[str, Any]:
    """Numbers of the file as Keras keeps them in a layer's configuration."""
    return {"class_name": "__numpy__", "config": {"value": np.asarray(array, np.float64)}}
