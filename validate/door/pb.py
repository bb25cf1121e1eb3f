"""Checks a frozen TensorFlow graph as protobuf: only constants, inputs and pure operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil
from pathlib import Path
from typing import Any

from ...errors import BundleError
from ...export.graph.names import METADATA_NODE
from .limits import FREE_BYTES, PACKED, values_in
from .refusal import quoted, unsafe, unsafe_operation
from .schemas import parsed
from .sizes import TOO_LARGE
from .tf_nodes import Attribute, Node, check_nodes

# The bytes of a value by TensorFlow's number for its type; types not listed have one byte.
_BYTES = {1: 4, 2: 8, 3: 4, 4: 1, 5: 2, 6: 1, 8: 8, 9: 8, 10: 1, 14: 2, 17: 2, 18: 16, 19: 2, 22: 4, 23: 8}
# The most numbers in a constant that may give a size: a shape, or the margins of each axis.
_FEW = 64


def look(path: Path) -> None:
    """Raise UnsafeArtifact unless the graph only calculates; BundleError if the file is not a graph. Nothing runs."""
    look_into(path, path.read_bytes())


def look_into(path: Path, content: bytes) -> None:
    """Check a graph given as bytes from `path`, as `look` does."""
    broken = BundleError(f"'{path.name}' is not a frozen TensorFlow graph: export it again.")
    graph = parsed("GraphDef", content, broken)
    functions = [*(function.signature.name for function in graph.library.function), *graph.library.gradient]
    if functions:
        raise unsafe(path, f"it brings a function of its own ({quoted(functions[0])})")
    nodes = [_node(node, enum_names(graph)) for node in graph.node]
    check_nodes(path, nodes, "pb", _constants(graph), text=METADATA_NODE)
    _check_sizes(path, graph, len(content))


def enum_names(graph: Any) -> dict[int, str]:
    """The name of each type, without its DT_, by its number."""
    kinds = graph.DESCRIPTOR.file.pool.FindEnumTypeByName("tensorflow.DataType").values
    return {kind.number: kind.name.removeprefix("DT_") for kind in kinds}


def _node(node: Any, types: dict[int, str]) -> Node:
    attributes = {key: _attribute(value, types) for key, value in node.attr.items()}
    return Node(node.name, node.op, list(node.input), node.device, attributes)


def _attribute(value: Any, types: dict[int, str]) -> Attribute:
    kind = value.WhichOneof("value") or ""
    if kind != "list":
        return Attribute(kind, _plain(kind, [getattr(value, kind)] if kind else [], types))
    filled = [(field.name, each) for field, each in value.list.ListFields()]
    if len(filled) > 1:
        return Attribute("mixed list")
    return Attribute(filled[0][0], _plain(*filled[0], types)) if filled else Attribute("empty list")


def _plain(kind: str, values: Sequence[Any], types: dict[int, str]) -> list[Any]:
    """The values in the form of `Attribute`."""
    read: dict[str, Callable[[Any], Any]] = {
        "s": lambda word: word.decode("utf-8", "replace"),
        "type": lambda number: types.get(number, str(number)),
        "shape": lambda shape: [dim.size for dim in shape.dim],
    }
    return [read.get(kind, lambda each: each)(each) for each in values]


def _constants(graph: Any) -> Callable[[str], Sequence[int] | None]:
    """A function that gives the numbers of a small constant by its node's name."""
    nodes = {node.name: node for node in graph.node if node.op == "Const"}

    def constant(name: str) -> Sequence[int] | None:
        return _numbers(nodes[name].attr["value"].tensor) if name in nodes else None

    return constant


def _numbers(tensor: Any) -> Sequence[int] | None:
    """The whole numbers in a small constant; None if it cannot give sizes."""
    import numpy as np

    kinds = {1: ("<f4", tensor.float_val), 3: ("<i4", tensor.int_val), 9: ("<i8", tensor.int64_val)}
    if tensor.dtype not in kinds or values_in(dim.size for dim in tensor.tensor_shape.dim) > _FEW:
        return None
    kind, listed = kinds[tensor.dtype]
    stored = tensor.tensor_content
    values = np.frombuffer(stored, kind) if stored and len(stored) % np.dtype(kind).itemsize == 0 else np.array(listed)
    return as_sizes(values.tolist())


def as_sizes(values: Sequence[float]) -> list[int]:
    """Numbers as the factors by which they may multiply a size; a fraction may divide one."""
    large = [max(abs(value), 1 / abs(value) if value else 1) for value in values]
    return [ceil(value) if value < 1 << 62 else 1 << 62 for value in large]


def _check_sizes(path: Path, graph: Any, size: int) -> None:
    """Raise UnsafeArtifact for constants that claim much more than the file holds."""
    free = FREE_BYTES + PACKED * size
    for node in graph.node:
        tensor = node.attr["value"].tensor if node.op == "Const" else None
        if tensor is None:
            continue
        free -= values_in(dim.size for dim in tensor.tensor_shape.dim) * _BYTES.get(tensor.dtype, 1)
        if free < 0:
            raise unsafe_operation(path, node.op, node.name, TOO_LARGE)
