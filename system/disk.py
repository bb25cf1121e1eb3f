"""Detects a full disk, and whether it has room again."""

from __future__ import annotations

import errno
import os
import shutil
from contextlib import suppress
from pathlib import Path

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
# More than this is not written to try; what the disk says of itself counts as well.
MOST_PROBED = 4 << 20
# Of that name is what is written, and taken away by the next watch where one was killed meanwhile.
PROBE = ".azx-room"


def is_full(error: BaseException | None) -> bool:
    """Whether an error, or what it came from, is that there is no room.

    Errors of another process come without what they came from: the reason stands in their sentence.
    """
    while error is not None:
        if isinstance(error, OSError) and error.errno in _FULL:
            return True
        if says_full(str(error)):
            return True
        error = error.__cause__ or error.__context__
    return False


def says_full(sentence: str) -> bool:
    """Whether a sentence gives the reason that there is no room."""
    return any(os.strerror(number) in sentence for number in _FULL)


def has_room(folder: Path, size: int) -> bool:
    """Whether `size` bytes could be written in a folder; writes a file to try, and removes it."""
    probe = folder / PROBE
    try:
        if shutil.disk_usage(folder).free < size:
            return False
        probe.write_bytes(bytes(min(size, MOST_PROBED)))
    except OSError:
        return False
    finally:
        with suppress(OSError):
            probe.unlink(missing_ok=True)
    return True
