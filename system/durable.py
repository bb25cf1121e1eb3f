"""Files that are on the disk, whole, before anything says so: what a kill or a power cut leaves is old or new."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def put_in_place(part: Path, path: Path) -> None:
    """Rename a file that is written to `path`, its bytes and its name on the disk when this returns; OSError."""
    with part.open("rb+") as file:
        os.fsync(file.fileno())
    part.replace(path)
    if os.name == "posix":  # elsewhere a folder cannot be opened
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def write_in_place(path: Path, data: bytes) -> None:
    """Write a file beside `path` under a hidden name, and then put it there."""
    part = path.with_name(f".{path.name.lstrip('.')}.part")
    try:
        part.write_bytes(data)
        put_in_place(part, path)
    except OSError:
        # A disk that is full has no room for half a file either.
        with suppress(OSError):
            part.unlink()
        raise
