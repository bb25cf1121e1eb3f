"""Reads files that somebody else may change: what became a pipe or a device is refused at once and never waited for."""

from __future__ import annotations

import errno
import os
import stat
from io import FileIO
from pathlib import Path


def open_plain(path: Path) -> FileIO:
    """The file, open for reading and without a buffer; OSError if it is missing or is no plain file."""
    file = FileIO(path, opener=_open_at_once)
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.EINVAL, "it is no file but a pipe or a device", str(path))
    return file


def read_plain(path: Path) -> bytes:
    """All bytes of the file; OSError as for `open_plain`."""
    with open_plain(path) as file:
        return file.readall()


def _open_at_once(name: str, flags: int) -> int:
    """Whoever opens a pipe waits until somebody writes to it, unless this is said."""
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))
