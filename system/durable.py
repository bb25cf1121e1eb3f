"""Writes files completely to the disk before anything refers to them; a kill or power cut leaves the old or the new."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def put_in_place(part: Path, path: Path) -> None:
    """Rename a written file to `path`; its bytes and its name are on the disk when this returns. Raises OSError."""
    with part.open("rb+") as file:
        os.fsync(file.fileno())
    part.replace(path)
    if os.name == "posix":  # other systems cannot open a folder
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def write_in_place(path: Path, data: bytes) -> None:
    """Write a file under a hidden name beside `path`, then rename it."""
    part = path.with_name(f".{path.name.lstrip('.')}.part")
    try:
        part.write_bytes(data)
        put_in_place(part, path)
    except OSError:
        # A full disk has no room for half a file either.
        with suppress(OSError):
            part.unlink()
        raise
