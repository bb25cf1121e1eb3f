"""Whole models of Keras 1.2, made by hand: they calculate what Keras 1 did, on TensorFlow and on Theano."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from azx.errors import CheckpointError
from azx.export.checkpoint.read import read_checkpoint
from azx.validate.reference import run_reference
from azx.validate.witness.evaluate import evaluate

Values = NDArray[Any]
random = np.random.default_rng(12)
REST = {"trainable": True, "init": "glorot_uniform", "b_regularizer": None, "activity_regularizer": None}
REST |= {"W_regularizer": {"name": "WeightRegularizer", "l1": 0, "l2": 1e-4}, "W_constraint": None}


def layer(kind: str, name: str, before: list[str], **config: Any) -> dict[str, Any]:
    nodes = [[[each, 0, 0] for each in before]] if before else []
    return {"class_name": kind, "name": name, "config": {"name": name, **config}, "inbound_nodes": nodes}


def conv(name: str, before: str, ordering: str, **more: Any) -> dict[str, Any]:
    sizes = {"nb_filter": 4, "nb_row": 3, "nb_col": 3, "subsample": [1, 1], "border_mode": "same", "bias": True}
    config = {"activation": "linear", "dim_ordering": ordering, **sizes, **REST, **more}
    return layer("Convolution2D", name, [before], **config)


def dense(name: str, before: str, units: int, activation: str) -> dict[str, Any]:
    shape = {"output_dim": units, "input_dim": None, "bias": True, "activation": activation}
    return layer("Dense", name, [before], **shape, **REST)


def architecture(ordering: str, merge: str = "sum", mode: int = 0) -> dict[str, Any]:
    """A residual block, and two heads."""
    axis = 1 if ordering == "th" else -1
    shape = [None, 2, 3, 3] if ordering == "th" else [None, 3, 3, 2]
    norm = {"epsilon": 0.001, "mode": mode, "axis": axis, "momentum": 0.99, "gamma_regularizer": None}
    layers = [
        layer("InputLayer", "board", [], batch_input_shape=shape, input_dtype="float32", sparse=False),
        conv("convolution2d_1", "board", ordering),
        layer("BatchNormalization", "batchnormalization_1", ["convolution2d_1"], **norm),
        layer("Activation", "activation_1", ["batchnormalization_1"], activation="relu", trainable=True),
        conv("convolution2d_2", "activation_1", ordering),
        layer("Merge", "merge_1", ["convolution2d_2", "activation_1"], mode=merge, concat_axis=axis, dot_axes=-1),
        layer("Dropout", "dropout_1", ["merge_1"], p=0.3, trainable=True),
        layer("Flatten", "flatten_1", ["dropout_1"], trainable=True),
        dense("policy", "flatten_1", 9, "softmax"),
        dense("value", "flatten_1", 1, "tanh"),
    ]
    ends = {"input_layers": [["board", 0, 0]], "output_layers": [["policy", 0, 0], ["value", 0, 0]]}
    return {"class_name": "Model", "config": {"name": "model_1", "layers": layers, **ends}}


def written(path: Path, ordering: str, backend: str, entry: Any = None) -> dict[str, list[Values]]:
    """The file as Keras 1.2 wrote it; the weights by layer."""
    end = ":0" if backend == "tensorflow" else ""
    shape = (4, 2, 3, 3) if ordering == "th" else (3, 3, 2, 4)
    inner = (4, 4, 3, 3) if ordering == "th" else (3, 3, 4, 4)
    weights = {
        "convolution2d_1": {"W": random.normal(size=shape) / 4, "b": random.normal(size=4)},
        "batchnormalization_1": {
            **{"gamma": random.normal(size=4), "beta": random.normal(size=4), "running_mean": random.normal(size=4)},
            "running_std": 0.5 + random.random(size=4),
        },
        "convolution2d_2": {"W": random.normal(size=inner) / 6, "b": random.normal(size=4)},
        "policy": {"W": random.normal(size=(36, 9)) / 6, "b": random.normal(size=9)},
        "value": {"W": random.normal(size=(36, 1)) / 6, "b": random.normal(size=1)},
    }
    entry = architecture(ordering) if entry is None else entry
    with h5py.File(path, "w") as file:
        file.attrs["keras_version"] = np.bytes_("1.2.2")
        file.attrs["model_config"] = np.bytes_(json.dumps(entry))
        root = file.create_group("model_weights")
        names = [each["config"]["name"] for each in entry["config"]["layers"]]
        root.attrs["layer_names"] = np.array([name.encode() for name in names])
        for name in names:
            group = root.create_group(name)
            stored = {f"{name}_{key}{end}": value.astype("f4") for key, value in weights.get(name, {}).items()}
            group.attrs["weight_names"] = np.array([each.encode() for each in stored], dtype="S64")
            for each, value in stored.items():
                group[each] = value
    return {name: [value.astype("f4").astype("f8") for value in each.values()] for name, each in weights.items()}


def run_keras_1(w: dict[str, list[Values]], boards: Values, ordering: str, backend: str) -> tuple[Values, Values]:
    x = boards if ordering == "th" else boards.transpose(0, 3, 1, 2)

    def convolve(x: Values, name: str) -> Values:
        kernel = w[name][0] if ordering == "th" else w[name][0].transpose(3, 2, 0, 1)
        kernel = kernel[:, :, ::-1, ::-1] if backend == "theano" else kernel
        windows = sliding_window_view(np.pad(x, [(0, 0), (0, 0), (1, 1), (1, 1)]), (3, 3), axis=(2, 3))
        return np.asarray(np.einsum("nchwij,fcij->nfhw", windows, kernel) + w[name][1].reshape(1, -1, 1, 1))

    gamma, beta, mean, variance = (each.reshape(1, -1, 1, 1) for each in w["batchnormalization_1"])
    y = np.maximum((convolve(x, "convolution2d_1") - mean) / np.sqrt(variance + 1e-3) * gamma + beta, 0)
    y = convolve(y, "convolution2d_2") + y
    flat = (y if ordering == "th" else y.transpose(0, 2, 3, 1)).reshape(len(y), -1)
    logits = np.exp(flat @ w["policy"][0] + w["policy"][1])
    return logits / logits.sum(axis=1, keepdims=True), np.tanh(flat @ w["value"][0] + w["value"][1])


@pytest.mark.parametrize(
    ("ordering", "backend"), [("tf", "tensorflow"), ("th", "tensorflow"), ("th", "theano"), ("tf", "theano")]
)
def test_a_model_of_keras_1_calculates_what_it_did(ordering: str, backend: str, tmp_path: Path) -> None:
    weights = written(tmp_path / "net.h5", ordering, backend)
    graph = read_checkpoint(tmp_path / "net.h5")
    assert (graph.source.keras_version, graph.source.backend) == ("1.2.2", backend)
    boards = random.integers(0, 2, size=(6, 2, 3, 3) if ordering == "th" else (6, 3, 3, 2)).astype(np.float64)
    expected = run_keras_1(weights, boards, ordering, backend)
    for found, wanted in zip(evaluate(graph, {"board": boards}).values(), expected, strict=True):
        np.testing.assert_allclose(found, wanted, atol=1e-9)
    asked = run_reference(graph, {"board": boards.astype(np.float32)})
    assert "Keras 1 was not asked" in " ".join(asked.notes)
    for found, wanted in zip(asked.outputs.values(), expected, strict=True):
        np.testing.assert_allclose(found, wanted, atol=1e-5)


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (architecture("tf", merge="cos"), "'merge_1' merges by 'cos'"),
        (architecture("tf", mode=2), "batch norm 'batchnormalization_1' is of mode 2"),
    ],
)
def test_what_keras_2_has_no_word_for_is_named(entry: Any, said: str, tmp_path: Path) -> None:
    written(tmp_path / "net.h5", "tf", "tensorflow", entry)
    with pytest.raises(CheckpointError, match=said):
        read_checkpoint(tmp_path / "net.h5")


def test_a_class_that_keras_2_lacks_is_named(tmp_path: Path) -> None:
    entry = architecture("tf")
    entry["config"]["layers"][3]["class_name"] = "MaxoutDense"
    written(tmp_path / "net.h5", "tf", "tensorflow", entry)
    with pytest.raises(CheckpointError, match="'activation_1' is of class 'MaxoutDense'"):
        read_checkpoint(tmp_path / "net.h5")
