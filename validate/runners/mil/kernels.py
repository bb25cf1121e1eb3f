"""MIL's operations in NumPy, except those with a window (`windows.py`).

The table has every operation that coremltools can make from a TensorFlow graph. Its frontend has a rule for each TF op,
and its passes fuse some (gelu, silu, prelu, layer_norm). A graph traced from Keras may contain any of these TF ops. So
every operation with a rule there has a kernel here, even a rare one. Operations from other frontends, such as
PyTorch's, have none.

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
_PAD_MODES = {"reflect": "reflect", "replicate": "edge"}
_DTYPES = {"fp16": np.float32, "fp32": np.float32, "int32": np.int32, "bool": np.bool_}  # fp16 is rounded afterwards


def erf(x: Array) -> Array:
    """The error function, which NumPy lacks."""
    return np.asarray(_erf_of_each(x), dtype=np.float32)


def sigmoid(x: Array) -> Array:
    """The logistic function, float32 of the shape of `x`, without overflow on either side."""
    return np.asarray(0.5 * (np.tanh(0.5 * x) + 1.0), dtype=np.float32)


def leaky_relu(x: Array, alpha: float | Array) -> Array:
    """X above zero, alpha x below; the shape of `x`."""
    if np.ndim(alpha) == 0 and 0 < alpha <= 1:
        return np.maximum(x, x * alpha)  # the same numbers in less time
    return np.where(x > 0, x, x * alpha)


def gelu(x: Array, mode: str = "EXACT") -> Array:
    """The Gaussian error linear unit in MIL's three modes; the shape of `x`."""
    if mode == "TANH_APPROXIMATION":
        return np.asarray(0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))))
    if mode == "SIGMOID_APPROXIMATION":
        return x * sigmoid(_GELU_SIGMOID_SLOPE * x)
    return np.asarray(0.5 * x * (1 + erf(x / math.sqrt(2))))


def softmax(x: Array, axis: int = -1) -> Array:
    """Softmax along one axis; the shape of `x`."""
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return np.asarray(powers / powers.sum(axis=axis, keepdims=True))


def real_div(x: Array, y: Array) -> Array:
    """X / y, broadcast to one shape; integers are rounded towards minus infinity, as MIL defines it."""
    return np.asarray(x // y if np.issubdtype(np.result_type(x, y), np.integer) else x / y)


def matmul(x: Array, y: Array, transpose_x: bool = False, transpose_y: bool = False) -> Array:
    """The matrix product over the last two axes: (..., n, k) and (..., k, m) give (..., n, m)."""
    left = np.swapaxes(x, -1, -2) if transpose_x else x
    right = np.swapaxes(y, -1, -2) if transpose_y else y
    return np.asarray(left @ right)


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


def reshape(x: Array, shape: Sequence[int]) -> Array:
    """`x` in row-major order reshaped to `shape`; -1 is inferred and 0 keeps the axis."""
    return x.reshape([x.shape[axis] if size == 0 else int(size) for axis, size in enumerate(shape)])


def squeeze(x: Array, axes: Sequence[int] | None = None) -> Array:
    """`x` without the given axes of size 1, or without all of them."""
    return np.squeeze(x, None if axes is None else tuple(int(axis) for axis in axes))


def concat(values: Sequence[Array], axis: int, interleave: bool = False) -> Array:
    """The values joined along an axis, whose sizes (n1, n2, ...) add up; with `interleave` the slices alternate."""
    if not interleave:
        return np.concatenate(values, axis=int(axis))
    at = int(axis) % values[0].ndim
    shape = list(values[0].shape)
    shape[at] *= len(values)
    return np.stack(values, axis=at + 1).reshape(shape)


def split(x: Array, axis: int, num_splits: int | None = None, split_sizes: Sequence[int] | None = None) -> list[Array]:
    """`x` cut along an axis into equal parts or into the given sizes."""
    cuts = int(num_splits or 1) if split_sizes is None else np.cumsum(split_sizes)[:-1]
    return list(np.split(x, cuts, axis=int(axis)))


def slice_by_index(
    x: Array,
    begin: Sequence[int],
    end: Sequence[int],
    stride: Sequence[int] | None = None,
    begin_mask: Sequence[bool] | None = None,
    end_mask: Sequence[bool] | None = None,
    squeeze_mask: Sequence[bool] | None = None,
) -> Array:
    """A strided slice; a masked begin or end is the axis' own, a squeezed axis has only the place `begin`."""
    rank = len(begin)
    masks = [[False] * rank if mask is None else mask for mask in (begin_mask, end_mask, squeeze_mask)]
    steps = [1] * rank if stride is None else stride
    pieces: list[slice | int] = []
    for axis in range(rank):
        start = None if masks[0][axis] else int(begin[axis])
        stop = None if masks[1][axis] else int(end[axis])
        pieces.append(int(begin[axis]) if masks[2][axis] else slice(start, stop, int(steps[axis])))
    return np.asarray(x[tuple(pieces)])


def slice_by_size(x: Array, begin: Sequence[int], size: Sequence[int]) -> Array:
    """The part of `x` from `begin`, with `size` elements; -1 means all that follow."""
    pairs = zip(begin, size, strict=True)
    return x[tuple(slice(int(start), None if count == -1 else int(start + count)) for start, count in pairs)]


def pad(x: Array, pad: Sequence[int], mode: str = "constant", constant_val: float = 0.0) -> Array:
    """`x` with its last len(pad) / 2 axes padded by (before, after); the dtype does not change."""
    pairs = np.reshape(pad, (-1, 2)).tolist()
    widths = [[0, 0]] * (x.ndim - len(pairs)) + pairs
    if mode == "constant":
        return np.pad(x, widths, constant_values=constant_val)
    return np.asarray(np.pad(x, widths, mode=_PAD_MODES[mode]))  # type: ignore[call-overload]


def gather(x: Array, indices: Array, axis: int = 0, batch_dims: int = 0, validate_indices: bool = False) -> Array:
    """Slices along an axis: its size becomes `indices.shape`; the first `batch_dims` axes of both correspond."""
    del validate_indices  # a check, which NumPy makes anyway
    if not batch_dims:
        return np.asarray(np.take(x, indices, axis=int(axis)))
    at = int(axis) % x.ndim - 1
    return np.stack([gather(row, each, at, int(batch_dims) - 1) for row, each in zip(x, indices, strict=True)])


def cast(x: Array, dtype: str) -> Array:
    """`x` converted, in the same shape.

    Fp16 stays float32 here, because the interpreter rounds every fp16 result itself.
    """
    return np.asarray(x).astype(_DTYPES.get(dtype) or np.dtype(dtype))


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


KERNELS: dict[str, Callable[..., Any]] = {
    **{name: _unary(getattr(np, name)) for name in ("abs", "sqrt", "exp", "square", "sign", "floor", "ceil")},
    **{name: _unary(getattr(np, name)) for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "logical_not")},
    **{name: _binary(getattr(np, name)) for name in ("maximum", "minimum", "logical_and", "logical_or", "logical_xor")},
    **{name: _binary(getattr(np, name)) for name in ("greater", "greater_equal", "less", "less_equal")},
    **{name: _binary(getattr(np, name)) for name in ("equal", "not_equal")},
    "round": _unary(np.rint),
    "atan": _unary(np.arctan),
    "erf": erf,
    "add": _binary(np.add),
    "sub": _binary(np.subtract),
    "mul": _binary(np.multiply),
    "pow": _binary(np.power),
    "floor_div": _binary(np.floor_divide),
    "real_div": real_div,
    "log": lambda x, epsilon=0.0: np.log(x + epsilon),
    "rsqrt": lambda x, epsilon=0.0: 1 / np.sqrt(x + epsilon),
    "inverse": lambda x, epsilon=0.0: 1 / (x + epsilon),
    "clip": lambda x, alpha, beta: np.minimum(np.maximum(x, alpha), beta),
    "select": lambda cond, a, b: np.where(cond, a, b),
    "relu": lambda x: np.maximum(x, 0),
    "relu6": lambda x: np.minimum(np.maximum(x, 0), 6),
    "leaky_relu": leaky_relu,
    # A slope `alpha` (C,), one per channel of (N, C, ...).
    "prelu": lambda x, alpha: leaky_relu(x, _along_channels(alpha, x)),
    "elu": lambda x, alpha: np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0))),
    "sigmoid": sigmoid,
    "softplus": _unary(lambda x: np.logaddexp(x, np.float32(0.0))),  # log(1 + exp(x)), without overflow
    "softsign": lambda x: x / (1 + np.abs(x)),
    "silu": lambda x: x * sigmoid(x),
    "gelu": gelu,
    "softmax": softmax,
    "matmul": matmul,
    # (..., in) times (out, in), plus (out,): (..., out).
    "linear": lambda x, weight, bias=0.0: np.asarray(x @ weight.T + bias),
    "einsum": lambda values, equation: np.asarray(np.einsum(equation, *values)),
    "batch_norm": batch_norm,
    "layer_norm": layer_norm,
    **{f"reduce_{name}": _reduction(getattr(np, name)) for name in ("mean", "sum", "max", "min", "prod")},
    "reduce_l2_norm": _reduction(lambda x, **over: np.sqrt(np.sum(np.square(x), **over))),
    "reduce_log_sum_exp": _reduction(_log_sum_exp),
    "reduce_argmax": _position(np.argmax),
    "reduce_argmin": _position(np.argmin),
    "reshape": reshape,
    "transpose": lambda x, perm: np.transpose(x, [int(axis) for axis in perm]),
    "squeeze": squeeze,
    "expand_dims": lambda x, axes: np.expand_dims(x, tuple(int(axis) for axis in axes)),
    "reverse": lambda x, axes=None: np.flip(x, None if axes is None else tuple(int(axis) for axis in axes)),
    "concat": concat,
    "stack": lambda values, axis: np.stack(values, axis=int(axis)),
    "split": split,
    "slice_by_index": slice_by_index,
    "slice_by_size": slice_by_size,
    "pad": pad,
    "tile": lambda x, reps: np.tile(x, [int(count) for count in reps]),
    "gather": gather,
    "shape": lambda x: np.asarray(x.shape, dtype=np.int32),
    "cast": cast,
    "identity": lambda x: x,
    "fill": lambda shape, value=0.0: np.full([int(size) for size in shape], value, dtype=np.asarray(value).dtype),
}
