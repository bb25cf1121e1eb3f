"""Loads a checkpoint into Keras itself: tf_keras or Keras 3, as the file requires."""

from __future__ import annotations

import json
import os
import sys
import warnings
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py

from ...errors import AzxError, CheckpointError
from ...system.temporary import temporary_folder
from ..checkpoint import hdf5
from ..checkpoint.builder import BY_ORDER, build_model, family_of, fill, known_suffix
from ..checkpoint.keras_1 import as_keras_2_weights, is_keras_1
from ..checkpoint.keras_json import ModelConfig, input_shape, parse_model
from ..checkpoint.layer_graph import TFJS, Source
from ..checkpoint.saved_model import assign_saved, read_description
from ..checkpoint.tfjs_layers import assign_tfjs, read_tfjs
from ..checkpoint.untrusted import refuse_code
from ..checkpoint.weights import FLIPPED_BY_THEANO, Assigned, assign
from .adapted import halves, patch_config, refuse_modules

_OPERATIONS = frozenset({"TFOpLambda", "SlicingOpLambda", "ClassMethod", "InputLayer"})


@dataclass(frozen=True)
class KerasModel:
    """A Keras model with the checkpoint's weights; `notes` lists deviations from plain loading.

    `runtime` names the Keras that runs it and its TensorFlow ("tf_keras 2.21.0, TensorFlow 2.21.0").
    """

    model: Any
    runtime: str
    notes: tuple[str, ...] = ()


def load(source: Source) -> KerasModel:
    """The checkpoint as a Keras model, not compiled, since custom losses, metrics and optimizers do not matter here.

    Raises CheckpointError if neither Keras can load it (a custom layer), CodeRefused if loading would run code that
    `source.allow_code` does not allow.
    """
    if source.builder:
        return _build(source, source.builder)
    where = f"'{source.path}'"
    refuse_code(parse_model(source.config, where), where, source.allow_code)
    if not source.allow_code:
        refuse_modules(source.config, where)
    notes = ["computed in float32 where the file says float16"] if halves(source.config) else []
    first, second = ("keras", "tf_keras") if keras_major(source) >= 3 else ("tf_keras", "keras")
    try:
        return _load(source, first, notes)
    except AzxError:
        raise
    except Exception as error:  # Keras raises whatever its layers raise
        try:
            return _load(source, second, [*notes, f"{first} could not load the file, {second} did"])
        except Exception:  # report the error of the first Keras, which the file asks for
            raise CheckpointError(_refusal(source, error)) from error


def _build(source: Source, builder: str) -> KerasModel:
    """The user's own model, unchanged (even in float16), with every weight of the file in it."""
    made = build_model(builder, lambda _: _noted_input(source))
    with _weights_of(source) as file:
        try:
            how = fill(made.inner, file, source.path)
            notes = [] if how == BY_ORDER else [f"weights paired by Keras {how}"]
        except CheckpointError:
            if made.is_opaque:
                raise
            set_from_file(made.model, source)
            notes = ["weights set one by one: Keras' own load_weights does not pair them"]
    return KerasModel(made.model, _runtime(family_of(made.inner)), (*notes, *_flip_kernels(made.inner, source)))


def _noted_input(source: Source) -> tuple[int, ...]:
    """The input's shape, without the batch, from the architecture."""
    shape = input_shape(parse_model(source.config, f"'{source.path}'").layers[0].config) or []
    return tuple(size for size in shape[1:] if size is not None)


def keras_major(source: Source) -> int:
    """2 or 3: the Keras that wrote the architecture, which may show more than a file of weights does."""
    written = source.config.get("keras_version")
    if written is None and "batch_input_shape" in json.dumps(source.config):  # Keras 3 writes batch_shape
        return 2
    return int(str(written or source.keras_version).split(".")[0])


def _load(source: Source, family: str, notes: list[str]) -> KerasModel:
    load_one = _load_archive if source.kind == "keras" else _load_config
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model, more = load_one(source, _keras(family))
    return KerasModel(model, _runtime(family), (*notes, *more))


def _keras(family: str) -> Any:
    """The module tf_keras or keras, the latter on TensorFlow."""
    if family == "tf_keras":
        import tf_keras

        return tf_keras
    if "keras" not in sys.modules:
        os.environ["KERAS_BACKEND"] = "tensorflow"
    import keras

    if keras.backend.backend() != "tensorflow":
        raise CheckpointError(
            f"Keras 3 runs on {keras.backend.backend()} here and the reference needs TensorFlow: "
            "set KERAS_BACKEND=tensorflow."
        )
    return keras


def _runtime(family: str) -> str:
    import tensorflow as tf

    return f"{family} {_keras(family).__version__}, TensorFlow {tf.__version__}"


def _known_names(keras: Any) -> dict[str, Callable[..., Any]]:
    """Names that files use and Keras does not know.

    Keras 3: the class of a model in a file without modules. tf_keras: activations that authors gave to a layer as
    TensorFlow functions.
    """
    import tensorflow as tf

    if keras.__name__ == "keras":
        return {"Functional": keras.Model, "Sequential": keras.Sequential}
    names = ("relu6", "leaky_relu", "silu", "log_softmax", "softmax_v2")
    return {name: getattr(tf.nn, name.removesuffix("_v2")) for name in names}


def _load_config(source: Source, keras: Any) -> tuple[Any, list[str]]:
    """The architecture from the (patched) JSON, the weights from the HDF5 file, like Keras' load_model."""
    entry = patch_config(source.config)
    if source.allow_code and keras.__name__ == "tf_keras":
        keras.__internal__.enable_unsafe_deserialization()
    with keras.utils.custom_object_scope(_known_names(keras)):
        if isinstance(entry["config"], list):
            model = keras.Sequential.from_config(entry["config"])
        elif "module" in entry:
            model = keras.saving.deserialize_keras_object(entry, safe_mode=not source.allow_code)
        else:
            model = keras.models.model_from_json(json.dumps(entry))
    return model, _load_weights(model, source)


def _load_weights(model: Any, source: Source) -> list[str]:
    if source.framework:
        tree = parse_model(source.config, f"'{source.path}'")
        from ..checkpoint.foreign.weights import assign_foreign

        assigned = assign_foreign(tree, source.path)
        for layer in tree.layers:
            if id(layer) in assigned:
                model.get_layer(layer.name).set_weights([values for _, values in assigned[id(layer)]])
        return [
            f"Keras ran the layers of {source.preset} with the file's weights; what wrote them ({source.framework}) "
            "was not asked"
        ]
    if source.kind == TFJS:
        set_from_file(model, source)
        return ["Keras ran the topology with the file's weights; TensorFlow.js was not asked"]
    if source.kind == "saved_model":
        set_from_file(model, source)
        return []
    if is_keras_1(source.keras_version):
        set_from_file(model, source)
        return [
            "Keras ran the layers of Keras 1 in its own words; Keras 1 was not asked",
            *_flip_kernels(model, source),
        ]
    try:
        with _weights_of(source) as file, known_suffix(file, source.path) as path:
            model.load_weights(str(path))
        notes = []
    except Exception as error:  # Keras raises whatever its layers raise
        set_from_file(model, source)
        notes = [f"weights set one by one: Keras' own load_weights failed ({type(error).__name__})"]
    return [*notes, *_flip_kernels(model, source)]


def _flip_kernels(model: Any, source: Source) -> list[str]:
    """Rotate the kernels by half a turn if Keras wrote the file on Theano; returns a note about it."""
    if source.backend != "theano":
        return []
    flip_theano_kernels(model)
    return ["convolution kernels of a Theano file flipped"]


def _load_archive(source: Source, keras: Any) -> tuple[Any, list[str]]:
    """A .keras file, loaded through a copy with the patched architecture."""
    with temporary_folder("keras") as folder:
        copy = Path(folder, "model.keras")
        with zipfile.ZipFile(source.path) as old, zipfile.ZipFile(copy, "w") as new:
            ours = {
                "config.json": json.dumps(patch_config(source.config)).encode(),
                "model.weights.h5": hdf5.with_slashes(old.read("model.weights.h5"), f"'{source.path}'"),
            }
            for name in old.namelist():
                new.writestr(name, ours[name] if name in ours else old.read(name))
        safe, names = not source.allow_code, _known_names(keras)
        try:
            model = keras.saving.load_model(copy, custom_objects=names, compile=False, safe_mode=safe)
        except Exception:  # tf.keras 2.12 and 2.13 gave the groups of weights other names
            model = keras.saving.deserialize_keras_object(
                patch_config(source.config), custom_objects=names, safe_mode=safe
            )
            set_from_file(model, source)
            return model, ["weights set one by one: Keras' own load_model failed"]
    return model, []


def _refusal(source: Source, error: Exception) -> str:
    """The sentence about a file that neither Keras loads; a class that both lack explains more than their errors."""
    known: Mapping[str, Any] = {**vars(_keras("tf_keras").layers), **vars(_keras("keras").layers)}
    for leaf in parse_model(source.config, f"'{source.path}'").leaves():
        if leaf.kind not in known and leaf.kind not in _OPERATIONS and not leaf.kind.startswith("ops."):
            return (
                f"'{source.path}': layer '{leaf.name}' is of class '{leaf.kind}', which no Keras here knows: "
                "rebuild the network with --builder MODULE:FUNCTION, whose module defines that class."
            )
    reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:200].rstrip(".")
    return (
        f"'{source.path}' cannot be loaded by Keras ({reason}): "
        "rebuild the network with --builder MODULE:FUNCTION, or save it again from the version that wrote it."
    )


def set_from_file(model: Any, source: Source) -> None:
    """Set every weight of a Keras model from the file, if Keras' own reader fails.

    Raises CheckpointError if the weights do not fit.
    """
    tree = parse_model(source.config, f"'{source.path}'")
    if source.kind == TFJS:
        assigned = assign_tfjs(tree, read_tfjs(source.path), f"'{source.path}'")
    elif source.kind == "saved_model":
        assigned = assign_saved(tree, read_description(source.path), source.path)
    else:
        with _weights_of(source) as file:
            assigned = assign(tree, file, source.path)
        assigned = as_keras_2_weights(assigned, tree) if is_keras_1(source.keras_version) else assigned
    _set(model, tree, assigned, source)


def _weights_of(source: Source) -> h5py.File:
    """The HDF5 file with the weights, which a .keras archive contains."""
    if not zipfile.is_zipfile(source.path):
        return hdf5.open_hdf5(source.path)
    with zipfile.ZipFile(source.path) as archive:
        return hdf5.hdf5_in_memory(hdf5.member(archive, "model.weights.h5"), f"'{source.path}'")


def _set(model: Any, tree: ModelConfig, assigned: Assigned, source: Source) -> None:
    """Set the weights; layers are paired by order, because a builder that runs twice may give them other names."""
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
            continue
        values = [values for _, values in assigned.get(id(entry), [])]
        shapes = [tuple(weight.shape) for weight in layer.weights]
        if [tuple(value.shape) for value in values] != shapes:
            raise CheckpointError(
                f"'{source.path}': layer '{entry.name}' needs weights of shapes {shapes} and the file holds "
                f"{[tuple(value.shape) for value in values]}: give the matching --config or --builder."
            )
        layer.set_weights(values)


def flip_theano_kernels(model: Any) -> None:
    """Rotate the kernels of a model's 2-D convolutions by half a turn: Theano convolves, the others correlate."""
    for layer in model.layers:
        if getattr(layer, "layers", None):
            flip_theano_kernels(layer)
        elif type(layer).__name__ in FLIPPED_BY_THEANO:
            kernel, *rest = layer.get_weights()
            layer.set_weights([kernel[::-1, ::-1], *rest])
