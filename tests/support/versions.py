"""Checkpoints of a training run: the shipped tic-tac-toe network, each time with other weights."""

from __future__ import annotations

import shutil
from pathlib import Path

import h5py
import numpy as np


def version(folder: Path, number: int, share: float = 0.05) -> Path:
    """Write versionN.h5, of which every weight differs by about this share of it: some percent, or beyond play."""
    from azx.export.checkpoint.located import find_checkpoint

    folder.mkdir(parents=True, exist_ok=True)
    path = Path(shutil.copy(find_checkpoint("tictactoe"), folder / f"version{number}.h5"))
    rng = np.random.default_rng(number)

    def change(name: str, part: object) -> None:
        if isinstance(part, h5py.Dataset) and part.dtype.kind == "f":
            part[...] = part[...] * (1 + share * rng.standard_normal(part.shape)).astype(part.dtype)

    with h5py.File(path, "r+") as file:
        file.visititems(change)
    return path
