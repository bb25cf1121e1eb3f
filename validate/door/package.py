"""Reads a Core ML package's index, Manifest.json: the model's file and the weights' folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from ...errors import BundleError
from ...system.plain_file import read_plain
from .limits import INDEX_BYTES
from .refusal import quoted, unsafe

INDEX, DATA, WEIGHTS = "Manifest.json", "Data", "weights"
# Weights are read from this file only: coremltools writes it, and Core ML searches for it beside the model.
BLOB = "weight.bin"


@dataclass(frozen=True)
class Package:
    """A package with one model: `model` is its file, `weights` the folder beside it that Core ML reads."""

    folder: Path
    model: Path

    @property
    def weights(self) -> Path:
        """The folder of the model's weights, which a small model may lack."""
        return self.model.parent / WEIGHTS


def open_package(folder: Path) -> Package:
    """The model that the index names as the root.

    BundleError if there is no sound index, UnsafeArtifact if the package contains anything beside the model and its
    weights, or a link that leaves it.
    """
    entries, root = _read_index(folder)
    for entry in entries.values():
        name = entry["path"]
        if not _stays(name):
            raise unsafe(folder, f"its index names {quoted(name)}, which is outside the package")
        if not (folder / DATA / name).exists():
            raise BundleError(f"{folder}: {name} is missing from the package, export it again")
    package = Package(folder, folder / DATA / entries[root]["path"])
    ours = {package.model, package.weights}
    odd = next((entry["path"] for entry in entries.values() if folder / DATA / entry["path"] not in ours), None)
    if odd is not None:
        raise unsafe(folder, f"it holds {quoted(odd)} beside its model")
    _check_files(package)
    return package


def _read_index(folder: Path) -> tuple[Mapping[str, Any], str]:
    broken = f"{folder} is no readable Core ML package"
    try:
        index = json.loads(read_plain(folder / INDEX, INDEX_BYTES).decode("utf-8"))
        entries, root = index["itemInfoEntries"], index["rootModelIdentifier"]
        if not all(isinstance(entry["path"], str) for entry in entries.values()) or root not in entries:
            raise ValueError("its index names no model")
    except OSError as error:
        reason = f"{(error.strerror or str(error)).lower()}: {INDEX}"
        raise BundleError(f"{broken} ({reason}): export it again") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BundleError(f"{broken} ({type(error).__name__}: {error}): export it again") from error
    return entries, root


def _stays(name: str) -> bool:
    path = PurePosixPath(name)
    return bool(path.parts) and not path.is_absolute() and ".." not in path.parts and "\\" not in name


def _check_files(package: Package) -> None:
    """Raise UnsafeArtifact for a file that the index does not list, or that lies elsewhere."""
    own, ours = package.folder.resolve(), {package.folder / INDEX, package.model, package.weights / BLOB}
    for path in sorted(package.folder.rglob("*")):
        if not path.resolve().is_relative_to(own):
            raise unsafe(package.folder, f"{quoted(path.relative_to(package.folder))} leads out of the package")
        if not path.is_dir() and path not in ours:
            raise unsafe(package.folder, f"it holds {quoted(path.relative_to(package.folder))} beside its model")
    if not package.model.is_file():
        raise BundleError(f"{package.folder}: {package.model.name} is missing from the package, export it again")
