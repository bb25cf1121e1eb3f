"""What was found of an artifact's strength, in the manifest of its bundle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...bundle.folder import locked, staging, write_text
from ...bundle.manifest import MANIFEST, STRENGTH, read_manifest, text
from ...errors import BundleError
from .strength import Strength


def record(folder: Path, manifest: Mapping[str, Any], found: Sequence[Strength]) -> dict[str, Any]:
    """Write into the bundle's manifest what was found of those artifacts, and return it; what is there of others stays.

    `manifest` is the one that was read before the games. BundleError where the bundle is another one since, is in use
    or cannot be written.
    """
    with locked(folder), staging(folder) as place:
        there = read_manifest(folder)
        if there["files"] != manifest["files"]:
            raise BundleError(f"'{folder}' was exported again while its artifacts played: give the same command again.")
        new = {_key(each): each for each in (strength.as_data() for strength in found)}
        kept = [each for each in there.get(STRENGTH) or [] if _key(each) not in new]
        written = {**there, STRENGTH: sorted([*kept, *new.values()], key=_key)}
        write_text(place / MANIFEST, text(written))
        try:
            (place / MANIFEST).replace(folder / MANIFEST)
        except OSError as error:
            reason = error.strerror or error
            raise BundleError(
                f"'{folder / MANIFEST}' cannot be written ({reason}): free it, the games are kept."
            ) from error
    return written


def _key(strength: Mapping[str, Any]) -> tuple[str, str, str]:
    return str(strength["artifact"]), str(strength["against"]), str(strength["equal"])
