"""The fields of a protobuf message, read from the wire format alone: the message's type and its content."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from .door.limits import FIELDS

# (number, value) of each field in the message's order; a value is a number, or the bytes of a text or a message.
Message = list[tuple[int, int | bytes]]
# (number, wire type) of each field of the outermost message, each once.
Fields = frozenset[tuple[int, int]]

_VARINT, _FIXED64, _MESSAGE, _FIXED32 = 0, 1, 2, 5
_WIDTHS = {_FIXED64: 8, _FIXED32: 4}
# A frozen graph has a field a node; this many are enough to tell, and bound the work on a file that is none.
_MAX_FIELDS = 100_000


def top_fields(path: Path) -> Fields | None:
    """The fields of the message that the file is; None if it is not one, whole and to the last byte."""
    size, numbers = path.stat().st_size, set()
    with path.open("rb") as file:
        for _ in range(_MAX_FIELDS):
            if file.tell() == size:
                break
            field = _next_field(file, size)
            if field is None:
                return None
            numbers.add(field)
    return frozenset(numbers)


def _next_field(file: BinaryIO, size: int) -> tuple[int, int] | None:
    """Read one field and pass over its value; None if absent, or it would go over the end."""
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
    """A number of seven bits a byte, least first; None if the file ends in it or it has over ten bytes."""
    value = 0
    for shift in range(0, 70, 7):
        byte = file.read(1)
        if not byte:
            return None
        value |= (byte[0] & 127) << shift
        if byte[0] < 128:
            return value
    return None


class Parser:
    """Reads messages, of all of them together no more fields than `door.limits` has: each costs a microsecond."""

    def __init__(self) -> None:
        self._left = FIELDS

    def fields(self, data: bytes) -> Message:
        """The fields of a message; ValueError or IndexError if it is none, or one too many."""
        pairs: Message = []
        at = 0
        while at < len(data):
            self._left -= 1
            if self._left < 0:
                raise ValueError(f"over {FIELDS:,} fields")
            tag, at = varint(data, at)
            kind = tag & 7
            if kind == _VARINT:
                value, at = varint(data, at)
                pairs.append((tag >> 3, value))
                continue
            length, at = varint(data, at) if kind == _MESSAGE else (_WIDTHS.get(kind, -1), at)
            if length < 0 or at + length > len(data):
                raise ValueError("a field that goes over the end, or of no known kind")
            pairs.append((tag >> 3, data[at : at + length]))
            at += length
        return pairs


def varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of seven bits a byte at a place, and the place behind it; IndexError or ValueError without one."""
    value = 0
    for shift in range(0, 70, 7):
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
    raise ValueError("a number of over ten bytes")


def number(fields: Message, field: int) -> int:
    """The last value of a field that is a number, 0 without one."""
    return next((value for name, value in reversed(fields) if name == field and isinstance(value, int)), 0)


def messages(fields: Message, field: int) -> list[bytes]:
    """Every value of a field that is a message or a text."""
    return [value for name, value in fields if name == field and isinstance(value, bytes)]


def message(fields: Message, field: int) -> bytes:
    """The first value of such a field, empty without one."""
    return next(iter(messages(fields, field)), b"")


def text(fields: Message, field: int) -> str:
    """The last value of a field that is a text, empty without one; ValueError if it is not UTF-8."""
    return next((value.decode("utf8") for value in reversed(messages(fields, field))), "")
