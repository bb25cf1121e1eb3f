"""Writes an APK's entries: stored ones begin where the system can map them, and the bytes depend on no date."""

from __future__ import annotations

import io
import struct
import zipfile

LONG_AGO = (1980, 1, 1, 0, 0, 0)
# Alignments in bytes: of mapped files, and of libraries, which are mapped by whole pages of 4 or 16 KB.
PLAIN, PAGE = 4, 16384
# The field that apksig writes too: the alignment, then as many zeros as it takes.
_FIELD, _LEAST = 0xD935, 6
STORED = (".arsc", ".tflite", ".so", ".png")


class AlignedZip:
    """A .zip in memory."""

    def __init__(self) -> None:
        self._file = io.BytesIO()
        self._zip = zipfile.ZipFile(self._file, "w")

    def add(self, name: str, data: bytes) -> None:
        """Add a file: stored if the system maps it or packing gains nothing, else packed."""
        entry = zipfile.ZipInfo(name, LONG_AGO)
        entry.create_system = 0
        if name.endswith(STORED):
            entry.compress_type = zipfile.ZIP_STORED
            entry.extra = self._padding(name)
        else:
            entry.compress_type = zipfile.ZIP_DEFLATED
        self._zip.writestr(entry, data, compresslevel=9)

    def _padding(self, name: str) -> bytes:
        align = PAGE if name.endswith(".so") else PLAIN
        begins = self._file.tell() + 30 + len(name.encode()) + _LEAST
        return struct.pack("<HHH", _FIELD, 2 + -begins % align, align) + bytes(-begins % align)

    def to_bytes(self) -> bytes:
        """The file."""
        self._zip.close()
        return self._file.getvalue()


def find_unaligned(apk: bytes) -> list[str]:
    """The stored files that do not begin where the system can map them."""
    unaligned = []
    with zipfile.ZipFile(io.BytesIO(apk)) as archive:
        for entry in archive.infolist():
            lengths = struct.unpack_from("<HH", apk, entry.header_offset + 26)
            begins = entry.header_offset + 30 + sum(lengths)
            align = PAGE if entry.filename.endswith(".so") else PLAIN
            if entry.compress_type == zipfile.ZIP_STORED and begins % align:
                unaligned.append(entry.filename)
    return unaligned
