"""A TF.js graph model on disk: model.json and its weight shards, checked before any runtime reads them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import BundleError, Refused
from ..door.tfjs import read_document
from .runner import Port, Runner, Signature

Json = Mapping[str, Any]

_DTYPES = {"DT_FLOAT": "float32", "DT_INT32": "int32", "DT_BOOL": "bool"}
_NUMPY = {"float32": "<f4", "int32": "<i4", "bool": "|b1", "uint8": "|u1", "uint16": "<u2", "float16": "<f2"}
# Errors that a wrong document can cause while it is read.
_MALFORMED = (KeyError, TypeError, ValueError, AttributeError, IndexError)


@dataclass(frozen=True, eq=False)
class ModelFiles:
    """`folder` holds `document` (model.json) and the shards; `weights` are the constants by node name, dequantized."""

    folder: Path
    document: Json
    weights: Mapping[str, NDArray[Any]]
    signature: Signature


def read_model(path: Path) -> ModelFiles:
    """Read the folder `path` (or the model.json in it).

    Raises BundleError if a file is missing, damaged, short or outside the folder, or if the signature names a tensor
    that the graph lacks.
    """
    folder = path if path.is_dir() else path.parent
    document = read_document(folder / "model.json")
    try:
        weights = _read_weights(folder, document["weightsManifest"])
        signature = _read_signature(document)
    except _MALFORMED as error:
        raise BundleError(
            f"{folder / 'model.json'} is not a complete TF.js graph model ({type(error).__name__}: {error}): "
            "export it again."
        ) from error
    return ModelFiles(folder, document, weights, signature)


class FilesRunner(Runner):
    """A runner for such a folder, which `open` reads."""

    format = "tfjs"

    _files: ModelFiles | None = None

    @property
    def files(self) -> ModelFiles:
        """The files read; RuntimeError if the runner is not open."""
        if self._files is None:
            raise RuntimeError(f"{type(self).__name__} is not open")
        return self._files

    def signature(self) -> Signature:
        """Names, shapes and order from model.json."""
        return self.files.signature

    def list_misnamed_nodes(self, nodes: Mapping[str, str]) -> list[str]:
        """A clause for each name in the signature whose node has another name, which apps may ask for."""
        return list_misnamed(self.files)


def _read_signature(document: Json) -> Signature:
    """The ports in the file's order; each tensor is looked up among the nodes."""
    nodes = {node["name"] for node in document["modelTopology"]["node"]}
    ports: dict[str, list[Port]] = {"inputs": [], "outputs": []}
    for side, listed in ports.items():
        for name, info in document["signature"][side].items():
            if info["name"].split(":")[0] not in nodes:
                raise Refused(
                    f"model.json is not a complete TF.js graph model (the signature's '{name}' names the tensor "
                    f"'{info['name']}', which the graph lacks): export it again."
                )
            sizes = [int(dim["size"]) for dim in info.get("tensorShape", {}).get("dim", [])]
            listed.append(Port(name, tuple(None if size < 0 else size for size in sizes), _DTYPES[info["dtype"]]))
    if not ports["inputs"] or not ports["outputs"]:
        raise ValueError("the signature is empty")
    return Signature(tuple(ports["inputs"]), tuple(ports["outputs"]))


def list_misnamed(files: ModelFiles) -> list[str]:
    """A clause for each name in the signature whose node has another name."""
    ports = {name: info for side in ("inputs", "outputs") for name, info in files.document["signature"][side].items()}
    nodes = {name: str(info["name"]).split(":")[0] for name, info in ports.items()}
    return [f"the signature's '{name}' is the node '{node}'" for name, node in nodes.items() if name != node]


def _read_weights(folder: Path, manifest: list[Json]) -> dict[str, NDArray[Any]]:
    """The constants of all groups by node name.

    A group's files are one stream, cut at any place, so a weight may begin in one shard and end in the next. The
    weights follow one another without a gap.
    """
    weights: dict[str, NDArray[Any]] = {}
    for group in manifest:
        data = b"".join(_read_shard(folder, name) for name in group["paths"])
        at = 0
        for spec in group["weights"]:
            stored = np.dtype(_NUMPY[spec.get("quantization", spec)["dtype"]])
            size = stored.itemsize * prod(spec["shape"])
            values = np.frombuffer(data[at : at + size], stored).reshape(spec["shape"])
            if stored.kind == "u":  # quantized: value * scale + min, as in TF.js
                quantization = spec["quantization"]
                values = values * np.float64(quantization["scale"]) + np.float64(quantization["min"])
                values = np.round(values) if spec["dtype"] == "int32" else values
            weights[spec["name"]] = values.astype(_NUMPY[spec["dtype"]])
            at += size
        if at != len(data):
            raise ValueError(f"the weight files hold {len(data)} bytes where model.json says {at}")
    return weights


def _read_shard(folder: Path, name: str) -> bytes:
    file = folder / name
    if not file.resolve().is_relative_to(folder.resolve()):
        raise BundleError(f"{folder / 'model.json'} names the weight file '{name}' outside its folder: do not use it.")
    try:
        return file.read_bytes()
    except OSError as error:
        raise BundleError(f"{file} cannot be read ({error.strerror}): export the TF.js format again.") from error
