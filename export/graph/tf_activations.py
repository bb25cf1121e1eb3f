"""Activations as TensorFlow nodes for which every converter has a built-in operator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

from ...errors import ConversionError

Tensor = Any
Node = Callable[..., Tensor]

# Self-normalizing networks, Klambauer et al. 2017, section 2: alpha and lambda.
SELU_ALPHA, SELU_SCALE = 1.6732632423543772, 1.0507009873554805
# Each of these is one TensorFlow op, which every runtime has.
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
    "sign": "Sign",
}
# An op's name for its operand, if that is not x.
_OPERANDS = dict.fromkeys(("Relu", "Relu6", "LeakyRelu", "Elu"), "features")
_OPERANDS |= dict.fromkeys(("Softmax", "LogSoftmax"), "logits")


def activate(node: Node, constant: Node, x: Tensor, function: str, parameters: tuple[float, ...]) -> Tensor:
    """Emit an activation on `x`.

    `node(op, **inputs)` emits a TensorFlow node and `constant(value)` a float32 scalar. Activations that some runtime
    lacks (SELU, softplus, erf, ...) are composed of common operations.
    """
    value = _Value(node, constant, x)
    if function in SINGLE:
        slope = {"alpha": parameters[0]} if function == "leaky_relu" else {}
        return value.through(SINGLE[function], **slope).tensor
    if function not in _COMPOSED:
        raise ConversionError(
            f"Activation '{function}' has no TensorFlow form: report it with the checkpoint's config."
        )
    return _COMPOSED[function](value, *parameters).tensor


@dataclass(frozen=True, eq=False)
class _Value:
    """A tensor whose operators emit nodes, operands from left to right, since names depend on that order."""

    node: Node
    number: Node
    tensor: Tensor

    def through(self, op: str, **more: Any) -> _Value:
        return _Value(self.node, self.number, self.node(op, **{_OPERANDS.get(op, "x"): self.tensor}, **more))

    def constant(self, value: float) -> _Value:
        return _Value(self.node, self.number, self.number(value))

    def join(self, op: str, other: _Value | float) -> _Value:
        operand = other if isinstance(other, _Value) else self.constant(other)
        return _Value(self.node, self.number, self.node(op, x=self.tensor, y=operand.tensor))

    def __add__(self, other: _Value | float) -> _Value:
        return self.join("AddV2", other)

    def __sub__(self, other: _Value | float) -> _Value:
        return self.join("Sub", other)

    def __mul__(self, other: _Value | float) -> _Value:
        return self.join("Mul", other)

    def __truediv__(self, other: _Value | float) -> _Value:
        return self.join("RealDiv", other)

    def __neg__(self) -> _Value:
        return self.through("Neg")


def _elu(x: _Value, alpha: float = 1.0) -> _Value:
    if alpha == 1.0:
        return x.through("Elu")
    return x.through("Relu") + (x.join("Minimum", 0.0).through("Exp") - 1.0) * alpha


def _softplus(x: _Value) -> _Value:
    """max(x, 0) + log(1 + e^-|x|), which does not overflow."""
    tail = (-x.through("Abs")).through("Exp")
    return x.through("Relu") + (tail + 1.0).through("Log")


def _clipped_relu(x: _Value, maximum: float) -> _Value:
    return x.through("Relu").join("Minimum", maximum)


def _bent_relu(x: _Value, slope: float, maximum: float, threshold: float) -> _Value:
    """The part above the threshold, limited to the maximum, minus slope * max(threshold - x, 0)."""
    above = x * x.join("Greater", threshold).through("Cast", DstT=x.tensor.dtype) if threshold else x.through("Relu")
    if maximum != inf:
        above = above.join("Minimum", maximum)
    return above - (x.constant(threshold) - x).through("Relu") * slope if slope else above


def _celu(x: _Value, alpha: float) -> _Value:
    """max(x, 0) + alpha (e^(min(x, 0) / alpha) - 1)."""
    power = (x.join("Minimum", 0.0) * (1 / alpha)).through("Exp") - 1.0
    return x.through("Relu") + power * alpha


def _hard_sigmoid(x: _Value, slope: float, offset: float) -> _Value:
    return _clipped_relu(x * slope + offset, 1.0)


def _gelu(x: _Value, approximate: float) -> _Value:
    """0.5 x (1 + erf(x / sqrt(2))), or with tanh(sqrt(2 / pi) (x + 0.044715 x^3)), Hendrycks and Gimpel 2016."""
    if approximate:
        inner = ((x + x * x * x * 0.044715) * 0.7978845608028654).through("Tanh")
    else:
        inner = _erf(x, 0.7071067811865476)
    return x * 0.5 * (inner + 1.0)


# Abramowitz and Stegun 7.1.26, |error| <= 1.5e-7, because TFLite has no erf.
_ERF_P, _ERF = 0.3275911, (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)


def _erf(x: _Value, factor: float) -> _Value:
    """erf(factor x) = s (1 - poly(t) e^-z^2), z = |factor x|, t = 1 / (1 + p z), s the sign of x."""
    z = x.through("Abs") * factor
    t = x.constant(1.0) / (z * _ERF_P + 1.0)
    poly = x.constant(_ERF[0])
    for coefficient in _ERF[1:]:
        poly = poly * t + coefficient
    tail = (-(z * z)).through("Exp")
    size = x.constant(1.0) - poly * t * tail
    return x.through("Sign") * size


def _above(x: _Value, limit: float) -> _Value:
    return x.join("Greater", limit).through("Cast", DstT=x.tensor.dtype)


def _sparse_plus(x: _Value) -> _Value:
    """A square between -1 and 1, and linear above."""
    inner = (x.join("Maximum", -1.0).join("Minimum", 1.0) + 1.0) * 0.5
    return inner * inner + (x - 1.0).through("Relu")


_COMPOSED: Mapping[str, Callable[..., _Value]] = {
    "elu": _elu,
    "selu": lambda x: _elu(x, SELU_ALPHA) * SELU_SCALE,
    "softplus": _softplus,
    "softsign": lambda x: x / (x.through("Abs") + 1.0),
    "swish": lambda x: x * x.through("Sigmoid"),
    "mish": lambda x: x * _softplus(x).through("Tanh"),
    "clipped_relu": _clipped_relu,
    "hard_sigmoid": _hard_sigmoid,
    "gelu": _gelu,
    "bent_relu": _bent_relu,
    "celu": _celu,
    "maximum": lambda x, other: x.join("Maximum", other),
    "minimum": lambda x, other: x.join("Minimum", other),
    "reciprocal": lambda x: x.constant(1.0) / x,
    "hard_tanh": lambda x: x.join("Maximum", -1.0).join("Minimum", 1.0),
    "hard_swish": lambda x: x * _hard_sigmoid(x, 1 / 6, 0.5),
    "tanh_shrink": lambda x: x - x.through("Tanh"),
    "log_sigmoid": lambda x: -_softplus(-x),
    "soft_shrink": lambda x, limit: x - x.join("Maximum", -limit).join("Minimum", limit),
    "hard_shrink": lambda x, limit: x * _above(x.through("Abs"), limit),
    "sparse_plus": _sparse_plus,
    "erf": lambda x: _erf(x, 1.0),
    "above": lambda x, limit: _above(x, limit),
    "squareplus": lambda x: (x + (x * x + 4.0).through("Sqrt")) * 0.5,
}
