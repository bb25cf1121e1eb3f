"""Checks that an app on any system can hold a bundle: its names, names that some systems confuse, its size.

Anyone may have made a bundle. It is unpacked on the machine of the app's author, and again on the players' devices. A
valid name here must not mean another file or a device there, and must not be invalid.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from ..bundle.contents.manifest import inside
from ..errors import BundleError
from ..manifest import File

# In bytes, as Linux counts; Windows and macOS count letters, and a name has no more letters than bytes.
LONGEST_NAME = 255
# The largest .apk, .ipa and .zip.
MOST_BYTES = 2**32 - 1
# With any text after a dot, as in nul.txt, they still name the device.
_DEVICES = frozenset(
    {
        "CON",
        "PRN",
        "AUX",
        "NUL",
        "CONIN$",
        "CONOUT$",
        *(f"{port}{mark}" for port in ("COM", "LPT") for mark in "0123456789¹²³"),
    }
)


def fault_of(name: str) -> str | None:
    """Why some system cannot hold a file or folder of this name, as the end of a sentence; None if each can."""
    if any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in name):
        return "has control characters"
    if len(name.encode()) > LONGEST_NAME:
        return f"is longer than {LONGEST_NAME} bytes"
    if name.partition(".")[0].rstrip().upper() in _DEVICES:
        return "is the name of a device on Windows"
    return "ends with a dot or a space, which Windows leaves out" if name[-1:] in (".", " ") else None


def alike(name: str) -> str:
    """The same text for names that macOS or Windows may confuse: by case, or by how an accented letter is written."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def check_files(bundle: Path, files: Iterable[File]) -> None:
    """BundleError if the files of a bundle cannot lie side by side in an app on every system."""
    paths: dict[str, str] = {}
    bytes_of_all = 0
    for file in files:
        inside(bundle, file.path)
        pure = PurePosixPath(file.path)
        if pure.as_posix() != file.path:
            raise _refusal(bundle, file.path, "is no plain path")
        for part in pure.parts:
            fault = fault_of(part)
            if fault:
                raise _refusal(bundle, file.path, fault)
        other = paths.setdefault(alike(file.path), file.path)
        if other is not file.path:
            raise _refusal(bundle, file.path, f"is one file with {other!r} on some systems")
        bytes_of_all += file.size
        if bytes_of_all > MOST_BYTES:
            raise BundleError(f"'{bundle}': its files have more than 4 GiB together, which no app can carry.")
    for path in paths.values():
        for above in PurePosixPath(path).parents:
            if alike(above.as_posix()) in paths:
                raise _refusal(bundle, path, f"lies in {above.as_posix()!r}, which is listed as a file")


def _refusal(bundle: Path, path: str, why: str) -> BundleError:
    return BundleError(f"'{bundle}': the manifest names {path!r}, which {why}: export it again under another name.")
