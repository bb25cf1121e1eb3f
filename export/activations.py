"""Every way in which Keras writes an activation, as one function name and its parameters.

| function | parameters | value |
|---|---|---|
| linear, relu, relu6, sigmoid, tanh, softplus, softsign, selu, swish, exponential, mish | - | as in Keras |
| softmax, log_softmax | - | over the last axis |
| leaky_relu, elu | alpha | alpha x, alpha (e^x - 1) below zero |
| clipped_relu | maximum | min(max(x, 0), maximum) |
| hard_sigmoid | slope, offset | min(max(slope x + offset, 0), 1) |
| gelu | approximate (0 or 1) | x Phi(x), or its tanh approximation |
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from azx.export.errors import UnsupportedLayer
from azx.export.layer_graph import Layer

Function = tuple[str, tuple[float, ...]]

_SAME_NAME = (
    *("linear", "relu", "relu6", "sigmoid", "tanh", "softplus", "softsign", "selu", "mish"),
    *("softmax", "log_softmax", "exponential"),
)
_PLAIN = {name: name for name in _SAME_NAME} | {"swish": "swish", "silu": "swish"}
# Keras' own defaults: activations.leaky_relu has 0.2, the layer LeakyReLU 0.3.
_WITH_DEFAULT = {"elu": ("elu", (1.0,)), "leaky_relu": ("leaky_relu", (0.2,)), "gelu": ("gelu", (0.0,))}
# Keras 2: 0.2 x + 0.5; Keras 3: relu6(x + 3) / 6.
_HARD_SIGMOID = {2: (0.2, 0.5), 3: (1 / 6, 0.5)}


def activation_of(layer: Layer, value: Any, keras_major: int) -> Function:
    """The function named by an `activation` entry; UnsupportedLayer where it is not known here."""
    if value is None:
        return "linear", ()
    if isinstance(value, Mapping):
        return _serialised(layer, value, keras_major)
    name = str(value).rsplit(">", 1)[-1]
    if name in _PLAIN:
        return _PLAIN[name], ()
    if name in _WITH_DEFAULT:
        return _WITH_DEFAULT[name]
    if name == "hard_sigmoid":
        return "hard_sigmoid", _HARD_SIGMOID[keras_major]
    raise UnsupportedLayer(layer.name, f"activation '{name}' has no canonical form")


def _serialised(layer: Layer, value: Mapping[str, Any], keras_major: int) -> Function:
    """An activation kept as an object: a function's name in "config", or an activation layer."""
    config = value.get("config")
    if isinstance(config, str):
        return activation_of(layer, config, keras_major)
    kind = str(value.get("class_name"))
    if kind in LAYERS and isinstance(config, Mapping):
        return LAYERS[kind](Layer(layer.name, kind, config))
    raise UnsupportedLayer(layer.name, f"activation of class '{kind}' has no canonical form")


def _relu(layer: Layer) -> Function:
    maximum, threshold = layer.config.get("max_value"), number(layer.config.get("threshold") or 0.0)
    slope = number(layer.config.get("negative_slope") or 0.0)
    if threshold or (slope and maximum is not None):
        raise UnsupportedLayer(
            layer.name, "ReLU with a threshold, or with both slope and maximum, has no canonical form"
        )
    if slope:
        return "leaky_relu", (slope,)
    if maximum is None:
        return "relu", ()
    return ("relu6", ()) if number(maximum) == 6.0 else ("clipped_relu", (number(maximum),))


def _leaky_relu(layer: Layer) -> Function:
    alpha = layer.config.get("alpha", layer.config.get("negative_slope", 0.3))
    return "leaky_relu", (number(alpha),)


def _elu(layer: Layer) -> Function:
    return "elu", (number(layer.config.get("alpha", 1.0)),)


def _softmax(layer: Layer) -> Function:
    if layer.config.get("axis", -1) not in (-1, [-1]):
        raise UnsupportedLayer(layer.name, f"softmax over axis {layer.config['axis']} has no canonical form")
    return "softmax", ()


LAYERS = {"ReLU": _relu, "LeakyReLU": _leaky_relu, "ELU": _elu, "Softmax": _softmax}


def number(value: Any) -> float:
    """A number that Keras may have kept as {"type": "ndarray", "value": 0.3} (before 2.0.6)."""
    if isinstance(value, Mapping):
        value = value.get("value", value.get("config"))
    while isinstance(value, (list, tuple)) and len(value) == 1:
        value = value[0]
    return float(value)
