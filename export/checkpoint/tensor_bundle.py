"""The values in a TensorFlow checkpoint: the .index, a table in LevelDB's format, and the .data files beside it.

The formats are defined in tensorflow/core/lib/io/table and tensorflow/core/protobuf/tensor_bundle.proto.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from pathlib import Path

import numpy as np

from ...errors import CheckpointError
from ...system.plain_file import size_text
from .door.limits import ENTRIES, MESSAGE_BYTES, NAME_LENGTH, Budget, bytes_on_disk
from .layer_graph import Array
from .protobuf import Parser, message, messages, number, varint

OBJECT_GRAPH = "_CHECKPOINTABLE_OBJECT_GRAPH"
# The numbers of tensorflow.DataType for types of weights; 7 is text, of which only the object graph is read.
_DTYPES = {1: "<f4", 2: "<f8", 3: "<i4", 4: "u1", 5: "<i2", 6: "i1", 9: "<i8", 19: "<f2", 10: "?"}
_TEXT = 7
# A table ends with two block handles, padded with zeros, and eight bytes that identify it.
_FOOTER, _MAGIC = 48, bytes.fromhex("57fb808b247547db")


@dataclass(frozen=True)
class _Entry:
    """The place of a value; `shard` is the number of its .data file."""

    shape: tuple[int, ...]
    dtype: int
    shard: int
    offset: int
    size: int


class Bundle:
    """The values of a checkpoint by their keys; `prefix` is the common beginning of its files' names.

    Raises CheckpointError if a file is damaged, or outside the folder.
    """

    def __init__(self, prefix: Path, where: str) -> None:
        self._prefix, self._where = prefix, where
        self._shards = 1
        self._entries: dict[str, _Entry] = {}
        self._budget = Budget(bytes_on_disk(prefix.parent), where)
        parser = Parser()
        try:
            for key, value in _table(self._read(".index", 0, None)):
                fields = parser.fields(value)
                if key:
                    axes = messages(parser.fields(message(fields, 2)), 2)
                    sizes = tuple(number(parser.fields(axis), 1) for axis in axes)
                    dtype, shard, offset, size = (number(fields, field) for field in (1, 3, 4, 5))
                    self._entries[key] = _Entry(sizes, dtype, shard, offset, size)
                else:
                    self._shards = number(fields, 1)
        except (IndexError, ValueError) as error:
            raise CheckpointError(f"{where} is damaged (its .index): copy it again.") from error
        self._check_lengths()

    @property
    def keys(self) -> list[str]:
        """The keys of all values, in the index's order."""
        return list(self._entries)

    def value(self, key: str) -> Array:
        """A weight; KeyError if the key is missing."""
        entry = self._entries[key]
        kind = _DTYPES.get(entry.dtype)
        size = prod(entry.shape) * np.dtype(kind).itemsize if kind else -1
        if kind is None or size != entry.size:
            raise CheckpointError(
                f"{self._where}: '{key}' is not an array of numbers that azx reads: save the model again."
            )
        self._budget.spend(size, key)
        return np.frombuffer(self._bytes(entry), kind).reshape(entry.shape)

    def text(self, key: str) -> bytes:
        """A single text, which follows its length and a checksum; KeyError if the key is missing."""
        entry = self._entries[key]
        if entry.dtype != _TEXT or entry.size > MESSAGE_BYTES:
            raise KeyError(key)
        data = self._bytes(entry)
        length, at = varint(data, 0)
        return data[at + 4 : at + 4 + length]

    def _check_lengths(self) -> None:
        """Raise CheckpointError for a .data file that is too short, even if only optimizer values are missing."""
        ends: dict[int, int] = {}
        for entry in self._entries.values():
            ends[entry.shard] = max(ends.get(entry.shard, 0), entry.offset + entry.size)
        for shard, end in ends.items():
            path = self._prefix.with_name(f"{self._prefix.name}.{self._shard_name(shard)}")
            if path.is_file() and path.stat().st_size < end:
                raise CheckpointError(f"{self._where} is truncated ('{path.name}'): copy it again.")

    def _shard_name(self, shard: int) -> str:
        return f"data-{shard:05d}-of-{self._shards:05d}"

    def _bytes(self, entry: _Entry) -> bytes:
        data = self._read(f".{self._shard_name(entry.shard)}", entry.offset, entry.size)
        if len(data) != entry.size:
            raise CheckpointError(f"{self._where} is truncated: copy it again.")
        return data

    def _read(self, suffix: str, offset: int, size: int | None) -> bytes:
        path = self._prefix.with_name(self._prefix.name + suffix)
        if path.resolve().parent != self._prefix.parent.resolve():
            raise CheckpointError(f"{self._where}: '{path.name}' lies outside the folder: do not use it.")
        try:
            if not path.is_file():
                raise FileNotFoundError(2, "no such file")
            if size is None and path.stat().st_size > MESSAGE_BYTES:
                raise CheckpointError(
                    f"{self._where}: '{path.name}' has over {size_text(MESSAGE_BYTES)}: it is not a board-game network."
                )
            with path.open("rb") as file:
                file.seek(offset)
                return file.read(size)
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or error
            raise CheckpointError(
                f"{self._where}: '{path.name}' cannot be read ({reason}): copy the folder again."
            ) from error


def _table(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Each key and value.

    ValueError if the file is not a table, or is compressed, which TensorFlow's tables are not.
    """
    if data[-8:] != _MAGIC:
        raise ValueError("no table")
    footer = data[-_FOOTER:]
    at = 0
    for _ in range(2):  # the place of the block of statistics, which is not used
        _, at = varint(footer, at)
    start, at = varint(footer, at)
    size, _ = varint(footer, at)
    count = 0
    for _, handle in _block(data, start, size):
        start, at = varint(handle, 0)
        size, _ = varint(handle, at)
        for key, value in _block(data, start, size):
            count += 1
            if count > ENTRIES:  # a damaged file may name blocks repeatedly
                raise ValueError(f"over {ENTRIES:,} entries")
            yield key.decode("utf8"), value


def _block(data: bytes, start: int, size: int) -> Iterator[tuple[bytes, bytes]]:
    """The entries of a block; each key shares a stated number of first bytes with the previous one."""
    block = data[start : start + size]
    if len(block) != size or size < 4 or data[start + size : start + size + 1] != b"\0":
        raise ValueError("a block that is cut off or compressed")
    restarts = int.from_bytes(block[-4:], "little")
    end, at, key = size - 4 - 4 * restarts, 0, b""
    while at < end:
        shared, at = varint(block, at)
        own, at = varint(block, at)
        length, at = varint(block, at)
        key = key[:shared] + block[at : at + own]
        if len(key) > 2 * NAME_LENGTH:
            raise ValueError("a key of no variable")
        yield key, block[at + own : at + own + length]
        at += own + length
