"""A TensorFlow graph as plain data: its nodes, and the values of its constants.

The numbers of fields come from tensorflow/core/framework/{graph,node_def,attr_value,tensor}.proto.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path

import numpy as np

from ....errors import CheckpointError
from ..door.limits import FILE_BYTES, Budget, bytes_on_disk
from ..layer_graph import Array
from ..onnx.model import NODES, signed, unpacked
from ..protobuf import Message, Parser, message, messages, number, text

# tensorflow.DataType: float, double, int32, uint8, int16, int8, int64, bool, half.
_DTYPES = {1: "<f4", 2: "<f8", 3: "<i4", 4: "u1", 5: "<i2", 6: "i1", 9: "<i8", 10: "?", 19: "<f2"}
_VALUES = {1: 5, 2: 6, 9: 10, 10: 11}


@dataclass(frozen=True, eq=False)
class GraphNode:
    """A node of a GraphDef; `inputs` lack control inputs, `attributes` are still protobuf messages."""

    name: str
    kind: str
    inputs: tuple[str, ...]
    attributes: Mapping[str, Message]

    @property
    def sources(self) -> list[str]:
        """The nodes whose first output it reads, in order; another output keeps its number."""
        return [name.removesuffix(":0") for name in self.inputs]


def read_graph_def(path: Path) -> tuple[list[GraphNode], dict[str, Array]]:
    """The nodes of a frozen graph in its order, and the values of its constants; CheckpointError if it is damaged."""
    return graph_nodes(path, lambda parser, data: data)


def graph_nodes(path: Path, graph_in: Callable[[Parser, bytes], bytes]) -> tuple[list[GraphNode], dict[str, Array]]:
    """The nodes and constants of the GraphDef that `graph_in` extracts from the file's content."""
    where, parser = f"'{path}'", Parser()
    if path.stat().st_size > FILE_BYTES:
        raise CheckpointError(f"{where} is of over {FILE_BYTES >> 30} GiB: it is not a board-game network.")
    budget = Budget(bytes_on_disk(path), where)
    try:
        fields = parser.fields(graph_in(parser, path.read_bytes()))
        if messages(parser.fields(message(fields, 2)), 1):
            raise CheckpointError(
                f"{where} has a library of functions, which azx does not read: freeze it without one."
            )
        nodes, constants = [], {}
        for data in messages(fields, 1):
            node = _node(parser, data)
            nodes.append(node)
            if node.kind == "Const":
                constants[node.name] = _array(parser, node, budget)
        if not nodes or len(nodes) > NODES:
            raise ValueError(f"it has {len(nodes):,} nodes")
    except (IndexError, KeyError, TypeError, UnicodeDecodeError, ValueError) as error:
        raise CheckpointError(
            f"{where} is a TensorFlow graph that is damaged ({str(error)[:100]}): copy it again."
        ) from error
    return nodes, constants


def _node(parser: Parser, data: bytes) -> GraphNode:
    fields = parser.fields(data)
    attributes = {}
    for each in messages(fields, 5):
        pair = parser.fields(each)
        attributes[text(pair, 1)] = parser.fields(message(pair, 2))
    inputs = [each.decode() for each in messages(fields, 3)]
    return GraphNode(text(fields, 1), text(fields, 2), tuple(each for each in inputs if each[0] != "^"), attributes)


def _array(parser: Parser, node: GraphNode, budget: Budget) -> Array:
    fields = parser.fields(message(node.attributes["value"], 8))
    kind = number(fields, 1)
    shape = _shape(parser, message(fields, 2))
    if kind not in _DTYPES or shape is None or min(shape, default=1) < 0:
        return np.zeros(0)  # a text for an assertion
    dtype = np.dtype(_DTYPES[kind])
    budget.spend(prod(shape) * dtype.itemsize, node.name[:60])
    if raw := message(fields, 4):
        return np.frombuffer(raw, dtype).reshape(shape)
    field = _VALUES.get(kind, 7)
    if field in (5, 6):
        values = np.frombuffer(b"".join(messages(fields, field)), dtype)
    else:
        values = np.array([signed(one) for name, value in fields if name == field for one in unpacked(value)]).astype(
            dtype
        )
    # The last value repeats for all that follow.
    filled = (
        values if values.size in (0, prod(shape)) else np.append(values, [values[-1]] * (prod(shape) - values.size))
    )
    return (filled if filled.size else np.zeros(prod(shape))).astype(dtype).reshape(shape)


def _shape(parser: Parser, data: bytes) -> tuple[int, ...] | None:
    """The sizes of a TensorShapeProto, -1 for a free one; None if even the number of axes is free."""
    fields = parser.fields(data)
    if number(fields, 3):
        return None
    return tuple(signed(number(parser.fields(each), 1)) for each in messages(fields, 2))


def door_shape(node: GraphNode) -> tuple[int | None, ...]:
    """The shape of a placeholder, None for a free size; empty if it is unknown."""
    parser = Parser()
    sizes = _shape(parser, message(node.attributes.get("shape", []), 7))
    return tuple(None if size < 0 else size for size in sizes or ())
