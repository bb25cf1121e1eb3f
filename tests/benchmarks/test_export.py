import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


def run(script, *arguments, cwd):
    command = [sys.executable, "-P", BENCHMARKS / script, *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120, check=False)


def test_the_benchmark_says_what_it_measures_and_takes(tmp_path):
    done = run("export.py", "--help", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "official routes" in done.stdout
    assert "--runs" in done.stdout
    assert "--json" in done.stdout


@pytest.mark.parametrize("script", ["official.py", "latency.py"])
def test_a_helper_run_without_arguments_says_its_usage_and_does_nothing(script, tmp_path):
    done = run(f"routes/{script}", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage: ")
    assert not list(tmp_path.iterdir())
