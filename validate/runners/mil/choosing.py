"""MIL's operations that choose, order or move numbers by their place, in NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....errors import NotRunHere

Array = NDArray[Any]


def one_hot(
    indices: Array, one_hot_vector_size: int, axis: int = -1, on_value: float = 1, off_value: float = 0
) -> Array:
    """A vector per index, along a new axis, with `on_value` at its place; NotRunHere for an index outside it.

    MIL's documentation does not define the result for such an index.
    """
    size = int(one_hot_vector_size)
    if ((indices < 0) | (indices >= size)).any():
        raise NotRunHere(
            "the Core ML program uses 'one_hot' with an index outside its vector, of which Core ML's text says "
            "nothing: azx validate on macOS shows what Core ML makes of it"
        )
    at = int(axis) % (indices.ndim + 1)
    places = np.arange(size).reshape([-1 if each == at else 1 for each in range(indices.ndim + 1)])
    kind = np.asarray(on_value).dtype
    return np.where(np.expand_dims(indices, at) == places, on_value, off_value).astype(kind)


def cumsum(x: Array, axis: int = 0, exclusive: bool = False, reverse: bool = False) -> Array:
    """The sums along an axis up to each place; exclusive or from the end if asked for. The shape is that of `x`."""
    at = int(axis)
    turned = np.flip(x, at) if reverse else x
    sums = np.cumsum(turned, axis=at, dtype=x.dtype)
    sums = sums - turned if exclusive else sums
    return np.asarray(np.flip(sums, at) if reverse else sums)


def gather_nd(x: Array, indices: Array, batch_dims: int = 0) -> Array:
    """The values at each of `indices` (..., k), which give places along the first k axes of `x`."""
    if batch_dims:
        return np.stack([gather_nd(row, each, int(batch_dims) - 1) for row, each in zip(x, indices, strict=True)])
    return np.asarray(x[tuple(np.moveaxis(indices, -1, 0))])


def topk(
    x: Array, k: int = 1, axis: int = -1, ascending: bool = False, sort: bool = True, return_indices: bool = True
) -> Array | tuple[Array, Array]:
    """The `k` largest numbers along an axis, largest first, or the smallest; and their places, int32, if wanted.

    Equal numbers keep their order. The result is sorted even if `sort` is false.
    """
    del sort
    order = np.argsort(x if ascending else -x, axis=int(axis), kind="stable")
    places = np.take(order, np.arange(int(k)), axis=int(axis))
    numbers = np.take_along_axis(x, places, int(axis))
    return (numbers, places.astype(np.int32)) if return_indices else numbers


def band_part(x: Array, lower: int = -1, upper: int = -1) -> Array:
    """`x` with zeros outside a band of diagonals of the last two axes; a negative number keeps that side."""
    rows, columns = np.arange(x.shape[-2])[:, None], np.arange(x.shape[-1])[None]
    in_band = ((lower < 0) | (rows - columns <= lower)) & ((upper < 0) | (columns - rows <= upper))
    return np.where(in_band, x, np.zeros((), x.dtype))


def depth_to_space(x: Array, block_size: int) -> Array:
    """(N, C b b, H, W) to (N, C, H b, W b)."""
    block, (count, depth, rows, columns) = int(block_size), x.shape
    parts = x.reshape(count, block, block, depth // block**2, rows, columns).transpose(0, 3, 4, 1, 5, 2)
    return parts.reshape(count, depth // block**2, rows * block, columns * block)


def space_to_depth(x: Array, block_size: int) -> Array:
    """(N, C, H, W) to (N, C b b, H / b, W / b)."""
    block, (count, depth, rows, columns) = int(block_size), x.shape
    parts = x.reshape(count, depth, rows // block, block, columns // block, block).transpose(0, 3, 5, 1, 2, 4)
    return parts.reshape(count, depth * block**2, rows // block, columns // block)


KERNELS: dict[str, Callable[..., Any]] = {
    "one_hot": one_hot,
    "cumsum": cumsum,
    "gather_nd": gather_nd,
    "topk": topk,
    "band_part": band_part,
    "depth_to_space": depth_to_space,
    "space_to_depth": space_to_depth,
    "acos": lambda x: np.arccos(x),
    "asin": lambda x: np.arcsin(x),
    "atanh": lambda x: np.arctanh(x),
}
