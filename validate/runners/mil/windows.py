"""MIL's convolution and pooling in NumPy, over any number of spatial axes, with channels at axis 1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from ....errors import NotRunHere
from ...witness.windows import FEW, Axis, convolve, same_padding

Array = NDArray[Any]
Pads = list[tuple[int, int]]


@dataclass(frozen=True)
class Filters:
    """Convolution weights as one matrix per group: (groups, C_out / groups, C_in / groups * window).

    `by_cell` are the same weights as (*window, C_in, C_out) if there is one group; they serve for many positions.
    """

    matrix: Array
    window: tuple[int, ...]
    by_cell: Array | None


def filters(weight: Array, groups: int) -> Filters:
    """MIL's weight (C_out, C_in / groups, *window) as matrices (groups, C_out / groups, C_in / groups * window)."""
    by_cell = np.ascontiguousarray(np.moveaxis(weight, (0, 1), (-1, -2))) if groups == 1 else None
    return Filters(weight.reshape(groups, weight.shape[0] // groups, -1), weight.shape[2:], by_cell)


def prepare_conv(constants: dict[str, Any]) -> dict[str, Any]:
    """Reshape a constant weight once, instead of for every position."""
    if "weight" not in constants:
        return constants
    return constants | {"weight": filters(constants["weight"], int(constants.get("groups", 1)))}


def conv(
    x: Array,
    weight: Array | Filters,
    pad_type: str = "valid",
    bias: Array | None = None,
    strides: Sequence[int] | None = None,
    pad: Sequence[int] | None = None,
    dilations: Sequence[int] | None = None,
    groups: int = 1,
) -> Array:
    """Convolve x (N, C_in, *D) into (N, C_out, *D_out): windows side by side, then one matrix product.

    Many positions go through the witness' products instead, which make no copy of the windows.
    """
    kernel = weight if isinstance(weight, Filters) else filters(weight, int(groups))
    steps, spread = _ones(strides, kernel.window), _ones(dilations, kernel.window)
    extent = [(size - 1) * gap + 1 for size, gap in zip(kernel.window, spread, strict=True)]
    pads = padding(pad_type, pad, x.shape[2:], extent, steps)
    if kernel.by_cell is not None and len(x) > FEW:
        axes = map(Axis, x.shape[2:], kernel.window, steps, spread, pads)
        answer = np.moveaxis(convolve(np.moveaxis(x, 1, -1), kernel.by_cell, list(axes)), -1, 1)
    else:
        answer = _by_matrix(_pad(x, pads), kernel, extent, steps, spread)
    return answer if bias is None else answer + bias.reshape(-1, *[1] * (x.ndim - 2))


def _by_matrix(padded: Array, kernel: Filters, extent: list[int], steps: list[int], spread: list[int]) -> Array:
    """The product (N, C_out, *D_out) of each group's filters with the windows of a padded (N, C_in, *D)."""
    rank = padded.ndim - 2
    # A dilated window has every `gap`-th cell of a larger one: (N, C_in, *D_out, *window).
    every = [slice(None)] * padded.ndim + [slice(None, None, gap) for gap in spread]
    views = _windows(padded, extent, steps)[tuple(every)]
    out = views.shape[2 : 2 + rank]
    # The window's cells come right after the channels, as in the weights: rows of the matrix, columns of the view.
    channels_and_window = (0, 1, *range(2 + rank, 2 + 2 * rank), *range(2, 2 + rank))
    shape = (len(padded), len(kernel.matrix), kernel.matrix.shape[-1], -1)
    columns = views.transpose(channels_and_window).reshape(shape)
    return np.asarray(kernel.matrix @ columns).reshape(len(padded), -1, *out)


def padding(
    kind: str, pad: Sequence[int] | None, sizes: Sequence[int], extent: Sequence[int], strides: Sequence[int]
) -> Pads:
    """(before, after) of each spatial axis.

    'same' is TensorFlow's: an odd total has its extra one after. MIL's documentation gives another formula for even
    kernels, but coremltools tests even kernels on macOS against TensorFlow with 'same'.
    """
    if kind == "custom" and pad is not None:
        return [(int(pad[2 * axis]), int(pad[2 * axis + 1])) for axis in range(len(sizes))]
    if kind not in ("same", "same_lower"):
        return [(0, 0)] * len(sizes)
    pairs = [same_padding(*axis) for axis in zip(sizes, extent, strides, strict=True)]
    return [(after, before) for before, after in pairs] if kind == "same_lower" else pairs


def max_pool(
    x: Array,
    kernel_sizes: Sequence[int],
    pad_type: str,
    strides: Sequence[int] | None = None,
    pad: Sequence[int] | None = None,
    ceil_mode: bool = False,
) -> Array:
    """The largest value of each window; the padding is minus infinity and never wins."""
    _refuse_ceil(ceil_mode)
    steps = _ones(strides, kernel_sizes)
    padded = _pad(x, padding(pad_type, pad, x.shape[2:], kernel_sizes, steps), -np.inf)
    return _reduce(np.max, padded, kernel_sizes, steps)


def avg_pool(
    x: Array,
    kernel_sizes: Sequence[int],
    pad_type: str,
    strides: Sequence[int] | None = None,
    pad: Sequence[int] | None = None,
    exclude_padding_from_average: bool = False,
    ceil_mode: bool = False,
) -> Array:
    """The mean of each window; the padding counts as zeros, or not at all."""
    _refuse_ceil(ceil_mode)
    steps = _ones(strides, kernel_sizes)
    pads = padding(pad_type, pad, x.shape[2:], kernel_sizes, steps)
    total = _reduce(np.sum, _pad(x, pads), kernel_sizes, steps)
    if not exclude_padding_from_average:
        return np.asarray(total / np.float32(np.prod(kernel_sizes)))
    cells = _pad(np.ones((1, 1, *x.shape[2:]), np.float32), pads)
    return np.asarray(total / _reduce(np.sum, cells, kernel_sizes, steps))


def upsample_nearest(x: Array, scale_factor_height: float = 1, scale_factor_width: float = 1) -> Array:
    """(N, C, H, W) with rows and columns repeated a whole number of times."""
    factors = [float(scale_factor_height), float(scale_factor_width)]
    if any(factor != int(factor) for factor in factors):
        raise lacking("enlarges by a fraction")
    return x.repeat(int(factors[0]), axis=-2).repeat(int(factors[1]), axis=-1)


def _refuse_ceil(ceil_mode: bool) -> None:
    if ceil_mode:
        raise lacking("pools with ceil_mode")


def lacking(what: str) -> NotRunHere:
    """The error about something in a Core ML program that this interpreter has no kernel for."""
    return NotRunHere(
        f"the Core ML program {what}, which azx's NumPy interpreter of Core ML lacks: "
        "azx validate on macOS, where Core ML itself runs it, proves it"
    )


def _ones(given: Sequence[int] | None, window: Sequence[int]) -> list[int]:
    return [1] * len(window) if given is None else [int(value) for value in given]


def _pad(x: Array, pads: Pads, fill: float = 0.0) -> Array:
    """`x` (N, C, *D) padded along the axes D.

    For small boards np.pad is much slower than one allocation and one copy.
    """
    if not any(map(any, pads)):
        return x
    sizes = [before + size + after for size, (before, after) in zip(x.shape[2:], pads, strict=True)]
    padded = np.full((*x.shape[:2], *sizes), fill, x.dtype)
    inner = [slice(before, before + size) for size, (before, _) in zip(x.shape[2:], pads, strict=True)]
    padded[(slice(None), slice(None), *inner)] = x
    return padded


def _windows(x: Array, extent: Sequence[int], strides: Sequence[int]) -> Array:
    """View `x` (N, C, *D) as (N, C, *D_out, *extent)."""
    axes = tuple(range(2, x.ndim))
    every = tuple(slice(None, None, step) for step in strides)
    return sliding_window_view(x, tuple(int(size) for size in extent), axis=axes)[(slice(None), slice(None), *every)]


def _reduce(function: Callable[..., Any], x: Array, extent: Sequence[int], strides: Sequence[int]) -> Array:
    windows = _windows(x, extent, strides)
    return np.asarray(function(windows, axis=tuple(range(x.ndim, windows.ndim))))


KERNELS: dict[str, Callable[..., Array]] = {
    "conv": conv,
    "max_pool": max_pool,
    "avg_pool": avg_pool,
    "upsample_nearest_neighbor": upsample_nearest,
}
