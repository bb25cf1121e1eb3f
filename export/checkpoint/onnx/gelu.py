"""Joins the operations of a GELU, x * (1 + erf(x / sqrt 2)) / 2 or its form with tanh, into one operation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isclose, pi, sqrt

from ..layer_graph import Array
from .model import Node


def join_gelus(nodes: Sequence[Node], weights: Mapping[str, Array]) -> list[Node]:
    """The nodes with a Gelu in place of each such group; a group stays if other nodes read a tensor inside it."""
    if not any(node.kind in _INNER for node in nodes):
        return list(nodes)
    numbers = {name: array for name, array in weights.items() if array.size == 1}
    for node in nodes:
        value = node.attributes.get("value")
        if node.kind == "Constant" and value is not None and value.size == 1:
            numbers[node.outputs[0]] = value
    return _GeluJoiner(nodes, {name: float(array.reshape(())) for name, array in numbers.items()}).run()


# The function in a GELU: the exact one, and its approximation.
_INNER = {"Erf": "none", "Tanh": "tanh"}


class _GeluJoiner:
    """The nodes by the tensors that they make and read."""

    def __init__(self, nodes: Sequence[Node], numbers: Mapping[str, float]) -> None:
        self._nodes, self._numbers = nodes, numbers
        self._makers = {name: node for node in nodes for name in node.outputs}
        self._reads = Counter(name for node in nodes for name in node.inputs)
        self._readers = {name: node for node in nodes for name in node.inputs}

    def run(self) -> list[Node]:
        gone: set[int] = set()
        made: dict[int, Node] = {}
        for node in self._nodes:
            parts = self._around(node) if node.kind in _INNER else None
            if parts is not None:
                x, last, others = parts
                gone.update(map(id, others))
                made[id(last)] = replace(last, kind="Gelu", inputs=(x,), attributes={"approximate": _INNER[node.kind]})
        return [made.get(id(node), node) for node in self._nodes if id(node) not in gone]

    def _around(self, inner: Node) -> tuple[str, Node, list[Node]] | None:
        """(x, the last operation, the others) of the GELU around an erf or tanh; None if it is not part of a GELU."""
        begun = self._scaled(inner) if inner.kind == "Erf" else self._cubed(inner)
        one = self._next(inner, "Add")
        if begun is None or one is None or self._other(one, "Add", 1.0) != inner.outputs[0]:
            return None
        x, others = begun
        others = [*others, inner, one]
        product = self._next(one, "Mul")
        if product is None:
            return None
        other = next((name for name in product.inputs if name != one.outputs[0]), None)
        if other == x:  # x (1 + erf) / 2
            half = self._next(product, "Mul") or self._next(product, "Div")
            is_half = half is not None and (self._other(half, "Mul", 0.5) or self._other(half, "Div", 2.0))
            return (x, half, [*others, product]) if half is not None and is_half else None
        if self._other(product, "Mul", 0.5) == one.outputs[0]:  # x ((1 + erf) / 2)
            last = self._next(product, "Mul")
            whole = last is not None and x in last.inputs
            return (x, last, [*others, product]) if last is not None and whole else None
        scaled = self._makers.get(other or "")
        if scaled is not None and self._reads[scaled.outputs[0]] == 1 and self._other(scaled, "Mul", 0.5) == x:
            return x, product, [*others, scaled]
        return None

    def _scaled(self, erf: Node) -> tuple[str, list[Node]] | None:
        """(x, the operation in between) of erf(x / sqrt 2)."""
        before = self._makers.get(erf.inputs[0])
        x = None if before is None else self._other(before, "Div", sqrt(2)) or self._other(before, "Mul", sqrt(0.5))
        return None if before is None or x is None else (x, [before])

    def _cubed(self, tanh: Node) -> tuple[str, list[Node]] | None:
        """(x, the operations in between) of tanh(sqrt(2 / pi) (x + 0.044715 x^3))."""
        before = self._makers.get(tanh.inputs[0])
        total = self._makers.get(self._other(before, "Mul", sqrt(2 / pi)) or "") if before is not None else None
        if before is None or total is None or total.kind != "Add":
            return None
        for x, other in (total.inputs, total.inputs[::-1]):
            scaled = self._makers.get(other)
            cube = self._makers.get(self._other(scaled, "Mul", 0.044715) or "") if scaled is not None else None
            if scaled is None or cube is None:
                continue
            if self._is_power(cube, x):
                return x, [cube, scaled, total, before]
            square = next((self._makers[name] for name in cube.inputs if name != x and name in self._makers), None)
            if cube.kind == "Mul" and x in cube.inputs and square is not None and square.kind == "Mul":
                return (x, [square, cube, scaled, total, before]) if set(square.inputs) == {x} else None
        return None

    def _is_power(self, node: Node, x: str) -> bool:
        return node.kind == "Pow" and node.inputs[0] == x and self._numbers.get(node.inputs[1]) == 3.0

    def _next(self, node: Node, kind: str) -> Node | None:
        """The only operation that reads a node's result, if it has the given kind; else None."""
        reader = self._readers.get(node.outputs[0]) if self._reads[node.outputs[0]] == 1 else None
        return reader if reader is not None and reader.kind == kind else None

    def _other(self, node: Node, kind: str, number: float) -> str | None:
        """The operand beside the given number, which is the second operand of Div; None if kind or number differ."""
        if node.kind != kind or len(node.inputs) != 2:
            return None
        pairs = [node.inputs] if kind == "Div" else [node.inputs, node.inputs[::-1]]
        return next((x for x, y in pairs if isclose(self._numbers.get(y, 0.0), number, rel_tol=1e-4)), None)
