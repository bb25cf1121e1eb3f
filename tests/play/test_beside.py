"""A network of two inputs, a board and who is to move: described, exported, proved and played in several formats."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import numpy as np
import pytest

from azx import export_checkpoint
from azx.bundle.contents.manifest import read_manifest
from azx.games.known.recognition import in_way
from azx.games.random_play import generator, positions_of_a_game
from azx.pages.position import decode_position, reading_in
from azx.play.network import open_network

Azx = Callable[..., CompletedProcess[str]]
NAME = "tictactoe-signed-player0-beside-turn-player0-value-player0"
ANSWERS = ["--game", "tictactoe", "--pieces", "signed_player0", "--beside", "turn_player0", "--value", "player0"]


@pytest.fixture
def net(check: Any, tmp_path: Path) -> Path:
    """Seeded; by their names the inputs come in the other order than in the model."""
    import tf_keras

    tf_keras.utils.set_random_seed(7)
    layers = tf_keras.layers
    board, turn = layers.Input((3, 3), name="squares"), layers.Input((1,), name="player")
    hidden = layers.Dense(16, "relu")(layers.Concatenate()([layers.Flatten()(board), turn]))
    heads = [layers.Dense(9, name="policy")(hidden), layers.Dense(1, "tanh", name="value")(hidden)]
    path: Path = check.save_h5(tf_keras.Model([board, turn], heads), tmp_path / "net.h5")
    return path


def test_it_is_described_by_options(net: Path, azx: Azx, tmp_path: Path) -> None:
    done = azx("describe", net, *ANSWERS, "-o", tmp_path / "encoding.json")
    assert done.returncode == 0, done.stderr
    assert f"`--encoding {NAME}` says the same without a file." in done.stdout
    assert json.loads((tmp_path / "encoding.json").read_text())["beside"] == {"planes": ["turn_player0"]}
    silent = azx("describe", net, *ANSWERS[:4], "--value", "player0", "-o", tmp_path / "other.json")
    assert "say what its second input says of who is to move with --beside player0_to_move or" in silent.stderr
    unknown = azx("inspect", net)
    assert "Not known: its shapes fit Tic-tac-toe, Hex" in unknown.stdout
    known = azx("inspect", net, "--encoding", NAME)
    assert "beside it turn_player0" in known.stdout


def test_it_is_exported_on_positions_of_the_game_and_plays_alike_in_every_format(net: Path, tmp_path: Path) -> None:
    done = export_checkpoint(net, output=tmp_path / "out", encoding=Path(NAME), formats=["tflite", "onnx"], count=60)
    assert done.proof.passed
    manifest = read_manifest(tmp_path / "out")
    assert manifest.problems == ()
    assert [port.name for port in manifest.inputs] == ["squares", "player"]
    rows = json.loads((tmp_path / "out" / "golden.json").read_text(encoding="utf8"))["positions"]
    for row in rows:
        board, turn = row["inputs"]["squares"], row["inputs"]["player"]
        assert turn == [1 if sum(board) == 0 else -1]
        assert row["legal"] == [cell for cell in range(9) if board[cell] == 0]
    reading = reading_in(manifest, 9)
    assert reading is not None
    for row in rows:
        seen = decode_position(reading, [*row["inputs"]["squares"], *row["inputs"]["player"]], row["legal"])
        assert seen is not None
        assert seen.to_move == (row["inputs"]["player"] == [-1])
        assert list(seen.owners) == [{1: 0, -1: 1, 0: None}[number] for number in row["inputs"]["squares"]]
    states = positions_of_a_game(in_way(NAME, [(3, 3), (1,)], 9).start(), generator(5), 6)
    with open_network(net, encoding=Path(NAME)) as network:
        expected = network.evaluate(states)
    for name in ("net.tflite", "net.onnx"):
        # A file that lies alone says itself how it is read.
        bare = Path(shutil.copy(tmp_path / "out" / name, tmp_path / name))
        for path in (tmp_path / "out" / name, bare):
            with open_network(path) as network:
                found = network.evaluate(states)
            for one, other in zip(found, expected, strict=True):
                assert one.policy is not None
                assert other.policy is not None
                assert np.abs(one.policy - other.policy).max() < 1e-5
                assert abs(one.value - other.value) < 1e-5
