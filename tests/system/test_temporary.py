"""What a killed process left in the system's temporary folder goes with the next run, and nobody else's does."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from azx.system.temporary import temporary_files_in, temporary_folder

HOLD = """
import sys, time
from azx.system.temporary import temporary_folder
with temporary_folder("test") as folder:
    print(folder, flush=True)
    time.sleep(600)
"""
pytestmark = pytest.mark.skipif(os.name != "posix", reason="elsewhere no folder can be locked, and nothing is removed")
HOME = f"azx-{os.getuid()}" if os.name == "posix" else ""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The system's temporary folder, as far as this test and its processes know."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def test_the_folder_is_gone_after_the_block_and_its_home_with_the_last(place: Path) -> None:
    with temporary_folder("first") as first:
        with temporary_folder("second") as second:
            assert {first.parent, second.parent} == {place / HOME}
            assert (place / HOME).stat().st_mode & 0o777 == 0o700
        assert list((place / HOME).iterdir()) == [first]
    assert list(place.iterdir()) == []


def test_the_folder_of_a_killed_process_goes_and_that_of_a_living_one_stays(place: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLD], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        left = Path(process.stdout.readline().strip())
        (left / "network.pb").write_bytes(b"1")
        with temporary_folder("test"):
            assert left.is_dir()
        process.kill()
    assert left.is_dir()
    with temporary_folder("test"):
        assert not left.exists()
    assert list(place.iterdir()) == []


def test_what_is_not_azxs_stays(place: Path) -> None:
    """A file, a folder of another name, and a link under a name that azx would give."""
    home, elsewhere = place / HOME, place / "elsewhere"
    for folder in (home / "notes", elsewhere, place / "azx-match-1-99999999-abc"):
        folder.mkdir(mode=0o700, parents=True)
        (folder / "mine.txt").write_text("mine")
    home.chmod(0o700)
    (home / "work-0123456789abcdef").symlink_to(elsewhere)
    (home / "mine.txt").write_text("mine")
    before = sorted(place.rglob("*"))
    with temporary_folder("test"):
        pass
    assert sorted(place.rglob("*")) == before


@pytest.mark.parametrize("mode", [0o755, 0o777])
def test_a_folder_that_others_may_enter_is_not_used(place: Path, mode: int) -> None:
    """Whoever made it could put links there, through which files would be removed that are not azx's."""
    planted = place / HOME / "work-0123456789abcdef"
    planted.mkdir(parents=True)
    (place / HOME).chmod(mode)
    with temporary_folder("test") as folder:
        assert folder.parent == place
        assert folder.stat().st_mode & 0o777 == 0o700
    assert list(place.rglob("*")) == [place / HOME, planted]


def test_a_link_of_that_name_is_not_followed(place: Path) -> None:
    elsewhere = place / "elsewhere"
    (elsewhere / "work-0123456789abcdef").mkdir(parents=True)
    elsewhere.chmod(0o700)
    (place / HOME).symlink_to(elsewhere)
    with temporary_folder("test") as folder:
        assert folder.parent == place
    assert (elsewhere / "work-0123456789abcdef").is_dir()


def test_a_folder_of_another_user_is_not_used(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / HOME).mkdir(mode=0o700)
    name = f"azx-{os.getuid() + 1}"
    (place / HOME).rename(place / name)
    monkeypatch.setattr(os, "getuid", lambda: int(name.removeprefix("azx-")))
    with temporary_folder("test") as folder:
        assert folder.parent == place


def test_files_of_the_block_lie_in_the_folder_and_the_setting_comes_back(place: Path) -> None:
    with temporary_folder("test") as folder, temporary_files_in(folder), tempfile.NamedTemporaryFile() as file:
        assert Path(file.name).parent == folder
    assert tempfile.gettempdir() == str(place)
