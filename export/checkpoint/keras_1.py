"""Files of Keras 1: translates their layers and kernels to the form of Keras 2.

Keras 1 wrote nb_filter, nb_row and border_mode where Keras 2 writes filters, kernel_size and padding, and had one Merge
with many modes. With dim_ordering "th" it stored kernels in Theano's order, (filters, channels, rows, columns). The
weights' names show which backend ran it: TensorFlow's end with ":0".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import h5py
import numpy as np

from ...errors import CheckpointError
from .keras_json import MODEL_CLASSES, ModelConfig
from .layer_graph import Array
from .weights import Assigned

Config = Mapping[str, Any]
UNNAMED = "1.2"
_LAYOUTS = {"th": "channels_first", "tf": "channels_last", "default": "channels_last"}
_MERGES = {"sum": "Add", "mul": "Multiply", "ave": "Average", "max": "Maximum"}
_KEPT = ("name", "trainable", "batch_input_shape")


class _Unknown(ValueError):  # noqa: N818 - what it is, and the caller makes a sentence of it
    """A layer that Keras 2 cannot express; the message is a clause about it."""


def is_keras_1(version: str) -> bool:
    """Whether a version belongs to Keras 1."""
    return version.startswith("1.")


def as_keras_2(entry: Config, where: str) -> dict[str, Any]:
    """{"class_name", "config"} of a Keras 1 model in the form of Keras 2.

    CheckpointError, which names the layer, if Keras 2 cannot express it.
    """
    try:
        return _model(entry)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        reason = str(error) if isinstance(error, _Unknown) else f"{type(error).__name__} in its architecture"
        raise CheckpointError(
            f"{where} was written by Keras 1, and {reason[:200]}: load it with Keras 2.0 to 2.3 and save it again from "
            "there."
        ) from error


def as_keras_2_weights(assigned: Assigned, model: ModelConfig) -> Assigned:
    """The weights of each layer with kernels (rows, columns, channels, filters), the order of Keras 2."""
    turned = {
        id(layer)
        for layer in model.leaves()
        if layer.kind == "Conv2D" and layer.config.get("data_format") == "channels_first"
    }
    return {
        layer: [(name, _turned(array) if layer in turned else array) for name, array in stored]
        for layer, stored in assigned.items()
    }


def backend_of(root: h5py.Group) -> str:
    """The backend of the Keras 1 that wrote the weights, by their names: theano or tensorflow."""
    names: list[str] = []
    root.visit(names.append)
    weights = [name for name in names if name.rpartition("_")[2].partition(":")[0] in ("W", "b", "gamma", "beta")]
    return "tensorflow" if not weights or any(name.endswith(":0") for name in weights) else "theano"


def _turned(array: Array) -> Array:
    return np.transpose(array, (2, 3, 1, 0)) if array.ndim == 4 else array


def _model(entry: Config) -> dict[str, Any]:
    kind, config = str(entry["class_name"]), entry["config"]
    if kind == "Sequential":
        layers = config if isinstance(config, list) else config["layers"]
        return {"class_name": kind, "config": [_layer(layer) for layer in layers]}
    if kind not in MODEL_CLASSES:
        raise _Unknown(f"its model is of class '{kind[:60]}'")
    layers = [{**_layer(layer), **_place(layer)} for layer in config["layers"]]
    return {"class_name": "Model", "config": {**config, "layers": layers}}


def _place(layer: Config) -> dict[str, Any]:
    return {key: layer[key] for key in ("name", "inbound_nodes") if key in layer}


def _layer(entry: Config) -> dict[str, Any]:
    kind, config = str(entry["class_name"]), entry["config"]
    if kind in MODEL_CLASSES:
        return {**_model(entry), "name": entry.get("name")}
    if kind not in _WORDS:
        raise _Unknown(f"its layer '{str(config.get('name'))[:60]}' is of class '{kind[:60]}'")
    named, words = _WORDS[kind](config)
    unchanged = {key: config[key] for key in _KEPT if key in config}
    unchanged |= {"dtype": config["input_dtype"]} if config.get("input_dtype") else {}
    return {"class_name": named, "config": {**unchanged, **words}}


def _layout(config: Config) -> str:
    return _LAYOUTS[config.get("dim_ordering", "default")]


def _conv(config: Config) -> tuple[str, Config]:
    return "Conv2D", {
        "filters": config["nb_filter"],
        "kernel_size": [config["nb_row"], config["nb_col"]],
        "strides": list(config.get("subsample", (1, 1))),
        "padding": config.get("border_mode", "valid"),
        "data_format": _layout(config),
        "activation": config.get("activation", "linear"),
        "use_bias": config.get("bias", True),
    }


def _dense(config: Config) -> tuple[str, Config]:
    return "Dense", {
        "units": config["output_dim"],
        "activation": config.get("activation", "linear"),
        "use_bias": config.get("bias", True),
    }


def _norm(config: Config) -> tuple[str, Config]:
    if config.get("mode", 0) != 0:
        raise _Unknown(f"its batch norm '{str(config.get('name'))[:60]}' is of mode {config['mode']}, by each batch")
    return "BatchNormalization", {
        "axis": config.get("axis", -1),
        "epsilon": config["epsilon"],
        "momentum": config.get("momentum", 0.99),
    }


def _merge(config: Config) -> tuple[str, Config]:
    mode = config.get("mode")
    if config.get("layers"):
        raise _Unknown(f"its layer '{str(config.get('name'))[:60]}' merges models within it")
    if mode == "concat":
        return "Concatenate", {"axis": config.get("concat_axis", -1)}
    if mode not in _MERGES:
        raise _Unknown(f"its layer '{str(config.get('name'))[:60]}' merges by '{str(mode)[:60]}'")
    return _MERGES[mode], {}


def _pool(kind: str) -> Callable[[Config], tuple[str, Config]]:
    return lambda config: (
        kind,
        {
            "pool_size": list(config["pool_size"]),
            "strides": list(config.get("strides") or config["pool_size"]),
            "padding": config.get("border_mode", "valid"),
            "data_format": _layout(config),
        },
    )


def _padding(config: Config) -> tuple[str, Config]:
    sides = config["padding"]
    if isinstance(sides, Mapping):
        sides = [sides[f"{side}_pad"] for side in ("top", "bottom", "left", "right")]
    both = [sides[:2], sides[2:]] if len(sides) == 4 else [[side, side] for side in sides]
    return "ZeroPadding2D", {"padding": both, "data_format": _layout(config)}


def _same(kind: str, *keys: str) -> Callable[[Config], tuple[str, Config]]:
    return lambda config: (kind, {key: config[key] for key in keys if key in config})


_WORDS: dict[str, Callable[[Config], tuple[str, Config]]] = {
    "InputLayer": _same("InputLayer"),
    "Convolution2D": _conv,
    "Dense": _dense,
    "BatchNormalization": _norm,
    "Merge": _merge,
    "MaxPooling2D": _pool("MaxPooling2D"),
    "AveragePooling2D": _pool("AveragePooling2D"),
    "GlobalAveragePooling2D": lambda config: ("GlobalAveragePooling2D", {"data_format": _layout(config)}),
    "GlobalMaxPooling2D": lambda config: ("GlobalMaxPooling2D", {"data_format": _layout(config)}),
    "ZeroPadding2D": _padding,
    "Activation": _same("Activation", "activation"),
    "Flatten": _same("Flatten"),
    "Reshape": _same("Reshape", "target_shape"),
    "Permute": _same("Permute", "dims"),
    "RepeatVector": _same("RepeatVector", "n"),
    "LeakyReLU": _same("LeakyReLU", "alpha"),
    "ELU": _same("ELU", "alpha"),
    "Dropout": lambda config: ("Dropout", {"rate": config.get("p", 0.5)}),
}
