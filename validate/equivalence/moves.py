"""Rules of operations that only move numbers: they change a view and make no node."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from .normal import ZERO, Index, MisfitError, Node, View, plain_edge


def transpose(view: View, axes: Sequence[int], name: str) -> View:
    """Axis i of the result is axis `axes[i]` of the view; the batch stays first."""
    if len(axes) != len(view.shape) or axes[0] != 0:
        raise MisfitError(name, f"moves the batch, or has other axes than {view.shape}")
    return View(view.node, view.index.transpose(tuple(axes)))


def reshape(view: View, shape: Sequence[int], name: str) -> View:
    """The numbers in their present order, in another shape (1, ...)."""
    wanted = [int(size) for size in shape]
    if wanted.count(-1) > 1 or not wanted:
        raise MisfitError(name, f"makes the shape {wanted}")
    known = prod(size for size in wanted if size != -1)
    if -1 in wanted and known:
        wanted[wanted.index(-1)] = view.index.size // known
    if prod(wanted) != view.index.size or wanted[0] != 1:
        raise MisfitError(name, f"makes {tuple(wanted)} of {view.shape}")
    return View(view.node, view.index.reshape(wanted))


def pad(view: View, margins: Sequence[tuple[int, int]], name: str) -> View:
    """Zeros around the tensor: (before, after) for each axis, the batch's first."""
    if len(margins) != len(view.shape) or margins[0] != (0, 0) or any(side < 0 for pair in margins for side in pair):
        raise MisfitError(name, f"adds {list(margins)} to {view.shape}")
    return View(view.node, pad_index(view.index, margins))


def pad_index(index: Index, margins: Sequence[tuple[int, int]]) -> Index:
    """`index` with places of zeros around it."""
    if any(side < 0 for pair in margins for side in pair):
        raise MisfitError("pad", f"has margins {list(margins)}")
    if not any(map(any, margins)):
        return index
    return np.pad(index, list(margins), constant_values=ZERO)


def crop(view: View, begin: Sequence[int], end: Sequence[int], name: str) -> View:
    """The part of the tensor from the places `begin` up to `end`, one number per axis."""
    if len(begin) != len(view.shape) or begin[0] != 0 or end[0] != 1:
        raise MisfitError(name, f"cuts {list(begin)} to {list(end)} out of {view.shape}")
    if any(not 0 <= first < last <= size for first, last, size in zip(begin, end, view.shape, strict=True)):
        raise MisfitError(name, f"cuts {list(begin)} to {list(end)} out of {view.shape}")
    return View(view.node, view.index[tuple(slice(first, last) for first, last in zip(begin, end, strict=True))])


def repeat(view: View, times: Sequence[int]) -> View:
    """The tensor with each place repeated along each axis, copies side by side."""
    index = view.index
    for axis, count in enumerate(times):
        index = np.repeat(index, count, axis=axis)
    return View(view.node, index)


def join(views: Sequence[View], axis: int, name: str) -> View:
    """The tensors joined along `axis`: a node with each of their numbers once."""
    if axis % len(views[0].shape) == 0:
        raise MisfitError(name, "joins boards")
    starts: dict[int, int] = {}
    nodes: list[Node] = []
    parts = [_joined(view, starts, nodes) for view in views]
    try:
        index = np.concatenate(parts, axis=axis)
    except ValueError as error:
        raise MisfitError(name, f"joins {', '.join(str(view.shape) for view in views)}") from error
    if len(nodes) == 1:
        return View(nodes[0], index)
    inputs = tuple(plain_edge(node) for node in nodes)
    return View(Node("join", name, inputs, sum(node.size for node in nodes)), index)


def _joined(view: View, starts: dict[int, int], nodes: list[Node]) -> Index:
    """The view's places among the numbers of all nodes; if it is itself a join, its parts are used instead."""
    below = [each.node for each in view.node.inputs] if view.node.kind == "join" else [view.node]
    moved = np.empty(view.node.size + 1, np.int32)
    at = 0
    for node in below:
        if id(node) not in starts:
            starts[id(node)] = sum(each.size for each in nodes)
            nodes.append(node)
        moved[at : at + node.size] = np.arange(starts[id(node)], starts[id(node)] + node.size)
        at += node.size
    moved[-1] = ZERO
    places: Index = moved[view.index]
    return places


def take(view: View, places: Sequence[int], axis: int, name: str) -> View:
    """The tensor's `places` along `axis`, in that order, repetitions included."""
    size = view.shape[axis]
    if axis % len(view.shape) == 0 or any(not -size <= place < size for place in places) or not places:
        raise MisfitError(name, f"takes places {list(places)[:8]} along axis {axis} of {view.shape}")
    return View(view.node, view.index.take([int(place) % size for place in places], axis=axis))
