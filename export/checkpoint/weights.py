"""Which stored weights belong to which layer, for each way in which Keras has stored them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ...errors import CheckpointError
from .hdf5 import LegacyWeights, PathWeights
from .keras_json import LayerConfig, ModelConfig
from .layer_graph import Array

Stored = list[tuple[str, Array]]
Assigned = dict[int, Stored]  # by id(LayerConfig)

_KERNEL_AND_BIAS = ("kernel", "bias")
WEIGHT_NAMES: dict[str, tuple[str, ...]] = {
    "Conv1D": _KERNEL_AND_BIAS,
    "Conv2D": _KERNEL_AND_BIAS,
    "Conv2DTranspose": _KERNEL_AND_BIAS,
    "Dense": _KERNEL_AND_BIAS,
    "DepthwiseConv2D": ("depthwise_kernel", "bias"),
    "SeparableConv2D": ("depthwise_kernel", "pointwise_kernel", "bias"),
    "BatchNormalization": ("gamma", "beta", "moving_mean", "moving_variance"),
    "PReLU": ("alpha",),
}
_SWITCHES = {"bias": "use_bias", "gamma": "scale", "beta": "center"}
_NOT_TRAINED = frozenset({"moving_mean", "moving_variance"})


def weight_names(layer: LayerConfig) -> tuple[str, ...] | None:
    """Keras' short names of a layer's weights in its own order, None where the class is not known here."""
    if layer.kind not in WEIGHT_NAMES:
        return None
    return tuple(name for name in WEIGHT_NAMES[layer.kind] if layer.config.get(_SWITCHES.get(name, ""), True))


def named(layer: LayerConfig, stored: Stored, where: str) -> dict[str, Array]:
    """A layer's weights by short name; CheckpointError where a count is wrong or a value is not finite."""
    names = weight_names(layer)
    if names is None:
        names = tuple(str(index) for index in range(len(stored)))
    if len(names) != len(stored):
        raise CheckpointError(
            f"{where}: layer '{layer.name}' ({layer.kind}) needs {len(names)} weights ({', '.join(names)}) and "
            f"{len(stored)} are stored: the weights belong to another architecture."
        )
    result = {name: values for name, (_, values) in zip(names, stored, strict=True)}
    for name, values in result.items():
        _check_values(layer, name, values, where)
    return result


def _check_values(layer: LayerConfig, name: str, values: Array, where: str) -> None:
    if values.dtype.kind not in "fiub":
        raise CheckpointError(f"{where}: '{name}' of layer '{layer.name}' is not numeric: save the model again.")
    if not np.isfinite(values).all():
        raise CheckpointError(
            f"{where}: '{name}' of layer '{layer.name}' holds NaN or infinity: "
            "the training diverged, export an earlier checkpoint."
        )


def assign_legacy(model: ModelConfig, store: LegacyWeights, where: str) -> Assigned:
    """Weights of a Keras 2 style file, by layer name, or by order where the names are others.

    Keras itself goes by order; names come first here because they also hold where a layer
    without weights was inserted, and both agree in every file that Keras can load.
    """
    with_weights = [layer for layer in model.layers if _has_weights(layer)]
    groups = {name: store.of(name) for name in store.layer_names}
    filled = [name for name in store.layer_names if groups[name]]
    if not all(layer.name in filled for layer in with_weights if _certainly_weighted(layer)):
        with_weights = [layer for layer in with_weights if _certainly_weighted(layer)]
        if len(with_weights) != len(filled):
            raise CheckpointError(
                f"{where}: the architecture has {len(with_weights)} layers with weights and the file {len(filled)}: "
                "they belong to different networks; give the matching --config or --builder."
            )
        pairs: Iterable[tuple[LayerConfig, str]] = zip(with_weights, filled, strict=True)
    else:
        pairs = ((layer, layer.name) for layer in with_weights)
    result: Assigned = {}
    for layer, name in pairs:
        stored = groups.get(name, [])
        result.update(_spread(layer.model, stored, where) if layer.model else {id(layer): stored})
    return result


def _has_weights(layer: LayerConfig) -> bool:
    return layer.kind != "InputLayer"


def _certainly_weighted(layer: LayerConfig) -> bool:
    leaves = layer.model.leaves() if layer.model else [layer]
    return any(weight_names(leaf) for leaf in leaves)


def _spread(model: ModelConfig, stored: Stored, where: str) -> Assigned:
    """The one flat list that a nested model's weights are stored as, back to its layers."""
    leaves = [leaf for leaf in model.leaves() if leaf.kind != "InputLayer"]
    by_name = {id(leaf): _mentioning(leaf.name, stored) for leaf in leaves}
    if all(len(by_name[id(leaf)]) == len(weight_names(leaf) or by_name[id(leaf)]) for leaf in leaves):
        return by_name
    return _spread_by_order(leaves, stored, where)


def _mentioning(layer: str, stored: Stored) -> Stored:
    return [(name, values) for name, values in stored if layer in name.split("/")[:-1]]


def _spread_by_order(leaves: Sequence[LayerConfig], stored: Stored, where: str) -> Assigned:
    """Keras lists what is trained of every layer first, then what is not."""
    slots = [(leaf, name) for leaf in leaves for name in weight_names(leaf) or () if _trained(leaf, name)]
    slots += [(leaf, name) for leaf in leaves for name in weight_names(leaf) or () if not _trained(leaf, name)]
    if len(slots) != len(stored):
        raise CheckpointError(
            f"{where}: a model inside the model needs {len(slots)} weights and {len(stored)} are stored: "
            "the weights belong to another architecture."
        )
    found = {(id(leaf), name): values for (leaf, name), (_, values) in zip(slots, stored, strict=True)}
    return {id(leaf): [(name, found[id(leaf), name]) for name in weight_names(leaf) or ()] for leaf in leaves}


def _trained(leaf: LayerConfig, name: str) -> bool:
    return name not in _NOT_TRAINED and bool(leaf.config.get("trainable", True))


def assign_by_path(model: ModelConfig, store: PathWeights) -> Assigned:
    """Weights of a .keras or .weights.h5 file, which number the layers of each class."""
    layers = [layer for layer in model.layers if not layer.kind.startswith("ops.")]
    keys = store.keys([(_stored_class(layer), layer.name) for layer in layers])
    result: Assigned = {}
    for layer, key in zip(layers, keys, strict=True):
        if layer.model:
            result.update(assign_by_path(layer.model, store.nested(key)))
        else:
            result[id(layer)] = store.of(key)
    return result


def _stored_class(layer: LayerConfig) -> str:
    return layer.kind.rsplit(">", 1)[-1]
