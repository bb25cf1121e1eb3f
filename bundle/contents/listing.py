"""files.json: size and SHA-256 of the files with measured content, which manifest.json does not list.

The manifest is the same for each export of a checkpoint, but parity.json and report.html are not. So they have a list
of their own, which is written last. A file in neither list is reported, and never opened.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ...errors import BundleError
from ...manifest import File, Manifest, belongs
from .manifest import (
    GOLDEN,
    LISTING,
    MANIFEST,
    PARITY,
    REPORT,
    SCHEMA_VERSION,
    check_file,
    check_version,
    dump,
    file_entry,
    read_json,
)

MEASURED = (PARITY, REPORT)
# The most unlisted files that a sentence names; real bundles have fewer.
MOST_ENTRIES = 10_000


def text_of_listing(folder: Path, absent: tuple[str, ...] = ()) -> str:
    """files.json for the measured files in `folder`, except those that azx did not write (`absent`)."""
    there = [name for name in MEASURED if name not in absent and (folder / name).is_file()]
    files = [file_entry(folder, folder / name) for name in there]
    listed = [{"path": each.path, "sha256": each.sha256, "size": each.size} for each in files]
    return dump({"schema_version": SCHEMA_VERSION, "files": listed})


def read_listing(folder: Path) -> dict[str, File] | None:
    """The measured files in files.json, by name; None for a bundle of an older azx without it.

    BundleError if it is damaged, or names another kind of file.
    """
    if not os.path.lexists(folder / LISTING):
        return None
    data = read_json(folder / LISTING, f"'{folder}' holds no {LISTING}.")
    check_version(folder, LISTING, data)
    try:
        files = [File(path=str(each["path"]), sha256=str(each["sha256"]), size=each["size"]) for each in data["files"]]
        names = [each.path for each in files]
        if len(set(names)) < len(names) or not set(names) <= set(MEASURED):
            raise ValueError("it lists other files than azx writes there, or one twice")
        if any(type(each.size) is not int for each in files):
            raise ValueError("a size is not a number")
    except (KeyError, TypeError, ValueError) as error:
        raise BundleError(f"'{folder}': {LISTING} is damaged ({error}): export the checkpoint again.") from error
    return {each.path: each for each in files}


def check_measured(folder: Path) -> None:
    """Raise BundleError if a file in files.json has changed or is missing; the page may be missing."""
    for entry in (read_listing(folder) or {}).values():
        if entry.path != REPORT or os.path.lexists(folder / REPORT):
            check_file(folder, entry, LISTING)


def read_measured(folder: Path) -> dict[str, Any] | None:
    """The JSON object of parity.json; None, without opening it, if it is unlisted or missing.

    BundleError if it is damaged, or differs from the listed file.
    """
    entry = (read_listing(folder) or {}).get(PARITY)
    if entry is None:
        return None
    check_file(folder, entry, LISTING)
    return read_json(folder / PARITY, f"'{folder}' holds no {PARITY}.")


def find_unlisted(folder: Path, manifest: Manifest) -> list[str]:
    """The unlisted entries of the bundle's folder, sorted: files, and whole folders with a "/"."""
    listed = {MANIFEST, LISTING, GOLDEN, *(entry.path for entry in manifest.files), *(read_listing(folder) or {})}
    artifacts = [artifact.path for artifact in manifest.artifacts]
    unlisted = []
    for number, path in enumerate(sorted(folder.iterdir())):
        if number == MOST_ENTRIES:
            break
        if path.is_dir() and not any(belongs(entry, path.name) for entry in (*listed, *artifacts)):
            unlisted.append(f"{path.name}/")
        elif not path.is_dir() and path.name not in listed:
            unlisted.append(path.name)
    return unlisted


def describe_unlisted(folder: Path, manifest: Manifest) -> str | None:
    """The sentence about unlisted files; None if there are none."""
    names = find_unlisted(folder, manifest)
    if not names:
        return None
    shown = ", ".join(names[:6]) + (f" and {len(names) - 6:,} more" if len(names) > 6 else "")
    old = "" if (folder / LISTING).is_file() else f", which an azx before {LISTING} wrote"
    return f"'{folder}'{old}: not listed with size and hash, and not opened: {shown}."
