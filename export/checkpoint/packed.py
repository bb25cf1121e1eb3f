"""The first bytes of a compressed file's content, unpacked in memory, and the names in a tar archive."""

from __future__ import annotations

import bz2
import lzma
import tarfile
import zlib
from collections.abc import Callable
from pathlib import Path

# Bytes of the file, and of its content: enough for every signature. Zeros unpack to a thousand times their size.
_PACKED, _UNPACKED = 1 << 16, 1 << 12
_MEMORY = 64 << 20
# A tar archive has no list of its members: each begins where the previous one ends.
_MEMBERS = 200


def _gunzip(data: bytes) -> bytes:
    return zlib.decompressobj(wbits=31).decompress(data, _UNPACKED)


def _bunzip(data: bytes) -> bytes:
    return bz2.BZ2Decompressor().decompress(data, _UNPACKED)


def _unxz(data: bytes) -> bytes:
    return lzma.LZMADecompressor(memlimit=_MEMORY).decompress(data, _UNPACKED)


_PACKERS: dict[bytes, tuple[str, Callable[[bytes], bytes]]] = {
    b"\x1f\x8b": ("gzip", _gunzip),
    b"BZh": ("bzip2", _bunzip),
    b"\xfd7zXZ": ("xz", _unxz),
}


def packer_of(head: bytes) -> str | None:
    """The compression of a file that begins with `head`; None if it is not compressed."""
    return next((name for start, (name, _) in _PACKERS.items() if head.startswith(start)), None)


def unpacked_head(path: Path) -> bytes:
    """The first bytes of a compressed file's content; empty if it cannot be unpacked."""
    with path.open("rb") as file:
        data = file.read(_PACKED)
    unpack = next(unpack for start, (_, unpack) in _PACKERS.items() if data.startswith(start))
    try:
        return unpack(data)
    except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError):
        return b""


def tar_names(path: Path) -> list[str]:
    """The names of the first members of a tar archive, as far as they can be read; nothing is unpacked."""
    names: list[str] = []
    try:
        with tarfile.open(path, "r:") as archive:
            while len(names) < _MEMBERS and (member := archive.next()) is not None:
                names.append(member.name)
    except (tarfile.TarError, OSError, ValueError, EOFError):
        pass
    return names
