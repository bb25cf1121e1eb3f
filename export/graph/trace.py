"""The fallback for layers that Network has no word for: Keras' own graph, traced and frozen."""

from __future__ import annotations

import re
from typing import Any

from ...errors import ConversionError
from ..checkpoint.keras_json import ModelConfig, parse_model
from ..checkpoint.layer_graph import Source
from ..original.loader import load
from ..original.structure import flat_inputs, flat_outputs, packed_inputs
from .names import is_node_name, node_name

_VARIABLES = frozenset({"VarHandleOp", "VariableV2", "ReadVariableOp"})
_CONTROL_FLOW = frozenset({"If", "StatelessIf", "While", "StatelessWhile", "Switch", "Merge", "PartitionedCall"})


def concrete_graph_def(source: Source, batch: int | None) -> tuple[bytes, list[str], list[str]]:
    """Trace the checkpoint as Keras runs it.

    Returns a serialised GraphDef that holds constants only (no variables, no function library, no
    control flow), the names of its input tensors ("main_input:0") and of its output tensors
    ("value_head/Tanh:0"), both in the model's order; an output is computed by the node named, no
    Identity stands behind it. `batch` is the first axis of every input, None where it is free.
    Raises CheckpointError where Keras cannot load the file, ConversionError where the network
    cannot be frozen.
    """
    from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

    tree = parse_model(source.config, f"'{source.path}'")
    concrete = _concrete(source, tree, batch)
    frozen = convert_variables_to_constants_v2(concrete, lower_control_flow=True, aggressive_inlining=True)
    graph_def = frozen.graph.as_graph_def()
    _check_constant(graph_def, source)
    outputs = _without_identities(graph_def, [tensor.name for tensor in frozen.outputs])
    inputs = [tensor.name for tensor in frozen.inputs]
    new = _plain_names(graph_def, outputs, {node_name(ref.layer) for ref in tree.outputs})
    return (
        graph_def.SerializeToString(deterministic=True),
        [_renamed(name, new) for name in inputs],
        [_renamed(name, new) for name in outputs],
    )


def _concrete(source: Source, tree: ModelConfig, batch: int | None) -> Any:
    import tensorflow as tf

    model = load(source).model
    _make_nameable(model)
    doors = flat_inputs(source.config, model)
    specs = [
        tf.TensorSpec((batch, *door.shape[1:]), "float32", name=node_name(ref.layer))
        for ref, door in zip(tree.inputs, doors, strict=True)
    ]

    def run(*boards: Any) -> list[Any]:
        # An input of whole numbers takes floats in every artifact, as in a canonical graph.
        tensors = [tf.cast(board, door.dtype) for board, door in zip(boards, doors, strict=True)]
        return flat_outputs(source.config, model(packed_inputs(source.config, model, tensors), training=False))

    eager = tf.config.functions_run_eagerly()
    # Functions inside the model (a grouped convolution is one, compiled by XLA) become plain nodes.
    tf.config.run_functions_eagerly(True)
    try:
        return tf.function(run, autograph=False).get_concrete_function(*specs)
    finally:
        tf.config.run_functions_eagerly(eager)


def _make_nameable(model: Any) -> None:
    """Rename the layers that no TensorFlow scope can be called after (Keras 3 takes any name)."""
    for layer in model._flatten_layers():
        if not is_node_name(layer.name):
            layer.name = node_name(layer.name)


def _check_constant(graph_def: Any, source: Source) -> None:
    left = next((node for node in graph_def.node if node.op in _VARIABLES | _CONTROL_FLOW), None)
    if left is not None or graph_def.library.function:
        what = f"node '{left.name}' ({left.op})" if left is not None else "a function library"
        raise ConversionError(
            f"'{source.path}': {what} stays in the graph that Keras traced, which no format can hold: "
            "rebuild the network without that layer, with --builder MODULE:FUNCTION."
        )


def _without_identities(graph_def: Any, outputs: list[str]) -> list[str]:
    """Drop the Identity nodes that a traced function ends with; returns the tensors behind them."""
    by_name = {node.name: node for node in graph_def.node}
    ends = [by_name[tensor.split(":")[0]] for tensor in outputs]
    behind = [_tensor(end.input[0]) if end.op == "Identity" else _tensor(end.name) for end in ends]
    dropped = {end.name for end in ends if end.op == "Identity"}
    kept = [node for node in graph_def.node if node.name not in dropped and node.op != "NoOp"]
    for node in kept:
        data = [name for name in node.input if not name.startswith("^")]
        del node.input[:]
        node.input.extend(data)
    copies = [type(node).FromString(node.SerializeToString()) for node in kept]
    del graph_def.node[:]
    graph_def.node.extend(copies)
    return behind


def _tensor(name: str) -> str:
    return name if ":" in name else f"{name}:0"


def _plain_names(graph_def: Any, outputs: list[str], heads: set[str]) -> dict[str, str]:
    """Name nodes as an app written for a frozen Keras graph expects.

    The model's own name goes from the front, and the number that a second tracing adds to a head's
    (pi_1/Softmax). Returns old name -> new name; nothing changes where two would become one.
    """
    scopes = {name.split("/")[0] for name in outputs} - heads
    scope = f"{scopes.pop()}/" if len(scopes) == 1 else ""
    ports = {node.name for node in graph_def.node if node.op == "Placeholder"}
    old = [node.name for node in graph_def.node]
    short = {name: name if name in ports else name.removeprefix(scope) for name in old}
    plain = {name: name if name in ports else _of_layer(short[name], heads) for name in old}
    unchanged = {name: name for name in old}
    new = next(names for names in (plain, short, unchanged) if len(set(names.values())) == len(old))
    for node in graph_def.node:
        node.name = new[node.name]
        node.input[:] = [_renamed(name, new) for name in node.input]
    return new


def _of_layer(name: str, heads: set[str]) -> str:
    first, slash, rest = name.partition("/")
    without_number = re.sub(r"_\d+$", "", first)
    plain = without_number if first not in heads and without_number in heads else first
    return f"{plain}{slash}{rest}"


def _renamed(tensor: str, new: dict[str, str]) -> str:
    name, separator, index = tensor.partition(":")
    return f"{new[name]}{separator}{index}"
