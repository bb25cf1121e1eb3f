"""A watch on a disk that is full: it says so, and goes on when there is room again."""

from __future__ import annotations

import errno
import json
import os
import subprocess
from pathlib import Path

import pytest
from versions import version
from watcher import arrive, watching

from azx.bundle.contents.manifest import load_manifest
from azx.errors import BundleError
from azx.system.disk import has_room, is_full

# A disk of its own, seen by this process alone: no right is needed that a user has not.
ALONE = ("unshare", "--map-root-user", "--mount", "--", "sh", "-c")
DISK = 'mount -t tmpfs -o size=320k tmpfs bundles && head -c 300k /dev/zero > bundles/ballast && exec "$@"'


def why_not(folder: Path) -> str | None:
    """Why there can be no such disk here; None where there can."""
    (folder / "tried").mkdir()
    try:
        done = subprocess.run(
            [*ALONE, "mount -t tmpfs tmpfs tried"], cwd=folder, capture_output=True, text=True, timeout=300
        )
    except OSError as error:
        return str(error)
    return done.stderr.strip() if done.returncode else None


@pytest.mark.whole
def test_a_full_disk_is_told_of_once_and_waited_for(tmp_path: Path) -> None:
    if reason := why_not(tmp_path):
        pytest.skip(f"this system makes no disk for a test: {reason}")
    for name in ("runs", "bundles"):
        (tmp_path / name).mkdir()
    arrive(tmp_path / "runs" / "version1.h5", version(tmp_path / "source", 1))
    with watching(tmp_path, before=[*ALONE, DISK, "sh"]) as watch:
        told = watch.wait("no_room", "version1")
        assert os.strerror(errno.ENOSPC) in told["message"]
        disk = Path(f"/proc/{watch.process.pid}/root{tmp_path.absolute()}/bundles")
        assert not list(disk.glob("version1/*"))
        arrive(tmp_path / "runs" / "version2.h5", version(tmp_path / "source", 2))
        watch.wait("picked_up", "version2.h5")
        (disk / "ballast").unlink()
        watch.wait("best", "version1")
        watch.wait("played", "version2")
        assert watch.kinds().count("no_room") == 1
        assert watch.kinds("version1") == ["no_room", "room", "proved", "best"]
        assert json.loads((disk / "best.json").read_text())["best"]["tictactoe"]["bundle"] in ("version1", "version2")
        for name in ("version1", "version2", "best-of/tictactoe"):
            load_manifest(disk / name)
        assert watch.end() == 130


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), True),
        (OSError(errno.EFBIG, os.strerror(errno.EFBIG)), True),
        (OSError(errno.EACCES, os.strerror(errno.EACCES)), False),
        # As it comes from another process, where what it came from is lost.
        (BundleError(f"'net.onnx' cannot be written ({os.strerror(errno.ENOSPC)}): free the disk."), True),
        (BundleError("'net.onnx' cannot be written (Permission denied): free the disk."), False),
    ],
)
def test_what_a_full_disk_gives_is_known(error: Exception, expected: bool) -> None:
    assert is_full(error) is expected
    wrapped = BundleError("it cannot be done")
    wrapped.__cause__ = error
    assert is_full(wrapped) is expected


def test_room_is_tried_and_nothing_stays(tmp_path: Path) -> None:
    assert has_room(tmp_path, 1000)
    assert not has_room(tmp_path, 1 << 60)
    assert not has_room(tmp_path / "nowhere", 1)
    assert list(tmp_path.iterdir()) == []
