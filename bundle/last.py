"""The bundle written last, for `azx validate` without an argument."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from ..errors import BundleError
from .manifest import MANIFEST


def remember(folder: Path) -> None:
    """Note where a bundle was written; where the note cannot be kept, nothing is lost but convenience."""
    with suppress(OSError):
        note = _note()
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(str(folder.resolve()), encoding="utf8")


def last_bundle() -> Path:
    """The bundle written last, here under bundles/ or wherever an export put one; BundleError if none is left."""
    found = list(Path("bundles").glob(f"*/{MANIFEST}"))
    with suppress(OSError, ValueError):
        noted = Path(_note().read_text(encoding="utf8")) / MANIFEST
        if noted.is_file():
            found.append(noted)
    if not found:
        raise BundleError("No bundle was written here yet: run azx export first, or give a bundle's folder.")
    return max(found, key=lambda path: path.stat().st_mtime).parent


def _note() -> Path:
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(base) / "azx" / "last-bundle"
