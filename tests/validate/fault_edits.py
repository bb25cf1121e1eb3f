"""Faults put into artifacts on purpose, and the manifest brought up to date with them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sibling import sibling

CELLS, CHANNELS, ACTIONS = 42, 4, 42

artifacts = sibling(__file__, "fault_artifacts")


def change_one_weight(artifact: Any) -> None:
    """One weight of a convolution in the trunk by 0.1."""
    kernels = {name: values for name, values in artifact.weights().items() if values.ndim == 4}
    name = max(kernels, key=lambda name: kernels[name].size)
    values = kernels[name].copy()
    values.flat[0] += 0.1
    artifact.put(name, values)


def order_rows_channels_first(artifact: Any) -> None:
    """The policy's Dense kernel with its rows as if the board had its channels first."""
    rows = CELLS * CHANNELS
    kernels = artifact.weights().items()
    name, values = next((name, values) for name, values in kernels if {*values.shape} == {rows, ACTIONS})
    stands = values.shape[0] == rows
    kernel = values if stands else values.T
    wrong = kernel.reshape(CELLS, CHANNELS, ACTIONS).swapaxes(0, 1).reshape(rows, ACTIONS)
    artifact.put(name, np.ascontiguousarray(wrong if stands else wrong.T))


def round_to_fp16(artifact: Any) -> None:
    for name, values in artifact.weights().items():
        artifact.put(name, values.astype(np.float16).astype(np.float32))


FAULTS: dict[str, Callable[[Any], None]] = {
    "one convolution weight changed by 0.1": change_one_weight,
    "the outputs in another order": lambda artifact: artifact.swap_order(),
    "the answers behind the two names swapped": lambda artifact: artifact.swap_answers(),
    "a head renamed": lambda artifact: artifact.rename(),
    "a head renamed in one of its places": lambda artifact: artifact.rename_in_one_place(),
    "Dense rows in channels_first order": order_rows_channels_first,
    "fp16 weights passed off as fp32": round_to_fp16,
}


def break_artifact(bundle: Path, name: str, fault: str) -> None:
    """Put a fault into the artifact of one format; its hash in the manifest stays."""
    artifact = artifacts.KINDS[name](bundle / paths(bundle)[name])
    FAULTS[fault](artifact)
    artifact.save()


def paths(bundle: Path) -> dict[str, str]:
    """Path in the bundle of each format's artifact."""
    manifest = json.loads((bundle / "manifest.json").read_text())
    return {entry["format"]: entry["path"] for entry in manifest["artifacts"]}


def bring_up_to_date(bundle: Path, formats: list[str]) -> None:
    """Sizes and hashes in the manifest as the files now are; only the artifacts of `formats` stay listed."""
    manifest = json.loads((bundle / "manifest.json").read_text())
    manifest["artifacts"] = [entry for entry in manifest["artifacts"] if entry["format"] in formats]
    left = {entry["path"] for entry in manifest["artifacts"]}
    manifest["recommended"] = {platform: path for platform, path in manifest["recommended"].items() if path in left}
    for entry in manifest["files"]:
        data = (bundle / entry["path"]).read_bytes()
        entry |= {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}
    (bundle / "manifest.json").write_text(json.dumps(manifest))
