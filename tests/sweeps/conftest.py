"""Checkpoints of a training run: the shipped tic-tac-toe network, each time with other weights."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest

from azx.export.checkpoint.located import find_checkpoint


def disturbed(folder: Path, number: int) -> Path:
    """Write versionN.h5, of which every weight differs by some percent."""
    folder.mkdir(parents=True, exist_ok=True)
    path = Path(shutil.copy(find_checkpoint("tictactoe"), folder / f"version{number}.h5"))
    rng = np.random.default_rng(number)

    def change(name: str, part: object) -> None:
        if isinstance(part, h5py.Dataset) and part.dtype.kind == "f":
            part[...] = part[...] * (1 + 0.05 * rng.standard_normal(part.shape)).astype(part.dtype)

    with h5py.File(path, "r+") as file:
        file.visititems(change)
    return path


@pytest.fixture(scope="session")
def versions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with version1.h5, version2.h5 and version10.h5; to be copied, not changed."""
    folder = tmp_path_factory.mktemp("training") / "runs"
    for number in (1, 2, 10):
        disturbed(folder, number)
    return folder


@pytest.fixture(scope="session")
def version() -> Callable[[Path, int], Path]:
    """Writes a checkpoint: version(folder, number)."""
    return disturbed
