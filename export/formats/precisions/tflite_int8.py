"""Writes a TFLite model in 8 bits with some layers in float, which the converter alone cannot do."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np

from ....errors import ConversionError
from .float_layers import Operation, in_float, layer_of
from .weights import StoredWeight, is_large, to_half

_WEIGHTS = 1  # the place of the weights among a product's inputs
_STORED = b"_stored"


def parse_model(content: bytes) -> Any:
    """The model as objects of the schema."""
    from ai_edge_litert import schema_py_generated as schema

    return schema.ModelT.InitFromPackedBuf(bytearray(content), 0)


def pack_model(model: Any, size: int) -> bytes:
    """The model as a file's bytes; `size` is an estimate of their number."""
    import flatbuffers

    builder = flatbuffers.Builder(size + 4096)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def names_in_float(content: bytes, layers: Collection[str]) -> list[str]:
    """The names of the first tensors that the operations of `layers` make."""
    return [operation.name for operation in in_float(_operations(parse_model(content)), layers)]


def with_float_weights(content: bytes, original: bytes, layers: Collection[str]) -> bytes:
    """A dynamic int8 model with the float32 weights of `original` in the layers `layers`.

    A product whose weights are float calculates in float. ConversionError if the two models differ in more than that.
    """
    model, source = parse_model(content), parse_model(original)
    theirs = {layer_of(name): operator for name, operator in _products(source)}
    graph, tensors = model.subgraphs[0], source.subgraphs[0].tensors
    for layer, operator in ((layer_of(name), operator) for name, operator in _products(model)):
        if layer not in layers:
            continue
        if layer not in theirs:
            raise ConversionError(f"TFLite: the layer '{layer}' is not found in the float32 model.")
        wanted = tensors[theirs[layer].inputs[_WEIGHTS]]
        at = int(operator.inputs[_WEIGHTS])
        if graph.tensors[at].type == wanted.type:
            continue
        if sum(at in other.inputs for other in graph.operators) > 1:
            raise ConversionError(f"TFLite: the weights of '{layer}' are another layer's too.")
        graph.tensors[at].type, graph.tensors[at].quantization = wanted.type, None
        model.buffers[graph.tensors[at].buffer].data = np.array(source.buffers[wanted.buffer].data, np.uint8)
    return pack_model(model, len(original))


def with_half_weights(content: bytes) -> bytes:
    """The model with the large float32 weights of its products stored in half precision, widened when it is loaded.

    They are used as float32, but take half the bytes.
    """
    from ai_edge_litert import schema_py_generated as schema

    model = parse_model(content)
    graph, readers = model.subgraphs[0], []
    for at in dict.fromkeys(int(operator.inputs[_WEIGHTS]) for _, operator in _products(model)):
        wide = graph.tensors[at]
        if wide.type != schema.TensorType.FLOAT32 or sum(each.buffer == wide.buffer for each in graph.tensors) > 1:
            continue
        values = np.array(model.buffers[wide.buffer].data, np.uint8).view(np.float32)
        if not is_large(values):
            continue
        stored = schema.TensorT()
        stored.name, stored.shape, stored.type = wide.name + _STORED, wide.shape, schema.TensorType.FLOAT16
        stored.buffer, wide.buffer = wide.buffer, 0
        model.buffers[stored.buffer].data = to_half(values).view(np.uint8)
        graph.tensors.append(stored)
        reader = schema.OperatorT()
        reader.inputs, reader.outputs = [len(graph.tensors) - 1], [at]
        reader.builtinOptionsType = schema.BuiltinOptions.DequantizeOptions
        reader.builtinOptions = schema.DequantizeOptionsT()
        readers.append(reader)
    if readers:
        code = _code(schema, model)
        for reader in readers:
            reader.opcodeIndex = code
        graph.operators = [*readers, *graph.operators]
    return pack_model(model, len(content))


def _code(schema: Any, model: Any) -> int:
    """The index of DEQUANTIZE among the model's operators, at the version that reads half precision."""
    kind, version = schema.BuiltinOperator.DEQUANTIZE, 3
    for place, code in enumerate(model.operatorCodes):
        if code.builtinCode == kind:
            code.version = max(code.version, version)
            return place
    added = schema.OperatorCodeT()
    added.builtinCode = added.deprecatedBuiltinCode = kind
    added.version = version
    model.operatorCodes.append(added)
    return len(model.operatorCodes) - 1


def stored_weights(model: Any) -> Iterator[StoredWeight]:
    """Each product's layer, the number of its weights, and whether they are in 8 bits."""
    from ai_edge_litert import schema_py_generated as schema

    tensors = model.subgraphs[0].tensors
    for name, operator in _products(model):
        weights = tensors[operator.inputs[_WEIGHTS]]
        yield StoredWeight(layer_of(name), int(np.prod(weights.shape)), weights.type == schema.TensorType.INT8)


def _operations(model: Any) -> list[Operation]:
    tensors = model.subgraphs[0].tensors
    products = {id(operator): layer_of(name) for name, operator in _products(model)}
    return [
        Operation(
            tensors[operator.outputs[0]].name.decode(),
            tuple(int(at) for at in operator.inputs),
            tuple(int(at) for at in operator.outputs),
            products.get(id(operator)),
        )
        for operator in model.subgraphs[0].operators
    ]


def _products(model: Any) -> Iterator[tuple[str, Any]]:
    """Convolutions and dense layers with weights of their own, by the name of their result."""
    from ai_edge_litert import schema_py_generated as schema

    kinds = schema.BuiltinOperator.CONV_2D, schema.BuiltinOperator.DEPTHWISE_CONV_2D
    graph = model.subgraphs[0]
    # A one-input operator reads weights in half precision, so its result from a constant counts as a constant.
    contents = [model.buffers[tensor.buffer].data for tensor in graph.tensors]
    constant = {at for at, content in enumerate(contents) if content is not None and len(content)}
    constant |= {int(o.outputs[0]) for o in graph.operators if len(o.inputs) == 1 and int(o.inputs[0]) in constant}
    for operator in graph.operators:
        code = model.operatorCodes[operator.opcodeIndex].builtinCode
        if code in (*kinds, schema.BuiltinOperator.FULLY_CONNECTED) and int(operator.inputs[_WEIGHTS]) in constant:
            yield graph.tensors[operator.outputs[0]].name.decode(), operator
