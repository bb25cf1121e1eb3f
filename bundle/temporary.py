"""Folders in the system's temporary folder that do not outlive their owner for long, even where it was killed."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

# azx-<purpose>-<pid namespace>-<pid>-<random>: a container that shares the folder has processes of the same numbers.
_OURS = re.compile(r"azx-[a-z]+-([0-9]+)-([0-9]+)-\w+")


@contextmanager
def temporary_folder(purpose: str) -> Iterator[Path]:
    """An empty folder, gone after the block; `purpose` is a word of small letters in its name.

    What killed processes left goes first. OSError where the system has no room for it.
    """
    clear_up(Path(tempfile.gettempdir()))
    with tempfile.TemporaryDirectory(prefix=f"azx-{purpose}-{_namespace()}-{os.getpid()}-") as folder:
        yield Path(folder)


def clear_up(place: Path) -> None:
    """Remove from `place` the folders of this user whose owner process is dead; whatever cannot be removed stays."""
    if os.name != "posix":
        return  # elsewhere a process cannot be asked so
    with suppress(OSError):
        for left in list(os.scandir(place)):
            name = _OURS.fullmatch(left.name)
            if name and name[1] == _namespace() and _is_mine(left) and not _is_alive(int(name[2])):
                shutil.rmtree(left.path, ignore_errors=True)


def _is_mine(left: os.DirEntry[str]) -> bool:
    """A folder, no link to one, of this user: others write into the system's temporary folder too."""
    with suppress(OSError):
        return left.is_dir(follow_symlinks=False) and left.stat(follow_symlinks=False).st_uid == os.getuid()
    return False


def _is_alive(pid: int) -> bool:
    """Whether a process has this number; one of another user counts, and so does any that cannot be asked."""
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def _namespace() -> str:
    """Number of this process' pid namespace, "0" where the system has none."""
    with suppress(OSError):
        return re.sub(r"\D", "", str(Path("/proc/self/ns/pid").readlink())) or "0"
    return "0"
