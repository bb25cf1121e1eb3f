"""The benchmark's scripts can be asked what they do."""

from __future__ import annotations

import importlib
import itertools
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


def run(script: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", str(BENCHMARKS / script), *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=600, check=False)


def test_the_benchmark_says_what_it_measures_and_takes(tmp_path: Path) -> None:
    done = run("export.py", "--help", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "official routes" in done.stdout
    assert "--runs" in done.stdout
    assert "--json" in done.stdout


@pytest.mark.parametrize("script", ["official.py", "latency.py"])
def test_a_helper_run_without_arguments_says_its_usage_and_does_nothing(script: str, tmp_path: Path) -> None:
    done = run(f"routes/{script}", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage: ")
    assert not list(tmp_path.iterdir())


def test_the_bad_files_are_read_and_what_is_said_of_them_is_printed(tmp_path: Path) -> None:
    done = run("bad_files.py", "--only", "1 GiB declared", "--seconds", "inf", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "claims 1 GiB: it is not a board-game network" in done.stdout


def test_a_route_that_is_not_installed_is_left_out_on_both_sides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(BENCHMARKS.parent)
    conversion = importlib.import_module("benchmarks.routes.conversion")
    run: list[list[str]] = []

    def note(timing: Any, command: list[str], folder: Path) -> None:
        run.append(command)
        timing.wall.append(1.0)
        timing.processor.append(1.0)

    monkeypatch.setattr(conversion, "time_command", note)
    monkeypatch.setattr(conversion, "find_spec", lambda name: None if name == "tensorflowjs" else object())
    found = conversion.compare(Path("net.h5"), tmp_path, 1, lambda step: None)
    assert found.left_out == {"tfjs": "tensorflowjs"}
    assert found.working == ["pb", "tflite", "onnx", "coreml"]
    azx, *official = run
    assert [part for before, part in itertools.pairwise(azx) if before == "--format"] == found.working
    assert [command[3] for command in official] == found.working
    assert found.as_data()["ratio_median"] == 0.25
