"""Changes attributes and removes elements of an APK's compiled XML files, such as AndroidManifest.xml."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from .chunks import XML, Chunk, ResourceError, StringPool, chunk_at, chunks_of

START, END = 0x0102, 0x0103
# Kinds of values: a string by its number, a whole number, true or false.
STRING, NUMBER, BOOLEAN = 0x03, 0x10, 0x12


class BinaryXml:
    """A compiled XML file."""

    def __init__(self, data: bytes) -> None:
        whole = chunk_at(data, 0)
        if whole.kind != XML:
            raise ResourceError("it is no compiled XML")
        self._pool = StringPool(data, whole.header)
        self._body = bytearray(data[whole.header + self._pool.size : whole.size])

    def set(self, element: str, attribute: str, value: str | int | bool) -> None:
        """Change an attribute of the first element of that name; ResourceError if either is missing."""
        for place in self._attributes(element):
            if self._text(place + 4) == attribute:
                raw = 0xFFFFFFFF
                if isinstance(value, str):
                    raw = data = self._pool.add(value)
                    kind = STRING
                elif isinstance(value, bool):
                    kind, data = BOOLEAN, 0xFFFFFFFF if value else 0
                else:
                    kind, data = NUMBER, value
                struct.pack_into("<IHBBI", self._body, place + 8, raw, 8, 0, kind, data)
                return
        raise ResourceError(f"<{element}> has no {attribute}")

    def get(self, element: str, attribute: str) -> str | int:
        """An attribute of the first element of that name, as it is written: a string, or its number."""
        for place in self._attributes(element):
            if self._text(place + 4) == attribute:
                raw, _, _, kind, data = struct.unpack_from("<IHBBI", self._body, place + 8)
                return self._pool.texts[data if kind == STRING else raw] if raw != 0xFFFFFFFF else int(data)
        raise ResourceError(f"<{element}> has no {attribute}")

    def remove(self, element: str) -> None:
        """Remove the elements of that name, which must have no children; nothing happens if there are none."""
        ends = (START, END)
        chunks = [each for each in self._chunks() if each.kind in ends and self._text(each.at + 20) == element]
        for each in reversed(chunks):
            del self._body[each.at : each.at + each.size]

    def to_bytes(self) -> bytes:
        """The file."""
        pool = self._pool.to_bytes()
        return struct.pack("<HHI", XML, 8, 8 + len(pool) + len(self._body)) + pool + bytes(self._body)

    def _chunks(self) -> Iterator[Chunk]:
        return chunks_of(bytes(self._body), 0, len(self._body))

    def _attributes(self, element: str) -> Iterator[int]:
        """Where each attribute of the first such element begins."""
        for each in self._chunks():
            if each.kind == START and self._text(each.at + 20) == element:
                start, size, count = struct.unpack_from("<HHH", self._body, each.at + 24)
                yield from (each.at + 16 + start + at * size for at in range(count))
                return
        raise ResourceError(f"there is no <{element}>")

    def _text(self, at: int) -> str | None:
        number = struct.unpack_from("<I", self._body, at)[0]
        return self._pool.texts[number] if number < len(self._pool.texts) else None
