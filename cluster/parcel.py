"""Files as one string of bytes to send between machines: names, sizes and hashes first, then the contents.

    8 bytes, little-endian: the length of what follows, in bytes
    JSON: {"head": data beside the files, "files": [{"path", "size", "sha256"}, ...]}
    the files' bytes, one after another

The receiver trusts nothing in it: no pickle is read, each hash is verified, and no name leads out of a folder.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..bundle.contents.manifest import inside, parse
from ..errors import AzxError

_LENGTH = struct.Struct("<Q")


class BadParcel(AzxError):  # noqa: N818
    """The bytes do not form a complete parcel; the message is a clause."""


@dataclass(frozen=True, eq=False)
class Parcel:
    """An opened parcel: every file has its listed hash."""

    head: Mapping[str, Any]
    files: Mapping[str, memoryview]

    def lay(self, folder: Path) -> None:
        """Write the files into an empty folder; BadParcel for a name that leads out of it."""
        for name, content in self.files.items():
            try:
                path = inside(folder, name)
            except AzxError as error:
                raise BadParcel(f"it holds a file {name!r}, which is outside the folder") from error
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                file.write(content)


def pack(head: Mapping[str, Any], files: Mapping[str, Path]) -> bytes:
    """A parcel of files, by their names in it; equal files give equal bytes."""
    return pack_contents(head, {name: path.read_bytes() for name, path in files.items()})


def pack_contents(head: Mapping[str, Any], files: Mapping[str, bytes]) -> bytes:
    """A parcel of contents, by the names of their files in it."""
    contents = dict(sorted(files.items()))
    listed = [{"path": name, "size": len(content), "sha256": digest(content)} for name, content in contents.items()]
    header = json.dumps({"head": head, "files": listed}, allow_nan=False).encode()
    return b"".join([_LENGTH.pack(len(header)), header, *contents.values()])


def unpack(data: bytes) -> Parcel:
    """Open a parcel; BadParcel if the bytes do not form a complete one."""
    try:
        whole = memoryview(data)
        at = _LENGTH.size + _LENGTH.unpack_from(data)[0]
        header = parse(bytes(whole[_LENGTH.size : at]).decode())
        files: dict[str, memoryview] = {}
        for entry in header["files"]:
            name, content = str(entry["path"]), whole[at : at + int(entry["size"])]
            if digest(content) != entry["sha256"] or name in files:
                raise BadParcel(f"its file {name!r} is damaged")
            files[name] = content
            at += len(content)
        if at != len(whole) or not isinstance(header["head"], dict):
            raise BadParcel("it is not whole")
    except (struct.error, ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadParcel(f"it cannot be read ({type(error).__name__})") from error
    return Parcel(header["head"], files)


def files_in(folder: Path, below: str = "") -> dict[str, Path]:
    """The files of a folder by their names in it, with `below` before each."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {f"{below}{path.relative_to(folder).as_posix()}": path for path in paths}


def digest(content: bytes | memoryview) -> str:
    """The hash that identifies a content at both ends."""
    return hashlib.sha256(content).hexdigest()
