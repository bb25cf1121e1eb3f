"""What a killed process left in the system's temporary folder goes with the next run."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from azx.bundle.temporary import clear_up, temporary_folder

HOLD = """
import sys, time
from azx.bundle.temporary import temporary_folder
with temporary_folder("test") as folder:
    print(folder, flush=True)
    time.sleep(60)
"""
pytestmark = pytest.mark.skipif(os.name != "posix", reason="elsewhere no process is asked, and nothing removed")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The system's temporary folder, as far as this test and its processes know."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def test_the_folder_is_gone_after_the_block(place: Path) -> None:
    with temporary_folder("test") as folder:
        assert folder.parent == place
        assert str(os.getpid()) in folder.name
    assert list(place.iterdir()) == []


def test_the_folder_of_a_killed_process_goes_and_that_of_a_living_one_stays(place: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLD], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        left = Path(process.stdout.readline().strip())
        (left / "network.pb").write_bytes(b"1")
        clear_up(place)
        assert left.is_dir()
        process.kill()
    assert left.is_dir()
    with temporary_folder("test"):
        assert not left.exists()


def test_what_is_not_azxs_stays(place: Path) -> None:
    (place / "azx-notes").mkdir()
    with temporary_folder("test") as folder:
        dead = folder.name.replace(str(os.getpid()), "99999999")
    (place / "elsewhere").mkdir()
    (place / dead).symlink_to(place / "elsewhere")
    clear_up(place)
    assert {path.name for path in place.iterdir()} == {"azx-notes", "elsewhere", dead}
