"""A layers model of TensorFlow.js is read by its Keras topology, with the weights in the files beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azx.errors import CheckpointError
from azx.export.checkpoint.read import read_checkpoint
from azx.validate.reference import run_reference
from azx.validate.witness.evaluate import evaluate

random = np.random.default_rng(4)


@pytest.fixture(scope="module")
def model() -> Any:
    import tf_keras
    from tf_keras import layers

    door = layers.Input((3, 3, 2), name="board")
    x = layers.BatchNormalization()(layers.Conv2D(4, 3, padding="same", activation="relu")(door))
    inner = tf_keras.Sequential([layers.Input((36,)), layers.Dense(5, "relu")], name="inner")
    x = inner(layers.Flatten()(x))
    heads = [layers.Dense(9, "softmax", name="policy")(x), layers.Dense(1, "tanh", name="value")(x)]
    made = tf_keras.Model(door, heads)
    made.set_weights([np.abs(random.normal(size=weight.shape)) / 3 for weight in made.get_weights()])
    return made


def written(folder: Path, model: Any, quantised: bool = False) -> Path:
    """The model as tensorflowjs' converter writes it, in two shards; `quantised`: its kernels in 8 bits."""
    folder.mkdir(exist_ok=True)
    entries, data = [], b""
    for weight in model.weights:
        values = weight.numpy()
        entry: dict[str, Any] = {"name": weight.name.split(":")[0], "shape": list(values.shape), "dtype": "float32"}
        if quantised and values.ndim > 1:
            scale = float(np.ptp(values)) / 255
            entry["quantization"] = {"dtype": "uint8", "scale": scale, "min": float(values.min())}
            values = np.round((values - values.min()) / scale).astype(np.uint8)
        entries.append(entry)
        data += values.tobytes()
    topology = {"keras_version": "2.15.0", "backend": "tensorflow", "model_config": json.loads(model.to_json())}
    paths = ["group1-shard1of2.bin", "group1-shard2of2.bin"]
    manifest = [{"paths": paths, "weights": entries}]
    for path, part in zip(paths, (data[:101], data[101:]), strict=True):
        (folder / path).write_bytes(part)
    whole = {"format": "layers-model", "modelTopology": topology, "weightsManifest": manifest}
    (folder / "model.json").write_text(json.dumps(whole))
    return folder


@pytest.mark.parametrize("quantised", [False, True])
def test_a_layers_model_answers_as_in_keras(quantised: bool, model: Any, tmp_path: Path) -> None:
    folder = written(tmp_path / "web", model, quantised)
    boards = random.normal(size=(6, 3, 3, 2)).astype(np.float32)
    expected = model(boards, training=False)
    for path in (folder, folder / "model.json"):
        graph = read_checkpoint(path)
        exact = evaluate(graph, {"board": boards})
        for answer, known in zip(exact.values(), expected, strict=True):
            np.testing.assert_allclose(answer, known, atol=0.03 if quantised else 1e-6)
    by_keras = run_reference(graph, {"board": boards})
    assert "TensorFlow.js was not asked" in "".join(by_keras.notes)
    for name, answer in exact.items():
        np.testing.assert_allclose(by_keras.outputs[name], answer, atol=1e-5)


def test_weights_that_are_missing_cut_off_or_elsewhere_are_refused(model: Any, tmp_path: Path) -> None:
    folder = written(tmp_path / "web", model)
    whole = (folder / "model.json").read_text()
    (folder / "link.bin").symlink_to(written(tmp_path / "other", model) / "group1-shard1of2.bin")
    for change, said in (
        (("group1-shard1of2.bin", "../other/group1-shard1of2.bin"), "outside its folder"),
        (("group1-shard1of2.bin", "link.bin"), "outside its folder"),
        (("group1-shard1of2.bin", "nothing.bin"), "beside it"),
        (('"shape": [36, 5]', '"shape": [36, 5000]'), "damaged"),
        (('"dtype": "float32"', '"dtype": "string"'), "damaged"),
    ):
        (folder / "model.json").write_text(whole.replace(*change))
        with pytest.raises(CheckpointError, match=said):
            read_checkpoint(folder)
