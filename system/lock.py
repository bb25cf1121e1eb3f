"""The lock file that keeps two processes from writing in one place at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import AzxError

if TYPE_CHECKING:
    from filelock import FileLock


@contextmanager
def hold_lock(lock_file: Path, in_use: AzxError) -> Iterator[None]:
    """Hold `lock_file` for the block, without waiting for it; raises `in_use` if another process has it.

    Folders that are missing above it are made, and go again with it if nothing was put into them. OSError if
    the file cannot be made.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(lock_file, timeout=0)
    made = [folder for folder in lock_file.parents if not folder.exists()]
    try:
        lock_file.parent.mkdir(parents=True, exist_ok=True)
        _acquire(lock, lock_file)
    except Timeout as error:
        raise in_use from error
    except OSError:
        remove_empty(made)
        raise
    try:
        yield
    finally:
        # Before the release: afterwards the file may be another process's already, and without it a third one would
        # lock a new file beside that. FileLock itself does not take a file that is gone while it is being locked.
        # (Windows removes no open file: there the release does it.)
        with suppress(OSError):
            lock_file.unlink()
        lock.release()
        remove_empty(made)


def _acquire(lock: FileLock, lock_file: Path) -> None:
    """Take the lock at once; Timeout if another process has it, OSError if there can be no such file."""
    from filelock import Timeout

    try:
        lock.acquire()
    except Timeout:
        if lock_file.exists():
            raise
        # FileLock takes a folder in which no file can be made, as /proc, for one whose lock is just going.
        lock_file.touch()
        lock.acquire()


def remove_empty(folders: list[Path]) -> None:
    """Take away again the folders that were made for what did not come, the innermost first; a full one stays."""
    for folder in folders:
        with suppress(OSError):
            folder.rmdir()
