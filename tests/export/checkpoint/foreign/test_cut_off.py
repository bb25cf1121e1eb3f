"""Each kind of file, cut off at every twentieth of its length: one sentence, and nothing is written."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from foreign_kinds import KINDS

from azx.errors import AzxError
from azx.export.checkpoint.read import read_checkpoint

Azx = Callable[..., subprocess.CompletedProcess[str]]
PARTS = 20
READ_ALONE = [name for name, kind in KINDS.items() if not kind.needs]


def refusal(path: Path, preset: str | None) -> str:
    """What is said of a file; empty if it is read."""
    try:
        read_checkpoint(path, preset=preset)
    except AzxError as error:
        return str(error)
    return ""


def files_of(path: Path, folder: Path) -> list[Path]:
    """All files of a checkpoint; TensorFlow's note of the last one is none."""
    return [file for file in folder.rglob("*") if file.is_file() and file.name != "checkpoint"]


@pytest.mark.parametrize("name", READ_ALONE)
def test_a_file_that_is_cut_off_is_said_to_be(name: str, tmp_path: Path) -> None:
    kind = KINDS[name]
    path = kind.write(tmp_path)
    preset = kind.options[1] if kind.options else None
    assert not refusal(path, preset)
    files = files_of(path, tmp_path)
    for file in files:
        whole = file.read_bytes()
        for part in range(PARTS):
            file.write_bytes(whole[: len(whole) * part // PARTS])
            said = refusal(path, preset)
            about = (file.name, part, said)
            assert "\n" not in said, about
            assert len(said) < 600, about
            # It names what is wrong, and never another kind of file.
            assert any(word in said for word in ("damaged", "cut off", "truncated", "empty", "not valid JSON")), about
            assert "not a Keras checkpoint" not in said, about
        file.write_bytes(whole)
    assert files_of(path, tmp_path) == files
    assert not refusal(path, preset)


@pytest.mark.parametrize("name", ["ONNX, values beside it", "pickled list", "SuperGo's folder"])
def test_nothing_is_written_of_a_file_that_is_cut_off(name: str, tmp_path: Path, azx: Azx) -> None:
    path = KINDS[name].write(tmp_path)
    cut = max(files_of(path, tmp_path), key=lambda file: file.stat().st_size)
    cut.write_bytes(cut.read_bytes()[:-1])
    before = files_of(path, tmp_path)
    done = azx("export", path, "-o", tmp_path / "bundle")
    assert done.returncode == 1
    assert "Error: " in done.stderr
    assert [file for file in files_of(path, tmp_path) if ".state" not in file.parts] == before
