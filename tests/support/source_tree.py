"""The sources of a checkout: what is built, installed or hidden there is never walked into.

Other steps build while tests run, and a folder that goes while `Path.rglob` reads it is an error.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

BUILT = {"build", "dist", "node_modules", "target"}


def source_files(root: Path, suffix: str) -> Iterator[Path]:
    """The files below `root` whose names end in `suffix`, in no order."""
    for folder, inner, names in os.walk(root):
        inner[:] = [name for name in inner if name not in BUILT and not name.startswith(".")]
        yield from (Path(folder, name) for name in names if name.endswith(suffix))
