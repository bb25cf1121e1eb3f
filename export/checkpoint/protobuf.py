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
# A frozen graph has one field per node. This many fields are enough for recognition, and limit the work on other files.
_MAX_FIELDS = 100_000


def top_fields(path: Path) -> Fields | None:
    """The fields of the message that fills the file; None if it is not one complete message."""
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
    """Read one field and skip its value; None at the end, or if it would exceed the file."""
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
    """A varint, seven bits per byte, the lowest first; None if it is cut off or has over ten bytes."""
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
    """Reads messages; the total number of fields is limited by `door.limits`, since each costs a microsecond."""

    def __init__(self) -> None:
        self._left = FIELDS

    def fields(self, data: bytes) -> Message:
        """The fields of a message; ValueError or IndexError if it is not a message, or has too many fields."""
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
    """A varint at a place, and the place after it; IndexError or ValueError if there is none."""
    value = 0
    for shift in range(0, 70, 7):
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
    raise ValueError("a number of over ten bytes")


def number(fields: Message, field: int) -> int:
    """The last value of a number field; 0 if it is missing."""
    return next((value for name, value in reversed(fields) if name == field and isinstance(value, int)), 0)


def messages(fields: Message, field: int) -> list[bytes]:
    """Every value of a field that is a message or a text."""
    return [value for name, value in fields if name == field and isinstance(value, bytes)]


def message(fields: Message, field: int) -> bytes:
    """The first value of a message field; empty if it is missing."""
    return next(iter(messages(fields, field)), b"")


def text(fields: Message, field: int) -> str:
    """The last value of a text field; empty if it is missing. ValueError if it is not UTF-8."""
    return next((value.decode("utf8") for value in reversed(messages(fields, field))), "")
