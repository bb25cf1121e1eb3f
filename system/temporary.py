"""azx's own folder in the system's temporary folder; the next run removes what a killed process left there.

    <temporary folder>/azx-<user id>/<purpose>-<random>/      one for each block of `temporary_folder`

The process that made such a folder holds a lock on it. The system releases the lock when the process ends, however it
ends. So a folder that can be locked belongs to a dead process. A process number would not show this, because another
process may have the same number by then.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_OURS = re.compile(r"[a-z]+-[0-9a-f]{16}")
# An attempt fails only if another process sweeps, or leaves, between two lines of this one.
_ATTEMPTS = 100


@contextmanager
def temporary_folder(purpose: str) -> Iterator[Path]:
    """An empty folder, removed after the block; `purpose` is a word of lower-case letters in its name.

    Remains of killed processes are removed first. OSError if the system has no room for it.
    """
    home = _home() if os.name == "posix" else None
    if home is None:
        # A system without locks on folders, or a stranger's folder under our name: it works, but is never swept.
        with tempfile.TemporaryDirectory(prefix=f"azx-{purpose}-", dir=_system()) as name:
            yield Path(name)
        return
    _sweep(home)
    folder, held = _make_folder(home, purpose)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(held)
        with suppress(OSError):
            home.rmdir()  # stays while another process has a folder in it


@contextmanager
def temporary_files_in(folder: Path) -> Iterator[None]:
    """Let this process's `tempfile` make its files in `folder` while the block runs.

    TensorFlow writes a Python file for each function that it compiles, and removes it only at a normal exit.
    """
    before = tempfile.tempdir
    tempfile.tempdir = str(folder)
    try:
        yield
    finally:
        tempfile.tempdir = before


def variables(folder: Path) -> dict[str, str]:
    """The environment in which a process uses `folder` as the system's temporary folder."""
    return dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))


def clear_up() -> None:
    """Remove the remains of killed processes, for a command that needs no temporary folder itself."""
    if os.name == "posix" and (_system() / _name()).exists() and (home := _home()) is not None:
        _sweep(home)
        with suppress(OSError):
            home.rmdir()


def _sweep(home: Path) -> None:
    """Remove from `home` the folders whose owner is dead; what cannot be removed stays."""
    with suppress(OSError):
        for left in list(os.scandir(home)):
            if not _OURS.fullmatch(left.name) or not left.is_dir(follow_symlinks=False):
                continue
            with suppress(OSError):  # it is held, or already removed
                held = _hold(Path(left.path))
                try:
                    shutil.rmtree(left.path, ignore_errors=True)
                finally:
                    os.close(held)


def _system() -> Path:
    """The system's temporary folder, as `tempfile` finds it, but without the test file that a kill would leave."""
    places = (tempfile.tempdir, *map(os.environ.get, ("TMPDIR", "TEMP", "TMP")), "/tmp", "/var/tmp")  # noqa: S108
    usable = (place for place in places if place and Path(place).is_dir() and os.access(place, os.W_OK | os.X_OK))
    return Path(next(usable, None) or tempfile.gettempdir()).absolute()


def _name() -> str:
    return f"azx-{os.getuid()}"


def _home() -> Path | None:
    """The user's folder, made if it is missing; None if its name is taken by something not this user's alone.

    Other users write into the system's temporary folder too, and may have put a link or a folder there.
    """
    home = _system() / _name()
    with suppress(FileExistsError):
        home.mkdir(0o700)
    with suppress(FileNotFoundError):
        status = home.lstat()
        mine = stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid()
        if not mine or stat.S_IMODE(status.st_mode) & 0o077:
            return None
    return home


def _make_folder(home: Path, purpose: str) -> tuple[Path, int]:
    """A new folder in `home`, and the descriptor that locks it."""
    for _ in range(_ATTEMPTS):
        folder = home / f"{purpose}-{os.urandom(8).hex()}"
        home.mkdir(0o700, exist_ok=True)  # the last process to leave may have removed it
        try:
            folder.mkdir(0o700)
            held = _hold(folder)
        except (FileNotFoundError, BlockingIOError):
            continue  # swept before it was locked
        if folder.exists():
            return folder, held
        os.close(held)
    raise OSError(f"no folder can be kept in '{home}'")


def _hold(folder: Path) -> int:
    """A descriptor with the lock of `folder`; BlockingIOError if another process has it."""
    import fcntl

    held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException:
        os.close(held)
        raise
    return held
