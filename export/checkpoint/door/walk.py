"""The process that reads an HDF5 file on trial and may be lost: it reads everything that azx may read.

Between two objects it checks its limits itself; within one object, only the system can end it, and does.
"""

from __future__ import annotations

import io
import os
import struct
import time
from contextlib import suppress
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Self

import h5py

from ....errors import CheckpointError
from ....system.own_limits import limit_memory, limit_processor_time, peak_memory
from .attributes import UNREADABLE, Attributes
from .contents import child, has, names_in, values
from .limits import NAMES, Budget, bytes_on_disk

READY, LAST = b".", b"!"
# The process ends with one of these codes if it exceeded one of azx's own limits.
OUT_OF_TIME, OUT_OF_MEMORY = 71, 72
# Beyond this the process ends after its answer, since it could not measure the next file's peak.
_STAYS_BELOW = 256 << 20
# A process reserves more addresses than it uses.
_ADDRESSES = 1 << 30
# The number of values that any processor reads and unpacks in a second.
_BYTES_A_SECOND = 8 << 20
# Names that Keras looks up in every group and file; a look-up by name works differently from the walk.
_GROUPS = ("model_weights", "layers", "_layer_checkpoint_dependencies", "vars", "encoder", "model", "kerasmodel")
_ATTRIBUTES = ("layer_names", "layer_names0", "weight_names", "weight_names0", "model_config", "training_config")
# An optimizer's weights are at least as large as the network's, and azx does not read them.
_UNREAD = ("optimizer/", "optimizer_weights/")


@dataclass(frozen=True)
class Task:
    """A file of `length` bytes, or a path of `length` bytes, and the limits for reading it.

    `at_one` are processor seconds per object, besides those for its values, `in_all` those for the whole file, `memory`
    bytes beyond what the process already has.
    """

    is_data: bool
    length: int
    at_one: float
    in_all: float
    memory: int

    _FORM = struct.Struct("<?QddQ")
    SIZE = _FORM.size

    def pack(self) -> bytes:
        """The task as bytes."""
        return self._FORM.pack(self.is_data, self.length, self.at_one, self.in_all, self.memory)

    @classmethod
    def unpack(cls, data: bytes) -> Self:
        """The task from its bytes."""
        return cls(*cls._FORM.unpack(data))


def serve() -> None:
    """Walk through each file that standard input names or contains, and answer with a word after each."""
    tasks, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", 0)
    os.dup2(2, 1)  # HDF5's own output must not look like an answer
    answers.write(READY)
    while len(head := tasks.read(Task.SIZE)) == Task.SIZE:
        task = Task.unpack(head)
        file = tasks.read(task.length)
        limit_memory(task.memory + _ADDRESSES)
        try:
            _read(file, task)
        except MemoryError:
            os._exit(OUT_OF_MEMORY)
        del file
        if (peak := peak_memory()) > task.memory:
            os._exit(OUT_OF_MEMORY)
        answers.write(READY if peak < _STAYS_BELOW else LAST)
    os._exit(0)


def _read(file: bytes, task: Task) -> None:
    held = task.length if task.is_data else 0
    with suppress(OSError):
        held = held or bytes_on_disk(Path(os.fsdecode(file)))
    limit_processor_time(task.at_one)
    with suppress(*UNREADABLE, CheckpointError), h5py.File(io.BytesIO(file) if task.is_data else file, "r") as opened:
        _Walk(task, Budget(held, "")).through(opened)


class _Walk:
    """Visits one file's objects, each once: names, attributes, and values of weights; damaged ones are skipped."""

    def __init__(self, task: Task, budget: Budget) -> None:
        self._task, self._budget, self._ends = task, budget, time.process_time() + task.in_all
        self._waiting, self._seen = list[h5py.Group](), set[int]()

    def through(self, file: h5py.File) -> None:
        self._waiting.append(file)
        while self._waiting and len(self._seen) < NAMES:
            group = self._waiting.pop()
            self._begin()
            with suppress(*UNREADABLE, CheckpointError):
                _ask(group)
            with suppress(*UNREADABLE, CheckpointError):
                for name in names_in(group, ""):
                    self._begin()
                    with suppress(*UNREADABLE, CheckpointError):
                        self._meet(group, name)

    def _begin(self) -> None:
        """Check the total time, and give the next object its own limit."""
        if time.process_time() > self._ends:
            os._exit(OUT_OF_TIME)
        limit_processor_time(self._task.at_one)

    def _meet(self, group: h5py.Group, name: str) -> None:
        member = child(group, name, "")
        if (address := h5py.h5o.get_info(member.id).addr) in self._seen:
            return
        self._seen.add(address)
        if isinstance(member, h5py.Group):
            self._waiting.append(member)
        elif not member.name.lstrip("/").startswith(_UNREAD):
            size = prod(member.shape or ()) * member.dtype.itemsize
            limit_processor_time(self._task.at_one + min(size, self._budget.limit) / _BYTES_A_SECOND)
            values(group, name, "", self._budget, kinds="fiubVu")


def _ask(group: h5py.Group) -> None:
    """Read a group's attributes, and names that it may not have."""
    for name in _GROUPS:
        has(group, name, "")
    attributes = Attributes(group, "")
    asked = [name for name in _ATTRIBUTES if name in attributes]
    if len(group.attrs) <= NAMES:
        asked += list(group.attrs)
    for name in dict.fromkeys(asked):
        with suppress(*UNREADABLE, CheckpointError):
            attributes.text(name)
