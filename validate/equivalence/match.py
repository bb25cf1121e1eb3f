"""Compares two normal forms: first their shapes, then each weight.

Nodes with the same operation and inputs get the same number, whatever their weights; both graphs share the numbers. Two
graphs have the same shape if their outputs have the same numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .normal import Edge, Node, View
from .pointwise import CONSTANTS
from .verdict import NotCompared, OtherCalculation, SameCalculation, Verdict
from .weights import Float, Weights, stored, ulp

# Folding in float32 may have errors this many times those of the same steps in float64, which weights.py bounds.
_IN_FLOAT32 = 2.0**28
# The same factor for half precision; and a tensor's largest number in half steps of 8 bits, the coarsest precision.
_IN_HALF, _CODES = 2.0**42, 250
# A converter's way of folding shows in more than this many numbers.
_FEW = 2
# A number that may be off by more units in the last place of a float32 has a lower precision.
_COARSE = 64
# If a larger share of a tensor's numbers differs, the tensor has another form and is not merely changed.
_ANOTHER_FORM = 0.5
_WORDS = {"linear": "a convolution or matrix product", "affine": "a scale and a shift", "activation": "an activation"}


def match(ours: Mapping[str, View], theirs: Mapping[str, View]) -> Verdict:
    """The verdict on an artifact's outputs (`theirs`) beside the checkpoint's (`ours`), by the same names."""
    numbers = _Numbers()
    pairs: list[tuple[Node, Node]] = []
    for name, view in ours.items():
        other = theirs[name]
        difference = _ends_differ(name, view, other) or numbers.walk(view.node, other.node, pairs)
        if difference and numbers.has_products:
            # Operations before and after products of two tensors have more forms than these rules can unify.
            return NotCompared(f"{difference}, among products of two tensors")
        if difference:
            return OtherCalculation(difference)
    pairs.sort(key=lambda pair: numbers.place[id(pair[0])])
    return _weigh(pairs, has_products=numbers.has_products)


def _ends_differ(name: str, ours: View, theirs: View) -> str:
    if ours.shape != theirs.shape:
        return f"the output '{name}' has the shape {theirs.shape[1:]}, and {ours.shape[1:]} in the checkpoint"
    if not np.array_equal(ours.index, theirs.index):
        return f"the output '{name}' has its numbers in another order"
    return ""


class _Numbers:
    """The number of each node's shape, and its place in the order of calculation."""

    def __init__(self) -> None:
        self.known: dict[object, int] = {}
        self.of: dict[int, int] = {}
        self.place: dict[int, int] = {}
        self._alive: list[Node] = []

    @property
    def has_products(self) -> bool:
        """Whether a node so far is a product of two tensors."""
        return any(node.kind == "product" for node in self._alive)

    def number(self, node: Node) -> int:
        """The number of `node`; nodes below it get their numbers first."""
        stack = [node]
        while stack:
            top = stack[-1]
            below = [each.node for each in top.inputs if id(each.node) not in self.of]
            if below and id(top) not in self.of:
                stack.extend(below)
                continue
            stack.pop()
            if id(top) not in self.of:
                self._add(top)
        return self.of[id(node)]

    def _add(self, node: Node) -> None:
        reads: list[object] = [self._key(each) for each in node.inputs]
        key = (node.kind, node.size, node.attributes, tuple(sorted(reads, key=repr) if node.commutes else reads))
        self.of[id(node)] = self.known.setdefault(key, len(self.known))
        self.place[id(node)] = len(self.place)
        self._alive.append(node)

    def _key(self, each: Edge) -> tuple[int, tuple[int, ...], bytes]:
        return self.of[id(each.node)], each.shape, each.digest

    def walk(self, ours: Node, theirs: Node, pairs: list[tuple[Node, Node]]) -> str:
        """The first difference in shape between two nodes and all below them; empty if there is none.

        `pairs` gets the nodes that correspond.
        """
        self.number(ours), self.number(theirs)
        known = {(id(one), id(other)) for one, other in pairs}
        stack, faults = [(ours, theirs)], []
        while stack:
            one, other = stack.pop()
            if (id(one), id(other)) in known:
                continue
            known.add((id(one), id(other)))
            inputs = self._inputs(one, other)
            fault = _shape_differs(one, other)
            if fault:
                faults.append((self.place[id(one)], fault))
                continue
            for mine, its in inputs:
                if (mine.shape, mine.digest) != (its.shape, its.digest):
                    reason = f"'{other.name}' reads other places of its input than the layer '{one.name}'"
                    faults.append((self.place[id(one)], reason))
                stack.append((mine.node, its.node))
            pairs.append((one, other))
        return min(faults)[1] if faults else ""

    def _inputs(self, ours: Node, theirs: Node) -> Sequence[tuple[Edge, Edge]]:
        if not ours.commutes:
            return list(zip(ours.inputs, theirs.inputs, strict=False))
        # First the inputs that are alike, in any order; then the others in their order.
        left, pairs, alone = list(theirs.inputs), [], []
        for mine in ours.inputs:
            alike = next((each for each in left if self._key(each) == self._key(mine)), None)
            if alike is None:
                alone.append(mine)
                continue
            left.remove(alike)
            pairs.append((mine, alike))
        return [*pairs, *zip(alone, left, strict=False)]


def _shape_differs(ours: Node, theirs: Node) -> str:
    where = f"where the checkpoint has the layer '{ours.name}'"
    if ours.kind != theirs.kind:
        return f"'{theirs.name}' is {_name(theirs)} {where} ({_name(ours)})"
    if ours.attributes != theirs.attributes:
        return f"'{theirs.name}' is {_name(theirs)} {theirs.attributes} {where} with {ours.attributes}"
    if ours.size != theirs.size or len(ours.inputs) != len(theirs.inputs):
        return f"'{theirs.name}' makes {theirs.size} numbers {where}, which makes {ours.size}"
    return ""


def _name(node: Node) -> str:
    return _WORDS.get(node.kind, node.kind)


@dataclass
class _Sum:
    """The comparison of all pairs' weights; `roundings` are the numbers that folding in float32 would explain."""

    weights: int = 0
    to_the_bit: int = 0
    in_fewer_bits: int = 0
    largest: float = 0.0
    roundings: list[tuple[int, str]] = field(default_factory=list)


def _weigh(pairs: Sequence[tuple[Node, Node]], *, has_products: bool) -> Verdict:
    total = _Sum()
    for ours, theirs in pairs:
        for name in sorted(ours.weights.keys() | theirs.weights.keys()):
            one, other = (side.weights[name].now() if name in side.weights else None for side in (ours, theirs))
            shape = next(each.values.shape for each in (one, other) if each is not None)
            nothing = stored(np.zeros(shape))
            counted = _Sum() if name == CONSTANTS else total
            fault = _weights_differ(one or nothing, other or nothing, counted)
            if fault is None:
                continue
            where = f"the {name} of '{theirs.name}' {fault.clause} (layer '{ours.name}')"
            if has_products and fault.share > _ANOTHER_FORM:
                # Around a product a format may fold numbers elsewhere; then most of a tensor's numbers differ, on both
                # sides.
                return NotCompared(f"{where}, among products of two tensors")
            if not fault.rounded:
                return OtherCalculation(where)
            total.roundings.append((fault.rounded, where))
    return _rounded(total) or SameCalculation(
        len(pairs), total.weights, total.to_the_bit, total.largest, total.in_fewer_bits
    )


def _rounded(total: _Sum) -> Verdict | None:
    """The verdict on weights that are off by more than one rounding; None if there are none.

    A converter that folds with more than one rounding does so in many numbers. One or two such numbers are a change.
    """
    if not total.roundings:
        return None
    _, where = total.roundings[0]
    return (NotCompared if sum(count for count, _ in total.roundings) > _FEW else OtherCalculation)(where)


@dataclass(frozen=True)
class _Fault:
    """A clause about weights that are too far apart; `rounded` counts those that folding in float32 would explain.

    `share` is the share of the tensor's numbers that are too far apart.
    """

    clause: str
    rounded: int = 0
    share: float = 1.0


def _weights_differ(ours: Weights, theirs: Weights, total: _Sum) -> _Fault | None:
    """The first fault of two nodes' weights, beyond what one rounding explains; None if there is none."""
    if ours.values.shape != theirs.values.shape:
        return _Fault(f"has the shape {theirs.values.shape}, and {ours.values.shape} in the checkpoint")
    total.weights += ours.values.size
    same = ours.values == theirs.values
    if same.all() and ours.error is None and theirs.error is None:
        total.to_the_bit += ours.values.size
        return None
    unit, apart = ulp(ours.values), np.abs(ours.exact - theirs.exact)
    allowed = _allowed(ours, theirs, unit)
    ways = [~(apart <= allowed) & ~same]
    if ways[0].any() and ours.stepwise is not None and theirs.error is None:
        # All numbers must then be the nearest float32 of that, or float32's result step by step; no mixture is
        # accepted.
        ways.append(~(np.abs(ours.stepwise - theirs.values) <= ulp(ours.stepwise) / 2 + ours.bound))
        ways.append(ours.singles != theirs.values)
    wrong = min(ways, key=np.count_nonzero)
    if wrong.any():
        return _fault_of(ours, theirs, wrong)
    coarse = allowed > _COARSE * unit
    moved = ours.error is None and theirs.error is None
    total.to_the_bit += int(same.sum()) if moved else _to_the_bit(ours, theirs)
    total.in_fewer_bits += int(coarse.sum())
    total.largest = max(total.largest, float((apart / unit)[~coarse].max(initial=0.0)))
    return None


def _fault_of(ours: Weights, theirs: Weights, wrong: NDArray[np.bool_]) -> _Fault:
    unit, apart = ulp(ours.values), np.abs(ours.exact - theirs.exact)
    at = np.unravel_index(int(np.argmax(np.where(wrong, apart / unit, 0))), apart.shape)
    far = float(apart[at] / unit[at])
    if ours.error is not None and bool((apart <= ours.error * _IN_FLOAT32 + unit).all()):
        return _Fault(
            f"is up to {far:.2f} ulp from the exact number, and one rounding explains 1",
            _different(ours, wrong),
            float(wrong.mean()),
        )
    how = f"{float(theirs.values[at]):.9g}, not {float(ours.values[at]):.9g}"
    return _Fault(
        f"differs in {int(wrong.sum()):,} of {wrong.size:,} numbers, most at {tuple(map(int, at))}: {how}",
        share=float(wrong.mean()),
    )


def _different(ours: Weights, wrong: NDArray[np.bool_]) -> int:
    """The number of wrong values, each counted once, since a channel's scale serves all its places."""
    return int(np.unique(ours.exact[wrong]).size)


def _allowed(ours: Weights, theirs: Weights, unit: Float) -> Float:
    """The largest allowed difference: zero for moved numbers, a unit in the last place for folded ones.

    The error bound of the folding here is subtracted from it.
    """
    if ours.error is None and theirs.error is None:
        return np.zeros_like(unit)
    if theirs.error is None:
        return unit - ours.bound
    # Products and sums that the file itself makes are rounded at each step. That explains no more than the checkpoint's
    # own steps would: otherwise a large number, added and subtracted again, would explain anything.
    steps = ours.bound * (_IN_HALF if theirs.is_coded else _IN_FLOAT32)
    most = float(np.abs(ours.values).max(initial=0.0)) / _CODES if theirs.is_coded else 0.0
    return np.maximum(unit, np.minimum(theirs.error, steps + 4 * unit + most)) - ours.bound


def _to_the_bit(ours: Weights, theirs: Weights) -> int:
    """The number of folded values that equal the exact value rounded to the nearest float32."""
    return int((ours.values.astype(np.float32) == theirs.values.astype(np.float32)).sum())
