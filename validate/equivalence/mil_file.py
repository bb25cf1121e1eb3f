"""Reads a Core ML package: the operations of its ML program, and the weights in weight.bin."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from pathlib import Path
from struct import Struct
from typing import Any

import numpy as np

from ..door.package import BLOB, open_package
from ..door.schemas import message
from .lower import CodedConstant, dequantized, widened
from .normal import MisfitError, NoRuleError
from .program import Constant, FileNode, LeftOverError, Program

_FUNCTION = "main"
# MIL's type numbers, for immediate values and for weights in weight.bin.
_LISTS: dict[int, tuple[str, Any]] = {
    1: ("bools", "?"),
    2: ("strings", str),
    11: ("floats", "<f4"),
    23: ("ints", "<i4"),
}
_HALF, _FLOAT, _INT8 = 10, 11, 21
_STORED: dict[int, tuple[int, np.dtype[Any]]] = {
    _FLOAT: (2, np.dtype("<f4")),
    _HALF: (1, np.dtype("<f2")),
    _INT8: (4, np.dtype("<i1")),
}
_DEQUANTIZE = "constexpr_affine_dequantize"
_PARTS = ("quantized_data", "scale", "zero_point", "axis")
# The number of float32 in the description of an input or output.
_FLOAT_ARRAY = 65568
# A weight's header: its mark, its type, its number of bytes, and where they begin. The file's header has their count.
_HEADER, _MARK, _COUNT, _ALIGNED = Struct("<IIQQ"), 0xDEADBEEF, Struct("<I"), 64


def read(path: Path, _: Sequence[str]) -> Program:
    """The program of a package; each parameter of an operation is an attribute with the places of its inputs."""
    package = open_package(path)
    model = message("Model").FromString(package.model.read_bytes())
    function = model.mlProgram.functions[_FUNCTION]
    block = function.block_specializations[function.opset]
    blob = package.weights / BLOB
    weights = _Blob(blob.read_bytes() if blob.is_file() else b"")
    constants: dict[str, Constant | CodedConstant] = {}
    nodes = []
    for operation in block.operations:
        if operation.type == "const":
            constants[operation.outputs[0].name] = _value(operation.attributes["val"], weights, operation)
        elif operation.type == _DEQUANTIZE:
            constants[operation.outputs[0].name] = _dequantized(operation, weights)
        else:
            nodes.append(_node(operation, weights, constants))
    weights.refuse_leftovers()
    inputs = {port.name: _shape(port) for port in function.inputs}
    _check_ports(model, set(inputs), set(block.outputs))
    return Program(inputs, constants, nodes, {name: name for name in block.outputs})


def _check_ports(model: Any, inputs: set[str], outputs: set[str]) -> None:
    """Check that the app's inputs and outputs are those of the program: no image, no other precision."""
    for ports, names in ((model.description.input, inputs), (model.description.output, outputs)):
        for port in ports:
            if port.type.WhichOneof("Type") != "multiArrayType" or port.type.multiArrayType.dataType != _FLOAT_ARRAY:
                raise NoRuleError("port", port.name, "it is not an array of float32")
        if {port.name for port in ports} != names:
            raise MisfitError("description", "names other inputs or outputs than the program")


def _shape(port: Any) -> tuple[int, ...]:
    tensor = port.type.tensorType
    if tensor.dataType != _FLOAT:
        raise NoRuleError("input", port.name, "it is not float32")
    return tuple(dim.constant.size if dim.WhichOneof("dimension") == "constant" else -1 for dim in tensor.dimensions)


def _node(operation: Any, weights: _Blob, constants: dict[str, Constant | CodedConstant]) -> FileNode:
    name = operation.outputs[0].name
    if len(operation.blocks):
        raise NoRuleError(operation.type, name, "blocks of its own have no rule")
    inputs: list[str] = []
    attributes: dict[str, list[int]] = {}
    for parameter in sorted(operation.inputs):
        for argument in operation.inputs[parameter].arguments:
            attributes.setdefault(parameter, []).append(len(inputs))
            inputs.append(argument.name or f"{name}.{parameter}")
            if not argument.name:
                constants[inputs[-1]] = _value(argument.value, weights, operation)
    return FileNode(operation.type, name, tuple(inputs), tuple(each.name for each in operation.outputs), attributes)


def _dequantized(operation: Any, weights: _Blob) -> CodedConstant:
    """A weight in 8 bits: codes minus a zero, times the scale of their place on an axis."""
    name = operation.outputs[0].name
    held = {key: _value(value, weights, operation) for key, value in operation.attributes.items() if key != "name"}
    if (
        held.keys() != set(_PARTS)
        or len(operation.inputs)
        or any(isinstance(part, CodedConstant) for part in held.values())
    ):
        raise NoRuleError(operation.type, name, "what it holds is not known")
    codes, scale, zero, axis = (np.asarray(held[part]) for part in _PARTS)
    along = [1] * codes.ndim
    along[int(axis.reshape(()))] = -1
    scale = scale.reshape(along) if scale.ndim else scale
    if zero.any():
        raise NoRuleError(operation.type, name, "a zero other than 0 has no rule")
    return dequantized(codes, scale, 0, name)


def _value(value: Any, weights: _Blob, operation: Any) -> Constant | CodedConstant:
    name, tensor = operation.outputs[0].name, value.type.tensorType
    shape = tuple(dim.constant.size for dim in tensor.dimensions)
    if value.WhichOneof("value") == "blobFileValue":
        if tensor.dataType not in _STORED:
            raise NoRuleError("const", name, f"weights of type {tensor.dataType} have no rule")
        numbers = weights.numbers(value.blobFileValue.offset, shape, name, tensor.dataType)
        return widened(numbers) if tensor.dataType == _HALF else numbers
    if tensor.dataType == _HALF:
        return widened(np.frombuffer(value.immediateValue.tensor.bytes.values, "<f2").reshape(shape))
    if tensor.dataType == _INT8:
        return np.frombuffer(value.immediateValue.tensor.bytes.values, "<i1").reshape(shape)
    if tensor.dataType not in _LISTS:
        raise NoRuleError("const", name, f"values of type {tensor.dataType} have no rule")
    listed, kind = _LISTS[tensor.dataType]
    values = list(getattr(value.immediateValue.tensor, listed).values)
    return np.array(values, kind).reshape(shape)


class _Blob:
    """weight.bin, and the bytes of it that were read."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.read: dict[int, tuple[int, int]] = {}

    def numbers(self, offset: int, shape: tuple[int, ...], name: str, data_type: int) -> Constant:
        """The weight of a type whose header is at `offset`."""
        mark, kind, size, begin = _HEADER.unpack_from(self.content, offset)
        number, stored = _STORED[data_type]
        count = prod(shape)
        if mark != _MARK or kind != number or size != count * stored.itemsize or begin + size > len(self.content):
            raise NoRuleError("const", name, f"{BLOB} does not hold this weight as {stored}")
        self.read[offset] = (begin, begin + size)
        numbers: Constant = np.frombuffer(self.content, stored, count, begin)
        return numbers.reshape(shape)

    def refuse_leftovers(self) -> None:
        """Raise LeftOverError for bytes between or after the weights that were read, except zeros for alignment."""
        if not self.content:
            return
        (count,) = _COUNT.unpack_from(self.content)
        if count != len(self.read):
            raise LeftOverError(f"{count} weights in {BLOB} and reads {len(self.read)}")
        at = _ALIGNED
        headers = [(offset, offset + _ALIGNED) for offset in self.read]
        for begin, end in sorted([*headers, *self.read.values(), (len(self.content), len(self.content))]):
            gap = self.content[at:begin]
            if begin < at or len(gap) >= _ALIGNED or any(gap):
                raise LeftOverError(f"bytes from {at:,} on in {BLOB}")
            at = end
