"""resources.arsc: an app's texts and the paths of its pictures, by their names."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from .chunks import TABLE, Chunk, ResourceError, StringPool, chunk_at, chunks_of

PACKAGE, TYPE = 0x0200, 0x0201
STRING = 0x03
_NO_ENTRY = 0xFFFFFFFF
_IS_COMPLEX = 1


class ResourceTable:
    """The table of an app's resources."""

    def __init__(self, data: bytes) -> None:
        whole = chunk_at(data, 0)
        if whole.kind != TABLE:
            raise ResourceError("it is no table of resources")
        self._head = data[8 : whole.header]
        self._pool = StringPool(data, whole.header)
        self._body = bytearray(data[whole.header + self._pool.size : whole.size])

    def texts(self, kind: str, name: str) -> list[str]:
        """A resource in each of its configurations, such as `string`, `app_name`; ResourceError if it is missing."""
        return [self._pool.texts[struct.unpack_from("<I", self._body, at + 4)[0]] for at in self._values(kind, name)]

    def set(self, kind: str, name: str, text: str) -> None:
        """Set a resource's text, or its path, in all configurations; ResourceError if it is missing."""
        number = self._pool.add(text)
        for at in self._values(kind, name):
            struct.pack_into("<HBBI", self._body, at, 8, 0, STRING, number)

    def to_bytes(self) -> bytes:
        """The file."""
        pool = self._pool.to_bytes()
        header = 8 + len(self._head)
        whole = header + len(pool) + len(self._body)
        return struct.pack("<HHI", TABLE, header, whole) + self._head + pool + bytes(self._body)

    def _values(self, kind: str, name: str) -> list[int]:
        """Where the values of a resource begin, all of them texts."""
        places = [at for package in self._packages() for at in self._in_package(package, kind, name)]
        if not places:
            raise ResourceError(f"there is no {kind} '{name}'")
        return places

    def _packages(self) -> Iterator[Chunk]:
        return (each for each in chunks_of(bytes(self._body), 0, len(self._body)) if each.kind == PACKAGE)

    def _in_package(self, package: Chunk, kind: str, name: str) -> Iterator[int]:
        data = bytes(self._body)
        kinds_at, _, names_at, _ = struct.unpack_from("<4I", data, package.at + 268)
        kinds, names = StringPool(data, package.at + kinds_at), StringPool(data, package.at + names_at)
        if kind not in kinds.texts or name not in names.texts:
            return
        wanted, key = kinds.find(kind) + 1, names.find(name)
        for each in chunks_of(data, package.at + package.header, package.at + package.size):
            if each.kind != TYPE or data[each.at + 8] != wanted:
                continue
            if data[each.at + 9]:
                raise ResourceError("its entries are packed")
            count, start = struct.unpack_from("<II", data, each.at + 12)
            for offset in struct.unpack_from(f"<{count}I", data, each.at + each.header):
                if offset == _NO_ENTRY:
                    continue
                entry = each.at + start + offset
                size, flags, own = struct.unpack_from("<HHI", data, entry)
                if own == key:
                    if flags & _IS_COMPLEX or data[entry + size + 3] != STRING:
                        raise ResourceError(f"{kind} '{name}' is no text")
                    yield entry + size
