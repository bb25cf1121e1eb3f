"""A layers model of TensorFlow.js: model.json with Keras' own topology, and weights in files beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import CheckpointError
from ...system.plain_file import read_plain
from .digest import sha256_of_all
from .door.limits import JSON_BYTES, Budget, bytes_on_disk
from .door.members import json_object, version_of
from .keras_json import ModelConfig
from .layer_graph import Array
from .weights import Assigned, spread

MODEL = "model.json"
_DTYPES = {"float32": "<f4", "int32": "<i4", "bool": "?", "uint8": "u1", "uint16": "<u2", "float16": "<f2"}


@dataclass(frozen=True, eq=False)
class TfjsModel:
    """The content of the files: `architecture` is {"class_name", "config"}, `weights` are (name, values) in order."""

    architecture: Mapping[str, Any]
    keras_version: str
    weights: tuple[tuple[str, Array], ...]
    sha256: str


def is_tfjs_layers(path: Path) -> bool:
    """Whether a file is the model.json of a layers model, by its members."""
    if path.suffix != ".json" or not path.is_file() or path.stat().st_size > JSON_BYTES:
        return False
    try:
        data = json_object(read_plain(path, JSON_BYTES), "")
    except (CheckpointError, OSError):
        return False
    topology = data.get("modelTopology")
    return "weightsManifest" in data and isinstance(topology, Mapping) and _config_of(topology) is not None


def check_topology(path: Path) -> None:
    """Raise CheckpointError if a model.json is empty, too large, or not JSON, for example because it is cut off."""
    json_object(read_plain(path, JSON_BYTES), f"'{path}'")


def _config_of(topology: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Keras' {"class_name", "config"}, beside its version or as the topology itself; None for a graph model."""
    inner = topology.get("model_config", topology)
    return inner if isinstance(inner, Mapping) and {"class_name", "config"} <= set(inner) else None


def read_tfjs(path: Path) -> TfjsModel:
    """The model in a model.json and its files; CheckpointError if one is missing, cut off or outside the folder."""
    where, folder = f"'{path}'", path.parent
    data = json_object(read_plain(path, JSON_BYTES), where)
    topology = data["modelTopology"]
    weights: list[tuple[str, Array]] = []
    read = [path]
    try:
        for group in data["weightsManifest"]:
            files = [_beside(folder, str(name), where) for name in group["paths"]]
            read += files
            budget = Budget(sum(map(bytes_on_disk, files)), where)
            rest = memoryview(b"".join(file.read_bytes() for file in files))
            for entry in group["weights"]:
                array, size = _values(entry, rest)
                budget.spend(array.nbytes, str(entry["name"])[:60])
                weights.append((str(entry["name"]), array))
                rest = rest[size:]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise CheckpointError(
            f"{where} is a TF.js model that is damaged ({str(error)[:100]}): copy its folder again."
        ) from error
    version = version_of(topology.get("keras_version"), where) or "2.4.0"
    return TfjsModel(dict(_config_of(topology) or {}), version, tuple(weights), sha256_of_all(read))


def shards_of(path: Path) -> list[Path]:
    """The files with the weights that a model.json names; CheckpointError if one is missing or outside the folder."""
    where, data = f"'{path}'", json_object(read_plain(path, JSON_BYTES), f"'{path}'")
    try:
        return [_beside(path.parent, str(name), where) for group in data["weightsManifest"] for name in group["paths"]]
    except (AttributeError, KeyError, TypeError) as error:
        raise CheckpointError(f"{where} is a TF.js model that is damaged: copy its folder again.") from error


def _beside(folder: Path, name: str, where: str) -> Path:
    path = folder / name
    if Path(name).is_absolute() or not path.resolve().is_relative_to(folder.resolve()):
        raise CheckpointError(f"{where} names weights outside its folder ('{name[:60]}'): do not use it.")
    if not path.is_file():
        raise CheckpointError(f"{where} needs '{name[:60]}' beside it, with its weights: copy it there too.")
    return path


def _values(entry: Mapping[str, Any], rest: memoryview) -> tuple[Array, int]:
    """A weight, and the number of bytes that it takes; a quantised weight becomes its real numbers."""
    shape = [int(size) for size in entry["shape"]]
    packed = entry.get("quantization")
    dtype = np.dtype(_DTYPES[packed["dtype"] if packed else entry["dtype"]])
    size = prod(shape) * dtype.itemsize
    if min(shape, default=1) < 0 or size > len(rest):
        raise ValueError(f"'{entry['name']}' is cut off")
    values = np.frombuffer(rest[:size], dtype).reshape(shape)
    if packed and dtype.kind == "u":
        values = (values * float(packed["scale"]) + float(packed["min"])).astype(np.float32)
    return values, size


def assign_tfjs(model: ModelConfig, read: TfjsModel, where: str) -> Assigned:
    """The weights of each layer of the model; CheckpointError if they do not fit it."""
    return spread(model, list(read.weights), where)
