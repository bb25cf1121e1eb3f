"""The checkpoints that lie in a folder now, how one is known to be another than before, and copies of them."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from ...errors import CheckpointError
from ...export.checkpoint.architecture import architecture_beside
from ...export.checkpoint.foreign_beside import files_beside
from ...export.checkpoint.located import is_checkpoint_name
from ...export.checkpoint.run_folder import files_of_run
from ...export.checkpoint.saved_model import FINGERPRINT, GRAPH
from ...export.checkpoint.tfjs_layers import MODEL, is_tfjs_layers

# Of each file: its path below the checkpoint, its bytes, when it was written, and which file it is.
Mark = tuple[tuple[str, int, int, int], ...]


def checkpoints_in(folder: Path) -> list[Path]:
    """What may become checkpoints, hidden files left out: writers call so what they will rename. OSError for none."""
    found = []
    for each in os.scandir(folder):
        path = folder / each.name
        named = is_checkpoint_name(path) or (path / GRAPH).is_file() or is_tfjs_layers(path / MODEL)
        if named and not each.name.startswith("."):
            found.append(path)
    return found


def mark_of(path: Path) -> Mark | None:
    """What a file and those that belong to it, or each file of a folder, are known by while nobody writes to them.

    None if it is gone. What is no file and has none, such as a pipe, is none either.
    """
    try:
        return tuple(sorted(_marks(path))) or None
    except OSError:
        return None


def _marks(path: Path) -> Iterator[tuple[str, int, int, int]]:
    told = path.stat()
    files = [path, *_belonging(path, told.st_size, told.st_mtime_ns)] if stat.S_ISREG(told.st_mode) else [path]
    if path.is_dir():
        # The fingerprint is of the time of saving, and no part of the network: it makes of one that was taken no other.
        files = [Path(root, name) for root, _, names in os.walk(path) for name in names if name != FINGERPRINT]
    for file in files:
        told = file.stat()
        if not stat.S_ISREG(told.st_mode):  # whoever read a pipe would wait for ever
            continue
        yield os.path.relpath(file, path), told.st_size, told.st_mtime_ns, told.st_ino


def _belonging(path: Path, size: int, written: int) -> tuple[Path, ...]:
    """The files beside a checkpoint without which it is not whole; none where one is missing, or it is cut off.

    `size` and `written` are the checkpoint's own: while they stay, its content is not read again.
    """
    with suppress(CheckpointError):
        return _named_in(path, size, written)
    return ()


@lru_cache(maxsize=1024)
def _named_in(path: Path, size: int, written: int) -> tuple[Path, ...]:
    return tuple(files_beside(path))


class Names:
    """The names of all files in a folder, hidden ones too: by them a file is known that was given another."""

    def __init__(self) -> None:
        self._before: dict[tuple[int, int, int], str] = {}
        self._now: dict[tuple[int, int, int], str] = {}

    def look(self, folder: Path) -> None:
        """List the present names; OSError if the folder cannot be read."""
        self._before, self._now = self._now, {}
        for each in os.scandir(folder):
            with suppress(OSError):
                told = (folder / each.name).stat()
                self._now[told.st_ino, told.st_size, told.st_mtime_ns] = each.name

    def is_finished(self, path: Path) -> bool:
        """Whether something other than writing came last: another name, or times that were set.

        A writer that renames its file into place, or sets the times of a copy, has written all of it before. Where a
        system does not tell, and of folders, nothing is known; two looks tell as well.
        """
        with suppress(OSError):
            told = path.stat()
            before = self._before.get((told.st_ino, told.st_size, told.st_mtime_ns))
            renamed = before is not None and before != path.name
            # A write sets both times at once; on Windows the second one is when the file was made.
            return path.is_file() and (renamed or (os.name == "posix" and told.st_ctime_ns > told.st_mtime_ns))
        return False


def copy_checkpoint(path: Path, mark: Mark, place: Path) -> Path | None:
    """A copy of a checkpoint in the empty folder `place`, with what lies beside it and says how to read it.

    None if it is another one meanwhile, or gone; so what is read is no longer anybody else's to change. And the
    original is never open in a way that would keep a training run from writing it. OSError if there is no room.
    """
    target = place / path.name
    try:
        if path.is_dir():
            shutil.copytree(path, target)
        else:
            for each in (path, *_belonging(path, path.stat().st_size, path.stat().st_mtime_ns)):
                (place / each.relative_to(path.parent)).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(each, place / each.relative_to(path.parent))
        with suppress(CheckpointError):
            if not path.is_dir() and (beside := architecture_beside(path)) is not None:
                shutil.copyfile(beside, place / beside.name)
        for each in files_of_run(path):
            shutil.copyfile(each, place / each.name)
    except (OSError, shutil.Error):
        if mark_of(path) == mark:
            raise
    return target if mark_of(path) == mark else None


def size_of(mark: Mark) -> int:
    """Bytes of all files."""
    return sum(size for _, size, _, _ in mark)
