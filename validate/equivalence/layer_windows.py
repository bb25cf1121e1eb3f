"""Rules of layers with a window: convolutions and pooling, by Keras' documentation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..witness.layer import per_axis
from . import linear, moves, reductions
from .layered import AppliedLayer, Rule, board_back, board_last, with_activation, with_bias
from .normal import ZERO, Index, View
from .weights import Weights


def _pads(layer: AppliedLayer, view: View, size: Sequence[int], strides: Sequence[int]) -> list[tuple[int, int]]:
    padding = layer.config.get("padding", "valid")
    if padding == "same":
        return linear.same_margins(view, size, strides)
    if padding != "valid":
        raise layer.refusal(f"the padding '{padding}' has no rule")
    return [(0, 0)] * len(size)


def _finish(layer: AppliedLayer, view: View) -> View:
    """`view` after the layer's own bias and activation."""
    return with_activation(layer, board_back(layer, with_bias(layer, view)), layer.config.get("activation"))


def _windowed(layer: AppliedLayer, view: View, kernel: Weights) -> View:
    view, rank = board_last(layer, view), kernel.values.ndim - 2
    strides = per_axis(layer.config.get("strides", 1), rank)
    holes = per_axis(layer.config.get("dilation_rate", 1), rank)
    spans = linear.spans(kernel.values.shape[:rank], holes, layer.name)
    return linear.convolution(view, kernel, _pads(layer, view, spans, strides), strides, holes, layer.name)


def _convolution(layer: AppliedLayer, view: View) -> View:
    return _finish(layer, _windowed(layer, view, layer.weight("kernel")))


def _depthwise(layer: AppliedLayer, view: View) -> View:
    return _finish(layer, _windowed(layer, view, linear.by_channel(layer.weight("depthwise_kernel"))))


def _separable(layer: AppliedLayer, view: View) -> View:
    between = _windowed(layer, view, linear.by_channel(layer.weight("depthwise_kernel")))
    pointwise_kernel = layer.weight("pointwise_kernel")
    matrix = pointwise_kernel.reshape(*pointwise_kernel.values.shape[-2:])
    return _finish(layer, linear.dense(between, matrix, layer.name))


def _transposed(layer: AppliedLayer, view: View) -> View:
    """A transposed convolution: each place adds its kernel (*window, F, C) to the output at `strides` times the place.

    'same' cuts size * stride places out of that; the smaller half of the rest is cut in front. 'valid' keeps all, and
    places that no kernel reaches are zero. A row holds the places that contribute to one output place, in the board's
    order.
    """
    view, kernel = board_last(layer, view), layer.weight("kernel")
    window = kernel.values.shape[:-2]
    strides = per_axis(layer.config.get("strides", 1), len(window))
    if layer.config.get("output_padding") is not None or set(
        per_axis(layer.config.get("dilation_rate", 1), len(window))
    ) != {1}:
        raise layer.refusal("output padding and dilation have no rule")
    if layer.config.get("padding", "valid") not in ("same", "valid"):
        raise layer.refusal(f"the padding '{layer.config['padding']}' has no rule")
    same = layer.config.get("padding") == "same"
    index = view.index[0]
    for axis, (size, stride) in enumerate(zip(window, strides, strict=True)):
        index = _reached(index, axis, size, stride, same=same)
    taps = np.moveaxis(index, (1, 3), (2, 3)) if len(window) == 2 else index
    out = [size for at, size in enumerate(index.shape[:-1]) if at % 2 == 0]
    turned = kernel.each(lambda part: np.flip(part, tuple(range(len(window)))).swapaxes(-1, -2))
    made = linear.rows(view, taps.reshape(int(np.prod(out)), -1), turned, tuple(out), layer.name)
    return _finish(layer, made)


def _reached(index: Index, axis: int, size: int, stride: int, *, same: bool) -> Index:
    """`index` with the board's axis 2 * `axis` split in two: output places, and the places that reach each of them."""
    side = index.shape[2 * axis]
    beyond = max(size - stride, 0)
    count, cut = side * stride + (0 if same else beyond), beyond // 2 if same else 0
    # Tap t of the rotated window reads the place (out + cut - (size - 1) + t) / stride, if that exists.
    place = np.arange(count)[:, None] + cut - (size - 1) + np.arange(size)[None, :]
    inside = (place % stride == 0) & (place >= 0) & (place < side * stride)
    taken = np.take(index, np.where(inside, place // stride, 0), axis=2 * axis)
    mask = inside.reshape(*[1] * (2 * axis), *inside.shape, *[1] * (index.ndim - 2 * axis - 1))
    return np.where(mask, taken, ZERO).astype(np.int32)


def _pool(function: str) -> Rule:
    def rule(layer: AppliedLayer, view: View) -> View:
        view = board_last(layer, view)
        size = per_axis(layer.config.get("pool_size", 2), len(view.shape) - 2)
        strides = per_axis(layer.config.get("strides") or size, len(size))
        made = reductions.pool(view, function, size, _pads(layer, view, size, strides), strides, layer.name)
        return board_back(layer, made)

    return rule


def _global_pool(function: str) -> Rule:
    def rule(layer: AppliedLayer, view: View) -> View:
        first = 2 if layer.channels_first else 1
        axes = range(first, first + len(view.shape) - 2)
        return reductions.reduce(view, function, axes, layer.name, keep=bool(layer.config.get("keepdims", False)))

    return rule


def _margins(layer: AppliedLayer, rank: int, key: str) -> list[tuple[int, int]]:
    """(before, after) for each axis of the board."""
    value = layer.config[key]
    if isinstance(value, int):
        return [(value, value)] * rank
    if rank == 1 and len(value) == 2:
        return [(int(value[0]), int(value[1]))]
    pairs = [per_axis(item, 2) for item in value]
    return [(int(pair[0]), int(pair[-1])) for pair in pairs]


def _zero_padding(layer: AppliedLayer, view: View) -> View:
    view = board_last(layer, view)
    margins = _margins(layer, len(view.shape) - 2, "padding")
    return board_back(layer, moves.pad(view, [(0, 0), *margins, (0, 0)], layer.name))


def _cropping(layer: AppliedLayer, view: View) -> View:
    view = board_last(layer, view)
    margins = _margins(layer, len(view.shape) - 2, "cropping")
    end = [side - after for side, (_, after) in zip(view.shape[1:], margins, strict=False)]
    begin = [before for before, _ in margins]
    return board_back(layer, moves.crop(view, [0, *begin, 0], [1, *end, view.shape[-1]], layer.name))


def _up_sampling(layer: AppliedLayer, view: View) -> View:
    if layer.config.get("interpolation", "nearest") != "nearest":
        raise layer.refusal(f"the interpolation '{layer.config['interpolation']}' has no rule")
    view = board_last(layer, view)
    times = per_axis(layer.config.get("size", 2), len(view.shape) - 2)
    return board_back(layer, moves.repeat(view, [1, *times, 1]))


_RANKS = ("1D", "2D")

RULES: dict[str, Rule] = {
    "Conv1D": _convolution,
    "Conv2D": _convolution,
    "Conv1DTranspose": _transposed,
    "Conv2DTranspose": _transposed,
    **{f"DepthwiseConv{rank}": _depthwise for rank in _RANKS},
    **{f"SeparableConv{rank}": _separable for rank in _RANKS},
    **{f"MaxPooling{rank}": _pool("max") for rank in _RANKS},
    **{f"AveragePooling{rank}": _pool("mean") for rank in _RANKS},
    **{f"GlobalMaxPooling{rank}": _global_pool("max") for rank in (*_RANKS, "3D")},
    **{f"GlobalAveragePooling{rank}": _global_pool("mean") for rank in (*_RANKS, "3D")},
    **{f"ZeroPadding{rank}": _zero_padding for rank in _RANKS},
    **{f"Cropping{rank}": _cropping for rank in _RANKS},
    **{f"UpSampling{rank}": _up_sampling for rank in _RANKS},
}
