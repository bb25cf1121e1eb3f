"""The benchmark's scripts can be asked what they do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


def run(script: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", str(BENCHMARKS / script), *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120, check=False)


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
    done = run("bad_files.py", "--only", "1 GiB declared", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "claims 1 GiB: it is no board-game network" in done.stdout
