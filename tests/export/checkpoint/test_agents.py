"""Agents of the book "Deep Learning and the Game of Go": Keras' whole file inside another HDF5 file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
import tf_keras

from azx.errors import CheckpointError, NoArchitecture
from azx.export.checkpoint.read import read_checkpoint
from azx.export.original.loader import load

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")


@pytest.fixture
def network() -> Any:
    layers = tf_keras.layers
    chain = [layers.Conv2D(3, 3, input_shape=(9, 9, 1)), layers.Flatten(), layers.Dense(81, "softmax", name="moves")]
    return tf_keras.Sequential(chain)


def agent(network: Any, folder: Path, keep: Callable[[h5py.File, Path], None]) -> Path:
    network.save(folder / "keras.h5")
    path = folder / "agent.h5"
    with h5py.File(path, "w") as file:
        file.create_group("encoder").attrs.update(name="oneplane", board_width=9, board_height=9)
        file.create_group("model")
        keep(file, folder / "keras.h5")
    return path


def as_group(file: h5py.File, keras: Path) -> None:
    with h5py.File(keras) as inner:
        inner.copy(inner["/"], file["model"], "kerasmodel")


def as_bytes(file: h5py.File, keras: Path) -> None:
    file["model"]["kerasmodel"] = np.frombuffer(keras.read_bytes(), np.uint8)


def as_opaque(file: h5py.File, keras: Path) -> None:
    file["model"]["kerasmodel"] = np.void(keras.read_bytes())


@pytest.mark.parametrize("keep", [as_group, as_bytes, as_opaque])
def test_the_network_inside_is_read_and_loaded(
    keep: Callable[[h5py.File, Path], None], network: Any, tmp_path: Path
) -> None:
    graph = read_checkpoint(agent(network, tmp_path, keep))
    assert "the network of a Go agent (dlgo): encoder 'oneplane', board 9x9" in graph.quirks
    weights = [weight for call in graph.calls for weight in call.layer.weights.values()]
    for found, expected in zip(weights, network.get_weights(), strict=True):
        np.testing.assert_array_equal(found, expected)
    board = np.random.default_rng(0).normal(size=(2, 9, 9, 1)).astype("float32")
    np.testing.assert_allclose(load(graph.source).model(board), network(board), rtol=1e-6)


def test_a_network_that_lies_in_another_file_is_not_opened(network: Any, tmp_path: Path) -> None:
    def elsewhere(file: h5py.File, keras: Path) -> None:
        file["model"]["kerasmodel"] = h5py.ExternalLink(str(keras), "/")

    with pytest.raises(CheckpointError, match="lies in another file, which azx does not open"):
        read_checkpoint(agent(network, tmp_path, elsewhere))


def test_a_damaged_network_inside_is_named(network: Any, tmp_path: Path) -> None:
    def half(file: h5py.File, keras: Path) -> None:
        file["model"]["kerasmodel"] = np.frombuffer(keras.read_bytes()[:900], np.uint8)

    with pytest.raises(CheckpointError, match="the network inside is damaged"):
        read_checkpoint(agent(network, tmp_path, half))


def test_an_agent_without_an_architecture_is_asked_for_it(network: Any, tmp_path: Path) -> None:
    def weights(file: h5py.File, keras: Path) -> None:
        as_group(file, keras)
        del file["model/kerasmodel"].attrs["model_config"]

    with pytest.raises(NoArchitecture, match=r"2 layers with weights: conv2d"):
        read_checkpoint(agent(network, tmp_path, weights))
