"""Networks for boards of any size: the user says how large the board is."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest
import tf_keras

from azx.errors import CheckpointError
from azx.export.checkpoint.keras_json import with_board
from azx.export.checkpoint.located import find_checkpoint
from azx.export.checkpoint.read import read_checkpoint
from azx.export.network.simplify import shapes
from azx.export.original.loader import load

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
SUFFIXES = pytest.mark.parametrize("suffix", [".h5", ".keras"])
FAMILIES = pytest.mark.parametrize("family", [tf_keras, keras], ids=["tf_keras", "keras"])
LAYOUTS = pytest.mark.parametrize("layout", ["channels_last", "channels_first"])


def network(family: Any, layout: str = "channels_last") -> Any:
    k, first = family.layers, layout == "channels_first"
    board = k.Input((2, None, None) if first else (None, None, 2), name="board")
    stem = k.Conv2D(4, 3, padding="same", use_bias=False, data_format=layout)(board)
    stem = k.ReLU()(k.BatchNormalization(axis=1 if first else -1)(stem))
    policy = k.Softmax(name="policy")(k.Flatten()(k.Conv2D(1, 1, data_format=layout)(stem)))
    value = k.Dense(1, "tanh", name="value")(k.GlobalAveragePooling2D(data_format=layout)(stem))
    return family.Model(board, [policy, value])


@FAMILIES
@SUFFIXES
@LAYOUTS
def test_the_users_board_is_put_in_where_the_network_leaves_it_free(
    family: Any, suffix: str, layout: str, tmp_path: Path
) -> None:
    path = tmp_path / f"net{suffix}"
    network(family, layout).save(path)
    graph = read_checkpoint(path, board=(6, 7))
    shape = (2, 6, 7) if layout == "channels_first" else (6, 7, 2)
    assert [spec.shape for spec in graph.inputs] == [shape]
    assert [shapes(graph)[head.tensor] for head in graph.outputs] == [(42,), (1,)]
    if layout == "channels_last":  # TensorFlow has no other on the CPU
        policy, value = load(graph.source).model(np.ones((3, *shape), np.float32))
        assert (tuple(policy.shape), tuple(value.shape)) == ((3, 42), (3, 1))


def test_without_a_board_the_sentence_names_the_option(tmp_path: Path) -> None:
    network(tf_keras).save(tmp_path / "net.h5")
    with pytest.raises(CheckpointError, match=r"no fixed shape \(\(None, None, 2\)\): .* --board ROWSxCOLUMNS"):
        read_checkpoint(tmp_path / "net.h5")


def test_a_board_of_another_size_than_the_networks_own_is_refused() -> None:
    with pytest.raises(CheckpointError, match=r"its input is \(2, 6, 7\) and not of any board: leave --board out"):
        read_checkpoint(find_checkpoint("connect4"), board=(8, 8))
    assert read_checkpoint(find_checkpoint("connect4"), board=(6, 7)).inputs[0].shape == (2, 6, 7)


@pytest.mark.parametrize(
    "config",
    [
        {"layers": [{"class_name": "Conv2D", "config": {"batch_input_shape": [None, None, None, 3]}}]},
        [{"class_name": "Conv2D", "config": {"batch_input_shape": [None, None, None, 3]}}],
        {"layers": [{"class_name": "InputLayer", "config": {"batch_shape": [None, None, None, 3]}}]},
        {"build_input_shape": [None, None, None, 3], "layers": [{"class_name": "Conv2D", "config": {}}]},
    ],
)
def test_every_way_in_which_a_sequential_notes_its_shape_is_known(config: Any) -> None:
    sized = with_board({"class_name": "Sequential", "config": config}, (4, 5), "'net.h5'")
    assert "[null, 4, 5, 3]" in json.dumps(sized)
    assert "[null, null, null, 3]" not in json.dumps(sized)


@pytest.mark.parametrize("config", [None, [], {}, {"layers": []}])
def test_an_architecture_without_an_input_has_no_board(config: Any) -> None:
    with pytest.raises(CheckpointError, match="leave --board out"):
        with_board({"class_name": "Functional", "config": config}, (4, 5), "'net.h5'")


def test_export_and_validate_take_the_board(
    tmp_path: Path, azx: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    network(tf_keras).save(tmp_path / "net.h5")
    done = azx("export", tmp_path / "net.h5", "--board", "6x7", "--format", "onnx", "--positions", "20", "-o", "net")
    assert done.returncode == 0, done.stderr
    done = azx("validate", "net", "--against", tmp_path / "net.h5", "--board", "6x7")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("size", ["0x3", "9x", "x9", "100x100", "nine"])
def test_what_is_no_board_is_refused_before_anything_is_read(
    size: str, azx: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    done = azx("inspect", "connect4", "--board", size)
    assert done.returncode == 2
    assert f"'{size}' is not a board's size: give rows and columns as 9x9." in done.stderr
