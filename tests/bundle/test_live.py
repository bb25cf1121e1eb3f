"""A Keras model in memory: exported, proved against its own answers, and nothing of it left behind."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import azx
from azx.errors import CheckpointError
from azx.export.original import live

FAMILIES = ["keras", "tf_keras"]


@pytest.fixture(autouse=True)
def nothing_stays(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The system's temporary folder, one of the test's own, is empty of azx's folders afterwards."""
    place = tmp_path_factory.mktemp("system")
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    yield
    assert not [path.name for path in place.iterdir() if path.name.startswith("azx-model")]


def package(family: str) -> Any:
    return pytest.importorskip(family)


def network(family: str, name: str = "my net") -> Any:
    """A small Connect4 network, compiled with a loss that only this program knows."""
    keras = package(family)
    keras.utils.set_random_seed(4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        board = keras.layers.Input((2, 6, 7), name="board")
        flat = keras.layers.Flatten()(board)
        value = keras.layers.Dense(1, activation="tanh", name="v")(flat)
        policy = keras.layers.Dense(7, activation="softmax", name="pi")(flat)
        model = keras.Model(board, [policy, value], name=name)
        model.compile("adam", loss=[lambda true, told: true - told, "mse"])
    return model


@pytest.mark.parametrize("family", FAMILIES)
def test_a_model_in_memory_is_exported_and_proved_by_its_own_answers(family: str, tmp_path: Path) -> None:
    model = network(family)
    done = azx.export_checkpoint(model, output=tmp_path / "out", formats="onnx", count=40)
    assert done.proof.passed
    assert done.proof.against.startswith(f"a Keras model in memory (my net), by {family} {package(family).__version__}")
    assert done.manifest["checkpoint"]["file"] == "a Keras model in memory (my net)"
    assert done.manifest["name"] == "my_net"
    planes = np.random.default_rng(0).integers(0, 2, (3, 2, 6, 7)).astype("float32")
    policy, value = (np.asarray(output) for output in model(planes))
    with azx.load(done.folder) as network_:
        heads = network_.predict(planes)
    np.testing.assert_allclose(heads["value_head"], value, atol=1e-5)
    np.testing.assert_allclose(heads["policy_head"], policy, atol=1e-5)
    assert azx.validate_bundle(done.folder, against=model).proof.passed


def test_a_model_that_was_trained_since_is_not_the_one_of_the_bundle(tmp_path: Path) -> None:
    model = network("keras")
    azx.export_checkpoint(model, output=tmp_path / "out", formats="onnx", count=20)
    model.layers[-1].set_weights([2 * weight for weight in model.layers[-1].get_weights()])
    with pytest.raises(azx.AzxError, match=r"was not made from 'a Keras model in memory \(my net\)'"):
        azx.validate_bundle(tmp_path / "out", against=model)


def test_the_answers_are_the_models_own_and_not_those_of_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that is not what is in memory is found out: the witness reads the file, and disagrees with the model."""
    model, other = network("keras"), network("keras")
    other.layers[-1].set_weights([3 * weight + 1 for weight in other.layers[-1].get_weights()])
    kept = live.save
    monkeypatch.setattr(live, "save", lambda given, *rest: kept(other, *rest))
    done = azx.export_checkpoint(model, output=tmp_path / "out", formats="onnx", count=20)
    assert any("disagrees with the float64 witness" in note for note in done.proof.notes)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_same_model_is_the_same_file(family: str, tmp_path: Path) -> None:
    model = network(family)
    files = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        files.append(live.save(model, tmp_path / name))
    assert files[0].read_bytes() == files[1].read_bytes()
    assert files[0].name == "my_net.h5"


def own_class(family: str) -> Any:
    keras = package(family)

    class Net(keras.Model):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.dense = keras.layers.Dense(3)

        def call(self, boards: Any) -> Any:
            return self.dense(boards)

    model = Net()
    model(np.zeros((1, 4), "float32"))
    return model


def own_layer(family: str) -> Any:
    keras = package(family)

    class Doubled(keras.layers.Layer):  # type: ignore[misc, name-defined]
        def call(self, boards: Any) -> Any:
            return boards * 2

    board = keras.layers.Input((9,))
    return keras.Model(board, keras.layers.Dense(3)(Doubled(name="twice")(board)))


def unbuilt(family: str) -> Any:
    keras = package(family)
    return keras.Sequential([keras.layers.Dense(3)], name="later")


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(
    ("make", "said"),
    [
        (
            own_class,
            r"is of a class of its own, 'Net', .* build it from Keras' layers as keras.Model\(inputs, outputs\)",
        ),
        (own_layer, r"layer 'twice' is of the class 'Doubled', which is not Keras' own: .*builder='MODULE:FUNCTION'"),
        (unbuilt, r"\(later\) has no input yet: call it once on a batch, or begin it with keras.Input"),
    ],
)
def test_what_cannot_be_read_is_told_in_a_sentence(make: Any, said: str, family: str, tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=said):
        azx.export_checkpoint(make(family), output=tmp_path / "out", formats="onnx")
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_model_is_told_in_a_sentence() -> None:
    with pytest.raises(CheckpointError, match="or a Keras model, and this is of the type list: give one of those"):
        azx.export_checkpoint([1])  # type: ignore[arg-type]


def test_an_error_about_the_file_names_the_model(tmp_path: Path) -> None:
    keras = package("keras")
    board = keras.layers.Input((9,))
    model = keras.Model(board, keras.layers.Dense(3)(keras.layers.Lambda(lambda x: x * 2, name="twice")(board)))
    with pytest.raises(CheckpointError, match=r"^'a Keras model in memory \(.*\)': layer 'twice' is a Lambda"):
        azx.export_checkpoint(model, output=tmp_path / "out")
