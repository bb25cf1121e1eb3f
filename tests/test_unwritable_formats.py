"""`azx export` of a network that one format has no word for: the others are written, proved and published."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import azx as api
from azx.errors import AzxError, ConversionError
from azx.export.formats.table import FORMATS, choose

Azx = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def einsum(tmp_path_factory: pytest.TempPathFactory, check: Any) -> Path:
    """A network with an Einsum, which TF.js' wasm backend lacks."""
    import tf_keras
    from tf_keras import layers

    tf_keras.utils.set_random_seed(3)
    board = layers.Input((6, 7, 2), name="main_input")
    x = layers.EinsumDense("bhwc,hcd->bhwd", output_shape=(6, 7, 4), activation="relu")(board)
    flat = layers.Flatten()(x)
    heads = [layers.Dense(1, activation="tanh", name="value_head")(flat), layers.Dense(7, name="policy_head")(flat)]
    path: Path = check.save_h5(tf_keras.Model(board, heads), tmp_path_factory.mktemp("einsum") / "einsum.h5")
    return path


def test_all_writes_what_can_be_written_and_says_what_cannot(einsum: Path, azx: Azx, tmp_path: Path) -> None:
    done = azx("export", einsum, "--positions", 30)
    assert done.returncode == 0, done.stderr
    assert "4 artifacts, equal to the original" in done.stdout
    assert "! not written: tfjs (TF.js: the wasm backend has no Einsum" in done.stdout
    folder = tmp_path / "bundles" / "einsum"
    assert not (folder / "einsum_tfjs").exists()
    manifest = json.loads((folder / "manifest.json").read_text())
    assert [entry["format"] for entry in manifest["artifacts"]] == ["coreml", "onnx", "pb", "tflite"]
    assert "web" not in manifest["recommended"]
    assert "Einsum" in json.loads((folder / "parity.json").read_text())["not_written"]["tfjs"]
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "package.json").write_text("{}")
    told = azx("install", folder, tmp_path / "site")
    assert "its export could not write one (TF.js: the wasm backend has no Einsum" in told.stderr
    assert azx("validate", folder).returncode == 0


def test_json_and_the_result_list_what_was_skipped(einsum: Path, azx: Azx, tmp_path: Path) -> None:
    leave = ["--without", "pb,coreml", "--without", "tflite"]
    done = azx("export", einsum, "--positions", 30, "-o", "net", "--json", *leave)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert [item["format"] for item in report["proof"]["artifacts"]] == ["onnx"]
    assert report["skipped"].keys() == {"tfjs"}
    result = api.export_checkpoint(einsum, output=tmp_path / "again", without=("pb", "coreml", "tflite"), count=30)
    assert "Einsum" in result.skipped["tfjs"]


def test_a_format_named_on_purpose_fails_and_nothing_is_published(
    check: Any, einsum: Path, azx: Azx, tmp_path: Path
) -> None:
    with check.nothing_left(tmp_path):
        told = check.sentence(azx("export", einsum, "--format", "onnx,tfjs", "-o", tmp_path / "net"))
    assert told.startswith("'einsum.h5' cannot be written as tfjs (TF.js: the wasm backend has no Einsum")
    assert "leave that format out; all writes the others." in told


def test_where_no_format_can_be_written_the_reasons_are_told(einsum: Path, tmp_path: Path) -> None:
    leave = tuple(name for name in FORMATS if name != "tfjs")
    with pytest.raises(ConversionError, match=r"cannot be written in any format: tfjs \(TF\.js: .*Einsum"):
        api.export_checkpoint(einsum, output=tmp_path / "net", without=leave, count=30)
    assert not (tmp_path / "net").exists()


def test_without_takes_a_format_out_of_all_alone() -> None:
    assert "tfjs" not in [entry.name for entry in choose(("all",), ("tfjs",))[0]]
    assert choose(("all",), ("tfjs",))[1] == {}
    with pytest.raises(AzxError, match="'onnx' is asked for and left out"):
        choose(("all", "onnx"), ("onnx",))
    with pytest.raises(AzxError, match="did you mean 'tflite'"):
        choose(("all",), ("tflit",))
    with pytest.raises(AzxError, match="Every format is left out"):
        choose(("all",), tuple(FORMATS))


def test_where_nothing_can_be_written_here_every_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("azx.export.formats.table.find_spec", lambda name: None)
    monkeypatch.setattr("azx.export.formats.table.Format.unavailable", lambda entry: f"{entry.name} is not here")
    with pytest.raises(AzxError, match=r"No format can be written here: pb \(pb is not here\); tflite"):
        choose(("all",))
