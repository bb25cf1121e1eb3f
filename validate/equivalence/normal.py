"""The normal form of a network: nodes over flat tensors, views that say where each number lies, and exact weights.

A tensor's memory order means nothing here. A node makes `size` numbers in one order (channels last), and a `View`
holds, for each place of a tensor, the number of the node that lies there, or -1 for a zero of padding. Transposing,
reshaping, padding and cutting change only the view, so two programs that move numbers differently have one normal form.
Shapes include a batch axis of size 1.
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
# The place of a zero that padding adds.
ZERO = -1


class NoRuleError(Exception):
    """There is no rule for `operation` of `node`; the reason is a clause."""

    def __init__(self, operation: str, node: str, reason: str = "") -> None:
        super().__init__(f"no rule for operation {operation} (node '{node}')" + (f": {reason}" if reason else ""))
        self.operation, self.node, self.reason = operation, node, reason


class MisfitError(Exception):
    """The tensors do not fit each other, so this is no calculation of one board."""

    def __init__(self, node: str, clause: str) -> None:
        super().__init__(f"'{node}' {clause}")
        self.node, self.clause = node, clause


@dataclass(frozen=True, eq=False)
class Edge:
    """What a node reads: another node's numbers, in the order that `digest` stands for."""

    node: Node
    shape: tuple[int, ...]
    digest: bytes


@dataclass(frozen=True, eq=False)
class Node:
    """One operation: `attributes` are all that it does besides its weights; it makes `size` numbers.

    `name` is the layer or the file's node that it came from. `commutes` says that its inputs may change places.
    `term` is the function of an activation; `scaled` says of which node, times one number plus one, its numbers are.
    `stretched` is a linear node and the scale, by place, that alone was folded into it.
    `held` are the places of another node that a gathered one holds, without those of padding.
    `summands` are the tensors that a sum adds, each in the node's order; `grouped` are the places (size, K) of another
    node that each number is the sum of.
    `settled` are the nodes that `settle` and `part` made of it, by the places they hold.
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
        """What the node does and reads, all the way down, without its weights and names."""
        reads = [each.node.digest + each.digest for each in self.inputs]
        text = repr((self.kind, self.size, self.attributes, sorted(reads) if self.commutes else reads))
        return blake2b(text.encode(), digest_size=16).digest()


@dataclass(frozen=True, eq=False)
class View:
    """A tensor: at each of its places (1, ...) the number of `node` that lies there, or ZERO."""

    node: Node
    index: Index

    @property
    def shape(self) -> tuple[int, ...]:
        """The tensor's shape, with the batch of 1."""
        return self.index.shape

    @property
    def is_rearranged(self) -> bool:
        """Whether each number of the node lies at exactly one place."""
        flat = self.index.ravel()
        return flat.size == self.node.size and bool((np.bincount(flat[flat >= 0], minlength=flat.size) == 1).all())

    @property
    def is_distinct(self) -> bool:
        """Whether no number of the node lies at two places, and no place is padding."""
        flat = np.sort(self.index, axis=None)
        return bool(flat[0] >= 0 and (flat[1:] != flat[:-1]).all())

    @property
    def has_zeros(self) -> bool:
        """Whether padding is among the places."""
        return bool((self.index < 0).any())


def places(size: int, shape: tuple[int, ...]) -> Index:
    """The view's index of a node's numbers in their own order."""
    return np.arange(size, dtype=np.int32).reshape(shape)


def edge(node: Node, index: Index) -> Edge:
    """What a node reads, by a digest of the places: the places themselves would take more memory than the weights."""
    return Edge(node, index.shape, blake2b(np.ascontiguousarray(index).tobytes(), digest_size=16).digest())


def plain_edge(node: Node) -> Edge:
    """All numbers of `node` in their own order."""
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
    """The same tensor over a node that has a number for each of its places, also where two are copies."""
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
