"""What `.ci/run` runs of the tests marked `whole`: a share, and the shares together are all of them."""

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
@pytest.mark.parametrize("number", range(50))
def test_long(number):
    pass
"""


def collected(folder: Path, repository: Path, share: str) -> set[str]:
    """The names of the tests that pytest would run with that AZX_WHOLE."""
    command = [sys.executable, "-P", "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider", str(folder)]
    environment = {**os.environ, "AZX_WHOLE": share, "PYTHONPATH": str(repository / "tests" / "support")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return {line.rsplit("::", 1)[1] for line in done.stdout.splitlines() if "::" in line}


def test_five_fifths_are_the_whole_ring_and_each_has_the_quick_tests(tmp_path: Path, repository: Path) -> None:
    (tmp_path / "conftest.py").write_text((repository / "tests" / "conftest.py").read_text())
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n    whole: takes long\n    smoke: of the wheel\n")
    (tmp_path / "test_some.py").write_text(TESTS)
    everything = collected(tmp_path, repository, "")
    assert len(everything) == 51
    fifths = [collected(tmp_path, repository, f"{number}/5") for number in range(1, 6)]
    assert set.union(*fifths) == everything
    assert all(4 < len(fifth) < 20 and "test_quick" in fifth for fifth in fifths)
    assert sum(map(len, fifths)) == 50 + 5, "a test is in two fifths"


def test_a_run_draws_its_fifth_by_the_commit(repository: Path, tmp_path: Path) -> None:
    """The line of .ci/run itself, for commits of which each number of a fifth comes."""
    line = next(line for line in (repository / ".ci/run").read_text().splitlines() if "AZX_WHOLE=${AZX_WHOLE-" in line)
    git = tmp_path / "git"
    git.write_text('#!/bin/sh\necho "$COMMIT"\n')
    git.chmod(0o755)

    def drawn(**more: str) -> str:
        environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", **more}
        command = ["bash", "-c", f'{line}\necho "$AZX_WHOLE"']
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()

    assert {drawn(COMMIT=f"fffffff{number}") for number in range(5)} == {f"{number}/5" for number in range(1, 6)}
    assert drawn(COMMIT="fffffff1", AZX_WHOLE="") == ""
    assert drawn(COMMIT="fffffff1", AZX_WHOLE="1/3") == "1/3"
