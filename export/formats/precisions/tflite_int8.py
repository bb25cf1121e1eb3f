"""A TFLite model in 8 bits with some of its layers in float, which the converter alone does not offer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ....errors import ConversionError
from .float_layers import Operation, in_float, layer_of

_WEIGHTS = 1  # the input of a product that its weights are


def parsed(content: bytes) -> Any:
    """The model as objects of the schema."""
    from ai_edge_litert import schema_py_generated as schema

    return schema.ModelT.InitFromPackedBuf(bytearray(content), 0)


def float_layers(model: Any) -> list[str] | None:
    """The layers whose weights are float32 beside others in 8 bits, in their order; None where no weights are in 8."""
    from ai_edge_litert import schema_py_generated as schema

    tensors = model.subgraphs[0].tensors
    weights = [(name, tensors[operator.inputs[_WEIGHTS]].type) for name, operator in _products(model)]
    if schema.TensorType.INT8 not in [kind for _, kind in weights]:
        return None
    return [layer_of(name) for name, kind in weights if kind == schema.TensorType.FLOAT32]


def names_in_float(content: bytes, step: int) -> list[str]:
    """What the operations that stay in float at `step` make, by the names of their first tensors."""
    model = parsed(content)
    graph = model.subgraphs[0]
    return [operation.name for operation in in_float(_operations(model), [int(end) for end in graph.outputs], step)]


def with_float_weights(content: bytes, original: bytes, step: int) -> bytes:
    """A dynamic int8 model with the float32 weights of `original` in the layers that stay in float at `step`.

    Such a product computes in float as soon as its weights are float. ConversionError where the two differ in more.
    """
    model, source = parsed(content), parsed(original)
    kept = set(names_in_float(content, step))
    theirs = dict(_products(source))
    graph, tensors = model.subgraphs[0], source.subgraphs[0].tensors
    for name, operator in _products(model):
        if name not in kept:
            continue
        if name not in theirs:
            raise ConversionError(f"TFLite: the layer '{layer_of(name)}' is not found in the float32 model.")
        wanted = tensors[theirs[name].inputs[_WEIGHTS]]
        at = int(operator.inputs[_WEIGHTS])
        if graph.tensors[at].type == wanted.type:
            continue
        if sum(at in other.inputs for other in graph.operators) > 1:
            raise ConversionError(f"TFLite: the weights of '{layer_of(name)}' are another layer's too.")
        graph.tensors[at].type, graph.tensors[at].quantization = wanted.type, None
        model.buffers[graph.tensors[at].buffer].data = np.array(source.buffers[wanted.buffer].data, np.uint8)
    return packed(model, len(original))


def packed(model: Any, size: int) -> bytes:
    """The model as a file; `size` is about how long it gets."""
    import flatbuffers

    builder = flatbuffers.Builder(size + 4096)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def _operations(model: Any) -> list[Operation]:
    tensors = model.subgraphs[0].tensors
    products = {id(operator) for _, operator in _products(model)}
    return [
        Operation(
            tensors[operator.outputs[0]].name.decode(),
            tuple(int(at) for at in operator.inputs),
            tuple(int(at) for at in operator.outputs),
            id(operator) in products,
        )
        for operator in model.subgraphs[0].operators
    ]


def _products(model: Any) -> Iterator[tuple[str, Any]]:
    """Convolutions and dense layers with constant weights, by the name of what they make."""
    from ai_edge_litert import schema_py_generated as schema

    kinds = schema.BuiltinOperator.CONV_2D, schema.BuiltinOperator.DEPTHWISE_CONV_2D
    graph = model.subgraphs[0]
    for operator in graph.operators:
        code = model.operatorCodes[operator.opcodeIndex].builtinCode
        if code in (*kinds, schema.BuiltinOperator.FULLY_CONNECTED):
            weights = model.buffers[graph.tensors[operator.inputs[_WEIGHTS]].buffer].data
            if weights is not None and len(weights):
                yield graph.tensors[operator.outputs[0]].name.decode(), operator
