"""Where the bundle written last is noted, and how `azx validate` finds it without an argument."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from azx.bundle import folder
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


def test_a_bundle_is_remembered_wherever_below_the_working_folder_it_was_put(home: Path) -> None:
    there = bundle_at(Path("elsewhere") / "deep" / "net")
    remember(there)
    for number in range(3):  # by other programs of this user
        remember(bundle_at(home / f"other{number}"))
    assert last_bundle() == there


def test_a_bundle_that_another_program_wrote_elsewhere_is_not_taken(home: Path) -> None:
    remember(bundle_at(home / "elsewhere"))
    with pytest.raises(BundleError, match="No bundle was written here yet"):
        last_bundle()


def test_a_bundle_that_was_remembered_and_is_gone_is_passed_over(home: Path) -> None:
    remember(Path("gone"))
    with pytest.raises(BundleError, match="No bundle was written here yet: run azx export first"):
        last_bundle()
    here = bundle_at(Path("bundles") / "net")
    assert last_bundle() == here


def test_the_last_hundred_are_remembered_each_once(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in [*range(folder.REMEMBERED + 5), 50]:
        remember(Path(f"net{number}"))
    names = [Path(place).name for place in folder._noted()]
    assert len(names) == folder.REMEMBERED
    assert (names[0], names[-2:]) == ("net5", ["net104", "net50"])


def test_a_note_that_cannot_be_kept_stops_nothing(home: Path) -> None:
    home.write_text("no folder")
    remember(home)
