"""Which fields a protobuf message has, with nothing but the wire format: enough to tell whose message it is."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

# (number, wire type) of each field of the outermost message, each once.
Fields = frozenset[tuple[int, int]]

_VARINT, _FIXED64, _MESSAGE, _FIXED32 = 0, 1, 2, 5
_WIDTHS = {_FIXED64: 8, _FIXED32: 4}
# A frozen graph has a field a node; this many are enough to tell, and bound the work on a file that is none.
_MAX_FIELDS = 100_000


def top_fields(path: Path) -> Fields | None:
    """The fields of the message that the file is; None where it is not one, whole and to the last byte."""
    size, found = path.stat().st_size, set()
    with path.open("rb") as file:
        for _ in range(_MAX_FIELDS):
            if file.tell() == size:
                break
            field = _next_field(file, size)
            if field is None:
                return None
            found.add(field)
    return frozenset(found)


def _next_field(file: BinaryIO, size: int) -> tuple[int, int] | None:
    """Read one field and pass over its value; None where there is none, or it would go over the end."""
    tag = _varint(file)
    if tag is None or tag >> 3 == 0:
        return None
    number, kind = tag >> 3, tag & 7
    if kind == _VARINT:
        return None if _varint(file) is None else (number, kind)
    length = _varint(file) if kind == _MESSAGE else _WIDTHS.get(kind)
    if length is None or file.tell() + length > size:
        return None
    file.seek(length, 1)
    return number, kind


def _varint(file: BinaryIO) -> int | None:
    """A number of seven bits a byte, least first; None where the file ends in it or it has over ten bytes."""
    value = 0
    for shift in range(0, 70, 7):
        byte = file.read(1)
        if not byte:
            return None
        value |= (byte[0] & 127) << shift
        if byte[0] < 128:
            return value
    return None
