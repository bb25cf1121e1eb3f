"""Rules of linear operations: convolutions, matrix products, and the scales and shifts that fold into them.

All have one form: rows of numbers, selected from the input by an index, times a matrix. The index expresses a
convolution's stride, padding and dilation. A permutation before a dense layer reorders the rows of its matrix.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..witness.windows import same_padding
from .moves import pad_index
from .normal import Edge, Index, MisfitError, Node, NoRuleError, View, edge, part, places, plain_edge, settle
from .weights import Float, Weights, is_one, is_zero, multiply, product, scaled, shifted, stored


def windows(index: Index, size: Sequence[int], strides: Sequence[int], dilations: Sequence[int], name: str) -> Index:
    """The places (*out, *size, C) under a window as it moves over an index (*board, C)."""
    if not len(size) == len(strides) == len(dilations) == index.ndim - 1 or min(*strides, *dilations) < 1:
        raise MisfitError(name, f"moves by {list(strides)} and {list(dilations)} over a board {index.shape[:-1]}")
    reach = tuple(spans(size, dilations, name))
    if any(span > side for span, side in zip(reach, index.shape, strict=False)):
        raise MisfitError(name, f"looks through a window {reach} at a board {index.shape[:-1]}")
    rank = len(reach)
    views = np.lib.stride_tricks.sliding_window_view(index, reach, axis=tuple(range(rank)))
    steps = tuple(slice(None, None, step) for step in strides)
    holes = tuple(slice(None, None, hole) for hole in dilations)
    return np.moveaxis(views[(*steps, slice(None), *holes)], rank, -1)


def spans(size: Sequence[int], dilations: Sequence[int], name: str) -> list[int]:
    """The number of places that each axis of a window spans, holes included."""
    if len(size) != len(dilations):
        raise MisfitError(name, f"has the dilations {list(dilations)} of a window {list(size)}")
    return [(side - 1) * hole + 1 for side, hole in zip(size, dilations, strict=True)]


def same_margins(view: View, spans: Sequence[int], strides: Sequence[int]) -> list[tuple[int, int]]:
    """The zeros that TensorFlow's 'same' puts before and after each axis of the board of a view (1, *board, C)."""
    return [same_padding(*axis) for axis in zip(view.shape[1:-1], spans, strides, strict=True)]


def convolution(
    view: View,
    kernel: Weights,
    pads: Sequence[tuple[int, int]],
    strides: Sequence[int],
    dilations: Sequence[int],
    name: str,
) -> View:
    """A view (1, *board, C) convolved with a kernel (*window, C / groups, F): (1, *out, F)."""
    *window, depth, filters = kernel.values.shape
    channels = view.shape[-1]
    if len(view.shape) != len(window) + 2 or channels % depth or filters % (channels // depth):
        raise MisfitError(name, f"has a kernel {kernel.values.shape} that does not fit {view.shape}")
    board = pad_index(view.index[0], [*pads, (0, 0)])
    views = windows(board, window, strides, dilations, name)
    if channels != depth:
        kernel = _ungroup(kernel, channels)
    taps = views.reshape(-1, int(np.prod(window)) * channels)
    return rows(view, taps, kernel, views.shape[: len(window)], name)


def rows(view: View, taps: Index, kernel: Weights, out: tuple[int, ...], name: str) -> View:
    """Rows of places (out, K) times a kernel whose axes except the last hold K numbers: (1, *out, F)."""
    filters = kernel.values.shape[-1]
    if taps.shape[1] * filters != kernel.values.size:
        raise MisfitError(name, f"has a kernel {kernel.values.shape} that does not fit {view.shape}")
    return _product(view, taps, kernel.reshape(-1, filters), (1, *out, filters), name)


def _ungroup(kernel: Weights, channels: int) -> Weights:
    """A kernel of groups as a kernel over all channels, with zeros between the groups."""
    *window, depth, filters = kernel.values.shape
    groups, each = channels // depth, filters // (channels // depth)

    def whole(part: Float) -> Float:
        made = np.zeros((*window, channels, filters), part.dtype)
        for group in range(groups):
            ins, outs = slice(group * depth, (group + 1) * depth), slice(group * each, (group + 1) * each)
            made[..., ins, outs] = part[..., outs]
        return made

    return kernel.each(whole)


def by_channel(kernel: Weights) -> Weights:
    """A depthwise kernel (*window, C, M) as one over all channels (*window, C, C * M), with zeros between them."""
    *window, channels, times = kernel.values.shape
    at = np.arange(channels)

    def whole(part: Float) -> Float:
        made = np.zeros((*window, channels, channels, times), part.dtype)
        made[..., at, at, :] = part
        return made.reshape(*window, channels, channels * times)

    return kernel.each(whole)


def dense(view: View, kernel: Weights, name: str) -> View:
    """The last axis of a view (1, ..., K) times a matrix (K, F): (1, ..., F)."""
    if kernel.values.ndim != 2 or view.shape[-1] != len(kernel.values) or len(view.shape) < 2:
        raise MisfitError(name, f"multiplies {view.shape} with {kernel.values.shape}")
    rows = view.index.reshape(-1, view.shape[-1])
    return _product(view, rows, kernel, (*view.shape[:-1], kernel.values.shape[1]), name)


def _product(view: View, rows: Index, kernel: Weights, shape: tuple[int, ...], name: str) -> View:
    bias = None
    if view.node.kind == "affine" and is_zero(view.node.weights["shift"]):
        view, kernel = _take_scale(view, rows, kernel)
    if len(rows) == 1 and view.node.kind == "affine" and not (rows < 0).any():
        view, kernel, bias = _take_in(view, rows[0], kernel)
    if len(rows) == 1 and len(np.unique(rows[0])) == rows.shape[1]:
        # The order of one row's numbers has no meaning, so it moves into the rows of the matrix.
        order = np.argsort(rows[0])
        rows, kernel = rows[:, order], kernel.move(order)
    weights = {"kernel": kernel, **({} if bias is None else {"bias": bias})}
    size = len(rows) * kernel.values.shape[1]
    node = Node("linear", name, (edge(view.node, rows),), size, (kernel.values.shape,), weights)
    return View(node, places(size, shape))


def _take_scale(view: View, rows: Index, kernel: Weights) -> tuple[View, Weights]:
    """A scale before a product, moved into the rows of its matrix if it has one number per row.

    Zeros of padding do not count.
    """
    scale = view.node.weights["scale"]
    first = np.where((rows >= 0).any(0), np.take_along_axis(rows, (rows >= 0).argmax(0)[None], 0)[0], 0)
    by_row = scale.move(first)
    if not ((rows < 0) | (scale.values[rows] == by_row.values)).all():
        return view, kernel
    return View(view.node.inputs[0].node, view.index), multiply(kernel, by_row.reshape(-1, 1))


def _take_in(view: View, row: Index, kernel: Weights) -> tuple[View, Weights, Weights]:
    """A scale and a shift before a matrix product, as a matrix and a bias on their own input."""
    affine = view.node
    scale, shift = affine.weights["scale"].move(row), affine.weights["shift"].move(row)
    below = View(affine.inputs[0].node, row)
    return below, kernel if is_one(scale) else multiply(kernel, scale.reshape(-1, 1)), product(shift, kernel)


def affine(view: View, scale: Weights, shift: Weights, name: str) -> View:
    """`view` times `scale` plus `shift`, both broadcast against its shape."""
    try:
        shape = np.broadcast_shapes(view.shape, scale.values.shape, shift.values.shape)
    except ValueError as error:
        raise MisfitError(name, f"scales {view.shape} by {scale.values.shape}, {shift.values.shape}") from error
    if shape != view.shape:
        view = View(view.node, np.broadcast_to(view.index, shape))
    if is_one(scale) and is_zero(shift):
        return view
    if view.has_zeros:
        view = settle(view, name)
    if scale.values.size == shift.values.size == 1:
        return View(affine_node(view.node, scale, shift, name), view.index)
    parts = [each.spread(shape).reshape(-1) for each in (scale, shift)]
    numbers, first = np.unique(view.index, return_index=True)
    copies = np.searchsorted(numbers, view.index.ravel())
    if not all((each.values[first][copies] == each.values).all() for each in parts):
        if view.node.kind == "gather" and view.node.held is None:
            raise NoRuleError("scale", name, "zeros of padding with scales of their own have no rule")
        view = part(view, name)
        numbers, first = np.unique(view.index, return_index=True)
    whole = [
        _by_number(each.move(first), numbers, view.node.size, default)
        for each, default in zip(parts, (1.0, 0.0), strict=True)
    ]
    return View(_behind(view.node, whole[0], whole[1], name), view.index)


def _by_number(part: Weights, numbers: Index, size: int, default: float) -> Weights:
    """`part`, given for some `numbers` of a node, extended to all of them; unused numbers get the default."""
    if len(numbers) == size:
        return part
    at = np.full(size, len(numbers))
    at[numbers] = np.arange(len(numbers))
    return part.each(lambda values: np.append(values, values.dtype.type(default)).take(at))


def affine_node(node: Node, scale: Weights, shift: Weights, name: str) -> Node:
    """All numbers of a node, times one scale, plus one shift."""
    scale, shift = (each.reshape(1).spread((node.size,)) for each in (scale, shift))
    return _behind(node, scale, shift, name)


def _behind(node: Node, scale: Weights, shift: Weights, name: str) -> Node:
    """A scale and a shift after `node`; they become part of it if it is linear and they have one number per channel."""
    alone = (node, scale) if node.kind == "linear" and is_zero(shift) else None
    return replace(folded(node, scale, shift, name), scaled=_uniform(node, scale, shift), stretched=alone)


def _uniform(node: Node, scale: Weights, shift: Weights) -> tuple[Node, Weights, Weights] | None:
    """The node, its factor and its summand, if each of the two is a single number; else None."""
    if not all((part.values == part.values[0]).all() for part in (scale, shift)):
        return None
    one, other = (part.move(0) for part in (scale, shift))
    if node.kind == "affine" and node.scaled is not None:
        base, before, moved = node.scaled
        return base, scaled(before, one), shifted(scaled(moved, one), other)
    return node, one, other


def folded(node: Node, scale: Weights, shift: Weights, name: str) -> Node:
    """All numbers of a node times `scale` plus `shift`, both in its order."""
    channels = node.attributes[0][1] if node.kind == "linear" else 0
    if node.kind == "linear":
        parts = [_per_channel(part, channels) for part in (scale, shift)]
        if parts[0] is not None and parts[1] is not None:
            return _fold(node, parts[0], parts[1])
    if node.kind == "affine":
        before = node.weights
        weights = {"scale": scaled(before["scale"], scale), "shift": shifted(scaled(before["shift"], scale), shift)}
        return Node("affine", node.name, node.inputs, node.size, (), weights)
    if node.kind == "product":
        moved = _with_scaled_factor(node, scale)
        if moved is not None and is_zero(shift):
            return moved
        if moved is not None:
            node, scale = moved, ones().spread((node.size,))
    if node.kind == "linear" and "bias" in node.weights:
        # If a scale differs within a channel, a bias before it becomes a part of the shift, as in converters.
        bias = node.weights["bias"].spread((node.size // channels, channels)).reshape(-1)
        shift = shifted(scaled(bias, scale), shift)
        node = Node("linear", node.name, node.inputs, node.size, node.attributes, {"kernel": node.weights["kernel"]})
    inputs = (plain_edge(node),)
    return Node("affine", name, inputs, node.size, (), {"scale": scale, "shift": shift})


def _with_scaled_factor(node: Node, scale: Weights) -> Node | None:
    """A product of two tensors, with one number moved into the first factor that has a matrix.

    None if neither has one.
    """
    if not (scale.values == scale.values[0]).all():
        return None
    reads = list(node.inputs)
    for at, each in enumerate(reads):
        if each.node.kind == "linear":
            by = scale.move(0).reshape(1).spread((each.node.size,))
            reads[at] = Edge(
                folded(each.node, by, zeros().spread((each.node.size,)), node.name), each.shape, each.digest
            )
            return Node("product", node.name, tuple(reads), node.size)
    return None


def _per_channel(part: Weights, channels: int) -> Weights | None:
    """The numbers (channels,), if all rows have the same; else None."""
    rows = part.values.reshape(-1, channels)
    return part.reshape(-1, channels).move(0) if (rows == rows[0]).all() else None


def _fold(node: Node, scale: Weights, shift: Weights) -> Node:
    kernel = node.weights["kernel"].later(scale)
    bias = node.weights.get("bias")
    bias = shift if bias is None else shifted(scaled(bias, scale), shift)
    return Node("linear", node.name, node.inputs, node.size, node.attributes, {"kernel": kernel, "bias": bias})


def ones() -> Weights:
    """A scale that changes nothing."""
    return stored(1.0)


def zeros() -> Weights:
    """A shift that changes nothing."""
    return stored(0.0)
