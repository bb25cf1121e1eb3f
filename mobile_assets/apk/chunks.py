"""Android's binary resources: chunks with headers, and the pool of strings that an XML file or a table begins with."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

STRINGS, XML, TABLE = 0x0001, 0x0003, 0x0002
_UTF8 = 1 << 8
_SORTED = 1


class ResourceError(ValueError):
    """A file of the prepared app has a layout that this azx does not know."""


@dataclass(frozen=True)
class Chunk:
    """A part of a file: its kind, the length of its header, where it begins and how long it is."""

    kind: int
    header: int
    at: int
    size: int


def chunk_at(data: bytes, at: int) -> Chunk:
    """The chunk that begins there; ResourceError if it does not lie in the file."""
    if at + 8 > len(data):
        raise ResourceError("a chunk is cut off")
    kind, header, size = struct.unpack_from("<HHI", data, at)
    if header < 8 or size < header or at + size > len(data):
        raise ResourceError("a chunk is longer than its file")
    return Chunk(kind, header, at, size)


def chunks_of(data: bytes, start: int, end: int) -> Iterator[Chunk]:
    """The chunks between two places, one after the other."""
    while start < end:
        chunk = chunk_at(data, start)
        yield chunk
        start += chunk.size


class StringPool:
    """The strings of a chunk. New ones come last, so that no number of an old one changes."""

    def __init__(self, data: bytes, at: int) -> None:
        chunk = chunk_at(data, at)
        if chunk.kind != STRINGS:
            raise ResourceError("there is no pool of strings")
        count, styles, flags, first, first_style = struct.unpack_from("<5I", data, at + 8)
        self.size = chunk.size
        self._is_utf8, self._flags = bool(flags & _UTF8), flags & ~_SORTED
        self._header = data[at + 28 : at + chunk.header]
        places = struct.unpack_from(f"<{count + styles}I", data, at + chunk.header)
        end = first_style if styles else chunk.size
        body = data[at + first : at + end]
        self._raw = [self._bytes_at(body, place) for place in places[:count]]
        self._style_places = places[count:]
        self._styles = data[at + first_style : at + chunk.size] if styles else b""
        self.texts = [self._decode(raw) for raw in self._raw]

    def add(self, text: str) -> int:
        """Add a string, even if an equal one exists; returns its number."""
        self.texts.append(text)
        self._raw.append(self._encode(text))
        return len(self.texts) - 1

    def find(self, text: str) -> int:
        """The number of the string; ResourceError if it is missing."""
        try:
            return self.texts.index(text)
        except ValueError as error:
            raise ResourceError(f"there is no '{text}'") from error

    def to_bytes(self) -> bytes:
        """The chunk."""
        places, body = [], bytearray()
        for raw in self._raw:
            places.append(len(body))
            body += raw
        body += bytes(-len(body) % 4)
        header = 28 + len(self._header)
        first = header + 4 * (len(places) + len(self._style_places))
        first_style = first + len(body) if self._style_places else 0
        whole = first + len(body) + len(self._styles)
        counts = len(places), len(self._style_places)
        return b"".join(
            (
                struct.pack("<HHIIIIII", STRINGS, header, whole, *counts, self._flags, first, first_style),
                self._header,
                struct.pack(f"<{sum(counts)}I", *places, *self._style_places),
                bytes(body),
                self._styles,
            )
        )

    def _bytes_at(self, body: bytes, at: int) -> bytes:
        """A string with its lengths and its end."""
        if self._is_utf8:
            start, _ = _length8(body, at)
            start, length = _length8(body, start)
            return body[at : start + length + 1]
        start, length = _length16(body, at)
        return body[at : start + 2 * length + 2]

    def _decode(self, raw: bytes) -> str:
        if self._is_utf8:
            start, _ = _length8(raw, 0)
            start, length = _length8(raw, start)
            return raw[start : start + length].decode("utf-8", errors="replace")
        start, length = _length16(raw, 0)
        return raw[start : start + 2 * length].decode("utf-16-le", errors="replace")

    def _encode(self, text: str) -> bytes:
        wide = text.encode("utf-16-le")
        if not self._is_utf8:
            return _write16(len(wide) // 2) + wide + b"\0\0"
        # Android's UTF-8 writes characters beyond 16 bits as two halves; names here may only have characters
        # that both write alike.
        narrow = text.encode("utf-8")
        return _write8(len(wide) // 2) + _write8(len(narrow)) + narrow + b"\0"


def _length8(body: bytes, at: int) -> tuple[int, int]:
    if body[at] & 0x80:
        return at + 2, (body[at] & 0x7F) << 8 | body[at + 1]
    return at + 1, body[at]


def _length16(body: bytes, at: int) -> tuple[int, int]:
    first, second = struct.unpack_from("<HH", body.ljust(at + 4, b"\0"), at)
    return (at + 4, (first & 0x7FFF) << 16 | second) if first & 0x8000 else (at + 2, first)


def _write8(length: int) -> bytes:
    return bytes((0x80 | length >> 8, length & 0xFF)) if length > 0x7F else bytes((length,))


def _write16(length: int) -> bytes:
    return struct.pack("<H", length)
