"""Reads the arrays of an .npz file: plain numbers, whose sizes are checked before unpacking; nothing is unpickled.

A file of some kilobytes can unpack to any size, and claim an array of any size (`numpy.lib.format` describes both).
"""

from __future__ import annotations

import io
import zipfile
import zlib
from math import prod
from pathlib import Path
from typing import Any

from numpy.lib import format as npy
from numpy.typing import NDArray

from ..errors import GameError
from ..export.checkpoint.kinds import has_long_list
from ..system.plain_file import open_plain, size_text

# 20,000 positions of Go's 17 planes take half of this; their proof takes a minute per thousand.
FILE_BYTES = ARRAY_BYTES = 1 << 30
# The most arrays: one per input, and `legal`.
ARRAYS = 200
# The most bytes of an array's header, which NumPy evaluates as Python literals.
_HEADER_BYTES = 10_000
_WRITE = "write it with numpy.savez(file, **inputs)"
_UNREADABLE = (
    ValueError,
    EOFError,
    KeyError,
    NotImplementedError,
    RuntimeError,
    RecursionError,
    MemoryError,
    TypeError,
    zipfile.BadZipFile,
    zlib.error,
)


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of an .npz by name.

    GameError if it is not an .npz, or exceeds `FILE_BYTES` or, unpacked, `ARRAY_BYTES`.
    """
    try:
        with open_plain(path, FILE_BYTES) as file:
            if has_long_list(file):
                raise GameError(f"{path}: it holds far more than {ARRAYS} arrays, give one for each input.")
            with zipfile.ZipFile(file) as archive:
                return _read_members(path, archive)
    except FileNotFoundError as error:
        raise GameError(f"{path}: the file does not exist, give an .npz of positions.") from error
    except OSError as error:
        raise GameError(f"{path}: cannot be read ({error.strerror or error}), give an .npz of positions.") from error
    except _UNREADABLE as error:
        raise GameError(f"{path}: not an .npz of plain numbers, {_WRITE}.") from error


def _read_members(path: Path, archive: zipfile.ZipFile) -> dict[str, NDArray[Any]]:
    members = archive.infolist()
    if len(members) > ARRAYS:
        raise GameError(f"{path}: it holds {len(members):,} arrays, give one for each input.")
    claimed = 0
    for member in members:
        claimed += _claimed_bytes(archive, member)
        if claimed > ARRAY_BYTES:
            raise GameError(
                f"{path}: with '{_name(member)}' its arrays are of {size_text(claimed)}, and azx reads up to "
                f"{size_text(ARRAY_BYTES)}: give fewer positions."
            )
    return {_name(member): _read_array(archive, member) for member in members}


def _claimed_bytes(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> int:
    """The bytes that an array takes in memory by its header; ValueError if it has no header, or holds objects.

    ValueError also if it claims more than the archive holds of it.
    """
    with archive.open(member) as packed:
        start = io.BytesIO(packed.read(_HEADER_BYTES))
    read = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}[npy.read_magic(start)]
    shape, _, dtype = read(start)
    if dtype.hasobject or any(side < 0 for side in shape):
        raise ValueError("objects, or no shape")
    size = prod(shape) * dtype.itemsize
    if size + start.tell() > member.file_size:
        raise ValueError("an array that is cut off")
    return size


def _read_array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> NDArray[Any]:
    with archive.open(member) as packed:
        array: NDArray[Any] = npy.read_array(packed, allow_pickle=False)
    return array


def _name(member: zipfile.ZipInfo) -> str:
    return member.filename.removesuffix(".npy")
