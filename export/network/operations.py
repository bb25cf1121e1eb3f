"""The canonical form of plain operations that Keras keeps as layers: tf.concat, x + y, ops.relu.

`OPERATIONS` is the table from an operation's one name to what it becomes; `operation` reads a call's
name and arguments, of which every version of Keras and TensorFlow has its own spelling.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..checkpoint.hdf5 import snake_case
from ..checkpoint.layer_graph import Array, Call
from .activations import Function, activation_of, number, relu_of
from .emitter import Emitter, Value, refuse
from .layers import Rule, emit_combination, emit_concatenation, emit_reshape, one_axis, relabel
from .network import Crop, Product
from .norm_layers import Reduction, emit_reduction, several_axes


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
        """The first operand; UnsupportedLayer if it is no tensor."""
        x = self.given.get("x")
        if not isinstance(x, Value):
            raise self.refusal("its first operand is no tensor")
        return x

    def refusal(self, reason: str) -> Exception:
        """The error to raise if the operation has no canonical form."""
        return refuse(self.call.layer, reason)

    def number(self, name: str, default: float) -> float:
        """An argument that is a number."""
        value = self.given.get(name)
        return default if value is None else number(value)

    def broadcast(self, constant: Any, value: Value) -> Array:
        """A constant as float64 with the rank of the tensor, its batch axis of one gone.

        Raises UnsupportedLayer if it has a batch, or is larger than the tensor along an axis.
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
# An operation's parameters in their order, and what it becomes.
Entry = tuple[tuple[str, ...], Handler]


def binary(function: str) -> Entry:
    """Two operands, of which one may be a constant."""

    def run(operation: Operation) -> Value:
        emitter, x, y = operation.emitter, operation.given["x"], operation.given["y"]
        if isinstance(x, Value) and isinstance(y, Value):
            return emit_combination(emitter, [x, y], function)
        # With a constant all but the extremes are a scale or a shift, which folds into the layer before.
        constant_first = isinstance(y, Value)
        value = y if constant_first else x
        constant = operation.broadcast(x if constant_first else y, value)
        if function == "add":
            return emitter.affine(value, None, constant)
        if function == "subtract":
            if constant_first:
                return emitter.affine(value, -np.ones_like(constant), constant)
            return emitter.affine(value, None, -constant)
        if function == "multiply":
            return emitter.affine(value, constant, None)
        if function == "divide":
            if constant_first:
                return emitter.affine(emitter.activation(value, ("reciprocal", ())), constant, None)
            return emitter.affine(value, 1 / constant, None)
        if constant.size != 1:
            raise operation.refusal(f"'{function}' with an array has no canonical form")
        return emitter.activation(value, (function, (float(constant.item()),)))

    return ("x", "y"), run


def _power(operation: Operation) -> Value:
    exponent = operation.given["y"]
    known: dict[float, Handler] = {
        2.0: lambda made: made.emitter.pairwise(made.x, made.x, "multiply"),
        1.0: lambda made: made.x,
        0.5: lambda made: made.emitter.activation(made.x, ("sqrt", ())),
        -0.5: lambda made: made.emitter.activation(made.x, ("rsqrt", ())),
        -1.0: lambda made: made.emitter.activation(made.x, ("reciprocal", ())),
    }
    if isinstance(exponent, Value) or np.size(exponent) != 1 or number(exponent) not in known:
        raise operation.refusal("a power with this exponent has no canonical form")
    return known[number(exponent)](operation)


def activation(*parameters: str, function: Callable[[Operation], Function]) -> Entry:
    """An elementwise function of the first operand."""
    return ("x", *parameters), lambda operation: operation.emitter.activation(operation.x, function(operation))


def activation_named(name: str) -> Entry:
    """The activation that Keras has under this name, with the defaults of the Keras that wrote the file."""
    return activation(function=lambda made: activation_of(made.call.layer, name, made.emitter.keras_major))


def arithmetic(name: str) -> Entry:
    """An elementwise function that is no activation of Keras and takes nothing but the operand."""
    return activation(function=lambda _: (name, ()))


def _relu(operation: Operation) -> Function:
    maximum = operation.given.get("max_value")
    slope, threshold = operation.number("negative_slope", 0.0), operation.number("threshold", 0.0)
    return relu_of(slope, None if maximum is None else number(maximum), threshold)


def softmax(name: str) -> Entry:
    """Softmax or log_softmax, over the last axis unless it says otherwise."""

    def run(operation: Operation) -> Value:
        axis = operation.given.get("axis")
        along = one_axis(operation.call.layer, -1 if axis is None else axis, len(operation.x.shape))
        return operation.emitter.softmax(operation.x, name, along)

    return ("x", "axis"), run


def _clip(operation: Operation) -> Value:
    low, high = operation.given["low"], operation.given["high"]
    if np.size(low) != 1 or np.size(high) != 1 or isinstance(low, Value) or isinstance(high, Value):
        raise operation.refusal("clipping by tensors has no canonical form")
    above = operation.emitter.activation(operation.x, ("maximum", (number(low),)))
    return operation.emitter.activation(above, ("minimum", (number(high),)))


def reduction(function: Reduction) -> Entry:
    """Over some axes, never over the batch."""

    def run(operation: Operation) -> Value:
        x, axis = operation.emitter.plain(operation.x) if operation.x.folded else operation.x, operation.given["axis"]
        axes = several_axes(operation.call.layer, axis, len(x.shape))
        return emit_reduction(operation.emitter, x, function, axes, keep=bool(operation.given.get("keepdims")))

    return ("x", "axis", "keepdims"), run


def _reshape(operation: Operation) -> Value:
    shape = operation.given["shape"]
    if not isinstance(shape, (list, tuple)) or not shape or not all(isinstance(size, int) for size in shape):
        raise operation.refusal("it reshapes to a computed shape")
    return emit_reshape(operation.emitter, operation.x, [int(size) for size in shape[1:]])


def _transpose(operation: Operation) -> Value:
    order, x = operation.given.get("axes"), operation.x
    if not isinstance(order, (list, tuple)) or not order or order[0] != 0:
        raise operation.refusal("it moves the batch axis")
    return relabel(operation.emitter.plain(x) if x.folded else x, [int(axis) - 1 for axis in order[1:]])


def _expand_dims(operation: Operation) -> Value:
    shape = list(operation.x.shape)
    at = one_axis(operation.call.layer, operation.given["axis"], len(shape) + 1)
    return emit_reshape(operation.emitter, operation.x, [*shape[:at], 1, *shape[at:]])


def _squeeze(operation: Operation) -> Value:
    shape, axis = operation.x.shape, operation.given.get("axis")
    ones = [at for at, size in enumerate(shape) if size == 1]
    gone = ones if axis in (None, []) else several_axes(operation.call.layer, axis, len(shape))
    return emit_reshape(operation.emitter, operation.x, [size for at, size in enumerate(shape) if at not in gone])


def _concat(operation: Operation) -> Value:
    axis = operation.given.get("axis")
    return emit_concatenation(operation.emitter, operation.call.layer, operation.inputs, -1 if axis is None else axis)


def _matmul(operation: Operation) -> Value:
    """Two tensors of a position, as attention multiplies them: alike but for their last two axes."""
    x, y = operation.given["x"], operation.given["y"]
    if not isinstance(x, Value) or not isinstance(y, Value):
        raise operation.refusal("a product with numbers of the file has no canonical form")
    if len(x.shape) < 2 or x.shape[:-2] != y.shape[:-2] or x.shape[-1] != y.shape[-2]:
        raise operation.refusal(f"the product of {x.shape} and {y.shape} has no canonical form")
    shape = (*x.shape[:-1], y.shape[-1])
    return operation.emitter.op(Product, [operation.emitter.plain(x), operation.emitter.plain(y)], shape)


def _getitem(operation: Operation) -> Value:
    """x[:, 2:4]: some of the values along axes, never of the positions; a number takes its axis away."""
    x, where = operation.emitter.plain(operation.x) if operation.x.folded else operation.x, operation.given["where"]
    items = list(where) if isinstance(where, (list, tuple)) else [where]
    if not items or _slice(items[0]) != slice(None) or len(items) > len(x.shape) + 1:
        raise operation.refusal("it takes some of the positions")
    begin, shape, kept = [0] * len(x.shape), list(x.shape), []
    for axis, item in enumerate(items[1:]):
        part = slice(item, item + 1 or None) if type(item) is int else _slice(item)
        first, last, step = part.indices(x.shape[axis])
        if step != 1 or last <= first:
            raise operation.refusal("it takes every second value, or none")
        begin[axis], shape[axis] = first, last - first
        kept += [] if type(item) is int else [axis]
    kept += range(len(items) - 1, len(x.shape))
    if tuple(shape) != x.shape:
        x = operation.emitter.op(Crop, [x], shape, x.axes, begin=tuple(begin[axis] for axis in x.axes))
    return emit_reshape(operation.emitter, x, [shape[axis] for axis in kept])


def _slice(item: Any) -> slice:
    """A slice as Keras writes it, perhaps in an object; TypeError for anything else."""
    ends = item.get("config", item) if isinstance(item, Mapping) else None
    if not isinstance(ends, Mapping) or set(ends) != {"start", "stop", "step"}:
        raise TypeError("an index that is no slice")
    return slice(ends["start"], ends["stop"], ends["step"])


def _cast(operation: Operation) -> Value:
    if "float" not in str(operation.given.get("dtype", "float32")):
        raise operation.refusal(f"a cast to {operation.given['dtype']} has no canonical form")
    return operation.x


_NAMED = (
    *("relu6", "tanh", "sigmoid", "softplus", "softsign", "selu", "silu", "mish", "hard_swish", "hard_tanh"),
    *("exponential", "log_sigmoid", "tanh_shrink", "squareplus", "hard_sigmoid"),
)
OPERATIONS: dict[str, Entry] = {
    **{name: binary(name) for name in ("add", "subtract", "multiply", "divide", "maximum", "minimum")},
    **{name: activation_named(name) for name in _NAMED},
    **{name: arithmetic(name) for name in ("abs", "log", "sqrt", "rsqrt", "reciprocal")},
    **{name: reduction(name) for name in ("mean", "sum", "max", "min")},
    "pow": (("x", "y"), _power),
    "square": (("x",), lambda made: made.emitter.pairwise(made.x, made.x, "multiply")),
    "negative": (("x",), lambda made: made.emitter.affine(made.x, -1.0, None)),
    "relu": activation("negative_slope", "max_value", "threshold", function=_relu),
    "leaky_relu": activation(
        "negative_slope", function=lambda made: ("leaky_relu", (made.number("negative_slope", 0.2),))
    ),
    "elu": activation("negative_slope", function=lambda made: ("elu", (made.number("negative_slope", 1.0),))),
    "celu": activation("negative_slope", function=lambda made: ("celu", (made.number("negative_slope", 1.0),))),
    "gelu": activation("approximate", function=lambda made: ("gelu", (float(bool(made.given.get("approximate"))),))),
    **{name: softmax(name) for name in ("softmax", "log_softmax")},
    "clip": (("x", "low", "high"), _clip),
    "concat": (("tensors", "axis"), _concat),
    "add_n": (("tensors",), lambda made: emit_combination(made.emitter, made.inputs, "add")),
    "reshape": (("x", "shape"), _reshape),
    "batch_flatten": (("x",), lambda made: emit_reshape(made.emitter, made.x, [-1])),
    "transpose": (("x", "axes"), _transpose),
    "expand_dims": (("x", "axis"), _expand_dims),
    "squeeze": (("x", "axis"), _squeeze),
    "getitem": (("x", "where"), _getitem),
    "matmul": (("x", "y"), _matmul),
    "cast": (("x", "dtype"), _cast),
    "identity": (("x",), lambda made: made.x),
}

# Other spellings: of an operation, and of a parameter in TensorFlow and in Keras 3.
_OPERATION_NAMES = {
    "add_v2": "add",
    "sub": "subtract",
    "mul": "multiply",
    **dict.fromkeys(("truediv", "true_divide", "div", "realdiv"), "divide"),
    "power": "pow",
    "neg": "negative",
    "get_item": "getitem",
    "absolute": "abs",
    "exp": "exponential",
    "swish": "silu",
    "hard_silu": "hard_swish",
    "softmax_v2": "softmax",
    "amax": "max",
    "amin": "min",
    "concatenate": "concat",
    "clip_by_value": "clip",
    "permute_dimensions": "transpose",
    **dict.fromkeys(("stop_gradient", "convert_to_tensor", "ensure_shape"), "identity"),
}
_PARAMETER_NAMES = {
    **dict.fromkeys(("x1", "a", "input", "input_tensor", "tensor", "features", "logits", "t", "value", "pool"), "x"),
    **dict.fromkeys(("x2", "b"), "y"),
    **dict.fromkeys(("values", "xs", "inputs"), "tensors"),
    "newshape": "shape",
    **dict.fromkeys(("perm", "pattern"), "axes"),
    **dict.fromkeys(("dim", "axis1"), "axis"),
    "keep_dims": "keepdims",
    **dict.fromkeys(("clip_value_min", "x_min", "min_value"), "low"),
    **dict.fromkeys(("clip_value_max", "x_max"), "high"),
    "alpha": "negative_slope",
    **dict.fromkeys(("slice_spec", "key"), "where"),
}
# Arguments that name a value, or hold in training alone.
_NO_EFFECT = frozenset({"name", "trainable", "function", "conjugate", "dtype"})


def operation(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """One operation by its function's last name: tf.math.add, tf.__operators__.add and ops.Add are all add.

    Raises UnsupportedLayer for an unknown operation or argument. An argument that is silently ignored could be the one
    that changes the result.
    """
    name = operation_name(call)
    if name not in OPERATIONS:
        raise refuse(call.layer, f"operation '{name}' has no canonical form")
    parameters, handler = OPERATIONS[name]
    positional = list(call.arguments.get("args", ()))
    if parameters[0] == "tensors" and not (positional and isinstance(positional[0], list)):
        positional = [positional]  # Keras 2 writes the tensors of tf.concat one by one
    if len(positional) > len(parameters):
        raise refuse(call.layer, f"its {len(parameters) + 1}. argument has no canonical form")
    given = {key: _resolve(value, inputs) for key, value in zip(parameters, positional, strict=False)}
    # Keras 3 keeps what an operation was made with (axis, keepdims) as its configuration, Keras 2 all in the call.
    made_with = call.layer.config if call.layer.kind.startswith("ops.") else {}
    for key, value in (*call.arguments.items(), *made_with.items()):
        parameter = key if key in parameters else _PARAMETER_NAMES.get(key, key)
        if parameter in parameters:
            given.setdefault(parameter, _resolve(value, inputs))
        elif value is not None and key not in ("args", *_NO_EFFECT):
            raise refuse(call.layer, f"argument '{key}' has no canonical form")
    return handler(Operation(emitter, call, inputs, given))


def operation_name(call: Call) -> str:
    """The operation in one spelling: math.reduce_mean and ops.Mean are both "mean"."""
    kind = call.layer.kind
    written = snake_case(kind.removeprefix("ops.")) if kind.startswith("ops.") else str(call.layer.config["function"])
    name = written.rsplit(".", 1)[-1].lower().removeprefix("reduce_")
    return _OPERATION_NAMES.get(name, name)


def _resolve(value: Any, inputs: Sequence[Value]) -> Any:
    """An argument with tensors and arrays in the places where Keras wrote about them."""
    if isinstance(value, Mapping) and set(value) == {"tensor"}:
        return inputs[value["tensor"]]
    if isinstance(value, Mapping) and value.get("class_name") in ("__tensor__", "__numpy__"):
        return np.asarray(value["config"]["value"], np.float64)
    return value


def rule_for(kind: str) -> Rule | None:
    """The rule of an operation layer, None for any other kind."""
    return operation if kind == "TFOpLambda" or kind.startswith("ops.") else None
