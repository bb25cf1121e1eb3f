"""Reads HDF5 first in a separate process, because a damaged file can make its library hang for ever, or crash.

No check can foresee what h5py will meet, and nothing in Python ends a call that does not return. So a process that may
be lost walks through the whole file (`walk.py`); if it reaches the end, azx's own walk will too. It starts with the
first file, stays for the next ones, and ends with azx.

Its limits grow with the file and count only its own work. Other programs, and the memory of the calling program, do not
count, so a file beyond a limit is never called damaged for it.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import threading
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Any

from ....errors import CheckpointError
from ....system.own_limits import OVERTIME, Watchdog, was_ended_by_system
from ....system.plain_file import size_text
from .limits import Budget, bytes_on_disk
from .walk import LAST, OUT_OF_MEMORY, OUT_OF_TIME, READY, Task

# Processor seconds for one object (a sound one takes thousandths), and for the whole file (20,000 groups take 3, a
# gibibyte of weights takes 1). A machine may be ten times slower.
AT_ONE, IN_ALL, BYTES_A_SECOND = 5.0, 60.0, 8 << 20
# Memory besides the weights: Python, h5py, and the library's data about a file. An endless walk may fill any memory.
MEMORY = 512 << 20
# On other systems the process limits itself.
_WATCHES = sys.platform == "win32"
_START = "import sys; sys.path[:] = {path!r}; from {module} import serve; serve()"
# A matrix library reserves memory for every core, but the process multiplies no matrices.
_ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1"}


def try_reading(file: Path | bytes, where: str) -> None:
    """Raise CheckpointError if HDF5's library would not return from a file, or from data in memory.

    The reader handles all other faults. If no process can be started, nothing is tried.
    """
    known = _identity(file)
    with _LOCK:
        if known is not None and known in _SOUND:
            return
        _TRIAL.read(file, where)
        if known is not None:
            _SOUND.add(known)


def _identity(file: Path | bytes) -> tuple[int, ...] | None:
    """A key for a file that stays valid while nobody writes to the file."""
    if isinstance(file, bytes):
        return None
    status = file.stat()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


class _Trial:
    """The process that reads on trial and may be lost."""

    def __init__(self) -> None:
        self._process: Any = None  # subprocess.Popen with open pipes
        self._owner, self._is_possible = os.getpid(), bool(sys.executable)

    def read(self, file: Path | bytes, where: str) -> None:
        """Let the process read a file to its end; CheckpointError, which begins with `where`, if it fails."""
        if self._process is None or self._process.poll() is not None or self._owner != os.getpid():
            self._start()
        if self._process is None:
            return
        held, task = _task_of(file)
        answer = b""
        with Watchdog(self._process, task.in_all if _WATCHES else inf) as watched, suppress(OSError):
            self._process.stdin.write(task.pack())
            self._process.stdin.write(file if isinstance(file, bytes) else _name(file))
            self._process.stdin.flush()
            answer = self._process.stdout.read(1)
        code = 0 if answer == READY else self._ended()
        if answer not in (READY, LAST):
            raise CheckpointError(f"{where}{_why(OUT_OF_TIME if watched.is_over else code, held, task)}")

    def close(self) -> None:
        """End the process."""
        if self._process is not None and self._owner == os.getpid():
            self._process.kill()
            self._process.wait()
            self._let_go()
        self._process = None

    def _ended(self) -> int:
        """The return code of a process that has given its last answer, or of no process."""
        self._let_go()
        code: int = self._process.wait()
        self._process = None
        return code

    def _let_go(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # data it has not read yet
                pipe.close()

    def _start(self) -> None:
        self.close()
        if not self._is_possible:
            return
        self._owner, pipe = os.getpid(), subprocess.PIPE
        code = _START.format(path=sys.path, module=Task.__module__)
        command, environment = [sys.executable, "-c", code], {**os.environ, **_ENVIRONMENT}
        with suppress(OSError):
            self._process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=environment
            )
        self._is_possible = self._process is not None and self._process.stdout.read(1) == READY
        if not self._is_possible:
            self.close()


def _task_of(file: Path | bytes) -> tuple[int, Task]:
    """The number of bytes in a file, and the task of reading it."""
    held = len(file) if isinstance(file, bytes) else bytes_on_disk(file)
    copies = 2 * held if isinstance(file, bytes) else 0
    # The largest weight is in memory twice while its numbers are read.
    memory = MEMORY + copies + 2 * Budget(held, "").limit
    length = len(file if isinstance(file, bytes) else _name(file))
    return held, Task(isinstance(file, bytes), length, AT_ONE, IN_ALL + held / BYTES_A_SECOND, memory)


def _name(file: Path) -> bytes:
    return str(file.absolute()).encode("utf-8", "surrogateescape")


def _why(code: int, held: int, task: Task) -> str:
    """The rest of the sentence about a file that was not read to its end, by the process's return code."""
    size, again = size_text(held), "copy the checkpoint again"
    if code == OUT_OF_TIME:
        return (
            f" takes HDF5's library over {task.in_all:.0f} s of processor time, azx's limit for a file of {size}: "
            "save the network again, without its optimizer."
        )
    if code == OUT_OF_MEMORY:
        return (
            f" takes HDF5's library over {size_text(task.memory)} of memory, azx's limit for a file of {size}: "
            f"{again}, or save the network again."
        )
    if code == OVERTIME:
        return (
            f": HDF5's library does not come back from one of its objects within {task.at_one:.0f} s of processor "
            f"time, where a sound one takes thousandths: {again}."
        )
    if was_ended_by_system(code):
        return (
            ": the process that reads it first was ended from outside, which says nothing of the file: free memory "
            "and try again."
        )
    return f": HDF5's library crashes on it: {again}."


_LOCK, _SOUND, _TRIAL = threading.Lock(), set[tuple[int, ...]](), _Trial()
atexit.register(_TRIAL.close)
