"""Rules of linear operations: a convolution, a matrix product, and the scales and shifts that fold into them.

Each is one form: rows of numbers, taken from the input by an index, times a matrix. A convolution's stride, padding and
dilation are then nothing but the index; a permutation before a dense layer moves into the rows of its matrix.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .moves import pad_index
from .normal import Index, Node, NoRuleError, View, edge, places, plain_edge, settle
from .weights import Weights, add, multiply, product, stored


def windows(index: Index, size: Sequence[int], strides: Sequence[int], dilations: Sequence[int]) -> Index:
    """The places (*out, *size, C) that a window sees as it moves over an index (*board, C)."""
    spans = tuple((window - 1) * hole + 1 for window, hole in zip(size, dilations, strict=True))
    rank = len(spans)
    seen = np.lib.stride_tricks.sliding_window_view(index, spans, axis=tuple(range(rank)))
    steps = tuple(slice(None, None, step) for step in strides)
    holes = tuple(slice(None, None, hole) for hole in dilations)
    return np.moveaxis(seen[(*steps, slice(None), *holes)], rank, -1)


def convolution(
    view: View,
    kernel: Weights,
    pads: Sequence[tuple[int, int]],
    strides: Sequence[int],
    dilations: Sequence[int],
    name: str,
) -> View:
    """A view (1, *board, C) through a kernel (*window, C / groups, F): (1, *out, F)."""
    *window, depth, filters = kernel.values.shape
    channels = view.shape[-1]
    if len(view.shape) != len(window) + 2 or channels % depth or filters % (channels // depth):
        raise NoRuleError("convolution", name, f"a kernel {kernel.values.shape} does not fit {view.shape}")
    board = pad_index(view.index[0], [*pads, (0, 0)])
    seen = windows(board, window, strides, dilations)
    if channels != depth:
        kernel = _ungroup(kernel, channels)
    rows = seen.reshape(-1, int(np.prod(window)) * channels)
    return _product(view, rows, kernel.reshape(-1, filters), (1, *seen.shape[: len(window)], filters), name)


def _ungroup(kernel: Weights, channels: int) -> Weights:
    """A kernel of groups as one over all channels, with zeros between the groups."""
    *window, depth, filters = kernel.values.shape
    groups, each = channels // depth, filters // (channels // depth)
    whole = np.zeros((*window, channels, filters))
    for group in range(groups):
        ins, outs = slice(group * depth, (group + 1) * depth), slice(group * each, (group + 1) * each)
        whole[..., ins, outs] = kernel.values[..., outs]
    return Weights(whole, None, kernel.is_rounded)


def depthwise(
    view: View,
    kernel: Weights,
    pads: Sequence[tuple[int, int]],
    strides: Sequence[int],
    dilations: Sequence[int],
    name: str,
) -> View:
    """Each channel of (1, *board, C) with its own (*window, C, M), as a kernel over all channels with zeros."""
    *window, channels, times = kernel.values.shape
    whole = np.zeros((*window, channels, channels, times))
    at = np.arange(channels)
    whole[..., at, at, :] = kernel.values
    full = Weights(whole.reshape(*window, channels, channels * times), None, kernel.is_rounded)
    return convolution(view, full, pads, strides, dilations, name)


def dense(view: View, kernel: Weights, name: str) -> View:
    """The last axis of a view (1, ..., K) times a matrix (K, F): (1, ..., F)."""
    if kernel.values.ndim != 2 or view.shape[-1] != len(kernel.values) or len(view.shape) < 2:
        raise NoRuleError("matrix product", name, f"{view.shape} times {kernel.values.shape} is not known")
    rows = view.index.reshape(-1, view.shape[-1])
    return _product(view, rows, kernel, (*view.shape[:-1], kernel.values.shape[1]), name)


def _product(view: View, rows: Index, kernel: Weights, shape: tuple[int, ...], name: str) -> View:
    bias = None
    if len(rows) == 1 and view.node.kind == "affine" and not (rows < 0).any():
        view, kernel, bias = _take_in(view, rows[0], kernel)
    if len(rows) == 1 and len(np.unique(rows[0])) == rows.shape[1]:
        # The order of one row's numbers means nothing: it moves into the matrix' rows.
        order = np.argsort(rows[0])
        rows, kernel = rows[:, order], kernel.move(order)
    weights = {"kernel": kernel, **({} if bias is None else {"bias": bias})}
    size = len(rows) * kernel.values.shape[1]
    node = Node("linear", name, (edge(view.node, rows),), size, (kernel.values.shape,), weights)
    return View(node, places(size, shape))


def _take_in(view: View, row: Index, kernel: Weights) -> tuple[View, Weights, Weights]:
    """A scale and a shift before a matrix product, as a matrix and a bias over what they read."""
    affine = view.node
    scale, shift = affine.weights["scale"].move(row), affine.weights["shift"].move(row)
    below = View(affine.inputs[0].node, row)
    return below, kernel if is_one(scale) else multiply(kernel, scale.reshape(-1, 1)), product(shift, kernel)


def is_one(scale: Weights) -> bool:
    """Whether a scale changes nothing."""
    return scale.error is None and bool((scale.values == 1).all())


def is_zero(shift: Weights) -> bool:
    """Whether a shift changes nothing."""
    return shift.error is None and not shift.values.any()


def affine(view: View, scale: Weights, shift: Weights, name: str) -> View:
    """`view` times `scale` plus `shift`, both broadcast against its shape."""
    shape = np.broadcast_shapes(view.shape, scale.values.shape, shift.values.shape)
    if shape != view.shape:
        raise NoRuleError("scale", name, f"it makes {shape} of {view.shape}")
    if not view.is_rearranged:
        view = settle(view, name)
    order = np.argsort(view.index.ravel())
    by_place = [part.spread(shape).reshape(-1).move(order) for part in (scale, shift)]
    node = _behind(view.node, by_place[0], by_place[1], name)
    return View(node, view.index)


def _behind(node: Node, scale: Weights, shift: Weights, name: str) -> Node:
    """A scale and a shift behind `node`, in it where it is linear and they are one a channel."""
    channels = node.attributes[0][1] if node.kind == "linear" else 0
    if node.kind == "linear":
        parts = [_per_channel(part, channels) for part in (scale, shift)]
        if parts[0] is not None and parts[1] is not None:
            return _fold(node, parts[0], parts[1])
    if node.kind == "affine":
        before = node.weights
        weights = {"scale": scaled(before["scale"], scale), "shift": shifted(scaled(before["shift"], scale), shift)}
        return Node("affine", node.name, node.inputs, node.size, (), weights)
    if node.kind == "linear" and "bias" in node.weights:
        # A bias before a scale that is no channel's own is a part of the shift, where converters put it.
        bias = node.weights["bias"].spread((node.size // channels, channels)).reshape(-1)
        shift = shifted(scaled(bias, scale), shift)
        node = Node("linear", node.name, node.inputs, node.size, node.attributes, {"kernel": node.weights["kernel"]})
    inputs = (plain_edge(node),)
    return Node("affine", name, inputs, node.size, (), {"scale": scale, "shift": shift})


def _per_channel(part: Weights, channels: int) -> Weights | None:
    """The numbers (channels,) if all rows have the same ones."""
    rows = part.values.reshape(-1, channels)
    return part.reshape(-1, channels).move(0) if (rows == rows[0]).all() else None


def _fold(node: Node, scale: Weights, shift: Weights) -> Node:
    kernel = scaled(node.weights["kernel"], scale)
    bias = node.weights.get("bias")
    bias = shift if bias is None else shifted(scaled(bias, scale), shift)
    return Node("linear", node.name, node.inputs, node.size, node.attributes, {"kernel": kernel, "bias": bias})


def scaled(weights: Weights, scale: Weights) -> Weights:
    """The product; `weights` themselves where the scale is one."""
    return weights if is_one(scale) else multiply(weights, scale)


def shifted(weights: Weights, shift: Weights) -> Weights:
    """The sum; the other part itself where one is zero."""
    if is_zero(shift):
        return weights
    return shift if is_zero(weights) else add(weights, shift)


def ones() -> Weights:
    """A scale that changes nothing."""
    return stored(1.0)


def zeros() -> Weights:
    """A shift that changes nothing."""
    return stored(0.0)
