"""Rules of operations that Keras writes as layers: tf.concat, x + y, ops.relu, by their documentation."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from typing import Any

import numpy as np

from ...errors import UnsupportedLayer
from ..witness.layer import LayerCall
from ..witness.operations import bind_arguments, operation_name
from . import functions, linear, moves, moving_operations, pointwise, reductions
from .layered import AppliedLayer, Rule, function_named
from .normal import View
from .weights import Weights, stored


def _binary(function: str, layer: AppliedLayer, x: Any, y: Any) -> View:
    if isinstance(x, View) and isinstance(y, View):
        return pointwise.combine(function, x, y, layer.name)
    view, constant = (x, y) if isinstance(x, View) else (y, x)
    return pointwise.with_constant(function, view, _number(constant), layer.name, first=constant is x)


def _number(value: Any) -> Weights:
    return stored(np.asarray(value, np.float32))


def _unary(function: str, layer: AppliedLayer, x: View) -> View:
    return pointwise.activate(x, function_named(layer, function), layer.name)


def _power(layer: AppliedLayer, x: View, y: Any) -> View:
    exponent = float(np.asarray(y).reshape(()).item())
    known = {1.0: "linear", 0.5: "sqrt", -0.5: "rsqrt", -1.0: "reciprocal"}
    if exponent in known:
        return pointwise.named(x, known[exponent], layer.name)
    if exponent % 0.5 or not 1 < abs(exponent) < 9:
        raise layer.refusal(f"the exponent {exponent:g} has no rule")
    made = reduce(lambda one, other: pointwise.combine("multiply", one, other, layer.name), [x] * int(abs(exponent)))
    if exponent % 1:
        made = pointwise.combine("multiply", made, pointwise.named(x, "sqrt", layer.name), layer.name)
    return made if exponent > 0 else pointwise.named(made, "reciprocal", layer.name)


def _reduced(function: str, layer: AppliedLayer, x: View, axis: Any = None, keepdims: Any = False) -> View:
    if axis is None:
        raise layer.refusal("it takes boards together")
    return reductions.reduce(x, function, _several(axis), layer.name, keep=bool(keepdims))


def _several(axis: Any) -> list[int]:
    return [int(item) for item in (axis if isinstance(axis, Sequence) else [axis])]


def _softmax(along: Callable[..., View], layer: AppliedLayer, x: View, axis: Any = None) -> View:
    return along(x, [-1 if axis is None else int(axis)], layer.name)


def _leaky(layer: AppliedLayer, x: View, negative_slope: Any = 0.2) -> View:
    return pointwise.activate(x, lambda part: functions.leaky(part, float(negative_slope)), layer.name)


def _gelu(layer: AppliedLayer, x: View, approximate: Any = False) -> View:
    return pointwise.activate(x, partial(functions.gelu, approximate=bool(approximate)), layer.name)


def _clip(layer: AppliedLayer, x: View, low: Any, high: Any) -> View:
    return pointwise.clip(x, float(np.asarray(low)), float(np.asarray(high)), layer.name)


def _cast(layer: AppliedLayer, x: View, dtype: Any = "float32") -> View:
    name = str(dtype.get("config", dtype) if isinstance(dtype, Mapping) else dtype)
    if "float" not in name:
        raise layer.refusal(f"a cast to {name} has no rule")
    return x


def _concat(layer: AppliedLayer, tensors: Sequence[View], axis: Any = -1) -> View:
    return moves.join(list(tensors), int(axis), layer.name)


def _sum(layer: AppliedLayer, tensors: Sequence[View]) -> View:
    return reduce(lambda one, other: pointwise.combine("add", one, other, layer.name), tensors)


def _reshape(layer: AppliedLayer, x: View, shape: Any) -> View:
    return moves.reshape(x, [1, *(int(size) for size in shape[1:])], layer.name)


def _flat(layer: AppliedLayer, x: View) -> View:
    return moves.reshape(x, [1, -1], layer.name)


def _transpose(layer: AppliedLayer, x: View, axes: Any) -> View:
    return moves.transpose(x, [int(axis) for axis in axes], layer.name)


def _expand(layer: AppliedLayer, x: View, axis: Any) -> View:
    return View(x.node, np.expand_dims(x.index, tuple(_several(axis))))


def _squeeze(layer: AppliedLayer, x: View, axis: Any = None) -> View:
    over = [at for at in range(1, len(x.shape)) if x.shape[at] == 1] if axis in (None, []) else _several(axis)
    return View(x.node, np.squeeze(x.index, tuple(over)))


def _negative(layer: AppliedLayer, x: View) -> View:
    return linear.affine(x, stored(-1.0), linear.zeros(), layer.name)


_OPERATIONS: dict[str, tuple[tuple[str, ...], Callable[..., Any]]] = {
    **moving_operations.OPERATIONS,
    **{
        name: (("x", "y"), partial(_binary, name))
        for name in ("add", "subtract", "multiply", "divide", "maximum", "minimum")
    },
    **{
        name: (("x",), partial(_unary, name))
        for name in (
            *("relu", "relu6", "tanh", "sigmoid", "softplus", "softsign", "selu", "silu", "mish", "hard_silu", "abs"),
            *("hard_tanh", "log_sigmoid", "tanh_shrink", "squareplus", "hard_sigmoid", "exp", "exponential", "log"),
            *("sqrt", "rsqrt", "reciprocal", "elu", "celu", "sign"),
        )
    },
    **{name: (("x", "axis", "keepdims"), partial(_reduced, name)) for name in ("mean", "sum", "max", "min")},
    "softmax": (("x", "axis"), partial(_softmax, reductions.softmax)),
    "log_softmax": (("x", "axis"), partial(_softmax, reductions.log_softmax)),
    "pow": (("x", "y"), _power),
    "square": (("x",), lambda layer, x: pointwise.combine("multiply", x, x, layer.name)),
    "negative": (("x",), _negative),
    "leaky_relu": (("x", "negative_slope"), _leaky),
    "gelu": (("x", "approximate"), _gelu),
    "clip": (("x", "low", "high"), _clip),
    "cast": (("x", "dtype"), _cast),
    "concat": (("tensors", "axis"), _concat),
    "add_n": (("tensors",), _sum),
    "reshape": (("x", "shape"), _reshape),
    "batch_flatten": (("x",), _flat),
    "transpose": (("x", "axes"), _transpose),
    "expand_dims": (("x", "axis"), _expand),
    "squeeze": (("x", "axis"), _squeeze),
    **{name: (("x",), lambda layer, x: x) for name in ("identity", "stop_gradient")},
}


def _operation(layer: AppliedLayer, _: View) -> View | list[View]:
    applied = LayerCall(layer.call.layer, layer.inputs, layer.call.arguments, layer.keras_major)  # type: ignore[arg-type]
    name = operation_name(applied)
    if name not in _OPERATIONS:
        raise layer.refusal(f"the operation '{name}' has no rule")
    parameters, rule = _OPERATIONS[name]
    try:
        given = bind_arguments(applied, parameters)
    except UnsupportedLayer as error:
        raise layer.refusal(str(error)) from error
    if any(isinstance(value, float) and math.isnan(value) for value in given.values()):
        raise layer.refusal("it gets a value that is not a number")
    made: View | list[View] = rule(layer, **given)
    return made


def rule_for(kind: str) -> Rule | None:
    """The rule of an operation layer, None for any other kind."""
    return _operation if kind == "TFOpLambda" or kind.startswith("ops.") else None
