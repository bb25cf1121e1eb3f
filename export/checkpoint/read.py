"""Read a Keras checkpoint of any age into a LayerGraph, with h5py and JSON alone.

Nothing of the file is executed: no pickle, no Lambda bytecode, no custom class, no graph. Full-model .h5,
.keras, SavedModels that Keras described, and weights-only .h5 (with the architecture as JSON, YAML, from a builder
function or a preset) are read.
"""

from __future__ import annotations

import json
import shlex
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import h5py

from ...errors import CheckpointError, NoArchitecture, first_line
from . import hdf5
from .architecture import architecture_beside, read_architecture
from .asked import check_options
from .builder import Built, build_model, pair_weights
from .digest import sha256
from .door.attributes import Attributes
from .door.members import json_object, mappings_in, version_of
from .flatten import flatten
from .foreign_arrays import Arrays
from .foreign_layers import foreign_layers
from .foreign_weights import BUILT_BY_TORCH, arrays_in, family_of, read_weights
from .graph_file import is_frozen_graph, read_frozen_graph
from .head import Head
from .keras_1 import UNNAMED, as_keras_2, as_keras_2_weights, backend_of, is_keras_1
from .keras_json import parse_model, with_board
from .layer_graph import TFJS, LayerGraph, Source
from .located import file_and_config
from .meta_graph import meta_of, read_meta_graph
from .onnx_file import is_onnx_file, read_onnx_graph
from .presets import find_preset, preset_architecture
from .quantised import refuse_quantised
from .saved_model import assign_saved, read_description
from .stored import layers_in, summary
from .tfjs_layers import assign_tfjs, is_tfjs_layers, read_tfjs
from .torch_module import read_module
from .unbuilt import find_input
from .untrusted import refuse_code
from .weights import assign, holds_weights

KERAS_1_CLASSES = frozenset({"Convolution2D", "Merge", "Highway", "MaxoutDense", "Graph"})
# Keras noted its version from 2.0 on; a full-model file without one is of that age.
UNKNOWN_VERSION = "2.0.0"


@dataclass(frozen=True)
class _File:
    """What one file says of itself, before its weights are looked at."""

    path: Path
    kind: str
    keras_version: str
    backend: str
    config: Mapping[str, Any] | None
    training: Mapping[str, Any]
    has_weights: bool = True
    before_1: bool = False
    agent: str | None = None

    @property
    def is_weights_alone(self) -> bool:
        """Whether the file holds Keras' weights and no architecture."""
        return self.config is None and self.has_weights

    def architecture(self, given: Mapping[str, Any] | None, file: h5py.File) -> Mapping[str, Any]:
        """{"class_name", "config"}: what the user gave, else the file's own."""
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

    def of_keras_1(self, file: h5py.File) -> _File:
        """The same with what ran it, by the names of its weights, and a version where the file has none of its own."""
        version = self.keras_version if is_keras_1(self.keras_version) else UNNAMED
        return replace(self, keras_version=version, backend=backend_of(file))

    def is_keras_1(self, architecture: Mapping[str, Any]) -> bool:
        """Whether the file is of Keras 1, by its version or by classes that only that had; of a model in it too."""
        if self.keras_version.startswith("0."):
            return True
        old = any(str(entry.get("class_name")) in KERAS_1_CLASSES for entry in mappings_in(architecture))
        return is_keras_1(self.keras_version) or old


def read_checkpoint(
    path: Path | str,
    *,
    config: Path | str | None = None,
    builder: str | None = None,
    preset: str | None = None,
    board: tuple[int, int] | None = None,
    allow_code: bool = False,
) -> LayerGraph:
    """Read a checkpoint.

    Args:
        path: the .h5, .keras or .weights.h5 file, a folder with one such file and its JSON, or a SavedModel's folder.
        config: JSON or YAML of the architecture (`to_json()`, `to_yaml()` or a bare `get_config()`), for weights-only
            files; without it, the usual names beside the file (net.json, model.json).
        builder: "module:function" or "file.py:function" that returns the Keras model of weights alone, or the
            torch.nn.Module of PyTorch's weights, or (module, shape of a position). It is run.
        preset: the family of networks whose weights these are, a name of `presets.PRESETS`.
        board: (rows, columns), if the network leaves them free or a preset's weights do not determine them.
        allow_code: accept Lambda layers, whose bytecode Keras will then execute.

    Raises:
        CheckpointError: with one sentence, if the file is not a checkpoint that can be read.
        CodeRefused: where it carries code and `allow_code` is false.

    """
    check_options(config, builder, preset, board, allow_code)
    path, config = file_and_config(Path(path), config)
    asked = _Asked(config, builder, preset, board)
    if path.is_dir():
        return _saved_model(path, asked, allow_code)
    whole = read_onnx_graph if is_onnx_file(path) else read_frozen_graph if is_frozen_graph(path) else None
    if whole is not None:
        return _whole(path, asked, whole)
    if is_tfjs_layers(path):
        return _tfjs(path, asked, allow_code)
    if (meta := meta_of(path)) is not None and not _is_of_family(path, asked):
        return _whole(meta, asked, read_meta_graph)
    arrays = arrays_in(path)
    if arrays is not None:
        return _foreign(arrays, path, asked)
    where = f"'{path}'"
    try:
        zipped = hdf5.read_head(path).startswith(hdf5.ZIP_SIGNATURE) and zipfile.is_zipfile(path)
        file, facts = _open_archive(path) if zipped else _open_hdf5(path)
        with file:
            given = _find_architecture(facts, file, asked)
            architecture = facts.architecture(given.architecture, file)
            old = facts.is_keras_1(architecture)
            if old:
                architecture = as_keras_2(architecture, where)
                facts = facts.of_keras_1(file)
            if board is not None:
                architecture = with_board(architecture, board, where)
            model = parse_model(architecture, where)
            refuse_quantised(model, where)
            if given.built is None:
                refuse_code(model, where, allow_code)
                assigned, pairing = assign(model, file, path), None
                assigned = as_keras_2_weights(assigned, model) if old else assigned
            else:  # the code is the user's own and not the file's
                assigned, pairing = pair_weights(given.built, model, file, path)
            source = Source(
                path,
                facts.kind,
                sha256(path),
                facts.keras_version or _version_of(architecture, where),
                architecture,
                facts.backend,
                builder,
                allow_code,
                given.beside,
                facts.agent,
                pairing,
                preset,
            )
            graph = flatten(model, assigned, source, facts.training)
            return (
                graph if given.built is None else replace(graph, outputs=_with_activations(graph.outputs, given.built))
            )
    except (OSError, RuntimeError, KeyError) as error:
        # h5py raises these wherever a damaged file is first touched.
        reason = first_line(error).strip("'\"")[:200] or type(error).__name__
        raise CheckpointError(f"{where} is damaged ({reason}): copy the checkpoint again.") from error


def _whole(path: Path, asked: _Asked, read: Callable[[Path], LayerGraph]) -> LayerGraph:
    """The LayerGraph of a graph of operations, which needs no word about its architecture."""
    if asked.config or asked.builder or asked.preset or asked.board:
        raise CheckpointError(f"'{path}' is whole: leave --config, --builder, --preset and --board out.")
    return read(path)


def _is_of_family(path: Path, asked: _Asked) -> bool:
    """Whether the variables of a TensorFlow 1 checkpoint are of a family that is asked for, or known by its shapes."""
    if asked.preset:
        return True
    try:
        arrays = arrays_in(path)
        return arrays is not None and family_of(foreign_layers(arrays, path)) is not None
    except CheckpointError:
        return False  # its variables are called otherwise than layers call them


def _foreign(arrays: Arrays, path: Path, asked: _Asked) -> LayerGraph:
    """The LayerGraph of weights that Keras did not write: of a family, or of a module that a builder returns."""
    if asked.config or (asked.builder and (asked.preset or arrays.framework not in BUILT_BY_TORCH)):
        leave = "--preset" if asked.preset and not asked.config else "--config and --builder"
        raise CheckpointError(f"'{path}' is of {arrays.framework}: leave {leave} out.")
    if asked.builder:
        return read_module(arrays, path, asked.builder, asked.board)
    return read_weights(foreign_layers(arrays, path), path, asked.preset, asked.board)


def _with_activations(heads: tuple[Head, ...], given: Built) -> tuple[Head, ...]:
    """The heads, completed by Keras for a builder's model, whose own layers nobody else knows."""
    answer = getattr(given.model, "output", None)  # a Sequential model that was built and not called has none
    if not isinstance(answer, (list, tuple)) and len(heads) > 1:
        return heads  # a dict, whose order is not the file's
    shapes = [tuple(output.shape[1:]) for output in given.model.outputs]
    told = given.activations or [head.activation for head in heads]
    return tuple(
        replace(head, shape=() if None in shape else shape, activation=activation)
        for head, shape, activation in zip(heads, shapes, told, strict=True)
    )


@dataclass(frozen=True, eq=False)
class _Given:
    """An architecture that is not in the file; `built` is what a builder made, `beside` the file found unasked."""

    architecture: Mapping[str, Any] | None = None
    built: Built | None = None
    beside: Path | None = None


@dataclass(frozen=True)
class _Asked:
    """What the user says of the architecture; at most one of the first three."""

    config: Path | str | None
    builder: str | None
    preset: str | None
    board: tuple[int, int] | None


def _find_architecture(facts: _File, file: h5py.File, asked: _Asked) -> _Given:
    """The architecture of --preset, --builder or --config, or else the one that lies beside weights alone."""
    path = facts.path
    if asked.preset is not None:
        if asked.builder or asked.config or not facts.is_weights_alone:
            other = "--builder" if asked.builder else "--config" if asked.config else "an architecture in the file"
            raise CheckpointError(f"'{path}': there is {other} besides --preset {asked.preset}: leave --preset out.")
        layers = tuple(layers_in(file, path))
        return _Given(preset_architecture(asked.preset, layers, asked.board, f"'{path}'"))
    if asked.builder is not None:
        builder, board = asked.builder, asked.board
        made = build_model(builder, lambda model: find_input(model, tuple(layers_in(file, path)), board, builder))
        return _Given(made.architecture, made)
    if asked.config is not None:
        return _Given(read_architecture(Path(asked.config), f"'{asked.config}' (--config)"))
    found = architecture_beside(path) if facts.is_weights_alone else None
    return _Given() if found is None else _Given(read_architecture(found, f"'{found}'"), beside=found)


def _saved_model(path: Path, asked: _Asked, allow_code: bool) -> LayerGraph:
    """The LayerGraph of a SavedModel's folder, from what Keras describes and its checkpoint; its graph is unread."""
    where, described = f"'{path}'", read_description(path)
    architecture = described.architecture
    if asked.builder or asked.config or asked.preset:
        raise CheckpointError(f"{where} describes its own layers: leave --builder, --config and --preset out.")
    config = architecture.get("config")
    if not isinstance(config, list) and not (isinstance(config, Mapping) and "layers" in config):
        raise CheckpointError(
            f"{where} is a SavedModel of class '{architecture.get('class_name')}', whose layers Keras leaves unsaid: "
            "load its weights in Python, and give what model.save_weights('net.weights.h5') writes with --builder."
        )
    if asked.board is not None:
        architecture = with_board(architecture, asked.board, where)
    model = parse_model(architecture, where)
    refuse_quantised(model, where)
    refuse_code(model, where, allow_code)
    assigned = assign_saved(model, described, path)
    source = Source(path, "saved_model", sha256(path), described.keras_version, architecture, allow_code=allow_code)
    return flatten(model, assigned, source, described.training)


def _tfjs(path: Path, asked: _Asked, allow_code: bool) -> LayerGraph:
    """The LayerGraph of a layers model of TF.js, whose topology is Keras' own."""
    where, read = f"'{path}'", read_tfjs(path)
    if asked.builder or asked.config or asked.preset:
        raise CheckpointError(f"{where} describes its own layers: leave --builder, --config and --preset out.")
    architecture = with_board(read.architecture, asked.board, where) if asked.board else read.architecture
    model = parse_model(architecture, where)
    refuse_quantised(model, where)
    refuse_code(model, where, allow_code)
    assigned = assign_tfjs(model, read, where)
    source = Source(path, TFJS, read.sha256, read.keras_version, architecture, allow_code=allow_code)
    return flatten(model, assigned, source, {})


def _open_archive(path: Path) -> tuple[h5py.File, _File]:
    """The weights of a .keras file, read into memory, and its JSON."""
    where = f"'{path}'"
    with hdf5.open_archive(path) as archive:
        names = set(archive.namelist())
        if not {"config.json", "model.weights.h5"} <= names:
            hdf5.check_signature(path)  # says that it is a zip of another kind
        try:
            config = json_object(hdf5.member(archive, "config.json"), f"{where}: config.json")
            told = hdf5.member(archive, "metadata.json") if "metadata.json" in names else b"{}"
            metadata = json_object(told, f"{where}: metadata.json")
            weights = hdf5.hdf5_in_memory(hdf5.member(archive, "model.weights.h5"), f"{where}: model.weights.h5")
        except hdf5.BAD_ZIP as error:
            raise CheckpointError(
                f"{where} is a damaged .keras archive ({first_line(error)[:200]}): copy it again."
            ) from error
    version = version_of(metadata.get("keras_version") or "3.0.0", where)
    training = config.get("compile_config") or {}
    return weights, _File(path, "keras", version, "tensorflow", config, training if isinstance(training, dict) else {})


def _open_hdf5(path: Path) -> tuple[h5py.File, _File]:
    """An .h5 file, with or without an architecture, and its attributes."""
    where, file = f"'{path}'", hdf5.open_hdf5(path)
    root = hdf5.network_root(file, path)
    attributes = Attributes(root, where)
    holders = (attributes, Attributes(hdf5.weights_in(root, where), where))

    def text_of(name: str, default: str = "") -> str:
        return next((holder.text(name) for holder in holders if name in holder), default)

    # Neither Keras 3 nor tf.keras notes its version in a .weights.h5: the architecture may.
    noted = any(name in holder for name in ("layer_names", "layer_names0") for holder in holders)
    default = UNKNOWN_VERSION if noted else ""
    config, training = text_of("model_config"), text_of("training_config")
    told = any("model_config" in holder for holder in holders)
    return file, _File(
        path,
        "h5" if told else "weights",
        version_of(text_of("keras_version", default), where),
        text_of("backend", "tensorflow"),
        json_object(config, f"{where}: model_config") if told else None,
        json_object(training, f"{where}: training_config") if training else {},
        has_weights=noted or holds_weights(root, where),
        before_1="nb_layers" in attributes or "nb_layers" in holders[1],
        agent=hdf5.agent_of(file, where),
    )


def _version_of(architecture: Mapping[str, Any], where: str) -> str:
    """The Keras version that wrote an architecture; a bare one shows it by the spelling of an input's shape."""
    told = version_of(architecture.get("keras_version"), where)
    return told or ("2.12.0" if "batch_input_shape" in json.dumps(architecture) else "3.0.0")
