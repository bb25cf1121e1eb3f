"""The frozen graph as TFLite: built-in operators only, the contract's names, order and metadata."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...errors import ConversionError, first_line
from ..graph.frozen import FrozenGraph
from ..installed import missing

SIGNATURE = "serving_default"
METADATA_NAME = "azx"
RUNTIME_VERSION_NAME = b"min_runtime_version"
FILE_IDENTIFIER = b"TFL3"


def available() -> str | None:
    """None where this format can be written here, else the reason."""
    return missing("tensorflow") or missing("ai_edge_litert")


def write(frozen: FrozenGraph, target: Path) -> None:
    """Write `frozen` to `target`; ConversionError where an operator has no built-in TFLite form."""
    try:
        content = _convert(frozen)
    except Exception as error:  # the converter raises its own classes and plain ValueError
        raise ConversionError(f"TFLite: the graph was not converted ({first_line(error)}).") from error
    target.write_bytes(_rewrite(content, frozen))


def metadata(path: Path) -> Mapping[str, str]:
    """The metadata that `write` put there."""
    stored: dict[str, str] = json.loads(_stated(path, METADATA_NAME.encode()) or b"{}")
    return stored


def about(path: Path) -> Mapping[str, Any]:
    """`min_runtime_version`: the oldest TFLite runtime that loads the file, as the file itself states it."""
    version = _stated(path, RUNTIME_VERSION_NAME)
    return {"min_runtime_version": None if version is None else version.rstrip(b"\0").decode()}


def _stated(path: Path, name: bytes) -> bytes | None:
    """The metadata buffer of that name, None where the file has none."""
    from ai_edge_litert import schema_py_generated as schema

    model = schema.ModelT.InitFromPackedBuf(bytearray(path.read_bytes()), 0)
    entry = next((entry for entry in model.metadata or [] if entry.name == name), None)
    return bytes(model.buffers[entry.buffer].data) if entry else None


def _convert(frozen: FrozenGraph) -> bytes:
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
    converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS]
    return bytes(converter.convert())


def _rewrite(content: bytes, frozen: FrozenGraph) -> bytes:
    """Names and order as the contract has them; what the converter notes of itself goes.

    The converter calls the outputs Identity, Identity_1, ...; they come in the order of the
    function's own outputs, which is the contract's.
    """
    import flatbuffers
    from ai_edge_litert import schema_py_generated as schema

    model = schema.ModelT.InitFromPackedBuf(bytearray(content), 0)
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
    builder = flatbuffers.Builder(len(content) + 4096)
    builder.Finish(model.Pack(builder), FILE_IDENTIFIER)
    return bytes(builder.Output())


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
