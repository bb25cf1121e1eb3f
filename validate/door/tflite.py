"""Checks a TFLite model by its schema's tables: one subgraph of built-in operators, and its signature.

The tables are read in place, without building a model; an offset that leads out of the file is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from math import prod
from pathlib import Path
from struct import error as StructError  # noqa: N812 - its own name says nothing
from typing import Any

from ...errors import BundleError
from .allowed import allowed
from .limits import INPUT_VALUES, NODES, PORTS, RANK, TENSOR_VALUES, values_in
from .pb import as_sizes
from .refusal import quoted, unsafe, unsafe_operation, why
from .sizes import GLUE_OF_TFLITE, TOO_LARGE, Maker, Sizes

# The bits of a value by the name of its type; text, resources and variants are not numbers.
_BITS = {"FLOAT32": 32, "FLOAT16": 16, "INT32": 32, "UINT8": 8, "INT64": 64, "BOOL": 8, "INT16": 16, "COMPLEX64": 64}
_BITS |= {"INT8": 8, "FLOAT64": 64, "COMPLEX128": 128, "UINT64": 64, "UINT32": 32, "UINT16": 16, "INT4": 4}
_BITS |= {"BFLOAT16": 16, "INT2": 2, "UINT4": 4, "FLOAT8_E4M3FN": 8, "FLOAT8_E5M2": 8}
_SIZED_BY: Mapping[str, Sequence[int]] = {
    **dict.fromkeys(("FILL", "TRANSPOSE_CONV", "CONV_3D_TRANSPOSE"), (0,)),
    **dict.fromkeys(("TILE", "BROADCAST_TO", "PAD", "PADV2", "MIRROR_PAD", "ONE_HOT", "SPARSE_TO_DENSE"), (1,)),
    **dict.fromkeys(("RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR", "RFFT2D", "DILATE"), (1,)),
    **dict.fromkeys(("SCATTER_ND", "SPACE_TO_BATCH_ND"), (2,)),
    **dict.fromkeys(("UNSORTED_SEGMENT_MAX", "UNSORTED_SEGMENT_MIN"), (2,)),
    **dict.fromkeys(("UNSORTED_SEGMENT_PROD", "UNSORTED_SEGMENT_SUM"), (2,)),
    **dict.fromkeys(("RANGE",), (0, 1, 2)),
}
_FEW = 64
# Errors of a wrong table: an offset out of the file, an impossible length, a name that is not text.
_BROKEN = (StructError, IndexError, ValueError, TypeError, OverflowError, MemoryError, AttributeError)


def look(path: Path) -> None:
    """Raise UnsafeArtifact unless the model only calculates; BundleError if the file is not a model. Nothing runs."""
    from ai_edge_litert import schema_py_generated as schema

    content = path.read_bytes()
    broken = BundleError(f"'{path.name}' is not a TFLite file that LiteRT loads: export it again.")
    if content[4:8] != b"TFL3":
        raise broken
    try:
        model = schema.Model.GetRootAs(content, 0)
        if not model.SubgraphsLength():
            raise broken
        _check_model(path, model)
        graph = model.Subgraphs(0)
        tensors = [_Tensor(model, graph.Tensors(at)) for at in range(graph.TensorsLength())]
        _check_signature(path, model, graph, tensors)
        _check_tensors(path, graph, tensors)
        _check_operators(path, model, graph, tensors)
        _check_order(path, graph, tensors)
    except _BROKEN as error:
        raise broken from error


class _Tensor:
    """A tensor of the table: its name, the name of its type, its shape, and the bytes of its buffer."""

    def __init__(self, model: Any, table: Any) -> None:
        self.table, self.name = table, (table.Name() or b"").decode("utf-8", "replace")
        self.kind = _names("TensorType").get(table.Type(), str(table.Type()))
        self.shape = [table.Shape(at) for at in range(table.ShapeLength())]
        buffer = model.Buffers(table.Buffer())
        self.buffer, self.stored = buffer, buffer.DataLength()

    def numbers(self) -> Sequence[int] | None:
        """The whole numbers in a small constant; None if it cannot give sizes."""
        import numpy as np

        kinds = {"INT32": "<i4", "INT64": "<i8", "FLOAT32": "<f4"}
        if not self.stored or self.kind not in kinds or values_in(self.shape) > _FEW:
            return None
        return as_sizes(np.frombuffer(self.buffer.DataAsNumpy().tobytes(), kinds[self.kind]).tolist())


@cache
def _names(enum: str) -> dict[int, str]:
    """The names of one of the schema's enums, by number."""
    from ai_edge_litert import schema_py_generated as schema

    return {number: name for name, number in vars(getattr(schema, enum)).items() if isinstance(number, int)}


def _check_model(path: Path, model: Any) -> None:
    if model.SubgraphsLength() != 1:
        raise unsafe(path, f"it has {model.SubgraphsLength()} subgraphs, and one is asked")
    if model.ExternalBuffersLength() or model.ExternalBufferGroupsLength():
        raise unsafe(path, "its weights lie in another file")
    for at in range(model.BuffersLength()):
        buffer = model.Buffers(at)
        if buffer.Offset() > 1 or buffer.Size() > 1:
            raise unsafe(path, f"its buffer {at} lies behind the model")
    for at in range(model.OperatorCodesLength()):
        code = model.OperatorCodes(at)
        if code.CustomCode() is not None:
            raise unsafe_operation(path, "CUSTOM", code.CustomCode().decode("utf-8", "replace"), why("CUSTOM"))


def _check_signature(path: Path, model: Any, graph: Any, tensors: Sequence[_Tensor]) -> None:
    """Check that there is at most one signature, with the subgraph's inputs and outputs.

    The runner reports a missing one.
    """
    if model.SignatureDefsLength() > 1:
        raise unsafe(path, f"it has {model.SignatureDefsLength()} signatures, and one is asked")
    if graph.InputsLength() > PORTS or graph.OutputsLength() > PORTS:
        raise unsafe(path, f"it has more than {PORTS} inputs or outputs")
    ports = [*map(int, graph.InputsAsNumpy()), *map(int, graph.OutputsAsNumpy())]
    names = [tensor.name for tensor in tensors]
    if twice := next((names[at] for at in ports if names.count(names[at]) > 1), None):
        raise unsafe(path, f"two of its tensors are called {quoted(twice)}, and one is asked")
    if not model.SignatureDefsLength():
        return
    signature = model.SignatureDefs(0)
    key = quoted((signature.SignatureKey() or b"").decode("utf-8", "replace"))
    if signature.SubgraphIndex():
        raise unsafe(path, f"its signature {key} names subgraph {signature.SubgraphIndex()}, which it does not have")
    sides = (
        ("inputs", [signature.Inputs(at) for at in range(signature.InputsLength())], graph.InputsAsNumpy()),
        ("outputs", [signature.Outputs(at) for at in range(signature.OutputsLength())], graph.OutputsAsNumpy()),
    )
    for side, maps, wanted in sides:
        if sorted(each.TensorIndex() for each in maps) != sorted(map(int, wanted if len(maps) else [])):
            named = ", ".join(tensors[each.TensorIndex()].name for each in maps)
            raise unsafe(path, f"the {side} of its signature {key} ({quoted(named)}) are not those of its subgraph")


def _check_tensors(path: Path, graph: Any, tensors: Sequence[_Tensor]) -> None:
    inputs = {int(graph.Inputs(at)) for at in range(graph.InputsLength())}
    made = {int(op.Outputs(at)) for op in _operators(graph) for at in range(op.OutputsLength())}
    for at, tensor in enumerate(tensors):
        if reason := _tensor_fault(tensor, INPUT_VALUES if at in inputs else TENSOR_VALUES, at in made | inputs):
            raise unsafe(path, f"its tensor {quoted(tensor.name)} {reason}")


def _tensor_fault(tensor: _Tensor, most: int, is_made: bool) -> str | None:
    table = tensor.table
    if table.IsVariable():
        return "keeps a state"
    if tensor.kind not in _BITS or table.VariantTensorsLength():
        return f"holds {quoted(tensor.kind)}, which is not a number"
    if table.ExternalBuffer():
        return "lies in another file"
    if len(tensor.shape) > RANK or any(size < -1 for size in tensor.shape):
        return "has no shape"
    if not tensor.stored:
        return TOO_LARGE if values_in(tensor.shape) > most else None
    if is_made:
        return "is a constant, and an operation writes it"
    if table.Sparsity() is None and tensor.stored != -(-prod(tensor.shape) * _BITS[tensor.kind] // 8):
        return f"has {tensor.stored:,} bytes, which do not fill its shape"
    return TOO_LARGE if table.Sparsity() is not None and values_in(tensor.shape) > TENSOR_VALUES else None


def _operators(graph: Any) -> Iterator[Any]:
    for at in range(graph.OperatorsLength()):
        yield graph.Operators(at)


def _check_operators(path: Path, model: Any, graph: Any, tensors: Sequence[_Tensor]) -> None:
    if graph.OperatorsLength() > NODES:
        raise unsafe(path, f"it has {graph.OperatorsLength():,} operators, more than {NODES:,}")
    codes = [_operation(model.OperatorCodes(at)) for at in range(model.OperatorCodesLength())]
    listed = [(codes[each.OpcodeIndex()], each) for each in _operators(graph)]
    makers = {
        str(index): Maker(operation, [str(at) for at in each.InputsAsNumpy()] if each.InputsLength() else [])
        for operation, each in listed
        for index in (each.OutputsAsNumpy() if each.OutputsLength() else [])
    }
    sizes = Sizes(makers, _constants(tensors), GLUE_OF_TFLITE)
    names = allowed("tflite")
    for operation, each in listed:
        node = ", ".join(tensors[each.Outputs(at)].name for at in range(each.OutputsLength()))
        given = [str(each.Inputs(at)) for at in _SIZED_BY.get(operation, ()) if at < each.InputsLength()]
        if reason := _operator_fault(operation, each, names) or sizes.fault(given):
            raise unsafe_operation(path, operation, node, reason)
    if unused := next((code for code in codes if code not in names), None):
        raise unsafe(path, f"it lists the operation {quoted(unused)}, which {why(unused)}")


def _check_order(path: Path, graph: Any, tensors: Sequence[_Tensor]) -> None:
    """Check that each tensor is written once, and read only after that: LiteRT keeps the last board's values in it."""
    there = {int(graph.Inputs(at)) for at in range(graph.InputsLength())}
    there |= {at for at, tensor in enumerate(tensors) if tensor.stored}
    for operator in _operators(graph):
        for at in range(operator.InputsLength()):
            read = operator.Inputs(at)
            # An omitted input is -1; a tensor without numbers has nothing to keep.
            if read >= 0 and read not in there and prod(tensors[read].shape):
                raise unsafe(path, f"its tensor {quoted(tensors[read].name)} is read before it is written")
        for at in range(operator.OutputsLength()):
            written = operator.Outputs(at)
            if written in there:
                raise unsafe(path, f"its tensor {quoted(tensors[written].name)} is written twice")
            there.add(written)


def _operation(code: Any) -> str:
    """An operator's name; LiteRT uses the larger of two numbers, because the older one has only 7 bits."""
    number = max(code.BuiltinCode(), code.DeprecatedBuiltinCode())
    return _names("BuiltinOperator").get(number, str(number))


def _operator_fault(operation: str, table: Any, names: frozenset[str]) -> str | None:
    """The reason why an operator is not allowed, as a clause."""
    if operation not in names:
        return why(operation)
    if table.CustomOptionsLength() or table.LargeCustomOptionsSize():
        return "brings options of its own kind"
    if table.IntermediatesLength() or any(
        table.MutatingVariableInputs(at) for at in range(table.MutatingVariableInputsLength())
    ):
        return "keeps a state"
    return None


def _constants(tensors: Sequence[_Tensor]) -> Callable[[str], Sequence[int] | None]:
    """A function that gives the numbers of a small constant by its tensor's index."""

    def constant(at: str) -> Sequence[int] | None:
        place = int(at)
        return tensors[place].numbers() if 0 <= place < len(tensors) else [1]

    return constant
