"""Detects a full disk, and whether it has room again."""

from __future__ import annotations

import errno
import os
import shutil
from contextlib import suppress
from pathlib import Path

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
# The probe writes at most this much; the free space that the disk reports counts as well.
MOST_PROBED = 4 << 20
# The name of the probe file. If a process was killed while probing, the next watch removes the file.
PROBE = ".azx-room"


def is_full(error: BaseException | None) -> bool:
    """Whether an error, or one of its causes, says that the disk is full.

    Errors from another process arrive without their causes: there the sentence holds the reason.
    """
    while error is not None:
        if isinstance(error, OSError) and error.errno in _FULL:
            return True
        if says_full(str(error)):
            return True
        error = error.__cause__ or error.__context__
    return False


def says_full(sentence: str) -> bool:
    """Whether a sentence says that the disk is full."""
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
