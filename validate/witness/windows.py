"""Layers with a window: convolutions and pooling, in float64."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from .activations import activate
from .layer import LayerCall, Rule, Values, channels_back, channels_last, per_axis

# Up to this many positions count as few (measured on two processors: 6 times faster for one, equal for 32).
FEW = 16


def same_padding(size: int, window: int, stride: int) -> tuple[int, int]:
    """The cells that TensorFlow's 'same' adds before and after an axis; an odd one goes after."""
    total = max((math.ceil(size / stride) - 1) * stride + window - size, 0)
    return total // 2, total - total // 2


def _pads(
    applied: LayerCall, sizes: Sequence[int], windows: Sequence[int], strides: Sequence[int]
) -> list[tuple[int, int]]:
    padding = applied.config.get("padding", "valid")
    if padding == "same":
        axes = zip(sizes, windows, strides, strict=True)
        return [same_padding(size, window, stride) for size, window, stride in axes]
    if padding == "causal":
        return [(window - 1, 0) for window in windows]
    if padding != "valid":
        raise applied.refusal(f"padding '{padding}' is not known")
    return [(0, 0)] * len(sizes)


def _windows(x: Values, kernel: Sequence[int], strides: Sequence[int], dilation: Sequence[int]) -> Values:
    """A view (N, *out, C, *kernel) of a padded (N, *in, C)."""
    # Not NumPy's sliding_window_view: for a few small boards it takes longer than their products.
    x = np.ascontiguousarray(x)
    batch, *steps, channel = x.strides
    spans = [(size - 1) * step + 1 for size, step in zip(kernel, dilation, strict=True)]
    out = [max((n - span) // stride + 1, 0) for n, span, stride in zip(x.shape[1:-1], spans, strides, strict=True)]
    along = [step * stride for step, stride in zip(steps, strides, strict=True)]
    within = [step * hole for step, hole in zip(steps, dilation, strict=True)]
    shape = (len(x), *out, x.shape[-1], *kernel)
    view: Values = np.ndarray(shape, x.dtype, x, strides=(batch, *along, channel, *within))
    view.flags.writeable = False
    return view


@dataclass(frozen=True)
class Axis:
    """One axis of a convolution: its size, the window's movement along it, and the cells added before and after."""

    size: int
    window: int
    stride: int
    dilation: int
    pads: tuple[int, int]

    @property
    def out(self) -> int:
        """The number of places that the window can take."""
        span = (self.window - 1) * self.dilation + 1
        return max((self.size + sum(self.pads) - span) // self.stride + 1, 0)

    def reach(self, place: int) -> tuple[slice, slice]:
        """The taps of the window that are on the board at an output place, and the cells under them."""
        start = place * self.stride - self.pads[0]
        first = max(0, -(start // self.dilation))
        end = min(self.window, (self.size - 1 - start) // self.dilation + 1)
        cells = slice(start + first * self.dilation, start + (end - 1) * self.dilation + 1, self.dilation)
        return slice(first, end), cells if end > first else slice(0, 0)


def convolve(x: Values, kernel: Values, axes: Sequence[Axis]) -> Values:
    """The cross-correlation of (N, *in, C) with (*window, C, F): (N, *out, F).

    The batch is last in memory, so the cells under a row of the window already form one matrix. Nothing is unrolled,
    and taps beyond the board's edge are never multiplied. For few positions such matrices are narrow, and one product
    of all windows takes less time.
    """
    if len(x) <= FEW:
        rank, inputs = len(axes), int(np.prod(kernel.shape[:-1]))
        view = _padded_windows(x, kernel, axes)
        windows = view.transpose(*range(rank + 1), *range(rank + 2, view.ndim), rank + 1).reshape(-1, inputs)
        return np.asarray((windows @ kernel.reshape(inputs, -1)).reshape(*view.shape[: rank + 1], -1))
    return np.moveaxis(_by_places(np.ascontiguousarray(np.moveaxis(x, 0, -1)), kernel, axes), -1, 0)


def _by_places(cells: Values, kernel: Values, axes: Sequence[Axis]) -> Values:
    """The cross-correlation of (*in, C, N), one output place after the other: (*out, F, N)."""
    filters = kernel.shape[-1]
    result = np.zeros((*(axis.out for axis in axes), filters, cells.shape[-1]), np.result_type(cells, kernel))
    product_of_row = np.empty(result.shape[-2:], result.dtype)
    for place in product(*(range(axis.out) for axis in axes)):
        *outer, (taps, under) = (axis.reach(at) for axis, at in zip(axes, place, strict=True))
        at_place = result[place]
        for row in product(*(zip(_indices(tap), _indices(cell), strict=True) for tap, cell in outer)):
            weights = _at(kernel, *(tap for tap, _ in row), taps).reshape(-1, filters)
            window = _at(cells, *(cell for _, cell in row), under).reshape(len(weights), cells.shape[-1])
            at_place += np.matmul(weights.T, window, out=product_of_row)
    return result


def _padded_windows(x: Values, kernel: Values, axes: Sequence[Axis]) -> Values:
    """The windows (N, *out, C, *window) of a kernel (*window, ...) over (N, *in, C) with zeros around it."""
    # Not np.pad: for a small board it takes longer than the copy.
    padded = np.zeros((len(x), *(axis.size + sum(axis.pads) for axis in axes), x.shape[-1]), x.dtype)
    padded[(slice(None), *(slice(axis.pads[0], axis.pads[0] + axis.size) for axis in axes))] = x
    return _windows(padded, kernel.shape[:-2], [axis.stride for axis in axes], [axis.dilation for axis in axes])


def _at(values: Values, *index: Any) -> Values:
    return np.asarray(values[index])


def _indices(part: slice) -> range:
    return range(part.start, part.stop, part.step or 1)


def depthwise(x: Values, kernel: Values, axes: Sequence[Axis]) -> Values:
    """Each channel of (N, *in, C) with its own (*window, C, M): (N, *out, C * M)."""
    view = _padded_windows(x, kernel, axes)
    result = np.zeros((*view.shape[: len(axes) + 2], kernel.shape[-1]), np.result_type(x, kernel))
    for offset in product(*map(range, kernel.shape[:-2])):
        result += _at(view, ..., *offset)[..., None] * kernel[offset]
    return result.reshape(*result.shape[:-2], -1)


def _geometry(applied: LayerCall, x: Values, kernel: Values) -> list[Axis]:
    """How the layer moves a kernel (*window, ...) along the axes of a channels_last `x`."""
    rank = kernel.ndim - 2
    strides = per_axis(applied.config.get("strides", 1), rank)
    dilation = per_axis(applied.config.get("dilation_rate", 1), rank)
    spans = [(size - 1) * step + 1 for size, step in zip(kernel.shape, dilation, strict=False)]
    pads = _pads(applied, x.shape[1:-1], spans, strides)
    axes = zip(x.shape[1:-1], kernel.shape[:rank], strides, dilation, pads, strict=True)
    return [Axis(size, window, stride, step, pad) for size, window, stride, step, pad in axes]


def _finish(applied: LayerCall, y: Values) -> Values:
    """`y` (N, *out, F) itself plus bias, after the activation; (N, F, *out) if the layer has channels first."""
    if applied.config.get("use_bias", True):
        y += applied.weight("bias")
    y = channels_back(y, applied.channels_first)
    return activate(applied, y, applied.config.get("activation"))


def _convolution(applied: LayerCall) -> Values:
    x, kernel = channels_last(applied.x, applied.channels_first), applied.weight("kernel")
    groups = int(applied.config.get("groups") or 1)
    if groups == 1:
        return _finish(applied, convolve(x, kernel, _geometry(applied, x, kernel)))
    parts = zip(np.split(x, groups, axis=-1), np.split(kernel, groups, axis=-1), strict=True)
    results = [convolve(part, own, _geometry(applied, part, own)) for part, own in parts]
    return _finish(applied, np.concatenate(results, axis=-1))


def convolve_with(applied: LayerCall, kernel: Values) -> Values:
    """The input, channels last, convolved with a kernel, with the layer's strides and padding, and nothing else."""
    return convolve(applied.x, kernel, _geometry(applied, applied.x, kernel))


def _depthwise_convolution(applied: LayerCall) -> Values:
    x = channels_last(applied.x, applied.channels_first)
    kernel = applied.weight("depthwise_kernel")
    return _finish(applied, depthwise(x, kernel, _geometry(applied, x, kernel)))


def _separable_convolution(applied: LayerCall) -> Values:
    x = channels_last(applied.x, applied.channels_first)
    kernel, pointwise = applied.weight("depthwise_kernel"), applied.weight("pointwise_kernel")
    y = depthwise(x, kernel, _geometry(applied, x, kernel))
    return _finish(applied, y @ pointwise.reshape(pointwise.shape[-2:]))


def _transposed_convolution(applied: LayerCall) -> Values:
    """Each cell of (N, *in, C) adds its kernel (*window, F, C) to the output; 'same' then cuts both ends."""
    x, kernel = channels_last(applied.x, applied.channels_first), applied.weight("kernel")
    window = kernel.shape[:-2]
    ones = (1,) * len(window)
    dilation = per_axis(applied.config.get("dilation_rate", 1), len(window))
    if applied.config.get("output_padding") is not None or dilation != ones:
        raise applied.refusal("output padding and dilation are not known")
    axes = list(zip(x.shape[1:-1], window, per_axis(applied.config.get("strides", 1), len(window)), strict=True))
    spread = np.zeros(
        (len(x), *((size - 1) * stride + width for size, width, stride in axes), kernel.shape[-2]),
        np.result_type(x, kernel),
    )
    for offset in product(*map(range, window)):
        starts = zip(offset, axes, strict=True)
        cells = [slice(first, first + (size - 1) * stride + 1, stride) for first, (size, _, stride) in starts]
        spread[(slice(None), *cells)] += x @ kernel[offset].T
    same = applied.config.get("padding") == "same"
    wanted = [size * stride + (0 if same else max(width - stride, 0)) for size, width, stride in axes]
    # If the stride is wider than the window, the output ends in cells to which nothing was added.
    have = spread.shape[1:-1]
    spread = np.pad(spread, [(0, 0), *((0, max(w - h, 0)) for w, h in zip(wanted, have, strict=True)), (0, 0)])
    cut = [max(h - w, 0) // 2 for w, h in zip(wanted, have, strict=True)]
    inside = [slice(first, first + want) for first, want in zip(cut, wanted, strict=True)]
    return _finish(applied, spread[(slice(None), *inside)])


def _pool(applied: LayerCall, *, average: bool) -> Values:
    """The largest value or the mean of each window, (N, *out, C) in the layer's layout; padding never counts."""
    x = channels_last(applied.x, applied.channels_first)
    rank = x.ndim - 2
    pool = per_axis(applied.config.get("pool_size", 2), rank)
    strides = per_axis(applied.config.get("strides") or pool, rank)
    pads = [(0, 0), *_pads(applied, x.shape[1:-1], pool, strides), (0, 0)]
    ones, over = (1,) * rank, tuple(range(-rank, 0))
    if average:
        board = np.pad(np.ones((1, *x.shape[1:-1], 1)), pads)
        cells = _windows(board, pool, strides, ones).sum(axis=over)
        y = _windows(np.pad(x, pads), pool, strides, ones).sum(axis=over) / cells
    else:
        y = _windows(np.pad(x, pads, constant_values=-math.inf), pool, strides, ones).max(axis=over)
    return channels_back(np.asarray(y), applied.channels_first)


def _global_pool(applied: LayerCall, reduce: Callable[..., Values]) -> Values:
    first = 2 if applied.channels_first else 1
    axes = tuple(range(first, first + applied.x.ndim - 2))
    return np.asarray(reduce(applied.x, axis=axes, keepdims=bool(applied.config.get("keepdims", False))))


RULES: dict[str, Rule] = {
    "Conv1D": _convolution,
    "Conv2D": _convolution,
    "DepthwiseConv2D": _depthwise_convolution,
    "SeparableConv2D": _separable_convolution,
    "Conv2DTranspose": _transposed_convolution,
    "Conv3D": _convolution,
    "DepthwiseConv1D": _depthwise_convolution,
    "SeparableConv1D": _separable_convolution,
    "Conv1DTranspose": _transposed_convolution,
}
for _rank in ("1D", "2D", "3D"):
    RULES[f"MaxPooling{_rank}"] = lambda applied: _pool(applied, average=False)
    RULES[f"AveragePooling{_rank}"] = lambda applied: _pool(applied, average=True)
    RULES[f"GlobalMaxPooling{_rank}"] = lambda applied: _global_pool(applied, np.max)
    RULES[f"GlobalAveragePooling{_rank}"] = lambda applied: _global_pool(applied, np.mean)
