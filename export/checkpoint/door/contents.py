"""Groups and datasets of an HDF5 file; nothing outside the file is opened, and every size is checked before reading."""

from __future__ import annotations

import io
import os
import struct
import zlib
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from math import prod
from typing import Any, BinaryIO

import h5py
import numpy as np
from numpy.typing import NDArray

from ....errors import CheckpointError
from .attributes import UNREADABLE, is_printable
from .limits import FREE_BYTES, GROUPS, NAME_LENGTH, NAMES, Budget

_ELSEWHERE = "lies in another file, which azx does not open: do not use it"
_SHUFFLE, _CHECKSUM, _DEFLATE, _LZF = 2, 3, 1, 32000
_HEAP, _LARGEST_HEAP, _WINDOW = b"GCOL\1\0\0\0", (1 << 24) - 1, 4 << 20
# LZF writes at most 264 bytes for each 3 that it reads.
_LZF_RATIO = 88


def check_heaps(file: BinaryIO, where: str) -> None:
    """Raise CheckpointError if a heap of texts has the damage that makes HDF5 loop for ever.

    HDF5 walks through the objects of a collection by their sizes, and never leaves an object of size zero. (Format:
    "Disk Format: Level 1E, Global Heap" of the HDF5 specification; sizes and addresses have 8 bytes in Keras' files.)
    """
    for start, window in _windows(file):
        at = window.find(_HEAP)
        while at >= 0:
            file.seek(start + at)
            if not _ends(file.read(int.from_bytes(window[at + 8 : at + 16], "little") & _LARGEST_HEAP)):
                raise CheckpointError(f"{where} is damaged (a heap of texts has no end): copy the checkpoint again.")
            at = window.find(_HEAP, at + 1)


def _windows(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """(place, bytes) of a file, window by window, each with the beginning of the next; holes are skipped."""
    at = 0
    while True:
        with suppress(OSError, AttributeError, io.UnsupportedOperation):
            at = os.lseek(file.fileno(), at, os.SEEK_DATA)  # type: ignore[attr-defined, unused-ignore]
        file.seek(at)
        window = file.read(_WINDOW)
        yield at, window
        if len(window) < _WINDOW:
            return
        at += _WINDOW - 16


def _ends(heap: bytes) -> bool:
    """Whether a walk through a collection's objects, each by its size, reaches the end."""
    place = 16
    while place + 16 <= len(heap):
        index, size = struct.unpack_from("<H6xQ", heap, place)
        if index == 0 and size == 0:
            return False
        place += size if index == 0 else 16 + -(-size // 8) * 8
    return True


def child(group: h5py.Group, name: str, where: str) -> h5py.Group | h5py.Dataset:
    """The object at `name` (a path) below `group`; KeyError if it is missing.

    CheckpointError if a link on the way leaves the file, or has a kind that Keras does not write. Even a link within
    the file may pass through a link that leaves it.
    """
    member = group
    for part in name.split("/"):
        if part not in ("", "."):
            member = _member(member, part, name, where)
    if not isinstance(member, (h5py.Group, h5py.Dataset)):
        raise KeyError(name)
    return member


def _member(group: h5py.Group, part: str, name: str, where: str) -> h5py.Group | h5py.Dataset:
    if not isinstance(group, h5py.Group):
        raise KeyError(name)
    try:
        link = group.get(part, getlink=True)
    except UNREADABLE as error:
        raise KeyError(name) from error
    if link is None:
        raise KeyError(name)
    if isinstance(link, h5py.ExternalLink):
        raise CheckpointError(f"{where}: {name!r} {_ELSEWHERE}.")
    if not isinstance(link, h5py.HardLink):
        raise CheckpointError(
            f"{where}: {name!r} lies behind a link, which Keras does not write: save the model again."
        )
    try:
        return group[part]
    except UNREADABLE as error:
        raise OSError(f"{name!a} cannot be opened") from error


def has(group: h5py.Group, name: str, where: str) -> bool:
    """Whether `group` has an object at `name`; CheckpointError as in `child`."""
    try:
        child(group, name, where)
    except KeyError:
        return False
    return True


def group_at(group: h5py.Group, name: str, where: str) -> h5py.Group:
    """The group at `name`; KeyError if it is missing or a dataset."""
    member = child(group, name, where)
    if not isinstance(member, h5py.Group):
        raise KeyError(name)
    return member


def names_in(group: h5py.Group, where: str) -> list[str]:
    """The names in a group, in the file's order; CheckpointError for too many, or for one that is not text."""
    try:
        names = list(group) if len(group) <= NAMES else None
    except UNREADABLE as error:
        raise OSError(f"group {group.name!a} cannot be read") from error
    if names is None:
        raise CheckpointError(
            f"{where}: group {group.name!a} has over {NAMES:,} members: it is not a board-game network."
        )
    odd = next((name for name in names if len(name) > NAME_LENGTH or not is_printable(name)), None)
    if odd is not None:
        raise CheckpointError(f"{where}: {odd[:40]!a} is a name that Keras does not write: save the model again.")
    return names


def datasets_in(root: h5py.Group, where: str) -> Iterator[tuple[str, h5py.Dataset]]:
    """(path below `root`, dataset) of every dataset, each once, in the order in which h5py visits them.

    Links are skipped. CheckpointError for too many objects, or groups nested too deep.
    """
    addresses = {_address(root)}
    waiting = [(name, root, name, 1) for name in reversed(names_in(root, where))]
    while waiting:
        path, holder, name, depth = waiting.pop()
        try:
            if not isinstance(holder.get(name, getlink=True), h5py.HardLink):
                continue
            member = holder[name]
        except UNREADABLE as error:
            raise OSError(f"{path!a} cannot be opened") from error
        if not isinstance(member, (h5py.Group, h5py.Dataset)):
            continue
        if (address := _address(member)) in addresses:
            continue
        addresses.add(address)
        if len(addresses) > NAMES or depth > GROUPS:
            raise CheckpointError(
                f"{where} has over {NAMES:,} objects, or {GROUPS} groups within groups: it is not a board-game network."
            )
        if isinstance(member, h5py.Dataset):
            yield path, member
        else:
            waiting += [(f"{path}/{inner}", member, inner, depth + 1) for inner in reversed(names_in(member, where))]


def _address(member: h5py.Group | h5py.Dataset) -> tuple[int, int]:
    about = h5py.h5o.get_info(member.id)
    return about.fileno, about.addr


def shape_of(dataset: h5py.Group | h5py.Dataset, name: str, where: str) -> tuple[int, ...]:
    """The shape of a dataset; KeyError for any other object, CheckpointError if its values are in another file."""
    if not isinstance(dataset, h5py.Dataset):
        raise KeyError(name)
    try:
        # Even the shape of a virtual dataset may be in another file.
        elsewhere = bool(dataset.is_virtual or dataset.external)
        shape = None if elsewhere else dataset.shape
    except UNREADABLE as error:
        raise OSError(f"{name!a} cannot be read") from error
    if elsewhere:
        raise CheckpointError(f"{where}: {name!r} {_ELSEWHERE}.")
    if shape is None:
        raise CheckpointError(f"{where}: '{name}' has no values: save the model again.")
    return tuple(int(size) for size in shape)


def values(group: h5py.Group, name: str, where: str, budget: Budget, kinds: str = "fiub") -> NDArray[Any]:
    """A weight's values in the file's dtype; KeyError if `name` is missing, OSError if the file is damaged there.

    Raises CheckpointError if the values are outside the file, are not of NumPy's `kinds`, or would exceed the budget.
    HDF5 compresses, and fills in values that were never written, so a small file may claim any size.
    """
    dataset = child(group, name, where)
    shape = shape_of(dataset, name, where)
    try:
        kind, width, chunks = dataset.dtype.kind, dataset.dtype.itemsize, dataset.chunks
    except UNREADABLE:
        kind, width, chunks = "", 1, None
    if not kind or kind not in kinds or h5py.check_dtype(vlen=dataset.dtype) or dataset.dtype.hasobject:
        raise CheckpointError(f"{where}: '{name}' is not numeric: save the model again.")
    size, pieces = prod(shape) * width, 1
    if chunks:
        pieces = prod(-(-side // chunk) for side, chunk in zip(shape, chunks, strict=True))
        size = max(size, prod(chunks) * width)
    budget.spend(size, name, pieces)
    try:
        if chunks and size and dataset.id.get_create_plist().get_nfilters():
            _check_packed(dataset, prod(chunks) * width, name, where)
        return np.asarray(dataset[()])
    except (*UNREADABLE, zlib.error) as error:
        raise OSError(f"'{name}' cannot be read") from error


def _check_packed(dataset: h5py.Dataset, size: int, name: str, where: str) -> None:
    """Raise CheckpointError if a chunk of a compressed dataset would unpack to more than its `size`.

    HDF5 unpacks a chunk before it checks the size: some kilobytes could fill the memory.
    """
    plist = dataset.id.get_create_plist()
    filters = [plist.get_filter(at)[0] for at in range(plist.get_nfilters())]
    packers = [number for number in filters if number not in (_SHUFFLE, _CHECKSUM)]
    if len(packers) > 1 or not set(packers) <= {_DEFLATE, _LZF}:
        raise CheckpointError(
            f"{where}: '{name}' is compressed in another way than with gzip: save the model again without."
        )
    for offset in product(*(range(0, side, chunk) for side, chunk in zip(dataset.shape, dataset.chunks, strict=True))):
        about = dataset.id.get_chunk_info_by_coord(offset)
        if not packers or about.byte_offset is None:
            continue
        fits = about.size <= size + size // 8 + 4096  # data that cannot be compressed grows a little
        if fits and not about.filter_mask >> filters.index(packers[0]) & 1:
            fits = _fits(dataset, offset, packers[0], size)
        if not fits:
            raise CheckpointError(f"{where}: '{name}' unpacks to more than it is: copy the checkpoint again.")


def _fits(dataset: h5py.Dataset, offset: tuple[int, ...], packer: int, size: int) -> bool:
    """Whether the chunk at `offset` unpacks to at most `size` bytes, plus gzip's checksum of four."""
    if packer == _LZF and dataset.id.get_chunk_info_by_coord(offset).size * _LZF_RATIO <= FREE_BYTES:
        return True
    packed = dataset.id.read_direct_chunk(offset)[1]
    if packer == _DEFLATE:
        return len(zlib.decompressobj().decompress(packed, size + 5)) <= size + 4
    return _size_of_lzf(packed, size) <= size


def _size_of_lzf(packed: bytes, most: int) -> int:
    """The number of bytes to which LZF unpacks, or some number over `most`.

    Each instruction copies up to 32 bytes of the input, or up to 264 bytes of the output.
    """
    place, size = 0, 0
    while place < len(packed) and size <= most:
        control = packed[place]
        if control < 32:
            place, size = place + control + 2, size + control + 1
        elif control < 224:
            place, size = place + 2, size + (control >> 5) + 2
        else:
            place, size = place + 3, size + 9 + (packed[place + 1] if place + 1 < len(packed) else 0)
    return size
