"""Turns arrays of other frameworks into Keras layers: kinds by names and shapes, kernels in Keras' order.

PyTorch     conv.weight (filters, channels, rows, columns)      fc.weight (units, inputs)
Theano      the same, rotated by half a turn                    (inputs, units)
Keras, TF   (rows, columns, channels, filters)                  (inputs, units)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from ....errors import CheckpointError
from ..layer_graph import Array
from ..preset_spelling import Dialect, StoredLayers
from ..stored import StoredLayer
from .arrays import PICKLED_ARRAYS, TENSORFLOW_1, Arrays

_TORCH = Dialect(epsilon=1e-5, policy="log_softmax", first=True)
_LISTED = Dialect(policy="softmax", first=True)
_TENSORFLOW = Dialect(policy="log_softmax")
# PyTorch's names for the arrays of a batch norm.
_NORM = {"weight": "gamma", "bias": "beta", "running_mean": "moving_mean", "running_var": "moving_variance"}
_KERNELS = (2, 4)
_ORDER = ("kernel", "weight", "gamma", "bias", "beta", "moving_mean", "moving_variance")


@dataclass(frozen=True, eq=False)
class ForeignLayers:
    """Keras layers with their weights, in the file's order; `dialect` names their framework's deviations from Keras."""

    framework: str
    dialect: Dialect
    layers: Mapping[str, tuple[str | None, Mapping[str, Array]]]

    def stored(self, where: str, family: str) -> StoredLayers:
        """The layers in the form that a preset takes."""
        shapes = [
            StoredLayer(name, kind, tuple((weight, array.shape) for weight, array in weights.items()))
            for name, (kind, weights) in self.layers.items()
        ]
        return StoredLayers(where, family, tuple(shapes), self.dialect)


def foreign_layers(arrays: Arrays, path: Path) -> ForeignLayers:
    """The layers from a file's arrays.

    CheckpointError if a list of arrays does not show the order of its kernels' axes.
    """
    values = {name: np.asarray(array) for name, array in arrays.values.items()}
    if arrays.framework == TENSORFLOW_1:
        return ForeignLayers(arrays.framework, _TENSORFLOW, _grouped(values, "/"))
    if arrays.framework == PICKLED_ARRAYS and all(name.isdecimal() for name in values):
        return ForeignLayers(arrays.framework, _LISTED, dict(_listed(list(values.values()), f"'{path}'")))
    layers = _grouped(values, ".")
    return ForeignLayers(arrays.framework, _TORCH, {name: _of_torch(weights) for name, (_, weights) in layers.items()})


def _grouped(values: Mapping[str, Array], separator: str) -> dict[str, tuple[str | None, dict[str, Array]]]:
    """Arrays grouped by the layer with which their names begin."""
    layers: dict[str, dict[str, Array]] = {}
    for name, array in values.items():
        layer, _, weight = name.rpartition(separator)
        if weight != "num_batches_tracked":
            layers.setdefault(layer or name, {})[weight] = array
    # TensorFlow sorts them by name, so a bias would come before its kernel.
    sorted_layers = {name: dict(sorted(weights.items(), key=_place)) for name, weights in layers.items()}
    return {name: (_kind(weights), weights) for name, weights in sorted_layers.items()}


def _place(item: tuple[str, Array]) -> int:
    return _ORDER.index(item[0]) if item[0] in _ORDER else len(_ORDER)


def _kind(weights: Mapping[str, Array]) -> str | None:
    if "moving_mean" in weights:
        return "BatchNormalization"
    return {2: "Dense", 4: "Conv2D"}.get(weights["kernel"].ndim) if "kernel" in weights else None


def _of_torch(weights: Mapping[str, Array]) -> tuple[str | None, dict[str, Array]]:
    """A module's arrays under Keras' names; those of an unknown kind are unchanged."""
    if "running_mean" in weights:
        named = {_NORM[name]: array for name, array in weights.items() if name in _NORM}
        order = ("gamma", "beta", "moving_mean", "moving_variance")
        return "BatchNormalization", {name: named[name] for name in order if name in named}
    kernel = weights.get("weight")
    if kernel is None or kernel.ndim not in _KERNELS or not set(weights) <= {"weight", "bias"}:
        return None, dict(weights)
    turned = {"kernel": kernel.T if kernel.ndim == 2 else kernel.transpose(2, 3, 1, 0)}
    turned |= {"bias": weights["bias"]} if "bias" in weights else {}
    return _kind(turned), turned


def _listed(values: list[Array], where: str) -> Iterator[tuple[str, tuple[str | None, dict[str, Array]]]]:
    """The layers of a list by Keras' `get_weights` or Lasagne's `get_all_param_values`: kernel, bias, kernel, ..."""
    flipped = _is_theanos(values, where)
    at = 0
    while at < len(values):
        name, array = f"layer_{at}", values[at]
        if array.ndim in _KERNELS:
            turned = array[:, :, ::-1, ::-1].transpose(2, 3, 1, 0) if flipped and array.ndim == 4 else array
            weights = {"kernel": turned}
            if at + 1 < len(values) and values[at + 1].ndim == 1:
                weights["bias"] = values[at + 1]
            yield name, (_kind(weights), weights)
            at += len(weights)
        else:
            four = values[at : at + 4]
            names = ("gamma", "beta", "moving_mean", "moving_variance")
            is_norm = len(four) == 4 and {each.shape for each in four} == {array.shape} and array.ndim == 1
            weights = dict(zip(names, four, strict=False)) if is_norm else {"weight": array}
            yield name, (_kind(weights), weights)
            at += len(weights)


def _is_theanos(values: list[Array], where: str) -> bool:
    """Whether the kernels have Theano's order: the axis of the filters has the size of the bias that follows."""
    pairs = [(one.shape, after.shape) for one, after in pairwise(values) if one.ndim == 4 and after.ndim == 1]
    theanos = bool(pairs) and all(kernel[:1] == bias for kernel, bias in pairs)
    keras = bool(pairs) and all(kernel[3:] == bias for kernel, bias in pairs)
    if pairs and theanos == keras:
        raise CheckpointError(
            f"{where} is a list of arrays that does not say how its kernels lie: give the network as ONNX "
            "(docs/other-frameworks.md)."
        )
    return theanos
