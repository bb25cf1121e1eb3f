"""Calculates constants here instead of in TensorFlow's kernels, whose last bit depends on the machine.

IEEE 754 rounds sums, products, quotients and roots exactly, so NumPy gives the same bytes everywhere. A kernel's
reciprocal and reciprocal root are refined estimates, whose steps depend on the processor.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from ..checkpoint.layer_graph import Array
from ..graph.rewrites import Graph, Node, empty, source_of
from .tfjs_fusions import constant_like, values_of


def _reciprocal(x: Array) -> Array:
    return (1 / x.astype(np.float64)).astype(x.dtype)


_ESTIMATED: dict[str, Callable[[Array], Array]] = {
    "Rsqrt": lambda x: (1 / np.sqrt(x.astype(np.float64))).astype(x.dtype),
    "Reciprocal": _reciprocal,
    "Inv": _reciprocal,
}
_EXACT: dict[str, Callable[..., Array]] = {
    "Add": np.add,
    "AddV2": np.add,
    "Sub": np.subtract,
    "Mul": np.multiply,
    "Square": np.square,
    "Neg": np.negative,
    "Sqrt": np.sqrt,
    "RealDiv": np.divide,
    "Identity": np.asarray,
    "Maximum": np.maximum,
}


def with_reciprocals(graph: Graph) -> Graph:
    """The same network with reciprocals, reciprocal roots and quotients of constants replaced by constants."""
    nodes = {node.name: node for node in graph.node}
    known: dict[str, Array | None] = {}
    result = empty(graph)
    for node in graph.node:
        values = _value(node.name, nodes, known) if node.op in _ESTIMATED else None
        result.node.append(node if values is None else constant_like(node.name, values, _constant_of(node, nodes)))
    return result


def divisors(graph: Graph) -> dict[str, Array]:
    """The reciprocal of each constant divisor, under the name that Grappler gives it."""
    nodes = {node.name: node for node in graph.node}
    pairs = [(node, nodes[source_of(node.input[1])]) for node in graph.node if node.op == "RealDiv"]
    floats = [(node, by) for node, by in pairs if by.op == "Const" and values_of(by).dtype == np.float32]
    return {f"ConstantFolding/{node.name}_recip": _reciprocal(values_of(by)) for node, by in floats}


def replace_constants(graph: Graph, values: Mapping[str, Array]) -> Graph:
    """The graph with new values in the constants of these names, if it has them."""
    result = empty(graph)
    for node in graph.node:
        same = node.op == "Const" and node.name in values and values_of(node).shape == values[node.name].shape
        result.node.append(constant_like(node.name, values[node.name], node) if same else node)
    return result


def _value(name: str, nodes: Mapping[str, Node], known: dict[str, Array | None]) -> Array | None:
    """The value of a node that depends only on constants; None if unknown."""
    name = source_of(name)
    if name not in known:
        known[name] = None  # during the search
        node = nodes[name]
        if node.op == "Const":
            known[name] = values_of(node)
        elif node.op in _EXACT or node.op in _ESTIMATED:
            inputs = [one for one in node.input if not one.startswith("^")]
            given = [value for one in inputs if (value := _value(one, nodes, known)) is not None]
            rule = _EXACT.get(node.op) or _ESTIMATED[node.op]
            with np.errstate(all="ignore"):
                known[name] = rule(*given) if len(given) == len(inputs) else None
    return known[name]


def _constant_of(node: Node, nodes: Mapping[str, Node]) -> Node:
    """A constant from which `node` is calculated; it has the node's type."""
    while node.op != "Const":
        node = nodes[source_of(node.input[0])]
    return node
