"""The canonical form of plain operations that Keras keeps as layers: tf.concat, x + y, ops.relu."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..checkpoint.hdf5 import snake_case
from ..checkpoint.layer_graph import Call
from .emitter import Emitter, Value, refuse
from .layers import Rule
from .operations import OPERATIONS, Operation

# Other spellings: of an operation, and of a parameter in TensorFlow and in Keras 3.
_OPERATION_NAMES = {
    **dict.fromkeys(("add_v2",), "add"),
    **dict.fromkeys(("sub",), "subtract"),
    **dict.fromkeys(("mul",), "multiply"),
    **dict.fromkeys(("truediv", "true_divide", "div", "realdiv"), "divide"),
    **dict.fromkeys(("power",), "pow"),
    **dict.fromkeys(("neg",), "negative"),
    **dict.fromkeys(("absolute",), "abs"),
    **dict.fromkeys(("exp",), "exponential"),
    **dict.fromkeys(("swish",), "silu"),
    **dict.fromkeys(("hard_silu",), "hard_swish"),
    **dict.fromkeys(("softmax_v2",), "softmax"),
    **dict.fromkeys(("amax",), "max"),
    **dict.fromkeys(("amin",), "min"),
    **dict.fromkeys(("concatenate",), "concat"),
    **dict.fromkeys(("clip_by_value",), "clip"),
    **dict.fromkeys(("permute_dimensions",), "transpose"),
    **dict.fromkeys(("stop_gradient", "convert_to_tensor", "ensure_shape"), "identity"),
}
_PARAMETER_NAMES = {
    **dict.fromkeys(("x1", "a", "input", "input_tensor", "tensor", "features", "logits", "t", "value", "pool"), "x"),
    **dict.fromkeys(("x2", "b"), "y"),
    **dict.fromkeys(("values", "xs", "inputs"), "tensors"),
    **dict.fromkeys(("newshape",), "shape"),
    **dict.fromkeys(("perm", "pattern"), "axes"),
    **dict.fromkeys(("dim", "axis1"), "axis"),
    **dict.fromkeys(("keep_dims",), "keepdims"),
    **dict.fromkeys(("clip_value_min", "x_min", "min_value"), "low"),
    **dict.fromkeys(("clip_value_max", "x_max"), "high"),
    **dict.fromkeys(("alpha",), "negative_slope"),
}
# What names a value, or holds in training alone.
_NO_EFFECT = frozenset({"name", "trainable", "function", "conjugate", "dtype"})


def operation(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """One operation by its function's last name: tf.math.add, tf.__operators__.add and ops.Add are all add."""
    name = operation_name(call)
    if name not in OPERATIONS:
        raise refuse(call.layer, f"operation '{name}' has no canonical form")
    parameters, handler = OPERATIONS[name]
    return handler(Operation(emitter, call, inputs, _bound(call, inputs, parameters)))


def operation_name(call: Call) -> str:
    """The operation in one spelling: math.reduce_mean and ops.Mean are both "mean"."""
    kind = call.layer.kind
    written = snake_case(kind.removeprefix("ops.")) if kind.startswith("ops.") else str(call.layer.config["function"])
    name = written.rsplit(".", 1)[-1].lower().removeprefix("reduce_")
    return _OPERATION_NAMES.get(name, name)


def _bound(call: Call, inputs: Sequence[Value], parameters: tuple[str, ...]) -> dict[str, Any]:
    """The parameters by the names used here, from the call and, for Keras 3, from the configuration."""
    bound = dict(zip(parameters, _positional(call, inputs, parameters), strict=False))
    config = call.layer.config if call.layer.kind.startswith("ops.") else {}
    for key, value in (*call.arguments.items(), *config.items()):
        name = key if key in parameters else _PARAMETER_NAMES.get(key, key)
        if name in parameters:
            bound.setdefault(name, _resolved(value, inputs))
        elif value is not None and key not in ("args", *_NO_EFFECT):
            raise refuse(call.layer, f"argument '{key}' has no canonical form")
    return bound


def _positional(call: Call, inputs: Sequence[Value], parameters: tuple[str, ...]) -> list[Any]:
    given = list(call.arguments.get("args", ()))
    if parameters[0] == "tensors" and not (given and isinstance(given[0], list)):
        given = [given]  # Keras 2 writes the tensors of tf.concat one by one
    if len(given) > len(parameters):
        raise refuse(call.layer, f"its {len(parameters) + 1}. argument has no canonical form")
    return [_resolved(item, inputs) for item in given]


def _resolved(value: Any, inputs: Sequence[Value]) -> Any:
    """An argument with tensors and arrays in the places where Keras wrote about them."""
    if isinstance(value, Mapping) and set(value) == {"tensor"}:
        return inputs[value["tensor"]]
    if isinstance(value, Mapping) and value.get("class_name") in ("__tensor__", "__numpy__"):
        return np.asarray(value["config"]["value"], np.float64)
    return value


def rule_for(kind: str) -> Rule | None:
    """The rule of an operation layer, None for any other kind."""
    return operation if kind == "TFOpLambda" or kind.startswith("ops.") else None
