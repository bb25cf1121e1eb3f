"""MIL's resizing of the last two axes, rows and columns, in NumPy: bilinear, or to the nearest cell."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def upsample_bilinear(
    x: Array,
    scale_factor_height: float = 1,
    scale_factor_width: float = 1,
    align_corners: bool = True,
    half_pixel_centers: bool | None = None,
) -> Array:
    """(..., H, W) enlarged by factors with linear interpolation; float32 (..., H', W').

    The size is rounded down, and the step between two points follows from the sizes, not from the factors.
    """
    # A factor is stored in float32: 7/3 gives slightly less than the intended size.
    height, width = (
        math.floor(x.shape[axis] * float(factor) + 1e-5)
        for axis, factor in ((-2, scale_factor_height), (-1, scale_factor_width))
    )
    centred = not align_corners if half_pixel_centers is None else half_pixel_centers
    mode = "STRICT_ALIGN_CORNERS" if align_corners else "UNALIGN_CORNERS" if centred else "DEFAULT"
    return resize_bilinear(x, height, width, mode)


def resize_bilinear(
    x: Array, target_size_height: int = 1, target_size_width: int = 1, sampling_mode: str = "DEFAULT"
) -> Array:
    """(..., H, W) resized with linear interpolation; float32."""
    result = x
    for axis, wanted in ((-2, int(target_size_height)), (-1, int(target_size_width))):
        size = x.shape[axis]
        points = np.clip(_POINTS[sampling_mode](size, wanted), 0, size - 1)
        before = np.floor(points).astype(int)
        shape = [1] * x.ndim
        shape[axis] = wanted
        share = (points - before).astype(np.float32).reshape(shape)
        low, high = (np.take(result, cells, axis) for cells in (before, np.minimum(before + 1, size - 1)))
        result = low + (high - low) * share
    return np.asarray(result, np.float32)


def resize_nearest(x: Array, target_size_height: int, target_size_width: int) -> Array:
    """(..., H, W) resized; each new cell has the value of the cell in which its centre lies."""
    result = x
    for axis, wanted in ((-2, int(target_size_height)), (-1, int(target_size_width))):
        cells = np.floor((np.arange(wanted) + 0.5) * (x.shape[axis] / wanted)).astype(int)
        result = np.take(result, np.minimum(cells, x.shape[axis] - 1), axis)
    return result


def _between_corners(size: int, wanted: int) -> Array:
    return np.arange(wanted) * ((size - 1) / max(wanted - 1, 1))


def _from_the_first(size: int, wanted: int) -> Array:
    return np.arange(wanted) * (size / wanted)


def _between_centres(size: int, wanted: int) -> Array:
    return (np.arange(wanted) + 0.5) * (size / wanted) - 0.5


def _centred_if_one(size: int, wanted: int) -> Array:
    return np.array([(size - 1) / 2]) if wanted == 1 else _between_corners(size, wanted)


def _offset(size: int, wanted: int) -> Array:
    return (np.arange(wanted) + 0.5) * (max(1, size - 1) / wanted)


# The places of the new cells among the old ones, by MIL's names.
_POINTS: dict[str, Callable[[int, int], Array]] = {
    "STRICT_ALIGN_CORNERS": _between_corners,
    "ALIGN_CORNERS": _centred_if_one,
    "DEFAULT": _from_the_first,
    "OFFSET_CORNERS": _offset,
    "UNALIGN_CORNERS": _between_centres,
}

KERNELS: dict[str, Callable[..., Array]] = {
    "upsample_bilinear": upsample_bilinear,
    "resize_bilinear": resize_bilinear,
    "resize_nearest_neighbor": resize_nearest,
}
