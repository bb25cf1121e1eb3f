"""Weights put into a Keras model layer by layer, where Keras' own reader of the file will not."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from typing import Any

import h5py

from ...errors import CheckpointError
from ..checkpoint import hdf5
from ..checkpoint.keras_json import LayerConfig, ModelConfig, parse_model
from ..checkpoint.layer_graph import Source
from ..checkpoint.weights import FLIPPED_BY_THEANO, Assigned, assign


def set_from_file(model: Any, source: Source) -> None:
    """Set every weight of a Keras model from the file; CheckpointError where they do not fit."""
    tree = parse_model(source.config, f"'{source.path}'")
    with _weights_file(source) as file:
        assigned = assign(tree, file, source.path)
    _set(model, tree, assigned, source)


def _weights_file(source: Source) -> h5py.File:
    if not zipfile.is_zipfile(source.path):
        return hdf5.open_hdf5(source.path)
    with zipfile.ZipFile(source.path) as archive:
        return hdf5.hdf5_in_memory(hdf5.member(archive, "model.weights.h5"), f"'{source.path}'")


def _set(model: Any, tree: ModelConfig, assigned: Assigned, source: Source) -> None:
    """Layers are paired by order: a builder that runs twice may name them differently."""
    written = [layer for layer in tree.layers if layer.kind != "InputLayer" and not layer.kind.startswith("ops.")]
    built = [layer for layer in model.layers if type(layer).__name__ != "InputLayer"]
    if len(written) != len(built):
        raise CheckpointError(
            f"'{source.path}': the architecture lists {len(written)} layers and Keras built {len(built)}: "
            "rebuild the network with --builder MODULE:FUNCTION."
        )
    for entry, layer in zip(written, built, strict=True):
        if entry.model:
            _set(layer, entry.model, assigned, source)
        else:
            _set_layer(layer, entry, assigned, source)


def _set_layer(layer: Any, entry: LayerConfig, assigned: Assigned, source: Source) -> None:
    values = [values for _, values in assigned.get(id(entry), [])]
    shapes = [tuple(weight.shape) for weight in layer.weights]
    if [tuple(value.shape) for value in values] != shapes:
        raise CheckpointError(
            f"'{source.path}': layer '{entry.name}' needs weights of shapes {shapes} and the file holds "
            f"{[tuple(value.shape) for value in values]}: give the matching --config or --builder."
        )
    layer.set_weights(values)


def flip_theano_kernels(model: Any) -> None:
    """Turn the kernels of a model's 2-D convolutions by half a turn: Theano convolves, the others correlate."""
    for layer in _leaves(model):
        if type(layer).__name__ in FLIPPED_BY_THEANO:
            kernel, *rest = layer.get_weights()
            layer.set_weights([kernel[::-1, ::-1], *rest])


def _leaves(model: Any) -> Iterator[Any]:
    for layer in model.layers:
        if getattr(layer, "layers", None):
            yield from _leaves(layer)
        else:
            yield layer
