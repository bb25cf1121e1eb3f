"""Checks TensorFlow's nodes, in a frozen .pb and in a TF.js model: both are a GraphDef, the second in JSON."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .allowed import allowed
from .limits import INPUT_VALUES, NODES, PORTS, RANK, TENSOR_VALUES, values_in
from .refusal import odd_word, quoted, unsafe, unsafe_operation, why
from .sizes import GLUE, TOO_LARGE, Maker, Sizes

# The types of numbers, DT_FLOAT written as FLOAT. Text, resources, variants and references are not among them.
_TYPES = "FLOAT DOUBLE HALF BFLOAT16 INT8 INT16 INT32 INT64 UINT8 UINT16 UINT32 UINT64 BOOL COMPLEX64 COMPLEX128"
NUMBERS = frozenset(_TYPES.split())
# The allowed form of a word in an attribute: a padding, a layout, an equation, the steps of a fusion; never a path.
_WORD = re.compile(r"[A-Za-z0-9_,.> -]*")
# Attributes about a node's origin, its shapes, or its gradient. They change nothing. Some others that begin with an
# underscore do: `_class` and `_kernel` decide what calculates the node.
_NOTES = re.compile(
    r"_output_shapes|_input_shapes|_user_specified_name|_gradient_op_type|_has_manual_control_dependencies|_grappler_\w+"
)
# The inputs that give the size of an operation's result.
_SIZED_BY: Mapping[str, Sequence[int]] = {
    **dict.fromkeys(("Fill",), (0,)),
    **dict.fromkeys(("Tile", "BroadcastTo", "Pad", "PadV2", "MirrorPad", "OneHot", "SparseToDense"), (1,)),
    **dict.fromkeys(("ResizeBilinear", "ResizeNearestNeighbor", "ResizeBicubic", "ResizeArea"), (1,)),
    **dict.fromkeys(("ScaleAndTranslate", "DenseBincount", "Bincount"), (1,)),
    **dict.fromkeys(("RFFT", "RFFT2D", "RFFT3D", "IRFFT", "IRFFT2D", "IRFFT3D"), (1,)),
    **dict.fromkeys(("ScatterNd", "SpaceToBatchND", "LinSpace", "ImageProjectiveTransformV2"), (2,)),
    **dict.fromkeys(("UnsortedSegmentMax", "UnsortedSegmentMin", "UnsortedSegmentProd", "UnsortedSegmentSum"), (2,)),
    **dict.fromkeys(("Conv2DBackpropInput", "Conv3DBackpropInputV2", "DepthwiseConv2dNativeBackpropInput"), (0,)),
    **dict.fromkeys(("MatrixDiagV2", "MatrixDiagV3"), (2, 3)),
    **dict.fromkeys(("CropAndResize",), (3,)),
    **dict.fromkeys(("ImageProjectiveTransformV3",), (2,)),
    **dict.fromkeys(("Range",), (0, 1, 2)),
    **dict.fromkeys(("SpaceToBatch",), (1,)),
}
_NORMS = ("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3")
# TensorFlow's optimizer writes its own device on nodes that it joins, as in files of TensorFlow.js' converter.
_HERE = ("", "/device:CPU:0")


@dataclass(frozen=True)
class Attribute:
    """An attribute: `kind` is GraphDef's name for it (s, i, f, b, type, shape, tensor, func, placeholder, or nothing).

    `values` are its values, one unless it is a list: words, numbers, types without their DT_, shapes as tuples of
    sizes.
    """

    kind: str
    values: Sequence[Any] = ()


@dataclass(frozen=True)
class Node:
    """One node of a graph."""

    name: str
    operation: str
    inputs: Sequence[str]
    device: str = ""
    attributes: Mapping[str, Attribute] = field(default_factory=dict)


def check_nodes(
    path: Path,
    nodes: Sequence[Node],
    format_name: str,
    constant: Callable[[str], Sequence[int] | None],
    text: str | None = None,
) -> None:
    """Check the nodes of one graph against the list of their format; UnsafeArtifact for the first that breaks it.

    `constant` gives the whole numbers of a small constant by its node's name, None for any other node. `text` is the
    node that may hold text, if nothing reads it: the metadata of a .pb.
    """
    if len(nodes) > NODES:
        raise unsafe(path, f"it has {len(nodes):,} nodes, more than {NODES:,}")
    if sum(node.operation == "Placeholder" for node in nodes) > PORTS:
        raise unsafe(path, f"it has more than {PORTS} inputs")
    names = allowed(format_name)
    counted = Counter(node.name for node in nodes)
    if twice := next((name for name, count in counted.items() if count > 1), None):
        raise unsafe(path, f"two of its nodes are called {quoted(twice)}")
    makers = {node.name: Maker(node.operation, list(map(_source, node.inputs))) for node in nodes}
    sizes = Sizes(makers, constant, GLUE)
    read = {name for maker in makers.values() for name in maker.inputs}
    # Operations come first, because what would run matters more than how.
    odd = next((node for node in nodes if node.operation not in names), None)
    if odd is not None:
        raise unsafe_operation(path, odd.operation, odd.name, why(odd.operation))
    for node in nodes:
        if reason := _fault(node, may_hold_text=node.name == text and text not in read):
            raise unsafe_operation(path, node.operation, node.name, reason)
        given = [makers[node.name].inputs[at] for at in _SIZED_BY.get(node.operation, ()) if at < len(node.inputs)]
        if reason := sizes.fault(given):
            raise unsafe_operation(path, node.operation, node.name, reason)


def _source(name: str) -> str:
    return name.lstrip("^").split(":")[0]


def _fault(node: Node, *, may_hold_text: bool) -> str | None:
    """The reason why a node with a listed operation is not allowed, as a clause."""
    waits = next((name for name in node.inputs if name.startswith("^")), None)
    # Grappler leaves such an edge at a constant that it folded, as a note about its origin.
    if waits is not None and node.operation != "Const":
        return f"waits for {quoted(waits[1:])} (a control edge)"
    if node.device not in _HERE:
        return f"asks for the device {quoted(node.device)}"
    if may_hold_text and node.operation == "Const":
        return None
    if node.operation in _NORMS and list(_values(node, "is_training")) != [False]:
        return "takes its mean from the boards that are asked together"
    if node.operation == "Placeholder" and any(values_in(shape) > INPUT_VALUES for shape in _values(node, "shape")):
        return TOO_LARGE
    return next(filter(None, (_attribute_fault(key, each) for key, each in node.attributes.items())), None)


def _values(node: Node, key: str) -> Iterator[Any]:
    yield from node.attributes.get(key, Attribute("")).values


def _attribute_fault(key: str, attribute: Attribute) -> str | None:
    clause = f"has the attribute {quoted(key)}"
    if key.startswith("_"):
        is_note = _NOTES.fullmatch(key) and attribute.kind != "func"
        return None if is_note else f"{clause}, which tells the runtime more than what to calculate"
    return _KINDS.get(attribute.kind, _unknown)(clause, attribute.values)


def _unknown(clause: str, values: Sequence[Any]) -> str | None:
    return f"{clause}, whose value has an unknown kind"


def _number(clause: str, values: Sequence[Any]) -> str | None:
    return f"{clause} that {TOO_LARGE}" if values_in(values) > TENSOR_VALUES else None


def _word(clause: str, values: Sequence[Any]) -> str | None:
    odd = odd_word(values, _WORD)
    return None if odd is None else f"{clause} with the text {quoted(odd)}"


def _type(clause: str, values: Sequence[Any]) -> str | None:
    odd = next((kind for kind in values if kind not in NUMBERS), None)
    return None if odd is None else f"{clause} of type {quoted(odd)}, which is not a number"


def _shape(clause: str, values: Sequence[Any]) -> str | None:
    large = any(len(shape) > RANK or values_in(shape) > TENSOR_VALUES for shape in values)
    return f"{clause} that {TOO_LARGE}" if large else None


def _function(clause: str, values: Sequence[Any]) -> str | None:
    return f"{clause}, which calls a function"


def _nothing(clause: str, values: Sequence[Any]) -> str | None:
    return None


_KINDS: Mapping[str, Callable[[str, Sequence[Any]], str | None]] = {
    "s": _word,
    "i": _number,
    "f": _nothing,
    "b": _nothing,
    "type": _type,
    "shape": _shape,
    "tensor": _nothing,
    "func": _function,
    "placeholder": _function,
    # A writer that only asked whether an attribute exists leaves an empty one behind.
    "": _nothing,
    "empty list": _nothing,
}
