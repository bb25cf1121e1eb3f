"""Writes operations while a LayerGraph is walked, and knows where each tensor's values lie.

Keras' shape of a tensor is the logical one: (75, 6, 7) in a channels_first network. Inside Network
the same values lie as (6, 7, 75). A Value keeps both, so that a layer's axis can be found without
ever transposing back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, TypeVar

import numpy as np

from ...errors import CheckpointError, UnsupportedLayer
from ..checkpoint.layer_graph import Array, Call, Layer
from .activations import Function
from .network import Activation, Affine, Op, Reshape, Transpose

OpType = TypeVar("OpType", bound=Op)


@dataclass(frozen=True)
class Value:
    """A tensor: physical axis i holds logical axis `axes[i]`.

    A vector that was flattened in physical order is `folded`: the (shape, axes) that it had, from
    which the logical place of each of its entries follows.
    """

    name: str
    shape: tuple[int, ...]
    axes: tuple[int, ...]
    folded: tuple[tuple[int, ...], tuple[int, ...]] | None = None

    @property
    def physical_shape(self) -> tuple[int, ...]:
        """The shape as it lies in memory."""
        return tuple(self.shape[axis] for axis in self.axes)

    @property
    def is_plain(self) -> bool:
        """Whether it lies just as Keras thinks."""
        return self.axes == identity(len(self.shape)) and self.folded is None

    def order(self) -> Array | None:
        """For a folded vector: entry j in memory is the logical entry order[j]."""
        if self.folded is None:
            return None
        shape, axes = self.folded
        return np.arange(prod(shape)).reshape(shape).transpose(axes).ravel()

    def physical(self, logical: Array) -> Array:
        """An array that broadcasts against the logical shape, laid out to broadcast in memory."""
        order = self.order()
        if order is not None and logical.size > 1:
            return logical[order]
        return logical.transpose(self.axes)


@dataclass
class Emitter:
    """The state of a simplification: `values` maps Keras' tensors to where they lie."""

    keras_major: int
    values: dict[str, Value] = field(default_factory=dict)
    ops: list[Op] = field(default_factory=list)
    _moved: dict[tuple[str, tuple[int, ...]], Value] = field(default_factory=dict)
    _layer: str = ""

    def begin(self, call: Call) -> list[Value]:
        """Start a call: what is emitted from now on is named after it; returns its inputs."""
        self.name_after(call.output)
        missing = next((name for name in call.inputs if name not in self.values), None)
        if missing:
            raise UnsupportedLayer(call.layer.name, f"it takes one of several outputs ('{missing}')")
        return [self.values[name] for name in call.inputs]

    def name_after(self, layer: str) -> None:
        """Name what is emitted from now on after a layer."""
        self._layer = layer

    def op(
        self,
        kind: type[OpType],
        inputs: Sequence[Value],
        shape: Sequence[int],
        axes: Sequence[int] | None = None,
        **details: Any,
    ) -> Value:
        """Emit an operation; `shape` is the result's logical shape, `axes` its layout (identity if left out)."""
        name = f"{self._layer}/{len(self.ops)}"
        value = Value(name, tuple(shape), tuple(axes) if axes is not None else identity(len(shape)))
        names = tuple(item.name for item in inputs)
        self.ops.append(kind(layer=self._layer, inputs=names, output=name, shape=value.physical_shape, **details))
        return value

    def like(self, kind: type[OpType], value: Value, **details: Any) -> Value:
        """Emit an elementwise operation: the result lies as `value` does."""
        made = self.op(kind, [value], value.shape, value.axes, **details)
        return Value(made.name, value.shape, value.axes, value.folded)

    def activation(self, value: Value, function: Function) -> Value:
        """Emit an activation, nothing for the linear one; softmax is over the last axis."""
        name, parameters = function
        if name == "linear":
            return value
        if name in ("softmax", "log_softmax"):
            return self.softmax(value, name, len(value.shape) - 1)
        return self.like(Activation, value, function=name, parameters=parameters)

    def softmax(self, value: Value, name: str, axis: int) -> Value:
        """Emit softmax or log_softmax over a logical axis, which is brought last in memory."""
        others = tuple(other for other in value.axes if other != axis)
        return self.like(Activation, self.with_axes(value, (*others, axis)), function=name, parameters=())

    def affine(self, value: Value, scale: Array | None, shift: Array | None) -> Value:
        """Emit x * scale + shift; both are in the logical layout and broadcast."""
        return self.like(
            Affine,
            value,
            scale=None if scale is None else float32(value.physical(scale)),
            shift=None if shift is None else float32(value.physical(shift)),
        )

    def plain(self, value: Value) -> Value:
        """The same tensor laid out as Keras names it."""
        return self.with_axes(value, identity(len(value.shape)))

    def with_axes(self, value: Value, axes: tuple[int, ...]) -> Value:
        """The same tensor with its axes in another order: one transpose, shared by all who ask."""
        if value.folded is not None:
            return self._unfolded(value)
        if value.axes == axes:
            return value
        if (value.name, axes) not in self._moved:
            self._moved[value.name, axes] = self._move(value, axes)
        return self._moved[value.name, axes]

    def _move(self, value: Value, axes: tuple[int, ...]) -> Value:
        if moves_only_ones(value.shape, value.axes, axes):
            return self.op(Reshape, [value], value.shape, axes)
        order = tuple(value.axes.index(axis) for axis in axes)
        name = f"{self._layer}/{len(self.ops)}"
        moved = Value(name, value.shape, axes)
        self.ops.append(Transpose(self._layer, (value.name,), name, moved.physical_shape, order))
        return moved

    def _unfolded(self, value: Value) -> Value:
        """A folded vector in its logical order: back to the board, transposed, flat again."""
        key = (value.name, (-1,))
        if key not in self._moved:
            shape, axes = value.folded or ((), ())
            board = self.op(Reshape, [value], shape, axes)
            self._moved[key] = self.op(Reshape, [self.with_axes(board, identity(len(shape)))], value.shape)
        return self._moved[key]

    def flat(self, value: Value) -> Value:
        """All values as one vector, in memory's order: nothing moves, the layout remembers."""
        size = (prod(value.shape),)
        made = self.op(Reshape, [value], size) if len(value.shape) != 1 else value
        if value.is_plain:
            return made
        folded = value.folded or (value.shape, value.axes)
        return Value(made.name, size, (0,), folded if folded[1] != identity(len(folded[0])) else None)


def identity(rank: int) -> tuple[int, ...]:
    """The axes of a tensor that lies as it is named."""
    return tuple(range(rank))


def moves_only_ones(shape: tuple[int, ...], before: tuple[int, ...], after: tuple[int, ...]) -> bool:
    """Whether going from one order of axes to another moves nothing but axes of size 1."""
    kept = [axis for axis in before if shape[axis] != 1]
    return kept == [axis for axis in after if shape[axis] != 1]


def float32(array: Array) -> Array:
    """Contiguous float32, the type of every constant in Network."""
    return np.ascontiguousarray(array, dtype=np.float32)


def refuse(layer: Layer, reason: str) -> UnsupportedLayer:
    """The error that a rule raises where it has no canonical form for a layer."""
    return UnsupportedLayer(layer.name, reason)


def misfit(layer: Layer, reason: str) -> CheckpointError:
    """The error about weights that cannot belong to the architecture."""
    return CheckpointError(f"layer '{layer.name}': {reason}: the weights belong to another architecture.")
