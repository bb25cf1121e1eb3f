"""The hash that identifies checkpoints and the files of a bundle."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from ...system.plain_file import open_plain
from .door.limits import check_file


def sha256_of_all(files: Sequence[Path]) -> str:
    """The SHA-256 of a file, or of the hashes of several files in their order."""
    digests = [sha256(file) for file in files]
    return digests[0] if len(digests) == 1 else hashlib.sha256("\n".join(digests).encode()).hexdigest()


def sha256(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal.

    For a SavedModel's folder, of the names and hashes of the network's files.
    """
    if path.is_dir():
        files = sorted([*path.glob("*.pb"), *path.glob("variables/variables.*")])
        # The file named fingerprint also depends on the time of saving.
        files = [file for file in files if file.stem != "fingerprint"]
        for part in files:
            check_file(part)
        named = [f"{file.relative_to(path).as_posix()} {sha256(file)}" for file in files]
        return hashlib.sha256("\n".join(named).encode()).hexdigest()
    with open_plain(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
