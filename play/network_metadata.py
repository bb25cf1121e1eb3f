"""What an artifact carries about itself, for one that lies outside its bundle."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ..export.graph.heads import METADATA_NODE

Metadata = Mapping[str, str]


def read_metadata(path: Path, format_name: str) -> Metadata:
    """The metadata that azx wrote into the artifact, text to text; empty where there is none to be read."""
    try:
        return _READERS[format_name](path)
    except Exception:  # files of other writers hold what they like, and every parser has errors of its own
        return {}


def listed(metadata: Metadata, key: str) -> dict[str, Any]:
    """The JSON object under `key`, {} where there is none."""
    try:
        value = json.loads(metadata.get(key, "{}"))
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _of_pb(path: Path) -> Metadata:
    from tensorflow.core.framework.graph_pb2 import GraphDef

    graph = GraphDef.FromString(path.read_bytes())
    node = next(node for node in graph.node if node.name == METADATA_NODE)
    return _texts(json.loads(node.attr["value"].tensor.string_val[0]))


def _of_tflite(path: Path) -> Metadata:
    from ai_edge_litert import schema_py_generated as schema

    from ..export.formats.to_tflite import METADATA_NAME

    model = schema.ModelT.InitFromPackedBuf(bytearray(path.read_bytes()), 0)
    entry = next(entry for entry in model.metadata if entry.name == METADATA_NAME.encode())
    return _texts(json.loads(bytes(model.buffers[entry.buffer].data)))


def _of_onnx(path: Path) -> Metadata:
    import onnx

    return {entry.key: entry.value for entry in onnx.load(path).metadata_props}


def _of_tfjs(path: Path) -> Metadata:
    return _texts(json.loads((path / "model.json").read_text(encoding="utf8"))["userDefinedMetadata"])


def _of_coreml(path: Path) -> Metadata:
    from ..export.formats.to_coreml import quiet

    with quiet():
        import coremltools

        return dict(coremltools.utils.load_spec(str(path)).description.metadata.userDefined)


def _texts(value: Mapping[str, Any]) -> Metadata:
    return {str(key): str(item) for key, item in value.items()}


_READERS: Mapping[str, Callable[[Path], Metadata]] = {
    "pb": _of_pb,
    "tflite": _of_tflite,
    "onnx": _of_onnx,
    "tfjs": _of_tfjs,
    "coreml": _of_coreml,
}
