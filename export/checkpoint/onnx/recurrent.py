"""ONNX' recurrent operations as Keras layers over a fixed number of steps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..layer_graph import Array
from .operation import Operation
from .values import NoForm, Tensor, Value

_LAYERS = {"GRU": ("GRU", 3), "LSTM": ("LSTM", 4), "RNN": ("SimpleRNN", 1)}
# ONNX orders the gates of an LSTM as input, output, forget, cell; Keras as input, forget, cell, output.
_OF_LSTM = (0, 2, 3, 1)


def recurrent(op: Operation) -> list[Value]:
    """GRU, LSTM or RNN in one direction: the state after each step, and the last one."""
    given = op.values[0]
    layout = int(op.get("layout", 0))
    if not isinstance(given, Tensor) or len(given.shape) != 2 or given.batch != (0 if layout else 1):
        raise NoForm("its input is not steps, positions and features")
    if (
        op.get("activations") is not None
        or op.get("clip") is not None
        or op.get("direction", "forward") == "bidirectional"
    ):
        raise NoForm("it goes both ways, or has functions of its own")
    for at in (4, 5, 6, 7):
        value = op.known(at)
        if value is not None and np.any(value):
            raise NoForm("it begins with other states than zeros, or with a length for each position")
    kind, count = _LAYERS[op.node.kind]
    kernel, inner, bias = (op.needed(1)[0], op.needed(2)[0], op.known(3))
    units = inner.shape[1]
    kernel, inner = (_ordered(each, count).T for each in (kernel, inner))
    weights = {"kernel": kernel, "recurrent_kernel": inner}
    config = {"units": units, "activation": "tanh", "recurrent_activation": "sigmoid", "return_sequences": True}
    config |= {"use_bias": bias is not None, "go_backwards": op.get("direction", "forward") == "reverse"}
    if bias is not None:
        own, its = (_ordered(each, count) for each in np.split(bias[0], 2))
        weights["bias"] = np.stack([own, its]) if kind == "GRU" else own + its
    if kind == "GRU":
        if not op.get("linear_before_reset", 0) and bias is not None:
            weights["bias"] = np.asarray(weights["bias"].sum(axis=0))
        config["reset_after"] = bool(op.get("linear_before_reset", 0))
    steps = given.shape[0]
    made = op.make(kind, (steps, units), [replace(given, batch=0)], weights=weights, **config)
    if config["go_backwards"] and steps > 1:
        # ONNX lists the states in the order of the input.
        turned = [{"start": None, "stop": None, "step": None}, {"start": None, "stop": None, "step": -1}]
        made = op.make("ops.GetItem", (steps, units), [made], arguments={"args": [{"tensor": 0}, turned]})
    at = 0 if config["go_backwards"] else steps - 1
    where = [{"start": None, "stop": None, "step": None}, {"start": at, "stop": at + 1, "step": None}]
    last = op.make("ops.GetItem", (1, units), [made], arguments={"args": [{"tensor": 0}, where]})
    whole = op.reshape(made, (steps, 1, units))
    # Y is (steps, directions, positions, units), Y_h (directions, positions, units); in layout 1 positions are first.
    answers: list[Value] = [replace(whole, batch=0 if layout else 2), replace(last, batch=0 if layout else 1)]
    return answers


def _ordered(array: Array, count: int) -> Array:
    """The gates, joined along the first axis, in Keras' order."""
    parts = np.split(array, count)
    return np.concatenate([parts[at] for at in _OF_LSTM]) if count == 4 else array
