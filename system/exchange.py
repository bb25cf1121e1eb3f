"""A folder takes the place of another in one step, or, if the system cannot do that, in two recoverable steps.

Linux and macOS exchange two names at once: at every moment the old folder or the new one is there, whole. Windows and
some file systems cannot. There the old folder is renamed aside and the new one renamed in. If a process is killed in
between, the old folder stays aside and the next reader restores it (`recover`).

The names of what azx writes beside a folder do not arise by chance: `.NAME.azx-` and sixteen hexadecimal digits. The
second half of the digits is computed from NAME and the first half. azx treats nothing else as its own.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from ..errors import AzxError, BundleError
from .lock import hold_lock

LOCK = ".azx-lock"
_ASIDE = ".old"
_OURS = re.compile(rf"\.(.+)\.azx-([0-9a-f]{{8}})([0-9a-f]{{8}})({re.escape(_ASIDE)})?", re.DOTALL)
_LOCKED = re.compile(rf"\.(.+){re.escape(LOCK)}", re.DOTALL)
# A folder's name of at most this many bytes leaves room for azx's additions, within the 255 that a disk allows.
_ROOM = 220
_SHORTENED = re.compile("~[0-9a-f]{16}$")
# How long a reader waits while another process moves the folder into place.
_PATIENCE_SECONDS = 30.0
# <fcntl.h> and <linux/fs.h>; <sys/stdio.h> of macOS.
_AT_FDCWD, _RENAME_EXCHANGE, _RENAME_SWAP = -100, 2, 2


def lock_of(folder: Path) -> Path:
    """The lock file for writers of `folder`: beside it, since the folder itself changes places."""
    return folder.parent / f".{_short(folder)}{LOCK}"


def beside(folder: Path) -> Path:
    """A new name beside `folder`, so on the same disk; `clear_up` recognizes it as azx's own."""
    digits = os.urandom(4).hex()
    return folder.parent / f".{_short(folder)}.azx-{digits}{_check(_short(folder), digits)}"


def swap(place: Path, folder: Path) -> None:
    """Put `place`, a name of `beside`, where `folder` is or will be, and remove the old folder.

    OSError if the system refuses; the old folder is then where it was.
    """
    if not folder.exists():
        place.rename(folder)
        return
    old = place
    if not exchange(place, folder):
        # The name lets a reader find it again if this process is killed between the two renames.
        old = place.with_name(place.name + _ASIDE)
        folder.rename(old)
        try:
            place.rename(folder)
        except BaseException:
            old.rename(folder)
            raise
    remove(old)


@contextmanager
def locked_place(folder: Path, in_use: AzxError) -> Iterator[Path]:
    """A name of `beside` for one change of `folder`, whose lock is held; what lies there at the end is removed.

    What killed processes left is cleared up first. Raises `in_use` if another process holds the lock.
    """
    with hold_lock(lock_of(folder), in_use):
        clear_up(folder)
        place = beside(folder)
        try:
            yield place
        finally:
            remove(place)


def take_away(folder: Path) -> None:
    """Remove a folder so that its name never shows half of it; OSError if that fails."""
    place = beside(folder)
    folder.rename(place)
    remove(place)


def exchange(one: Path, other: Path) -> bool:
    """Let two names change places in one step; returns False, with nothing done, if the system or disk cannot."""
    call = _find_exchange()
    if call is None:
        return False
    sys.audit("azx.exchange", str(one), str(other))  # tests that end azx at each step count this step too
    # The reason for a failure does not matter: two renames follow, and those report their own errors.
    return bool(call(os.fsencode(one), os.fsencode(other)) == 0)


@cache
def _find_exchange() -> Any:
    """The system's call as a function of two paths that returns 0 for success; None if the system lacks it."""
    import ctypes

    with suppress(OSError, AttributeError):
        library, path = ctypes.CDLL(None), ctypes.c_char_p
        if sys.platform == "linux":
            linux = library.renameat2
            linux.argtypes = (ctypes.c_int, path, ctypes.c_int, path, ctypes.c_uint)
            return lambda one, other: linux(_AT_FDCWD, one, _AT_FDCWD, other, _RENAME_EXCHANGE)
        if sys.platform == "darwin":
            macos = library.renamex_np
            macos.argtypes = (path, path, ctypes.c_uint)
            return lambda one, other: macos(one, other, _RENAME_SWAP)
    return None


def clear_up(folder: Path) -> None:
    """Remove what a killed process left beside `folder`, and put back what it had moved aside.

    Call it with the folder's lock, which proves that no process uses the remains. What cannot be removed stays.
    """
    for left, aside in _list_left(folder):
        if aside and not os.path.lexists(folder):
            left.rename(folder)  # killed between the two renames of `swap`
        else:
            remove(left)


def clear_up_in(place: Path) -> None:
    """`clear_up` of all that killed processes left in a folder, except what is in use."""
    dead = set()
    with suppress(OSError):
        for path in place.iterdir():
            name = _owner(path) or ((locked := _LOCKED.fullmatch(path.name)) and locked[1])
            if name and not _SHORTENED.search(name):  # a shortened name does not tell the folder
                dead.add(path.with_name(name))
    for folder in sorted(dead):
        with suppress(AzxError, OSError), hold_lock(lock_of(folder), AzxError()):
            clear_up(folder)


def recover(folder: Path) -> None:
    """Put back a folder that is missing because a process was killed while it exchanged it.

    If that process is alive, wait for its second rename.
    """
    end = time.monotonic() + _PATIENCE_SECONDS
    while not os.path.lexists(folder) and any(aside for _, aside in _list_left(folder)):
        with suppress(AzxError, OSError), hold_lock(lock_of(folder), AzxError()):
            clear_up(folder)
        if time.monotonic() > end:
            return
        time.sleep(0.01)


def recover_in(place: Path) -> None:
    """`recover` every folder that is missing in `place`, for readers that list `place`."""
    with suppress(OSError):
        for path in list(place.iterdir()):
            name = _owner(path)
            if name and path.name.endswith(_ASIDE) and not _SHORTENED.search(name):
                recover(path.with_name(name))


def remove(path: Path) -> None:
    """Remove a folder of azx's own, or a link in its place; what cannot be removed stays."""
    if path.is_symlink():
        path.unlink(missing_ok=True)
    shutil.rmtree(path, ignore_errors=True)


def _list_left(folder: Path) -> Iterator[tuple[Path, bool]]:
    """The names of `beside` that exist for this folder; each with whether it is the old folder, moved aside."""
    with suppress(OSError):
        for path in list(folder.parent.iterdir()):
            if _owner(path) == _short(folder):
                yield path, path.name.endswith(_ASIDE)


def _short(folder: Path) -> str:
    """The folder's name; a long name is cut and gets digits that identify it."""
    name = os.fsencode(folder.name)
    if len(name) <= _ROOM:
        return folder.name
    beginning = name[: _ROOM - 80].decode(errors="ignore")
    return f"{beginning}~{hashlib.sha256(name).hexdigest()[:16]}"


def _owner(path: Path) -> str | None:
    """The name of the folder beside which azx made `path`; None if azx did not make it."""
    name = _OURS.fullmatch(path.name)
    return name[1] if name and _check(name[1], name[2]) == name[3] else None


def _check(name: str, digits: str) -> str:
    return hashlib.sha256(os.fsencode(f"azx {name} {digits}")).hexdigest()[:8]


def link_others(folder: Path, place: Path, going: Set[Path]) -> None:
    """Link or copy the contents of `folder` into `place`, except the names `going`; links stay links.

    OSError if something cannot be in both folders; the folders are then not exchanged.
    """
    place.mkdir(exist_ok=True)
    if not folder.exists():
        return
    for path in folder.iterdir():
        there = place / path.name
        if path in going:
            continue
        if path.is_symlink():
            there.symlink_to(path.readlink())
        elif path.is_dir():
            link_others(path, there, going)
        else:
            try:
                os.link(path, there)
            except OSError:
                if not path.is_file():  # a pipe cannot be copied
                    raise
                shutil.copy2(path, there)
    shutil.copystat(folder, place)


def replace_text(path: Path, text: str) -> None:
    """Write a text file in one step; BundleError if the disk refuses it."""
    replace_file(path, lambda part: part.write_text(text, encoding="utf8", newline="\n"))


def replace_file(path: Path, write: Callable[[Path], object]) -> None:
    """Like `replace_text`, for a file that `write` makes at the path it receives."""
    # Always the same name, because the process holds the sweep's lock: it overwrites what a killed one left.
    part = path.with_name(f".{path.name.lstrip('.')}.part")
    try:
        write(part)
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise BundleError(
            f"'{path}' cannot be written ({error.strerror or error}): free the disk, or choose another folder with -o."
        ) from error
