"""A folder given for a checkpoint: the one network in it, with its architecture where that lies beside it."""

from __future__ import annotations

from pathlib import Path

from ...errors import CheckpointError

_SUFFIXES = frozenset({".h5", ".hdf5", ".keras"})


def resolve(path: Path, config: Path | str | None) -> tuple[Path, Path | str | None]:
    """(file, config) for a path that may be a folder with one checkpoint and at most one JSON.

    A file is returned as it is. Raises CheckpointError for a folder with no checkpoint, or with
    several, or with several architectures to choose from.
    """
    if not path.is_dir():
        return path, config
    checkpoints = sorted(item for item in path.iterdir() if item.suffix in _SUFFIXES)
    if len(checkpoints) != 1:
        listed = ", ".join(item.name for item in checkpoints[:4]) or "none"
        raise CheckpointError(
            f"'{path}' is a folder with {len(checkpoints)} checkpoints ({listed}): give the .h5 or .keras file itself."
        )
    architectures = sorted(path.glob("*.json"))
    if config is None and len(architectures) > 1:
        listed = ", ".join(item.name for item in architectures[:4])
        raise CheckpointError(f"'{path}' holds several JSON files ({listed}): say which one with --config.")
    return checkpoints[0], config or next(iter(architectures), None)
