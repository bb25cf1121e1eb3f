"""Checks an ONNX model as protobuf: one graph of standard operations, with its weights in the file."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from math import prod
from pathlib import Path
from typing import Any

from ...errors import BundleError
from .allowed import allowed
from .limits import FREE_BYTES, INPUT_VALUES, NODES, PACKED, PORTS, TENSOR_VALUES, values_in
from .pb import as_sizes
from .refusal import odd_word, quoted, unsafe, unsafe_operation, why
from .schemas import parsed
from .sizes import GLUE, TOO_LARGE, Maker, Sizes

# The domains of operations: azx writes the first, others use its second name. tf2onnx lists `ai.onnx.ml` in every file,
# but uses no operation of it.
_STANDARD, _LISTED = ("", "ai.onnx"), ("", "ai.onnx", "ai.onnx.ml")
# The operator sets for which the list of operations was made.
VERSIONS = range(7, 27)
# The bytes of a value by ONNX' number for its type, for numbers only; text (8) is missing. 4 bits are half a byte.
_BYTES = {1: 4, 2: 1, 3: 1, 4: 2, 5: 2, 6: 4, 7: 8, 9: 1, 10: 2, 11: 8, 12: 4, 13: 8, 14: 8, 15: 16, 16: 2}
_BYTES |= dict.fromkeys((17, 18, 19, 20), 1)
_HALVES = (21, 22, 23)
_WORD = re.compile(r"[A-Za-z0-9_,.> -]*")
_FLOAT, _INT, _STRING, _TENSOR, _FLOATS, _INTS, _STRINGS = 1, 2, 3, 4, 6, 7, 8
# Members of a message that no board network needs, with a description of each.
_NO_MODEL = {"training_info": "instructions for training", "functions": "operations of its own"}
_NO_GRAPH = {"sparse_initializer": "sparse weights"}
# The inputs that give the size of an operation's result.
_SIZED_BY: Mapping[str, Sequence[int]] = {
    **dict.fromkeys(("ConstantOfShape",), (0,)),
    **dict.fromkeys(("Tile", "Expand", "Pad", "OneHot", "Upsample", "DFT"), (1,)),
    **dict.fromkeys(("Range",), (0, 1, 2)),
    **dict.fromkeys(("Resize",), (1, 2, 3)),
}
_FEW = 64


def look(path: Path) -> None:
    """Raise UnsafeArtifact unless the model only calculates; BundleError if the file is not a model. Nothing runs.

    No other file is read: a weight in another file is refused.
    """
    content = path.read_bytes()
    broken = BundleError(f"'{path.name}' is not an ONNX file that ONNX Runtime loads: export it again.")
    model = parsed("ModelProto", content, broken)
    _check_model(path, model)
    graph = model.graph
    weights = {item.name: item for item in graph.initializer}
    _check_ports(path, graph, weights)
    _check_weights(path, graph.initializer, FREE_BYTES + PACKED * len(content))
    _check_nodes(path, graph, weights)


def _check_model(path: Path, model: Any) -> None:
    for holder, members in ((model, _NO_MODEL), (model.graph, _NO_GRAPH)):
        odd = next((what for name, what in members.items() if len(getattr(holder, name))), None)
        if odd is not None:
            raise unsafe(path, f"it brings {odd}")
    versions: dict[str, int] = {}
    for entry in model.opset_import:
        if entry.domain not in _LISTED:
            raise unsafe(path, f"it asks for the operations {quoted(entry.domain)}, which are not ONNX' own")
        if versions.setdefault(entry.domain or "ai.onnx", entry.version) != entry.version:
            raise unsafe(path, "it names two versions of one operator set")
    version = versions.get("ai.onnx")
    if version is not None and version not in VERSIONS:
        raise unsafe(path, f"it asks for operator set {version}, and azx knows {VERSIONS[0]} to {VERSIONS[-1]}")
    if len(model.graph.node) > NODES:
        raise unsafe(path, f"it has {len(model.graph.node):,} nodes, more than {NODES:,}")


def _check_ports(path: Path, graph: Any, weights: Mapping[str, Any]) -> None:
    """Check that inputs and outputs are tensors of numbers, and that no input has a value of its own."""
    if len(graph.input) > PORTS or len(graph.output) > PORTS:
        raise unsafe(path, f"it has more than {PORTS} inputs or outputs")
    for port in (*graph.input, *graph.output):
        kind = port.type.WhichOneof("value")
        if kind is not None and (kind != "tensor_type" or port.type.tensor_type.elem_type not in {0, *_BYTES}):
            raise unsafe(path, f"{quoted(port.name)} is not a tensor of numbers")
    for port in graph.input:
        if port.name in weights:
            raise unsafe(path, f"its input {quoted(port.name)} has a value of its own")
        if values_in(dim.dim_value for dim in port.type.tensor_type.shape.dim) > INPUT_VALUES:
            raise unsafe(path, f"its input {quoted(port.name)} {TOO_LARGE}")


def _check_weights(path: Path, tensors: Sequence[Any], free: int) -> None:
    for tensor in tensors:
        if reason := _tensor_fault(tensor):
            raise unsafe(path, f"its weight {quoted(tensor.name)} {reason}")
        free -= prod(tensor.dims) * _BYTES.get(tensor.data_type, 1)
        if free < 0:
            raise unsafe(path, f"its weight {quoted(tensor.name)} {TOO_LARGE}")


def _tensor_fault(tensor: Any) -> str | None:
    """The reason why a constant is not allowed, as a clause; the file must have all the numbers that it declares."""
    if tensor.data_location or len(tensor.external_data):
        names = [entry.value for entry in tensor.external_data if entry.key == "location"]
        return f"lies in another file ({quoted(names[0]) if names else 'which it does not name'})"
    if tensor.data_type not in _BYTES and tensor.data_type not in _HALVES:
        return "does not have a type of numbers"
    if tensor.HasField("segment") or len(tensor.string_data) or any(size < 0 for size in tensor.dims):
        return "is not whole"
    stored = len(tensor.raw_data)
    if stored and tensor.data_type in _BYTES and stored != prod(tensor.dims) * _BYTES[tensor.data_type]:
        return f"has {stored:,} bytes, which do not fill its shape"
    return None


def _check_nodes(path: Path, graph: Any, weights: Mapping[str, Any]) -> None:
    names = allowed("onnx")
    makers = {name: Maker(node.op_type, list(node.input)) for node in graph.node for name in node.output}
    made = {node.output[0]: node for node in graph.node if node.op_type == "Constant" and len(node.output)}
    sizes = Sizes(makers, _constants(weights, made), GLUE)
    for node in graph.node:
        reason = _node_fault(node, names) or sizes.fault(
            node.input[at] for at in _SIZED_BY.get(node.op_type, ()) if at < len(node.input)
        )
        if reason:
            raise unsafe_operation(path, node.op_type, node.name or ", ".join(node.output), reason)


def _node_fault(node: Any, names: frozenset[str]) -> str | None:
    """The reason why a node is not allowed, as a clause."""
    if node.domain not in _STANDARD:
        return f"is of the domain {quoted(node.domain)}, which is not ONNX' own"
    if node.op_type not in names:
        return why(node.op_type)
    if getattr(node, "overload", ""):
        return "names an operation of the file's own"
    if node.op_type == "BatchNormalization" and (
        len(node.output) > 1 or any(each.name == "training_mode" and each.i for each in node.attribute)
    ):
        return "takes its mean from the boards that are asked together"
    return next(filter(None, map(_attribute_fault, node.attribute)), None)


def _attribute_fault(attribute: Any) -> str | None:
    clause = f"has the attribute {quoted(attribute.name)}"
    if attribute.ref_attr_name:
        return f"{clause} of a function"
    if attribute.type == _TENSOR:
        reason = _tensor_fault(attribute.t) or _small_fault(attribute.t)
        return f"{clause}, which {reason}" if reason else None
    if attribute.type in (_STRING, _STRINGS):
        return _word_fault(clause, attribute)
    if attribute.type in (_INT, _INTS):
        if attribute.name == "to" and attribute.i not in {*_BYTES, *_HALVES}:
            return f"{clause}, which is not a type of numbers"
        # A sum over many numbers, or a slice to the end, may use any count; a margin or a scale may not.
        large = attribute.name in _SIZING and values_in([attribute.i, *attribute.ints]) > TENSOR_VALUES
        return f"{clause} that {TOO_LARGE}" if large else None
    if attribute.type == _FLOATS and attribute.name == "scales":
        return f"{clause} that {TOO_LARGE}" if values_in(as_sizes(list(attribute.floats))) > TENSOR_VALUES else None
    return None if attribute.type in (_FLOAT, _FLOATS) else f"{clause}, which is a graph or of no known kind"


_SIZING = frozenset({"pads", "output_padding", "output_shape", "kernel_shape", "blocksize", "value_ints", "repeats"})


def _small_fault(tensor: Any) -> str | None:
    """The fault of a constant in an attribute that lacks its numbers; nothing else limits their count."""
    return TOO_LARGE if prod(tensor.dims) > TENSOR_VALUES and not tensor.raw_data else None


def _word_fault(clause: str, attribute: Any) -> str | None:
    words = [word.decode("utf-8", "replace") for word in (attribute.s, *attribute.strings)]
    if attribute.name in ("value_string", "value_strings"):
        return f"{clause}, which is text"
    odd = odd_word(words, _WORD)
    return None if odd is None else f"{clause} with the text {quoted(odd)}"


def _constants(weights: Mapping[str, Any], made: Mapping[str, Any]) -> Callable[[str], Sequence[int] | None]:
    """A function that gives the numbers of a small constant by its name."""

    def constant(name: str) -> Sequence[int] | None:
        if name in weights:
            return _numbers(weights[name])
        return _numbers_of(made[name]) if name in made else None

    return constant


def _numbers_of(node: Any) -> Sequence[int] | None:
    """The numbers of a Constant."""
    for attribute in node.attribute:
        if attribute.name == "value":
            return _numbers(attribute.t)
        if attribute.name.startswith("value_"):
            return as_sizes([*attribute.ints, *attribute.floats, attribute.i, attribute.f])
    return None


def _numbers(tensor: Any) -> Sequence[int] | None:
    """The whole numbers in a small constant; None if it cannot give sizes."""
    import numpy as np

    kinds = {1: ("<f4", tensor.float_data), 6: ("<i4", tensor.int32_data), 7: ("<i8", tensor.int64_data)}
    if tensor.data_type not in kinds or values_in(tensor.dims) > _FEW:
        return None
    kind, listed = kinds[tensor.data_type]
    return as_sizes(np.frombuffer(tensor.raw_data, kind).tolist() if tensor.raw_data else list(listed))
