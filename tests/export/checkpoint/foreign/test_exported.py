"""Files of other frameworks through the whole command: written, proved against their own original, and named for it."""

from __future__ import annotations

import json
import pickle
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from onnx_models import NodeOf, conv_net, model

from azx import AzxError, export_checkpoint

Azx = Callable[..., subprocess.CompletedProcess[str]]


def listed(path: Path) -> Path:
    """AlphaZero_Gomoku's network for 3x3, as Keras' get_weights lists it."""
    random = np.random.default_rng(9)
    kernels = [(3, 3, 4, 8), (3, 3, 8, 8), (3, 3, 8, 8), (1, 1, 8, 4), (36, 9), (1, 1, 8, 2), (18, 64), (64, 1)]
    arrays = []
    for shape in kernels:
        arrays += [random.normal(size=shape) / np.sqrt(np.prod(shape[:-1])), np.zeros(shape[-1])]
    path.write_bytes(pickle.dumps([array.astype(np.float32) for array in arrays], protocol=2))
    return path


@pytest.mark.parametrize(
    ("name", "write", "written_by", "asked"),
    [
        ("net.onnx", conv_net, "ONNX of pytorch", "by onnxruntime"),
        pytest.param("best_policy.model", listed, "pickled NumPy arrays", "was not asked", marks=pytest.mark.whole),
    ],
)
def test_a_file_of_another_framework_is_exported_with_proof(
    name: str, write: Callable[[Path], Path], written_by: str, asked: str, tmp_path: Path, azx: Azx
) -> None:
    path = write(tmp_path / name)
    done = azx("export", path, "--format", "onnx", "--positions", "40", "-o", tmp_path / "bundle")
    assert done.returncode == 0, done.stderr
    assert asked in " ".join(done.stdout.split())
    manifest = json.loads((tmp_path / "bundle/manifest.json").read_text())
    assert manifest["checkpoint"]["file"] == name
    assert manifest["checkpoint"]["keras_version"].startswith(written_by)
    assert [output["role"] for output in manifest["outputs"]] == ["value", "policy"]
    again = azx("validate", tmp_path / "bundle", "--against", path, "--positions", "40")
    assert again.returncode == 0, again.stdout + again.stderr
    shown = azx("inspect", path)
    assert f"{path}: {written_by}" in shown.stdout


def test_a_model_whose_two_evaluations_differ_is_refused_in_a_sentence(tmp_path: Path) -> None:
    """ONNX Runtime's float32 loses beside 10,000,000 what the float64 witness keeps: neither is right."""
    random = np.random.default_rng(1)
    weights = {"w": random.normal(size=(18, 9)).astype(np.float32), "v": random.normal(size=(18, 1)).astype(np.float32)}
    nodes: list[NodeOf] = [
        ("Flatten", ["board"], ["flat"], {"axis": 1}),
        ("MatMul", ["flat", "w"], ["moves"], {}),
        ("Add", ["moves", "large"], ["added"], {}),
        ("Sub", ["added", "large"], ["policy"], {}),
        ("MatMul", ["flat", "v"], ["single"], {}),
        ("Tanh", ["single"], ["value"], {}),
    ]
    weights["large"] = np.full(9, 1e7, np.float32)
    path = model(tmp_path / "net.onnx", nodes, weights, {"board": (1, 2, 3, 3)}, ["policy", "value"])
    with pytest.raises(AzxError, match="rounding to float32 alone moves policy"):
        export_checkpoint(path, output=tmp_path / "bundle", formats="pb", game="none", count=30)
    assert not (tmp_path / "bundle").exists()
