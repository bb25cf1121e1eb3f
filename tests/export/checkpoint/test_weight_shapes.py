"""A weight of another shape than its layer's configuration makes is told when the file is read, with file and layer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from azx.bundle.inspect import inspect_checkpoint
from azx.errors import CheckpointError
from azx.export.checkpoint.keras_json import LayerConfig
from azx.export.checkpoint.read import read_checkpoint
from azx.export.checkpoint.weights import WEIGHT_NAMES, name_weights
from azx.export.network.simplify import shapes

Shapes = Mapping[str, tuple[int, ...]]
CONV: dict[str, Any] = {"filters": 8, "kernel_size": [3, 2]}
DEEP: dict[str, Any] = {"kernel_size": 3, "depth_multiplier": 2}
LINE: dict[str, Any] = {"batch_input_shape": [None, 6, 4]}
DEPTH: dict[str, Any] = {"batch_input_shape": [None, 4, 6, 7, 2]}
VECTORS = {"gamma": (4,), "beta": (4,), "moving_mean": (4,), "moving_variance": (4,)}
SOUND: dict[str, tuple[dict[str, Any], Shapes]] = {
    "Dense": ({"units": 5}, {"kernel": (4, 5), "bias": (5,)}),
    "Conv2D": (CONV, {"kernel": (3, 2, 4, 8), "bias": (8,)}),
    "Conv2DTranspose": (CONV, {"kernel": (3, 2, 8, 4), "bias": (8,)}),
    "DepthwiseConv2D": (DEEP, {"depthwise_kernel": (3, 3, 4, 2), "bias": (8,)}),
    "SeparableConv2D": (
        {**DEEP, "filters": 5},
        {"depthwise_kernel": (3, 3, 4, 2), "pointwise_kernel": (1, 1, 8, 5), "bias": (5,)},
    ),
    "Conv3D": ({**DEPTH, "filters": 8, "kernel_size": [3, 2, 1]}, {"kernel": (3, 2, 1, 2, 8), "bias": (8,)}),
    "Conv1DTranspose": ({**LINE, "filters": 8, "kernel_size": [3]}, {"kernel": (3, 8, 4), "bias": (8,)}),
    "DepthwiseConv1D": ({**LINE, **DEEP}, {"depthwise_kernel": (3, 4, 2), "bias": (8,)}),
    "SeparableConv1D": (
        {**LINE, **DEEP, "filters": 5},
        {"depthwise_kernel": (3, 4, 2), "pointwise_kernel": (1, 8, 5), "bias": (5,)},
    ),
    "GRU": ({**LINE, "units": 3}, {"kernel": (4, 9), "recurrent_kernel": (3, 9), "bias": (2, 9)}),
    "LSTM": ({**LINE, "units": 3}, {"kernel": (4, 12), "recurrent_kernel": (3, 12), "bias": (12,)}),
    "SimpleRNN": ({**LINE, "units": 3}, {"kernel": (4, 3), "recurrent_kernel": (3, 3), "bias": (3,)}),
    "BatchNormalization": ({"axis": -1}, VECTORS),
    "PReLU": ({"shared_axes": [1, 2]}, {"alpha": (1, 1, 4)}),
}

ATTENTION: dict[str, tuple[dict[str, Any], Shapes]] = {
    "MultiHeadAttention": (
        {"num_heads": 2, "key_dim": 3, "value_dim": 5},
        {
            **{"query_kernel": (4, 2, 3), "query_bias": (2, 3), "key_kernel": (4, 2, 3), "key_bias": (2, 3)},
            **{"value_kernel": (4, 2, 5), "value_bias": (2, 5), "output_kernel": (2, 5, 4), "output_bias": (4,)},
        },
    ),
    "GroupQueryAttention": (
        {"num_query_heads": 4, "num_key_value_heads": 2, "head_dim": 3},
        {
            **{"query_kernel": (8, 4, 3), "query_bias": (4, 3), "key_kernel": (8, 2, 3), "key_bias": (2, 3)},
            **{"value_kernel": (8, 2, 3), "value_bias": (2, 3), "output_kernel": (4, 3, 8), "output_bias": (8,)},
        },
    ),
}


def checkpoint(folder: Path, kind: str, config: Mapping[str, Any], weights: Shapes) -> Path:
    """A full model of one layer that reads (6, 7, 4)."""
    own = {"name": "the_layer", "batch_input_shape": [None, 6, 7, 4], **config}
    with h5py.File(folder / "net.h5", "w") as file:
        model = {"class_name": "Sequential", "config": [{"class_name": kind, "config": own}]}
        file.attrs.update(keras_version="2.2.4", backend="tensorflow", model_config=json.dumps(model))
        root = file.create_group("model_weights")
        root.attrs["layer_names"] = [b"the_layer"]
        group = root.create_group("the_layer")
        group.attrs["weight_names"] = [f"{name}:0".encode() for name in weights]
        for name, shape in weights.items():
            group[f"{name}:0"] = np.ones(shape, np.float32)
    return folder / "net.h5"


def spoiled() -> list[Any]:
    """Every weight of every layer with another size on each of its axes, and with an axis more."""
    cases = []
    for kind, (config, weights) in SOUND.items():
        for name, shape in weights.items():
            others = [(*shape[:at], size + 3, *shape[at + 1 :]) for at, size in enumerate(shape)]
            cases += [pytest.param(kind, config, {**weights, name: other}) for other in (*others, (*shape, 2))]
    return cases


@pytest.mark.parametrize("kind", SOUND)
def test_weights_of_their_own_shapes_are_read(kind: str, tmp_path: Path) -> None:
    config, weights = SOUND[kind]
    graph = read_checkpoint(checkpoint(tmp_path, kind, config, weights))
    assert {name: array.shape for name, array in graph.calls[0].layer.weights.items()} == weights
    assert "the_layer" in shapes(graph)


def test_every_class_with_weights_of_a_known_name_is_tried() -> None:
    assert set(SOUND) | {"Conv1D", *ATTENTION} == set(WEIGHT_NAMES)


@pytest.mark.parametrize("kind", ATTENTION)
def test_each_weight_of_attention_has_the_shape_of_its_heads(kind: str) -> None:
    config, weights = ATTENTION[kind]
    layer = LayerConfig("reader", kind, config, ())
    stored = {name: np.ones(shape, np.float32) for name, shape in weights.items()}
    assert list(name_weights(layer, list(stored.items()), "'net.h5'")) == list(weights)
    for name, shape in weights.items():
        # The first size of a kernel is that of the features that it reads, which its input tells.
        for at in range(name.endswith("kernel") and not name.startswith("output"), len(shape)):
            other = np.ones((*shape[:at], shape[at] + 3, *shape[at + 1 :]), np.float32)
            with pytest.raises(CheckpointError, match="another architecture"):
                name_weights(layer, list({**stored, name: other}.items()), "'net.h5'")


@pytest.mark.parametrize(("kind", "config", "weights"), spoiled())
def test_a_weight_of_another_shape_is_told_by_inspect_with_file_and_layer(
    kind: str, config: dict[str, Any], weights: Shapes, tmp_path: Path
) -> None:
    path = checkpoint(tmp_path, kind, config, weights)
    with pytest.raises(CheckpointError, match="another architecture") as caught:
        inspect_checkpoint(path)
    said = str(caught.value)
    assert said.startswith(f"'{path}': ")
    assert "layer 'the_layer'" in said
    assert "\n" not in said


def test_the_sentence_names_the_weight_with_both_shapes(tmp_path: Path) -> None:
    config, weights = SOUND["Conv2D"]
    path = checkpoint(tmp_path, "Conv2D", config, {**weights, "bias": (3,)})
    with pytest.raises(CheckpointError) as caught:
        read_checkpoint(path)
    assert str(caught.value) == (
        f"'{path}': 'bias' of layer 'the_layer' (Conv2D) is of shape (3,), and the layer needs (8,): "
        "the weights belong to another architecture."
    )


@pytest.mark.parametrize(
    ("weights", "sound"),
    [
        ({"kernel": (3, 4, 8), "bias": (8,)}, True),
        ({"kernel": (3, 4, 8), "bias": (9,)}, False),
        ({"kernel": (5, 4, 8), "bias": (8,)}, False),
        ({"kernel": (3, 4, 7), "bias": (8,)}, False),
    ],
)
def test_conv1d_too_though_it_has_no_canonical_form(weights: Shapes, sound: bool, tmp_path: Path) -> None:
    config = {"filters": 8, "kernel_size": [3], "batch_input_shape": [None, 6, 4]}
    path = checkpoint(tmp_path, "Conv1D", config, weights)
    if sound:
        read_checkpoint(path)
        return
    with pytest.raises(CheckpointError, match="of layer 'the_layer' \\(Conv1D\\) is of shape"):
        read_checkpoint(path)


@pytest.mark.parametrize("kind", ["Dense", "Conv2D", "DepthwiseConv2D", "SeparableConv2D"])
def test_a_configuration_that_leaves_a_size_out_takes_the_kernels(kind: str, tmp_path: Path) -> None:
    config, weights = SOUND[kind]
    less = {key: value for key, value in config.items() if key not in ("filters", "units", "kernel_size")}
    read_checkpoint(checkpoint(tmp_path, kind, less, weights))
    with pytest.raises(CheckpointError, match="'bias' of layer 'the_layer'"):
        read_checkpoint(checkpoint(tmp_path, kind, less, {**weights, "bias": (2,)}))


@pytest.mark.parametrize("kind", [kind for kind in SOUND if kind != "PReLU"])
def test_keras_refuses_the_same_shapes(kind: str, tmp_path: Path) -> None:
    """What azx refuses by a configuration, Keras refuses as it loads; a size that the input tells is not among it."""
    config, weights = SOUND[kind]
    import keras

    own = {name: value for name, value in config.items() if name != "batch_input_shape"}
    layer = getattr(keras.layers, kind).from_config({"name": "the_layer", **own})
    layer.build(config.get("batch_input_shape", (None, 4) if kind == "Dense" else (None, 6, 7, 4)))
    assert [tuple(weight.shape) for weight in layer.weights] == list(weights.values())
    for name, shape in weights.items():
        arrays = [np.ones((shape[0] + 3, *shape[1:]) if own == name else weights[own]) for own in weights]
        with pytest.raises(ValueError, match="shape"):
            layer.set_weights(arrays)
