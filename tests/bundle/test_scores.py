"""A policy of independent win ratios is exported and proved as what it is: numbers that are no chances."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from azx import export_checkpoint


@pytest.mark.whole
def test_win_ratios_that_are_all_but_0_are_equal_in_each_format(check: Any, tmp_path: Path) -> None:
    import tf_keras
    from tf_keras import initializers, layers

    tf_keras.utils.set_random_seed(3)
    board = layers.Input((8, 8, 2), name="board")
    inner = layers.Dense(64, "relu", kernel_initializer=initializers.RandomNormal(0, 0.3))(layers.Flatten()(board))
    # Most of the sigmoids end far below a thousandth: their sum over some moves may be 1e-9.
    bias = initializers.Constant(-30.0)
    wide = initializers.RandomNormal(0, 3.0)
    ratios = layers.Dense(64, "sigmoid", name="win_ratios", kernel_initializer=wide, bias_initializer=bias)(inner)
    path = check.save_h5(tf_keras.Model(board, ratios), tmp_path / "ratios.h5")
    bundle = export_checkpoint(
        path, output=tmp_path / "out", formats=("onnx", "tflite"), precision=("fp32", "fp16"), count=300
    )
    assert bundle.proof.passed
    [exact] = [each for each in bundle.proof.artifacts if (each.format, each.precision) == ("onnx", "fp32")]
    assert exact.heads[0].policy is not None
    assert exact.heads[0].policy.best_move == 1
    told = json.loads((tmp_path / "out" / "parity.json").read_text())["artifacts"]
    head = next(each for each in told if each["format"] == "onnx")["heads"][0]
    assert (head["max_kl"], head["max_probability_difference"], head["best_move_agreement"]) == (None, None, 1.0)
    gated = [each for each in told if each.get("precision") == "fp16"]
    assert gated
    assert {check["metric"] for each in gated for check in each["gate"]["checks"]} == {
        "score error, p99",
        "score error, largest",
    }
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["outputs"][0]["activation"] == "sigmoid"
