"""Read a Keras checkpoint of any age into a LayerGraph, with h5py and JSON only.

Nothing in the file is executed: no pickle, no Lambda bytecode, no custom class, no graph. It reads full-model .h5,
.keras, SavedModels that Keras described, and weights-only .h5 (with the architecture from JSON, YAML, a builder
function or a preset).
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import h5py

from ....errors import CheckpointError, first_line
from .. import hdf5
from ..architecture import architecture_beside, read_architecture
from ..asked import check_options
from ..builder import BuiltModel, build_model, pair_weights
from ..digest import sha256
from ..flatten import flatten
from ..head import Head
from ..keras_1 import as_keras_2, as_keras_2_weights
from ..keras_json import ModelConfig, parse_model, with_board
from ..layer_graph import TFJS, LayerGraph, Source
from ..located import file_and_config
from ..presets.table import preset_architecture
from ..quantised import refuse_quantised
from ..saved_model import assign_saved, read_description
from ..stored import layers_in
from ..tfjs_layers import assign_tfjs, is_tfjs_layers, read_tfjs
from ..unbuilt import find_input
from ..untrusted import refuse_code
from ..weights import assign
from .keras_file import KerasFile, open_archive, open_hdf5, version_in

if TYPE_CHECKING:
    from ..foreign.arrays import Arrays


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
        builder: "module:function" or "file.py:function", which is run. It returns the Keras model of weights alone, or
            the torch.nn.Module of PyTorch's weights, or (module, shape of a position).
        preset: the family to which the weights belong, a name of `presets.PRESETS`.
        board: (rows, columns), if the network leaves them free or a preset's weights do not determine them.
        allow_code: accept Lambda layers, whose bytecode Keras will then execute.

    Raises:
        CheckpointError: with one sentence, if the file is not a checkpoint that can be read.
        CodeRefused: the file contains code and `allow_code` is false.

    """
    check_options(config, builder, preset, board, allow_code)
    path, config = file_and_config(Path(path), config)
    asked = _ArchitectureOptions(config, builder, preset, board)
    if path.is_dir():
        return _saved_model(path, asked, allow_code)
    if not hdf5.read_head(path).startswith(hdf5.HDF5_SIGNATURE):
        other = _of_other_frameworks(path, asked, allow_code)
        if other is not None:
            return other
    where = f"'{path}'"
    try:
        zipped = hdf5.read_head(path).startswith(hdf5.ZIP_SIGNATURE) and zipfile.is_zipfile(path)
        file, facts = open_archive(path) if zipped else open_hdf5(path)
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
            else:  # the code comes from the user, not from the file
                assigned, pairing = pair_weights(given.built, model, file, path)
            source = Source(
                path,
                facts.kind,
                sha256(path),
                facts.keras_version or version_in(architecture, where),
                architecture,
                facts.backend,
                builder,
                allow_code,
                given.beside,
                facts.agent,
                pairing,
                preset,
                encoding=facts.encoding,
            )
            graph = flatten(model, assigned, source, facts.training)
            return (
                graph if given.built is None else replace(graph, outputs=_with_activations(graph.outputs, given.built))
            )
    except (OSError, RuntimeError, KeyError) as error:
        # h5py raises these errors wherever it first reads a damaged part.
        reason = first_line(error).strip("'\"")[:200] or type(error).__name__
        raise CheckpointError(f"{where} is damaged ({reason}): copy the checkpoint again.") from error


def _of_other_frameworks(path: Path, asked: _ArchitectureOptions, allow_code: bool) -> LayerGraph | None:
    """The LayerGraph of a file that Keras did not write; None if Keras may have written it.

    The readers are imported here, since an export of Keras' own file needs none of them.
    """
    from ..foreign.weights import arrays_in
    from ..graphs.frozen import is_frozen_graph, read_frozen_graph
    from ..graphs.meta import meta_of, read_meta_graph
    from ..onnx.file import is_onnx_file, read_onnx_graph

    whole = read_onnx_graph if is_onnx_file(path) else read_frozen_graph if is_frozen_graph(path) else None
    if whole is not None:
        return _whole(path, asked, whole)
    if is_tfjs_layers(path):
        return _tfjs(path, asked, allow_code)
    if (meta := meta_of(path)) is not None and not _is_of_family(path, asked):
        return _whole(meta, asked, read_meta_graph)
    arrays = arrays_in(path)
    return None if arrays is None else _foreign(arrays, path, asked)


def _whole(path: Path, asked: _ArchitectureOptions, read: Callable[[Path], LayerGraph]) -> LayerGraph:
    """The LayerGraph of a graph of operations, which needs no options about its architecture."""
    if asked.config or asked.builder or asked.preset or asked.board:
        raise CheckpointError(f"'{path}' is whole: leave --config, --builder, --preset and --board out.")
    return read(path)


def _is_of_family(path: Path, asked: _ArchitectureOptions) -> bool:
    """Whether the user named a family, or a TensorFlow 1 checkpoint's variables have the shapes of one."""
    from ..foreign.layers import foreign_layers
    from ..foreign.weights import arrays_in, family_of

    if asked.preset:
        return True
    try:
        arrays = arrays_in(path)
        return arrays is not None and family_of(foreign_layers(arrays, path)) is not None
    except CheckpointError:
        return False  # its variables do not have the names that layers give


def _foreign(arrays: Arrays, path: Path, asked: _ArchitectureOptions) -> LayerGraph:
    """The LayerGraph of weights that Keras did not write: of a family, or of a module that a builder returns."""
    from ..foreign.layers import foreign_layers
    from ..foreign.torch_module import read_module
    from ..foreign.weights import BUILT_BY_TORCH, read_weights

    if asked.config or (asked.builder and (asked.preset or arrays.framework not in BUILT_BY_TORCH)):
        leave = "--preset" if asked.preset and not asked.config else "--config and --builder"
        raise CheckpointError(f"'{path}' is of {arrays.framework}: leave {leave} out.")
    if asked.builder:
        return read_module(arrays, path, asked.builder, asked.board)
    return read_weights(foreign_layers(arrays, path), path, asked.preset, asked.board)


def _with_activations(heads: tuple[Head, ...], given: BuiltModel) -> tuple[Head, ...]:
    """The heads, with Keras' activations for a builder's model, whose own layers azx does not know."""
    answer = getattr(given.model, "output", None)  # a Sequential model that was built but not called lacks it
    if not isinstance(answer, (list, tuple)) and len(heads) > 1:
        return heads  # a dict, whose order differs from the file's
    shapes = [tuple(output.shape[1:]) for output in given.model.outputs]
    activations = given.activations or [head.activation for head in heads]
    return tuple(
        replace(head, shape=() if None in shape else shape, activation=activation)
        for head, shape, activation in zip(heads, shapes, activations, strict=True)
    )


@dataclass(frozen=True, eq=False)
class _GivenArchitecture:
    """An architecture from outside the file.

    `built` is a builder's result, `beside` a file that azx found by itself.
    """

    architecture: Mapping[str, Any] | None = None
    built: BuiltModel | None = None
    beside: Path | None = None


@dataclass(frozen=True)
class _ArchitectureOptions:
    """The user's options about the architecture; at most one of the first three."""

    config: Path | str | None
    builder: str | None
    preset: str | None
    board: tuple[int, int] | None


def _find_architecture(facts: KerasFile, file: h5py.File, asked: _ArchitectureOptions) -> _GivenArchitecture:
    """The architecture from --preset, --builder or --config, else from a file beside weights alone."""
    path = facts.path
    if asked.preset is not None:
        if asked.builder or asked.config or not facts.is_weights_alone:
            other = "--builder" if asked.builder else "--config" if asked.config else "an architecture in the file"
            raise CheckpointError(f"'{path}': there is {other} besides --preset {asked.preset}: leave --preset out.")
        layers = tuple(layers_in(file, path))
        return _GivenArchitecture(preset_architecture(asked.preset, layers, asked.board, f"'{path}'"))
    if asked.builder is not None:
        builder, board = asked.builder, asked.board
        made = build_model(builder, lambda model: find_input(model, tuple(layers_in(file, path)), board, builder))
        return _GivenArchitecture(made.architecture, made)
    if asked.config is not None:
        return _GivenArchitecture(read_architecture(Path(asked.config), f"'{asked.config}' (--config)"))
    beside = architecture_beside(path) if facts.is_weights_alone else None
    return (
        _GivenArchitecture()
        if beside is None
        else _GivenArchitecture(read_architecture(beside, f"'{beside}'"), beside=beside)
    )


def _saved_model(path: Path, asked: _ArchitectureOptions, allow_code: bool) -> LayerGraph:
    """The LayerGraph of a SavedModel's folder, from Keras' description and its checkpoint; the graph is not read."""
    where, described = f"'{path}'", read_description(path)
    config = described.architecture.get("config")
    if not isinstance(config, list) and not (isinstance(config, Mapping) and "layers" in config):
        raise CheckpointError(
            f"{where} is a SavedModel of class '{described.architecture.get('class_name')}', whose layers Keras leaves "
            "unsaid: load its weights in Python, and give what model.save_weights('net.weights.h5') writes with "
            "--builder."
        )
    architecture, model = _own_layers(described.architecture, asked, allow_code, where)
    source = Source(path, "saved_model", sha256(path), described.keras_version, architecture, allow_code=allow_code)
    return flatten(model, assign_saved(model, described, path), source, described.training)


def _tfjs(path: Path, asked: _ArchitectureOptions, allow_code: bool) -> LayerGraph:
    """The LayerGraph of a layers model of TF.js, whose topology is Keras' own."""
    where, read = f"'{path}'", read_tfjs(path)
    architecture, model = _own_layers(read.architecture, asked, allow_code, where)
    source = Source(path, TFJS, read.sha256, read.keras_version, architecture, allow_code=allow_code)
    return flatten(model, assign_tfjs(model, read, where), source, {})


def _own_layers(
    architecture: Mapping[str, Any], asked: _ArchitectureOptions, allow_code: bool, where: str
) -> tuple[Mapping[str, Any], ModelConfig]:
    """The architecture that a file describes itself, with the board that the user gave, and its layers."""
    if asked.builder or asked.config or asked.preset:
        raise CheckpointError(f"{where} describes its own layers: leave --builder, --config and --preset out.")
    if asked.board is not None:
        architecture = with_board(architecture, asked.board, where)
    model = parse_model(architecture, where)
    refuse_quantised(model, where)
    refuse_code(model, where, allow_code)
    return architecture, model
