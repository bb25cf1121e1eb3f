"""The artifacts that stay when only some formats of a bundle are exported again."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import BundleError
from . import manifest as manifests

_NOT_IDENTITY = frozenset({"artifacts", "files", "recommended"})


@dataclass(frozen=True)
class Kept:
    """Manifest entries and parity results of the artifacts that stay."""

    entries: tuple[dict[str, Any], ...] = ()
    parity: tuple[dict[str, Any], ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """The artifacts' paths in the bundle."""
        return tuple(str(entry["path"]) for entry in self.entries)


def keep_others(folder: Path, place: Path, manifest: Mapping[str, Any], written: Sequence[Mapping[str, Any]]) -> Kept:
    """Copy to `place` the artifacts in `folder` that are of the same export but of formats not `written`.

    The same export: the same checkpoint, azx, converters and settings, so that all that the
    manifest says holds for them too. A bundle that is damaged or another one's gives nothing.
    """
    try:
        old = manifests.load(folder)
    except BundleError:
        return Kept()
    if any(old.get(key) != value for key, value in manifest.items() if key not in _NOT_IDENTITY):
        return Kept()
    paths = {entry["path"] for entry in written}
    entries = tuple(entry for entry in old["artifacts"] if entry["path"] not in paths)
    for entry in entries:
        _copy(folder / entry["path"], place / entry["path"])
    return Kept(entries, _parity(folder, {entry["path"] for entry in entries}))


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target)
    else:
        shutil.copy2(source, target)


def _parity(folder: Path, paths: set[str]) -> tuple[dict[str, Any], ...]:
    try:
        parity = manifests.read_json(folder / manifests.PARITY, "")
    except BundleError:
        return ()
    return tuple(item for item in parity.get("artifacts", []) if item.get("file") in paths)
