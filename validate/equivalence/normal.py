"""The normal form of a network: nodes over flat tensors, views that say where each number lies, and exact weights.

A tensor's memory order means nothing here. A node makes `size` numbers in one order (channels last), and a `View`
holds, for each place of a tensor, the number of the node that lies there, or -1 for a zero of padding. Transposing,
reshaping, padding and cutting change only the view, so two programs that move numbers differently have one normal form.
Shapes include a batch axis of size 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .weights import Weights

Index = NDArray[np.int32]
# The place of a zero that padding adds.
ZERO = -1


class NoRuleError(Exception):
    """What the room has no rule for: `operation`, the `node` that asks for it, and the reason as a clause."""

    def __init__(self, operation: str, node: str, reason: str = "") -> None:
        super().__init__(f"no rule for operation {operation} (node '{node}')" + (f": {reason}" if reason else ""))
        self.operation, self.node, self.reason = operation, node, reason


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
    """

    kind: str
    name: str
    inputs: tuple[Edge, ...]
    size: int
    attributes: tuple[Any, ...] = ()
    weights: Mapping[str, Weights] = field(default_factory=dict)
    commutes: bool = False


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
    """The same tensor as a node of its own, whose numbers lie in the order of the tensor."""
    node = Node("gather", name, (edge(view.node, view.index.reshape(-1)),), view.index.size)
    return View(node, places(node.size, view.shape))
