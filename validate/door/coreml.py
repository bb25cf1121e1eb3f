"""Checks a Core ML package by its index, its model's protobuf and its weights' headers: one ML program."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from struct import Struct
from typing import Any

from ...errors import BundleError
from .allowed import allowed
from .limits import FREE_BYTES, INPUT_VALUES, NODES, PACKED, PORTS, RANK, TENSOR_VALUES, values_in
from .package import BLOB, WEIGHTS, Package, open_package
from .pb import as_sizes
from .refusal import odd_word, quoted, unsafe, unsafe_operation, why
from .schemas import parsed
from .sizes import BY_THE_BOARD, TOO_LARGE

FUNCTION = "main"
_FILE = f"@model_path/{WEIGHTS}/{BLOB}"
# A weight's header in the file of weights: its mark, its type, its number of bytes, and where they begin.
_HEADER, _MARK = Struct("<IIQQ"), 0xDEADBEEF
# The bits of a value by the name of its type, for types of numbers, not for text.
_BITS = {"FLOAT16": 16, "FLOAT32": 32, "FLOAT64": 64, "BFLOAT16": 16, "BOOL": 8, "INT8": 8, "INT16": 16, "INT32": 32}
_BITS |= {"INT64": 64, "UINT8": 8, "UINT16": 16, "UINT32": 32, "UINT64": 64, "INT4": 4, "UINT1": 1, "UINT2": 2}
_BITS |= {"UINT3": 3, "UINT4": 4, "UINT6": 6, "FLOAT8E4M3FN": 8, "FLOAT8E5M2": 8}
# The allowed form of a word in a program ("valid", "fp32", an equation), except operations' names.
_WORD = re.compile(r"[A-Za-z0-9_,.>; -]*")
_NAMES = frozenset({"name"})
# A program's attributes about itself: the versions that wrote it.
_TOLD = frozenset({"buildInfo"})
# The inputs that give the size of an operation's result.
_SIZED_BY = {
    "fill": ("shape",),
    "tile": ("reps",),
    "pad": ("pad",),
    "one_hot": ("one_hot_vector_size",),
    "range_1d": ("start", "end", "step"),
    "upsample_nearest_neighbor": ("scale_factor_height", "scale_factor_width"),
    "upsample_bilinear": ("scale_factor_height", "scale_factor_width"),
    "resize_nearest_neighbor": ("target_size_height", "target_size_width"),
    "resize_bilinear": ("target_size_height", "target_size_width"),
    "resize": ("shape",),
    "crop_resize": ("target_height", "target_width"),
    "conv_transpose": ("output_shape",),
    "space_to_batch": ("paddings",),
}
_BY_THE_BOARD_TOO = frozenset({"fill", "tile", "resize", "conv_transpose"})


def look(path: Path) -> None:
    """Raise UnsafeArtifact unless the package only calculates; BundleError if it is not a Core ML package.

    Nothing runs.
    """
    package = open_package(path)
    content = package.model.read_bytes()
    reason = f"{package.model.name} is not a model"
    model = parsed("Model", content, BundleError(f"{path} is no readable Core ML package ({reason}): export it again"))
    if model.WhichOneof("Type") != "mlProgram":
        raise BundleError(f"{path}: it holds no ML program, export it again")
    program = model.mlProgram
    if list(program.functions) != [FUNCTION] or len(model.description.functions):
        named = ", ".join(list(program.functions) or [each.name for each in model.description.functions])
        raise unsafe(path, f"it has the functions {quoted(named)}, and '{FUNCTION}' is the only one that runs")
    if model.isUpdatable or len(model.description.state):
        raise unsafe(path, "it keeps a state")
    function = program.functions[FUNCTION]
    if list(function.block_specializations) != [function.opset]:
        raise unsafe(path, f"its function '{FUNCTION}' has other forms than the one that is asked")
    if odd := sorted((set(program.attributes) - _TOLD) | set(function.attributes)):
        raise unsafe(path, f"its program has the attribute {quoted(odd[0])}")
    _Program(package, function.block_specializations[function.opset], len(content)).check(function.inputs)


class _Program:
    """The block of the one function, with the operation that makes each value."""

    def __init__(self, package: Package, block: Any, size: int) -> None:
        self.path, self.package, self.block = package.folder, package, block
        self.blob = package.weights / BLOB
        self.stored = self.blob.stat().st_size if self.blob.is_file() else 0
        self.free = FREE_BYTES + PACKED * (size + self.stored)
        self.makers = {output.name: each for each in block.operations for output in each.outputs}
        self.types = _enum_names(block)

    def check(self, inputs: Sequence[Any]) -> None:
        """Raise UnsafeArtifact for the first broken rule."""
        if len(inputs) > PORTS or len(self.block.outputs) > PORTS:
            raise unsafe(self.path, f"it has more than {PORTS} inputs or outputs")
        if len(self.block.operations) > NODES:
            raise unsafe(self.path, f"it has {len(self.block.operations):,} operations, more than {NODES:,}")
        for port in inputs:
            if reason := self._type_fault(port.type, INPUT_VALUES):
                raise unsafe(self.path, f"its input {quoted(port.name)} {reason}")
        names = allowed("coreml")
        for operation in self.block.operations:
            if reason := self._fault(operation, names):
                name = ", ".join(output.name for output in operation.outputs)
                raise unsafe_operation(self.path, operation.type, name, reason)

    def _fault(self, operation: Any, names: frozenset[str]) -> str | None:
        """The reason why an operation is not allowed, as a clause."""
        if operation.type not in names:
            return why(operation.type)
        if len(operation.blocks):
            return "brings blocks of its own, which choose what runs"
        is_constant = operation.type == "const" or operation.type.startswith("constexpr_")
        for output in operation.outputs:
            text_too = operation.type == "const"
            if reason := self._type_fault(output.type, None if is_constant else TENSOR_VALUES, text_too=text_too):
                return reason
        given = [
            *operation.attributes.items(),
            *((key, one.value) for key, each in operation.inputs.items() for one in each.arguments if _is_value(one)),
        ]
        faults = (self._value_fault(key, value) for key, value in given)
        return next(filter(None, faults), None) or self._size_fault(operation)

    def _type_fault(self, kind: Any, most: int | None, *, text_too: bool = False) -> str | None:
        """The reason why a value's type is not allowed, as a clause.

        `most` is the largest number of values that it may have; None for the number that its file has.
        """
        which = kind.WhichOneof("type")
        if which != "tensorType":
            return "makes a value that is not a tensor"
        tensor = kind.tensorType
        name = self.types.get(tensor.dataType, str(tensor.dataType))
        if name not in _BITS and not (text_too and name == "STRING"):
            return f"makes {quoted(name)}, which is not a number"
        sizes = _sizes_of(tensor)
        if len(sizes) > RANK or (most is not None and values_in(sizes) > most):
            return TOO_LARGE
        return None

    def _value_fault(self, key: str, value: Any) -> str | None:
        """The reason why a constant is not allowed.

        Its numbers must lie in the program or in the one file of weights.
        """
        tensor = value.type.tensorType
        count, name = values_in(_sizes_of(tensor)), self.types.get(tensor.dataType, "")
        if value.WhichOneof("value") == "blobFileValue":
            return self._blob_fault(value.blobFileValue, count * _BITS.get(name, 8))
        if value.WhichOneof("value") != "immediateValue" or value.type.WhichOneof("type") != "tensorType":
            return f"has as its {key} a value that is not a tensor"
        self.free -= count * _BITS.get(name, 8) // 8
        if self.free < 0:
            return TOO_LARGE
        words = value.immediateValue.tensor.strings.values if key not in _NAMES else ()
        odd = odd_word(words, _WORD)
        return None if odd is None else f"has the text {quoted(odd)} as its {key}"

    def _blob_fault(self, value: Any, bits: int) -> str | None:
        """The reason why a weight's place is wrong: it must be in weight.bin, complete, with the bytes of its shape."""
        if value.fileName != _FILE:
            return f"reads the file {quoted(value.fileName)}"
        if value.offset + _HEADER.size > self.stored:
            return f"reads behind the end of {BLOB}"
        with self.blob.open("rb") as file:
            file.seek(value.offset)
            mark, _, size, begin = _HEADER.unpack(file.read(_HEADER.size))
        if mark != _MARK or begin + size > self.stored or size != -(-bits // 8):
            return f"reads a weight that {BLOB} does not hold"
        return None

    def _size_fault(self, operation: Any) -> str | None:
        """The reason why an operation's result may get too large, as a clause."""
        total = 1
        for key in _SIZED_BY.get(operation.type, ()):
            for argument in operation.inputs[key].arguments if key in operation.inputs else ():
                values = self._numbers(argument)
                if values is None and operation.type not in _BY_THE_BOARD_TOO:
                    return BY_THE_BOARD
                total *= values_in(values or [])
        return TOO_LARGE if total > TENSOR_VALUES else None

    def _numbers(self, argument: Any) -> Sequence[int] | None:
        """The whole numbers of an argument that is a small constant; None for any other argument."""
        value = argument.value if _is_value(argument) else None
        if value is None:
            maker = self.makers.get(argument.name)
            if maker is None or maker.type != "const":
                return None
            value = maker.attributes["val"]
        tensor = value.immediateValue.tensor
        which = tensor.WhichOneof("value")
        if value.WhichOneof("value") != "immediateValue" or which not in ("ints", "longInts", "floats", "doubles"):
            return None
        return as_sizes(list(getattr(tensor, which).values))


def _is_value(argument: Any) -> bool:
    return bool(argument.WhichOneof("binding") == "value")


def _sizes_of(tensor: Any) -> list[int]:
    """The sizes of a tensor's axes; a free size counts as one."""
    return [each.constant.size if each.WhichOneof("dimension") == "constant" else 1 for each in tensor.dimensions]


def _enum_names(block: Any) -> Mapping[int, str]:
    values = block.DESCRIPTOR.file.pool.FindEnumTypeByName("CoreML.Specification.MILSpec.DataType").values
    return {value.number: value.name for value in values}
