"""Weights for a builder with layers of its own: paired by Keras where azx cannot, and every weight accounted for."""

from __future__ import annotations

import importlib
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from azx.errors import CheckpointError
from azx.export.checkpoint.read import read_checkpoint
from azx.export.original.loader import load

pytestmark = [
    pytest.mark.filterwarnings("ignore:You are saving your model as an HDF5 file:UserWarning"),
    pytest.mark.filterwarnings("ignore:__array__ implementation doesn't accept a copy keyword:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:Layer 'block:UserWarning"),
]
FEED = np.random.default_rng(2).normal(size=(3, 4, 5, 2)).astype(np.float32)

# A layer with weights of its own, and one with layers inside.
OWN_LAYERS = """
import FAMILY as keras
import tensorflow as tf

class Scale(keras.layers.Layer):
    def build(self, shape):
        self.scale = self.add_weight(shape=(shape[-1],), name="scale")

    def call(self, x):
        return x * self.scale

class Block(keras.layers.Layer):
    def __init__(self, filters, **rest):
        super().__init__(**rest)
        self.filters = filters
        self.conv = keras.layers.Conv2D(filters, 3, padding="same", use_bias=False)
        self.norm = keras.layers.BatchNormalization()

    def build(self, shape):
        self.conv.build(shape)
        self.norm.build((*shape[:-1], self.filters))
        self.built = True

    def call(self, x, training=None):
        return tf.nn.relu(x + self.norm(self.conv(x), training=training))

    def get_config(self):
        return {**super().get_config(), "filters": self.filters}

def make(filters=6):
    k = keras.layers
    board = k.Input((4, 5, 2), name="board")
    x = Block(filters)(k.Conv2D(filters, 3, padding="same")(board))
    x = k.Flatten()(Block(filters)(Scale()(x)))
    heads = [k.Dense(7, activation="softmax", name="pi")(x), k.Dense(1, activation="tanh", name="v")(x)]
    return keras.Model(board, heads)

def wider():
    return make(7)

def shorter():
    k = keras.layers
    board = k.Input((4, 5, 2), name="board")
    x = k.Flatten()(Block(6)(k.Conv2D(6, 3, padding="same")(board)))
    return keras.Model(board, [k.Dense(7, name="pi")(x), k.Dense(1, name="v")(x)])
"""


@pytest.fixture(params=["tf_keras", "keras"])
def own(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, str]:
    """A network with layers of its own, seeded, and the name of the module that builds it."""
    module = f"azx_own_layers_{request.param}"
    (tmp_path / f"{module}.py").write_text(OWN_LAYERS.replace("FAMILY", request.param))
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    built = importlib.import_module(module)
    importlib.import_module(request.param).backend.clear_session()  # layers are numbered from 1 again
    model = built.make()
    random = np.random.default_rng(1)
    model.set_weights([random.uniform(0.01, 0.1, weight.shape) for weight in model.get_weights()])
    return model, module


def save(model: Any, path: Path) -> None:
    whole = path.name == "whole.h5"
    (model.save if whole else model.save_weights)(str(path))


@pytest.mark.parametrize("name", ["whole.h5", "net.weights.h5"])
def test_layers_of_the_builders_own_are_paired_by_keras(
    name: str, own: tuple[Any, str], tmp_path: Path, export_checkpoint: Any, by_tensorflow: Any
) -> None:
    model, module = own
    save(model, tmp_path / name)
    done = export_checkpoint(tmp_path / name, builder=f"{module}:make", batch=None)
    assert done.graph.parameters == model.count_params()
    wanted = [np.asarray(answer) for answer in model(FEED)]
    for one, other in zip(wanted, load(done.graph.source).model(FEED), strict=True):
        np.testing.assert_array_equal(one, np.asarray(other))
    answers = by_tensorflow(done.frozen, done.named({"board": FEED}))
    np.testing.assert_allclose(answers["policy_head"], wanted[0], atol=1e-6)
    np.testing.assert_allclose(answers["value_head"], wanted[1], atol=1e-6)
    if name == "net.weights.h5":
        assert done.graph.source.pairing == "by Keras' own load_weights, in the order of the layers"


def test_a_name_that_keras_does_not_know_is_read_all_the_same(own: tuple[Any, str], tmp_path: Path) -> None:
    model, module = own
    save(model, tmp_path / "net.weights.h5")
    (tmp_path / "net.weights.h5").rename(tmp_path / "best.pth.tar")
    loaded = load(read_checkpoint(tmp_path / "best.pth.tar", builder=f"{tmp_path / module}.py:make").source)
    assert loaded.notes == ()
    np.testing.assert_array_equal(np.asarray(loaded.model(FEED)[0]), np.asarray(model(FEED)[0]))


@pytest.mark.parametrize("own", ["tf_keras"], indirect=True)
def test_layers_in_another_order_are_paired_by_name(own: tuple[Any, str], tmp_path: Path) -> None:
    model, module = own
    path = tmp_path / "whole.h5"
    save(model, path)
    with h5py.File(path, "r+") as file:
        weights = file["model_weights"]
        weights.attrs["layer_names"] = list(weights.attrs["layer_names"])[::-1]
    import tf_keras

    tf_keras.backend.clear_session()  # the layers have the names of before
    graph = read_checkpoint(path, builder=f"{module}:make")
    assert graph.parameters == model.count_params()
    tf_keras.backend.clear_session()
    loaded = load(graph.source)
    assert loaded.notes == ("weights paired by Keras by the layers' names",)
    np.testing.assert_array_equal(np.asarray(loaded.model(FEED)[0]), np.asarray(model(FEED)[0]))


@pytest.mark.parametrize("function", ["wider", "shorter"])
@pytest.mark.parametrize("name", ["whole.h5", "net.weights.h5"])
def test_weights_of_another_network_are_refused(name: str, function: str, own: tuple[Any, str], tmp_path: Path) -> None:
    model, module = own
    save(model, tmp_path / name)
    with pytest.raises(CheckpointError, match="Keras' own load_weights does not pair them either") as error:
        read_checkpoint(tmp_path / name, builder=f"{module}:{function}")
    assert "\n" not in str(error.value)
    assert str(error.value).startswith(f"'{tmp_path / name}'")


@pytest.mark.whole
def test_a_file_of_python_is_named_by_its_path(
    own: tuple[Any, str], tmp_path: Path, azx: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    model, module = own
    save(model, tmp_path / "net.weights.h5")
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (tmp_path / f"{module}.py").rename(folder / "hand.py")
    shown = azx("inspect", "net.weights.h5", "--builder", "elsewhere/hand.py:make", "--json")
    assert shown.returncode == 0, shown.stderr
    data = json.loads(shown.stdout)
    assert [(head["role"], head["shape"]) for head in data["heads"]] == [("value", [1]), ("policy", [7])]
    assert data["parameters"] == model.count_params()
    missing = azx("inspect", "net.weights.h5", "--builder", "nowhere.py:make")
    assert (missing.returncode, "there is no 'nowhere.py'" in missing.stderr) == (1, True)
