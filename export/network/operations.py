"""What each plain operation (concat, x + y, clip, ...) becomes: a table from its name to its canonical form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..checkpoint.layer_graph import Array, Call
from .activations import Function, activation_of, number, relu_of
from .emitter import Emitter, Value, refuse
from .layers import combined, concatenated, one_axis, relabelled, reshaped
from .network import Combine
from .norm_layers import Reduction, reduced, several_axes


@dataclass(frozen=True, eq=False)
class Operation:
    """One operation: its tensors, and all that it was given by the names used here.

    Among `given` a tensor is a Value, a number or an array a float64 array, anything else as it is.
    """

    emitter: Emitter
    call: Call
    inputs: Sequence[Value]
    given: Mapping[str, Any]

    @property
    def x(self) -> Value:
        """The first operand; UnsupportedLayer where it is no tensor."""
        x = self.given.get("x")
        if not isinstance(x, Value):
            raise self.refused("its first operand is no tensor")
        return x

    def refused(self, reason: str) -> Exception:
        """The error to raise where the operation has no canonical form."""
        return refuse(self.call.layer, reason)

    def number(self, name: str, default: float) -> float:
        """An argument that is a number."""
        value = self.given.get(name)
        return default if value is None else number(value)


Handler = Callable[[Operation], Value]
# An operation's parameters in their order, and what it becomes.
Entry = tuple[tuple[str, ...], Handler]


def binary(function: str) -> Entry:
    """Two operands, of which one may be a constant."""

    def run(operation: Operation) -> Value:
        x, y = operation.given["x"], operation.given["y"]
        if isinstance(x, Value) and isinstance(y, Value):
            return combined(operation.emitter, [x, y], function)
        value, constant = (x, y) if isinstance(x, Value) else (y, x)
        return _with_constant(operation, value, function, _broadcast(operation, value, constant), isinstance(y, Value))

    return ("x", "y"), run


def _broadcast(operation: Operation, value: Value, constant: Any) -> Array:
    """A constant with the rank of the tensor, its batch axis of one gone."""
    array, rank = np.asarray(constant, np.float64), len(value.shape)
    if array.ndim == rank + 1 and array.shape[0] == 1:
        array = array[0]
    if array.ndim > rank:
        raise operation.refused("it combines the batch with a constant")
    array = array.reshape((1,) * (rank - array.ndim) + array.shape)
    if any(size not in (1, wide) for size, wide in zip(array.shape, value.shape, strict=True)):
        raise operation.refused(f"it spreads {value.shape} over a constant of shape {array.shape}")
    return array


def _with_constant(operation: Operation, value: Value, function: str, constant: Array, first: bool) -> Value:
    """`value` and a constant; `first` where the constant is the first operand."""
    emitter = operation.emitter
    if function == "divide" and first:
        return emitter.affine(emitter.activation(value, ("reciprocal", ())), constant, None)
    if function in ("multiply", "divide"):
        return emitter.affine(value, constant if function == "multiply" else 1 / constant, None)
    if function == "add":
        return emitter.affine(value, None, constant)
    if function == "subtract":
        return emitter.affine(value, -np.ones_like(constant) if first else None, constant if first else -constant)
    if constant.size != 1:
        raise operation.refused(f"'{function}' with an array has no canonical form")
    return emitter.activation(value, (function, (float(constant.item()),)))


def _power(operation: Operation) -> Value:
    exponent = operation.given["y"]
    known: dict[float, Handler] = {
        2.0: _square,
        1.0: lambda made: made.x,
        0.5: lambda made: made.emitter.activation(made.x, ("sqrt", ())),
        -0.5: lambda made: made.emitter.activation(made.x, ("rsqrt", ())),
        -1.0: lambda made: made.emitter.activation(made.x, ("reciprocal", ())),
    }
    if isinstance(exponent, Value) or np.size(exponent) != 1 or number(exponent) not in known:
        raise operation.refused("a power with this exponent has no canonical form")
    return known[number(exponent)](operation)


def _square(operation: Operation) -> Value:
    x = operation.x
    made = operation.emitter.op(Combine, [x, x], x.shape, x.axes, function="multiply")
    return Value(made.name, x.shape, x.axes, x.folded)


def _negative(operation: Operation) -> Value:
    return operation.emitter.affine(operation.x, np.full((1,) * len(operation.x.shape), -1.0), None)


def activation(*parameters: str, function: Callable[[Operation], Function]) -> Entry:
    """An elementwise function of the first operand."""
    return ("x", *parameters), lambda operation: operation.emitter.activation(operation.x, function(operation))


def _named(name: str) -> Entry:
    def function(operation: Operation) -> Function:
        return activation_of(operation.call.layer, name, operation.emitter.keras_major)

    return activation(function=function)


def _arithmetic(name: str) -> Entry:
    return activation(function=lambda _: (name, ()))


def _relu(operation: Operation) -> Function:
    maximum = operation.given.get("max_value")
    slope, threshold = operation.number("negative_slope", 0.0), operation.number("threshold", 0.0)
    return relu_of(slope, None if maximum is None else number(maximum), threshold)


def _softmax(name: str) -> Entry:
    def run(operation: Operation) -> Value:
        axis = operation.given.get("axis")
        along = one_axis(operation.call.layer, -1 if axis is None else axis, len(operation.x.shape))
        return operation.emitter.softmax(operation.x, name, along)

    return ("x", "axis"), run


def _clip(operation: Operation) -> Value:
    low, high = operation.given["low"], operation.given["high"]
    if np.size(low) != 1 or np.size(high) != 1 or isinstance(low, Value) or isinstance(high, Value):
        raise operation.refused("clipping by tensors has no canonical form")
    above = operation.emitter.activation(operation.x, ("maximum", (number(low),)))
    return operation.emitter.activation(above, ("minimum", (number(high),)))


def reduction(function: Reduction) -> Entry:
    """Over some axes, never over the batch."""

    def run(operation: Operation) -> Value:
        x, axis = operation.emitter.plain(operation.x) if operation.x.folded else operation.x, operation.given["axis"]
        axes = several_axes(operation.call.layer, axis, len(x.shape))
        return reduced(operation.emitter, x, function, axes, keep=bool(operation.given.get("keepdims")))

    return ("x", "axis", "keepdims"), run


def _concat(operation: Operation) -> Value:
    axis = operation.given.get("axis")
    return concatenated(operation.emitter, operation.call.layer, operation.inputs, -1 if axis is None else axis)


def _reshape(operation: Operation) -> Value:
    shape = operation.given["shape"]
    if not isinstance(shape, (list, tuple)) or not shape or not all(isinstance(size, int) for size in shape):
        raise operation.refused("it reshapes to a computed shape")
    return reshaped(operation.emitter, operation.x, [int(size) for size in shape[1:]])


def _transpose(operation: Operation) -> Value:
    order, x = operation.given.get("axes"), operation.x
    if not isinstance(order, (list, tuple)) or not order or order[0] != 0:
        raise operation.refused("it moves the batch axis")
    return relabelled(operation.emitter.plain(x) if x.folded else x, [int(axis) - 1 for axis in order[1:]])


def _expand_dims(operation: Operation) -> Value:
    shape = list(operation.x.shape)
    at = one_axis(operation.call.layer, operation.given["axis"], len(shape) + 1)
    return reshaped(operation.emitter, operation.x, [*shape[:at], 1, *shape[at:]])


def _squeeze(operation: Operation) -> Value:
    shape, axis = operation.x.shape, operation.given.get("axis")
    ones = [at for at, size in enumerate(shape) if size == 1]
    gone = ones if axis in (None, []) else several_axes(operation.call.layer, axis, len(shape))
    return reshaped(operation.emitter, operation.x, [size for at, size in enumerate(shape) if at not in gone])


def _cast(operation: Operation) -> Value:
    if "float" not in str(operation.given.get("dtype", "float32")):
        raise operation.refused(f"a cast to {operation.given['dtype']} has no canonical form")
    return operation.x


def _add_n(operation: Operation) -> Value:
    return combined(operation.emitter, operation.inputs, "add")


_NAMED = ("relu6", "tanh", "sigmoid", "softplus", "softsign", "selu", "silu", "mish", "hard_swish", "hard_tanh")
_NAMED_TOO = ("exponential", "log_sigmoid", "tanh_shrink", "squareplus", "hard_sigmoid")
OPERATIONS: dict[str, Entry] = {
    **{name: binary(name) for name in ("add", "subtract", "multiply", "divide", "maximum", "minimum")},
    **{name: _named(name) for name in (*_NAMED, *_NAMED_TOO)},
    **{name: _arithmetic(name) for name in ("abs", "log", "sqrt", "rsqrt", "reciprocal")},
    **{name: reduction(name) for name in ("mean", "sum", "max", "min")},
    "pow": (("x", "y"), _power),
    "square": (("x",), _square),
    "negative": (("x",), _negative),
    "relu": activation("negative_slope", "max_value", "threshold", function=_relu),
    "leaky_relu": activation(
        "negative_slope", function=lambda made: ("leaky_relu", (made.number("negative_slope", 0.2),))
    ),
    "elu": activation("negative_slope", function=lambda made: ("elu", (made.number("negative_slope", 1.0),))),
    "celu": activation("negative_slope", function=lambda made: ("celu", (made.number("negative_slope", 1.0),))),
    "gelu": activation("approximate", function=lambda made: ("gelu", (float(bool(made.given.get("approximate"))),))),
    "softmax": _softmax("softmax"),
    "log_softmax": _softmax("log_softmax"),
    "clip": (("x", "low", "high"), _clip),
    "concat": (("tensors", "axis"), _concat),
    "add_n": (("tensors",), _add_n),
    "reshape": (("x", "shape"), _reshape),
    "batch_flatten": (("x",), lambda made: reshaped(made.emitter, made.x, [-1])),
    "transpose": (("x", "axes"), _transpose),
    "expand_dims": (("x", "axis"), _expand_dims),
    "squeeze": (("x", "axis"), _squeeze),
    "cast": (("x", "dtype"), _cast),
    "identity": (("x",), lambda made: made.x),
}
