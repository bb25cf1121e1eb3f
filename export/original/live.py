"""A Keras model in memory: checks that azx can read it, and saves it to a temporary file for reading."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any, Protocol

from ...errors import CheckpointError, first_line

_KERAS = ("keras", "tf_keras")


class LiveModel(Protocol):
    """A Functional or Sequential `keras.Model` or `tf_keras.Model` with its weights."""

    name: str

    def get_config(self) -> Any:
        """The architecture."""

    def get_weights(self) -> Any:
        """The weights."""


def title_of(model: LiveModel) -> str:
    """The model's title where a file's name would be."""
    return f"a Keras model in memory ({model.name})"


def family_of(model: object) -> str | None:
    """The model's package, keras or tf_keras; None if it is not a Keras model."""
    models = (cls.__module__.split(".")[0] for cls in type(model).__mro__ if cls.__name__ == "Model")
    return next((family for family in models if family in _KERAS), None)


def check_model(model: object) -> str:
    """The model's package, keras or tf_keras; CheckpointError if it is not a Keras model."""
    family = family_of(model)
    if family is None:
        kind = type(model).__name__
        raise CheckpointError(
            f"A checkpoint is a path, a shipped network's name or a Keras model, and this is of the type {kind}: "
            "give one of those."
        )
    return family


def save(model: LiveModel, folder: Path, built_elsewhere: bool = False) -> Path:
    """Write the model's architecture and weights to an .h5 file in `folder`; the same model gives the same bytes.

    `built_elsewhere` is true if a builder makes the architecture again, custom classes included. CheckpointError if it
    is not a Keras model, has no input yet, or has classes that only the running program defines.
    """
    family = check_model(model)
    if not built_elsewhere:
        _check_classes(model)
    if not getattr(model, "inputs", None):
        raise CheckpointError(
            f"{title_of(model)} has no input yet: call it once on a batch, or begin it with keras.Input."
        )
    path = folder / f"{re.sub(r'[^A-Za-z0-9_.-]', '_', model.name).lstrip('.') or 'model'}.h5"
    options: dict[str, Any] = {"include_optimizer": False, **({"save_format": "h5"} if family == "tf_keras" else {})}
    saved: Any = model
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            saved.save(path, **options)
    except OSError:
        raise  # a full disk
    except Exception as error:  # Keras passes on any error of a layer
        raise CheckpointError(
            f"{title_of(model)} cannot be saved by Keras ({first_line(error)}): "
            "give the file of its weights with builder='MODULE:FUNCTION', which makes the model."
        ) from error
    return path


def _check_classes(model: Any) -> None:
    """Raise CheckpointError if the model or a layer has a class that is not Keras' own."""
    way = "give the file of its weights with builder='MODULE:FUNCTION', whose module defines that class"
    if not _is_kerass(model):
        raise CheckpointError(
            f"{title_of(model)} is of a class of its own, '{type(model).__name__}', which no file describes: "
            f"build it from Keras' layers as keras.Model(inputs, outputs), or {way}."
        )
    for layer in model._flatten_layers(include_self=False):
        if not _is_kerass(layer):
            raise CheckpointError(
                f"{title_of(model)}: layer '{layer.name}' is of the class '{type(layer).__name__}', "
                f"which is not Keras' own: {way}."
            )


def _is_kerass(item: object) -> bool:
    return type(item).__module__.split(".")[0] in _KERAS
