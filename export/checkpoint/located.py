"""The checkpoints that come with azx, by name."""

from __future__ import annotations

from pathlib import Path

from ...errors import CheckpointError

DEFAULT = "connect4"
FOLDER = Path(__file__).parents[2] / "mobile_assets" / "checkpoints"


def shipped_names() -> list[str]:
    """Names of the shipped checkpoints."""
    return sorted(path.stem for path in FOLDER.glob("*.h5"))


def find_checkpoint(name: str | Path | None) -> Path:
    """The file meant by a path, by a shipped checkpoint's name, or by nothing (the default one).

    A path that exists comes first. Raises CheckpointError where there is neither.
    """
    if name is None:
        name = DEFAULT
    path = Path(name)
    if path.exists():
        return path
    own = FOLDER / f"{name}.h5"
    if path.name == str(name) and own.is_file():
        return own
    known = ", ".join(shipped_names()) or "none"
    raise CheckpointError(f"There is no checkpoint at '{name}': check the path, or name a shipped one ({known}).")
