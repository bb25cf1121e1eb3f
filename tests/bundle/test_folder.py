"""Where the bundle written last is noted, and how `azx validate` finds it without an argument."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from azx.bundle.folder import last_bundle, remember
from azx.errors import BundleError


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home folder; the working folder is beside it."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "home"


def bundle_at(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "manifest.json").touch()
    return folder


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep state elsewhere")
def test_the_note_is_in_the_state_folder_of_the_user(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remember(home)
    assert (home / ".local" / "state" / "azx" / "last-bundle").read_text(encoding="utf8") == str(home.resolve())
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    remember(home)
    assert (home / "state" / "azx" / "last-bundle").is_file()


def test_a_bundle_outside_of_the_working_folder_is_remembered(home: Path) -> None:
    folder = bundle_at(home / "elsewhere")
    remember(folder)
    assert last_bundle() == folder.resolve()


def test_a_bundle_that_was_remembered_and_is_gone_is_passed_over(home: Path) -> None:
    remember(home / "gone")
    with pytest.raises(BundleError, match="No bundle was written here yet: run azx export first"):
        last_bundle()
    here = bundle_at(Path("bundles") / "net")
    assert last_bundle() == here


def test_a_note_that_cannot_be_kept_stops_nothing(home: Path) -> None:
    home.write_text("no folder")
    remember(home)
