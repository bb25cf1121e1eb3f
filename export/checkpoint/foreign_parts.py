"""A network that was saved as three files: the feature extractor, the policy, the value.

SuperGo writes 10-extractor.pth.tar, 10-policy_net.pth.tar and 10-value_net.pth.tar for its version 10. Each of them
refers to all three, and the extractor's name identifies them.
"""

from __future__ import annotations

import re
from pathlib import Path

# The parts; each layer of the network belongs to one of them.
PARTS = ("extractor", "policy_net", "value_net")
_NAMES = {"extractor": (PARTS[0],), "policy_net": (PARTS[1], "policy"), "value_net": (PARTS[2], "value")}
_KERAS = frozenset({".h5", ".hdf5", ".keras"})
_SUFFIX = r"\.(?:pt|pth|pth\.tar|safetensors)"
_PART = re.compile(rf"(.*?)({'|'.join(name for names in _NAMES.values() for name in names)})({_SUFFIX})")


def parts_of(path: Path) -> tuple[Path, ...]:
    """The extractor's, the policy's and the value's file of a network, from one of them; empty for any other file."""
    match = _PART.fullmatch(path.name)
    if match is None:
        return ()
    parts = tuple(_existing(path.parent, match[1], names, match[3]) for names in _NAMES.values())
    return tuple(file for file in parts if file is not None) if None not in parts and path in parts else ()


def lacks_parts(path: Path) -> tuple[str, ...]:
    """The files that are missing beside an extractor's; empty for any other file, and if none is missing."""
    match = _PART.fullmatch(path.name)
    if match is None or match[2] != PARTS[0]:
        return ()
    names = ((f"{match[1]}{names[0]}{match[3]}", names) for names in _NAMES.values())
    return tuple(name for name, known in names if _existing(path.parent, match[1], known, match[3]) is None)


def is_first_part(path: Path) -> bool:
    """Whether a file identifies its network: any file except the policy's or the value's of three."""
    parts = parts_of(path)
    return not parts or path == parts[0]


def first_part(path: Path) -> Path:
    """The file that identifies a network, from one of its three or from a folder with only these; else `path`."""
    if not path.is_dir():
        return next(iter(parts_of(path)), path)
    parts = first_parts_in(path)
    return parts[0] if len(parts) == 1 and not any(item.suffix in _KERAS for item in path.iterdir()) else path


def first_parts_in(folder: Path) -> list[Path]:
    """The extractors in a folder whose policy and value are there too."""
    return sorted(item for item in folder.iterdir() if parts_of(item)[:1] == (item,))


def _existing(folder: Path, start: str, names: tuple[str, ...], end: str) -> Path | None:
    files = (folder / f"{start}{name}{end}" for name in names)
    return next((file for file in files if file.is_file()), None)
