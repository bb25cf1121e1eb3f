"""APK Signature Scheme v2 and v3: the signatures that the system checks before it installs or updates an app.

The signatures lie in a block between an APK's entries and its central directory. They cover all other bytes.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .keys import Key

V2, V3 = 0x7109871A, 0xF05368C0
MAGIC = b"APK Sig Block 42"
PIECE = 1 << 20
# An old system that knows v2 alone must not take an APK whose v3 signature was stripped.
_STRIPPED, _IS_V3 = 0xBEEFF00D, 3
_END = struct.Struct("<4s4H2IH")
_END_MARK = b"PK\x05\x06"
_LATEST = 0x7FFFFFFF


@dataclass(frozen=True)
class Parts:
    """An APK that is not signed yet: its entries, its central directory, and the end that says where that begins."""

    entries: bytes
    directory: bytes
    end: bytes

    @classmethod
    def of(cls, apk: bytes) -> Parts:
        """The parts of a .zip without a comment; ValueError if it is none."""
        at = len(apk) - _END.size
        mark, *_, size, start, comment = _END.unpack_from(apk, at)
        if mark != _END_MARK or comment or start + size != at:
            raise ValueError("it is no .zip that azx wrote")
        return cls(apk[:start], apk[start:at], apk[at:])

    def end_for(self, start: int) -> bytes:
        """The end, for a central directory that begins at `start`."""
        return self.end[:16] + struct.pack("<I", start) + self.end[20:]


def sign(apk: bytes, key: Key, least_sdk: int) -> bytes:
    """The APK, signed by schemes v2 and v3 with one key, for systems from API `least_sdk` on.

    The same APK and key give the same bytes, if the key's algorithm gives equal signatures.
    """
    parts = Parts.of(apk)
    digests = _listed([_with_length(struct.pack("<I", key.algorithm) + _with_length(_digest(parts)))])
    certificates = _listed([_with_length(key.certificate)])
    stripped = _listed([_with_length(struct.pack("<II", _STRIPPED, _IS_V3))])
    v2 = digests + certificates + stripped
    sdks = struct.pack("<II", least_sdk, _LATEST)
    v3 = digests + certificates + sdks + _listed([])
    block = _block({V2: _signer(v2, key, b""), V3: _signer(v3, key, sdks)})
    start = len(parts.entries) + len(block)
    return parts.entries + block + parts.directory + parts.end_for(start)


def _digest(parts: Parts) -> bytes:
    """SHA-256 of the SHA-256 of each megabyte; the end counts as if the block were not there."""
    pieces = [
        hashlib.sha256(b"\xa5" + _with_length(piece)).digest()
        for part in (parts.entries, parts.directory, parts.end_for(len(parts.entries)))
        for piece in _pieces(part)
    ]
    return hashlib.sha256(b"\x5a" + struct.pack("<I", len(pieces)) + b"".join(pieces)).digest()


def _pieces(part: bytes) -> Iterator[bytes]:
    return (part[at : at + PIECE] for at in range(0, len(part), PIECE))


def _signer(signed: bytes, key: Key, sdks: bytes) -> bytes:
    """A list of one signer: the signed data, the versions of Android that it is for, the signature, the public key."""
    signature = _with_length(struct.pack("<I", key.algorithm) + _with_length(key.sign(signed)))
    signer = _with_length(signed) + sdks + _listed([signature]) + _with_length(key.public)
    return _listed([_with_length(signer)])


def _block(values: dict[int, bytes]) -> bytes:
    pairs = b"".join(struct.pack("<QI", len(value) + 4, number) + value for number, value in values.items())
    size = struct.pack("<Q", len(pairs) + 24)
    return size + pairs + size + MAGIC


def _with_length(data: bytes) -> bytes:
    return struct.pack("<I", len(data)) + data


def _listed(items: Iterable[bytes]) -> bytes:
    return _with_length(b"".join(items))
