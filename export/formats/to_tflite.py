"""The frozen graph as TFLite: built-in operators only, the contract's names, order and metadata."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...errors import ConversionError, first_line
from ..graph.frozen import FrozenGraph
from ..installed import missing
from .precisions.calibration import Calibration, given, samples
from .precisions.precision import FP16, FP32, INT8, INT8_DYNAMIC
from .precisions.tflite_int8 import float_layers, names_in_float, packed, parsed, with_float_weights

SIGNATURE = "serving_default"
METADATA_NAME = "azx"
RUNTIME_VERSION_NAME = b"min_runtime_version"


def available() -> str | None:
    """None where this format can be written here, else the reason."""
    return missing("tensorflow") or missing("ai_edge_litert")


def write(
    frozen: FrozenGraph,
    target: Path,
    precision: str = FP32,
    calibration: Calibration | None = None,
    step: int = 0,
) -> None:
    """Write `frozen` to `target`; ConversionError where an operator has no built-in TFLite form.

    In every precision inputs and outputs are float32. int8 takes `calibration`; of 8-bit ones `step` leaves layers in
    float (`float_layers.py`).
    """
    try:
        content = _convert(frozen, precision, calibration, step)
        if step and precision == INT8_DYNAMIC:
            content = with_float_weights(content, _convert(frozen, FP32), step)
    except ConversionError:
        raise
    except Exception as error:  # the converter raises its own classes and plain ValueError
        raise ConversionError(f"TFLite: the graph was not converted ({first_line(error)}).") from error
    if precision in (INT8_DYNAMIC, INT8) and float_layers(parsed(content)) is None:
        raise ConversionError(
            f"TFLite: no layer has weights enough for {precision}, the file would hold float32 alone."
        )
    target.write_bytes(_rewrite(content, frozen))


def metadata(path: Path) -> Mapping[str, str]:
    """The metadata that `write` put there."""
    stored: dict[str, str] = json.loads(_stated(path, METADATA_NAME.encode()) or b"{}")
    return stored


def about(path: Path) -> Mapping[str, Any]:
    """`min_runtime_version`: the oldest TFLite runtime that loads the file, as the file itself states it.

    In 8 bits also `float_layers`, those whose weights are float32.
    """
    version = _stated(path, RUNTIME_VERSION_NAME)
    layers = float_layers(parsed(path.read_bytes()))
    return {
        "min_runtime_version": None if version is None else version.rstrip(b"\0").decode(),
        **({"float_layers": layers} if layers is not None else {}),
    }


def _stated(path: Path, name: bytes) -> bytes | None:
    """The metadata buffer of that name, None where the file has none."""
    model = parsed(path.read_bytes())
    entry = next((entry for entry in model.metadata or [] if entry.name == name), None)
    return bytes(model.buffers[entry.buffer].data) if entry else None


def _convert(frozen: FrozenGraph, precision: str, calibration: Calibration | None = None, step: int = 0) -> bytes:
    import tensorflow as tf

    graph_def = tf.compat.v1.GraphDef.FromString(frozen.graph_def)

    def imported(*arguments: Any) -> list[Any]:
        feeds = {spec.name: value for spec, value in zip(frozen.inputs, arguments, strict=True)}
        fetches = [f"{spec.name}:0" for spec in frozen.outputs]
        return list(tf.graph_util.import_graph_def(graph_def, input_map=feeds, return_elements=fetches, name=""))

    signature = [
        tf.TensorSpec(spec.shape, tf.float32, name=_numbered(place)) for place, spec in enumerate(frozen.inputs)
    ]
    function = tf.function(imported, input_signature=signature).get_concrete_function()
    converter = tf.lite.TFLiteConverter.from_concrete_functions([function])
    return bytes(_converted(_configured(converter, frozen, precision, calibration), step))


def _converted(converter: Any, step: int) -> bytes:
    """The model; in int8 with the layers of `step` in float, which TensorFlow's quantization debugger can leave so."""
    import tensorflow as tf

    dataset = converter.representative_dataset
    if dataset is None or not step:
        content: bytes = converter.convert()
        return content
    debug = tf.lite.experimental

    def debugger(names: list[str]) -> Any:
        options = debug.QuantizationDebugOptions(denylisted_nodes=names, fully_quantize=False)
        return debug.QuantizationDebugger(converter=converter, debug_dataset=dataset, debug_options=options)

    names = names_in_float(debugger([]).get_nondebug_quantized_model(), step)
    left: bytes = debugger(names).get_nondebug_quantized_model()
    return left


def _configured(converter: Any, frozen: FrozenGraph, precision: str, calibration: Calibration | None) -> Any:
    """The converter with what the precision asks of it."""
    import tensorflow as tf

    converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS]
    if precision != FP32:
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
    if precision == FP16:
        converter.target_spec.supported_types = [tf.float16]
    if precision in (INT8_DYNAMIC, INT8):
        # One scale for all of a dense layer's weights: with one a unit the file needs runtime 2.17, with this 2.4.
        converter._experimental_disable_per_channel_quantization_for_dense_layers = True
    if precision == INT8:
        positions = given(calibration)
        # Of operators without an 8-bit form the float one stays; inputs and outputs are float32 without being told.
        converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8, tf.lite.OpsSet.TFLITE_BUILTINS]
        converter.representative_dataset = lambda: samples(positions, frozen)
    return converter


def _rewrite(content: bytes, frozen: FrozenGraph) -> bytes:
    """Names and order as the contract has them; what the converter notes of itself goes.

    The converter calls the outputs Identity, Identity_1, ...; they come in the order of the
    function's own outputs, which is the contract's.
    """
    from ai_edge_litert import schema_py_generated as schema

    model = parsed(content)
    graph = model.subgraphs[0]
    inputs = _ordered(graph)
    graph.inputs, graph.outputs = inputs, [int(index) for index in graph.outputs]
    for index, spec in zip((*inputs, *graph.outputs), frozen.ports, strict=True):
        graph.tensors[index].name = spec.name.encode()
    _free_names(graph, frozen)
    signature = schema.SignatureDefT()
    signature.signatureKey, signature.subgraphIndex = SIGNATURE.encode(), 0
    signature.inputs = [_port(schema, *pair) for pair in zip(frozen.inputs, inputs, strict=True)]
    signature.outputs = [_port(schema, *pair) for pair in zip(frozen.outputs, graph.outputs, strict=True)]
    model.signatureDefs = [signature]
    _set_metadata(schema, model, frozen)
    model.description = b"azx"
    return packed(model, len(content))


def _numbered(place: int) -> str:
    """An input's name while it is converted: by number, as TensorFlow takes `Board` and `board` for one."""
    return f"azx_input_{place}"


def _ordered(graph: Any) -> list[int]:
    """The inputs' tensor indices in the contract's order."""
    by_name = {_base(graph.tensors[index].name): int(index) for index in graph.inputs}
    return [by_name[_numbered(place)] for place in range(len(by_name))]


def _base(name: bytes) -> str:
    return name.decode().split(":")[0].removeprefix(f"{SIGNATURE}_")


def _free_names(graph: Any, frozen: FrozenGraph) -> None:
    """No inner tensor keeps a name that the contract gives to an input or output."""
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
    """The metadata as one JSON buffer; `min_runtime_version` stays, the converter's own buffer goes."""
    import numpy as np

    kept = [entry for entry in model.metadata or [] if entry.name == RUNTIME_VERSION_NAME]
    buffer, entry = schema.BufferT(), schema.MetadataT()
    data = json.dumps(dict(frozen.metadata), sort_keys=True).encode()
    buffer.data = np.frombuffer(data, np.uint8)
    entry.name, entry.buffer = METADATA_NAME.encode(), len(model.buffers)
    model.buffers.append(buffer)
    model.metadata = [*kept, entry]
