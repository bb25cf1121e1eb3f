"""Every way in which Keras writes an activation, as one function name and its parameters.

| function | parameters | value |
|---|---|---|
| linear, relu, relu6, sigmoid, tanh, softplus, softsign, selu, swish, exponential, mish | - | as in Keras |
| hard_tanh, hard_swish, tanh_shrink, log_sigmoid, squareplus | - | as in Keras 3 |
| softmax, log_softmax | - | over the last axis |
| leaky_relu, elu | alpha | alpha x, alpha (e^x - 1) below zero |
| celu | alpha | max(x, 0) + alpha (e^(min(x, 0) / alpha) - 1) |
| clipped_relu | maximum | min(max(x, 0), maximum) |
| bent_relu | slope, maximum, threshold | x above the threshold, at most the maximum; slope (x - threshold) below |
| hard_sigmoid | slope, offset | min(max(slope x + offset, 0), 1) |
| gelu | approximate (0 or 1) | x Phi(x), or its tanh approximation |
| abs, log, sqrt, rsqrt, reciprocal, erf, sign | - | functions that Keras does not count as activations |
| soft_shrink, hard_shrink | limit | x moved toward 0 by the limit; x outside the limits, else 0 |
| sparse_plus | - | 0 below -1, x above 1, (x + 1)^2 / 4 between |
| above | limit | 1 where x is greater, else 0 |
| maximum, minimum | other | the greater, or the smaller, of x and a number |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf
from typing import Any

from ...errors import UnsupportedLayer
from ..checkpoint.layer_graph import Layer

Function = tuple[str, tuple[float, ...]]

_SAME_NAME = (
    *("linear", "relu", "relu6", "sigmoid", "tanh", "softplus", "softsign", "selu", "mish"),
    *("softmax", "log_softmax", "exponential"),
    *("hard_tanh", "hard_swish", "tanh_shrink", "log_sigmoid", "squareplus", "sparse_plus"),
)
_PLAIN = {name: name for name in _SAME_NAME} | {"silu": "swish", "swish": "swish", "hard_silu": "hard_swish"}
# Defaults in Keras: activations.leaky_relu has 0.2, the layer LeakyReLU 0.3.
_WITH_DEFAULT = {
    "elu": ("elu", (1.0,)),
    "celu": ("elu", (1.0,)),  # the same function where alpha is 1
    "leaky_relu": ("leaky_relu", (0.2,)),
    "gelu": ("gelu", (0.0,)),
    "soft_shrink": ("soft_shrink", (0.5,)),
    "hard_shrink": ("hard_shrink", (0.5,)),
    "sparse_sigmoid": ("hard_sigmoid", (0.5, 0.5)),
}
# Keras 2: 0.2 x + 0.5; Keras 3: relu6(x + 3) / 6.
_HARD_SIGMOID = {2: (0.2, 0.5), 3: (1 / 6, 0.5)}


def activation_of(layer: Layer, value: Any, keras_major: int) -> Function:
    """The function that an `activation` entry names; UnsupportedLayer if azx has no form for it.

    An entry is a name, with or without a package before it, or an object with the name in "config" (Keras 3). If the
    user gave a whole activation layer as the activation, Keras 2 writes that layer.
    """
    if isinstance(value, Mapping):
        config, kind = value.get("config"), str(value.get("class_name"))
        if not isinstance(config, str):
            if kind in LAYERS and isinstance(config, Mapping):
                return LAYERS[kind](Layer(layer.name, kind, config))
            raise UnsupportedLayer(layer.name, f"activation of class '{kind}' has no canonical form")
        value = config
    if value is None:
        return "linear", ()
    name = str(value).rsplit(">", 1)[-1]
    if name in _PLAIN:
        return _PLAIN[name], ()
    if name in _WITH_DEFAULT:
        return _WITH_DEFAULT[name]
    if name == "hard_sigmoid":
        return "hard_sigmoid", _HARD_SIGMOID[keras_major]
    raise UnsupportedLayer(layer.name, f"activation '{name}' has no canonical form")


def _relu(layer: Layer) -> Function:
    maximum, slope, threshold = (layer.config.get(key) for key in ("max_value", "negative_slope", "threshold"))
    return relu_of(number(slope or 0.0), None if maximum is None else number(maximum), number(threshold or 0.0))


def relu_of(slope: float, maximum: float | None, threshold: float) -> Function:
    """The simplest function that is a ReLU with this slope, maximum (None for no maximum) and threshold."""
    if threshold or (slope and maximum is not None):
        return "bent_relu", (slope, inf if maximum is None else maximum, threshold)
    if slope:
        return "leaky_relu", (slope,)
    if maximum is None:
        return "relu", ()
    return ("relu6", ()) if maximum == 6.0 else ("clipped_relu", (maximum,))


def _softmax(layer: Layer) -> Function:
    if layer.config.get("axis", -1) not in (-1, [-1]):
        raise UnsupportedLayer(layer.name, f"softmax over axis {layer.config['axis']} has no canonical form")
    return "softmax", ()


# Keras 2 calls a LeakyReLU's slope alpha, Keras 3 negative_slope.
LAYERS: dict[str, Callable[[Layer], Function]] = {
    "ReLU": _relu,
    "ThresholdedReLU": lambda layer: relu_of(0.0, None, number(layer.config.get("theta", 1.0))),
    "LeakyReLU": lambda layer: (
        "leaky_relu",
        (number(layer.config.get("alpha", layer.config.get("negative_slope", 0.3))),),
    ),
    "ELU": lambda layer: ("elu", (number(layer.config.get("alpha", 1.0)),)),
    "Softmax": _softmax,
}


def number(value: Any) -> float:
    """A number as float; before 2.0.6, Keras could write it as {"type": "ndarray", "value": 0.3}."""
    if isinstance(value, Mapping):
        value = value.get("value", value.get("config"))
    while isinstance(value, (list, tuple)) and len(value) == 1:
        value = value[0]
    return float(value)
