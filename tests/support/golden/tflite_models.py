"""Golden files of TFLite models that an app must not run, and of one that it may: each differs from that in one thing.

The models are those of the schema's own classes, packed by flatbuffers: no converter would write them.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import flatbuffers
from ai_edge_litert import schema_py_generated as schema

Model = Any


def tflite_models() -> dict[str, Any]:
    """The models as base64, with what is wrong with each and the text that an app shows."""
    cases = [("one graph of ADD and TANH", None, _sound), *_HOSTILE]
    return {"cases": [_case(about, key, edit) for about, key, edit in cases]}


def _case(about: str, key: str | None, edit: Callable[[Model], object]) -> dict[str, Any]:
    model = _model()
    edit(model)
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    return {"about": about, "key": key, "model": base64.b64encode(bytes(builder.Output())).decode("ascii")}


def _model() -> Model:
    """tanh(board + board) of nine numbers, with a signature."""
    operators = schema.BuiltinOperator
    model = schema.ModelT()
    model.version, model.description = 3, "azx"
    model.operatorCodes = [_code(operators.ADD), _code(operators.TANH)]
    model.buffers = [schema.BufferT()]
    graph = schema.SubGraphT()
    graph.name, graph.inputs, graph.outputs = "main", [0], [2]
    graph.tensors = [_tensor(name) for name in ("board", "sum", "value")]
    graph.operators = [_operator(0, [0, 0], [1]), _operator(1, [1], [2])]
    graph.operators[0].builtinOptionsType = schema.BuiltinOptions.AddOptions
    graph.operators[0].builtinOptions = schema.AddOptionsT()
    model.subgraphs = [graph]
    signature = schema.SignatureDefT()
    signature.signatureKey, signature.subgraphIndex = "serving_default", 0
    signature.inputs, signature.outputs = [_named("board", 0)], [_named("value", 2)]
    model.signatureDefs = [signature]
    return model


def _code(number: int) -> Any:
    code = schema.OperatorCodeT()
    code.builtinCode, code.deprecatedBuiltinCode, code.version = number, min(number, 127), 1
    return code


def _tensor(name: str, *shape: int) -> Any:
    tensor = schema.TensorT()
    tensor.name, tensor.shape, tensor.type, tensor.buffer = name, list(shape or (1, 9)), schema.TensorType.FLOAT32, 0
    return tensor


def _operator(code: int, inputs: list[int], outputs: list[int]) -> Any:
    operator = schema.OperatorT()
    operator.opcodeIndex, operator.inputs, operator.outputs = code, inputs, outputs
    return operator


def _named(name: str, index: int) -> Any:
    place = schema.TensorMapT()
    place.name, place.tensorIndex = name, index
    return place


def _sound(model: Model) -> None:
    """Leave it as it is."""


def _two_graphs(model: Model) -> None:
    model.subgraphs.append(deepcopy(model.subgraphs[0]))


def _hidden_graph(model: Model) -> None:
    _two_graphs(model)
    model.signatureDefs[0].subgraphIndex = 1


def _runs(number: int) -> Callable[[Model], None]:
    """The second operation is another one."""

    def edit(model: Model) -> None:
        model.operatorCodes[1] = _code(number)

    return edit


def _custom(model: Model) -> None:
    model.operatorCodes[1] = _code(schema.BuiltinOperator.CUSTOM)
    model.operatorCodes[1].customCode = "FlexWriteFile"


def _custom_beside(model: Model) -> None:
    """The number says TANH, and the name something else."""
    model.operatorCodes[1].customCode = "FlexWriteFile"


def _custom_options(model: Model) -> None:
    model.subgraphs[0].operators[1].customOptions = [1, 2, 3]


def _variable(model: Model) -> None:
    model.subgraphs[0].tensors[1].isVariable = True


def _mutating(model: Model) -> None:
    model.subgraphs[0].operators[0].mutatingVariableInputs = [True, False]


def _intermediate(model: Model) -> None:
    model.subgraphs[0].operators[0].intermediates = [1]


def _text(model: Model) -> None:
    model.subgraphs[0].tensors[1].type = schema.TensorType.STRING


def _other_output(model: Model) -> None:
    model.signatureDefs[0].outputs[0].tensorIndex = 1


def _other_input(model: Model) -> None:
    model.signatureDefs[0].inputs[0].tensorIndex = 1


def _two_signatures(model: Model) -> None:
    other = deepcopy(model.signatureDefs[0])
    other.signatureKey = "other"
    model.signatureDefs.append(other)


def _behind(model: Model) -> None:
    buffer = schema.BufferT()
    buffer.offset, buffer.size = 4096, 36
    model.buffers.append(buffer)


def _huge(model: Model) -> None:
    model.subgraphs[0].tensors[1].shape = [65536, 65536]


def _no_tensor(model: Model) -> None:
    model.subgraphs[0].operators[1].inputs = [7]


def _read_first(model: Model) -> None:
    """The first operation reads what the second one has written when the model was run before."""
    model.subgraphs[0].operators[0].inputs = [0, 2]


def _written_twice(model: Model) -> None:
    model.subgraphs[0].operators[1].outputs = [1]
    model.subgraphs[0].outputs = [1]
    model.signatureDefs[0].outputs[0].tensorIndex = 1


def _input_written(model: Model) -> None:
    model.subgraphs[0].operators[0].outputs = [0]


def _never_written(model: Model) -> None:
    model.subgraphs[0].operators.pop()


_OPERATION, _GRAPHS, _TENSOR = "error_unsafe_operation", "error_unsafe_graphs", "error_unsafe_tensor"
_SIGNATURE = "error_unsafe_signature"
_HOSTILE: list[tuple[str, str | None, Callable[[Model], object]]] = [
    ("a second graph", _GRAPHS, _two_graphs),
    ("a signature that names a second graph", _GRAPHS, _hidden_graph),
    ("CALL_ONCE", _OPERATION, _runs(schema.BuiltinOperator.CALL_ONCE)),
    ("WHILE", _OPERATION, _runs(schema.BuiltinOperator.WHILE)),
    ("RANDOM_UNIFORM", _OPERATION, _runs(schema.BuiltinOperator.RANDOM_UNIFORM)),
    ("READ_VARIABLE", _OPERATION, _runs(schema.BuiltinOperator.READ_VARIABLE)),
    ("UNIDIRECTIONAL_SEQUENCE_LSTM", _OPERATION, _runs(schema.BuiltinOperator.UNIDIRECTIONAL_SEQUENCE_LSTM)),
    ("an operation of no known number", _OPERATION, _runs(9999)),
    ("a custom operation", _OPERATION, _custom),
    ("a known number with the name of a custom operation", _OPERATION, _custom_beside),
    ("an operation with options of its own kind", _OPERATION, _custom_options),
    ("a tensor that keeps a state", _TENSOR, _variable),
    ("an operation that changes its input", _TENSOR, _mutating),
    ("an operation with a tensor of its own", _TENSOR, _intermediate),
    ("a tensor of texts", _TENSOR, _text),
    ("a tensor that is read before it is written", _TENSOR, _read_first),
    ("a tensor that is written twice", _TENSOR, _written_twice),
    ("an operation that writes the input", _TENSOR, _input_written),
    ("an output that nothing writes", _TENSOR, _never_written),
    ("a signature with another output", _SIGNATURE, _other_output),
    ("a signature with another input", _SIGNATURE, _other_input),
    ("two signatures", _SIGNATURE, _two_signatures),
    ("weights behind the model", "error_unsafe_outside", _behind),
    ("a tensor of 16 GiB", "error_unsafe_size", _huge),
    ("an operation that reads a tensor that is not there", "error_load", _no_tensor),
]
