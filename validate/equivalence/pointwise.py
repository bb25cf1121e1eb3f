"""Rules of elementwise operations: activations, and sums and products of tensors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from . import functions, terms
from .linear import affine, affine_node, folded, ones, zeros
from .normal import MisfitError, Node, NoRuleError, View, edge, places, plain_edge, settle
from .terms import Function, Term, X
from .weights import Weights, inverse, is_one, is_zero, stored

# The largest float32: the larger of x and its negative is x, which azx uses to copy a tensor.
MOST = float(np.finfo(np.float32).max)
# The name for numbers that belong to a function, not to a layer: a slope, a limit.
CONSTANTS = "constants"
_TURN = stored(-1.0), zeros()
# The most summands; a sum lists all of them, so a chain of sums takes the square of its length.
_SUMMANDS = 256
_COMMUTE = frozenset({"add", "multiply", "maximum", "minimum"})


def activate(view: View, function: Function, name: str) -> View:
    """`view` after a function of one number."""
    if view.has_zeros:
        # The function decides whether a zero of padding stays zero, so the zero is treated like other numbers here.
        view = settle(view, name)
    base, term = _root(view.node)
    return View(_applied(base, function(term), name), view.index)


def named(view: View, function: str, name: str) -> View:
    """`view` after the function with this name."""
    return activate(view, functions.PLAIN[function], name)


def _root(node: Node) -> tuple[Node, Term]:
    """The node of which `node` is a function, and that function; the node itself and X if it is none."""
    if node.term is not None:
        return node.inputs[0].node, node.term
    if node.scaled is not None:
        base, scale, shift = node.scaled
        turned = is_one(scale.negative()) and is_zero(shift)
        if base.term is not None or turned:
            below, term = _root(base)
            return below, terms.affine(term, scale, shift)
    return node, X


def _applied(base: Node, term: Term, name: str) -> Node:
    """A term of each number of `base`; its linear parts, before and after, become scales and shifts."""
    term = functions.recognise(term)
    if term.function == "affine":
        scale, shift = term.numbers
        return affine_node(_applied(base, term.parts[0], name), scale, shift, name)
    turned = terms.replace(term, terms.affine(X, -1.0))
    if terms.order(turned) < terms.order(term):
        # A function of x or of -x, whichever is shorter, because converters change the signs of weights.
        return _applied(affine_node(base, *_TURN, name), turned, name)
    first = terms.leading(term)
    if first is not None:
        base, term = affine_node(base, *first, name), terms.without_leading(term)
    if term.function == "x":
        return base
    constants = terms.constants(term)
    weights = {} if constants is None else {CONSTANTS: constants}
    attributes = terms.structure(term)
    return Node("activation", name, (plain_edge(base),), base.size, attributes, weights, term=term)


def clip(view: View, low: float, high: float, name: str) -> View:
    """`view` limited to low..high: relu is 0..infinity, relu6 is 0..6."""
    return activate(view, lambda x: functions.clip(x, low, high), name)


def relu(view: View, name: str) -> View:
    """`view`, with zero in place of negative numbers."""
    return activate(view, functions.relu, name)


def prelu(view: View, alpha: Weights, name: str) -> View:
    """`view` where it is positive, else times `alpha`, which is broadcast against its shape.

    This is a sum of two: the positive part, and a scale of the negative part.
    """
    below = activate(view, terms.below, name)
    return combine("add", relu(view, name), affine(below, alpha, zeros(), name), name)


def combine(function: str, one: View, other: View, name: str) -> View:
    """Two tensors joined number by number, each broadcast against the other."""
    if function == "subtract":
        return combine("add", one, affine(other, stored(-1.0), zeros(), name), name)
    if function == "divide":
        return combine("multiply", one, named(other, "reciprocal", name), name)
    try:
        shape = np.broadcast_shapes(one.shape, other.shape)
    except ValueError as error:
        raise MisfitError(name, f"joins {one.shape} and {other.shape}") from error
    one, other = (settle(view, name) if view.has_zeros else view for view in (one, other))
    views = [View(view.node, np.broadcast_to(view.index, shape)) for view in (one, other)]
    if function == "add":
        return _total(views, name)
    same = _of_one(function, views[0], views[1], name) or _of_one_scaled(function, views, name)
    if same is not None:
        return same
    for at, view in enumerate(views if function == "multiply" else ()):
        below, scale = _without_scale(view)
        if scale is not None:
            return affine(combine(function, below, views[1 - at], name), scale, zeros(), name)
    return _joined(function, views, name)


def _total(views: Sequence[View], name: str) -> View:
    """The sum of tensors of one shape; the order of additions does not matter, because converters choose it."""
    if len(views) > _SUMMANDS:
        raise NoRuleError("add", name, f"it is a sum of more than {_SUMMANDS} tensors")
    for at, view in enumerate(views):
        for beside in range(at + 1, len(views)):
            same = _of_one("add", view, views[beside], name)
            if same is not None:
                rest = [each for place, each in enumerate(views) if place not in (at, beside)]
                return _total([*rest, same], name) if rest else same
    for at, view in enumerate(views):
        before, after = views[:at], views[at + 1 :]
        if view.node.summands:
            summands = [View(each.node, each.index[view.index]) for each in view.node.summands]
            return _total([*before, *summands, *after], name)
        below, shift = _without_shift(view)
        if shift is not None:
            return affine(_total([*before, below, *after], name), ones(), shift, name)
    return _joined("add", views, name)


def _joined(function: str, views: Sequence[View], name: str) -> View:
    """A node that joins tensors of one shape, number by number."""
    # The order is that of a tensor with each number once, since formats choose the operands' places. If no tensor is
    # complete, a part of one gives an order too.
    whole = [view for view in views if view.is_rearranged] or [view for view in views if view.is_distinct]
    lead = min(whole, key=lambda view: view.node.digest, default=None)
    flat = [view.index.reshape(-1) for view in views]
    out = places(views[0].index.size, views[0].shape)
    if lead is not None:
        # The order of the tensor that has each number once; a permutation then moves through the operation.
        order = np.argsort(lead.index.ravel())
        flat, out = [index[order] for index in flat], np.argsort(order).astype(np.int32).reshape(lead.shape)
    inputs = tuple(edge(view.node, index) for view, index in zip(views, flat, strict=True))
    summands = (
        tuple(View(view.node, index) for view, index in zip(views, flat, strict=True)) if function == "add" else ()
    )
    node = Node("combine", name, inputs, out.size, (function,), commutes=function in _COMMUTE, summands=summands)
    return View(node, out)


def _without_scale(view: View) -> tuple[View, Weights | None]:
    """A tensor and the scale of its places, if it is only scaled: converters move the scale to either factor."""
    node = view.node
    if node.kind != "affine" or not is_zero(node.weights["shift"]):
        return view, None
    return under(view), node.weights["scale"].move(view.index)


def under(view: View) -> View:
    """The input of a scale and a shift, at the places of `view`."""
    below, index = view.node.inputs[0].node, view.index
    source = below.held
    return View(below, index) if source is None else View(source.node, source.index[index])


def _without_shift(view: View) -> tuple[View, Weights | None]:
    """A tensor and the shift that is added after its scale; converters move it behind a sum."""
    node = view.node
    if node.kind != "affine" or is_zero(node.weights["shift"]):
        return view, None
    scale, shift = node.weights["scale"], node.weights["shift"]
    if is_one(scale):
        return under(view), shift.move(view.index)
    below = View(folded(node.inputs[0].node, scale, zeros().spread((node.size,)), node.name), view.index)
    return below, shift.move(view.index)


def with_constant(function: str, view: View, number: Weights, name: str, *, first: bool) -> View:
    """A tensor and a constant, which is a shift, a scale or a limit; `first` is true if the constant comes first."""
    if function == "divide" and first:
        return affine(named(view, "reciprocal", name), number, zeros(), name)
    if function == "subtract" and first:
        return affine(view, stored(-1.0), number, name)
    if function == "add":
        return affine(view, ones(), number, name)
    if function == "subtract":
        return affine(view, ones(), number.negative(), name)
    if function in ("multiply", "divide"):
        return affine(view, inverse(number) if function == "divide" else number, zeros(), name)
    if function not in ("minimum", "maximum") or number.values.size != 1:
        raise NoRuleError(function, name, "with such a constant it has no rule")
    limit, side = number.reshape(), terms.above if function == "maximum" else terms.below
    if function == "maximum" and limit.values <= -MOST:
        return view
    return activate(view, lambda x: side(x, limit), name)


def _of_one(function: str, one: View, other: View, name: str) -> View | None:
    """Two tensors that are functions of the same numbers, as one function; None if they are not."""
    if function not in ("add", "multiply"):
        return None
    sides = [list(_roots(view.node)) for view in (one, other)]
    for base, term in sides[0]:
        for beside, also in sides[1]:
            if base is beside:
                if not np.array_equal(one.index, other.index):
                    return None
                made = (terms.total if function == "add" else terms.product)(term, also)
                return View(_applied(base, made, name), one.index)
    return None


def _of_one_scaled(function: str, views: Sequence[View], name: str) -> View | None:
    """A product of functions of the same numbers, one of which is scaled: converters put a later scale there."""
    for at, view in enumerate(views if function == "multiply" else ()):
        below, scale = _apart(view.node)
        if scale is None:
            continue
        whole = _of_one(function, View(below, view.index), views[1 - at], name)
        if whole is not None:
            return affine(whole, scale.move(view.index), zeros(), name)
    return None


def _apart(node: Node) -> tuple[Node, Weights | None]:
    """A node without the scale of its places; a constant may have been added before the scale."""
    if node.stretched is not None:
        return node.stretched
    if node.kind != "affine" or node.inputs[0].node.size != node.size or not node.weights["scale"].values.all():
        return node, None
    scale, shift = node.weights["scale"], node.weights["shift"]
    before = shift.exact / scale.exact
    if not before.any() or (before != before[0]).any():
        return node, None
    return affine_node(node.inputs[0].node, ones(), stored(before[0]), node.name), scale


def _roots(node: Node) -> Iterator[tuple[Node, Term]]:
    """Every node of which `node` is a function, the nearest first; `node` itself if it is a function of none."""
    while True:
        base, term = _root(node)
        yield base, term
        if base.scaled is None:
            return
        for below, inner in _roots(base.scaled[0]):
            yield below, terms.replace(term, terms.affine(inner, *base.scaled[1:]))
        return
