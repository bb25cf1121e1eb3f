"""TFLite models made hostile, one change each: their names, and how each is made of a sound model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

EVIL = "evil"
Change = Callable[[Any], None]

OPERATIONS = {
    "lots": "RANDOM_UNIFORM RANDOM_STANDARD_NORMAL MULTINOMIAL STABLEHLO_RNG_BIT_GENERATOR",
    "code": "CUSTOM DELEGATE CALL CALL_ONCE STABLEHLO_CUSTOM_CALL STABLEHLO_COMPOSITE",
    "state": "VAR_HANDLE READ_VARIABLE ASSIGN_VARIABLE HASHTABLE HASHTABLE_FIND HASHTABLE_IMPORT HASHTABLE_SIZE SVDF "
    "RNN LSTM UNIDIRECTIONAL_SEQUENCE_LSTM BIDIRECTIONAL_SEQUENCE_LSTM UNIDIRECTIONAL_SEQUENCE_RNN",
    "choice": "IF WHILE STABLEHLO_WHILE STABLEHLO_CASE",
    "other": "SKIP_GRAM LSH_PROJECTION NON_MAX_SUPPRESSION_V4 UNIQUE PLACEHOLDER_FOR_GREATER_OP_CODES",
}


def edit(source: Path, target: Path, change: Change) -> None:
    from azx.export.formats.precisions.tflite_int8 import pack_model, parse_model

    content = source.read_bytes()
    model = parse_model(content)
    change(model)
    target.write_bytes(pack_model(model, len(content)))


def _schema() -> Any:
    from ai_edge_litert import schema_py_generated

    return schema_py_generated


def add(operation: str) -> Change:
    """The first operator is another one."""

    def change(model: Any) -> None:
        number = getattr(_schema().BuiltinOperator, operation)
        code = _schema().OperatorCodeT()
        code.builtinCode, code.deprecatedBuiltinCode, code.version = number, min(number, 127), 1
        model.operatorCodes.append(code)
        model.subgraphs[0].operators[0].opcodeIndex = len(model.operatorCodes) - 1

    return change


def _custom(model: Any) -> None:
    model.operatorCodes[0].customCode = b"evil"


def _second_subgraph(model: Any) -> None:
    model.subgraphs.append(model.subgraphs[0])


def _signature_of_the_second(model: Any) -> None:
    model.subgraphs.append(model.subgraphs[0])
    model.signatureDefs[0].subgraphIndex = 1


def _signature_of_none(model: Any) -> None:
    model.signatureDefs[0].subgraphIndex = 3


def _two_signatures(model: Any) -> None:
    model.signatureDefs.append(model.signatureDefs[0])


def _signature_of_another(side: str) -> Change:
    def change(model: Any) -> None:
        ports = getattr(model.signatureDefs[0], side)
        other = model.subgraphs[0].operators[0].outputs[0]
        ports[0].tensorIndex = int(other)

    return change


def _signature_without(model: Any) -> None:
    del model.signatureDefs[0].outputs[0]


def _buffer_behind(model: Any) -> None:
    model.buffers[1].offset, model.buffers[1].size = 1 << 20, 1 << 20


def _tensor(**members: Any) -> Change:
    def change(model: Any) -> None:
        tensor = model.subgraphs[0].tensors[int(model.subgraphs[0].operators[0].outputs[0])]
        for name, value in members.items():
            setattr(tensor, name, value)

    return change


def _mutated(model: Any) -> None:
    model.subgraphs[0].operators[0].mutatingVariableInputs = [True]


def _between(model: Any) -> None:
    model.subgraphs[0].operators[0].intermediates = [0]


def _options(model: Any) -> None:
    model.subgraphs[0].operators[0].customOptions = [1, 2, 3]


def stored_in(model: Any, tensor: Any) -> int:
    """The bytes of a tensor's buffer."""
    data = model.buffers[tensor.buffer].data
    return 0 if data is None else len(data)


def _short_buffer(model: Any) -> None:
    weights = next(tensor for tensor in model.subgraphs[0].tensors if stored_in(model, tensor) > 64)
    model.buffers[weights.buffer].data = model.buffers[weights.buffer].data[:-4]


def _written_weights(model: Any) -> None:
    graph = model.subgraphs[0]
    at = next(at for at, tensor in enumerate(graph.tensors) if stored_in(model, tensor) > 64)
    graph.operators[0].outputs = [at]


def _fill(operation: str, values: Any, place: int) -> Change:
    def change(model: Any) -> None:
        import numpy as np

        add(operation)(model)
        graph = model.subgraphs[0]
        tensor, buffer = _schema().TensorT(), _schema().BufferT()
        buffer.data = np.asarray(values, np.int32).reshape(-1).view(np.uint8)
        tensor.name, tensor.shape, tensor.type = b"large", [len(values)], _schema().TensorType.INT32
        tensor.buffer = len(model.buffers)
        model.buffers.append(buffer)
        graph.tensors.append(tensor)
        large = len(graph.tensors) - 1
        graph.operators[0].inputs = [int(graph.inputs[0])] * place + [large]

    return change


def _size_of_the_board(model: Any) -> None:
    add("FILL")(model)
    model.subgraphs[0].operators[0].inputs = [int(model.subgraphs[0].inputs[0])] * 2


CHANGES: dict[str, Change] = {
    "a custom code": _custom,
    "a second subgraph": _second_subgraph,
    "a signature of the second subgraph": _signature_of_the_second,
    "a signature of no subgraph": _signature_of_none,
    "two signatures": _two_signatures,
    "a signature of another input": _signature_of_another("inputs"),
    "a signature of another output": _signature_of_another("outputs"),
    "a signature without an output": _signature_without,
    "a buffer behind the model": _buffer_behind,
    "a variable": _tensor(isVariable=True),
    "a tensor of text": _tensor(type=5),
    "a resource": _tensor(type=13),
    "a variant": _tensor(type=14),
    "a type to come": _tensor(type=99),
    "a huge tensor": _tensor(shape=[1 << 20, 1 << 20]),
    "a tensor of a negative size": _tensor(shape=[-5, 4]),
    "an input that changes": _mutated,
    "a tensor between": _between,
    "options of its own": _options,
    "weights that are too short": _short_buffer,
    "weights that are written": _written_weights,
    "a fill": _fill("FILL", [1 << 15, 1 << 15], 0),
    "a tile": _fill("TILE", [1 << 30], 1),
    "a broadcast": _fill("BROADCAST_TO", [1 << 15, 1 << 15], 1),
    "a margin": _fill("PAD", [0, 1 << 30], 1),
    "a larger board": _fill("RESIZE_BILINEAR", [1 << 15, 1 << 15], 1),
    "a wide code": _fill("ONE_HOT", [1 << 30], 1),
    "a range": _fill("RANGE", [1 << 30], 1),
    "a transposed convolution": _fill("TRANSPOSE_CONV", [1, 1 << 15, 1 << 15, 1], 0),
    "a size of the board": _size_of_the_board,
}
