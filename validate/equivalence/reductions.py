"""Rules of operations over groups of numbers: softmax, pooling, means."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .linear import windows
from .moves import pad_index
from .normal import Index, Node, NoRuleError, View, edge, places, plain_edge, settle
from .pointwise import activate

# Functions that never fall as their number rises, and those of them that do not where their slope is not below zero.
_RISING, _WITH_SLOPE = (
    frozenset({"clip", "tanh", "sigmoid", "selu", "softplus", "softsign"}),
    frozenset({"leaky", "elu"}),
)


def softmax(view: View, axes: Sequence[int], name: str, *, kind: str = "softmax") -> View:
    """Softmax along `axes`: which numbers belong together is all it knows, so that a permutation moves through it."""
    axes = tuple(axis % len(view.shape) for axis in axes)
    if 0 in axes:
        raise NoRuleError("Softmax", name, "it runs along the batch")
    if not view.is_rearranged:
        view = settle(view, name)
    group = np.arange(view.index.size).reshape(view.shape).min(axis=axes, keepdims=True)
    members = np.empty(view.node.size, np.int32)
    members[view.index.ravel()] = np.broadcast_to(group, view.shape).ravel()
    # A group is called by its first member, whatever the order of the tensor.
    first = {label: at for at, label in reversed(list(enumerate(members.tolist())))}
    labels = np.array([first[label] for label in members.tolist()], np.int32)
    node = Node(kind, name, (plain_edge(view.node), edge(view.node, labels)), view.node.size)
    return View(node, view.index)


def reduce(view: View, function: str, axes: Sequence[int], name: str, *, keep: bool) -> View:
    """The mean, sum, maximum or minimum over `axes`, which stay with size 1 if `keep`."""
    over = sorted({axis % len(view.shape) for axis in axes})
    if 0 in over:
        raise NoRuleError("reduction", name, "it runs over the batch")
    if view.has_zeros:
        # Here a zero of padding counts as a number; in a pool's groups it stands for nothing.
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
    seen = windows(board, size, strides, [1] * len(size))
    groups = np.moveaxis(seen, -1, len(size)).reshape(-1, int(np.prod(size)))
    return _grouped(view, groups, function, (1, *seen.shape[: len(size)], view.shape[-1]), name)


def _rises(function: str, *parameters: float) -> bool:
    return function in _RISING or (function in _WITH_SLOPE and parameters[0] >= 0)


def _grouped(view: View, groups: Index, function: str, shape: tuple[int, ...], name: str) -> View:
    below = view.node
    if function in ("max", "min") and below.kind == "activation" and _rises(*below.attributes):
        # The largest of a rising function is that function of the largest: some converters look for it first.
        made = _grouped(View(below.inputs[0].node, view.index), groups, function, shape, name)
        return activate(made, below.attributes[0], below.attributes[1:], below.name)
    node = Node("reduce", name, (edge(below, np.sort(groups, axis=1)),), len(groups), (function,))
    return View(node, places(len(groups), shape))
