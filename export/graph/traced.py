"""A FrozenGraph of what Keras traced, for the networks that have a layer without canonical form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from typing import Any

from ...errors import ConversionError
from ..checkpoint.keras_json import parse_model
from ..checkpoint.layer_graph import Source
from .build import LOWEST
from .frozen import FrozenGraph, HeadSpec, TensorSpec
from .heads import Head, input_names
from .names import unique
from .rewrites import channels_last, constant, make, without_batch_statistics
from .trace import concrete_graph_def

Shapes = list[tuple[int, ...]]
# GraphDef, input and output tensors, their shapes, and the checkpoint's names of the inputs.
Traced = tuple[bytes, list[str], list[str], Shapes, Shapes, list[str]]


def trace(source: Source, batch: int | None) -> Traced:
    """Keras' graph, its input and output tensors, their shapes without the batch, and the inputs' names."""
    import tensorflow as tf

    data, inputs, outputs = concrete_graph_def(source, batch)
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(tf.compat.v1.GraphDef.FromString(data), name="")
    shapes = [_shape(graph.get_tensor_by_name(name), source) for name in (*inputs, *outputs)]
    doors = [ref.layer for ref in parse_model(source.config, f"'{source.path}'").inputs]
    return data, inputs, outputs, shapes[: len(inputs)], shapes[len(inputs) :], doors


def _shape(tensor: Any, source: Source) -> tuple[int, ...]:
    shape = tensor.shape.as_list()[1:]
    if tensor.dtype.name != "float32" or any(size is None for size in shape):
        raise ConversionError(
            f"'{source.path}': tensor '{tensor.name}' is {tensor.dtype.name} of shape {shape}, and only float32 of a "
            "fixed shape can be exported from a traced graph: rebuild the network with --builder MODULE:FUNCTION."
        )
    return tuple(int(size) for size in shape)


def from_traced(
    traced: Traced, heads: Sequence[Head], batch: int | None, reason: str, *, keep_names: bool, sources: Sequence[str]
) -> FrozenGraph:
    """The traced graph under the contract's names; `reason` says which layer stopped the simplification.

    `heads` are in the artifacts' order, `sources` the checkpoint's output names in the order in
    which they were traced.
    """
    data, input_tensors, output_tensors, input_shapes, _, doors = traced
    tensor_of = dict(zip(sources, output_tensors, strict=True))
    names = input_names(doors, heads, keep_names=keep_names)
    ports = dict(zip((_node(tensor) for tensor in input_tensors), names, strict=True))
    graph, nodes = _renamed(data, ports, {head.name: tensor_of[head.source_name] for head in heads})
    inputs = tuple(
        TensorSpec(name, (batch, *shape), "float32", door)
        for name, door, shape in zip(names, doors, input_shapes, strict=True)
    )
    outputs = tuple(
        HeadSpec(h.name, h.role, (batch, *h.shape), h.activation, nodes[h.name], h.source_name) for h in heads
    )
    twin = graph.SerializeToString(deterministic=True)
    return FrozenGraph(_biased_by_add(graph), twin, inputs, outputs, reason)


def _renamed(data: bytes, ports: Mapping[str, str], tensors: Mapping[str, str]) -> tuple[Any, dict[str, str]]:
    """The GraphDef under final names, channels last, an Identity behind each head; and the node of each head."""
    import tensorflow as tf

    graph = tf.compat.v1.GraphDef.FromString(data)
    new = _new_names([node.name for node in graph.node], ports, {h: _node(tensor) for h, tensor in tensors.items()})
    for node in graph.node:
        node.name = new[node.name]
        node.input[:] = [_moved(name, new) for name in node.input]
    graph = without_batch_statistics(channels_last(graph))
    nodes: dict[str, str] = {}
    for head, tensor in tensors.items():
        end = _moved(tensor, new)
        if end in ports.values() or end in nodes.values():
            graph.node.extend(_copy(graph.node[0], end, head))
            end = f"{head}/Maximum"
        graph.node.extend([make(graph.node[0], "Identity", head, end)])
        nodes[head] = end
    return graph, {head: _node(end) for head, end in nodes.items()}


def _copy(like: Any, tensor: str, head: str) -> list[Any]:
    """The same values again, where an output is an input or another output."""
    lowest = constant(like, f"{head}/lowest", LOWEST)
    return [lowest, make(like, "Maximum", f"{head}/Maximum", tensor, lowest.name)]


def _new_names(nodes: Sequence[str], ports: Mapping[str, str], ends: Mapping[str, str]) -> dict[str, str]:
    """Old name -> final name of each node.

    The layer of each head takes the head's name (dense_2/... becomes value_head/...), and a layer
    that had that name gives it up.
    """
    layers = Counter(end.rpartition("/")[0] for end in ends.values())
    heads = {end.rpartition("/")[0]: head for head, end in ends.items() if layers[end.rpartition("/")[0]] == 1}
    names = {end: f"{head}/{end.rpartition('/')[2]}" for head, end in reversed(list(ends.items()))} | dict(ports)
    used, first_names = {*ends, *names.values()}, {*ends, *ports.values()}
    for node in nodes:
        if node not in names:
            names[node] = unique(_in_layer(node, heads, first_names), used)
            used.add(names[node])
    return names


def _in_layer(node: str, heads: Mapping[str, str], taken: Container[str]) -> str:
    for layer, head in heads.items():
        if layer and node.startswith(f"{layer}/"):
            return head + node.removeprefix(layer)
    first, slash, rest = node.partition("/")
    return f"{unique(first, taken)}{slash}{rest}"


def _node(tensor: str) -> str:
    return tensor.removeprefix("^").split(":")[0]


def _moved(tensor: str, new: Mapping[str, str]) -> str:
    """A tensor under its node's final name; the first of a node needs no number."""
    name, _, index = tensor.partition(":")
    return f"{new[name]}:{index}" if index not in ("", "0") else new[name]


def _biased_by_add(graph: Any) -> bytes:
    """The GraphDef with its biases by AddV2.

    (TensorFlow's remapper computes Conv2D + BiasAdd + Add + LeakyRelu with another slope.)
    """
    for node in graph.node:
        if node.op == "BiasAdd":
            node.op = "AddV2"
            del node.attr["data_format"]
    return bytes(graph.SerializeToString(deterministic=True))
