"""Rules of operations over groups of numbers: softmax, pooling, means."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from .linear import affine, rows, windows
from .moves import pad_index
from .normal import ZERO, Index, MisfitError, Node, View, edge, part, places, plain_edge, settle
from .pointwise import activate, combine, under
from .terms import replace, rises
from .weights import is_zero


def log_softmax(view: View, axes: Sequence[int], name: str) -> View:
    """The logarithm of softmax: x minus the logarithm of the sum of e^x."""
    total = reduce(view, "log_sum_exp", axes, name, keep=True)
    return combine("subtract", view, total, name)


def less_log_sum(view: View, total: View, name: str) -> View | None:
    """The logarithm of softmax of x, if a format writes y = x - max(x) and then y - log(sum(e^y)); else None."""
    if total.node.kind != "reduce" or total.node.attributes != ("log_sum_exp",) or view.node.kind != "combine":
        return None
    axes = [axis for axis, (all_, one) in enumerate(zip(view.shape, total.shape, strict=True)) if all_ != one]
    for each in view.node.inputs:
        plain = View(each.node, places(each.node.size, view.shape)) if each.node.size == view.index.size else None
        if plain is None:
            continue
        most = reduce(plain, "max", axes, name, keep=True)
        centred = combine("subtract", plain, most, name)
        whole = reduce(centred, "log_sum_exp", axes, name, keep=True)
        others = [other.node for other in view.node.inputs if other is not each]
        if (centred.node.digest, whole.node.digest) != (view.node.digest, total.node.digest):
            continue
        if all(other.scaled is not None and other.scaled[1].values == -1 for other in others):
            return log_softmax(plain, axes, name)
    return None


def softmax(view: View, axes: Sequence[int], name: str) -> View:
    """Softmax along `axes`; only its groups of numbers matter, so that a permutation moves through it."""
    axes = tuple(axis % len(view.shape) for axis in axes)
    if 0 in axes:
        raise MisfitError(name, "takes boards together")
    if not view.is_rearranged:
        view = part(view, name)
    group = np.arange(view.index.size).reshape(view.shape).min(axis=axes, keepdims=True)
    members = np.empty(view.node.size, np.int32)
    members[view.index.ravel()] = np.broadcast_to(group, view.shape).ravel()
    # A group is identified by its first member, in any order of the tensor.
    first = {label: at for at, label in reversed(list(enumerate(members.tolist())))}
    labels = np.array([first[label] for label in members.tolist()], np.int32)
    node = Node("softmax", name, (plain_edge(view.node), edge(view.node, labels)), view.node.size)
    return View(node, view.index)


def reduce(view: View, function: str, axes: Sequence[int], name: str, *, keep: bool) -> View:
    """The mean, sum, maximum, minimum or log of the sum of e^x over `axes`; with `keep` these stay with size 1."""
    over = sorted({axis % len(view.shape) for axis in axes})
    if 0 in over:
        raise MisfitError(name, "takes boards together")
    if view.has_zeros and function != "sum":
        # Here a zero of padding counts as a number, which adds nothing to a sum; in a pool's groups it never counts.
        view = settle(view, name)
    rest = [axis for axis in range(len(view.shape)) if axis not in over]
    groups = view.index.transpose(*rest, *over).reshape(int(np.prod([view.shape[axis] for axis in rest])), -1)
    shape = [1 if axis in over else size for axis, size in enumerate(view.shape) if keep or axis not in over]
    return _grouped(view, groups, function, tuple(shape), name)


def pool(
    view: View,
    function: str,
    size: Sequence[int],
    pads: Sequence[tuple[int, int]],
    strides: Sequence[int],
    name: str,
) -> View:
    """The maximum or mean of each window over (1, *board, C); padding never counts."""
    if view.has_zeros:
        view = settle(view, name)
    board = pad_index(view.index[0], [*pads, (0, 0)])
    views = windows(board, size, strides, [1] * len(size), name)
    groups = np.moveaxis(views, -1, len(size)).reshape(-1, int(np.prod(size)))
    return _grouped(view, groups, function, (1, *views.shape[: len(size)], view.shape[-1]), name)


def _grouped(view: View, groups: Index, function: str, shape: tuple[int, ...], name: str) -> View:
    below = view.node
    if function in ("max", "min"):
        # The largest value of a rising function is the function of the largest number; some converters swap the two.
        if below.term is not None and rises(below.term):
            made = _grouped(View(below.inputs[0].node, view.index), groups, function, shape, name)
            return activate(made, partial(replace, below.term), below.name)
        if below.kind == "affine" and below.scaled is not None and below.scaled[1].values > 0:
            base, scale, shift = below.scaled
            made = _grouped(View(base, view.index), groups, function, shape, name)
            return affine(made, scale, shift, below.name)
    if function == "sum":
        return _summed(View(below, groups), shape, name)
    node = Node("reduce", name, (edge(below, np.sort(groups, axis=1)),), len(groups), (function,))
    return View(node, places(len(groups), shape))


def _summed(groups: View, shape: tuple[int, ...], name: str) -> View:
    """The sums of rows of places (N, K); sums of sums become one sum, and sums of scaled numbers a matrix product."""
    inner = groups.node.grouped
    if inner is not None:
        without = np.vstack([inner.index, np.full((1, inner.shape[1]), ZERO, np.int32)])
        return _summed(View(inner.node, without[groups.index].reshape(len(groups.index), -1)), shape, name)
    index = np.sort(groups.index, axis=1)
    # A zero of padding adds nothing: it is removed if every row has one.
    index = index[:, int((index < 0).sum(axis=1).min()) :]
    below = groups.node
    if len(index) == 1 and below.kind == "affine" and is_zero(below.weights["shift"]) and (index >= 0).all():
        kernel = below.weights["scale"].move(index[0]).reshape(-1, 1)
        source = under(View(below, index))
        return View(rows(source, source.index, kernel, (), name).node, places(1, shape))
    node = Node("reduce", name, (edge(below, index),), len(index), ("sum",), grouped=View(below, index))
    return View(node, places(len(index), shape))
