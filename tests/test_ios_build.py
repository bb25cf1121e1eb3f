"""How the iOS app's Swift is found: this machine's first, else a folder with Debian 13, else a reason is given."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

# What the script itself is made of.
SHELL_TOOLS = ("bash", "dirname", "cksum", "cut")


@pytest.fixture
def script(repository: Path) -> Path:
    return repository / "apps" / "ios" / "tools" / "swift.sh"


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder that is a whole PATH, of what every machine has."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in SHELL_TOOLS:
        found = shutil.which(name)
        assert found is not None
        (folder / name).symlink_to(found)
    return folder


def run(script: Path, tools: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": str(tools), "HOME": str(tools.parent)}
    return subprocess.run([script, *arguments], env=environment, capture_output=True, text=True, check=False)


def test_the_swift_on_path_is_taken_and_runs_in_the_app(script: Path, tools: Path) -> None:
    swift = tools / "swift"
    swift.write_text('#!/usr/bin/env bash\necho "$PWD: $*"\nexit 7\n')
    swift.chmod(0o755)
    assert run(script, tools, "--check").returncode == 0
    result = run(script, tools, "test", "--filter", "a b")
    assert (result.returncode, result.stdout) == (7, f"{script.parent.parent}: test --filter a b\n")


def test_a_machine_on_which_it_cannot_run_is_told_why(script: Path, tools: Path) -> None:
    for arguments in (["--check"], ["test"]):
        result = run(script, tools, *arguments)
        assert result.returncode == 3, result.stderr
        expected = "there is no apt-get\n" if os.geteuid() == 0 else "only root can run it in a folder with Debian 13\n"
        assert result.stdout.startswith("swift is not on PATH, and ")
        assert result.stdout.endswith(expected)
    assert [path.name for path in tools.parent.iterdir()] == ["bin"]
