"""Loading checkpoints of every age into today's Keras, without their code."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
import tf_keras

from azx.errors import CheckpointError, CodeRefused
from azx.export.checkpoint.layer_graph import Source
from azx.export.checkpoint.read import read_checkpoint
from azx.export.original.loader import load

pytestmark = [
    pytest.mark.filterwarnings("ignore:You are saving your model as an HDF5 file:UserWarning"),
    pytest.mark.filterwarnings("ignore:__array__ implementation doesn't accept a copy keyword:DeprecationWarning"),
]
FEED = np.random.default_rng(2).normal(size=(3, 4, 6, 7)).astype(np.float32)
Config = dict[str, Any]


def network(loss: Any = None) -> Any:
    k = tf_keras.layers
    board = k.Input((4, 6, 7), name="board")
    trunk = k.Conv2D(5, 3, data_format="channels_first", kernel_regularizer="l2", name="conv")(board)
    trunk = k.Flatten()(k.LeakyReLU(0.25, name="leaky")(trunk))
    model = tf_keras.Model(board, [k.Dense(1, activation="tanh", name="v")(trunk), k.Dense(7, name="pi")(trunk)])
    if loss:
        model.compile(optimizer="adam", loss=loss)
    return model


def rewrite(path: Path, change: Callable[[Config], Any], **attributes: str) -> None:
    """Change a full-model file's architecture in place, and its attributes."""
    with h5py.File(path, "r+") as file:
        config = json.loads(file.attrs["model_config"])
        file.attrs["model_config"] = json.dumps(change(config) or config)
        for key, value in attributes.items():
            file.attrs[key] = value


def layer(config: Config, name: str) -> Config:
    return next(entry for entry in config["config"]["layers"] if entry["config"]["name"] == name)


def assert_same(source: Source, model: Any, feed: Any = FEED) -> None:
    wanted, got = model(feed), load(source).model(feed)
    for one, other in zip(wanted, got, strict=True):
        np.testing.assert_allclose(np.asarray(one), np.asarray(other), atol=1e-6)


def test_a_custom_loss_is_never_needed(tmp_path: Path) -> None:
    def softmax_cross_entropy_with_logits(wanted: Any, got: Any) -> Any:
        return got - wanted

    model = network(softmax_cross_entropy_with_logits)
    model.save(tmp_path / "net.h5")
    assert_same(read_checkpoint(tmp_path / "net.h5").source, model)


def old_leaky(config: Config) -> None:
    layer(config, "leaky")["config"]["alpha"] = {"type": "ndarray", "value": 0.25}


def old_model(config: Config) -> None:
    config["class_name"] = "Model"


def container(config: Config) -> None:
    config["class_name"] = "Container"


def custom_regularizer(config: Config) -> None:
    layer(config, "conv")["config"]["kernel_regularizer"] = {"class_name": "MyRegularizer", "config": {}}


@pytest.mark.parametrize("change", [old_leaky, old_model, container, custom_regularizer])
def test_old_spellings_are_understood(change: Callable[[Config], None], tmp_path: Path) -> None:
    model = network()
    model.save(tmp_path / "net.h5")
    rewrite(tmp_path / "net.h5", change, keras_version="2.0.5")
    loaded = load(read_checkpoint(tmp_path / "net.h5").source)
    assert loaded.runtime.startswith("tf_keras")
    assert loaded.model.get_layer("leaky").alpha == pytest.approx(0.25)
    assert_same(read_checkpoint(tmp_path / "net.h5").source, model)


def test_a_flatten_without_data_format_ignores_the_users_keras_json(tmp_path: Path) -> None:
    def before_2_2(config: Config) -> None:
        for entry in config["config"]["layers"]:
            if entry["class_name"] == "Flatten":
                del entry["config"]["data_format"]

    model = network()
    model.save(tmp_path / "net.h5")
    rewrite(tmp_path / "net.h5", before_2_2, keras_version="2.1.5")
    tf_keras.backend.set_image_data_format("channels_first")
    try:
        assert_same(read_checkpoint(tmp_path / "net.h5").source, model)
    finally:
        tf_keras.backend.set_image_data_format("channels_last")


def test_a_bare_list_of_layers_is_a_sequential_model(tmp_path: Path) -> None:
    k = tf_keras.layers
    model = tf_keras.Sequential([k.Dense(4, input_shape=(9,), name="a"), k.Dense(2, name="b")])
    model.save(tmp_path / "net.h5")
    rewrite(tmp_path / "net.h5", lambda config: {"class_name": "Sequential", "config": config["config"]["layers"][1:]})
    feed = np.ones((2, 9), np.float32)
    np.testing.assert_allclose(load(read_checkpoint(tmp_path / "net.h5").source).model(feed), model(feed), atol=1e-6)


def test_kernels_that_theano_wrote_are_flipped(tmp_path: Path) -> None:
    model = network()
    model.save(tmp_path / "net.h5")
    rewrite(tmp_path / "net.h5", lambda config: None, backend="theano")
    loaded = load(read_checkpoint(tmp_path / "net.h5").source)
    kernel = model.get_layer("conv").get_weights()[0]
    np.testing.assert_array_equal(loaded.model.get_layer("conv").get_weights()[0], kernel[::-1, ::-1])
    assert loaded.notes == ("convolution kernels of a Theano file flipped",)


@pytest.mark.parametrize("name", ["net.h5", "net.weights.h5"])
def test_weights_alone_are_loaded_into_a_config_or_a_builder(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = network()
    model.save_weights(tmp_path / name)
    (tmp_path / "wrapped.json").write_text(model.to_json())
    (tmp_path / "bare.json").write_text(json.dumps(json.loads(model.to_json())["config"]))
    (tmp_path / "azx_test_builder.py").write_text(BUILDER)
    monkeypatch.syspath_prepend(str(tmp_path))
    for config in (tmp_path / "wrapped.json", tmp_path / "bare.json"):
        assert_same(read_checkpoint(tmp_path / name, config=config).source, model)
    assert_same(read_checkpoint(tmp_path / name, builder="azx_test_builder:make").source, model)


BUILDER = """
import tf_keras
def make():
    k = tf_keras.layers
    board = k.Input((4, 6, 7), name="board")
    trunk = k.Flatten()(k.LeakyReLU(0.25)(k.Conv2D(5, 3, data_format="channels_first")(board)))
    return tf_keras.Model(board, [k.Dense(1, activation="tanh", name="v")(trunk), k.Dense(7, name="pi")(trunk)])
"""


def test_half_precision_is_computed_in_single_and_said(tmp_path: Path) -> None:
    model = network()
    model.save(tmp_path / "net.h5")

    def halve(config: Config) -> None:
        layer(config, "conv")["config"]["dtype"] = {"class_name": "Policy", "config": {"name": "mixed_float16"}}

    rewrite(tmp_path / "net.h5", halve)
    loaded = load(read_checkpoint(tmp_path / "net.h5").source)
    assert loaded.notes == ("computed in float32 where the file says float16",)
    assert_same(read_checkpoint(tmp_path / "net.h5").source, model)


def test_a_custom_layer_is_named_with_the_fix(tmp_path: Path) -> None:
    network().save(tmp_path / "net.h5")
    rewrite(tmp_path / "net.h5", lambda config: layer(config, "leaky").update(class_name="MyLeaky"))
    with pytest.raises(CheckpointError, match=r"net\.h5': layer 'leaky' is of class 'MyLeaky'.*--builder"):
        load(read_checkpoint(tmp_path / "net.h5").source)


@pytest.mark.parametrize("family", ["tf_keras", "keras"])
def test_a_lambda_runs_only_when_code_is_allowed(family: str, tmp_path: Path) -> None:
    keras = __import__(family)
    board = keras.layers.Input((3,), name="board")
    keras.Model(board, keras.layers.Lambda(lambda x: 2 * x)(board)).save(tmp_path / "net.keras")
    source = read_checkpoint(tmp_path / "net.keras", allow_code=True).source
    np.testing.assert_array_equal(np.asarray(load(source).model(np.ones((1, 3), np.float32))), [[2, 2, 2]])
    refused = Source(source.path, source.kind, source.sha256, source.keras_version, source.config)
    with pytest.raises(CodeRefused, match=r"is a Lambda.*--allow-code"):
        load(refused)


def test_a_tensorflow_function_that_touches_files_is_refused(tmp_path: Path) -> None:
    import tensorflow as tf

    board = tf_keras.layers.Input((3,), name="board")
    tf_keras.Model(board, tf.math.tanh(board)).save(tmp_path / "net.h5")

    def evil(config: Config) -> None:
        config["config"]["layers"][1]["config"]["function"] = "io.write_file"

    rewrite(tmp_path / "net.h5", evil)
    with pytest.raises(CodeRefused, match=r"TensorFlow's 'io\.write_file'"):
        load(read_checkpoint(tmp_path / "net.h5").source)


def test_a_class_of_another_module_is_not_imported(tmp_path: Path) -> None:
    network().save(tmp_path / "net.h5")
    rewrite(tmp_path / "net.h5", lambda config: layer(config, "leaky").update(module="antigravity"))
    with pytest.raises(CodeRefused, match="is of the module 'antigravity'"):
        load(read_checkpoint(tmp_path / "net.h5").source)
