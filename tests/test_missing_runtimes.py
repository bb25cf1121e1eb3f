"""`azx export` and `azx validate` where a runtime is not installed: not proved here, which is not unequal."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from azx.system.installed import of_azx, quote

Azx = Callable[..., subprocess.CompletedProcess[str]]
Hidden = Callable[..., dict[str, str]]
LACKING = f"onnxruntime is not installed: pip install {quote(of_azx('play'))}"
EXPORT = quote(of_azx("export"))
SAID = f"not proved here: {LACKING}"


@pytest.mark.whole
def test_validate_says_what_was_not_proved_and_is_content(bundle: Path, azx: Azx, without: Hidden) -> None:
    done = azx("validate", bundle, env=without("onnxruntime"))
    assert done.returncode == 0, done.stderr
    assert "4 artifacts equal to the 20 answers in golden.json; 1 not proved here" in done.stdout
    assert done.stdout.splitlines()[-1] == f"! small net é.onnx: {SAID}"
    assert "ModuleNotFoundError" not in done.stdout + done.stderr


@pytest.mark.whole
def test_require_all_makes_it_an_error(bundle: Path, azx: Azx, without: Hidden) -> None:
    done = azx("validate", bundle, "--require-all", env=without("onnxruntime"))
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        f"Error: Not every artifact can be proved here: small net é.onnx ({LACKING})."
    )
    assert azx("validate", bundle, "--require-all").returncode == 0


@pytest.mark.whole
def test_json_and_parity_json_have_it_as_data(
    small_checkpoint: Path, azx: Azx, without: Hidden, tmp_path: Path
) -> None:
    options = ["--format", "onnx,tflite", "--positions", 30, "-o", "net"]
    done = azx("export", small_checkpoint, *options, "--json", env=without("onnxruntime"))
    assert done.returncode == 0, done.stderr
    proof = json.loads(done.stdout)["proof"]
    assert proof["passed"]
    assert proof["not_proved"] == {"small net é.onnx": LACKING}
    found = {item["format"]: item for item in proof["artifacts"]}
    assert (found["onnx"]["proved"], found["onnx"]["reason"], found["onnx"]["problems"]) == (False, LACKING, [])
    assert (found["tflite"]["proved"], found["tflite"]["passed"]) == (True, True)
    assert json.loads((tmp_path / "net" / "parity.json").read_text())["not_proved"] == {"small net é.onnx": LACKING}


@pytest.mark.whole
def test_an_export_of_which_nothing_is_proved_publishes_nothing(
    check: Any, small_checkpoint: Path, azx: Azx, without: Hidden, tmp_path: Path
) -> None:
    options = ["--format", "onnx", "--positions", 30, "-o", tmp_path / "net"]
    with check.nothing_left(tmp_path):
        done = azx("export", small_checkpoint, *options, env=without("onnxruntime"))
    assert done.returncode == 1
    assert "Error: No artifact can be proved here: small net é.onnx (onnxruntime is not" in done.stderr
    assert done.stderr.endswith("Nothing was published.\n")


def test_validate_without_tensorflow_proves_what_it_can(bundle: Path, azx: Azx, without: Hidden) -> None:
    done = azx("validate", bundle, "--json", env=without("tensorflow", "coremltools"))
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["not_proved"]["small net é.pb"] == f"tensorflow is not installed: pip install {EXPORT}"
    assert report["not_proved"]["small net é.mlpackage"].endswith(f"is not installed: pip install {EXPORT}")
    assert {item["format"] for item in report["artifacts"] if item["passed"]} >= {"onnx", "tflite"}


@pytest.mark.whole
def test_against_the_checkpoint_the_witness_stands_in_for_keras(
    bundle: Path, small_checkpoint: Path, azx: Azx, without: Hidden
) -> None:
    done = azx("validate", bundle, "--against", small_checkpoint, "--positions", 30, env=without("tensorflow"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Keras did not run: tensorflow is not installed" in done.stdout
    assert "ModuleNotFoundError" not in done.stdout + done.stderr


def test_an_artifact_that_cannot_be_played_names_the_package(bundle: Path, azx: Azx, without: Hidden) -> None:
    done = azx("play", bundle / "small net é.onnx", env=without("onnxruntime"), stdin=subprocess.DEVNULL)
    assert done.returncode == 1
    assert f"cannot be played here: {LACKING}." in done.stderr
