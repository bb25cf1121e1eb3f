"""Rules of operations that only move numbers: they change a view and make no node."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from .normal import ZERO, Index, Node, NoRuleError, View, edge, places


def transpose(view: View, axes: Sequence[int], name: str) -> View:
    """Axis i of the result is axis `axes[i]` of the view; the batch stays first."""
    if len(axes) != len(view.shape) or axes[0] != 0:
        raise NoRuleError("Transpose", name, "it moves the batch")
    return View(view.node, view.index.transpose(tuple(axes)))


def reshape(view: View, shape: Sequence[int], name: str) -> View:
    """The numbers in the order that they lie in, under another shape (1, ...)."""
    wanted = [int(size) for size in shape]
    if wanted.count(-1) > 1 or not wanted:
        raise NoRuleError("Reshape", name, f"the shape {wanted} is not known")
    known = prod(size for size in wanted if size != -1)
    if -1 in wanted and known:
        wanted[wanted.index(-1)] = view.index.size // known
    if prod(wanted) != view.index.size or wanted[0] != 1:
        raise NoRuleError("Reshape", name, f"{view.shape} does not become {tuple(wanted)}")
    return View(view.node, view.index.reshape(wanted))


def pad(view: View, margins: Sequence[tuple[int, int]], name: str) -> View:
    """Zeros around the tensor: (before, after) for each axis, the batch's first."""
    if len(margins) != len(view.shape) or margins[0] != (0, 0) or any(side < 0 for pair in margins for side in pair):
        raise NoRuleError("Pad", name, f"the margins {list(margins)} are not known")
    return View(view.node, pad_index(view.index, margins))


def pad_index(index: Index, margins: Sequence[tuple[int, int]]) -> Index:
    """`index` with places of zeros around it."""
    if not any(map(any, margins)):
        return index
    return np.pad(index, list(margins), constant_values=ZERO)


def crop(view: View, begin: Sequence[int], size: Sequence[int]) -> View:
    """The part of the tensor that starts at `begin` and has the shape `size`."""
    return View(view.node, view.index[tuple(slice(b, b + s) for b, s in zip(begin, size, strict=True))])


def join(views: Sequence[View], axis: int, name: str) -> View:
    """The tensors one behind another along `axis`: a node that holds the numbers of all of them."""
    if axis % len(views[0].shape) == 0:
        raise NoRuleError("Concat", name, "it joins along the batch")
    if len(views) == 1:
        return views[0]
    parts, start = [], 0
    for view in views:
        parts.append(np.where(view.index < 0, ZERO, view.index + start).astype(np.int32))
        start += view.node.size
    inputs = tuple(edge(view.node, places(view.node.size, (view.node.size,))) for view in views)
    return View(Node("join", name, inputs, start), np.concatenate(parts, axis=axis))
