"""MIL's operations that move, cut, join or retype tensors, in NumPy; keyword names are MIL's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

_PAD_MODES = {"reflect": "reflect", "replicate": "edge"}
_DTYPES = {"fp16": np.float32, "fp32": np.float32, "int32": np.int32, "bool": np.bool_}  # fp16 is rounded afterwards


def reshape(x: Array, shape: Sequence[int]) -> Array:
    """Row-major reshape; -1 is inferred and 0 keeps the axis."""
    return x.reshape([x.shape[axis] if size == 0 else int(size) for axis, size in enumerate(shape)])


def squeeze(x: Array, axes: Sequence[int] | None = None) -> Array:
    """Drop the given axes of size 1, or all."""
    return np.squeeze(x, None if axes is None else tuple(int(axis) for axis in axes))


def concat(values: Sequence[Array], axis: int, interleave: bool = False) -> Array:
    """Join along an axis; interleaved, the slices alternate."""
    if not interleave:
        return np.concatenate(values, axis=int(axis))
    at = int(axis) % values[0].ndim
    shape = list(values[0].shape)
    shape[at] *= len(values)
    return np.stack(values, axis=at + 1).reshape(shape)


def split(x: Array, axis: int, num_splits: int | None = None, split_sizes: Sequence[int] | None = None) -> list[Array]:
    """Cut along an axis into equal parts or into the given sizes."""
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
    """Strided slice; a masked begin or end is the axis' own, a squeezed axis keeps `begin` only."""
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
    """From `begin`, `size` elements; -1 is all that follow."""
    pairs = zip(begin, size, strict=True)
    return x[tuple(slice(int(start), None if count == -1 else int(start + count)) for start, count in pairs)]


def pad(x: Array, pad: Sequence[int], mode: str = "constant", constant_val: float = 0.0) -> Array:
    """Pad the last len(pad) / 2 axes by (before, after)."""
    pairs = np.reshape(pad, (-1, 2)).tolist()
    widths = [[0, 0]] * (x.ndim - len(pairs)) + pairs
    if mode == "constant":
        return np.pad(x, widths, constant_values=constant_val)
    return np.asarray(np.pad(x, widths, mode=_PAD_MODES[mode]))  # type: ignore[call-overload]


def gather(x: Array, indices: Array, axis: int = 0, batch_dims: int = 0, validate_indices: bool = False) -> Array:
    """Take slices along an axis; the first `batch_dims` axes of both go together."""
    del validate_indices  # a check, which NumPy makes anyway
    if not batch_dims:
        return np.asarray(np.take(x, indices, axis=int(axis)))
    at = int(axis) % x.ndim - 1
    return np.stack([gather(row, each, at, int(batch_dims) - 1) for row, each in zip(x, indices, strict=True)])


def cast(x: Array, dtype: str) -> Array:
    """Convert; fp16 stays float32 here, because the interpreter rounds every fp16 result itself."""
    return np.asarray(x).astype(_DTYPES.get(dtype) or np.dtype(dtype))


def flatten2d(x: Array, axis: int = 1) -> Array:
    """Rows from the axes before `axis`, columns from the rest."""
    return x.reshape(int(np.prod(x.shape[: int(axis)])), -1)


def fill(shape: Sequence[int], value: float = 0.0) -> Array:
    """Make a tensor of one value."""
    return np.full([int(size) for size in shape], value, dtype=np.asarray(value).dtype)


KERNELS: dict[str, Callable[..., Any]] = {
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
    "flatten2d": flatten2d,
    "fill": fill,
}
