"""The canonical form of plain operations that Keras writes as layers: tf.concat, x + y, ops.relu.

`OPERATIONS` maps an operation's canonical name to its rule. `operation` reads the name and arguments of a call, which
each version of Keras and TensorFlow spells differently.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..checkpoint.hdf5 import snake_case
from ..checkpoint.layer_graph import Call
from . import moving_operations as moving
from . import truth_operations as truth
from .activations import Function, activation_of, number, relu_of
from .emitter import Emitter, Value, refuse
from .layers import Rule, emit_combination, emit_reshape, one_axis
from .norm_layers import Reduction, emit_by_root_mean_square, emit_reduction, emit_unit, emit_variance, several_axes
from .operation import Entry, Operation


def binary(function: str) -> Entry:
    """An operation on two operands, one of which may be a constant."""

    def run(operation: Operation) -> Value:
        emitter, x, y = operation.emitter, operation.given["x"], operation.given["y"]
        if isinstance(x, Value) and isinstance(y, Value):
            return emit_combination(emitter, [x, y], function)
        # With a constant, every operation except the extremes is a scale or a shift, which folds into the layer before.
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
    if isinstance(exponent, Value) or np.size(exponent) != 1:
        raise operation.refusal("a power with such an exponent has no canonical form")
    emitter, x, power = operation.emitter, operation.x, number(exponent)
    known = {1.0: "linear", 0.5: "sqrt", -0.5: "rsqrt", -1.0: "reciprocal"}
    if power in known:
        return emitter.activation(x, (known[power], ()))
    whole, half = int(abs(power)), abs(power) % 1
    if half not in (0, 0.5) or not 1 <= whole <= _LARGEST_POWER:
        # It is NaN below zero, as in the original.
        return emitter.activation(emitter.affine(emitter.activation(x, ("log", ())), power, None), ("exponential", ()))
    made = x
    for _ in range(whole - 1):
        made = emitter.pairwise(made, x, "multiply")
    if half:
        made = emitter.pairwise(made, emitter.activation(x, ("sqrt", ())), "multiply")
    return made if power > 0 else emitter.activation(made, ("reciprocal", ()))


# The most factors as which a power is written.
_LARGEST_POWER = 8


def activation(*parameters: str, function: Callable[[Operation], Function]) -> Entry:
    """An elementwise function of the first operand."""
    return ("x", *parameters), lambda operation: operation.emitter.activation(operation.x, function(operation))


def activation_named(name: str) -> Entry:
    """The activation with this name in Keras, with the defaults of the Keras that wrote the file."""
    return activation(function=lambda made: activation_of(made.call.layer, name, made.emitter.keras_major))


def arithmetic(name: str) -> Entry:
    """An elementwise function that Keras does not count as an activation; it takes only the operand."""
    return activation(function=lambda _: (name, ()))


def _relu(operation: Operation) -> Function:
    maximum = operation.given.get("max_value")
    slope, threshold = operation.number("negative_slope", 0.0), operation.number("threshold", 0.0)
    return relu_of(slope, None if maximum is None else number(maximum), threshold)


def softmax(name: str) -> Entry:
    """Softmax or log_softmax, over the last axis unless the call names another."""

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
    """The rule of a reduction over some axes, never over the batch."""

    def run(operation: Operation) -> Value:
        x, axis = operation.emitter.unfolded(operation.x), operation.given["axis"]
        axes = several_axes(operation.call.layer, axis, len(x.shape))
        return emit_reduction(operation.emitter, x, function, axes, keep=bool(operation.given.get("keepdims")))

    return ("x", "axis", "keepdims"), run


def _cast(operation: Operation) -> Value:
    if "bool" in str(operation.given.get("dtype")):
        return truth.comparison("not_equal")(replace(operation, given={"x": operation.x, "y": 0.0}))
    if "float" not in str(operation.given.get("dtype", "float32")):
        raise operation.refusal(f"a cast to {operation.given['dtype']} has no canonical form")
    return operation.x


def _variance(operation: Operation) -> Value:
    """The mean of the squared distances from the mean."""
    x = operation.emitter.unfolded(operation.x)
    axes = several_axes(operation.call.layer, operation.given["axis"], len(x.shape))
    return emit_variance(operation.emitter, x, axes, keep=bool(operation.given.get("keepdims")))[1]


def _log_sum_exp(operation: Operation) -> Value:
    """The logarithm of the sum of e^x; the largest x is subtracted first."""
    emitter, x = operation.emitter, operation.emitter.unfolded(operation.x)
    axes = several_axes(operation.call.layer, operation.given["axis"], len(x.shape))
    most = emit_reduction(emitter, x, "max", axes, keep=True)
    parts = emitter.activation(emitter.pairwise(x, most, "subtract"), ("exponential", ()))
    total = emitter.activation(emit_reduction(emitter, parts, "sum", axes, keep=True), ("log", ()))
    made = emitter.pairwise(total, most, "add")
    left = [size for axis, size in enumerate(x.shape) if axis not in axes]
    return made if operation.given.get("keepdims") else emit_reshape(emitter, made, left)


def _normalize(operation: Operation) -> Value:
    """The tensor divided by its length along an axis."""
    if operation.number("order", 2.0) != 2.0:
        raise operation.refusal("another length than the usual one has no canonical form")
    axes = several_axes(operation.call.layer, operation.given.get("axis", -1), len(operation.x.shape))
    return emit_unit(operation.emitter, operation.x, axes, operation.number("epsilon", 1e-12))


def _rms_normalization(operation: Operation) -> Value:
    """The tensor divided by the root of its mean square, times numbers in the file."""
    x, scale = operation.x, operation.given.get("scale")
    axes = several_axes(operation.call.layer, operation.given.get("axis", -1), len(x.shape))
    made = emit_by_root_mean_square(operation.emitter, x, axes, operation.number("epsilon", 1e-6))
    if isinstance(scale, Value):
        raise operation.refusal("a scale that is computed has no canonical form")
    return made if scale is None else operation.emitter.affine(made, operation.broadcast(scale, made), None)


_NAMED = (
    *("relu6", "tanh", "sigmoid", "softplus", "softsign", "selu", "silu", "mish", "hard_swish", "hard_tanh"),
    *("exponential", "log_sigmoid", "tanh_shrink", "squareplus", "hard_sigmoid", "sparse_plus", "sparse_sigmoid"),
)
OPERATIONS: dict[str, Entry] = {
    **{name: binary(name) for name in ("add", "subtract", "multiply", "divide", "maximum", "minimum")},
    **{name: activation_named(name) for name in _NAMED},
    **{name: arithmetic(name) for name in ("abs", "log", "sqrt", "rsqrt", "reciprocal", "erf", "sign")},
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
    "concat": (("tensors", "axis"), moving.concatenate),
    "add_n": (("tensors",), lambda made: emit_combination(made.emitter, made.inputs, "add")),
    "reshape": (("x", "shape"), moving.reshape),
    "batch_flatten": (("x",), lambda made: emit_reshape(made.emitter, made.x, [-1])),
    "transpose": (("x", "axes"), moving.transpose),
    "expand_dims": (("x", "axis"), moving.expand_dims),
    "squeeze": (("x", "axis"), moving.squeeze),
    "getitem": (("x", "where"), moving.get_item),
    "matmul": (("x", "y", "transpose_a", "transpose_b"), moving.matmul),
    "einsum": (("x", "y", "subscripts"), moving.einsum),
    "split": (("x", "parts", "axis"), moving.split),
    "unstack": (("x", "num", "axis"), moving.unstack),
    "stack": (("tensors", "axis"), moving.stack),
    "flip": (("x", "axis"), moving.flip),
    "roll": (("x", "shift", "axis"), moving.roll),
    "take": (("x", "places", "axis"), moving.take),
    "pad": (("x", "pad_width", "mode", "constant_values"), moving.pad),
    "tile": (("x", "repeats"), moving.tile),
    "repeat": (("x", "repeats", "axis"), moving.repeat),
    "swapaxes": (("x", "axis", "axis2"), moving.swap_axes),
    "moveaxis": (("x", "source", "destination"), moving.move_axis),
    **{name: (("x", "y"), truth.comparison(name)) for name in truth.COMPARISONS},
    **{name: (("x", "y"), truth.joined(function)) for name, function in truth.JOINED.items()},
    "logical_not": (("x",), truth.negated),
    "where": (("condition", "x", "y"), truth.where),
    "one_hot": (("x", "count", "axis"), truth.one_hot),
    "ones_like": (("x",), lambda made: made.emitter.affine(made.x, 0.0, 1.0)),
    "zeros_like": (("x",), lambda made: made.emitter.affine(made.x, 0.0, 0.0)),
    "var": (("x", "axis", "keepdims"), _variance),
    "std": (("x", "axis", "keepdims"), lambda made: made.emitter.activation(_variance(made), ("sqrt", ()))),
    "logsumexp": (("x", "axis", "keepdims"), _log_sum_exp),
    "normalize": (("x", "axis", "order", "epsilon"), _normalize),
    "l2_normalize": (("x", "axis", "epsilon"), _normalize),
    "rms_normalization": (("x", "scale", "axis", "epsilon"), _rms_normalization),
    "soft_shrink": activation("limit", function=lambda made: ("soft_shrink", (made.number("limit", 0.5),))),
    "hard_shrink": activation("limit", function=lambda made: ("hard_shrink", (made.number("limit", 0.5),))),
    "expm1": (
        ("x",),
        lambda made: made.emitter.affine(made.emitter.activation(made.x, ("exponential", ())), None, -1.0),
    ),
    "log1p": (("x",), lambda made: made.emitter.activation(made.emitter.affine(made.x, None, 1.0), ("log", ()))),
    "cast": (("x", "dtype"), _cast),
    "identity": (("x",), lambda made: made.x),
}

# Other spellings of an operation, and of a parameter in TensorFlow and in Keras 3.
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
    "variance": "var",
    "reduce_logsumexp": "logsumexp",
    "select": "where",
    "where_v2": "where",
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
    **dict.fromkeys(("num_or_size_splits", "indices_or_sections"), "parts"),
    "indices": "places",
    "multiples": "repeats",
    "paddings": "pad_width",
    **dict.fromkeys(("num_classes", "depth"), "count"),
    "equation": "subscripts",
    "x_y": "y",
    **dict.fromkeys(("threshold", "lambd", "shrink"), "limit"),
}
# Arguments that give a value's name, or matter only in training.
_NO_EFFECT = frozenset({"name", "trainable", "function", "conjugate", "dtype", "sparse", "validate_shape", "initial"})


def operation(emitter: Emitter, call: Call, inputs: list[Value]) -> Value | list[Value]:
    """The result of one operation, chosen by its function's last name.

    Thus tf.math.add, tf.__operators__.add and ops.Add are all add. Raises UnsupportedLayer for an unknown operation or
    argument: an argument that is silently ignored could be the one that changes the result.
    """
    name = operation_name(call)
    if name not in OPERATIONS:
        raise refuse(call.layer, f"operation '{name}' has no canonical form")
    parameters, handler = OPERATIONS[name]
    positional = list(call.arguments.get("args", ()))
    if parameters[0] == "tensors" and not (positional and isinstance(positional[0], list)):
        positional = [positional]  # Keras 2 writes each tensor of tf.concat as an argument
    if name == "einsum" and positional and isinstance(positional[0], str):
        positional = [*positional[1:], positional[0]]  # TensorFlow writes the letters first
    if len(positional) > len(parameters):
        raise refuse(call.layer, f"its {len(parameters) + 1}. argument has no canonical form")
    given = {key: _resolve(value, inputs) for key, value in zip(parameters, positional, strict=False)}
    # Keras 3 writes an operation's own settings (axis, keepdims) as its configuration, Keras 2 writes all in the call.
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
    """An argument with tensors and arrays in place of Keras' descriptions of them."""
    if isinstance(value, Mapping) and set(value) == {"tensor"}:
        return inputs[value["tensor"]]
    if isinstance(value, Mapping) and value.get("class_name") in ("__tensor__", "__numpy__"):
        return np.asarray(value["config"]["value"], np.float64)
    return value


def rule_for(kind: str) -> Rule | None:
    """The rule of an operation layer, None for any other kind."""
    return operation if kind == "TFOpLambda" or kind.startswith("ops.") else None
