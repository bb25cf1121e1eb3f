"""What is wrong with the input is said in one sentence, with an exit code, and nothing is left behind."""

from __future__ import annotations

import json
import os
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

Azx = Callable[..., subprocess.CompletedProcess[str]]
Edit = Callable[[dict[str, Any]], None]


def edit_layer(checkpoint: Path, name: str, change: Edit) -> None:
    """Change one layer in the architecture that the file holds."""
    with h5py.File(checkpoint, "r+") as file:
        config = json.loads(file.attrs["model_config"])
        change(next(layer for layer in config["config"]["layers"] if layer["config"]["name"] == name))
        file.attrs["model_config"] = json.dumps(config)


def make_pytorch(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.pkl", "")


def drop_architecture(path: Path) -> None:
    with h5py.File(path, "r+") as file:
        del file.attrs["model_config"]


def put_nan(path: Path) -> None:
    with h5py.File(path, "r+") as file:
        group = file["model_weights/conv2d_1"]
        kernel = group[group.attrs["weight_names"][0]]
        kernel[0, 0, 0, 0] = np.nan


def put_lambda(path: Path) -> None:
    config = {"name": "leaky_re_lu", "function": ["4wEAAAA=", None, None], "function_type": "lambda"}
    edit_layer(path, "leaky_re_lu", lambda layer: layer.update(class_name="Lambda", config=config))


def put_unknown_class(path: Path) -> None:
    def rename(layer: dict[str, Any]) -> None:
        layer["class_name"] = "Swirl"
        layer.pop("module", None)
        layer.pop("registered_name", None)

    edit_layer(path, "leaky_re_lu", rename)


BAD_FILES: dict[str, tuple[Callable[[Path], Any], tuple[str, ...]]] = {
    "PyTorch": (make_pytorch, ("is a PyTorch file that azx does not read", "docs/other-frameworks.md")),
    "empty": (lambda path: path.write_bytes(b""), ("is empty", "copy the checkpoint again")),
    "text": (lambda path: path.write_text("weights"), ("is not an HDF5 file", "give the .h5 or .keras file")),
    "truncated": (
        lambda path: path.write_bytes(path.read_bytes()[:20_000]),
        ("starts as HDF5 but cannot be read", "copy it again"),
    ),
    "weights alone": (drop_architecture, ("holds weights without an architecture", "--config", "--builder")),
    "NaN": (put_nan, ("'kernel' of layer 'conv2d_1' holds NaN", "export an earlier checkpoint")),
    "Lambda": (put_lambda, ("layer 'leaky_re_lu' is a Lambda", "--allow-code")),
    "unknown layer": (put_unknown_class, ("layer 'leaky_re_lu' is of class 'Swirl'", "--builder")),
}


@pytest.mark.parametrize("fault", BAD_FILES)
def test_a_bad_checkpoint_is_one_sentence_that_names_the_file_the_layer_and_the_fix(
    check: Any, fault: str, checkpoint: Path, tmp_path: Path, azx: Azx
) -> None:
    spoil, expected = BAD_FILES[fault]
    spoil(checkpoint)
    with check.nothing_left(tmp_path):
        said = check.sentence(azx("export", checkpoint))
    assert str(checkpoint) in said
    for part in expected:
        assert part in said


@pytest.mark.smoke
def test_a_checkpoint_that_is_not_there_is_named_with_the_shipped_ones(check: Any, tmp_path: Path, azx: Azx) -> None:
    with check.nothing_left(tmp_path):
        said = check.sentence(azx("export", "version0019.h5"))
    shipped = "connect4, dots_and_boxes, go, gomoku, hex, reversi, tictactoe"
    assert said == f"There is no checkpoint at 'version0019.h5': check the path, or name a shipped one ({shipped})."


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
@pytest.mark.timeout(60)  # only one that waits for the pipe's other end takes so long
@pytest.mark.parametrize("command", ["inspect", "export", "describe"])
def test_a_pipe_is_refused_and_not_waited_for(command: str, check: Any, tmp_path: Path, azx: Azx) -> None:
    pipe = tmp_path / "pipe.h5"
    os.mkfifo(pipe)
    with check.nothing_left(tmp_path):
        said = check.sentence(azx(command, pipe))
    assert said == f"'{pipe}' is not a file but a pipe or a device: give the .h5 or .keras file itself."


@pytest.mark.smoke
def test_an_unknown_format_suggests_the_nearest(check: Any, tmp_path: Path, azx: Azx) -> None:
    with check.nothing_left(tmp_path):
        done = azx("export", "--format", "tflte")
    assert done.returncode == 2
    assert "There is no format 'tflte': did you mean 'tflite'?" in done.stderr


def test_a_network_that_does_not_fit_the_named_game_is_told_the_shapes(check: Any, tmp_path: Path, azx: Azx) -> None:
    import tf_keras

    board = tf_keras.Input((3, 5, 2))
    flat = tf_keras.layers.Flatten()(board)
    heads = [tf_keras.layers.Dense(width, name=name)(flat) for width, name in ((1, "value"), (15, "policy"))]
    path = check.save_h5(tf_keras.Model(board, heads), tmp_path / "five.h5")
    with check.nothing_left(tmp_path):
        said = check.sentence(azx("export", path, "--game", "connect4"))
    assert str(path) in said
    assert "Connect4 networks take (2, 6, 7) or (6, 7, 2)" in said
    assert "this one takes (3, 5, 2) and has 15" in said
    assert "leave --game out" in said


def test_an_unknown_game_names_the_known_ones(check: Any, checkpoint: Path, tmp_path: Path, azx: Azx) -> None:
    with check.nothing_left(tmp_path):
        said = check.sentence(azx("export", checkpoint, "--game", "conect4"))
    assert "game 'conect4' is unknown: did you mean connect4?" in said


@pytest.mark.parametrize("output", ["net.h5/bundle", "net.h5/deeper/bundle", "net.h5", "/proc/azx/bundle"])
def test_an_output_folder_that_cannot_be_written_is_named(
    check: Any, output: str, checkpoint: Path, tmp_path: Path, azx: Azx
) -> None:
    target = checkpoint.parent / output
    with check.nothing_left(tmp_path):
        said = check.sentence(azx("export", checkpoint, "-o", target))
    assert str(target) in said
    assert "choose another folder with -o" in said


def test_a_folder_that_is_no_bundle_is_not_replaced(check: Any, checkpoint: Path, tmp_path: Path, azx: Azx) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.jpg").write_bytes(b"cat")
    with check.nothing_left(tmp_path):
        said = check.sentence(azx("export", checkpoint, "-o", "photos"))
    assert said == "'photos' is neither empty nor a bundle: choose another folder with -o."


def test_positions_that_are_no_npz_are_refused(check: Any, checkpoint: Path, tmp_path: Path, azx: Azx) -> None:
    with check.nothing_left(tmp_path):
        said = check.sentence(azx("export", checkpoint, "--inputs", checkpoint))
    assert "not an .npz of plain numbers" in said
