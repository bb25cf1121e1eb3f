"""Rewrites of a GraphDef that TF.js needs: only operations and fusions that every backend runs, in a fixed order.

What TF.js 4.22 lacks is read in its kernels: BiasAdd, pooling and batch norm ignore NCHW and the wasm convolutions
refuse it; fused operations know seven activations; Prelu on wasm repeats alpha over the leading axes only; Softsign
and Erfc do not exist.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from graphlib import TopologicalSorter
from typing import Any

Graph = Any  # tensorflow.GraphDef
Node = Any  # tensorflow.NodeDef
Shape = tuple[int, ...]

FUSED_BASE = {
    "_FusedConv2D": "Conv2D",
    "_FusedMatMul": "MatMul",
    "FusedDepthwiseConv2dNative": "DepthwiseConv2dNative",
}
FUSABLE_ACTIVATIONS = frozenset({"Relu", "Relu6", "Elu", "LeakyRelu", "Prelu", "Sigmoid"})
# What split_fused can take apart; the remapper also knows GeluExact, GeluApproximate, _FusedHardSwish, ...
_STEPS = FUSABLE_ACTIVATIONS | {"BiasAdd", "Add", "NoOp", "Tanh"}
# The converter lets these pass, but the wasm backend registers no kernel for them.
WASM_LACKS = frozenset({"Complex", "ComplexAbs", "Einsum", "FFT", "IFFT", "IRFFT", "Imag", "RFFT", "Real"})

_ATTRIBUTES = {
    "Conv2D": ("strides", "padding", "explicit_paddings", "data_format", "dilations"),
    "DepthwiseConv2dNative": ("strides", "padding", "explicit_paddings", "data_format", "dilations"),
    "MatMul": ("transpose_a", "transpose_b"),
    "BiasAdd": ("data_format",),
    "LeakyRelu": ("alpha",),
}
_TO_NHWC, _TO_NCHW = (0, 2, 3, 1), (0, 3, 1, 2)
_DT_FLOAT, _DT_INT32 = 1, 3


def portable(graph: Graph) -> Graph:
    """The same network without NCHW, Softsign and Erfc; to be called before the converter optimises."""
    graph = _replace(graph, lambda node: node.op == "Softsign", _softsign)
    graph = _replace(graph, lambda node: node.op == "Erfc", _erfc)
    return _replace(graph, lambda node: "data_format" in node.attr and node.attr["data_format"].s == b"NCHW", _nhwc)


def unfused_where_needed(graph: Graph) -> Graph:
    """The same network with the fusions undone that a TF.js backend lacks or computes wrongly."""
    shapes = _const_shapes(graph)
    graph = _replace(graph, lambda node: node.op in FUSED_BASE and not _fusion_runs(node, shapes), split_fused)
    return _replace(graph, lambda node: node.op == "Prelu" and not _prelu_runs(node.input[1], shapes), split_prelu)


def unfused(graph: Graph) -> Graph:
    """The same network in TensorFlow's own operations: nothing fused, no Prelu."""
    graph = _replace(graph, lambda node: node.op in FUSED_BASE, split_fused)
    return _replace(graph, lambda node: node.op == "Prelu", split_prelu)


def ordered(graph: Graph) -> Graph:
    """The same nodes in an order that depends on names alone (Grappler's own is not promised), devices removed."""
    nodes = {node.name: node for node in graph.node}
    sorter = TopologicalSorter({name: sorted(map(_source, node.input)) for name, node in sorted(nodes.items())})
    result = _empty(graph)
    result.node.extend(nodes[name] for name in sorter.static_order())
    for node in result.node:
        node.ClearField("device")
    return result


def prelu_is_safe(graph: Graph) -> bool:
    """Whether Relu(x) + a * Relu(-x) can be made Prelu: the converter does not look who else reads x or Relu(x)."""
    readers = _readers(graph)
    negated = {_source(node.input[0]) for node in graph.node if node.op == "Neg"}
    positive = {node.name for node in graph.node if node.op == "Relu" and _source(node.input[0]) in negated}
    return all(readers[name] == 2 for name in negated) and all(readers[name] == 1 for name in positive)


def depthwise_is_safe(graph: Graph) -> bool:
    """Whether depthwise convolutions can be fused: the converter does not look who else reads what it swallows."""
    readers = _readers(graph)
    swallowed = {node.name for node in graph.node if node.op == "DepthwiseConv2dNative"}
    swallowed |= {node.name for node in graph.node if node.op == "BiasAdd" and _source(node.input[0]) in swallowed}
    return all(readers[name] == 1 for name in swallowed)


def has_private_fusions(graph: Graph) -> bool:
    """Whether a product is fused with something that no other operation computes, so that it cannot be split."""
    steps = {step.decode() for node in graph.node if node.op in FUSED_BASE for step in node.attr["fused_ops"].list.s}
    return not steps <= _STEPS


def split_fused(node: Node) -> list[Node]:
    """A fused operation as its parts: product, BiasAdd, Add, activation; the last bears the node's name."""
    steps = [step.decode() for step in node.attr["fused_ops"].list.s if step != b"NoOp"]
    names = [f"{node.name}/part{index}" for index in range(len(steps))] + [node.name]
    parts = [_node(node, FUSED_BASE[node.op], names[0], *node.input[:2])]
    arguments = list(node.input[2:])
    for step, before, name in zip(steps, names, names[1:], strict=False):
        taken = [arguments.pop(0)] if step in ("BiasAdd", "Add", "Prelu") else []
        parts.append(_node(node, "AddV2" if step == "Add" else step, name, before, *taken))
    return parts


def split_prelu(node: Node) -> list[Node]:
    """Prelu(x, alpha) as Relu(x) - alpha * Relu(-x)."""
    name, (value, alpha) = node.name, node.input
    return [
        _node(node, "Relu", f"{name}/positive", value),
        _node(node, "Neg", f"{name}/negated", value),
        _node(node, "Relu", f"{name}/negative", f"{name}/negated"),
        _node(node, "Mul", f"{name}/scaled", alpha, f"{name}/negative"),
        _node(node, "Sub", name, f"{name}/positive", f"{name}/scaled"),
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
    """Whether wasm broadcasts alpha rightly: no axis of length 1 but the leading ones."""
    shape = list(shapes.get(alpha, (2, 1)))
    while shape and shape[0] == 1:
        shape.pop(0)
    return 1 not in shape


def _softsign(node: Node) -> list[Node]:
    """Softsign(x) as x / (1 + |x|)."""
    name, (value,) = node.name, node.input
    return [
        _constant(node, f"{name}/one", 1.0),
        _node(node, "Abs", f"{name}/abs", value),
        _node(node, "AddV2", f"{name}/sum", f"{name}/abs", f"{name}/one"),
        _node(node, "RealDiv", name, value, f"{name}/sum"),
    ]


def _erfc(node: Node) -> list[Node]:
    """Erfc(x) as 1 - erf(x)."""
    name, (value,) = node.name, node.input
    return [
        _constant(node, f"{name}/one", 1.0),
        _node(node, "Erf", f"{name}/erf", value),
        _node(node, "Sub", name, f"{name}/one", f"{name}/erf"),
    ]


def _nhwc(node: Node) -> list[Node]:
    """An NCHW operation between two transposes, which Grappler cancels against their neighbours'."""
    name, inner = node.name, type(node)()
    inner.CopyFrom(node)
    inner.name, inner.input[0] = f"{name}/nhwc", f"{name}/channels_last"
    inner.attr["data_format"].s = b"NHWC"
    for key in {"strides", "dilations", "ksize"} & set(node.attr):
        _permute(inner.attr[key].list.i, 1)
    if "explicit_paddings" in node.attr:
        _permute(inner.attr["explicit_paddings"].list.i, 2)
    return [
        *_transpose(node, f"{name}/channels_last", node.input[0], _TO_NHWC),
        inner,
        *_transpose(node, name, inner.name, _TO_NCHW),
    ]


def _permute(values: Any, width: int) -> None:
    """Reorder a list of four groups of `width` numbers from NCHW to NHWC, in place; an empty list stays."""
    groups = [list(values[at : at + width]) for at in range(0, len(values), width)]
    if groups:
        values[:] = [number for axis in _TO_NHWC for number in groups[axis]]


def _transpose(node: Node, name: str, value: str, axes: Shape) -> list[Node]:
    """A Transpose and its constant."""
    perm = type(node)(op="Const", name=f"{name}/perm")
    perm.attr["dtype"].type = perm.attr["value"].tensor.dtype = _DT_INT32
    perm.attr["value"].tensor.tensor_shape.dim.add(size=len(axes))
    perm.attr["value"].tensor.int_val.extend(axes)
    move = _node(node, "Transpose", name, value, perm.name)
    move.attr["Tperm"].type = _DT_INT32
    return [perm, move]


def _constant(node: Node, name: str, value: float) -> Node:
    """A float32 scalar."""
    result = type(node)(op="Const", name=name)
    result.attr["dtype"].type = result.attr["value"].tensor.dtype = _DT_FLOAT
    result.attr["value"].tensor.float_val.append(value)
    return result


def _node(like: Node, op: str, name: str, *inputs: str) -> Node:
    """A float32 node with the attributes of `like` that its operation has."""
    result = type(like)(op=op, name=name, input=inputs)
    result.attr["T"].type = _DT_FLOAT
    for key in _ATTRIBUTES.get(op, ()):
        source = "leakyrelu_alpha" if key == "alpha" else key
        if source in like.attr:
            result.attr[key].CopyFrom(like.attr[source])
    return result


def _replace(graph: Graph, wanted: Callable[[Node], bool], parts: Callable[[Node], Iterable[Node]]) -> Graph:
    """A copy of the graph with each wanted node replaced by its parts."""
    result = _empty(graph)
    for node in graph.node:
        result.node.extend(parts(node) if wanted(node) else [node])
    return result


def _empty(graph: Graph) -> Graph:
    return type(graph)(versions=graph.versions, library=graph.library)


def _const_shapes(graph: Graph) -> dict[str, Shape]:
    constants = (node for node in graph.node if node.op == "Const")
    return {node.name: tuple(d.size for d in node.attr["value"].tensor.tensor_shape.dim) for node in constants}


def _readers(graph: Graph) -> Counter[str]:
    """How many inputs read each node."""
    return Counter(_source(name) for node in graph.node for name in node.input)


def _source(name: str) -> str:
    """The node that an input string names: "^a" and "a:1" are of a."""
    return name.removeprefix("^").split(":")[0]
