"""Exporters write a GELU as x * (1 + erf(x / sqrt 2)) / 2: five operations, which are one again here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isclose, sqrt

from .layer_graph import Array
from .onnx_model import Node


def join_gelus(nodes: Sequence[Node], weights: Mapping[str, Array]) -> list[Node]:
    """The nodes with a Gelu in place of each such five, which nothing else reads from within."""
    if not any(node.kind == "Erf" for node in nodes):
        return list(nodes)
    numbers = {name: array for name, array in weights.items() if array.size == 1}
    for node in nodes:
        value = node.attributes.get("value")
        if node.kind == "Constant" and value is not None and value.size == 1:
            numbers[node.outputs[0]] = value
    return _Joining(nodes, {name: float(array.reshape(())) for name, array in numbers.items()}).run()


class _Joining:
    """The graph by who makes and who reads each tensor."""

    def __init__(self, nodes: Sequence[Node], numbers: Mapping[str, float]) -> None:
        self._nodes, self._numbers = nodes, numbers
        self._makers = {name: node for node in nodes for name in node.outputs}
        self._reads = Counter(name for node in nodes for name in node.inputs)
        self._readers = {name: node for node in nodes for name in node.inputs}

    def run(self) -> list[Node]:
        gone: set[int] = set()
        made: dict[int, Node] = {}
        for node in self._nodes:
            found = self._five(node) if node.kind == "Erf" else None
            if found is not None:
                x, last, others = found
                gone.update(map(id, others))
                made[id(last)] = replace(last, kind="Gelu", inputs=(x,), attributes={})
        return [made.get(id(node), node) for node in self._nodes if id(node) not in gone]

    def _five(self, erf: Node) -> tuple[str, Node, list[Node]] | None:
        """(x, the last operation, the others) of the GELU around an erf; None if it is another's."""
        before = self._makers.get(erf.inputs[0])
        x = None if before is None else self._other(before, "Div", sqrt(2)) or self._other(before, "Mul", sqrt(0.5))
        one = self._next(erf, "Add")
        if before is None or x is None or one is None or self._other(one, "Add", 1.0) != erf.outputs[0]:
            return None
        product = self._next(one, "Mul")
        if product is None:
            return None
        other = next((name for name in product.inputs if name != one.outputs[0]), None)
        if other == x:  # x (1 + erf) / 2
            half = self._next(product, "Mul") or self._next(product, "Div")
            is_half = half is not None and (self._other(half, "Mul", 0.5) or self._other(half, "Div", 2.0))
            return (x, half, [before, erf, one, product]) if half is not None and is_half else None
        scaled = self._makers.get(other or "")
        if scaled is not None and self._reads[scaled.outputs[0]] == 1 and self._other(scaled, "Mul", 0.5) == x:
            return x, product, [before, erf, one, scaled]
        return None

    def _next(self, node: Node, kind: str) -> Node | None:
        """The one operation that reads what a node makes, if it is of a kind."""
        reader = self._readers.get(node.outputs[0]) if self._reads[node.outputs[0]] == 1 else None
        return reader if reader is not None and reader.kind == kind else None

    def _other(self, node: Node, kind: str, number: float) -> str | None:
        """The operand beside a number; None if the operation is another, or the number. Of Div the number is last."""
        if node.kind != kind or len(node.inputs) != 2:
            return None
        pairs = [node.inputs] if kind == "Div" else [node.inputs, node.inputs[::-1]]
        return next((x for x, y in pairs if isclose(self._numbers.get(y, 0.0), number, rel_tol=1e-4)), None)
