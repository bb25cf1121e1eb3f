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
from itertools import count
from pathlib import Path
from typing import Any

CHANGES = {
    *("os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate"),
    "azx.exchange",
}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


class Watch:
    """Tells of each point below `root`, by `point`."""

    def __init__(self, root: str) -> None:
        self.root, self.busy = os.path.realpath(root), False
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
        """A point has come; with a path azx is about to open that file, and it counts as open by then."""
        raise NotImplementedError


class Ender(Watch):
    """Counts the points by `number`, which gives the number of the one that has come; `end` at `at`."""

    def __init__(self, root: str, number: Callable[[], int], at: int, end: Callable[[], None]) -> None:
        self.number, self.at, self.end = number, at, end
        super().__init__(root)

    def point(self, path: Any = None, flags: int = 0) -> None:
        """At the last one open the file as azx is about to, if there is one, and end."""
        if self.number() == self.at:
            self.busy = True
            open_as(path, flags)
            self.end()


class Recorder(Watch):
    """Keeps a copy of `root` at each point, which a process that is ended there would leave, as `folder/NUMBER`."""

    def __init__(self, root: str, folder: Path) -> None:
        self.folder, self.numbers = folder, count(1)
        super().__init__(root)

    def point(self, path: Any = None, flags: int = 0) -> None:
        """Copy; in the copy the file is opened as azx is about to."""
        self.busy = True
        copy = self.folder / str(next(self.numbers))
        shutil.copytree(self.root, copy, symlinks=True)
        if path is not None:
            open_as(copy / os.path.relpath(os.path.realpath(os.fsdecode(path)), self.root), flags)
        self.busy = False


def open_as(path: Any, flags: int) -> None:
    """Open a file for writing and close it, where azx would be let do so."""
    if path is not None:
        with suppress(OSError):
            os.close(os.open(path, flags, 0o644))


def in_this_process(root: str, at: int) -> None:
    """End this process alone at a point."""
    numbers = count(1)
    Ender(root, lambda: next(numbers), at, lambda: os.kill(os.getpid(), signal.SIGKILL))


def in_all_processes() -> None:
    """Watch every process of a command together, as the environment says; the end is that of their whole group.

    AZX_KILL_ROOT is the folder, AZX_KILL_AT the number, AZX_KILL_COUNT a file to which each point adds a byte.
    """
    counted = os.open(os.environ["AZX_KILL_COUNT"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def number() -> int:
        os.write(counted, b".")
        return os.fstat(counted).st_size

    at = int(os.environ["AZX_KILL_AT"])
    Ender(os.environ["AZX_KILL_ROOT"], number, at, lambda: os.killpg(os.getpgrp(), signal.SIGKILL))
