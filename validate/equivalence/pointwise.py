"""Rules of operations on each number by itself: activations, sums and products of tensors."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from .linear import affine, zeros
from .normal import Node, View, edge, places, plain_edge, settle
from .weights import Weights

# Functions that keep a zero, so that zeros of padding may stand before or behind them.
_KEEP_ZERO = frozenset({"clip", "leaky", "tanh", "elu", "selu", "softsign", "erf"})
_COMMUTE = frozenset({"add", "multiply", "maximum", "minimum"})


def activate(view: View, function: str, parameters: Sequence[float], name: str) -> View:
    """`view` through a function; its `parameters` are float32, as every format stores them."""
    numbers = tuple(float(np.float32(value)) for value in parameters)
    if view.has_zeros and not _keeps_zero(function, numbers):
        view = settle(view, name)
    node = Node("activation", name, (plain_edge(view.node),), view.node.size, (function, *numbers))
    return View(node, view.index)


def plain(function: str) -> Callable[[View, str], View]:
    """What puts a view through a function without parameters."""
    return lambda view, name: activate(view, function, (), name)


def _keeps_zero(function: str, numbers: tuple[float, ...]) -> bool:
    if function == "clip":
        return numbers[0] <= 0 <= numbers[1]
    return function in _KEEP_ZERO


def clip(view: View, low: float, high: float, name: str) -> View:
    """`view` cut to low..high: relu is 0..infinity, relu6 is 0..6."""
    return activate(view, "clip", (low, high), name)


def relu(view: View, name: str) -> View:
    """`view`, zero where it is below zero."""
    return clip(view, 0.0, math.inf, name)


def prelu(view: View, alpha: Weights, name: str) -> View:
    """`view` where it is above zero, else times `alpha`, which is broadcast against its shape.

    That is a sum of two: what is above zero, and a scale of what is below.
    """
    below = clip(view, -math.inf, 0.0, name)
    return combine("add", relu(view, name), affine(below, alpha, zeros(), name), name)


def combine(function: str, one: View, other: View, name: str) -> View:
    """Two tensors into one, number by number, each broadcast against the other."""
    shape = np.broadcast_shapes(one.shape, other.shape)
    views = [View(view.node, np.broadcast_to(view.index, shape)) for view in (one, other)]
    lead = next((view for view in views if view.is_rearranged), None)
    flat = [view.index.reshape(-1) for view in views]
    out = places(int(np.prod(shape)), shape)
    if lead is not None:
        # The order of the tensor that has each number once: then a permutation moves through the operation.
        order = np.argsort(lead.index.ravel())
        flat, out = [index[order] for index in flat], lead.index
    inputs = tuple(edge(view.node, index) for view, index in zip(views, flat, strict=True))
    node = Node("combine", name, inputs, out.size, (function,), commutes=function in _COMMUTE)
    return View(node, out)


def swish(view: View, name: str) -> View:
    """`view` times its sigmoid, as most formats write it."""
    return combine("multiply", view, activate(view, "sigmoid", (), name), name)
