"""Writes a network of `networks.py` as an ONNX graph, straight from its weights, for self-play.

An export with proof takes seconds, this some milliseconds. It is for training only. The networks that a run publishes
are exported and proved like any checkpoint.
"""

from __future__ import annotations

from typing import Any

from .given import GIVEN
from .given_graph import GivenGraph
from .graph_nodes import Graph

OPSET, IR_VERSION = 17, 8
HEADS = ("policy_head", "value_head")


def write_graph(model: Any) -> bytes:
    """The serialised ONNX graph: `main_input` (N, *board) to `policy_head` (N, actions) logits, `value_head` (N, 1)."""
    from onnx import TensorProto, helper

    graph = GivenGraph() if model.name == GIVEN else Graph()
    tensors: dict[str, str] = {}
    for layer in model.layers:
        inputs = [tensors[each] for each in _inputs_of(layer)]
        tensors[layer.name] = graph.add(layer, inputs)
    shape = model.inputs[0].shape
    heads = {name: tensor.shape[-1] for name, tensor in zip(HEADS, model.outputs, strict=True)}
    graph.nodes += [helper.make_node("Identity", [tensors[name]], [name]) for name in heads]
    made = helper.make_graph(
        graph.nodes,
        "generation",
        [helper.make_tensor_value_info("main_input", TensorProto.FLOAT, ["N", *shape[1:]])],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["N", width]) for name, width in heads.items()],
        graph.weights,
    )
    whole = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    data: bytes = whole.SerializeToString()
    return data


def _inputs_of(layer: Any) -> list[str]:
    """The names of the layers that a layer reads."""
    nodes = layer._inbound_nodes
    return [tensor._keras_history.operation.name for tensor in nodes[0].input_tensors] if nodes else []
