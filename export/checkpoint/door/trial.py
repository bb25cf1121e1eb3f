"""Reads HDF5 on trial first, in a separate process: a damaged file can hang its library for ever, or end it.

No check of ours can see beforehand what h5py would meet, and nothing in Python ends a call that does not return. So a
process walks through the whole file and may be lost; where it comes to its end, azx's own walk does too. It is started
with the first file, stays for the next ones, and ends with azx.
"""

from __future__ import annotations

import atexit
import io
import os
import struct
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import h5py

from ....errors import CheckpointError
from .attributes import UNREADABLE, Attributes
from .contents import child, has, names_in, values
from .limits import NAMES, Budget, bytes_on_disk

# Processor seconds of the walk; a gibibyte takes about one.
_SECONDS, _BYTES_A_SECOND = 2, 64 << 20
# Where no limit of the system counts them, on the clock: other programs may be busy.
_PATIENCE = 60.0
# What the system gives it, and what the largest weights in memory, and a copy of the largest of them, stay below: an
# endless walk that runs out of memory ends as any damaged file does.
_MEMORY, _SOUND_MEMORY = 4 << 30, 5 << 29
_START = "import sys; sys.path[:] = {path!r}; from {module} import serve; serve()"
_TASK = struct.Struct("<?Q")
_READY = b"."
# What Keras asks every group and file for; a search for a name takes other ways than the walk.
_GROUPS = ("model_weights", "layers", "_layer_checkpoint_dependencies", "vars", "encoder", "model", "kerasmodel")
_ATTRIBUTES = ("layer_names", "layer_names0", "weight_names", "weight_names0", "model_config", "training_config")
# An optimizer's weights are as large again, and nobody asks for them.
_UNREAD = ("optimizer/", "optimizer_weights/")


def try_reading(file: Path | bytes, where: str) -> None:
    """CheckpointError if HDF5's library would not come back from a file, or from one that is in memory.

    The reader handles all other faults. If no process can be started, nothing is tried.
    """
    known = _identity(file)
    with _LOCK:
        if known is not None and known in _SOUND:
            return
        ended = _TRIAL.reads(file)
        if known is not None and ended:
            _SOUND.add(known)
    if not ended:
        raise CheckpointError(
            f"{where} is damaged, or far larger than a board-game network: HDF5's library does not get through it; "
            "copy the checkpoint again."
        )


def _identity(file: Path | bytes) -> tuple[int, ...] | None:
    """What a file is known by while nobody writes to it."""
    if isinstance(file, bytes):
        return None
    told = file.stat()
    return told.st_dev, told.st_ino, told.st_size, told.st_mtime_ns


class _Trial:
    """The process that reads, and may be lost."""

    def __init__(self) -> None:
        self._process: Any = None  # subprocess.Popen, whose pipes are there
        self._owner, self._is_possible = os.getpid(), bool(sys.executable)

    def reads(self, file: Path | bytes) -> bool:
        """Whether the process reads to the end of a file; True if there can be none."""
        if self._process is None or self._process.poll() is not None or self._owner != os.getpid():
            self._start()
        if self._process is None:
            return True
        task = str(file.absolute()).encode("utf-8", "surrogateescape") if isinstance(file, Path) else file
        with suppress(OSError):
            self._process.stdin.write(_TASK.pack(isinstance(file, bytes), len(task)))
            self._process.stdin.write(task)
            self._process.stdin.flush()
        return self._answers(_PATIENCE)

    def close(self) -> None:
        """End the process."""
        if self._process is not None and self._owner == os.getpid():
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                with suppress(OSError):  # what it was still to be told
                    pipe.close()
        self._process = None

    def _start(self) -> None:
        self.close()
        if not self._is_possible:
            return
        self._owner, pipe = os.getpid(), subprocess.PIPE
        code = _START.format(path=sys.path, module=__name__)
        with suppress(OSError):
            self._process = subprocess.Popen(
                [sys.executable, "-c", code], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL
            )
        self._is_possible = self._process is not None and self._answers(_PATIENCE)

    def _answers(self, seconds: float) -> bool:
        """Whether the process answers in time; if not, it is ended."""
        watch = threading.Timer(seconds, self._process.kill)
        watch.daemon = True
        watch.start()
        answer = self._process.stdout.read(1)
        watch.cancel()
        if answer != _READY:
            self.close()
        return bool(answer == _READY)


def serve() -> None:
    """Walk through each file that standard input names or holds, with a word after each."""
    tasks, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", 0)
    os.dup2(2, 1)  # what HDF5 says is no answer
    answers.write(_READY)
    while len(head := tasks.read(_TASK.size)) == _TASK.size:
        is_data, length = _TASK.unpack(head)
        task = tasks.read(length)
        held = length if is_data else 0
        with suppress(OSError):
            held = held or bytes_on_disk(Path(os.fsdecode(task)))
        _limit(_SECONDS + held // _BYTES_A_SECOND)
        with suppress(*UNREADABLE, CheckpointError), h5py.File(io.BytesIO(task) if is_data else task, "r") as file:
            _walk(file, Budget(held, ""))
        if _peak_memory() > _SOUND_MEMORY:
            os._exit(1)
        answers.write(_READY)
    os._exit(0)


def _peak_memory() -> int:
    """The peak memory of this process in bytes; 0 if unknown."""
    if sys.platform == "win32":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << (0 if sys.platform == "darwin" else 10)


def _limit(seconds: int) -> None:
    """Let the system end this process after a limit of processor seconds, and limit its memory."""
    if sys.platform == "win32":
        return
    import resource

    for kind, limit in (
        (resource.RLIMIT_CPU, int(time.process_time()) + 1 + seconds),
        (resource.RLIMIT_AS, _MEMORY),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(kind)
        with suppress(OSError, ValueError):  # a lower one holds already
            resource.setrlimit(kind, (limit, hard))


def _walk(file: h5py.File, budget: Budget) -> None:
    """Ask for all that azx may ask for: names, attributes, and values of weights; what is damaged is left out."""
    waiting, seen = [file], set[int]()
    while waiting and len(seen) < NAMES:
        group = waiting.pop()
        with suppress(*UNREADABLE, CheckpointError):
            _ask(group)
        with suppress(*UNREADABLE, CheckpointError):
            for name in names_in(group, ""):
                with suppress(*UNREADABLE, CheckpointError):
                    found = child(group, name, "")
                    if (address := h5py.h5o.get_info(found.id).addr) in seen:
                        continue
                    seen.add(address)
                    if isinstance(found, h5py.Group):
                        waiting.append(found)
                    elif not found.name.lstrip("/").startswith(_UNREAD):
                        values(group, name, "", budget, kinds="fiubVu")


def _ask(group: h5py.Group) -> None:
    """A group's attributes, and names that it may not have."""
    for name in _GROUPS:
        has(group, name, "")
    told = Attributes(group, "")
    asked = [name for name in _ATTRIBUTES if name in told]
    if len(group.attrs) <= NAMES:
        asked += list(group.attrs)
    for name in dict.fromkeys(asked):
        with suppress(*UNREADABLE, CheckpointError):
            told.text(name)


_LOCK, _SOUND, _TRIAL = threading.Lock(), set[tuple[int, ...]](), _Trial()
atexit.register(_TRIAL.close)
