"""Rewrites a GraphDef for TF.js: only operations and fusions that every backend runs, in a fixed order.

TF.js 4.22's kernels have these gaps. BiasAdd, pooling and batch norm ignore NCHW, and wasm convolutions refuse it.
Fused operations know seven activations. Prelu on wasm repeats alpha over the leading axes only. Softsign and Erfc are
missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from graphlib import TopologicalSorter

from ..graph.rewrites import Graph, Node, channels_last, empty, make, replace, source_of, without_erfc, without_softsign

Shape = tuple[int, ...]

FUSED_BASE = {
    "_FusedConv2D": "Conv2D",
    "_FusedMatMul": "MatMul",
    "FusedDepthwiseConv2dNative": "DepthwiseConv2dNative",
}
FUSABLE_ACTIVATIONS = frozenset({"Relu", "Relu6", "Elu", "LeakyRelu", "Prelu", "Sigmoid"})


def portable(graph: Graph) -> Graph:
    """The same network without NCHW, Softsign and Erfc; call it before the converter optimises."""
    return channels_last(without_erfc(without_softsign(graph)))


def unfuse_where_needed(graph: Graph) -> Graph:
    """The same network without the fusions that a TF.js backend lacks or calculates wrongly."""
    shapes = const_shapes(graph)
    graph = replace(graph, lambda node: node.op in FUSED_BASE and not _fusion_runs(node, shapes), split_fused)
    return replace(graph, lambda node: node.op == "Prelu" and not _prelu_runs(node.input[1], shapes), split_prelu)


def unfuse(graph: Graph) -> Graph:
    """The same network in TensorFlow's own operations: nothing fused, no Prelu."""
    graph = replace(graph, lambda node: node.op in FUSED_BASE, split_fused)
    return replace(graph, lambda node: node.op == "Prelu", split_prelu)


def order_by_name(graph: Graph) -> Graph:
    """The same nodes in an order that depends on names alone (Grappler promises no order), without devices."""
    nodes = {node.name: node for node in graph.node}
    sorter = TopologicalSorter({name: sorted(map(source_of, node.input)) for name, node in sorted(nodes.items())})
    result = empty(graph)
    result.node.extend(nodes[name] for name in sorter.static_order())
    for node in result.node:
        node.ClearField("device")
    return result


def split_fused(node: Node) -> list[Node]:
    """A fused operation as its parts: product, BiasAdd, Add, activation; the last part has the node's name."""
    steps = [step.decode() for step in node.attr["fused_ops"].list.s if step != b"NoOp"]
    names = [f"{node.name}/part{index}" for index in range(len(steps))] + [node.name]
    parts = [make(node, FUSED_BASE[node.op], names[0], *node.input[:2])]
    arguments = list(node.input[2:])
    for step, before, name in zip(steps, names, names[1:], strict=False):
        taken = [arguments.pop(0)] if step in ("BiasAdd", "Add", "Prelu") else []
        parts.append(make(node, "AddV2" if step == "Add" else step, name, before, *taken))
    return parts


def split_prelu(node: Node) -> list[Node]:
    """Prelu(x, alpha) as Relu(x) - alpha * Relu(-x)."""
    name, (value, alpha) = node.name, node.input
    return [
        make(node, "Relu", f"{name}/positive", value),
        make(node, "Neg", f"{name}/negated", value),
        make(node, "Relu", f"{name}/negative", f"{name}/negated"),
        make(node, "Mul", f"{name}/scaled", alpha, f"{name}/negative"),
        make(node, "Sub", name, f"{name}/positive", f"{name}/scaled"),
    ]


def _fusion_runs(node: Node, shapes: Mapping[str, Shape]) -> bool:
    """Whether every backend has this fusion, with one rank-1 bias and one activation after it."""
    steps = [step.decode() for step in node.attr["fused_ops"].list.s]
    if steps[0] not in ("BiasAdd", "NoOp") or len(steps) > 2 or not FUSABLE_ACTIVATIONS.issuperset(steps[1:]):
        return False
    if steps[-1] != "Prelu":
        return True
    # The fused kernels take alpha as (C,) or (H, W, C).
    return len(shapes.get(node.input[-1], ())) in (1, 3) and _prelu_runs(node.input[-1], shapes)


def _prelu_runs(alpha: str, shapes: Mapping[str, Shape]) -> bool:
    """Whether wasm broadcasts alpha correctly: only leading axes may have length 1."""
    shape = list(shapes.get(alpha, (2, 1)))
    while shape and shape[0] == 1:
        shape.pop(0)
    return 1 not in shape


def const_shapes(graph: Graph) -> dict[str, Shape]:
    """The shape of each constant."""
    constants = (node for node in graph.node if node.op == "Const")
    return {node.name: tuple(d.size for d in node.attr["value"].tensor.tensor_shape.dim) for node in constants}


def readers(graph: Graph, *, control: bool = True) -> Counter[str]:
    """The number of inputs that read each node, with or without control inputs ("^a")."""
    names = (name for node in graph.node for name in node.input)
    return Counter(source_of(name) for name in names if control or not name.startswith("^"))
