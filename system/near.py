"""Suggestions for a path that does not exist."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

# A folder with more entries is not read whole for a suggestion.
_MOST = 10_000


def near_path(path: Path) -> str | None:
    """The path most similar to `path` in the same folder, which was probably meant; None if none is similar.

    Also None if `path` exists but is not what the command takes. If its folder is missing too, the nearest folder with
    such a name is sought first.
    """
    if path.exists():
        return None
    folder = path.parent
    if not folder.is_dir():
        above = None if folder == path else near_path(folder)
        if above is None or not Path(above).is_dir():
            return None
        folder = Path(above)
        if (folder / path.name).exists():
            return str(folder / path.name)
    try:
        names = [entry.name for entry, _ in zip(folder.iterdir(), range(_MOST), strict=False)]
    except OSError:
        return None
    same = [name for name in sorted(names) if name.casefold() == path.name.casefold()]
    longer = [name for name in sorted(names) if Path(name).stem == path.name]
    near = same or longer or get_close_matches(path.name, sorted(names), n=1, cutoff=0.6)
    return str(folder / near[0]) if near else None


def did_you_mean(path: Path, names: Sequence[str] = ()) -> str:
    """A clause for an error, with the blank before it: the path or name that was meant; empty if nothing is near.

    `names` are words that the command accepts instead of a path.
    """
    alike = get_close_matches(str(path), names, n=1, cutoff=0.7)
    near = alike[0] if alike else near_path(path)
    return f" (did you mean '{near}'?)" if near else ""
