"""A bundle's folder: filled beside its place and renamed into it, one export at a time."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..errors import BundleError
from .manifest import MANIFEST

FAILED_SUFFIX = ".failed"
_ASIDE = ".old"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder for one export; BundleError where another process has it or it cannot be written."""
    from filelock import FileLock, Timeout

    _check_place(folder)
    lock = FileLock(folder.parent / f".{folder.name}.lock", timeout=0)
    made = [parent for parent in folder.parents if not parent.exists()]
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout as error:
        raise BundleError(
            f"'{folder}' is in use by another export: wait until it ends, or choose another folder with -o."
        ) from error
    except OSError as error:
        raise _unwritable(folder, error) from error
    try:
        yield
    finally:
        with suppress(OSError):
            Path(lock.lock_file).unlink()
        lock.release()
        remove_empty(made)


def remove_empty(folders: list[Path]) -> None:
    """Take away again the folders that were made for what did not come, the innermost first; a full one ends it."""
    with suppress(OSError):
        for folder in folders:
            folder.rmdir()


def _check_place(folder: Path) -> None:
    """An existing folder must be a bundle or empty, so that nothing else is ever replaced."""
    if folder.is_dir() and not (folder / MANIFEST).is_file() and any(folder.iterdir()):
        raise BundleError(f"'{folder}' is not empty and no bundle: choose another folder with -o.")
    if folder.exists() and not folder.is_dir():
        raise BundleError(f"'{folder}' is a file: choose another folder with -o.")


@contextmanager
def staging(folder: Path) -> Iterator[Path]:
    """An empty folder beside `folder`, gone again afterwards whatever happens.

    What an export that was killed left behind goes first: the lock says that nobody uses it.
    """
    clear_up(folder)
    place = folder.parent / f".{folder.name}.part-{os.getpid()}"
    try:
        place.mkdir()
    except OSError as error:
        raise _unwritable(folder, error) from error
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def clear_up(folder: Path) -> None:
    """Take away what a killed process left beside `folder`, and put back what it had moved aside."""
    # With the number of a process alone: a user's own '.net.part-2 of 3' stays.
    ours = re.compile(rf"\.{re.escape(folder.name)}\.part-[0-9]+({re.escape(_ASIDE)})?")
    for left in folder.parent.iterdir():
        if ours.fullmatch(left.name) is None:
            continue
        if left.name.endswith(_ASIDE) and not folder.exists():
            left.rename(folder)  # killed between the two renames of `swap`
        else:
            shutil.rmtree(left, ignore_errors=True)


def publish(place: Path, folder: Path) -> None:
    """Put the staged bundle where it belongs; the one that was there goes only when this is safe.

    Files in the old bundle that azx did not write are carried over.
    """
    try:
        if folder.exists():
            _carry_over(folder, place)
            swap(place, folder)
        else:
            place.rename(folder)
    except OSError as error:
        raise _unwritable(folder, error) from error


def swap(place: Path, folder: Path) -> None:
    """Rename `place` to `folder`; the old one is back where it was if that does not succeed."""
    aside = place.with_name(place.name + _ASIDE)
    folder.rename(aside)
    try:
        place.rename(folder)
    except BaseException:
        aside.rename(folder)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def publish_failed(place: Path, folder: Path) -> Path:
    """Put artifacts that are not equal where nobody takes them for a bundle; returns that folder."""
    failed = folder.with_name(folder.name + FAILED_SUFFIX)
    shutil.rmtree(failed, ignore_errors=True)
    try:
        place.rename(failed)
    except OSError as error:
        raise _unwritable(failed, error) from error
    return failed


def _carry_over(folder: Path, place: Path) -> None:
    from .manifest import GOLDEN, PARITY, read

    try:
        manifest = read(folder)
    except BundleError:
        manifest = {"artifacts": []}
    ours = {MANIFEST, GOLDEN, PARITY, *(artifact["path"] for artifact in manifest["artifacts"])}
    for path in folder.iterdir():
        if path.name not in ours and not (place / path.name).exists():
            if path.is_dir() and not path.is_symlink():
                shutil.copytree(path, place / path.name, symlinks=True)
            else:
                shutil.copy2(path, place / path.name, follow_symlinks=False)


def _unwritable(folder: Path, error: OSError) -> BundleError:
    reason = error.strerror or error
    if isinstance(error, FileExistsError):
        reason = f"'{error.filename}' is a file"
    return BundleError(f"'{folder}' cannot be written ({reason}): choose another folder with -o, or free it.")
