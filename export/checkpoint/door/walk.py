"""The process that reads an HDF5 file on trial, and may be lost: it asks for all that azx may ask for.

Between two objects it looks at its limits itself; within one, where nothing but the system can end it, the system does.
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
# The process ends with one of these codes if it exceeded a limit of azx's own.
OUT_OF_TIME, OUT_OF_MEMORY = 71, 72
# Beyond it the process ends once it has answered: the next file's peak would not be seen.
_STAYS_BELOW = 256 << 20
# A process reserves more addresses than it uses.
_ADDRESSES = 1 << 30
# Values that any processor reads and unpacks in a second.
_BYTES_A_SECOND = 8 << 20
# What Keras asks every group and file for; a look-up by name takes another way than the walk.
_GROUPS = ("model_weights", "layers", "_layer_checkpoint_dependencies", "vars", "encoder", "model", "kerasmodel")
_ATTRIBUTES = ("layer_names", "layer_names0", "weight_names", "weight_names0", "model_config", "training_config")
# An optimizer's weights are at least as large as the network's, and nobody asks for them.
_UNREAD = ("optimizer/", "optimizer_weights/")


@dataclass(frozen=True)
class Task:
    """A file of `length` bytes, or a path of as many, and what reading it may take.

    `at_one` are processor seconds at one object, besides those for its values, `in_all` those of the whole file,
    `memory` bytes beyond what the process has.
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
        """The task of such bytes."""
        return cls(*cls._FORM.unpack(data))


def serve() -> None:
    """Walk through each file that standard input names or holds, with a word after each."""
    tasks, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", 0)
    os.dup2(2, 1)  # what HDF5 says is no answer
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
    """One file's objects, each once: names, attributes, and values of weights; what is damaged is left out."""

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
        """Look at the time of all, and give the next object its own."""
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
    """A group's attributes, and names that it may not have."""
    for name in _GROUPS:
        has(group, name, "")
    attributes = Attributes(group, "")
    asked = [name for name in _ATTRIBUTES if name in attributes]
    if len(group.attrs) <= NAMES:
        asked += list(group.attrs)
    for name in dict.fromkeys(asked):
        with suppress(*UNREADABLE, CheckpointError):
            attributes.text(name)
