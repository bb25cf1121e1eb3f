"""Fusions that help TF.js and that Grappler does not make: batch norms, biases, PReLU, depthwise convolutions.

They are those of TensorFlow.js Converter 4.22, with its names and attributes. A fusion is skipped if another node reads
an inner result, or if the added tensor is not a bias.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..checkpoint.layer_graph import Array
from ..graph.rewrites import Graph, Node, empty, make, source_of
from .tfjs_graph import FUSED_BASE, Shape, const_shapes, readers

_SUMS = ("Add", "AddV2")
_CONVOLUTIONS = ("Conv2D", "DepthwiseConv2dNative")
_AFTER_DEPTHWISE = ("Relu", "Relu6", "Elu")


@dataclass(frozen=True, eq=False)
class _Norm:
    """A batch norm, the convolution before it, the addition between them if any, and the folded values (float64)."""

    node: Node
    convolution: Node
    addition: Node | None
    kernel: Array
    bias: Array


@dataclass(frozen=True, eq=False)
class _Prelu:
    """Relu(x) + -alpha * Relu(-x): the sum, Relu(x), the constant -alpha, and the names of the other three."""

    end: Node
    relu: Node
    alpha: Node
    swallowed: tuple[str, ...]


def with_folded_norms(graph: Graph) -> Graph:
    """The same network with each batch norm folded into the convolution before it: a scaled kernel and a bias.

    Canonical networks have no batch norm left; networks traced from Keras do.
    """
    nodes, counts = {node.name: node for node in graph.node}, readers(graph, control=False)
    norms = (_norm(node, nodes) for node in graph.node if node.op in ("FusedBatchNorm", "FusedBatchNormV3"))
    folded = [norm for norm in norms if norm and all(counts[part.name] == 1 for part in _swallowed_nodes(norm))]
    gone = {part.name for norm in folded for part in (norm.node, *_swallowed_nodes(norm))}
    kernels = {source_of(norm.convolution.input[1]) for norm in folded}
    result = _without(graph, gone)
    for norm in folded:
        result.node.extend(_convolution_and_bias(norm, nodes))
    return _without(result, kernels - set(readers(result)))


def with_biases(graph: Graph) -> Graph:
    """The same network with BiasAdd, which Grappler fuses, if a bias is added to a product that no other node reads.

    A bias is a constant with one axis and one number per channel; the skip in Add([convolution, skip]) is not a bias.
    """
    result, shapes, counts = _copy(graph), const_shapes(graph), readers(graph, control=False)
    nodes = {node.name: node for node in graph.node}
    for node in result.node:
        product = nodes[source_of(node.input[0])] if node.op in _SUMS else None
        if product is None or product.op not in (*_CONVOLUTIONS, "MatMul") or counts[product.name] != 1:
            continue
        bias, kernel = (shapes.get(name, ()) for name in (node.input[1], product.input[1]))
        if len(bias) == 1 and (not kernel or bias[0] == _channels(product, kernel)):
            node.op = "BiasAdd"
            node.attr["data_format"].s = b"NHWC"
    return result


def with_prelu(graph: Graph) -> Graph:
    """The same network with Prelu(x, alpha) for Relu(x) + -alpha * Relu(-x), which tf.keras writes for PReLU.

    If another node reads a part of one, none of them is replaced.
    """
    result = _copy(graph)
    nodes = {node.name: node for node in result.node}
    prelus = [prelu for node in result.node if (prelu := _prelu(node, nodes))]
    if not _prelu_is_safe(graph, prelus):
        return graph
    for prelu in prelus:
        prelu.relu.op = "Prelu"
        prelu.relu.input.append(prelu.alpha.name)
        del prelu.relu.attr["T"]  # TF.js's own operation lacks this attribute
    for alpha in {prelu.alpha.name: prelu.alpha for prelu in prelus}.values():
        alpha.CopyFrom(constant_like(alpha.name, -values_of(alpha), alpha))
    swallowed = {name for prelu in prelus for name in prelu.swallowed}
    return _without(result, swallowed, {prelu.end.name: prelu.relu.name for prelu in prelus})


def with_fused_depthwise(graph: Graph) -> Graph:
    """The same network with each depthwise convolution, its bias and Relu, Relu6 or Elu as one operation.

    If another node reads a part of one, none of them is fused.
    """
    if not _depthwise_is_safe(graph):
        return graph
    result = _copy(graph)
    ends: dict[str, str] = {}
    reader = {source_of(node.input[0]): node for node in result.node if node.input}
    for node in result.node:
        if node.op != "DepthwiseConv2dNative":
            continue
        after = reader.get(node.name)
        bias = after if after is not None and after.op == "BiasAdd" else None
        end = after if bias is None else reader.get(bias.name)
        activation = end if end is not None and end.op in _AFTER_DEPTHWISE and len(end.input) == 1 else None
        if bias is None and activation is None:
            continue
        node.op = "FusedDepthwiseConv2dNative"
        node.input.extend([] if bias is None else [bias.input[1]])
        node.attr["num_args"].i = 0 if bias is None else 1
        steps = ["NoOp" if bias is None else "BiasAdd"] + ([] if activation is None else [activation.op])
        node.attr["fused_ops"].list.s.extend(step.encode() for step in steps)
        ends |= {part.name: node.name for part in (bias, activation) if part is not None}
    return _without(result, ends=ends)


def with_prelu_in_products(graph: Graph) -> Graph:
    """The same network with Prelu as the activation of the fused product before it, if that has no activation."""
    result = _copy(graph)
    ends: dict[str, str] = {}
    nodes = {node.name: node for node in result.node}
    for node in result.node:
        product = nodes[source_of(node.input[0])] if node.op == "Prelu" else None
        if product is not None and product.op in FUSED_BASE and len(product.attr["fused_ops"].list.s) == 1:
            product.input.append(node.input[1])
            product.attr["fused_ops"].list.s.append(b"Prelu")
            product.attr["num_args"].i += 1
            ends[node.name] = product.name
    return _without(result, ends=ends)


def _norm(node: Node, nodes: Mapping[str, Node]) -> _Norm | None:
    """The batch norm with its convolution; None without one, or if a value is not a constant of its size."""
    before = nodes[source_of(node.input[0])]
    addition = before if before.op in ("BiasAdd", *_SUMS) else None
    added = [nodes[source_of(name)] for name in addition.input[:2]] if addition is not None else [before]
    convolution = next((part for part in added if part.op in _CONVOLUTIONS), None)
    if convolution is None:
        return None
    kernel = nodes[source_of(convolution.input[1])]
    constants = [nodes[source_of(name)] for name in node.input[1:5]]
    shifts = [part for part in added if part is not convolution]
    if any(constant.op != "Const" for constant in (kernel, *constants, *shifts)):
        return None
    values = values_of(kernel)
    scale, offset, mean, variance = map(values_of, constants)
    for shift in shifts:
        mean = mean - values_of(shift)
    channels = (_channels(convolution, values.shape),)
    if any(constant.shape != channels for constant in (scale, offset, mean, variance)):
        return None
    # float32 up to the root and float64 after it, as in the converter, because the bytes depend on it.
    factor = 1 / np.sqrt((variance + node.attr["epsilon"].f).astype("float64")) * scale
    spread = factor.reshape(values.shape[2:]) if convolution.op == "DepthwiseConv2dNative" else factor
    return _Norm(node, convolution, addition, values * spread, offset - mean * factor)


def _channels(product: Node, kernel: Shape) -> int:
    """A product's number of channels, by the shape of its kernel."""
    if product.op == "MatMul":
        return kernel[0 if product.attr["transpose_b"].b else 1]
    return kernel[3] * (kernel[2] if product.op == "DepthwiseConv2dNative" else 1)


def _swallowed_nodes(norm: _Norm) -> list[Node]:
    return [norm.convolution] if norm.addition is None else [norm.convolution, norm.addition]


def _convolution_and_bias(norm: _Norm, nodes: Mapping[str, Node]) -> list[Node]:
    """The nodes that replace a batch norm; its name goes to the addition of the bias."""
    convolution, name = _copy(norm.convolution), norm.convolution.name
    kernel = constant_like(f"{name}_weights", norm.kernel, nodes[source_of(convolution.input[1])])
    bias = constant_like(f"{name}_bn_offset", norm.bias, nodes[source_of(norm.node.input[3])])
    convolution.input[1] = kernel.name
    biased = make(convolution, "BiasAdd", norm.node.name, name, bias.name)
    biased.attr["T"].CopyFrom(convolution.attr["T"])
    return [kernel, convolution, bias, biased]


def _prelu(node: Node, nodes: Mapping[str, Node]) -> _Prelu | None:
    """The PReLU that ends in this node, None if there is none."""
    if node.op not in _SUMS or len(node.input) != 2:
        return None
    relu, scaled = (nodes[source_of(name)] for name in node.input)
    if relu.op != "Relu" or scaled.op != "Mul":
        return None
    factors = [nodes[source_of(name)] for name in scaled.input]
    alpha = next((factor for factor in factors if factor.op == "Const"), None)
    below = next((factor for factor in factors if factor.op == "Relu"), None)
    if alpha is None or below is None or len(below.input) != 1:
        return None
    negated = nodes[source_of(below.input[0])]
    if negated.op != "Neg" or list(negated.input) != list(relu.input):
        return None
    return _Prelu(node, relu, alpha, (scaled.name, below.name, negated.name))


def _prelu_is_safe(graph: Graph, prelus: Sequence[_Prelu]) -> bool:
    """Whether no other node reads x, Relu(x), -x, Relu(-x), its product with alpha, or alpha, whose sign changes."""
    counts = readers(graph)
    negated = {source_of(node.input[0]) for node in graph.node if node.op == "Neg"}
    positive = {node.name for node in graph.node if node.op == "Relu" and source_of(node.input[0]) in negated}
    alphas = Counter(prelu.alpha.name for prelu in prelus)
    return (
        all(counts[name] == 2 for name in negated)
        and all(counts[name] == 1 for name in positive.union(*(prelu.swallowed for prelu in prelus)))
        and all(counts[p.alpha.name] == alphas[p.alpha.name] or not values_of(p.alpha).any() for p in prelus)
    )


def _depthwise_is_safe(graph: Graph) -> bool:
    """Whether no other node reads the depthwise convolutions and their biased results."""
    counts = readers(graph)
    swallowed = {node.name for node in graph.node if node.op == "DepthwiseConv2dNative"}
    swallowed |= {node.name for node in graph.node if node.op == "BiasAdd" and source_of(node.input[0]) in swallowed}
    return all(counts[name] == 1 for name in swallowed)


def _without(graph: Graph, names: Set[str] = frozenset(), ends: Mapping[str, str] | None = None) -> Graph:
    """The graph without the named nodes and those in `ends`.

    Readers of a node in `ends` read its value there instead.
    """
    result, ends = empty(graph), ends or {}
    for node in graph.node:
        if node.name not in names and node.name not in ends:
            result.node.append(node)
            inputs = [name for name in node.input if not (name.startswith("^") and name[1:] in names)]
            result.node[-1].input[:] = [ends.get(name, name) for name in inputs]
    return result


def _copy(message: Any) -> Any:
    result = type(message)()
    result.CopyFrom(message)
    return result


def values_of(constant: Node) -> Array:
    """The values of a constant."""
    import tensorflow as tf

    values: Array = tf.make_ndarray(constant.attr["value"].tensor)
    return values


def constant_like(name: str, values: Array, like: Node) -> Node:
    """A constant of the type of `like`."""
    import tensorflow as tf

    dtype = tf.as_dtype(like.attr["dtype"].type)
    result = type(like)(op="Const", name=name)
    result.attr["dtype"].type = dtype.as_datatype_enum
    result.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(values.astype(dtype.as_numpy_dtype), dtype, values.shape))
    return result
