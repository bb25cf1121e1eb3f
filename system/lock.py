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
    """Hold `lock_file` while the block runs, without waiting for it; raises `in_use` if another process holds it.

    Missing folders above it are made; they are removed with it if nothing else was put into them. OSError if
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
        # Remove it before the release. Afterwards it may already be another process's lock, and a third process would
        # then lock a new file beside it. FileLock itself never locks a file that is removed meanwhile.
        # (Windows removes no open file: there the release does it.)
        with suppress(OSError):
            lock_file.unlink()
        lock.release()
        remove_empty(made)


def _acquire(lock: FileLock, lock_file: Path) -> None:
    """Take the lock at once; Timeout if another process holds it, OSError if the file is impossible."""
    from filelock import Timeout

    try:
        lock.acquire()
    except Timeout:
        if lock_file.exists():
            raise
        # FileLock mistakes a folder that allows no files, such as /proc, for one whose lock is just being removed.
        lock_file.touch()
        lock.acquire()


def remove_empty(folders: list[Path]) -> None:
    """Remove the folders that were not needed, the innermost first; a folder that is not empty stays."""
    for folder in folders:
        with suppress(OSError):
            folder.rmdir()
