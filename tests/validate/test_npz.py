"""An .npz of somebody's: bounded before anything of it is unpacked, whatever it claims."""

from __future__ import annotations

import io
import os
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azx.errors import GameError
from azx.validate import npz
from azx.validate.npz import read_arrays

Writer = Callable[[zipfile.ZipFile], None]


def header(shape: str, dtype: str = "<f4") -> bytes:
    about = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + len(about).to_bytes(2, "little") + about


def zeros(archive: zipfile.ZipFile, name: str, size: int, start: bytes) -> None:
    """A member that packs a thousand bytes into one."""
    with archive.open(name, "w", force_zip64=True) as member:
        member.write(start)
        for _ in range(size >> 20):
            member.write(bytes(1 << 20))


def a_bomb(archive: zipfile.ZipFile) -> None:
    zeros(archive, "a.npy", 1200 << 20, header(f"({1200 << 18},)"))


def two_halves_of_a_bomb(archive: zipfile.ZipFile) -> None:
    for name in ("a.npy", "b.npy"):
        zeros(archive, name, 600 << 20, header(f"({600 << 18},)"))


def a_long_header(archive: zipfile.ZipFile) -> None:
    zeros(archive, "a.npy", 1200 << 20, b"\x93NUMPY\x02\x00" + (1200 << 20).to_bytes(4, "little"))


def an_enormous_claim(archive: zipfile.ZipFile) -> None:
    archive.writestr("a.npy", header(f"({1 << 60},)") + bytes(4))


def a_claim_beyond_64_bits(archive: zipfile.ZipFile) -> None:
    archive.writestr("a.npy", header("(4294967296, 4294967296)") + bytes(4))


def a_negative_shape(archive: zipfile.ZipFile) -> None:
    archive.writestr("a.npy", header("(-4,)"))


def nested_literals(archive: zipfile.ZipFile) -> None:
    archive.writestr("a.npy", header(f"({'-' * 9000}1,)"))


def a_pickle(archive: zipfile.ZipFile) -> None:
    written = io.BytesIO()
    np.save(written, np.array([os.getcwd], dtype=object), allow_pickle=True)
    archive.writestr("a.npy", written.getvalue())


def no_array(archive: zipfile.ZipFile) -> None:
    archive.writestr("a.npy", b"hello")


def many_arrays(archive: zipfile.ZipFile) -> None:
    for number in range(npz.ARRAYS + 1):
        archive.writestr(f"{number}.npy", header("(1,)") + bytes(4))


def a_list_longer_than_any(archive: zipfile.ZipFile) -> None:
    for number in range(70):
        archive.writestr(f"{number:_>60000}.npy", b"")


@pytest.mark.parametrize(
    ("write", "told"),
    [
        (a_bomb, "with 'a' its arrays are of 1.2 GiB, and azx reads up to 1 GiB: give fewer positions."),
        (two_halves_of_a_bomb, "with 'b' its arrays are of 1.2 GiB, and azx reads up to 1 GiB: give fewer positions."),
        (a_long_header, "not an .npz of plain numbers"),
        (an_enormous_claim, "not an .npz of plain numbers"),
        (a_claim_beyond_64_bits, "not an .npz of plain numbers"),
        (a_negative_shape, "not an .npz of plain numbers"),
        (nested_literals, "not an .npz of plain numbers"),
        (a_pickle, "not an .npz of plain numbers"),
        (no_array, "not an .npz of plain numbers"),
        (many_arrays, "it holds 201 arrays"),
        (a_list_longer_than_any, "it holds far more than 200 arrays"),
    ],
)
def test_what_a_file_claims_is_refused_before_it_takes_memory(tmp_path: Path, write: Writer, told: str) -> None:
    path = tmp_path / "a.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        write(archive)
    tracemalloc.start()
    try:
        with pytest.raises(GameError, match=told):
            read_arrays(path)
        assert tracemalloc.get_traced_memory()[1] < 200 << 20
    finally:
        tracemalloc.stop()


def test_a_file_that_is_too_long_is_refused_by_its_size(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    path.touch()
    os.truncate(path, 3 << 30)
    with pytest.raises(GameError, match="it is of 3 GiB, and azx reads up to 1 GiB of such a file"):
        read_arrays(path)


def test_arrays_of_any_order_and_kind_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    arrays: dict[str, Any] = {"a": np.asfortranarray(np.arange(6.0).reshape(2, 3)), "b": np.zeros((0, 2), "?")}
    for save in (np.savez, np.savez_compressed):
        save(path, **arrays)
        found = read_arrays(path)
        assert found.keys() == arrays.keys()
        assert all(np.array_equal(found[name], arrays[name]) for name in arrays)
