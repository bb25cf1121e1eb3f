"""Writes one artifact in the process that has its converter; distinguishes a full disk from a converter's failure."""

from __future__ import annotations

import shutil
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...errors import BundleError
from ...export.formats.precisions.calibration import Calibration
from ...export.formats.precisions.precision import FP32
from ...export.formats.table import FORMATS
from ...export.graph.frozen import FrozenGraph


@dataclass(frozen=True, eq=False)
class Way:
    """The form of an artifact; with 8 bits, `in_float` names the layers that stay in float."""

    opset: int
    precision: str = FP32
    calibration: Calibration | None = None
    in_float: Collection[str] = ()


def write_artifact(format_name: str, frozen: FrozenGraph, target: Path, way: Way) -> dict[str, Any]:
    """Write one artifact; returns what it states about itself (`Format.about`).

    BundleError if the disk refuses it. The artifact's metadata state a lower precision.
    """
    entry = FORMATS[format_name]
    if way.precision != FP32:
        frozen = replace(frozen, metadata={**frozen.metadata, "precision": way.precision})
    try:
        entry.write(frozen, target, **vars(way))
    except OSError as error:
        raise _unwritten(target, error) from error
    except Exception as error:
        refusal = _refusal(target.parent, 2 * len(frozen.graph_def))
        if refusal is None:
            raise
        raise _unwritten(target, refusal) from error
    return entry.about(target)


def write_each_layer_alone(
    format_name: str, frozen: FrozenGraph, artifact: Path, folder: Path, way: Way
) -> dict[str, tuple[int, str]]:
    """For each layer that `artifact` has in 8 bits, write an artifact to `folder` with only this layer in 8 bits.

    Returns each layer's number of weights and the file's name.
    """
    entry = FORMATS[format_name]
    listed = entry.layers(artifact)
    files = {layer: f"{at}{entry.suffix}" for at, layer in enumerate(listed)}
    ways = {folder / files[layer]: [other for other in listed if other != layer] for layer in listed}
    try:
        entry.write_ways(frozen, ways, opset=way.opset, precision=way.precision, calibration=way.calibration)
    except OSError as error:
        raise _unwritten(folder, error) from error
    return {layer: (count, files[layer]) for layer, count in listed.items()}


def remove(artifact: Path) -> None:
    """Remove an artifact, a file or a folder, if any of it exists."""
    if artifact.is_dir():
        shutil.rmtree(artifact)
    artifact.unlink(missing_ok=True)


def _refusal(folder: Path, size: int) -> OSError | None:
    """The error if a file of `size` bytes cannot be written; converters hide a full disk behind their own errors."""
    probe = folder / "probe"
    try:
        probe.write_bytes(bytes(size))
    except OSError as error:
        return error
    finally:
        probe.unlink(missing_ok=True)
    return None


def _unwritten(target: Path, error: OSError) -> BundleError:
    return BundleError(
        f"'{target.name}' cannot be written ({error.strerror or error}): "
        "free the disk, or choose another folder with -o."
    )
