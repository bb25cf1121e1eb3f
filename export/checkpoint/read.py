"""Read a Keras checkpoint of any age into a LayerGraph, with h5py and JSON alone.

Nothing of the file is executed: no pickle, no Lambda bytecode, no custom class. Full-model .h5,
.keras, and weights-only .h5 (with the architecture as JSON or from a builder function) are read.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py

from ...errors import CheckpointError
from . import hdf5
from .digest import sha256
from .flatten import flatten
from .keras_json import ModelConfig, json_object, parse_model
from .layer_graph import LayerGraph, Source
from .located import built_config, file_and_config, written_config
from .untrusted import refuse_code
from .weights import Assigned, assign_by_path, assign_legacy

KERAS_1_CLASSES = frozenset({"Convolution2D", "Merge", "Highway", "MaxoutDense"})
UNKNOWN_VERSION = "2.0.0"


@dataclass(frozen=True)
class _File:
    """What one file says of itself, before its weights are looked at."""

    kind: str
    keras_version: str
    backend: str
    config: Mapping[str, Any] | None
    training: Mapping[str, Any]
    has_weights: bool = True


def read(
    path: Path | str, *, config: Path | str | None = None, builder: str | None = None, allow_code: bool = False
) -> LayerGraph:
    """Read a checkpoint.

    Args:
        path: the .h5, .keras or .weights.h5 file, or a folder with one such file and its JSON.
        config: JSON of the architecture (`tojson_object()` or a bare `get_config()`), for weights-only files.
        builder: "module:function" that returns the Keras model, for weights-only files.
        allow_code: accept Lambda layers, whose bytecode Keras will then execute.

    Raises:
        CheckpointError: with one sentence, where the file is not a checkpoint that can be read.
        CodeRefused: where it carries code and `allow_code` is false.

    """
    path, config = file_and_config(Path(path), config)
    where = f"'{path}'"
    try:
        return _read(path, where, config, builder, allow_code)
    except (OSError, RuntimeError, KeyError) as error:
        # h5py raises these wherever a damaged file is first touched.
        reason = str(error).strip("'\"").splitlines()[0] if str(error) else type(error).__name__
        raise CheckpointError(f"{where} is damaged ({reason}): copy the checkpoint again.") from error


def _read(path: Path, where: str, config: Path | str | None, builder: str | None, allow_code: bool) -> LayerGraph:
    with _opened(path) as (file, facts):
        architecture = _architecture(facts, path, config, builder)
        model = parse_model(architecture, where)
        _refuse_keras_1(model, facts, where)
        refuse_code(model, where, allow_code)
        version = facts.keras_version or _version_of(architecture)
        source = Source(path, facts.kind, sha256(path), version, architecture, facts.backend, builder, allow_code)
        return flatten(model, _assigned(model, file, path), source, facts.training)


class _opened:  # noqa: N801 - a context manager that reads as a verb
    """The weights' HDF5 file and the facts of a checkpoint, closed again afterwards."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> tuple[h5py.File, _File]:
        if hdf5.read_head(self._path).startswith(hdf5.ZIP_SIGNATURE) and zipfile.is_zipfile(self._path):
            self._file, facts = _open_archive(self._path)
        else:
            self._file = hdf5.open_hdf5(self._path)
            facts = _facts(self._file, self._path)
        return self._file, facts

    def __exit__(self, *_: object) -> None:
        self._file.close()


def _open_archive(path: Path) -> tuple[h5py.File, _File]:
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
        if not {"config.json", "model.weights.h5"} <= names:
            hdf5.check_signature(path)  # says that it is a zip of another kind
        try:
            config = json_object(hdf5.member(archive, "config.json"), f"'{path}': config.json")
            metadata = json_object(hdf5.member(archive, "metadata.json"), path) if "metadata.json" in names else {}
            weights = hdf5.hdf5_in_memory(hdf5.member(archive, "model.weights.h5"), f"'{path}': model.weights.h5")
        except (zipfile.BadZipFile, KeyError, NotImplementedError, RuntimeError) as error:
            raise CheckpointError(f"'{path}' is a damaged .keras archive ({error}): copy it again.") from error
    version = str(metadata.get("keras_version", "3.0.0"))
    training = config.get("compile_config") or {}
    return weights, _File("keras", version, "tensorflow", config, training if isinstance(training, dict) else {})


def _facts(file: h5py.File, path: Path) -> _File:
    attributes = dict(file.attrs)
    if "model_weights" in file:
        attributes = {**dict(file["model_weights"].attrs), **attributes}
    # Neither Keras 3 nor tf.keras notes its version in a .weights.h5: the architecture may.
    default = UNKNOWN_VERSION if "layer_names" in attributes or "layer_names0" in attributes else ""
    config = attributes.get("model_config")
    training = attributes.get("training_config")
    return _File(
        "h5" if config is not None else "weights",
        hdf5.text(attributes.get("keras_version", default)),
        hdf5.text(attributes.get("backend", "tensorflow")),
        json_object(hdf5.text(config), f"'{path}': model_config") if config is not None else None,
        json_object(hdf5.text(training), path) if training is not None else {},
        has_weights=bool(default) or any(name in file for name in hdf5.LAYER_CONTAINERS),
    )


def _architecture(facts: _File, path: Path, config: Path | str | None, builder: str | None) -> Mapping[str, Any]:
    """{"class_name", "config"} from the user's file or function, else from the checkpoint."""
    if builder is not None:
        return built_config(builder)
    if config is not None:
        return written_config(Path(config))
    if facts.config is None and not facts.has_weights:
        raise CheckpointError(f"'{path}' is HDF5 but not of Keras: give the .h5 or .keras file that Keras saved.")
    if facts.config is None:
        raise CheckpointError(
            f"'{path}' holds weights without an architecture: give it with --config FILE.json or "
            "--builder MODULE:FUNCTION."
        )
    return facts.config


def _version_of(architecture: Mapping[str, Any]) -> str:
    """The Keras that wrote an architecture; a bare one tells by how it spells an input's shape."""
    spelt_as_before = "batch_input_shape" in json.dumps(architecture)
    return str(architecture.get("keras_version") or ("2.12.0" if spelt_as_before else "3.0.0"))


def _assigned(model: ModelConfig, file: h5py.File, path: Path) -> Assigned:
    legacy = hdf5.LegacyWeights(file, path)
    if legacy.layer_names:
        return assign_legacy(model, legacy, f"'{path}'")
    if any(name in file for name in hdf5.LAYER_CONTAINERS):
        return assign_by_path(model, hdf5.PathWeights(file, path))
    raise CheckpointError(f"'{path}' holds no Keras weights: give the .h5 or .keras file that Keras saved.")


def _refuse_keras_1(model: ModelConfig, facts: _File, where: str) -> None:
    old_class = next((leaf.kind for leaf in model.leaves() if leaf.kind in KERAS_1_CLASSES), None)
    if facts.keras_version.startswith(("0.", "1.")) or old_class:
        version = "1" if old_class else facts.keras_version
        raise CheckpointError(
            f"{where} was written by Keras {version}, whose layers no Keras of today loads: "
            "load it with Keras 2.0 to 2.3 and save it again from there."
        )
