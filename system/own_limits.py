"""Limits that a process sets itself, in what only its own work counts: processor time, and memory beyond what it has.

A clock on the wall counts what other programs do, and `ru_maxrss` on Linux what the process that started this one had.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Self

# Signals by which a system ends a process for reasons of its own: memory for others, a hard limit, somebody's kill.
_NAMES = ("SIGKILL", "SIGTERM", "SIGHUP", "SIGINT")
_OF_THE_SYSTEM = tuple(int(getattr(signal, name)) for name in _NAMES if hasattr(signal, name))
# The return code of a process that passed its limit on processor time.
OVERTIME = -int(getattr(signal, "SIGXCPU", 24))
_LOOK_SECONDS = 0.2


def limit_processor_time(seconds: float) -> None:
    """Let the system end this process once it takes that much more processor time, in whole seconds and one more.

    Nothing happens on Windows, whose processes are watched by the one that starts them (`watched`).
    """
    if sys.platform == "win32":
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    with suppress(OSError, ValueError):  # a lower one holds already
        resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + seconds) + 1, hard))


def limit_memory(size: int) -> None:
    """Let the system refuse this process more than `size` bytes of addresses beyond those that it has.

    Nothing happens where the system does not say what a process has: on macOS and Windows.
    """
    if sys.platform == "win32" or not (has := _status("VmSize")):
        return
    import resource

    for kind, limit in ((resource.RLIMIT_AS, has + size), (resource.RLIMIT_CORE, 0)):
        _, hard = resource.getrlimit(kind)
        with suppress(OSError, ValueError):  # a lower one holds already
            resource.setrlimit(kind, (limit, hard))


def peak_memory() -> int:
    """The most bytes that this process itself had in memory since it began to run its program; 0 if unknown."""
    if sys.platform == "linux":
        return _status("VmHWM")
    if sys.platform == "win32":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss if sys.platform == "darwin" else 0


def was_ended_by_system(code: int | None) -> bool:
    """Whether a process with this return code was ended from outside, which says nothing of what it did."""
    return code is not None and -code in _OF_THE_SYSTEM


class Watched:
    """On Windows, where no process can limit itself: ends `process` once it took `seconds` of processor time.

    `is_over` says whether it did.
    """

    def __init__(self, process: subprocess.Popen[bytes], seconds: float) -> None:
        self._process, self._until, self._done = process, seconds + _taken(process), threading.Event()
        self.is_over = False

    def __enter__(self) -> Self:
        if sys.platform == "win32":
            threading.Thread(target=self._look, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._done.set()

    def _look(self) -> None:
        while not self._done.wait(_LOOK_SECONDS):
            if _taken(self._process) > self._until:
                self.is_over = True
                self._process.kill()
                return


def _taken(process: subprocess.Popen[bytes]) -> float:
    """The processor seconds that a process of Windows has had; 0 if unknown, and on other systems."""
    if sys.platform != "win32":
        return 0.0
    import ctypes

    times = [ctypes.c_uint64() for _ in range(4)]  # created, ended, in the system, in the program: in 100 ns
    handle = ctypes.c_void_p(int(process._handle))
    told = ctypes.windll.kernel32.GetProcessTimes(handle, *(ctypes.byref(each) for each in times))
    return (times[2].value + times[3].value) / 1e7 if told else 0.0


def _status(name: str) -> int:
    """A number of bytes that Linux tells of this process; 0 if it does not."""
    with suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split()[1]) << 10
    return 0
