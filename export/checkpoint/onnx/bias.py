"""Joins MatMul and Add into one dense layer with a bias; exporters split a dense layer on rows into these two."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..layer_graph import Array
from .model import Node


def join_biases(nodes: Sequence[Node], weights: Mapping[str, Array], outputs: Sequence[str]) -> list[Node]:
    """The nodes with a Gemm in place of each product with a matrix in the file, followed by a bias in the file."""
    reads = Counter([*(name for node in nodes for name in node.inputs), *outputs])
    products = {
        node.outputs[0]: node
        for node in nodes
        if node.kind == "MatMul" and reads[node.outputs[0]] == 1 and _rank(weights, node.inputs[-1]) == 2
    }
    made: dict[int, Node] = {}
    gone: set[int] = set()
    for node in nodes:
        for product, bias in (node.inputs, node.inputs[::-1]) if node.kind == "Add" and len(node.inputs) == 2 else ():
            dense = products.get(product)
            if dense is not None and bias in weights and weights[bias].shape == weights[dense.inputs[1]].shape[1:]:
                made[id(node)] = replace(node, kind="Gemm", inputs=(*dense.inputs, bias), attributes={})
                gone.add(id(dense))
    return [made.get(id(node), node) for node in nodes if id(node) not in gone]


def _rank(weights: Mapping[str, Array], name: str) -> int:
    return weights[name].ndim if name in weights else 0
