"""The files of a sweep beside its bundles: at every moment each is there as it was or as it is to be."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from ..errors import BundleError


def replace(path: Path, text: str) -> None:
    """Write a text file in one step; BundleError where the disk refuses it."""
    replace_by(path, lambda part: part.write_text(text, encoding="utf8", newline="\n"))


def replace_by(path: Path, write: Callable[[Path], object]) -> None:
    """As `replace`, for a file that `write` makes under the name that it is given."""
    # Always the same name, for the process that has the sweep's lock: what a killed one left is written over.
    part = path.with_name(f".{path.name.lstrip('.')}.part")
    try:
        write(part)
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise BundleError(
            f"'{path}' cannot be written ({error.strerror or error}): free the disk, or choose another folder with -o."
        ) from error
