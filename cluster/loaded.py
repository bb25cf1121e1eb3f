"""In a worker: processes and files that stay from one task to the next and end with the worker.

One `LoadedProcesses` serves one task at a time; a worker has as many as it runs tasks at once. TensorFlow, and anything
else that may end a process, runs in a child of the worker. So a damaged artifact costs its task and not the worker.
"""

from __future__ import annotations

import atexit
import shutil
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path

from ..match.players import ONE_THREAD
from ..system.processes import Processes
from ..system.temporary import temporary_folder
from ..system.workers import Workers, processes_in
from .parcel import BadParcel, digest, unpack

_LOCK = threading.Lock()
_IDLE: list[LoadedProcesses] = []
_BUSY: dict[LoadedProcesses, str] = {}


class LoadedProcesses:
    """Processes that start on first use; `serving` is the client whose networks are open."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self.folder = self._stack.enter_context(temporary_folder("cluster"))
        self.abandoned, self.serving = False, ""

    @cached_property
    def workers(self) -> Workers:
        """The two processes of an export."""
        return self._stack.enter_context(Workers())

    @cached_property
    def players(self) -> Processes:
        """The process that plays games."""
        folder = self.folder / "play"
        folder.mkdir()
        processes = processes_in(folder, 1, ONE_THREAD)
        self._stack.callback(processes.shutdown)
        return processes

    def lay(self, sha256: str, content: bytes) -> Path:
        """The folder with the files of a parcel, unpacked on first use; BadParcel if its hash differs."""
        folder = self.folder / "content" / sha256
        if not folder.exists():
            if digest(content) != sha256:
                raise BadParcel("it differs from the one that was sent")
            folder.mkdir(parents=True)
            unpack(content).lay(folder)
        return folder

    def forget(self) -> None:
        """Remove the files of all parcels."""
        shutil.rmtree(self.folder / "content", ignore_errors=True)

    def close(self) -> None:
        """End the processes, even during a task, and remove the folders."""
        self._stack.close()


@contextmanager
def borrow_workers(client: str) -> Iterator[LoadedProcesses]:
    """An idle `LoadedProcesses`, or a new one, for a task of `client`."""
    with _LOCK:
        one = _IDLE.pop() if _IDLE else LoadedProcesses()
        _BUSY[one] = client
    sound = False
    try:
        yield one
        sound = not one.abandoned
    finally:
        with _LOCK:
            del _BUSY[one]
            if sound:
                _IDLE.append(one)
        if not sound:
            one.close()


def abandon(client: str) -> None:
    """End the tasks of a client that has gone."""
    with _LOCK:
        left = [one for one, whose in _BUSY.items() if whose == client]
    for one in left:
        one.abandoned = True
        one.close()


@atexit.register
def leave() -> None:
    """Close all, as the worker's process ends."""
    for one in [*_IDLE, *_BUSY]:
        one.close()
