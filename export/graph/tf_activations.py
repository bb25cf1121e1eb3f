"""Activations as TensorFlow nodes that every converter has a built-in operator for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf
from typing import Any

from ...errors import ConversionError

Tensor = Any
Node = Callable[..., Tensor]

# Self-normalizing networks, Klambauer et al. 2017, section 2: alpha and lambda.
SELU_ALPHA, SELU_SCALE = 1.6732632423543772, 1.0507009873554805
# One TensorFlow op each, in every runtime.
SINGLE = {
    "relu": "Relu",
    "relu6": "Relu6",
    "sigmoid": "Sigmoid",
    "tanh": "Tanh",
    "softmax": "Softmax",
    "log_softmax": "LogSoftmax",
    "exponential": "Exp",
    "leaky_relu": "LeakyRelu",
    "abs": "Abs",
    "log": "Log",
    "sqrt": "Sqrt",
    "rsqrt": "Rsqrt",
}
_TAKES_X = frozenset({"sigmoid", "tanh", "exponential", "abs", "log", "sqrt", "rsqrt"})


def activate(node: Node, constant: Node, x: Tensor, function: str, parameters: tuple[float, ...]) -> Tensor:
    """Emit an activation on `x`.

    `node(op, **inputs)` emits a TensorFlow node and `constant(value)` a float32 scalar. What some
    runtime lacks (SELU, softplus, erf, ...) is built of what all of them have.
    """
    if function in SINGLE:
        return _single(node, x, function, parameters)
    if function not in _COMPOSED:
        raise ConversionError(
            f"Activation '{function}' has no TensorFlow form: report it with the checkpoint's config."
        )
    return _COMPOSED[function](node, constant, x, *parameters)


def _single(node: Node, x: Tensor, function: str, parameters: tuple[float, ...]) -> Tensor:
    key = "logits" if function in ("softmax", "log_softmax") else "features"
    key = "x" if function in _TAKES_X else key
    extra = {"alpha": parameters[0]} if function == "leaky_relu" else {}
    return node(SINGLE[function], **{key: x}, **extra)


def _elu(node: Node, constant: Node, x: Tensor, alpha: float = 1.0) -> Tensor:
    if alpha == 1.0:
        return node("Elu", features=x)
    return node("AddV2", x=node("Relu", features=x), y=_below_zero(node, constant, x, alpha))


def _below_zero(node: Node, constant: Node, x: Tensor, alpha: float) -> Tensor:
    """The scaled exponential below zero: alpha (e^min(x, 0) - 1)."""
    low = node("Minimum", x=x, y=constant(0.0))
    return node("Mul", x=node("Sub", x=node("Exp", x=low), y=constant(1.0)), y=constant(alpha))


def _selu(node: Node, constant: Node, x: Tensor) -> Tensor:
    return node("Mul", x=_elu(node, constant, x, SELU_ALPHA), y=constant(SELU_SCALE))


def _softplus(node: Node, constant: Node, x: Tensor) -> Tensor:
    """max(x, 0) + log(1 + e^-|x|), which does not overflow."""
    tail = node("Exp", x=node("Neg", x=node("Abs", x=x)))
    return node("AddV2", x=node("Relu", features=x), y=node("Log", x=node("AddV2", x=tail, y=constant(1.0))))


def _softsign(node: Node, constant: Node, x: Tensor) -> Tensor:
    return node("RealDiv", x=x, y=node("AddV2", x=node("Abs", x=x), y=constant(1.0)))


def _swish(node: Node, constant: Node, x: Tensor) -> Tensor:
    return node("Mul", x=x, y=node("Sigmoid", x=x))


def _mish(node: Node, constant: Node, x: Tensor) -> Tensor:
    return node("Mul", x=x, y=node("Tanh", x=_softplus(node, constant, x)))


def _clipped_relu(node: Node, constant: Node, x: Tensor, maximum: float) -> Tensor:
    return node("Minimum", x=node("Relu", features=x), y=constant(maximum))


def _bent_relu(node: Node, constant: Node, x: Tensor, slope: float, maximum: float, threshold: float) -> Tensor:
    """The part above the threshold, cut off at the maximum, less slope * max(threshold - x, 0)."""
    above = node("Relu", features=x)
    if threshold:
        over = node("Cast", x=node("Greater", x=x, y=constant(threshold)), DstT=x.dtype)
        above = node("Mul", x=x, y=over)
    if maximum != inf:
        above = node("Minimum", x=above, y=constant(maximum))
    if not slope:
        return above
    below = node("Relu", features=node("Sub", x=constant(threshold), y=x))
    return node("Sub", x=above, y=node("Mul", x=below, y=constant(slope)))


def _celu(node: Node, constant: Node, x: Tensor, alpha: float) -> Tensor:
    """max(x, 0) + alpha (e^(min(x, 0) / alpha) - 1)."""
    low = node("Mul", x=node("Minimum", x=x, y=constant(0.0)), y=constant(1 / alpha))
    power = node("Sub", x=node("Exp", x=low), y=constant(1.0))
    return node("AddV2", x=node("Relu", features=x), y=node("Mul", x=power, y=constant(alpha)))


def _maximum(node: Node, constant: Node, x: Tensor, other: float) -> Tensor:
    return node("Maximum", x=x, y=constant(other))


def _minimum(node: Node, constant: Node, x: Tensor, other: float) -> Tensor:
    return node("Minimum", x=x, y=constant(other))


def _reciprocal(node: Node, constant: Node, x: Tensor) -> Tensor:
    return node("RealDiv", x=constant(1.0), y=x)


def _hard_tanh(node: Node, constant: Node, x: Tensor) -> Tensor:
    return _minimum(node, constant, _maximum(node, constant, x, -1.0), 1.0)


def _hard_swish(node: Node, constant: Node, x: Tensor) -> Tensor:
    return node("Mul", x=x, y=_hard_sigmoid(node, constant, x, 1 / 6, 0.5))


def _tanh_shrink(node: Node, constant: Node, x: Tensor) -> Tensor:
    return node("Sub", x=x, y=node("Tanh", x=x))


def _log_sigmoid(node: Node, constant: Node, x: Tensor) -> Tensor:
    return node("Neg", x=_softplus(node, constant, node("Neg", x=x)))


def _squareplus(node: Node, constant: Node, x: Tensor) -> Tensor:
    root = node("Sqrt", x=node("AddV2", x=node("Mul", x=x, y=x), y=constant(4.0)))
    return node("Mul", x=node("AddV2", x=x, y=root), y=constant(0.5))


def _hard_sigmoid(node: Node, constant: Node, x: Tensor, slope: float, offset: float) -> Tensor:
    line = node("AddV2", x=node("Mul", x=x, y=constant(slope)), y=constant(offset))
    return _clipped_relu(node, constant, line, 1.0)


def _gelu(node: Node, constant: Node, x: Tensor, approximate: float) -> Tensor:
    inner = _gelu_tanh(node, constant, x) if approximate else _erf(node, constant, x, 0.7071067811865476)
    half = node("Mul", x=x, y=constant(0.5))
    return node("Mul", x=half, y=node("AddV2", x=inner, y=constant(1.0)))


def _gelu_tanh(node: Node, constant: Node, x: Tensor) -> Tensor:
    """tanh(sqrt(2 / pi) (x + 0.044715 x^3)), Hendrycks and Gimpel 2016."""
    cube = node("Mul", x=node("Mul", x=node("Mul", x=x, y=x), y=x), y=constant(0.044715))
    return node("Tanh", x=node("Mul", x=node("AddV2", x=x, y=cube), y=constant(0.7978845608028654)))


# Abramowitz and Stegun 7.1.26: |error| <= 1.5e-7, as TFLite has no erf.
_ERF_P, _ERF = 0.3275911, (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)


def _erf(node: Node, constant: Node, x: Tensor, factor: float) -> Tensor:
    """erf(factor x) = s (1 - poly(t) e^-z^2), z = |factor x|, t = 1 / (1 + p z), s the sign of x."""
    z = node("Mul", x=node("Abs", x=x), y=constant(factor))
    t = node("RealDiv", x=constant(1.0), y=node("AddV2", x=node("Mul", x=z, y=constant(_ERF_P)), y=constant(1.0)))
    poly = constant(_ERF[0])
    for coefficient in _ERF[1:]:
        poly = node("AddV2", x=node("Mul", x=poly, y=t), y=constant(coefficient))
    tail = node("Exp", x=node("Neg", x=node("Mul", x=z, y=z)))
    size = node("Sub", x=constant(1.0), y=node("Mul", x=node("Mul", x=poly, y=t), y=tail))
    return node("Mul", x=node("Sign", x=x), y=size)


_COMPOSED: Mapping[str, Callable[..., Tensor]] = {
    "elu": _elu,
    "selu": _selu,
    "softplus": _softplus,
    "softsign": _softsign,
    "swish": _swish,
    "mish": _mish,
    "clipped_relu": _clipped_relu,
    "hard_sigmoid": _hard_sigmoid,
    "gelu": _gelu,
    "bent_relu": _bent_relu,
    "celu": _celu,
    "maximum": _maximum,
    "minimum": _minimum,
    "reciprocal": _reciprocal,
    "hard_tanh": _hard_tanh,
    "hard_swish": _hard_swish,
    "tanh_shrink": _tanh_shrink,
    "log_sigmoid": _log_sigmoid,
    "squareplus": _squareplus,
}
