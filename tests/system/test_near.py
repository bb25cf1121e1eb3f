"""A path that is not there names the one that was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from azx.errors import BundleError, CheckpointError
from azx.export.checkpoint.located import find_checkpoint
from azx.system.near import did_you_mean, near_path


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "runs").mkdir()
    for name in ("version0019.h5", "version0020.h5", "notes.txt"):
        (tmp_path / "runs" / name).touch()
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("runs/version019.h5", "runs/version0019.h5"),
        ("runs/Version0020.h5", "runs/version0020.h5"),
        ("runs/version0019", "runs/version0019.h5"),
        ("run/version0019.h5", "runs/version0019.h5"),
        ("runs/other", None),
        ("runs/notes.txt", None),
        ("nowhere/at/all.h5", None),
    ],
)
def test_the_nearest_path_is_found(path: str, meant: str | None) -> None:
    found = near_path(Path(path))
    assert (found.replace("\\", "/") if found else None) == meant


def test_an_error_names_it(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"\(did you mean 'runs/version0019.h5'\?\): check the path"):
        find_checkpoint("runs/version0019")
    with pytest.raises(CheckpointError, match=r"\(did you mean 'connect4'\?\)"):
        find_checkpoint("conect4")
    from azx.bundle.contents.manifest import read_manifest

    with pytest.raises(BundleError, match=r"\(did you mean 'runs'\?\): give the folder"):
        read_manifest(Path("rums"))
    assert did_you_mean(Path("nothing like it")) == ""
