"""The frozen graph as TFLite: built-in operators only, the contract's names, order and metadata."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...errors import ConversionError, first_line
from ..graph.frozen import FrozenGraph
from .precisions import tflite_int8
from .precisions.calibration import Calibration, require_calibration, samples
from .precisions.float_layers import layer_of
from .precisions.precision import FP16, FP32, INT8, INT8_DYNAMIC
from .precisions.tflite_int8 import pack_model, parse_model
from .precisions.weights import StoredWeight

SIGNATURE = "serving_default"
METADATA_NAME = "azx"
RUNTIME_VERSION_NAME = b"min_runtime_version"


def write_ways(
    frozen: FrozenGraph,
    ways: Mapping[Path, Collection[str]],
    precision: str = FP32,
    calibration: Calibration | None = None,
) -> None:
    """Write `frozen` in one or more ways by a single conversion; ConversionError for an operator without built-in form.

    Inputs and outputs are float32 in every precision. int8 needs `calibration`. In 8 bits, the layers of a way
    calculate in float32 from weights stored in half precision.
    """
    try:
        for target, content in zip(ways, _ways(frozen, precision, calibration, list(ways.values())), strict=True):
            if precision in (INT8_DYNAMIC, INT8) and not _is_in_eight(content):
                raise ConversionError(
                    f"TFLite: no layer has enough weights for {precision}, and the file would hold only float32."
                )
            target.write_bytes(_rewrite(content, frozen))
    except (ConversionError, OSError):
        raise
    except Exception as error:  # the converter raises its own classes and plain ValueError
        raise ConversionError(f"TFLite: the graph was not converted ({first_line(error)}).") from error


def _is_in_eight(content: bytes) -> bool:
    """Whether a layer of the model is in 8 bits."""
    return any(weight.in_eight for weight in tflite_int8.stored_weights(parse_model(content)))


def metadata(path: Path) -> Mapping[str, str]:
    """The metadata that `write_ways` put there."""
    stored: dict[str, str] = json.loads(_read_metadata(path, METADATA_NAME.encode()) or b"{}")
    return stored


def about(path: Path) -> Mapping[str, Any]:
    """`min_runtime_version`: the oldest TFLite runtime that loads the file, as the file states it."""
    version = _read_metadata(path, RUNTIME_VERSION_NAME)
    return {"min_runtime_version": None if version is None else version.rstrip(b"\0").decode()}


def stored_weights(path: Path) -> Iterator[StoredWeight]:
    """The weights of a model's products, as the file states them."""
    return tflite_int8.stored_weights(parse_model(path.read_bytes()))


def _read_metadata(path: Path, name: bytes) -> bytes | None:
    """The metadata buffer of that name; None if the file lacks it."""
    model = parse_model(path.read_bytes())
    entry = next((entry for entry in model.metadata or [] if entry.name == name), None)
    return bytes(model.buffers[entry.buffer].data) if entry else None


def _ways(
    frozen: FrozenGraph, precision: str, calibration: Calibration | None, ways: Sequence[Collection[str]]
) -> Iterator[bytes]:
    """The model once per way, each with other layers in float."""
    converted = _convert(frozen, precision, calibration)
    content = _quantize(converted) if precision == INT8 else converted
    exact = _convert(frozen, FP32) if precision == INT8_DYNAMIC and any(ways) else content
    raw = parse_model(content).subgraphs[0]
    names = [layer_of(raw.tensors[at].name.decode()) for at in raw.outputs]
    ends = {port.name: name for port, name in zip(frozen.outputs, names, strict=True)}
    for way in ways:
        # A layer that ends in an output has the output's name, which the converter's own file does not have yet.
        in_float = {*way, *(ends[name] for name in way if name in ends)}
        if not in_float:
            yield content
        elif precision == INT8_DYNAMIC:
            yield tflite_int8.with_half_weights(tflite_int8.with_float_weights(content, exact, in_float))
        else:
            left = tflite_int8.names_in_float(content, in_float)
            yield tflite_int8.with_half_weights(_quantize(converted, left))


def _quantize(calibrated: bytes, names: Sequence[str] = ()) -> bytes:
    """A model with ranges, in 8 bits except for the operations `names`, as TensorFlow's own debugger makes it."""
    from tensorflow.lite.python.convert import mlir_quantize

    model: bytes = mlir_quantize(
        calibrated, denylisted_nodes=list(names), fully_quantize=False, disable_per_channel_for_dense_layers=True
    )
    return model


def _convert(frozen: FrozenGraph, precision: str, calibration: Calibration | None = None) -> bytes:
    """The converter's file; for int8 it is still in float, with the ranges that the positions give."""
    import tensorflow as tf

    graph_def = tf.compat.v1.GraphDef.FromString(frozen.graph_def)

    def import_graph(*arguments: Any) -> list[Any]:
        feeds = {spec.name: value for spec, value in zip(frozen.inputs, arguments, strict=True)}
        fetches = [f"{spec.name}:0" for spec in frozen.outputs]
        return list(tf.graph_util.import_graph_def(graph_def, input_map=feeds, return_elements=fetches, name=""))

    signature = [
        tf.TensorSpec(spec.shape, tf.float32, name=_input_name(place)) for place, spec in enumerate(frozen.inputs)
    ]
    function = tf.function(import_graph, input_signature=signature).get_concrete_function()
    converter = tf.lite.TFLiteConverter.from_concrete_functions([function])
    return bytes(_configure(converter, frozen, precision, calibration).convert())


def _configure(converter: Any, frozen: FrozenGraph, precision: str, calibration: Calibration | None) -> Any:
    """The converter with the settings for the precision."""
    import tensorflow as tf

    converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS]
    if precision != FP32:
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
    if precision == FP16:
        converter.target_spec.supported_types = [tf.float16]
    if precision in (INT8_DYNAMIC, INT8):
        # One scale for all weights of a dense layer needs runtime 2.4; one scale per unit would need 2.17.
        converter._experimental_disable_per_channel_quantization_for_dense_layers = True
    if precision == INT8:
        positions = require_calibration(calibration)
        # Operators without an 8-bit form stay in float; inputs and outputs are float32 by default.
        converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8, tf.lite.OpsSet.TFLITE_BUILTINS]
        converter.representative_dataset = lambda: samples(positions, frozen)
        converter._experimental_calibrate_only = True
    return converter


def _rewrite(content: bytes, frozen: FrozenGraph) -> bytes:
    """The file with the contract's names and order, and without the converter's notes on itself.

    The converter calls the outputs Identity, Identity_1, ...; they come in the order of the function's own outputs,
    which is the contract's.
    """
    from ai_edge_litert import schema_py_generated as schema

    model = parse_model(content)
    graph = model.subgraphs[0]
    # The converter puts the signature's name in front and the output's number behind.
    names = {
        graph.tensors[at].name.decode().split(":")[0].removeprefix(f"{SIGNATURE}_"): int(at) for at in graph.inputs
    }
    inputs = [names[_input_name(place)] for place in range(len(names))]
    graph.inputs, graph.outputs = inputs, [int(index) for index in graph.outputs]
    for index, spec in zip((*inputs, *graph.outputs), frozen.ports, strict=True):
        graph.tensors[index].name = spec.name.encode()
    _free_names(graph, frozen)
    signature = schema.SignatureDefT()
    signature.signatureKey, signature.subgraphIndex = SIGNATURE.encode(), 0
    signature.inputs = [_port(schema, port, at) for port, at in zip(frozen.inputs, inputs, strict=True)]
    signature.outputs = [_port(schema, head, at) for head, at in zip(frozen.outputs, graph.outputs, strict=True)]
    model.signatureDefs = [signature]
    _set_metadata(schema, model, frozen)
    model.description = b"azx"
    return pack_model(model, len(content))


def _input_name(place: int) -> str:
    """An input's name during conversion: a number, since TensorFlow does not distinguish `Board` and `board`."""
    return f"azx_input_{place}"


def _free_names(graph: Any, frozen: FrozenGraph) -> None:
    """Rename inner tensors that have a name which the contract gives to an input or output."""
    taken = {spec.name.encode() for spec in frozen.ports}
    ports = {*graph.inputs, *graph.outputs}
    for index, tensor in enumerate(graph.tensors):
        if index not in ports and tensor.name in taken:
            tensor.name += b"_inner"


def _port(schema: Any, spec: Any, index: int) -> Any:
    port = schema.TensorMapT()
    port.name, port.tensorIndex = spec.name.encode(), int(index)
    return port


def _set_metadata(schema: Any, model: Any, frozen: FrozenGraph) -> None:
    """Store the metadata as one JSON buffer; `min_runtime_version` stays, the converter's own buffer is removed."""
    import numpy as np

    versions = [entry for entry in model.metadata or [] if entry.name == RUNTIME_VERSION_NAME]
    buffer, entry = schema.BufferT(), schema.MetadataT()
    data = json.dumps(dict(frozen.metadata), sort_keys=True).encode()
    buffer.data = np.frombuffer(data, np.uint8)
    entry.name, entry.buffer = METADATA_NAME.encode(), len(model.buffers)
    model.buffers.append(buffer)
    model.metadata = [*versions, entry]
