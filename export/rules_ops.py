"""The canonical form of plain operations that Keras keeps as layers: tf.concat, x + y, ops.relu."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from azx.export.activations import activation_of
from azx.export.emitter import Emitter, refuse
from azx.export.layer_graph import Call
from azx.export.layout import Value
from azx.export.rules import Rule, combined, concatenated, relabelled, reshaped

_COMBINE = {
    "add": "add",
    "add_v2": "add",
    "subtract": "subtract",
    "sub": "subtract",
    "multiply": "multiply",
    "mul": "multiply",
    "maximum": "maximum",
    "minimum": "minimum",
}
_ACTIVATE = {"relu", "relu6", "tanh", "sigmoid", "softmax", "log_softmax", "softplus", "softsign", "selu", "elu"} | {
    "silu",
    "swish",
    "exp",
    "leaky_relu",
}


def operation(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """One operation by its function's last name: tf.math.add, tf.__operators__.add and ops.Add are all add."""
    name = _function(call)
    if name in _COMBINE:
        return _combine(emitter, call, inputs, _COMBINE[name])
    if name in ("truediv", "divide", "div"):
        return _divide(emitter, call, inputs)
    if name in ("concat", "concatenate"):
        return concatenated(emitter, call.layer, inputs, _given(call, "axis", 1, call.layer.config.get("axis", -1)))
    if name in _ACTIVATE:
        return _activate(emitter, call, inputs, name)
    if name == "reshape":
        shape = _given(call, "shape", 1, call.layer.config.get("newshape"))
        return reshaped(emitter, inputs[0], _without_batch(call, shape))
    if name in ("transpose", "permute_dimensions"):
        order = _given(call, "perm", 1, call.layer.config.get("axes"))
        return _transpose(emitter, call, inputs[0], order)
    if name == "identity":
        return inputs[0]
    raise refuse(call.layer, f"operation '{name}' has no canonical form")


def _function(call: Call) -> str:
    name = str(call.layer.config.get("function") or call.layer.kind.removeprefix("ops."))
    return name.rsplit(".", 1)[-1].lower() if "." in name else _snake(name)


def _snake(name: str) -> str:
    from azx.export.hdf5 import snake_case

    return snake_case(name)


def _given(call: Call, name: str, position: int, default: Any) -> Any:
    """An argument by name, else by position among what the call was given, else the default."""
    if name in call.arguments:
        return call.arguments[name]
    positional = call.arguments.get("args", ())
    if isinstance(positional, Sequence) and len(positional) > position:
        given = positional[position]
        if not isinstance(given, dict):
            return given
    return default


def _constant(call: Call) -> Any:
    """The one operand that is a number or an array and not a tensor, None where both are tensors."""
    operands = [*call.arguments.get("args", ()), call.arguments.get("y"), call.arguments.get("x")]
    return next((item for item in operands if isinstance(item, (int, float, list)) and item != []), None)


def _combine(emitter: Emitter, call: Call, inputs: list[Value], function: str) -> Value:
    constant = _constant(call) if len(inputs) == 1 else None
    if len(inputs) == 1 and constant is None:
        inputs = inputs * 2  # x + x
    if constant is None:
        return combined(emitter, inputs, function)
    return _with_constant(emitter, call, inputs[0], function, np.asarray(constant, np.float64))


def _with_constant(emitter: Emitter, call: Call, value: Value, function: str, constant: Any) -> Value:
    if constant.ndim > len(value.shape):
        raise refuse(call.layer, "it combines the batch with a constant")
    constant = constant.reshape((1,) * (len(value.shape) - constant.ndim) + constant.shape)
    first = isinstance(next(iter(call.arguments.get("args", ())), None), (int, float))
    if function == "multiply":
        return emitter.affine(value, constant, None)
    if function == "add":
        return emitter.affine(value, None, constant)
    if function == "subtract":
        return (
            emitter.affine(value, -np.ones_like(constant), constant)
            if first
            else emitter.affine(value, None, -constant)
        )
    raise refuse(call.layer, f"'{function}' with a constant has no canonical form")


def _divide(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    constant = _constant(call) if len(inputs) == 1 else None
    divided_by = constant is not None and not isinstance(next(iter(call.arguments.get("args", ())), None), (int, float))
    if not divided_by:
        raise refuse(call.layer, "a division by a tensor has no canonical form")
    return _with_constant(emitter, call, inputs[0], "multiply", 1 / np.asarray(constant, np.float64))


def _activate(emitter: Emitter, call: Call, inputs: list[Value], name: str) -> Value:
    axis = _given(call, "axis", 1, call.layer.config.get("axis"))
    if name.endswith("softmax") and axis not in (None, -1, len(inputs[0].shape)):
        raise refuse(call.layer, f"softmax over axis {axis} has no canonical form")
    if name in ("leaky_relu", "elu"):
        alpha = _given(call, "alpha", 1, call.layer.config.get("negative_slope", call.layer.config.get("alpha")))
        default = 0.2 if name == "leaky_relu" else 1.0
        return emitter.activation(inputs[0], (name, (float(default if alpha is None else alpha),)))
    if name == "relu" and any(call.layer.config.get(key) for key in ("max_value", "negative_slope", "threshold")):
        raise refuse(call.layer, "a ReLU with a maximum or a slope has no canonical form here")
    keras_name = "exponential" if name == "exp" else name
    return emitter.activation(inputs[0], activation_of(call.layer, keras_name, emitter.keras_major))


def _without_batch(call: Call, shape: Any) -> list[int]:
    if not isinstance(shape, (list, tuple)) or not all(isinstance(size, int) for size in shape) or not shape:
        raise refuse(call.layer, "it reshapes to a computed shape")
    return [int(size) for size in shape[1:]]


def _transpose(emitter: Emitter, call: Call, value: Value, order: Any) -> Value:
    if not isinstance(order, (list, tuple)) or not order or order[0] != 0:
        raise refuse(call.layer, "it moves the batch axis")
    return relabelled(emitter.plain(value) if value.folded else value, [int(axis) - 1 for axis in order[1:]])


OPERATION_KINDS = ("TFOpLambda", "TensorFlowOpLayer")


def rule_for(kind: str) -> Rule | None:
    """The rule of an operation layer, None for any other kind."""
    return operation if kind == "TFOpLambda" or kind.startswith("ops.") else None
