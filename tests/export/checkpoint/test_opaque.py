"""Subclassed models from a builder: one layer that nobody else knows, traced, its heads told by the graph."""

from __future__ import annotations

import importlib
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azx.errors import CheckpointError
from azx.export.checkpoint.read import read_checkpoint
from azx.export.original.loader import load

pytestmark = [
    pytest.mark.filterwarnings("ignore:You are saving your model as an HDF5 file:UserWarning"),
    pytest.mark.filterwarnings("ignore:__array__ implementation doesn't accept a copy keyword:DeprecationWarning"),
]
FEED = np.random.default_rng(2).normal(size=(3, 6, 7, 2)).astype(np.float32)

SUBCLASSED = """
import FAMILY as keras
import tensorflow as tf

class Net(keras.Model):
    def __init__(self, answer=list, logits=False):
        super().__init__()
        k = keras.layers
        self.answer = answer
        self.tower = [k.Conv2D(6, 3, padding="same"), k.BatchNormalization()]
        self.flat = k.Flatten()
        self.policy = k.Dense(7, activation=None if logits else "softmax", name="pi")
        self.value = k.Dense(1, activation="tanh", name="v")

    def call(self, x, training=False):
        conv, norm = self.tower
        x = self.flat(tf.nn.relu(norm(conv(x), training=training)))
        policy, value = self.policy(x), self.value(x)
        return {"move": policy, "worth": value} if self.answer is dict else self.answer([policy, value])

class Plain(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = [keras.layers.Dense(7, name="pi"), keras.layers.Dense(1, name="v")]

    def call(self, board):
        x = tf.reshape(board, (-1, 84))
        return tf.nn.softmax(self.dense[0](x)), tf.tanh(self.dense[1](x))

def plain():
    net = Plain()
    net(tf.zeros((1, 6, 7, 2)))
    return net

def called(*settings):
    net = Net(*settings)
    net(tf.zeros((1, 6, 7, 2)))
    return net

def make():
    return called()

def as_tuple():
    return called(tuple, True)

def as_dict():
    return called(dict)

def uncalled():
    return Net()

def other():
    k = keras.layers
    board = k.Input((6, 7, 2))
    return keras.Model(board, k.Dense(7)(k.Flatten()(board)))

def no_model():
    return 7
"""


@pytest.fixture(params=["tf_keras", "keras"])
def module(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module of the builders; it stands in the test's folder."""
    name = f"azx_subclassed_{request.param}"
    (tmp_path / f"{name}.py").write_text(SUBCLASSED.replace("FAMILY", request.param))
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    importlib.import_module(request.param).backend.clear_session()
    return importlib.import_module(name)


def saved(model: Any, path: Path) -> Path:
    random = np.random.default_rng(1)
    model.set_weights([random.uniform(0.01, 0.1, weight.shape) for weight in model.get_weights()])
    model.save_weights(str(path))
    return path


@pytest.mark.whole
@pytest.mark.parametrize(
    ("function", "names", "activations"),
    [
        ("make", ["v", "pi"], ["tanh", "softmax"]),
        ("as_tuple", ["v", "pi"], ["tanh", "linear"]),
        ("as_dict", ["worth", "move"], ["tanh", "softmax"]),
        ("plain", ["output_1", "output_0"], ["tanh", "softmax"]),
    ],
)
def test_a_subclassed_model_is_traced_and_answers_as_its_own_call(
    function: str,
    names: list[str],
    activations: list[str],
    module: Any,
    tmp_path: Path,
    export_checkpoint: Any,
    by_tensorflow: Any,
) -> None:
    model = getattr(module, function)()
    path = saved(model, tmp_path / "net.weights.h5")
    done = export_checkpoint(path, builder=f"{module.__name__}:{function}", batch=None)
    assert [(head.name, head.source_name) for head in done.heads] == list(
        zip(["value_head", "policy_head"], names, strict=True)
    )
    assert [head.activation for head in done.heads] == activations
    assert done.graph.parameters == model.count_params()
    assert "has no canonical form" in str(done.reason)
    answer = model(FEED)
    policy, value = (answer["move"], answer["worth"]) if function == "as_dict" else answer
    found = by_tensorflow(done.frozen, done.named({"board": FEED}))
    np.testing.assert_allclose(found["policy_head"], policy, atol=1e-6)
    np.testing.assert_allclose(found["value_head"], value, atol=1e-6)
    loaded = load(done.graph.source).model(FEED)
    assert len(loaded) == 2
    np.testing.assert_array_equal(np.asarray(max(loaded, key=lambda part: part.shape[1])), np.asarray(policy))


@pytest.mark.parametrize("module", ["tf_keras"], indirect=True)
def test_weights_as_keras_2_wrote_them_are_read_too(module: Any, tmp_path: Path) -> None:
    model = module.make()
    graph = read_checkpoint(saved(model, tmp_path / "net.h5"), builder=f"{module.__name__}:make")
    assert graph.parameters == model.count_params()
    np.testing.assert_array_equal(load(graph.source).model(FEED)[0], model(FEED)[0])


def test_a_model_that_was_not_called_and_other_weights_are_told(module: Any, tmp_path: Path) -> None:
    path = saved(module.make(), tmp_path / "net.weights.h5")
    with pytest.raises(
        CheckpointError, match=r"\(Net\) has no list of layers and was not called yet: call it on a board"
    ):
        read_checkpoint(path, builder=f"{module.__name__}:uncalled")
    with pytest.raises(CheckpointError, match=r"what it returns has no Keras architecture \(int\)"):
        read_checkpoint(path, builder=f"{module.__name__}:no_model")
    others = saved(module.other(), tmp_path / "other.weights.h5")
    with pytest.raises(CheckpointError, match="Keras' own load_weights does not pair them either") as error:
        read_checkpoint(others, builder=f"{module.__name__}:make")
    assert "\n" not in str(error.value)


@pytest.mark.whole
def test_it_is_exported_and_validated(
    module: Any, tmp_path: Path, azx: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    saved(module.make(), tmp_path / "net.weights.h5")
    how = ("--builder", f"{module.__name__}.py:make")
    done = azx("export", "net.weights.h5", *how, "--format", "tflite", "-o", "b", "--positions", 40)
    assert done.returncode == 0, done.stderr
    assert "traced from Keras directly" in done.stdout
    again = azx("validate", "b", "--against", "net.weights.h5", *how)
    assert again.returncode == 0, again.stderr
