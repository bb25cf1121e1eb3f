"""The fallback for layers without a canonical form: the graph that Keras traces, under the contract's names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...errors import ConversionError
from ..checkpoint.head import Head
from ..checkpoint.keras_json import ModelConfig, parse_model
from ..checkpoint.layer_graph import LayerGraph, Source
from ..original.adapted import flat_inputs, flat_outputs, pack_inputs
from ..original.loader import load
from .build import LOWEST
from .frozen import FrozenGraph, Port
from .names import input_names, is_node_name, node_name, unique
from .rewrites import channels_last, constant, make, source_of, without_batch_statistics, without_one_hot

_VARIABLES = frozenset({"VarHandleOp", "VariableV2", "ReadVariableOp"})
_REBUILD = "rebuild the network without that layer, with --builder MODULE:FUNCTION"
_CONTROL_FLOW = frozenset({"If", "StatelessIf", "While", "StatelessWhile", "Switch", "Merge", "PartitionedCall"})


@dataclass(frozen=True, eq=False)
class Trace:
    """Keras' trace: a serialised GraphDef of constants, its inputs, and its outputs in the model's order.

    The names of `inputs` and the tensors of `outputs` are the GraphDef's ("main_input:0", "value_head/Tanh:0"). Their
    source names are the checkpoint's. Shapes of inputs have the batch first.
    """

    graph_def: bytes
    inputs: tuple[Port, ...]
    outputs: tuple[Head, ...]


def trace(graph: LayerGraph, batch: int | None) -> Trace:
    """Keras' graph of a checkpoint with its input and output tensors; `batch` is None if it is free.

    Raises CheckpointError if Keras cannot load the file. Raises ConversionError if the network cannot be frozen, or an
    input or output is not float32 of a fixed shape.
    """
    import tensorflow as tf

    source = graph.source
    data, inputs, outputs = concrete_graph_def(source, batch)
    with tf.Graph().as_default() as imported:
        tf.import_graph_def(tf.compat.v1.GraphDef.FromString(data), name="")
    shapes = {name: _shape(imported.get_tensor_by_name(name), source) for name in (*inputs, *outputs)}
    doors = [ref.layer for ref in parse_model(source.config, f"'{source.path}'").inputs]
    return Trace(
        data,
        tuple(Port(name, (batch, *shapes[name]), source_name=door) for name, door in zip(inputs, doors, strict=True)),
        tuple(
            Head(head.source_name, shapes[name], tensor=name) for head, name in zip(graph.outputs, outputs, strict=True)
        ),
    )


def concrete_graph_def(source: Source, batch: int | None) -> tuple[bytes, list[str], list[str]]:
    """Trace the checkpoint as Keras runs it.

    Returns a serialised GraphDef of constants only: no variables, no function library, no control flow. Then the names
    of its input tensors ("main_input:0") and of its output tensors ("value_head/Tanh:0"), both in the model's order. A
    named node calculates the output itself; no Identity follows it. `batch` is the first axis of every input, None if
    it is free. Raises CheckpointError if Keras cannot load the file, ConversionError if the network cannot be frozen.
    """
    from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

    tree = parse_model(source.config, f"'{source.path}'")
    # A traced function does not keep its variables: they live as long as the model.
    model = load(source).model
    frozen = convert_variables_to_constants_v2(
        _concrete(source, tree, model, batch), lower_control_flow=True, aggressive_inlining=True
    )
    graph_def = frozen.graph.as_graph_def()
    left = next((node for node in graph_def.node if node.op in _VARIABLES | _CONTROL_FLOW), None)
    if left is not None or graph_def.library.function:
        raise ConversionError(f"'{source.path}': {_why_left(left, tree)}.")
    outputs = _without_identities(graph_def, [tensor.name for tensor in frozen.outputs])
    inputs = [tensor.name for tensor in frozen.inputs]
    new = _plain_names(graph_def, outputs, {node_name(ref.layer) for ref in tree.outputs})
    return (
        graph_def.SerializeToString(deterministic=True),
        [_rename(name, new) for name in inputs],
        [_rename(name, new) for name in outputs],
    )


def _why_left(left: Any, tree: ModelConfig) -> str:
    """The reason why a traced graph cannot be frozen, with the layer of the node `left`, and what to do."""
    if left is None:
        return "a function library stays in the graph that Keras traced, which no format can hold: " + _REBUILD
    folders = left.name.split("/")[:-1]
    # Keras adds a number to the scope of a layer that is traced again.
    scopes = {*folders, *(re.sub(r"_\d+$", "", folder) for folder in folders)}
    layer = next((leaf for leaf in tree.leaves() if leaf.name in scopes), None)
    what = f"layer '{layer.name}' ({layer.kind})" if layer else f"node '{left.name}' ({left.op})"
    if left.op in _VARIABLES:
        return f"{what} reads a variable that changes, which no format can hold: {_REBUILD}"
    if layer is not None and "unroll" in layer.config:
        return (
            f"{what} loops over steps, whose number is free or differs between its calls, and no format holds a loop: "
            "give each call the same fixed number of steps, and save the network again"
        )
    return f"{what} is a loop or a branch in the graph that Keras traced, which no format can hold: {_REBUILD}"


def _unroll(model: Any) -> None:
    """Unroll recurrent layers with a fixed number of steps, because no format allows a loop."""
    for layer in model._flatten_layers():
        inner: tuple[Any, ...] = (layer, getattr(layer, "forward_layer", None), getattr(layer, "backward_layer", None))
        for each in inner if _steps(layer) is not None else ():
            if getattr(each, "unroll", None) is False:
                each.unroll = True
                # When the layer is made, tf_keras chooses a function that loops.
                each._could_use_gpu_kernel = False


def _steps(layer: Any) -> int | None:
    """A recurrent layer's number of steps; None if unknown, or if its calls differ."""
    calls = (node.input_tensors for node in layer._inbound_nodes)
    tensors = [next(iter(call), None) if isinstance(call, (list, tuple)) else call for call in calls]
    counts = {tensor.shape[1] for tensor in tensors if tensor is not None and len(tensor.shape) > 1}
    return counts.pop() if len(counts) == 1 else None


def _concrete(source: Source, tree: ModelConfig, model: Any, batch: int | None) -> Any:
    import tensorflow as tf

    for layer in model._flatten_layers():
        # Keras 3 accepts any name, but TensorFlow does not accept all of them as a scope.
        if not is_node_name(layer.name):
            layer.name = node_name(layer.name)
    _unroll(model)
    doors = flat_inputs(source.config, model)
    specs = [
        tf.TensorSpec((batch, *door.shape[1:]), "float32", name=node_name(ref.layer))
        for ref, door in zip(tree.inputs, doors, strict=True)
    ]

    def run(*boards: Any) -> list[Any]:
        # An input of whole numbers is float in every artifact, as in a canonical graph.
        tensors = [tf.cast(board, door.dtype) for board, door in zip(boards, doors, strict=True)]
        return flat_outputs(source.config, model(pack_inputs(source.config, model, tensors), training=False))

    eager = tf.config.functions_run_eagerly()
    # Functions inside the model become plain nodes; a grouped convolution is such a function, compiled by XLA.
    tf.config.run_functions_eagerly(True)
    try:
        return tf.function(run, autograph=False).get_concrete_function(*specs)
    finally:
        tf.config.run_functions_eagerly(eager)


def _without_identities(graph_def: Any, outputs: list[str]) -> list[str]:
    """Remove the Identity nodes at the end of a traced function; returns the tensors behind them."""
    by_name = {node.name: node for node in graph_def.node}
    ends = [by_name[tensor.split(":")[0]] for tensor in outputs]
    behind = [_tensor(end.input[0]) if end.op == "Identity" else _tensor(end.name) for end in ends]
    dropped = {end.name for end in ends if end.op == "Identity"}
    remaining = [node for node in graph_def.node if node.name not in dropped and node.op != "NoOp"]
    for node in remaining:
        data = [name for name in node.input if not name.startswith("^")]
        del node.input[:]
        node.input.extend(data)
    copies = [type(node).FromString(node.SerializeToString()) for node in remaining]
    del graph_def.node[:]
    graph_def.node.extend(copies)
    return behind


def _tensor(name: str) -> str:
    return name if ":" in name else f"{name}:0"


def _plain_names(graph_def: Any, outputs: list[str], heads: set[str]) -> dict[str, str]:
    """Name nodes as an app for a frozen Keras graph expects.

    This removes the model's own name from the front, and the number that a second tracing adds to a head's name
    (pi_1/Softmax). Returns old name -> new name; if two nodes would get one name, nothing changes.
    """

    def of_layer(name: str) -> str:
        first, slash, rest = name.partition("/")
        without_number = re.sub(r"_\d+$", "", first)
        numbered = first not in heads and without_number in heads
        return f"{without_number if numbered else first}{slash}{rest}"

    scopes = {name.split("/")[0] for name in outputs} - heads
    scope = f"{scopes.pop()}/" if len(scopes) == 1 else ""
    ports = {node.name for node in graph_def.node if node.op == "Placeholder"}
    old = [node.name for node in graph_def.node]
    short = {name: name if name in ports else name.removeprefix(scope) for name in old}
    plain = {name: name if name in ports else of_layer(short[name]) for name in old}
    unchanged = {name: name for name in old}
    new = next(names for names in (plain, short, unchanged) if len(set(names.values())) == len(old))
    for node in graph_def.node:
        node.name = new[node.name]
        node.input[:] = [_rename(name, new) for name in node.input]
    return new


def _rename(tensor: str, new: dict[str, str]) -> str:
    name, separator, index = tensor.partition(":")
    return f"{new[name]}{separator}{index}"


def _shape(tensor: Any, source: Source) -> tuple[int, ...]:
    shape = tensor.shape.as_list()[1:]
    if tensor.dtype.name != "float32" or any(size is None for size in shape):
        raise ConversionError(
            f"'{source.path}': tensor '{tensor.name}' is {tensor.dtype.name} of shape {shape}, and only float32 of a "
            "fixed shape can be exported from a traced graph: rebuild the network with --builder MODULE:FUNCTION."
        )
    return tuple(int(size) for size in shape)


def from_traced(traced: Trace, heads: Sequence[Head], reason: str | None, *, keep_names: bool) -> FrozenGraph:
    """The traced graph under the contract's names; `reason` is the layer that stopped the simplification.

    `heads` are in the artifacts' order.
    """
    tensor_of = {head.source_name: head.tensor for head in traced.outputs}
    names = input_names([port.source_name for port in traced.inputs], heads, keep_names=keep_names)
    doors = {source_of(port.name): name for port, name in zip(traced.inputs, names, strict=True)}
    graph, nodes = _under_final_names(traced.graph_def, doors, {h.name: tensor_of[h.source_name] for h in heads})
    inputs = tuple(replace(port, name=name) for port, name in zip(traced.inputs, names, strict=True))
    outputs = tuple(replace(head, node=nodes[head.name]) for head in heads)
    twin = graph.SerializeToString(deterministic=True)
    return FrozenGraph(_with_added_biases(graph), twin, inputs, outputs, reason)


def _under_final_names(data: bytes, ports: Mapping[str, str], tensors: Mapping[str, str]) -> tuple[Any, dict[str, str]]:
    """The GraphDef under final names, channels last, with an Identity after each head; and the node of each head."""
    import tensorflow as tf

    graph = tf.compat.v1.GraphDef.FromString(data)
    new = _new_names([node.name for node in graph.node], ports, {h: source_of(tensor) for h, tensor in tensors.items()})
    for node in graph.node:
        node.name = new[node.name]
        node.input[:] = [_rename_tensor(name, new) for name in node.input]
    graph = without_one_hot(without_batch_statistics(channels_last(graph)))
    nodes: dict[str, str] = {}
    for head, tensor in tensors.items():
        end = _rename_tensor(tensor, new)
        if end in ports.values() or end in nodes.values():
            # An output that is also an input or another output gets a copy: one tensor cannot have two names.
            lowest = constant(graph.node[0], f"{head}/lowest", LOWEST)
            graph.node.extend([lowest, make(graph.node[0], "Maximum", f"{head}/Maximum", end, lowest.name)])
            end = f"{head}/Maximum"
        graph.node.extend([make(graph.node[0], "Identity", head, end)])
        nodes[head] = end
    return graph, {head: source_of(end) for head, end in nodes.items()}


def _new_names(nodes: Sequence[str], ports: Mapping[str, str], ends: Mapping[str, str]) -> dict[str, str]:
    """The final name of each node, by its old name.

    The layer of each head takes the head's name (dense_2/... becomes value_head/...); another layer with that name gets
    a new one.
    """
    layers = Counter(end.rpartition("/")[0] for end in ends.values())
    heads = {end.rpartition("/")[0]: head for head, end in ends.items() if layers[end.rpartition("/")[0]] == 1}
    names = {end: f"{head}/{end.rpartition('/')[2]}" for head, end in reversed(list(ends.items()))} | dict(ports)
    used, first_names = {*ends, *names.values()}, {*ends, *ports.values()}
    for node in nodes:
        if node in names:
            continue
        layer = next((layer for layer in heads if layer and node.startswith(f"{layer}/")), None)
        if layer is not None:
            wanted = heads[layer] + node.removeprefix(layer)
        else:
            first, slash, rest = node.partition("/")
            wanted = f"{unique(first, first_names)}{slash}{rest}"
        names[node] = unique(wanted, used)
        used.add(names[node])
    return names


def _rename_tensor(tensor: str, new: Mapping[str, str]) -> str:
    """A tensor under its node's final name; a node's first tensor needs no number."""
    name, _, index = tensor.partition(":")
    return f"{new[name]}:{index}" if index not in ("", "0") else new[name]


def _with_added_biases(graph: Any) -> bytes:
    """The GraphDef with its biases added by AddV2.

    (TensorFlow's remapper calculates Conv2D + BiasAdd + Add + LeakyRelu with another slope.)
    """
    for node in graph.node:
        if node.op == "BiasAdd":
            node.op = "AddV2"
            del node.attr["data_format"]
    return bytes(graph.SerializeToString(deterministic=True))
