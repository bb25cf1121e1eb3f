"""The weights of an ONNX graph in fewer bits; runtimes fold the nodes that read them when they load the file."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from ....errors import ConversionError
from .precision import FP16
from .weights import StoredWeight, is_large, layer_of_constant, quantize, to_half

_STORED = "_stored"


def with_smaller_weights(graph: Any, precision: str, in_float: Collection[str] = ()) -> None:
    """Store the large float32 constants of a GraphProto in fp16 or in 8 bits with a scale for each output channel.

    In 8 bits the layers `in_float` are stored in fp16. ConversionError if it has no large constant.
    """
    from onnx import TensorProto, helper, numpy_helper

    readers = []
    for constant in list(graph.initializer):
        name, values = constant.name, numpy_helper.to_array(constant)
        if constant.data_type != TensorProto.FLOAT or not is_large(values):
            continue
        stored = f"{name}{_STORED}"
        if precision == FP16 or layer_of_constant(name) in in_float:
            constant.CopyFrom(numpy_helper.from_array(to_half(values), stored))
            readers.append(helper.make_node("Cast", [stored], [name], name=f"{name}_read", to=TensorProto.FLOAT))
            continue
        # Convolutions have their output channels first, dense layers (rows times weights) last.
        quantised = quantize(values, 0 if values.ndim > 2 else values.ndim - 1)
        constant.CopyFrom(numpy_helper.from_array(quantised.codes, stored))
        graph.initializer.append(numpy_helper.from_array(quantised.along_axis, f"{name}_scale"))
        # Not DequantizeLinear: ONNX Runtime leaves it for its own fusions, and would decode the weights in every run.
        codes = f"{name}_codes"
        readers.append(helper.make_node("Cast", [stored], [codes], name=codes, to=TensorProto.FLOAT))
        readers.append(helper.make_node("Mul", [codes, f"{name}_scale"], [name], name=f"{name}_read"))
    if not readers:
        raise ConversionError(
            f"ONNX: no layer has enough weights for {precision}, and the file would hold only float32."
        )
    nodes = [*readers, *graph.node]
    copies = [type(node).FromString(node.SerializeToString()) for node in nodes]
    del graph.node[:]
    graph.node.extend(copies)


def weights_in(graph: Any) -> Iterator[StoredWeight]:
    """The large weights of a graph, as `with_smaller_weights` stored them."""
    from math import prod

    from onnx import TensorProto

    for constant in graph.initializer:
        if constant.name.endswith(_STORED):
            layer = layer_of_constant(constant.name.removesuffix(_STORED))
            yield StoredWeight(layer, prod(constant.dims), constant.data_type == TensorProto.INT8)
