"""Assigns stored weights to layers, for each way in which Keras has stored them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import h5py
import numpy as np

from ...errors import CheckpointError
from .door.attributes import Attributes
from .door.contents import child, datasets_in, has, values
from .door.limits import Budget, bytes_on_disk
from .hdf5 import LAYER_CONTAINERS, LegacyWeights, PathWeights, network_root, weights_in
from .keras_json import LayerConfig, ModelConfig
from .layer_graph import Array
from .quantised import quantised_clause
from .weight_shapes import find_misfit

NamedWeights = list[tuple[str, Array]]
Assigned = dict[int, NamedWeights]  # by id(LayerConfig)

_KERNEL, _ATTENTION = ("kernel", "bias"), ("query", "key", "value", "output")
_RECURRENT = ("kernel", "recurrent_kernel", "bias")
WEIGHT_NAMES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("Conv1D", "Conv2D", "Conv2DTranspose", "Dense"), _KERNEL),
    **dict.fromkeys(("Conv3D", "Conv1DTranspose"), _KERNEL),
    **dict.fromkeys(("DepthwiseConv1D", "DepthwiseConv2D"), ("depthwise_kernel", "bias")),
    **dict.fromkeys(("SeparableConv1D", "SeparableConv2D"), ("depthwise_kernel", "pointwise_kernel", "bias")),
    "BatchNormalization": ("gamma", "beta", "moving_mean", "moving_variance"),
    "PReLU": ("alpha",),
    **dict.fromkeys(
        ("MultiHeadAttention", "GroupQueryAttention"),
        tuple(f"{part}_{name}" for part in _ATTENTION for name in _KERNEL),
    ),
    **dict.fromkeys(("GRU", "LSTM", "SimpleRNN"), _RECURRENT),
}
# Layers within a layer, in the order in which Keras lists their weights.
_INNER: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("MultiHeadAttention", "GroupQueryAttention"), tuple(f"{part}_dense" for part in _ATTENTION)),
    "Bidirectional": ("forward_layer/cell", "backward_layer/cell"),
    **dict.fromkeys(("GRU", "LSTM", "SimpleRNN", "ConvLSTM2D"), ("cell",)),
    **dict.fromkeys(("TimeDistributed", "SpectralNormalization"), ("layer",)),
}
# Theano convolves where the others correlate: in files from Keras on Theano these kernels are rotated by half a turn.
FLIPPED_BY_THEANO = frozenset({"Conv2D", "Conv2DTranspose"})
_SWITCHES = {"bias": "use_bias", "gamma": "scale", "beta": "center"}
_SWITCHES |= {f"{part}_bias": "use_bias" for part in _ATTENTION}
_NOT_TRAINED = frozenset({"moving_mean", "moving_variance"})


def weight_names(layer: LayerConfig) -> tuple[str, ...] | None:
    """Keras' short names for a layer's weights, in its own order; None if the class is unknown here."""
    if layer.kind not in WEIGHT_NAMES:
        return None
    return tuple(name for name in WEIGHT_NAMES[layer.kind] if layer.config.get(_SWITCHES.get(name, ""), True))


def name_weights(layer: LayerConfig, stored: NamedWeights, where: str) -> dict[str, Array]:
    """A layer's weights by short name, in the file's dtype; by "0", "1", ... for a kind not in WEIGHT_NAMES.

    Raises CheckpointError if the count is wrong, or if a weight has a wrong shape, is quantised or is not finite.
    """
    names = weight_names(layer)
    if names is not None and (quantised := quantised_clause(stored)):
        raise CheckpointError(f"{where}: layer '{layer.name}' ({layer.kind}): {quantised}.")
    if names is None:
        names = tuple(str(index) for index in range(len(stored)))
    if len(names) != len(stored):
        raise CheckpointError(
            f"{where}: layer '{layer.name}' ({layer.kind}) needs {len(names)} weights ({', '.join(names)}) and "
            f"{len(stored)} are stored: the weights belong to another architecture."
        )
    result = {name: array for name, (_, array) in zip(names, stored, strict=True)}
    if misfit := find_misfit(layer.kind, layer.config, result):
        name, sizes = misfit
        needed = ", ".join("any" if size is None else str(size) for size in sizes) + ("," if len(sizes) == 1 else "")
        raise CheckpointError(
            f"{where}: '{name}' of layer '{layer.name}' ({layer.kind}) is of shape {result[name].shape}, and the layer "
            f"needs ({needed}): the weights belong to another architecture."
        )
    if problem := find_unsound(layer.name, layer.kind, result):
        raise CheckpointError(f"{where}: {problem}")
    return result


def find_unsound(name: str, kind: str, weights: Mapping[str, Array]) -> str | None:
    """The fault of a layer's numbers, as the rest of a sentence; None if each weight has values and all are finite."""
    for weight, array in weights.items():
        if 0 in array.shape:
            return (
                f"'{weight}' of layer '{name}' ({kind}) is of shape {array.shape}, without a value: "
                "the weights belong to another architecture."
            )
        if not np.isfinite(array).all():
            return (
                f"'{weight}' of layer '{name}' holds NaN or infinity: "
                "the training diverged, export an earlier checkpoint."
            )
    return None


def assign(model: ModelConfig, file: h5py.File, path: Path) -> Assigned:
    """The weights of each layer, in whichever way the file stores them; CheckpointError if they do not fit."""
    file = network_root(file, path)
    legacy = LegacyWeights(file, path)
    if legacy.layer_names:
        return _assign_legacy(model, legacy, f"'{path}'")
    if any(has(file, name, f"'{path}'") for name in LAYER_CONTAINERS):
        return _assign_by_path(model, PathWeights(file, path))
    raise CheckpointError(f"'{path}' holds no Keras weights: give the .h5 or .keras file that Keras saved.")


def has_layer_names(file: h5py.File, path: Path) -> bool:
    """Whether weights have the form of Keras 2, and not numbered groups."""
    return bool(LegacyWeights(network_root(file, path), path).layer_names)


def holds_weights(root: h5py.Group, where: str) -> bool:
    """Whether Keras 3 or tf.keras wrote weights here by path, even for a model without a list of layers."""
    return any(has(root, name, where) for name in LAYER_CONTAINERS) or next(_by_path(root, where), None) is not None


def stored_values(file: h5py.File, path: Path) -> Iterator[Array]:
    """Every weight of the network in a file, of known and unknown layers, in the file's dtype; no optimizer's.

    Raises CheckpointError if one cannot be read or is not numeric.
    """
    where = f"'{path}'"
    root, budget = network_root(file, path), Budget(bytes_on_disk(path), where)
    for name in _of_layers(root, path) if has_layer_names(file, path) else _by_path(root, where):
        yield values(root, name, where, budget)


def _of_layers(root: h5py.Group, path: Path) -> Iterator[str]:
    """Keras 2: the weights that each layer lists, and the model's own, which are apart from the layers'."""
    where = f"'{path}'"
    folder = "model_weights/" if weights_in(root, where) is not root else ""
    layers = LegacyWeights(root, path).layer_names
    for layer in (*layers, *(["top_level_model_weights"] if "top_level_model_weights" not in layers else [])):
        if has(root, f"{folder}{layer}", where):
            listed = Attributes(child(root, f"{folder}{layer}", where), where)
            yield from (f"{folder}{layer}/{name}" for name in listed.texts("weight_names"))


def _by_path(root: h5py.Group, where: str) -> Iterator[str]:
    """Keras 3: .../vars/<i>, except the state of dropout's random numbers, which is not a weight."""
    for name, _ in datasets_in(root, where):
        *folders, holder, _ = ("", *name.split("/"))
        if holder == "vars" and folders[1:2] != ["optimizer"] and folders[-1] != "seed_generator":
            yield name


def _assign_legacy(model: ModelConfig, store: LegacyWeights, where: str) -> Assigned:
    """Weights of a Keras 2 style file, by layer name, or by order if the names differ.

    Keras itself uses the order. Names come first here, because they still hold after a layer without weights was
    inserted. Both agree in every file that Keras can load.
    """
    with_weights = [layer for layer in model.layers if layer.kind != "InputLayer"]
    groups = {name: store.of(name) for name in store.layer_names}
    filled = [name for name in store.layer_names if groups[name]]
    known = set(filled)
    pairs: Iterable[tuple[LayerConfig, str]] = [(layer, layer.name) for layer in with_weights]
    if not all(layer.name in known for layer in with_weights if _has_weights(layer)):
        with_weights = [layer for layer in with_weights if _has_weights(layer)]
        if len(with_weights) != len(filled):
            raise CheckpointError(
                f"{where}: the architecture has {len(with_weights)} layers with weights and the file {len(filled)}: "
                "they belong to different networks; give the matching --config or --builder."
            )
        pairs = zip(with_weights, filled, strict=True)
    result: Assigned = {}
    for layer, name in pairs:
        stored = groups.get(name, [])
        result.update(spread(layer.model, stored, where) if layer.model else {id(layer): stored})
    return result


def _has_weights(layer: LayerConfig) -> bool:
    leaves = layer.model.leaves() if layer.model else [layer]
    return any(weight_names(leaf) for leaf in leaves)


def spread(model: ModelConfig, stored: NamedWeights, where: str) -> Assigned:
    """A nested model's weights, which are stored as one flat list, distributed to its layers.

    The layer's name in the weight's name (tower/conv/kernel:0) decides if all weights have one. Some versions omit it;
    then the order decides. Keras lists the trained weights of every layer first, and the others (moving averages,
    frozen layers) after them.
    """
    leaves = [leaf for leaf in model.leaves() if leaf.kind != "InputLayer"]
    by_folder: dict[str, NamedWeights] = {}
    for name, array in stored:
        for folder in dict.fromkeys(name.split("/")[:-1]):
            by_folder.setdefault(folder, []).append((name, array))
    by_name: Assigned = {id(leaf): by_folder.get(leaf.name, []) for leaf in leaves}
    if all(len(by_name[id(leaf)]) == len(weight_names(leaf) or by_name[id(leaf)]) for leaf in leaves):
        return by_name
    slots = [(leaf, name) for leaf in leaves for name in weight_names(leaf) or ()]
    # Weights that are not trained go last; the sort is stable, so the order stays otherwise.
    slots.sort(key=lambda slot: slot[1] in _NOT_TRAINED or not slot[0].config.get("trainable", True))
    if len(slots) != len(stored):
        raise CheckpointError(
            f"{where}: a model inside the model needs {len(slots)} weights and {len(stored)} are stored: "
            "the weights belong to another architecture."
        )
    by_slot = {(id(leaf), name): values for (leaf, name), (_, values) in zip(slots, stored, strict=True)}
    return {id(leaf): [(name, by_slot[id(leaf), name]) for name in weight_names(leaf) or ()] for leaf in leaves}


def _assign_by_path(model: ModelConfig, store: PathWeights) -> Assigned:
    """The weights of a .keras or .weights.h5 file, which numbers the layers of each class."""
    layers = [layer for layer in model.layers if not layer.kind.startswith("ops.")]
    # A registered class is written package>Name; the file numbers it by its name alone.
    keys = store.keys([(layer.kind.rsplit(">", 1)[-1], layer.name) for layer in layers])
    result: Assigned = {}
    for layer, key in zip(layers, keys, strict=True):
        if layer.model:
            result.update(_assign_by_path(layer.model, store.model_at(key)))
        else:
            result[id(layer)] = store.of(key, _INNER.get(layer.kind, ()))
    return result
