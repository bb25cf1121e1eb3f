"""What a NET argument means: a checkpoint, or an artifact with the manifest of its bundle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..bundle import manifest as manifests
from ..errors import BundleError, CheckpointError
from ..export.checkpoint.located import find_checkpoint, shipped_names
from ..export.formats.table import FORMATS


@dataclass(frozen=True)
class NetworkFile:
    """A network on disk: `format` is None for a checkpoint, `manifest` None for an artifact outside a bundle."""

    path: Path
    format: str | None = None
    manifest: Mapping[str, Any] | None = None


def find_network(net: str | Path) -> NetworkFile:
    """The file that `net` means: a path, or a shipped checkpoint's name.

    Of a bundle the artifact is taken that runs quickest here. Raises CheckpointError where nothing
    is there, BundleError where the bundle or the artifact is damaged.
    """
    path = _located(net)
    if path.name == "model.json":
        path = path.parent
    if path.is_dir() and (path / manifests.MANIFEST).is_file():
        return _of_bundle(path)
    format_name = format_of(path)
    if format_name is None:
        return NetworkFile(path)
    folder = path.absolute().parent
    found = manifests.read(folder) if (folder / manifests.MANIFEST).is_file() else None
    if found is None or path.name not in [entry["path"] for entry in found["artifacts"]]:
        return NetworkFile(path, format_name)
    _check(folder, path.name, found)
    return NetworkFile(path, format_name, found)


def format_of(path: Path) -> str | None:
    """The artifact's format as its name tells, None for what may be a checkpoint."""
    return next((name for name, entry in FORMATS.items() if path.name.endswith(entry.suffix)), None)


def _located(net: str | Path) -> Path:
    try:
        return find_checkpoint(net)
    except CheckpointError as error:
        known = ", ".join(shipped_names())
        raise CheckpointError(
            f"There is no network at '{net}': give a checkpoint, an artifact or a bundle, "
            f"or name a shipped one ({known})."
        ) from error


def _of_bundle(folder: Path) -> NetworkFile:
    found = manifests.read(folder)
    listed = {entry["format"]: entry["path"] for entry in found["artifacts"]}
    choices = sorted((FORMATS[name] for name in listed if name in FORMATS), key=lambda entry: entry.speed)
    if not choices:
        raise BundleError(f"'{folder}' holds no artifact that azx can run: export the checkpoint again.")
    chosen = next((entry for entry in choices if entry.runs_here()), choices[0])
    _check(folder, listed[chosen.name], found)
    return NetworkFile(folder / listed[chosen.name], chosen.name, found)


def _check(folder: Path, name: str, manifest: Mapping[str, Any]) -> None:
    """BundleError where a file of the artifact is not what the manifest records."""
    for entry in manifest["files"]:
        if not manifests.belongs(entry["path"], name):
            continue
        path = manifests.inside(folder, entry["path"])
        if not path.is_file():
            raise BundleError(f"'{path}' is missing: copy the bundle again, or export the checkpoint again.")
        if not manifests.is_recorded(path, entry["size"], entry["sha256"]):
            raise BundleError(
                f"'{path}' is not the file that the bundle's manifest records (its SHA-256 differs): "
                "copy the bundle again, or export the checkpoint again."
            )
