"""Reads a frozen TensorFlow graph (.pb): its protobuf and its constants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..door.schemas import message
from .graph_def import input_names
from .normal import NoRuleError
from .program import Constant, FileNode, Program

_KINDS = {1: ("DT_FLOAT", "<f4", "float_val"), 3: ("DT_INT32", "<i4", "int_val"), 9: ("DT_INT64", "<i8", "int64_val")}
_STRING, _BOOL = 7, 10
# The constant with azx's metadata, which is text.
_METADATA = "azx_metadata"


def read(path: Path, names: Sequence[str]) -> Program:
    """The program of a .pb; its outputs are the nodes `names`, because a graph does not state them."""
    graph = message("GraphDef").FromString(path.read_bytes())
    inputs, constants, nodes = {}, {}, []
    if len(graph.library.function) or len({node.name for node in graph.node}) != len(graph.node):
        raise NoRuleError("graph", "", "functions of its own, or two nodes of one name")
    for node in graph.node:
        if node.op == "Placeholder":
            if node.attr["dtype"].type != 1:
                raise NoRuleError("Placeholder", node.name, "it is not float32")
            inputs[node.name] = tuple(dim.size for dim in node.attr["shape"].shape.dim)
        elif node.op == "Const" and not (node.name == _METADATA and node.attr["dtype"].type == _STRING):
            constants[node.name] = _numbers(node)
        elif node.op != "Const":
            attributes = {name: _attribute(value) for name, value in node.attr.items()}
            nodes.append(FileNode(node.op, node.name, input_names(node.input), (node.name,), attributes))
    # In the order of the file; a missing output is reported where outputs are read.
    ends = [node.name for node in graph.node if node.name in names]
    outputs = dict.fromkeys([*ends, *names])
    return Program(inputs, constants, _without_aliases(nodes, names), {name: name for name in outputs})


def _without_aliases(nodes: Sequence[FileNode], names: Sequence[str]) -> list[FileNode]:
    """The nodes without aliases, which give an output a second name for apps (value_head/Tanh)."""
    copies = {node.name: node.inputs[0] for node in nodes if node.operation == "Identity" and len(node.inputs) == 1}
    read = {name for node in nodes for name in node.inputs}
    ends = {_origin(name, copies) for name in names}
    return [
        node
        for node in nodes
        if node.name not in copies or node.name in read or node.name in names or _origin(node.name, copies) not in ends
    ]


def _origin(name: str, copies: Mapping[str, str]) -> str:
    """The tensor at the start of a chain of copies."""
    for _ in range(len(copies)):
        name = copies.get(name, name)
    return name


def _numbers(node: Any) -> Constant:
    tensor = node.attr["value"].tensor
    if tensor.dtype not in _KINDS or node.attr["dtype"].type != tensor.dtype or len(node.input):
        raise NoRuleError("Const", node.name, f"numbers of type {tensor.dtype} have no rule")
    _, kind, listed = _KINDS[tensor.dtype]
    shape, values = tuple(dim.size for dim in tensor.tensor_shape.dim), list(getattr(tensor, listed))
    if tensor.tensor_content and values:
        raise NoRuleError("Const", node.name, "it holds its numbers twice")
    if tensor.tensor_content:
        return np.frombuffer(tensor.tensor_content, kind).reshape(shape)
    count = int(np.prod(shape))
    # An empty list means zeros, and the last number repeats for all that are omitted.
    values = values or [0]
    if len(values) > count:
        raise NoRuleError("Const", node.name, f"it holds {len(values)} numbers of {count}")
    return np.array([*values, *[values[-1]] * (count - len(values))], kind).reshape(shape)


def _attribute(value: Any) -> Any:
    kind = value.WhichOneof("value")
    if kind is None:
        return None
    if kind == "s":
        return value.s.decode("utf-8", "replace")
    if kind == "type":
        return (
            _KINDS[value.type][0]
            if value.type in _KINDS
            else "DT_BOOL"
            if value.type == _BOOL
            else f"type {value.type}"
        )
    if kind == "list":
        lists = [list(part) for _, part in value.list.ListFields()]
        return [item.decode("utf-8", "replace") if isinstance(item, bytes) else item for part in lists for item in part]
    return getattr(value, kind) if kind in ("i", "f", "b") else str(value)
