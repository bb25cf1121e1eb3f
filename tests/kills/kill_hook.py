"""Ends a process at one of the points at which it changes something in a folder: before each change, and after a file
was opened for writing, when it is there and empty.

Python tells of each change before it is made (`sys.addaudithook`); azx tells of its exchange of names itself.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

CHANGES = {
    *("os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate"),
    "azx.exchange",
}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


class Watch:
    """Counts the points below `root` by `count`, which gives the number of the one that has come; `end` at `at`."""

    def __init__(self, root: str, count: Callable[[], int], at: int, end: Callable[[], None]) -> None:
        self.root, self.count, self.at, self.end = os.path.realpath(root), count, at, end
        self.busy = False
        sys.addaudithook(self)

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.busy:
            return
        if event == "open":
            path, _, flags = arguments
            if not isinstance(path, int) and flags & WRITING and self.is_below(path):
                self.point()
                self.point(path, flags)
        elif event in CHANGES and any(self.is_below(path) for path in arguments):
            self.point()

    def is_below(self, path: Any) -> bool:
        """Whether a path lies in the folder; a bare name, as `shutil.rmtree` has them in an open folder, counts."""
        if not isinstance(path, (str, bytes, os.PathLike)):
            return False
        name = os.fsdecode(path)
        return os.sep not in name or os.path.realpath(Path(name).parent).startswith(self.root)

    def point(self, path: Any = None, flags: int = 0) -> None:
        """A point has come; at the last one open a file as azx is about to, if there is one, and end."""
        if self.count() == self.at:
            self.busy = True
            open_as(path, flags)
            self.end()


class Recorder(Watch):
    """Keeps a copy of `root` at each point, which a process that is ended there would leave, as `folder/NUMBER`."""

    def __init__(self, root: str, folder: Path) -> None:
        self.folder, self.points = folder, 0
        super().__init__(root, lambda: 0, -1, lambda: None)

    def point(self, path: Any = None, flags: int = 0) -> None:
        """A point has come; in the copy the file is opened as azx is about to."""
        self.points += 1
        self.busy = True
        copy = self.folder / str(self.points)
        shutil.copytree(self.root, copy, symlinks=True)
        if path is not None:
            open_as(copy / os.path.relpath(os.path.realpath(os.fsdecode(path)), self.root), flags)
        self.busy = False


def open_as(path: Any, flags: int) -> None:
    """Open a file for writing and close it, where azx would be let do so."""
    if path is not None:
        with suppress(OSError):
            os.close(os.open(path, flags, 0o644))


def in_this_process(root: str, at: int) -> list[int]:
    """Watch this process alone; the answer has as many numbers as points have come."""
    seen: list[int] = []

    def count() -> int:
        seen.append(len(seen) + 1)
        return seen[-1]

    Watch(root, count, at, lambda: os.kill(os.getpid(), signal.SIGKILL))
    return seen


def in_all_processes() -> None:
    """Watch every process of a command together, as the environment says; the end is that of their whole group.

    AZX_KILL_ROOT is the folder, AZX_KILL_AT the number, AZX_KILL_COUNT a file to which each point adds a byte.
    """
    counted = os.open(os.environ["AZX_KILL_COUNT"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def count() -> int:
        os.write(counted, b".")
        return os.fstat(counted).st_size

    at = int(os.environ["AZX_KILL_AT"])
    Watch(os.environ["AZX_KILL_ROOT"], count, at, lambda: os.killpg(os.getpgrp(), signal.SIGKILL))
