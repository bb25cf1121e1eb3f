"""A folder takes the place of another in one step if the system can do that, and else in two that are made good.

Linux and macOS exchange two names at once: at every moment the old folder or the new one is there, whole. Windows, and
file systems that cannot, rename the old one aside and the new one in. A process killed in between leaves the old one
aside; the next reader restores it (`recover`).

What azx writes beside a folder has names that nobody gives by chance: `.NAME.azx-` and sixteen hexadecimal digits, of
which the second half is computed from NAME and the first. Nothing else is ever taken for azx's own.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Set
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from ..errors import AzxError, BundleError
from .lock import hold_lock

LOCK = ".azx-lock"
_ASIDE = ".old"
_OURS = re.compile(rf"\.(.+)\.azx-([0-9a-f]{{8}})([0-9a-f]{{8}})({re.escape(_ASIDE)})?", re.DOTALL)
_LOCKED = re.compile(rf"\.(.+){re.escape(LOCK)}", re.DOTALL)
# Bytes of a folder's name that leave room for what azx adds to it, in the 255 that a disk allows.
_ROOM = 220
_SHORTENED = re.compile("~[0-9a-f]{16}$")
# How long a reader waits for a folder that another process is just putting in its place.
_PATIENCE_SECONDS = 30.0
# <fcntl.h> and <linux/fs.h>; <sys/stdio.h> of macOS.
_AT_FDCWD, _RENAME_EXCHANGE, _RENAME_SWAP = -100, 2, 2


def lock_of(folder: Path) -> Path:
    """The lock file for writers of `folder`: beside it, since the folder itself changes places."""
    return folder.parent / f".{_short(folder)}{LOCK}"


def beside(folder: Path) -> Path:
    """A new name beside `folder`, so on the same disk, by which `clear_up` knows it for azx's own."""
    drawn = os.urandom(4).hex()
    return folder.parent / f".{_short(folder)}.azx-{drawn}{_check(_short(folder), drawn)}"


def swap(place: Path, folder: Path) -> None:
    """Put `place`, a name of `beside`, where `folder` is, or is to be, and take the old one away.

    OSError if the system refuses it; the old folder is then where it was.
    """
    if not folder.exists():
        place.rename(folder)
        return
    old = place
    if not exchange(place, folder):
        # Under a name by which it is found again where this process is killed between the two renames.
        old = place.with_name(place.name + _ASIDE)
        folder.rename(old)
        try:
            place.rename(folder)
        except BaseException:
            old.rename(folder)
            raise
    remove(old)


def take_away(folder: Path) -> None:
    """Remove a folder so that at no moment a half of it is there under its name; OSError if it cannot be."""
    place = beside(folder)
    folder.rename(place)
    remove(place)


def exchange(one: Path, other: Path) -> bool:
    """Let two names change places in one step; False, and nothing done, if the system or the disk does not."""
    call = _find_exchange()
    if call is None:
        return False
    sys.audit("azx.exchange", str(one), str(other))  # the tests that end azx at each step count this one too
    # Why not is not asked: two renames, which follow, are refused for a reason of their own, or not.
    return bool(call(os.fsencode(one), os.fsencode(other)) == 0)


@cache
def _find_exchange() -> Any:
    """The system's call as a function of two paths that gives 0, or None if it has none."""
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
    """Take away what a killed process left beside `folder`, and put back what it had moved aside.

    For the process that holds the folder's lock, which proves that nobody uses them. What cannot be removed stays.
    """
    for left, aside in _list_left(folder):
        if aside and not os.path.lexists(folder):
            left.rename(folder)  # killed between the two renames of `swap`
        else:
            remove(left)


def clear_up_in(place: Path) -> None:
    """`clear_up` of everything that killed processes left in a folder, but for what is in use."""
    dead = set()
    with suppress(OSError):
        for path in place.iterdir():
            name = _owner(path) or ((locked := _LOCKED.fullmatch(path.name)) and locked[1])
            if name and not _SHORTENED.search(name):  # of those only who knows the name knows the folder
                dead.add(path.with_name(name))
    for folder in sorted(dead):
        with suppress(AzxError, OSError), hold_lock(lock_of(folder), AzxError()):
            clear_up(folder)


def recover(folder: Path) -> None:
    """Put back a folder that is missing because a process was killed while it put another in its place.

    Where that process is alive, wait for the moment that its second rename takes.
    """
    end = time.monotonic() + _PATIENCE_SECONDS
    while not os.path.lexists(folder) and any(aside for _, aside in _list_left(folder)):
        with suppress(AzxError, OSError), hold_lock(lock_of(folder), AzxError()):
            clear_up(folder)
        if time.monotonic() > end:
            return
        time.sleep(0.01)


def recover_in(place: Path) -> None:
    """`recover` every folder that is missing in `place`, for readers that list its folders."""
    with suppress(OSError):
        for path in list(place.iterdir()):
            name = _owner(path)
            if name and path.name.endswith(_ASIDE) and not _SHORTENED.search(name):
                recover(path.with_name(name))


def remove(path: Path) -> None:
    """Remove a folder of azx's own, or the link that had its place; what cannot be removed stays."""
    if path.is_symlink():
        path.unlink(missing_ok=True)
    shutil.rmtree(path, ignore_errors=True)


def _list_left(folder: Path) -> Iterator[tuple[Path, bool]]:
    """What has names of `beside` for this folder, and whether it is one that was moved aside."""
    with suppress(OSError):
        for path in list(folder.parent.iterdir()):
            if _owner(path) == _short(folder):
                yield path, path.name.endswith(_ASIDE)


def _short(folder: Path) -> str:
    """The folder's name, or if little more has room in a name the beginning of it, with digits that tell it."""
    name = os.fsencode(folder.name)
    if len(name) <= _ROOM:
        return folder.name
    beginning = name[: _ROOM - 80].decode(errors="ignore")
    return f"{beginning}~{hashlib.sha256(name).hexdigest()[:16]}"


def _owner(path: Path) -> str | None:
    """The name of the folder that azx made `path` beside; None if azx did not."""
    name = _OURS.fullmatch(path.name)
    return name[1] if name and _check(name[1], name[2]) == name[3] else None


def _check(name: str, drawn: str) -> str:
    return hashlib.sha256(os.fsencode(f"azx {name} {drawn}")).hexdigest()[:8]


def link_others(folder: Path, place: Path, going: Set[Path]) -> None:
    """Let all that is in `folder`, but what is going, be in `place` too: files as they are, links as links.

    OSError if something cannot be in both: then nothing is exchanged.
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
    """As `replace_text`, for a file that `write` makes under the name that it is given."""
    # Always the same name, for the process that has the sweep's lock: what a killed one left is written over.
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
