"""Keras' activation functions in float64, from their published definitions."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...export.checkpoint.layer_graph import Layer
from .layer import LayerCall, Rule, Values, number

Function = Callable[[Values], Values]

# Klambauer et al., Self-Normalizing Neural Networks (2017).
SELU_ALPHA = 1.6732632423543772848170429916717
SELU_SCALE = 1.0507009873554804934193349852946

_erf = np.frompyfunc(math.erf, 1, 1)


def sigmoid(x: Values) -> Values:
    """1 / (1 + e^-x), the shape of `x`, calculated by tanh so that nothing overflows."""
    return 0.5 * (1.0 + np.tanh(0.5 * x))


def softmax(x: Values, axis: int | tuple[int, ...] = -1) -> Values:
    """e^x divided by its sum along `axis`, the shape of `x`."""
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return np.asarray(powers / powers.sum(axis=axis, keepdims=True))


def log_softmax(x: Values, axis: int = -1) -> Values:
    """The logarithm of softmax, the shape of `x`, without a logarithm of a small number."""
    shifted = x - x.max(axis=axis, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True)))


def leaky_relu(x: Values, slope: float) -> Values:
    """X above zero, slope x below; the shape of `x`."""
    below = slope * x
    # If the slope is between 0 and 1, the larger of the two is the same, and takes less time.
    return np.maximum(x, below, out=below) if 0 < slope <= 1 else np.where(x > 0, x, below)


def elu(x: Values, alpha: float = 1.0) -> Values:
    """X above zero, alpha (e^x - 1) below; the shape of `x`."""
    return np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0)))


def softplus(x: Values) -> Values:
    """log(1 + e^x), the shape of `x`."""
    return np.asarray(np.logaddexp(0.0, x))


def gelu(x: Values, approximate: bool = False) -> Values:
    """X Phi(x), the shape of `x`; Phi is the normal distribution or its tanh approximation."""
    if approximate:
        return np.asarray(0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))))
    return np.asarray(0.5 * x * (1 + erf(x / math.sqrt(2))))


def erf(x: Values) -> Values:
    """The error function, float64 of the shape of `x`."""
    return np.asarray(_erf(x), dtype=np.float64)


def hard_sigmoid(x: Values, keras_major: int) -> Values:
    """Keras 2: 0.2 x + 0.5 cut to 0..1; Keras 3: relu6(x + 3) / 6. The shape is that of `x`."""
    return np.clip(0.2 * x + 0.5 if keras_major == 2 else (x + 3) / 6, 0, 1)


FUNCTIONS: dict[str, Function] = {
    "linear": lambda x: x,
    "relu": lambda x: np.maximum(x, 0),
    "relu6": lambda x: np.clip(x, 0, 6),
    "leaky_relu": lambda x: leaky_relu(x, 0.2),
    "elu": elu,
    "selu": lambda x: SELU_SCALE * elu(x, SELU_ALPHA),
    "celu": elu,
    "gelu": gelu,
    "sigmoid": sigmoid,
    "log_sigmoid": lambda x: -softplus(-x),
    "tanh": np.tanh,
    "hard_tanh": lambda x: np.clip(x, -1, 1),
    "tanh_shrink": lambda x: x - np.tanh(x),
    "soft_shrink": lambda x: np.sign(x) * np.maximum(np.abs(x) - 0.5, 0),
    "hard_shrink": lambda x: np.where(np.abs(x) > 0.5, x, 0),
    "sparse_plus": lambda x: np.where(x <= -1, 0, np.where(x < 1, (x + 1) ** 2 / 4, x)),
    "sparse_sigmoid": lambda x: np.clip((x + 1) / 2, 0, 1),
    "softplus": softplus,
    "squareplus": lambda x: (x + np.sqrt(x**2 + 4)) / 2,
    "softsign": lambda x: x / (1 + np.abs(x)),
    "swish": lambda x: x * sigmoid(x),
    "silu": lambda x: x * sigmoid(x),
    "hard_silu": lambda x: x * hard_sigmoid(x, 3),
    "hard_swish": lambda x: x * hard_sigmoid(x, 3),
    "mish": lambda x: x * np.tanh(softplus(x)),
    "exponential": np.exp,
    "softmax": softmax,
    "softmax_v2": softmax,
    "log_softmax": log_softmax,
}


def activate(applied: LayerCall, x: Values, activation: Any) -> Values:
    """`x` (N, ...) after a layer's `activation` entry: a name, an object, or None; the same shape."""
    if activation is None:
        return x
    if isinstance(activation, Mapping):
        # An object describes a function by its name, or a layer used as an activation.
        config, kind = activation.get("config"), str(activation.get("class_name")).rsplit(">", 1)[-1]
        if isinstance(config, str):
            return activate(applied, x, config)
        if kind not in RULES or kind == "PReLU" or not isinstance(config, Mapping):
            raise applied.refusal(f"an activation of class '{kind}' is not known")
        layer = Layer(applied.layer.name, kind, config)
        return np.asarray(RULES[kind](replace(applied, layer=layer, inputs=(x,))))
    name = str(activation).rsplit(">", 1)[-1]
    if name == "hard_sigmoid":
        return hard_sigmoid(x, applied.keras_major)
    if name not in FUNCTIONS:
        raise applied.refusal(f"activation '{name}' is not known")
    return FUNCTIONS[name](x)


def _relu(applied: LayerCall) -> Values:
    config, x = applied.config, applied.x
    slope, threshold = number(config.get("negative_slope")), number(config.get("threshold"))
    result = np.where(x > threshold, x, slope * (x - threshold)) if slope else np.where(x > threshold, x, 0)
    return result if config.get("max_value") is None else np.minimum(result, number(config["max_value"]))


def _leaky_relu(applied: LayerCall) -> Values:
    slope = applied.config.get("alpha", applied.config.get("negative_slope"))
    return leaky_relu(applied.x, number(slope, 0.3))


def masked_softmax(x: Values, mask: Values, axis: int | tuple[int, ...], keras_major: int) -> Values:
    """Softmax over the entries that the mask allows.

    Keras 2 adds a large negative number to the others; Keras 3 replaces them by it.
    """
    if keras_major == 2:
        return softmax(x + (1 - mask) * -1e9, axis)
    return np.where(mask > 0.5, softmax(np.where(mask > 0.5, x, -1e9), axis), 0.0)


def _softmax(applied: LayerCall) -> Values:
    axis, x = applied.config.get("axis", -1), applied.x
    axis = tuple(axis) if isinstance(axis, list) else int(axis)
    if len(applied.inputs) > 1:
        return masked_softmax(x, applied.inputs[1], axis, applied.keras_major)
    return softmax(x, axis)


RULES: dict[str, Rule] = {
    "Activation": lambda applied: activate(applied, applied.x, applied.config.get("activation")),
    "ReLU": _relu,
    "LeakyReLU": _leaky_relu,
    "ELU": lambda applied: elu(applied.x, number(applied.config.get("alpha"), 1.0)),
    "PReLU": lambda applied: np.where(applied.x > 0, applied.x, applied.weight("alpha") * applied.x),
    "ThresholdedReLU": lambda applied: np.where(applied.x > number(applied.config.get("theta"), 1.0), applied.x, 0),
    "Softmax": _softmax,
}
