"""The named arrays in a file of weights: PyTorch's two formats, pickled NumPy, safetensors, TensorFlow 1's."""

from __future__ import annotations

import io
import json
import re
import struct
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

from ....errors import CheckpointError
from ..door.limits import JSON_BYTES, NAME_LENGTH, NAMES, Budget, bytes_on_disk
from ..hdf5 import BAD_ZIP, open_archive
from ..kinds import TF_CHECKPOINT
from ..layer_graph import Array
from ..stored import numbered_key
from ..tensor_bundle import Bundle
from .pickled import read_pickle
from .pickled_values import BFLOAT16, STORAGES, NotPlain, Storage, Tensor, as_numbers, view

TORCH, PICKLED_ARRAYS, SAFETENSORS, TENSORFLOW_1 = "PyTorch", "pickled NumPy arrays", "safetensors", "TensorFlow 1"
# The start of torch.save's files before it wrote zip archives: a number, in a pickle of its own.
_MAGIC = 0x1950A86A20F9469CFC6C
_MAGIC_BYTES = b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19"
_PICKLE = re.compile(rb"\x80[\x02-\x05]|\((dp?|lp?)\d*\n|\]q|c(numpy|collections|__builtin__)[\w.]*\n")
# Names under which training stores the weights beside its other state, the likeliest first.
_HOLDERS = ("state_dict", "model_state_dict", "model", "net", "network", "weights", "params", "model_state")
_SAFE_DTYPES = {
    **{"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": BFLOAT16},
    **{"I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1", "U8": "u1", "BOOL": "?"},
}
_CHECKPOINT = re.compile(r"(.+)\.(index|meta|data-\d{5}-of-\d{5})")


@dataclass(frozen=True, eq=False)
class Arrays:
    """The content of a file of weights: arrays by name in the file's order (a list's by index), and the framework."""

    framework: str
    values: Mapping[str, Array]


def arrays_reader(path: Path, head: bytes) -> Callable[[], Arrays] | None:
    """The function that reads the arrays of a file that begins with `head`; None for other files.

    It raises CheckpointError if the file is damaged, or holds anything except arrays, dicts, lists and numbers.
    """
    if head.startswith(b"PK") and (names := _names_in(path)) and any(name.endswith("data.pkl") for name in names):
        return lambda: _torch_zip(path, names)
    if head.startswith(_MAGIC_BYTES[: len(head)]) and _starts_with(path, _MAGIC_BYTES):
        return lambda: _torch_stream(path)
    if head[8:10] == b'{"' and 2 < int.from_bytes(head[:8], "little") <= JSON_BYTES:
        return lambda: _safetensors(path)
    if (prefix := checkpoint_prefix(path)) is not None:
        return lambda: _tensorflow(prefix)
    return (lambda: _pickled(path)) if _PICKLE.match(head) else None


def checkpoint_prefix(path: Path) -> Path | None:
    """The common beginning of the names of a TensorFlow checkpoint's files, from one of them; None for other files."""
    match = _CHECKPOINT.fullmatch(path.name)
    prefix = path.with_name(match[1]) if match else None
    return prefix if prefix is not None and prefix.with_name(f"{prefix.name}.index").is_file() else None


def _starts_with(path: Path, start: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(start)) == start


def _names_in(path: Path) -> list[str]:
    """The names of the files in a zip archive; empty if it is damaged, which its own reader reports."""
    try:
        with open_archive(path) as archive:
            return archive.namelist()
    except (CheckpointError, *BAD_ZIP):
        return []


def _refusal(path: Path, what: str, reason: object) -> CheckpointError:
    """The error about a file that holds other data than arrays."""
    return CheckpointError(
        f"'{path}' is {what} that azx does not read ({reason}): save the weights alone, for PyTorch with "
        "torch.save(model.state_dict(), FILE), or give the network as ONNX (docs/other-frameworks.md)."
    )


def _torch_zip(path: Path, names: list[str]) -> Arrays:
    """The arrays of torch.save since 1.6: data.pkl, and a file per storage."""
    folder = next(name for name in names if name.endswith("data.pkl"))[: -len("data.pkl")]
    if any(name.startswith(f"{folder}code/") for name in names):
        raise CheckpointError(
            f"'{path}' is a PyTorch file with a TorchScript program, and not weights alone: export the network "
            "as ONNX with torch.onnx.export(model, board, 'net.onnx'), and give that (docs/other-frameworks.md)."
        )
    budget = Budget(bytes_on_disk(path), f"'{path}'")
    with open_archive(path) as archive:

        def member(name: str, size: int | None = None) -> bytes:
            info = archive.getinfo(f"{folder}{name}")
            if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise NotPlain(f"'{name}' in it is not packed with zip")
            if size is not None and info.file_size != size:
                raise NotPlain(f"'{name}' in it is cut off")
            budget.spend(info.file_size, name)
            return archive.read(info)

        try:
            if f"{folder}byteorder" in names and member("byteorder") != b"little":
                raise NotPlain("its numbers have their highest byte first")
            contents = read_pickle(io.BytesIO(member("data.pkl")), _storage)
            held: dict[str, Array] = {}

            def numbers(storage: Storage) -> Array:
                if storage.key not in held:
                    width = np.dtype("<u2" if storage.dtype == BFLOAT16 else storage.dtype).itemsize
                    held[storage.key] = as_numbers(member(f"data/{storage.key}", storage.count * width), storage.dtype)
                return held[storage.key]

            return Arrays(TORCH, _state_dict(contents, numbers, budget))
        except NotPlain as error:
            raise _refusal(path, "a PyTorch file", error) from error
        except (KeyError, *BAD_ZIP) as error:
            raise CheckpointError(f"'{path}' is damaged ({error}): copy the file again.") from error


def _torch_stream(path: Path) -> Arrays:
    """The arrays of torch.save before 1.6: five pickles in a row, then each storage's count and numbers."""
    budget = Budget(bytes_on_disk(path), f"'{path}'")
    with path.open("rb") as file:
        try:
            if read_pickle(file) != _MAGIC:
                raise NotPlain("it does not begin as PyTorch writes it")
            read_pickle(file)  # the version of the format
            read_pickle(file)  # the order of bytes: little-endian on every machine of today
            contents = read_pickle(file, _storage)
            keys = read_pickle(file)
            counts = _storages_in(contents)
            held = {}
            for key in keys:
                count, dtype = counts[key].count, counts[key].dtype
                width = np.dtype("<u2" if dtype == BFLOAT16 else dtype).itemsize
                budget.spend(count * width, str(key))
                if int.from_bytes(file.read(8), "little") != count or len(data := file.read(count * width)) < count:
                    raise NotPlain("it is cut off")
                held[key] = as_numbers(data, dtype)
            return Arrays(TORCH, _state_dict(contents, lambda storage: held[storage.key], budget))
        except NotPlain as error:
            raise _refusal(path, "a PyTorch file", error) from error
        except (LookupError, TypeError, ValueError) as error:
            raise CheckpointError(f"'{path}' is damaged ({error}): copy the file again.") from error


def _storage(reference: Any) -> Storage:
    """The storage to which PyTorch refers: ("storage", its class, key, device, count)."""
    kind = getattr(reference[1], "full", "").removeprefix("torch.")
    if reference[0] != "storage" or kind not in STORAGES or not isinstance(reference[4], int) or reference[4] < 0:
        raise NotPlain("it refers to an object that is not a storage of numbers")
    return Storage(str(reference[2]), STORAGES[kind], reference[4])


def _storages_in(contents: Any) -> dict[str, Storage]:
    """Every storage that a tensor in the dicts of a file uses."""
    waiting, storages = [contents], {}
    for value in waiting:
        if isinstance(value, Tensor):
            storages[value.storage.key] = value.storage
        elif isinstance(value, dict | list):
            waiting += list(value.values()) if isinstance(value, dict) else value
        if len(waiting) > NAMES:
            raise NotPlain(f"it holds over {NAMES:,} values")
    return storages


def _state_dict(contents: Any, numbers: Callable[[Storage], Array], budget: Budget) -> dict[str, Array]:
    """The weights in training's saved state: the file itself, or the one dict of tensors in it."""
    tensors = _tensors_of(contents)
    if isinstance(contents, dict) and not tensors:
        inner = {str(key): part for key, value in contents.items() if (part := _tensors_of(value))}
        chosen = next((name for name in _HOLDERS if name in inner), next(iter(inner)) if len(inner) == 1 else None)
        if len(inner) > 1 and chosen is None:
            raise NotPlain(f"it holds several networks ({', '.join(list(inner)[:4])})")
        tensors = inner[chosen] if chosen else {}
    if not tensors:
        raise NotPlain("it holds no dict of tensors")
    values = {}
    for name, tensor in tensors.items():
        if isinstance(tensor, Tensor):
            array = view(tensor, numbers(tensor.storage))
            budget.spend(array.nbytes, name)
        else:
            array = tensor
        values[name.removeprefix("module.")] = array
    return values


def _tensors_of(value: Any) -> dict[str, Any]:
    """The tensors of a dict; empty for any other value."""
    if not isinstance(value, dict):
        return {}
    return {
        key[:NAME_LENGTH]: item
        for key, item in value.items()
        if isinstance(key, str) and isinstance(item, Tensor | np.ndarray)
    }


def _pickled(path: Path) -> Arrays:
    """The arrays of a pickled list or dict of NumPy arrays."""
    with path.open("rb") as file:
        try:
            contents = read_pickle(file)
            if isinstance(contents, dict):
                values = {key: value for key, value in _tensors_of(contents).items() if isinstance(value, np.ndarray)}
            else:
                listed = contents if isinstance(contents, list) else []
                values = {str(at): value for at, value in enumerate(listed) if isinstance(value, np.ndarray)}
                if len(values) != len(listed):
                    values = {}
            if not values:
                raise NotPlain("it holds no list of arrays")
            return Arrays(PICKLED_ARRAYS, values)
        except NotPlain as error:
            raise _refusal(path, "a Python pickle", error) from error


def _safetensors(path: Path) -> Arrays:
    """The arrays of a safetensors file: a length, a JSON object of names, types, shapes and places, the numbers."""
    budget = Budget(bytes_on_disk(path), f"'{path}'")
    with path.open("rb") as file:
        try:
            (length,) = struct.unpack("<Q", file.read(8))
            listed = json.loads(file.read(length))
            values = {}
            for name, entry in listed.items():
                if name != "__metadata__":
                    begin, end = entry["data_offsets"]
                    budget.spend(end - begin, name)
                    file.seek(8 + length + begin)
                    numbers = as_numbers(_exactly(file, end - begin), _SAFE_DTYPES[entry["dtype"]])
                    values[name[:NAME_LENGTH]] = numbers.reshape([int(size) for size in entry["shape"]])
            return Arrays(SAFETENSORS, values)
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError, OSError) as error:
            raise CheckpointError(f"'{path}' is a safetensors file that is damaged: copy it again.") from error


def _exactly(file: IO[bytes], size: int) -> bytes:
    data = file.read(size) if size >= 0 else b""
    if len(data) != size:
        raise ValueError("cut off")
    return data


def _tensorflow(prefix: Path) -> Arrays:
    """The variables of a TensorFlow 1 checkpoint, without the optimizer's, in the order of their numbers."""
    try:
        bundle = Bundle(prefix, f"'{prefix}'")
    except CheckpointError as error:
        raise CheckpointError(
            f"'{prefix}' is {TF_CHECKPOINT.split(' and ')[0]} that is damaged: copy it again."
        ) from error
    names = [name for name in bundle.keys if name.rpartition("/")[2] in _VARIABLES or _of_tensorlayer(name) != name]
    if not names:  # written by TensorFlow 2, which names objects, not variables
        raise CheckpointError(f"'{prefix}' is {TF_CHECKPOINT}.")
    return Arrays(TENSORFLOW_1, {_of_tensorlayer(name): bundle.value(name) for name in sorted(names, key=numbered_key)})


_VARIABLES = frozenset({"kernel", "bias", "gamma", "beta", "moving_mean", "moving_variance"})


# TensorLayer's names for the weights of its convolutions and dense layers.
_TENSORLAYERS = {"W_conv2d": "kernel", "b_conv2d": "bias", "W": "kernel", "b": "bias"}


def _of_tensorlayer(name: str) -> str:
    """A variable's name in the form of tf.layers: model/conv2d_1/W_conv2d ends with kernel."""
    layer, _, weight = name.rpartition("/")
    return f"{layer}/{_TENSORLAYERS[weight]}" if layer and weight in _TENSORLAYERS else name
