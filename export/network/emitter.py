"""Writes operations while it walks a LayerGraph, and knows where each tensor's values lie in memory.

Keras' shape of a tensor is the logical one: (75, 6, 7) in a channels_first network. Network holds the same values as
(6, 7, 75). A Value stores both, so that a layer's axis is found without transposing back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, TypeVar

import numpy as np

from ...errors import CheckpointError, UnsupportedLayer
from ..checkpoint.door.limits import TENSOR_VALUES
from ..checkpoint.layer_graph import Array, Call, Layer
from .activations import Function
from .network import Activation, Affine, Combine, Op, Reshape, Transpose

OpType = TypeVar("OpType", bound=Op)


@dataclass(frozen=True)
class Value:
    """A tensor whose physical axis i holds the logical axis `axes[i]`.

    For a vector that was flattened in physical order, `folded` is the (shape, axes) before. They determine the logical
    place of each entry.
    """

    name: str
    shape: tuple[int, ...]
    axes: tuple[int, ...]
    folded: tuple[tuple[int, ...], tuple[int, ...]] | None = None

    @property
    def physical_shape(self) -> tuple[int, ...]:
        """The shape in memory."""
        return tuple(self.shape[axis] for axis in self.axes)

    def order(self) -> Array | None:
        """For a folded vector, integers (n,): entry j in memory is the logical entry order[j].

        None for any other tensor.
        """
        if self.folded is None:
            return None
        shape, axes = self.folded
        return np.arange(prod(shape)).reshape(shape).transpose(axes).ravel()

    def physical(self, logical: Array) -> Array:
        """`logical` laid out to broadcast in memory; its shape broadcasts against the tensor's logical shape."""
        order = self.order()
        if order is not None and logical.size > 1:
            return logical[order]
        return logical.transpose(self.axes)


@dataclass
class Emitter:
    """The state of a simplification: `values` maps Keras' tensors to their place in memory."""

    keras_major: int
    values: dict[str, Value] = field(default_factory=dict)
    ops: list[Op] = field(default_factory=list)
    _moved: dict[tuple[str, tuple[int, ...]], Value] = field(default_factory=dict)
    _layer: str = ""

    def begin(self, call: Call) -> list[Value]:
        """Start a call and return its inputs; operations emitted from now on are named after it.

        Raises UnsupportedLayer if the call reads the second output of a layer that has several.
        """
        self.name_after(call.output)
        missing = next((name for name in call.inputs if name not in self.values), None)
        if missing:
            raise UnsupportedLayer(call.layer.name, f"it takes one of several outputs ('{missing}')")
        return [self.values[name] for name in call.inputs]

    def name_after(self, layer: str) -> None:
        """Name the operations emitted from now on after `layer`."""
        self._layer = layer

    def op(
        self,
        kind: type[OpType],
        inputs: Sequence[Value],
        shape: Sequence[int],
        axes: Sequence[int] | None = None,
        /,
        **details: Any,
    ) -> Value:
        """Emit an operation; `shape` is the result's logical shape, `axes` its layout (identity if left out).

        `details` are the fields of `kind` that a plain Op lacks. Raises CheckpointError if the tensor has no values, or
        more than any board-game network. A file may declare a window or a margin of any size.
        """
        if not all(size > 0 for size in shape) or prod(shape) > TENSOR_VALUES:
            amount = "no values" if prod(shape) <= TENSOR_VALUES else f"over {TENSOR_VALUES:,} values"
            raise CheckpointError(f"layer '{self._layer}' makes a tensor of {amount}: it is not a board-game network.")
        name = f"{self._layer}/{len(self.ops)}"
        value = Value(name, tuple(shape), tuple(axes) if axes is not None else identity(len(shape)))
        names = tuple(item.name for item in inputs)
        self.ops.append(kind(layer=self._layer, inputs=names, output=name, shape=value.physical_shape, **details))
        return value

    def like(self, kind: type[OpType], value: Value, **details: Any) -> Value:
        """Emit an elementwise operation; the result has the layout of `value`."""
        made = self.op(kind, [value], value.shape, value.axes, **details)
        return Value(made.name, value.shape, value.axes, value.folded)

    def pairwise(self, value: Value, other: Value, function: str) -> Value:
        """Emit an operation such as add or multiply on two tensors of one layout.

        The second may have axes of size 1.
        """
        made = self.op(Combine, [value, other], value.shape, value.axes, function=function)
        return Value(made.name, value.shape, value.axes, value.folded)

    def activation(self, value: Value, function: Function) -> Value:
        """Emit an activation, or nothing if it is linear; softmax runs over the last axis."""
        name, parameters = function
        if name == "linear":
            return value
        if name in ("softmax", "log_softmax"):
            return self.softmax(value, name, len(value.shape) - 1)
        return self.like(Activation, value, function=name, parameters=parameters)

    def softmax(self, value: Value, name: str, axis: int) -> Value:
        """Emit softmax or log_softmax over a logical axis, which is moved to the end in memory."""
        others = tuple(other for other in value.axes if other != axis)
        return self.like(Activation, self.with_axes(value, (*others, axis)), function=name, parameters=())

    def affine(self, value: Value, scale: Array | float | None, shift: Array | float | None) -> Value:
        """Emit x * scale + shift in the shape of x.

        Both are numbers, or arrays that broadcast against the logical shape.
        """

        def lay_out(constant: Array | float | None) -> Array | None:
            if constant is None:
                return None
            array = np.asarray(constant)
            return float32(value.physical(array.reshape((1,) * len(value.shape)) if array.ndim == 0 else array))

        return self.like(Affine, value, scale=lay_out(scale), shift=lay_out(shift))

    def plain(self, value: Value) -> Value:
        """The same tensor in the layout of its logical axes."""
        return self.with_axes(value, identity(len(value.shape)))

    def unfolded(self, value: Value) -> Value:
        """The same tensor, with a folded vector back in its logical order; any other tensor is as it is."""
        return self.plain(value) if value.folded else value

    def with_axes(self, value: Value, axes: tuple[int, ...]) -> Value:
        """The same tensor with its axes in another order; a folded vector returns to its logical order.

        Each tensor is moved once, and all its readers share the result. A channels_first input with several readers is
        transposed only at the input.
        """

        def wide(order: Sequence[int]) -> list[int]:
            return [axis for axis in order if value.shape[axis] != 1]

        if value.folded is None and value.axes == axes:
            return value
        key = (value.name, axes if value.folded is None else (-1,))
        if key in self._moved:
            return self._moved[key]
        if value.folded is not None:
            # A vector has one axis and nothing to transpose. Its entries have the order of the board it came from
            # (channels last), but Keras counts them in its own order (channels first). So it becomes the board again,
            # is transposed there, and is flattened again. Dense, batch norm and PReLU never come here: they permute
            # their weights instead.
            shape, held = value.folded
            board = self.op(Reshape, [value], shape, held)
            moved = self.op(Reshape, [self.plain(board)], value.shape)
        elif wide(value.axes) == wide(axes):
            # Only axes of size 1 change places, as in the gates of squeeze-and-excite: (C, 1, 1) becomes (1, 1, C).
            # Memory does not change. In any runtime a reshape costs nothing, while a transpose copies.
            moved = self.op(Reshape, [value], value.shape, axes)
        else:
            order = tuple(value.axes.index(axis) for axis in axes)
            moved = self.op(Transpose, [value], value.shape, axes, axes=order)
        self._moved[key] = moved
        return moved

    def flat(self, value: Value) -> Value:
        """All values as one vector in memory's order; the layout records where each came from.

        Keras would flatten a channels_first board channel by channel. A literal flatten would need a transpose between
        the last convolution and the dense layer of each head. Instead the result is `folded`, and the dense layer's
        rule puts its rows in this order.
        """
        size = (prod(value.shape),)
        made = self.op(Reshape, [value], size) if len(value.shape) != 1 else value
        shape, axes = value.folded or (value.shape, value.axes)
        return Value(made.name, size, (0,), (shape, axes) if axes != identity(len(shape)) else None)


def identity(rank: int) -> tuple[int, ...]:
    """The axes of a tensor whose layout is its logical one."""
    return tuple(range(rank))


def float32(array: Array) -> Array:
    """The array as contiguous float32 of the same shape, the type of every constant in Network."""
    return np.ascontiguousarray(array, dtype=np.float32)


def refuse(layer: Layer, reason: str) -> UnsupportedLayer:
    """The error that a rule raises for a layer without a canonical form."""
    return UnsupportedLayer(layer.name, reason)


def misfit(layer: Layer, reason: str) -> CheckpointError:
    """The error for weights that cannot belong to the architecture."""
    return CheckpointError(f"layer '{layer.name}': {reason}: the weights belong to another architecture.")
