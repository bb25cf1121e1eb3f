"""The checkpoints in a folder at this moment, how to notice that one changed, and copies of them."""

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
from ...export.checkpoint.foreign.beside import files_beside
from ...export.checkpoint.located import is_checkpoint_name
from ...export.checkpoint.run_folder import files_of_run
from ...export.checkpoint.saved_model import FINGERPRINT, GRAPH
from ...export.checkpoint.tfjs_layers import MODEL, is_tfjs_layers

# For each file: its path below the checkpoint, its bytes, its modification time, and its inode.
Mark = tuple[tuple[str, int, int, int], ...]


def checkpoints_in(folder: Path) -> list[Path]:
    """Possible checkpoints, without hidden files, which writers will rename. OSError if the folder cannot be read."""
    paths = []
    for each in os.scandir(folder):
        path = folder / each.name
        named = is_checkpoint_name(path) or (path / GRAPH).is_file() or is_tfjs_layers(path / MODEL)
        if named and not each.name.startswith("."):
            paths.append(path)
    return paths


def mark_of(path: Path) -> Mark | None:
    """A mark of the present state of a file and the files that belong to it, or of all files of a folder.

    None if it is gone. A path without regular files, such as a pipe, also gives None.
    """
    try:
        return tuple(sorted(_marks(path))) or None
    except OSError:
        return None


def _marks(path: Path) -> Iterator[tuple[str, int, int, int]]:
    own = path.stat()
    files = [path, *_belonging(path, own.st_size, own.st_mtime_ns)] if stat.S_ISREG(own.st_mode) else [path]
    if path.is_dir():
        # The fingerprint depends on the time of saving and not on the network, so it must not change the mark.
        files = [Path(root, name) for root, _, names in os.walk(path) for name in names if name != FINGERPRINT]
    for file in files:
        status = file.stat()
        if not stat.S_ISREG(status.st_mode):  # reading a pipe would wait for ever
            continue
        yield os.path.relpath(file, path), status.st_size, status.st_mtime_ns, status.st_ino


def _belonging(path: Path, size: int, written: int) -> tuple[Path, ...]:
    """The files beside a checkpoint that belong to it; empty if one is missing, or the checkpoint is incomplete.

    `size` and `written` are the checkpoint's; while they stay the same, its content is not read again.
    """
    with suppress(CheckpointError):
        return _named_in(path, size, written)
    return ()


@lru_cache(maxsize=1024)
def _named_in(path: Path, size: int, written: int) -> tuple[Path, ...]:
    return tuple(files_beside(path))


class Names:
    """The names of all files in a folder, hidden ones too; they show that a file was renamed."""

    def __init__(self) -> None:
        self._before: dict[tuple[int, int, int], str] = {}
        self._now: dict[tuple[int, int, int], str] = {}

    def look(self, folder: Path) -> None:
        """List the present names; OSError if the folder cannot be read."""
        self._before, self._now = self._now, {}
        for each in os.scandir(folder):
            with suppress(OSError):
                status = (folder / each.name).stat()
                self._now[status.st_ino, status.st_size, status.st_mtime_ns] = each.name

    def is_finished(self, path: Path) -> bool:
        """Whether the last change was not writing: a new name, or times that were set.

        A writer that renames its file into place, or sets the times of a copy, has already written all of it. Folders,
        and some systems, do not show this; then two equal looks show it as well.
        """
        with suppress(OSError):
            status = path.stat()
            before = self._before.get((status.st_ino, status.st_size, status.st_mtime_ns))
            renamed = before is not None and before != path.name
            # A write sets both times at once; on Windows the second is the time of creation.
            return path.is_file() and (renamed or (os.name == "posix" and status.st_ctime_ns > status.st_mtime_ns))
        return False


def copy_checkpoint(path: Path, mark: Mark, place: Path) -> Path | None:
    """A copy of a checkpoint in the empty folder `place`, with files beside it that say how to read it.

    None if it has changed meanwhile or is gone. The copy is read, because nothing else can change it, and because an
    open original could keep a training run from writing it. OSError if there is no room.
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
