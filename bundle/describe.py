"""manifest.json, golden.json and the metadata of an export: the deterministic part of a bundle."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import __version__
from ..export.checkpoint.layer_graph import LayerGraph
from ..export.formats.table import FORMATS, Format
from ..export.formats.to_tflite import min_runtime_version
from ..export.graph.frozen import FrozenGraph
from ..games.game import Recognised
from ..validate.positions import Positions
from .manifest import SCHEMA_VERSION
from .plan import Settings, input_layout

GOLDEN_POSITIONS = 20
THREADS = 1
"""What apps should give their runtime: a board network's single position takes longer with more."""
_CONVERTERS = ("tensorflow", "tf2onnx", "onnx", "coremltools", "tensorflowjs", "ai-edge-litert")


def metadata(graph: LayerGraph, frozen: FrozenGraph, reading: Recognised | None) -> dict[str, str]:
    """What each artifact carries about itself, text to text."""
    return {
        "azx_version": __version__,
        "game": reading.game.name if reading else "unknown",
        "checkpoint_sha256": graph.source.sha256,
        "input_layout": json.dumps({s.name: _layout(graph, s.source_name) for s in frozen.inputs}),
        "output_roles": json.dumps({head.name: head.role for head in frozen.outputs}),
        "output_activations": json.dumps({head.name: head.activation for head in frozen.outputs}),
        "actions": reading.actions if reading else "unknown",
    }


def _layout(graph: LayerGraph, source_name: str) -> str:
    shape = next(spec.shape for spec in graph.inputs if spec.name == source_name)
    return input_layout(graph, shape)


def manifest(
    stem: str,
    graph: LayerGraph,
    frozen: FrozenGraph,
    reading: Recognised | None,
    positions: Positions,
    settings: Settings,
) -> dict[str, Any]:
    """The manifest but for the artifacts and files, which are added once they are written."""
    return {
        "schema_version": SCHEMA_VERSION,
        "azx_version": __version__,
        "name": stem,
        **(reading.as_data() if reading else dict.fromkeys(("game", "settings", "encoding", "actions"))),
        "checkpoint": {
            "file": graph.source.path.name,
            "sha256": graph.source.sha256,
            "keras_version": graph.source.keras_version,
            "parameters": graph.parameters,
        },
        "inputs": [_input(graph, spec) for spec in frozen.inputs],
        "outputs": [_output(head) for head in frozen.outputs],
        "batch": settings.batch,
        "precision": "fp32",
        "graph": {"kind": "traced" if frozen.fallback else "canonical", "reason": frozen.fallback},
        "positions": {
            "count": len(positions),
            "seed": positions.seed,
            "description": positions.description,
            "source": "file" if settings.inputs else "game" if reading else "random boards",
        },
        "converters": converter_versions(),
    }


def _input(graph: LayerGraph, spec: Any) -> dict[str, Any]:
    layout = _layout(graph, spec.source_name)
    shape = list(spec.shape[1:])
    return {"name": spec.name, "source_name": spec.source_name, "shape": shape, "dtype": "float32", "layout": layout}


def _output(head: Any) -> dict[str, Any]:
    return {
        "name": head.name,
        "source_name": head.source_name,
        "role": head.role,
        "activation": head.activation,
        "shape": list(head.shape[1:]),
        "pb_node": head.node,
    }


def converter_versions() -> dict[str, str]:
    """Versions of the installed converters, on which the artifacts' bytes depend."""
    found = {}
    for name in _CONVERTERS:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def artifact_entry(entry: Format, place: Path, stem: str, settings: Settings) -> dict[str, Any]:
    """How the manifest lists one artifact, which is written in `place`."""
    data: dict[str, Any] = {"format": entry.name, "path": entry.path(stem), "precision": "fp32"}
    if entry.name == "onnx":
        data["opset"] = settings.opset
    if entry.name == "tflite":
        data["min_runtime_version"] = min_runtime_version(place / entry.path(stem))
    return data


def recommended(artifacts: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The artifact that an app of each platform should load."""
    return {FORMATS[item["format"]].platform: item["path"] for item in artifacts if item["format"] in FORMATS}


def golden(
    positions: Positions, names: Mapping[str, str], truth: Mapping[str, NDArray[Any]], heads: Any
) -> dict[str, Any]:
    """20 positions with the answers that every artifact must give, for self-tests without Keras.

    `names` maps the checkpoint's input names to the artifacts', `truth` has each head's float64
    answers, which are rounded to float32. Tensors are flat, in row-major order.
    """
    count = min(GOLDEN_POSITIONS, len(positions))
    rows = [_golden_row(row, positions, names, truth, heads) for row in range(count)]
    return {"schema_version": SCHEMA_VERSION, "positions": rows}


def _golden_row(
    row: int, positions: Positions, names: Mapping[str, str], truth: Mapping[str, NDArray[Any]], heads: Any
) -> dict[str, Any]:
    legal = None if positions.legal is None else positions.legal[row]
    data: dict[str, Any] = {
        "inputs": {names[name]: _numbers(feed[row]) for name, feed in positions.feeds.items()},
        "legal": None if legal is None else np.flatnonzero(legal).tolist(),
        "outputs": {head.name: _numbers(truth[head.name][row]) for head in heads},
    }
    policy = next((head.name for head in heads if head.role == "policy"), None)
    if policy:
        values = np.asarray(truth[policy][row], np.float32).ravel()  # as recorded, where equals may be equal only then
        data["best"] = int(np.where(legal, values, -np.inf).argmax()) if legal is not None else int(values.argmax())
    return data


def _numbers(values: NDArray[Any]) -> list[float | int]:
    """The shortest decimal of each float32; whole numbers as integers."""
    rounded = [float(str(value)) for value in np.asarray(values, np.float32).ravel()]
    return [int(value) if value.is_integer() else value for value in rounded]
