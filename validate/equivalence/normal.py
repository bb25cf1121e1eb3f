"""The normal form of a network: nodes over flat tensors, views with the place of each number, and exact weights.

A tensor's memory order has no meaning here. A node makes `size` numbers in one order (channels last). A `View` gives,
for each place of a tensor, the index of the node's number there, or -1 for a zero of padding. Transposing, reshaping,
padding and cutting change only the view, so two programs that move numbers differently have one normal form. Shapes
include a batch axis of size 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .terms import Term
from .weights import Weights

Index = NDArray[np.int32]
# The index of a zero that padding adds.
ZERO = -1


class NoRuleError(Exception):
    """`operation` of `node` has no rule; the reason is a clause."""

    def __init__(self, operation: str, node: str, reason: str = "") -> None:
        super().__init__(f"no rule for operation {operation} (node '{node}')" + (f": {reason}" if reason else ""))
        self.operation, self.node, self.reason = operation, node, reason


class MisfitError(Exception):
    """The tensors do not fit each other, so this is not a calculation on one board."""

    def __init__(self, node: str, clause: str) -> None:
        super().__init__(f"'{node}' {clause}")
        self.node, self.clause = node, clause


@dataclass(frozen=True, eq=False)
class Edge:
    """An input of a node: another node's numbers, in the order that `digest` identifies."""

    node: Node
    shape: tuple[int, ...]
    digest: bytes


@dataclass(frozen=True, eq=False)
class Node:
    """One operation: `attributes` describe all of it except its weights; it makes `size` numbers.

    `name` is the layer, or the file's node, from which it comes. If `commutes`, its inputs may change places. `term` is
    the function of an activation. `scaled` is the node, the factor and the summand that give its numbers, if each of
    the two is a single number. `stretched` is a linear node and the scale, by place, if only that scale was folded into
    it. `held` are the places of another node that a gathered node holds, without those of padding. `summands` are the
    tensors that a sum adds, each in the node's order. `grouped` are the places (size, K) of another node whose sums are
    its numbers. `settled` are the nodes that `settle` and `part` made from it, by the places that they hold.
    """

    kind: str
    name: str
    inputs: tuple[Edge, ...]
    size: int
    attributes: tuple[Any, ...] = ()
    weights: Mapping[str, Weights] = field(default_factory=dict)
    commutes: bool = False
    term: Term | None = None
    scaled: tuple[Node, Weights, Weights] | None = None
    stretched: tuple[Node, Weights] | None = None
    held: View | None = None
    summands: tuple[View, ...] = ()
    grouped: View | None = None
    settled: dict[bytes, Node] = field(default_factory=dict)

    @cached_property
    def digest(self) -> bytes:
        """A hash of the node's operation and of all nodes below it, without weights and names."""
        reads = [each.node.digest + each.digest for each in self.inputs]
        text = repr((self.kind, self.size, self.attributes, sorted(reads) if self.commutes else reads))
        return blake2b(text.encode(), digest_size=16).digest()


@dataclass(frozen=True, eq=False)
class View:
    """A tensor: for each of its places (1, ...), the index of a number of `node`, or ZERO."""

    node: Node
    index: Index

    @property
    def shape(self) -> tuple[int, ...]:
        """The tensor's shape, with the batch of 1."""
        return self.index.shape

    @property
    def is_rearranged(self) -> bool:
        """Whether each number of the node is at exactly one place."""
        flat = self.index.ravel()
        return flat.size == self.node.size and bool((np.bincount(flat[flat >= 0], minlength=flat.size) == 1).all())

    @property
    def is_distinct(self) -> bool:
        """Whether no number of the node is at two places, and no place is padding."""
        flat = np.sort(self.index, axis=None)
        return bool(flat[0] >= 0 and (flat[1:] != flat[:-1]).all())

    @property
    def has_zeros(self) -> bool:
        """Whether a place is padding."""
        return bool((self.index < 0).any())


def places(size: int, shape: tuple[int, ...]) -> Index:
    """The index of a view with a node's numbers in their own order."""
    return np.arange(size, dtype=np.int32).reshape(shape)


def edge(node: Node, index: Index) -> Edge:
    """A node's input, with a hash of the places: the places themselves would take more memory than the weights."""
    return Edge(node, index.shape, blake2b(np.ascontiguousarray(index).tobytes(), digest_size=16).digest())


def plain_edge(node: Node) -> Edge:
    """An input with all numbers of `node` in their own order."""
    return edge(node, places(node.size, (node.size,)))


def make_input(name: str, shape: tuple[int, ...]) -> View:
    """The network's input `name` (1, ...)."""
    size = int(np.prod(shape))
    return View(Node("input", name, (), size, (name, shape)), places(size, shape))


def settle(view: View, name: str) -> View:
    """The same tensor over a node that holds each of its numbers once, including a zero of padding.

    The numbers have the order of their origin, so the tensor's order does not matter.
    """
    held, index = np.unique(view.index, return_inverse=True)
    node = _gathered(view.node, held.astype(np.int32), name)
    return View(node, index.reshape(view.shape).astype(np.int32))


def part(view: View, name: str) -> View:
    """The same tensor over a node with one number for each of its places, even for copies."""
    order = np.argsort(view.index.ravel(), kind="stable")
    node = _gathered(view.node, view.index.ravel()[order], name)
    index = np.empty(view.index.size, np.int32)
    index[order] = np.arange(view.index.size, dtype=np.int32)
    return View(node, index.reshape(view.shape))


def _gathered(node: Node, held: Index, name: str) -> Node:
    read = edge(node, held)
    if read.digest not in node.settled:
        below = None if held[0] < 0 else View(node, held)
        node.settled[read.digest] = Node("gather", name, (read,), held.size, held=below)
    return node.settled[read.digest]
