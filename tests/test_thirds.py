"""What `.ci/run` runs of the tests marked `whole`: a third, and three thirds are all of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TESTS = """
import pytest

def test_quick():
    pass

@pytest.mark.whole
@pytest.mark.parametrize("number", range(30))
def test_long(number):
    pass
"""


def collected(folder: Path, repository: Path, third: str) -> set[str]:
    """The names of the tests that pytest would run with that AZX_THIRD."""
    command = [sys.executable, "-P", "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider", str(folder)]
    environment = {**os.environ, "AZX_THIRD": third, "PYTHONPATH": str(repository / "tests" / "support")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return {line.rsplit("::", 1)[1] for line in done.stdout.splitlines() if "::" in line}


def test_three_thirds_are_the_whole_ring_and_each_has_the_quick_tests(tmp_path: Path, repository: Path) -> None:
    (tmp_path / "conftest.py").write_text((repository / "tests" / "conftest.py").read_text())
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n    whole: takes long\n    smoke: of the wheel\n")
    (tmp_path / "test_some.py").write_text(TESTS)
    everything = collected(tmp_path, repository, "")
    assert len(everything) == 31
    thirds = [collected(tmp_path, repository, third) for third in "012"]
    assert set.union(*thirds) == everything
    assert all(5 < len(third) < 16 and "test_quick" in third for third in thirds)
    assert sum(map(len, thirds)) == 30 + 3, "a test is in two thirds"
