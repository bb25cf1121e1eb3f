"""A file that Keras wrote, by its own statements: .h5 of any age, .keras, and weights alone."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import h5py

from ....errors import CheckpointError, NoArchitecture, first_line
from .. import hdf5
from ..door.attributes import Attributes
from ..door.members import json_object, mappings_in, version_of
from ..keras_1 import UNNAMED, backend_of, is_keras_1
from ..own_encoding import ENCODED
from ..presets.table import find_preset
from ..stored import layers_in, summary
from ..weights import holds_weights

KERAS_1_CLASSES = frozenset({"Convolution2D", "Merge", "Highway", "MaxoutDense", "Graph"})
# Keras recorded its version from 2.0 on; a full-model file without one is older.
UNKNOWN_VERSION = "2.0.0"


@dataclass(frozen=True)
class KerasFile:
    """The statements of one file about itself, before its weights are read."""

    path: Path
    kind: str
    keras_version: str
    backend: str
    config: Mapping[str, Any] | None
    training: Mapping[str, Any]
    has_weights: bool = True
    before_1: bool = False
    agent: str | None = None
    encoding: str = ""

    @property
    def is_weights_alone(self) -> bool:
        """Whether the file holds Keras' weights and no architecture."""
        return self.config is None and self.has_weights

    def architecture(self, given: Mapping[str, Any] | None, file: h5py.File) -> Mapping[str, Any]:
        """{"class_name", "config"}: the user's, else the file's own."""
        architecture = self.config if given is None else given
        if architecture is None and self.before_1:
            raise CheckpointError(
                f"'{self.path}' was written by Keras before 1.0, whose files no later Keras loads: "
                "build the network in a Keras of today, set its weights from this file, and save it from there."
            )
        if architecture is None and not self.has_weights:
            raise CheckpointError(
                f"'{self.path}' is HDF5 but not of Keras: give the .h5 or .keras file that Keras saved."
            )
        if architecture is None:
            layers = tuple(layers_in(file, self.path))
            guess = find_preset(layers)
            fits = f"; by their shapes, a guess, its layers are those of {guess}: --preset {guess}" if guess else ""
            raise NoArchitecture(
                f"'{self.path}' holds weights without an architecture ({summary(layers)}): give it with --config "
                "FILE.json or --builder MODULE:FUNCTION, whose beginning "
                f"`azx inspect {shlex.quote(str(self.path))}` prints{fits}."
            )
        return architecture

    def of_keras_1(self, file: h5py.File) -> KerasFile:
        """The same for a file of Keras 1: with its backend, by the weights' names, and a version if it states none."""
        version = self.keras_version if is_keras_1(self.keras_version) else UNNAMED
        return replace(self, keras_version=version, backend=backend_of(file))

    def is_keras_1(self, architecture: Mapping[str, Any]) -> bool:
        """Whether Keras 1 wrote the file, by its version or by classes that only Keras 1 had, also in inner models."""
        if self.keras_version.startswith("0."):
            return True
        old = any(str(entry.get("class_name")) in KERAS_1_CLASSES for entry in mappings_in(architecture))
        return is_keras_1(self.keras_version) or old


def open_archive(path: Path) -> tuple[h5py.File, KerasFile]:
    """The weights of a .keras file, read into memory, and its JSON."""
    where = f"'{path}'"
    with hdf5.open_archive(path) as archive:
        names = set(archive.namelist())
        if not {"config.json", "model.weights.h5"} <= names:
            hdf5.check_signature(path)  # the error says that it is another kind of zip
        try:
            config = json_object(hdf5.member(archive, "config.json"), f"{where}: config.json")
            content = hdf5.member(archive, "metadata.json") if "metadata.json" in names else b"{}"
            metadata = json_object(content, f"{where}: metadata.json")
            weights = hdf5.hdf5_in_memory(hdf5.member(archive, "model.weights.h5"), f"{where}: model.weights.h5")
        except hdf5.BAD_ZIP as error:
            raise CheckpointError(
                f"{where} is a damaged .keras archive ({first_line(error)[:200]}): copy it again."
            ) from error
    version = version_of(metadata.get("keras_version") or "3.0.0", where)
    training = config.get("compile_config") or {}
    return weights, KerasFile(
        path, "keras", version, "tensorflow", config, training if isinstance(training, dict) else {}
    )


def open_hdf5(path: Path) -> tuple[h5py.File, KerasFile]:
    """An .h5 file, with or without an architecture, and its attributes."""
    where, file = f"'{path}'", hdf5.open_hdf5(path)
    root = hdf5.network_root(file, path)
    attributes = Attributes(root, where)
    holders = (attributes, Attributes(hdf5.weights_in(root, where), where))

    def text_of(name: str, default: str = "") -> str:
        return next((holder.text(name) for holder in holders if name in holder), default)

    # Neither Keras 3 nor tf.keras records its version in a .weights.h5; the architecture may state it.
    noted = any(name in holder for name in ("layer_names", "layer_names0") for holder in holders)
    default = UNKNOWN_VERSION if noted else ""
    config, training = text_of("model_config"), text_of("training_config")
    has_architecture = any("model_config" in holder for holder in holders)
    return file, KerasFile(
        path,
        "h5" if has_architecture else "weights",
        version_of(text_of("keras_version", default), where),
        text_of("backend", "tensorflow"),
        json_object(config, f"{where}: model_config") if has_architecture else None,
        json_object(training, f"{where}: training_config") if training else {},
        has_weights=noted or holds_weights(root, where),
        before_1="nb_layers" in attributes or "nb_layers" in holders[1],
        agent=hdf5.agent_of(file, where),
        encoding=Attributes(file, where).text(ENCODED),
    )


def version_in(architecture: Mapping[str, Any], where: str) -> str:
    """The Keras version that wrote an architecture; if it is not stated, the form of an input's shape shows it."""
    stated = version_of(architecture.get("keras_version"), where)
    return stated or ("2.12.0" if "batch_input_shape" in json.dumps(architecture) else "3.0.0")
