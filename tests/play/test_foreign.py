"""Somebody's ONNX model, frozen graph or TF.js folder is a network to play, and no artifact of azx."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx_models import conv_net

from azx.errors import BundleError, CheckpointError
from azx.export.checkpoint.foreign.beside import files_beside
from azx.games.rules.tictactoe import TicTacToe
from azx.match.runner import digest
from azx.play.network import open_network
from azx.play.network_files import Artifact, TrainedNetwork, find_network
from azx.sweeps.sources import find
from azx.sweeps.watch.files import checkpoints_in, copy_checkpoint, mark_of

BOTH = TicTacToe().apply(4)
HOW = {"game": "tictactoe", "layout": "channels_first", "board": [3, 3], "planes": ["mover", "opponent"]}


@pytest.fixture
def described(tmp_path: Path) -> Path:
    """An --encoding file of two planes."""
    path = tmp_path / "own.json"
    path.write_text(json.dumps(HOW | {"actions": "cell"}))
    return path


def frozen(path: Path) -> Path:
    """A graph of TensorFlow 1 whose learning phase is a placeholder with a default: azx's own artifacts have none."""
    import tensorflow as tf

    random = np.random.default_rng(3)
    v1 = tf.compat.v1
    with tf.Graph().as_default() as graph:
        board = v1.placeholder(tf.float32, (None, 2, 3, 3), name="board")
        learning = v1.placeholder_with_default(False, (), name="keras_learning_phase")
        flat, _ = tf.raw_ops.Switch(data=tf.reshape(board, [-1, 18]), pred=learning)
        tf.matmul(flat, random.normal(size=(18, 9)).astype(np.float32), name="policy")
        tf.tanh(tf.matmul(flat, random.normal(size=(18, 1)).astype(np.float32)), name="value")
    path.write_bytes(graph.as_graph_def().SerializeToString())
    return path


def test_an_onnx_model_with_values_beside_it_is_played(tmp_path: Path, described: Path) -> None:
    import onnxruntime

    path = conv_net(tmp_path / "net.onnx", external="net.data")
    assert isinstance(find_network(path), TrainedNetwork)
    with open_network(path, encoding=described) as network:
        answer = network.evaluate([BOTH])[0]
    session = onnxruntime.InferenceSession(str(path))
    planes = np.zeros((1, 2, 3, 3), np.float32)
    planes[0, 1, 1, 1] = 1  # the opponent's stone, in the middle
    policy, value = session.run(None, {"board": planes})
    assert answer.value == pytest.approx(float(value[0, 0]), abs=1e-5)
    assert np.allclose(answer.policy, policy[0], atol=1e-5)  # type: ignore[arg-type]


def test_a_frozen_graph_with_training_in_it_is_played(tmp_path: Path, described: Path) -> None:
    path = frozen(tmp_path / "net.pb")
    with open_network(path, encoding=described) as network:
        answer = network.evaluate([BOTH])[0]
    assert answer.policy is not None
    assert answer.value != 0


def test_what_azx_wrote_stays_an_artifact(small_bundle: Path, tmp_path: Path) -> None:
    for suffix in (".onnx", ".pb"):
        alone = Path(shutil.copy(small_bundle / f"small net é{suffix}", tmp_path / f"alone{suffix}"))
        assert isinstance(find_network(alone), Artifact)


def test_an_operation_without_a_form_is_named(tmp_path: Path) -> None:
    from onnx_models import model

    path = model(
        tmp_path / "net.onnx", [("NonZero", ["board"], ["policy"], {})], {}, {"board": (1, 2, 3, 3)}, ["policy"]
    )
    with pytest.raises((CheckpointError, BundleError), match="NonZero"), open_network(path):
        pass


def changed(path: Path) -> None:
    """Another last byte."""
    data = path.read_bytes()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))


def test_a_match_knows_an_onnx_model_by_its_values_too(tmp_path: Path) -> None:
    path = conv_net(tmp_path / "net.onnx", external="net.data")
    before = digest(str(path))
    changed(tmp_path / "net.data")
    assert digest(str(path)) != before


def tfjs_folder(folder: Path) -> Path:
    topology = {"class_name": "Sequential", "config": {"name": "net", "layers": []}}
    folder.mkdir()
    manifest = [{"paths": ["one.bin"], "weights": []}]
    data: dict[str, Any] = {"modelTopology": topology, "weightsManifest": manifest}
    (folder / "model.json").write_text(json.dumps(data))
    (folder / "one.bin").write_bytes(b"1234")
    return folder


def test_all_files_of_a_checkpoint_are_known(tmp_path: Path) -> None:
    conv_net(tmp_path / "net.onnx", external="net.data")
    for end in ("index", "meta", "data-00000-of-00001"):
        (tmp_path / f"best.model.{end}").write_bytes(b"1")
    (tmp_path / "best.model.index.bak").write_bytes(b"1")
    web = tfjs_folder(tmp_path / "web")
    names = {path: [each.name for each in files_beside(tmp_path / path)] for path in ("net.onnx", "best.model.index")}
    assert names == {
        "net.onnx": ["net.data"],
        "best.model.index": ["best.model.data-00000-of-00001", "best.model.meta"],
    }
    assert [each.name for each in files_beside(web / "model.json")] == ["one.bin"]
    (web / "one.bin").unlink()
    with pytest.raises(CheckpointError, match=r"needs 'one\.bin' beside it"):
        files_beside(web / "model.json")


def test_a_sweep_and_a_watch_find_them_and_see_their_values_change(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    conv_net(folder / "net.onnx", external="net.data")
    tfjs_folder(folder / "web")
    (folder / "best_policy.model").write_bytes(b"1")
    (folder / "ckpt.index").write_bytes(b"1")  # of TensorFlow 2: there is no .meta
    expected = {"net.onnx", "web", "best_policy.model"}
    assert {path.name for path in checkpoints_in(folder)} == expected
    assert {item.checkpoint.name for item in find([folder])} == expected
    before = mark_of(folder / "net.onnx")
    assert before is not None
    (tmp_path / "place").mkdir()
    assert copy_checkpoint(folder / "net.onnx", before, tmp_path / "place") is not None
    assert (tmp_path / "place" / "net.data").read_bytes() == (folder / "net.data").read_bytes()
    with (folder / "net.data").open("ab") as file:
        file.write(b"1")
    assert mark_of(folder / "net.onnx") != before
