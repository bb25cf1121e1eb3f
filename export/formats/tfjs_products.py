"""Fuses biases and activations into products, as TensorFlow's remapper does with oneDNN, but alike on every machine.

The remapper itself depends on the machine. Macs, ARM and older processors lack oneDNN, and TF_ENABLE_ONEDNN_OPTS=0
turns it off. Without it the remapper fuses fewer activations and records no shapes, so the file would differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from typing import Any

from ..graph.rewrites import Graph, Node, empty, source_of
from .tfjs_graph import readers

_DT_FLOAT = 1
_FUSED = {"Conv2D": "_FusedConv2D", "MatMul": "_FusedMatMul"}
_ACTIVATIONS = {
    "Conv2D": frozenset({"Relu", "Relu6", "Elu", "LeakyRelu"}),
    "MatMul": frozenset({"Relu", "Relu6", "Elu", "LeakyRelu", "Tanh", "Sigmoid"}),
}
_KEPT = {
    "Conv2D": ("T", "strides", "padding", "explicit_paddings", "dilations", "data_format", "use_cudnn_on_gpu"),
    "MatMul": ("T", "transpose_a", "transpose_b"),
}
_ANY_ACTIVATION = frozenset().union(*_ACTIVATIONS.values())
_PRODUCTS = frozenset({*_FUSED, "DepthwiseConv2dNative"})
_SUMS = ("Add", "AddV2")
_NOTED = frozenset({"Conv2D", "DepthwiseConv2dNative", "MatMul", "BiasAdd", "Sigmoid", "Transpose"})
# The slope that the remapper writes if the activation is not LeakyReLU.
_NO_SLOPE = 0.2


def with_fused_products(graph: Graph, ordered: Graph, heads: Sequence[str]) -> Graph:
    """The same network with each Conv2D or MatMul, its BiasAdd and an activation as one operation.

    A chain is fused only if no other node reads an inner result. `ordered` is the graph in the order of the remapper,
    from the last node to the first, with its batch norms split; `heads` are the names of the outputs.
    """
    nodes, counts = {node.name: node for node in ordered.node}, readers(ordered)
    norms = {node.name for node in graph.node if node.op.startswith("FusedBatchNorm")}
    _notes_as_before(graph, ordered)
    fused: dict[str, Node] = {}
    gone: set[str] = set()
    shapes: Mapping[str, Sequence[Any]] | None = None
    for node in reversed(ordered.node):
        if node.name in gone:
            continue
        if shapes is None and _asks_for_shapes(node, nodes, norms):
            shapes = _shapes(_sort_nodes(graph, ordered, fused), heads)
        chain = _chain(node, nodes, counts, set(heads))
        if chain:
            fused[node.name] = _fuse(chain)
            gone |= {part.name for part in chain[:-1]}
        if shapes is not None:
            _note(chain[0] if chain else node, fused.get(node.name, node), shapes)
    result = empty(ordered)
    result.node.extend(fused.get(node.name, node) for node in ordered.node if node.name not in gone)
    return result


def _notes_as_before(graph: Graph, ordered: Graph) -> None:
    """Give the nodes with recorded shapes in `ordered` the shapes that `graph` records."""
    before = {node.name: node for node in graph.node if "_input_shapes" in node.attr}
    for node in ordered.node:
        node.attr.pop("_input_shapes", None)
        if node.name in before:
            node.attr["_input_shapes"].CopyFrom(before[node.name].attr["_input_shapes"])


def _note(node: Node, stands_for: Node, shapes: Mapping[str, Sequence[Any]]) -> None:
    """Record the shapes of `node`'s inputs in its replacement `stands_for`, if the remapper does."""
    if node.op in _NOTED:
        noted = stands_for.attr["_input_shapes"].list
        noted.ClearField("shape")
        noted.shape.extend(shapes[source_of(name)][_port(name)] for name in node.input if not name.startswith("^"))


def _sort_nodes(graph: Graph, ordered: Graph, fused: Mapping[str, Node]) -> Graph:
    """The nodes of `graph` in the order of `ordered`; a fused node takes the place of its last part."""
    places = {node.name: place for place, node in enumerate(ordered.node)}
    result = empty(graph)
    result.node.extend(
        fused.get(node.name, node) for node in sorted(graph.node, key=lambda node: places.get(node.name, -1))
    )
    return result


def _asks_for_shapes(node: Node, nodes: Mapping[str, Node], norms: Set[str]) -> bool:
    """Whether the remapper infers shapes at this node; it records them from there on."""
    if node.op in ("BiasAdd", "Transpose") or node.name in norms:
        return True
    inputs = [nodes[source_of(name)] for name in node.input]
    if node.op in _ANY_ACTIVATION:
        return any(_adds_to_product(one, nodes) for one in inputs)
    return _adds_to_product(node, nodes)


def _adds_to_product(node: Node, nodes: Mapping[str, Node]) -> bool:
    """Whether a product, with or without a bias, is an operand of a sum."""
    if node.op not in _SUMS:
        return False
    for one in (nodes[source_of(name)] for name in node.input):
        within = [nodes[source_of(name)].op for name in one.input[:2]] if one.op in ("BiasAdd", *_SUMS) else []
        if one.op in _PRODUCTS or any(op in _PRODUCTS for op in within):
            return True
    return False


def _chain(node: Node, nodes: Mapping[str, Node], counts: Counter[str], outputs: Set[str]) -> list[Node]:
    """The product, its bias and possibly an activation that end in `node`; empty if they are no such chain."""
    bias = nodes.get(source_of(node.input[0])) if node.input and node.op != "BiasAdd" else node
    product = nodes.get(source_of(bias.input[0])) if bias is not None and bias.op == "BiasAdd" else None
    if bias is None or product is None or product.op not in _FUSED or product.attr["T"].type != _DT_FLOAT:
        return []
    chain = [product, bias] if bias is node else [product, bias, node]
    if bias is not node and node.op not in _ACTIVATIONS[product.op]:
        return []
    swallowed = chain[:-1]
    waiting = any(name.startswith("^") for part in chain for name in part.input)
    alone = all(counts[part.name] == 1 and part.name not in outputs for part in swallowed)
    return chain if alone and not waiting else []


def _fuse(chain: Sequence[Node]) -> Node:
    """One operation for a chain, with the name of its last part and the attributes that the remapper writes."""
    product, bias, *activation = chain
    node = type(product)(op=_FUSED[product.op], name=chain[-1].name, device=product.device)
    node.input.extend([*product.input[:2], bias.input[1]])
    for key in _KEPT[product.op]:
        node.attr[key].CopyFrom(product.attr[key])
    if product.op == "Conv2D":
        node.attr["TArgs"].list.type.append(_DT_FLOAT)
        node.attr["num_host_args"].i = 0
        node.attr["filter_format"].s = b"HWIO"
    node.attr["fused_ops"].list.s.extend(part.op.encode() for part in (bias, *activation))
    node.attr["num_args"].i = 1
    node.attr["epsilon"].f = 0.0
    slopes = [part.attr["alpha"].f for part in activation if part.op == "LeakyRelu"]
    node.attr["leakyrelu_alpha"].f = slopes[0] if slopes else _NO_SLOPE
    return node


def _port(name: str) -> int:
    """The number of the output to which an input string refers."""
    return int(name.partition(":")[2] or 0)


def _shapes(graph: Graph, heads: Sequence[str]) -> dict[str, list[Any]]:
    """The shapes of each node's outputs, as Grappler infers them; an unknown size is a negative number."""
    import tensorflow as tf
    from tensorflow.python.grappler import item

    network = tf.compat.v1.MetaGraphDef(graph_def=graph)
    network.collection_def["train_op"].node_list.value[:] = heads
    properties = item.Item(network).GetOpProperties()
    return {name: [tensor.shape for tensor in tensors] for name, tensors in properties.items()}
