"""MIL's elementwise, reducing, normalising and matrix operations in NumPy.

The keyword names are MIL's own. Floats arrive as float32, whatever the program stores.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

_erf_of_each = np.frompyfunc(math.erf, 1, 1)
_GELU_SIGMOID_SLOPE = 1.702


def erf(x: Array) -> Array:
    """Error function (NumPy has none)."""
    return np.asarray(_erf_of_each(x), dtype=np.float32)


def sigmoid(x: Array) -> Array:
    """Logistic function, without overflow on either side."""
    return np.asarray(0.5 * (np.tanh(0.5 * x) + 1.0), dtype=np.float32)


def softplus(x: Array) -> Array:
    """log(1 + exp(x)), without overflow."""
    return np.asarray(np.logaddexp(x, np.float32(0.0)))


def elu(x: Array, alpha: float) -> Array:
    """X above zero, alpha (exp(x) - 1) below."""
    return np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0)))


def leaky_relu(x: Array, alpha: float | Array) -> Array:
    """X above zero, alpha x below."""
    return np.where(x > 0, x, x * alpha)


def prelu(x: Array, alpha: Array) -> Array:
    """Leaky ReLU with a slope for each channel (axis 1)."""
    return leaky_relu(x, _along_channels(alpha, x))


def gelu(x: Array, mode: str = "EXACT") -> Array:
    """Gaussian error linear unit in MIL's three modes."""
    if mode == "TANH_APPROXIMATION":
        return np.asarray(0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))))
    if mode == "SIGMOID_APPROXIMATION":
        return x * sigmoid(_GELU_SIGMOID_SLOPE * x)
    return np.asarray(0.5 * x * (1 + erf(x / math.sqrt(2))))


def softmax(x: Array, axis: int = -1) -> Array:
    """Softmax along one axis."""
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return np.asarray(powers / powers.sum(axis=axis, keepdims=True))


def clip(x: Array, alpha: float, beta: float) -> Array:
    """X between alpha and beta."""
    return np.minimum(np.maximum(x, alpha), beta)


def select(cond: Array, a: Array, b: Array) -> Array:
    """A where cond holds, b elsewhere."""
    return np.where(cond, a, b)


def real_div(x: Array, y: Array) -> Array:
    """X / y; integers divide as MIL has it, rounding towards minus infinity."""
    return np.asarray(x // y if np.issubdtype(np.result_type(x, y), np.integer) else x / y)


def matmul(x: Array, y: Array, transpose_x: bool = False, transpose_y: bool = False) -> Array:
    """Matrix product over the last two axes."""
    left = np.swapaxes(x, -1, -2) if transpose_x else x
    right = np.swapaxes(y, -1, -2) if transpose_y else y
    return np.asarray(left @ right)


def linear(x: Array, weight: Array, bias: Array | float = 0.0) -> Array:
    """X @ weight.T + bias; weight is (out, in)."""
    return np.asarray(x @ weight.T + bias)


def einsum(values: Sequence[Array], equation: str) -> Array:
    """Einstein summation of two tensors."""
    return np.asarray(np.einsum(equation, *values))


def batch_norm(
    x: Array,
    mean: Array,
    variance: Array,
    gamma: Array | None = None,
    beta: Array | None = None,
    epsilon: float = 1e-5,
) -> Array:
    """Normalise each channel (axis 1) with stored statistics."""
    centred = (x - _along_channels(mean, x)) / np.sqrt(_along_channels(variance, x) + epsilon)
    scaled = centred if gamma is None else centred * _along_channels(gamma, x)
    return np.asarray(scaled if beta is None else scaled + _along_channels(beta, x))


def layer_norm(
    x: Array,
    axes: Sequence[int] | None = None,
    gamma: Array | None = None,
    beta: Array | None = None,
    epsilon: float = 1e-5,
) -> Array:
    """Normalise over `axes` (all by default); gamma and beta have the shape of those axes."""
    over = sorted(int(axis) % x.ndim for axis in (range(x.ndim) if axes is None else axes))
    shape = [x.shape[axis] if axis in over else 1 for axis in range(x.ndim)]
    centred = x - x.mean(axis=tuple(over), keepdims=True)
    scaled = centred / np.sqrt(np.square(centred).mean(axis=tuple(over), keepdims=True) + epsilon)
    scaled = scaled if gamma is None else scaled * gamma.reshape(shape)
    return np.asarray(scaled if beta is None else scaled + beta.reshape(shape))


def _along_channels(values: Array, x: Array) -> Array:
    return np.reshape(values, (-1, *[1] * (x.ndim - 2)))


def _reduction(function: Callable[..., Any]) -> Callable[..., Array]:
    def reduce(x: Array, axes: Sequence[int] | None = None, keep_dims: bool = False) -> Array:
        over = None if axes is None else tuple(int(axis) for axis in np.atleast_1d(axes))
        return np.asarray(function(x, axis=over, keepdims=bool(keep_dims)))

    return reduce


def _position(function: Callable[..., Any]) -> Callable[..., Array]:
    def find(x: Array, axis: int = -1, keep_dims: bool = False) -> Array:
        return np.asarray(function(x, axis=int(axis), keepdims=bool(keep_dims)), dtype=np.int32)

    return find


def _log_sum_exp(x: Array, axis: Any, keepdims: bool) -> Array:
    top = x.max(axis=axis, keepdims=True)
    total = np.log(np.exp(x - top).sum(axis=axis, keepdims=True)) + top
    return np.asarray(total if keepdims else total.reshape(x.sum(axis=axis).shape))


def _unary(function: Callable[[Array], Any]) -> Callable[..., Array]:
    return lambda x: np.asarray(function(x))


def _binary(function: Callable[[Array, Array], Any]) -> Callable[..., Array]:
    return lambda x, y: np.asarray(function(x, y))


KERNELS: dict[str, Callable[..., Array]] = {
    **{name: _unary(getattr(np, name)) for name in ("abs", "sqrt", "exp", "exp2", "square", "sign", "floor", "ceil")},
    **{name: _unary(getattr(np, name)) for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "logical_not")},
    **{name: _unary(function) for name, function in (("round", np.rint), ("atan", np.arctan), ("erf", erf))},
    **{name: _binary(getattr(np, name)) for name in ("maximum", "minimum", "greater", "less", "equal", "not_equal")},
    **{name: _binary(getattr(np, name)) for name in ("greater_equal", "less_equal", "mod")},
    **{name: _binary(getattr(np, name)) for name in ("logical_and", "logical_or", "logical_xor")},
    "add": _binary(np.add),
    "sub": _binary(np.subtract),
    "mul": _binary(np.multiply),
    "pow": _binary(np.power),
    "floor_div": _binary(np.floor_divide),
    "real_div": real_div,
    "log": lambda x, epsilon=0.0: np.log(x + epsilon),
    "rsqrt": lambda x, epsilon=0.0: 1 / np.sqrt(x + epsilon),
    "inverse": lambda x, epsilon=0.0: 1 / (x + epsilon),
    "threshold": lambda x, alpha: np.maximum(x, alpha),
    "clip": clip,
    "select": select,
    "relu": lambda x: np.maximum(x, 0),
    "relu6": lambda x: clip(x, 0, 6),
    "clamped_relu": lambda x, alpha, beta: np.minimum(leaky_relu(x, alpha), beta),
    "thresholded_relu": lambda x, alpha: np.where(x >= alpha, x, 0),
    "leaky_relu": leaky_relu,
    "prelu": prelu,
    "elu": elu,
    "sigmoid": sigmoid,
    "sigmoid_hard": lambda x, alpha, beta: clip(alpha * x + beta, 0, 1),
    "scaled_tanh": lambda x, alpha, beta: alpha * np.tanh(beta * x),
    "linear_activation": lambda x, alpha, beta: alpha * x + beta,
    "softplus": softplus,
    "softplus_parametric": lambda x, alpha, beta: _along_channels(alpha, x) * softplus(_along_channels(beta, x) * x),
    "softsign": lambda x: x / (1 + np.abs(x)),
    "silu": lambda x: x * sigmoid(x),
    "gelu": gelu,
    "softmax": softmax,
    "matmul": matmul,
    "linear": linear,
    "einsum": einsum,
    "batch_norm": batch_norm,
    "layer_norm": layer_norm,
    "reduce_mean": _reduction(np.mean),
    "reduce_sum": _reduction(np.sum),
    "reduce_max": _reduction(np.max),
    "reduce_min": _reduction(np.min),
    "reduce_prod": _reduction(np.prod),
    "reduce_sum_square": _reduction(lambda x, **over: np.sum(np.square(x), **over)),
    "reduce_l1_norm": _reduction(lambda x, **over: np.sum(np.abs(x), **over)),
    "reduce_l2_norm": _reduction(lambda x, **over: np.sqrt(np.sum(np.square(x), **over))),
    "reduce_log_sum": _reduction(lambda x, **over: np.log(np.sum(x, **over))),
    "reduce_log_sum_exp": _reduction(_log_sum_exp),
    "reduce_argmax": _position(np.argmax),
    "reduce_argmin": _position(np.argmin),
}
