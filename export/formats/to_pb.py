"""The frozen TensorFlow graph as a .pb, with aliases for apps written for Keras' own names."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..checkpoint.protobuf import Parser, message, messages, text
from ..graph.frozen import FrozenGraph
from ..graph.names import METADATA_NODE, is_node_name


def write(frozen: FrozenGraph, target: Path) -> None:
    """Write `frozen` to `target`; the same graph gives the same bytes.

    Beside the nodes `value_head/Tanh` and `policy_head/MatMul` it has Identity nodes `value_head` and `policy_head`. A
    head that had another name gets an alias under that name too. The format has no metadata field: a string constant
    `azx_metadata` holds it as JSON.
    """
    from tensorflow.core.framework.graph_pb2 import GraphDef

    graph = GraphDef.FromString(frozen.graph_def)
    _add_aliases(graph, frozen)
    _add_metadata(graph, frozen)
    target.write_bytes(graph.SerializeToString(deterministic=True))


def metadata(path: Path) -> Mapping[str, str]:
    """The metadata that `write` put there, read without TensorFlow, by the numbers of GraphDef's fields."""
    parser = Parser()
    nodes = (parser.fields(each) for each in messages(parser.fields(path.read_bytes()), 1))
    node = next(node for node in nodes if text(node, 1) == METADATA_NODE)
    attributes = {text(pair, 1): pair for pair in map(parser.fields, messages(node, 5))}
    tensor = parser.fields(message(parser.fields(message(attributes["value"], 2)), 8))
    stored: dict[str, str] = json.loads(message(tensor, 8))
    return stored


def _add_aliases(graph: Any, frozen: FrozenGraph) -> None:
    names = {node.name for node in graph.node}
    kinds = {node.name: node.attr["T"].type for node in graph.node}
    for head in frozen.outputs:
        alias = f"{head.source_name}/{head.node.rsplit('/', 1)[-1]}"
        if alias not in names and "/" in head.node and is_node_name(alias):
            node = graph.node.add(name=alias, op="Identity", input=[head.node])
            node.attr["T"].type = kinds[head.name]


def _add_metadata(graph: Any, frozen: FrozenGraph) -> None:
    from tensorflow.core.framework.types_pb2 import DT_STRING

    node = graph.node.add(name=METADATA_NODE, op="Const")
    node.attr["dtype"].type = DT_STRING
    value = node.attr["value"].tensor
    value.dtype = DT_STRING
    value.tensor_shape.SetInParent()
    value.string_val.append(json.dumps(dict(frozen.metadata), sort_keys=True).encode())
