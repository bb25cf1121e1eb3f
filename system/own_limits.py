"""Limits that count only a process's own work: its processor time, and memory beyond what it had.

A wall clock also counts what other programs do. On Linux `ru_maxrss` also counts the memory of the parent process.
"""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

# Signals by which a system ends a process for its own reasons: memory for others, a hard limit, a user's kill.
_NAMES = ("SIGKILL", "SIGTERM", "SIGHUP", "SIGINT")
_OF_THE_SYSTEM = tuple(int(getattr(signal, name)) for name in _NAMES if hasattr(signal, name))
# The return code of a process that exceeded its limit on processor time.
OVERTIME = -int(getattr(signal, "SIGXCPU", 24))
# Seconds between two looks at a process, and how many idle looks in a row are allowed: about five minutes.
LOOK_SECONDS, IDLE = 0.5, 600


def limit_processor_time(seconds: float) -> None:
    """Let the system end this process after `seconds` more of processor time, rounded up, plus one second.

    Does nothing on Windows: there the parent process watches this one (`Watchdog`).
    """
    if sys.platform == "win32":
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    with suppress(OSError, ValueError):  # a lower limit holds already
        resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + seconds) + 1, hard))


def limit_memory(size: int) -> None:
    """Let the system refuse this process more than `size` bytes of addresses beyond those that it has.

    Does nothing if the system does not say what a process has: on macOS and Windows.
    """
    if sys.platform == "win32" or not (has := _status("VmSize")):
        return
    import resource

    for kind, limit in ((resource.RLIMIT_AS, has + size), (resource.RLIMIT_CORE, 0)):
        _, hard = resource.getrlimit(kind)
        with suppress(OSError, ValueError):  # a lower limit holds already
            resource.setrlimit(kind, (limit, hard))


def peak_memory() -> int:
    """The most memory in bytes that this process itself used since it began to run its program; 0 if unknown."""
    if sys.platform == "linux":
        return _status("VmHWM")
    if sys.platform == "win32":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss if sys.platform == "darwin" else 0


def was_ended_by_system(code: int | None) -> bool:
    """Whether a process with this return code was ended from outside, and did not fail by itself."""
    return code is not None and -code in _OF_THE_SYSTEM


class Watchdog:
    """Ends `process` after `seconds` of processor time, or after IDLE looks without any; infinity never ends it.

    `is_over` says whether it was ended. Neither limit counts the slowness of a busy machine.
    """

    def __init__(self, process: subprocess.Popen[Any], seconds: float) -> None:
        self._process, self._seconds, self._done = process, seconds, threading.Event()
        self.is_over = False

    def __enter__(self) -> Self:
        if self._seconds != math.inf:
            self._until = self._seconds + (_taken(self._process) or 0)
            threading.Thread(target=self._look, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._done.set()

    def _look(self) -> None:
        before, idle = -1.0, 0
        while not self._done.wait(LOOK_SECONDS):
            taken = _taken(self._process)
            if taken is None:  # without figures nothing is ended
                continue
            idle, before = (idle + 1 if taken == before else 0), taken
            if taken > self._until or idle > IDLE:
                self.is_over = True
                self._process.kill()
                return


def _taken(process: subprocess.Popen[Any]) -> float | None:
    """The processor seconds that a process has used; None if the system does not say."""
    if sys.platform == "win32":
        import ctypes

        times = [ctypes.c_uint64() for _ in range(4)]  # created, ended, in the system, in the program: in 100 ns
        handle = ctypes.c_void_p(int(process._handle))
        success = ctypes.windll.kernel32.GetProcessTimes(handle, *(ctypes.byref(each) for each in times))
        return (times[2].value + times[3].value) / 1e7 if success else None
    try:
        if sys.platform == "linux":
            numbers = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
            return (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")
        command = ["ps", "-o", "time=", "-p", str(process.pid)]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        days, _, clock = output.rpartition("-")
        seconds = sum(float(part) * 60**at for at, part in enumerate(reversed(clock.split(":"))))
        return seconds + 86_400 * int(days or 0)
    except (OSError, ValueError, IndexError, subprocess.SubprocessError):
        return None


def _status(name: str) -> int:
    """A number of bytes from Linux's status of this process; 0 if it is missing."""
    with suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split()[1]) << 10
    return 0
