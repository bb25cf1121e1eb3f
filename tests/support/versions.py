"""Checkpoints of a training run: the shipped tic-tac-toe network, each time with other weights."""

from __future__ import annotations

import shutil
from pathlib import Path

import h5py
import numpy as np

# So far from the shipped network that it plays no better than chance.
BEYOND_PLAY = 3.0


def version(folder: Path, number: int, share: float = 0.05) -> Path:
    """Write versionN.h5, of which every weight differs by about this share of it: some percent, or beyond play."""
    from azx.export.checkpoint.located import find_checkpoint

    folder.mkdir(parents=True, exist_ok=True)
    return changed(find_checkpoint("tictactoe"), folder / f"version{number}.h5", number, share)


def changed(source: Path, path: Path, number: int, share: float) -> Path:
    """Write a checkpoint to `path` of which every weight differs from the `source` by about this share of it."""
    shutil.copy(source, path)
    path.chmod(0o644)
    rng = np.random.default_rng(number)

    def change(name: str, part: object) -> None:
        if isinstance(part, h5py.Dataset) and part.dtype.kind == "f":
            part[...] = part[...] * (1 + share * rng.standard_normal(part.shape)).astype(part.dtype)

    with h5py.File(path, "r+") as file:
        file.visititems(change)
    return path


def saved_version(folder: Path, number: int, suffix: str = "", share: float = 0.05) -> Path:
    """The same network as tf.keras saves it: the folder versionN of a SavedModel, or versionN.keras."""
    import tf_keras

    file = version(folder / "h5", number, share)
    path = folder / f"version{number}{suffix}"
    model = tf_keras.models.load_model(file, compile=False)
    model.compile("adam", "mse")
    model.save(path, save_format="keras" if suffix else "tf")
    return path
