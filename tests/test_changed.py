"""Which tests `make test-changed` takes for a change."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from changed import affected_by, changed_since


@pytest.mark.whole
@pytest.mark.parametrize(
    ("file", "taken", "left"),
    [
        # A module that others import by way of others, and a room that has nothing to do with it.
        (
            "games/policy.py",
            ["tests/games/test_policy.py", "tests/validate/test_faults.py"],
            ["tests/system/test_lock.py"],
        ),
        # A command is loaded by its name alone.
        ("commands/inspect.py", ["tests/test_go_orders.py"], ["tests/games/test_policy.py"]),
        # A data file counts as the modules of its room, a text of the apps as what reads the texts.
        ("games/data/levels.json", ["tests/games/test_levels.py"], ["tests/system/test_lock.py"]),
        ("apps/texts/en.json", ["tests/test_texts.py"], ["tests/system/test_lock.py"]),
        # A page of the documents is of interest to those that name it.
        ("docs/cli.md", ["tests/test_cli.py"], ["tests/games/test_policy.py"]),
        # A test counts by itself.
        ("tests/system/test_lock.py", ["tests/system/test_lock.py"], ["tests/games/test_policy.py"]),
        # The apps' own code is tested by their own commands.
        ("apps/web/src/engine/Tree.ts", [], ["tests/games/test_policy.py"]),
    ],
)
def test_a_change_takes_what_lies_downstream(repository: Path, file: str, taken: list[str], left: list[str]) -> None:
    found = affected_by(repository, [file])
    assert set(taken) <= set(found)
    assert not set(left) & set(found)


@pytest.mark.parametrize("file", ["tests/conftest.py", "tests/support/azx_commands.py", "pyproject.toml"])
def test_what_all_tests_use_takes_all_of_them(repository: Path, file: str) -> None:
    assert affected_by(repository, [file]) == ["tests"]


def test_a_file_that_git_does_not_know_yet_has_changed_too(tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments], cwd=tmp_path, check=True
        )

    git("init", "-q")
    for name in ("same.py", "edited.py"):
        (tmp_path / name).write_text("1\n")
    git("add", ".")
    git("commit", "-qm", "first")
    (tmp_path / "edited.py").write_text("2\n")
    (tmp_path / "new.py").write_text("3\n")
    assert changed_since(tmp_path, "HEAD") == ["edited.py", "new.py"]
