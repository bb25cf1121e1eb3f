"""Code that comes with a checkpoint, in the file or beside it: what of it reaches the screen."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Azx = Callable[..., subprocess.CompletedProcess[str]]

BUILDER = """
def make():
    import tensorflow as tf
    import tf_keras
    from tf_keras import layers
    print("made by hand")
    tf.constant(1) + 1  # TensorFlow starts, and tells of the machine
    board = layers.Input((6, 7, 2), name="main_input")
    flat = layers.Flatten()(board)
    heads = [layers.Dense(1, activation="tanh", name="value_head")(flat), layers.Dense(7, name="policy_head")(flat)]
    return tf_keras.Model(board, heads)
"""


@pytest.mark.whole
def test_a_builder_leaves_json_alone_and_tensorflow_off_the_screen(azx: Azx, tmp_path: Path) -> None:
    (tmp_path / "hand.py").write_text(BUILDER)
    made: dict[str, Any] = {}
    exec(BUILDER, made)  # noqa: S102 - the text above
    made["make"]().save_weights(str(tmp_path / "net.weights.h5"))
    done = azx("inspect", "net.weights.h5", "--builder", "hand:make", "--json")
    assert done.returncode == 0, done.stderr
    assert [head["name"] for head in json.loads(done.stdout)["heads"]] == ["value_head", "policy_head"]
    assert done.stderr == "made by hand\n"


@pytest.mark.parametrize("where", ["layer", "activation"])
def test_inspect_names_a_lambda_and_shows_no_bytecode(where: str, check: Any, azx: Azx, tmp_path: Path) -> None:
    import tf_keras
    from tf_keras import layers

    board = layers.Input((6, 7, 2), name="main_input")
    flat = layers.Flatten()(layers.Lambda(lambda planes: planes * 2)(board) if where == "layer" else board)
    activation = (lambda value: value * 3) if where == "activation" else "tanh"
    heads = [layers.Dense(1, activation=activation, name="value_head")(flat), layers.Dense(7, name="policy_head")(flat)]
    check.save_h5(tf_keras.Model(board, heads), tmp_path / "net.h5")
    done = azx("inspect", "net.h5")
    assert done.returncode == 0, done.stderr
    assert ("is a Lambda, Python code inside the file" in done.stdout) == (where == "layer")
    assert "4wEAAAA" not in done.stdout  # how marshalled code begins, in base 64
    assert all(len(line) < 500 for line in done.stdout.splitlines())
