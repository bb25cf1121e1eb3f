"""A FrozenGraph of what Keras traced, for the networks that have a layer without canonical form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from azx.export.errors import ConversionError
from azx.export.frozen import FrozenGraph, HeadSpec, TensorSpec
from azx.export.heads import Head, input_names
from azx.export.layer_graph import Source
from azx.export.trace import concrete_graph_def

Traced = tuple[bytes, list[str], list[str], list[tuple[int, ...]], list[tuple[int, ...]]]


def trace(source: Source, batch: int | None) -> Traced:
    """Keras' graph, its input and output tensors, and their shapes without the batch."""
    import tensorflow as tf

    data, inputs, outputs = concrete_graph_def(source, batch)
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(tf.compat.v1.GraphDef.FromString(data), name="")
    shapes = [_shape(graph.get_tensor_by_name(name), source) for name in (*inputs, *outputs)]
    return data, inputs, outputs, shapes[: len(inputs)], shapes[len(inputs) :]


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
    data, input_tensors, output_tensors, input_shapes, _ = traced
    node_of = {name: tensor.split(":")[0] for name, tensor in zip(sources, output_tensors, strict=True)}
    doors = [tensor.split(":")[0] for tensor in input_tensors]
    names = input_names(doors, keep_names=keep_names)
    new_names = {**_head_names(heads, node_of), **dict(zip(doors, names, strict=True))}
    nodes = {head.name: _renamed(node_of[head.source_name], new_names) for head in heads}
    inputs = tuple(
        TensorSpec(name, (batch, *shape), "float32", door)
        for name, door, shape in zip(names, doors, input_shapes, strict=True)
    )
    outputs = tuple(
        HeadSpec(h.name, h.role, (batch, *h.shape), h.activation, nodes[h.name], h.source_name) for h in heads
    )
    twin = _rewritten(data, new_names, nodes, bias_by_add=False)
    return FrozenGraph(_rewritten(data, new_names, nodes, bias_by_add=True), twin, inputs, outputs, reason)


def _head_names(heads: Sequence[Head], node_of: dict[str, str]) -> dict[str, str]:
    """The layer of each head takes the head's name: dense_2/... becomes value_head/... ."""
    return {node_of[head.source_name].split("/")[0]: head.name for head in heads if "/" in node_of[head.source_name]}


def _renamed(name: str, new_names: dict[str, str]) -> str:
    first, slash, rest = name.partition("/")
    return f"{new_names.get(first, first)}{slash}{rest}"


def _rewritten(data: bytes, new_names: dict[str, str], nodes: dict[str, str], *, bias_by_add: bool) -> bytes:
    """The GraphDef renamed, with an Identity behind each head, and its channels_last biases by AddV2 if asked.

    (TensorFlow's remapper computes Conv2D + BiasAdd + Add + LeakyRelu with another slope.)
    """
    import tensorflow as tf

    graph = tf.compat.v1.GraphDef.FromString(data)
    for node in graph.node:
        node.name = _renamed(node.name, new_names)
        node.input[:] = [_renamed(name, new_names) for name in node.input]
        if bias_by_add and node.op == "BiasAdd" and node.attr["data_format"].s in (b"", b"NHWC"):
            node.op = "AddV2"
            del node.attr["data_format"]
    for name, source in nodes.items():
        end = graph.node.add(name=name, op="Identity", input=[source])
        end.attr["T"].type = tf.float32.as_datatype_enum
    return bytes(graph.SerializeToString(deterministic=True))
