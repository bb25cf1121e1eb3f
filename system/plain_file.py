"""Reads a file that the user named, within its reader's limit. It refuses pipes, devices and folders, and never waits.

Every reader of an option's file goes through here and states how many bytes such a file may have. The errors are
OSError, whose `strerror` is a clause for the reader's own sentence.
"""

from __future__ import annotations

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path

_NO_FILE = "it is a pipe or a device and no file"


def read_plain(path: Path, limit: int) -> bytes:
    """The bytes of a plain file of at most `limit` bytes; OSError for anything else.

    A file that grows while it is read is refused as well.
    """
    with open_plain(path, limit) as file:
        data = file.read(limit + 1) or b""  # None from a file of /proc that is still empty
    if len(data) > limit:
        raise _too_long(path, len(data), limit)
    return data


def open_plain(path: Path, limit: int | None = None) -> BufferedReader:
    """A plain file, open for reading at its beginning; OSError for anything else, or for over `limit` bytes.

    It is opened without waiting and checked once open. Waiting for a pipe without a writer would never end, and a
    check by name could look at another file than the one that is opened.
    """
    try:
        file = open(path, "rb", opener=_open_at_once)  # noqa: SIM115 - the caller closes it
    except OSError as error:
        if error.errno == errno.ENXIO:  # a socket
            raise OSError(errno.EINVAL, _NO_FILE, str(path)) from error
        raise
    try:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, _NO_FILE, str(path))
        if limit is not None and status.st_size > limit:
            raise _too_long(path, status.st_size, limit)
    except OSError:
        file.close()
        raise
    return file


def size_text(size: float) -> str:
    """A number of bytes in words, such as "3 MiB"."""
    if size >= 1 << 30:
        return f"{size / 2**30:,.0f} GiB" if size >= 10 << 30 else f"{size / 2**30:.2g} GiB"
    return f"{size / 2**20:.0f} MiB" if size >= 1 << 20 else f"{size / 2**10:.0f} KiB"


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0))


def _too_long(path: Path, size: int, limit: int) -> OSError:
    # Not EFBIG, which marks a full disk.
    return OSError(
        errno.EOVERFLOW, f"it is of {size_text(size)}, and azx reads up to {size_text(limit)} of such a file", str(path)
    )
