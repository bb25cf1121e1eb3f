"""Files as torch.save and pickle write them, made without PyTorch, opcode by opcode."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
STORAGES = {"<f4": "FloatStorage", "<f8": "DoubleStorage", "<i8": "LongStorage", "<f2": "HalfStorage"}


def text(value: str) -> bytes:
    """A text (BINUNICODE)."""
    data = value.encode()
    return b"X" + struct.pack("<I", len(data)) + data


def number(value: int) -> bytes:
    """A whole number (BININT)."""
    return b"J" + struct.pack("<i", value)


def numbers(values: tuple[int, ...]) -> bytes:
    """A tuple of them."""
    return b"(" + b"".join(map(number, values)) + b"t"


def tensor(key: str, array: Array, device: str = "cuda:0") -> bytes:
    """A call of _rebuild_tensor_v2 on a storage that lies elsewhere."""
    strides = tuple(step // array.itemsize for step in array.strides)
    kind = STORAGES[array.dtype.str].encode()
    storage = (
        b"(" + text("storage") + b"ctorch\n" + kind + b"\n" + text(key) + text(device) + number(array.size) + b"tQ"
    )
    rest = number(0) + numbers(array.shape) + numbers(strides) + b"\x89" + b"ccollections\nOrderedDict\n)R"
    return b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage + rest + b"tR"


def state_dict(arrays: Mapping[str, Array]) -> bytes:
    """The opcodes of an OrderedDict of tensors."""
    items = b"".join(text(name) + tensor(str(at), array) for at, (name, array) in enumerate(arrays.items()))
    return b"ccollections\nOrderedDict\n)R(" + items + b"u"


def torch_zip(arrays: Mapping[str, Array], pickled: bytes | None = None) -> bytes:
    """torch.save({"state_dict": ...}) since 1.6; `pickled` are other opcodes than those of the arrays."""
    data = io.BytesIO()
    opcodes = b"}" + text("state_dict") + state_dict(arrays) + b"s" if pickled is None else pickled
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("archive/data.pkl", b"\x80\x02" + opcodes + b".")
        archive.writestr("archive/byteorder", "little")
        for at, array in enumerate(arrays.values()):
            archive.writestr(f"archive/data/{at}", np.ascontiguousarray(array).tobytes())
    return data.getvalue()


def torch_stream(arrays: Mapping[str, Array]) -> bytes:
    """torch.save(state_dict) before 1.6."""
    magic = b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."
    keys = b"\x80\x02](" + b"".join(text(str(at)) for at in range(len(arrays))) + b"e."
    head = magic + b"\x80\x02" + number(1001) + b".\x80\x02}." + b"\x80\x02" + state_dict(arrays) + b"." + keys
    return head + b"".join(struct.pack("<q", array.size) + array.tobytes() for array in arrays.values())
