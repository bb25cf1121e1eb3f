"""Identifies a file or folder that is not a Keras checkpoint by its content; nothing in it is run or unpickled."""

from __future__ import annotations

import json
import re
import struct
import zipfile
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from ...errors import CheckpointError
from ...system.plain_file import size_text
from .door.limits import DIRECTORY_BYTES, JSON_BYTES
from .engines import engine_kind
from .packed import packer_of, tar_names, unpacked_head
from .protobuf import Fields, top_fields

_GIVE = "give the .h5 or .keras file that Keras saved"
_REBUILD = "export the network as ONNX where it was trained (docs/other-frameworks.md)"
_OTHERWISE = f"{_GIVE}; if there is none, {_REBUILD}"
_GIVE_SOURCE = f"give the Keras .h5 or .keras file from which it was made; if there is none, {_REBUILD}"
_FROM_TENSORFLOW = (
    "build its Keras model in Python, call model.load_weights on it, and give what model.save('net.h5') writes "
    "(docs/other-frameworks.md)"
)
_UNPACK = "unpack it, and give the .h5 or .keras file in it"
_UNPACK_UNSEEN = "unpack it, and give the .h5 or .keras file, if one is in it"
_KERAS_FILES = (".h5", ".hdf5", ".keras")
# How files from Keras begin: HDF5, and the zip archive .keras.
_KERAS_STARTS = (b"\x89HDF\r\n\x1a\n", b"PK\3\4")

_ONNX = f"an ONNX model and not a Keras checkpoint: {_GIVE_SOURCE}"
_TFLITE = f"a TFLite model and not a Keras checkpoint: {_GIVE_SOURCE}"
_COREML = f"a Core ML model and not a Keras checkpoint: {_GIVE_SOURCE}"
_TFJS = f"a TF.js model and not a Keras checkpoint: {_GIVE_SOURCE}"
_FROZEN = f"a frozen TensorFlow graph (.pb) and not a Keras checkpoint: {_GIVE_SOURCE}"
_SAVED_MODEL = (
    "a TensorFlow SavedModel without Keras' description of its layers, and its graph is not run: "
    "give the .h5 or .keras file of the network, or the folder with keras_metadata.pb that tf.keras saved; "
    "or freeze it, or export it as ONNX (docs/other-frameworks.md)"
)
TF_CHECKPOINT = f"a TensorFlow checkpoint (.index, .data) and not a Keras file: {_FROM_TENSORFLOW}"
_TORCH = f"a PyTorch file and not a Keras checkpoint: {_OTHERWISE}"
_PICKLE = f"a Python pickle, which can run code and is never opened: {_OTHERWISE}"
_NUMPY = (
    "a file of NumPy arrays and not a Keras checkpoint: if they are weights, put them into the Keras model and save "
    "that as .h5 (docs/other-frameworks.md)"
)
_ORBAX = (
    "an Orbax checkpoint (JAX) and not a Keras file: restore it in Python, and export the network as ONNX "
    "(docs/other-frameworks.md)"
)
_ARCHITECTURE = "an architecture without weights: give the .h5 file with its weights, and this one with --config"

_AT_START = {
    b"\x93NUMPY": _NUMPY,
    # The number at the start of torch.save's files before it wrote zip archives.
    b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19": _TORCH,
    b"7z\xbc\xaf": f"a 7-Zip archive: {_UNPACK_UNSEEN}",
    b"Rar!": f"a RAR archive: {_UNPACK_UNSEEN}",
    b"GGUF": f"a GGUF file and not a Keras checkpoint: {_OTHERWISE}",
    b"model_checkpoint_path:": TF_CHECKPOINT,
}
_PICKLED = re.compile(rb"\x80[\x02-\x05]|\(dp?\d*\n|\(lp?\d*\n|c(copy_reg|numpy|__builtin__|collections|torch)[\w.]*\n")
_WEB_PAGE = re.compile(rb"\s*(<\?xml[^>]*>\s*)?<(!doctype html|html)", re.IGNORECASE)
_XML, _OPENVINO = re.compile(rb"\s*<\?xml"), re.compile(rb"\s*<\?xml[^>]*>\s*<net\s")
# The last eight bytes of LevelDB's table format, in which TensorFlow writes a checkpoint's index.
_TABLE_END = bytes.fromhex("57fb808b247547db")


# The files that Orbax writes beside its arrays, in the folder of a checkpoint or of one of its items.
_OF_ORBAX = ("_CHECKPOINT_METADATA", "_METADATA", "manifest.ocdbt")
_LOOKED_AT = 200

# A zip archive ends with 22 bytes about its list of files, and a remark of up to 64 KiB. A Zip64 archive, which PyTorch
# always writes, has a longer record before it, and a locator between the two. (APPNOTE.TXT, 4.3.14 to 16.)
_ZIP_END, _ZIP_LIST = 22 + (1 << 16), b"PK\5\6"
_IN_RECORD = 0xFFFFFFFF  # in the short record: the longer one has the size
_LOCATOR, _RECORD = struct.Struct("<4sIQI"), struct.Struct("<4sQHHIIQQQQ")


def file_kind(path: Path) -> str | None:
    """The file's kind and what to do, as a clause after "is"; None if unknown."""
    with path.open("rb") as file:
        head = file.read(512)
        file.seek(max(0, path.stat().st_size - 8))
        tail = file.read(8)
    if packer := packer_of(head):
        return _packed_kind(packer, unpacked_head(path))
    if head.startswith(b"PK"):
        return _zip_kind(path)
    if tail == _TABLE_END or _is_data_of_checkpoint(path):
        return TF_CHECKPOINT
    if _is_tar(head):
        return _tar_kind(path)
    return _kind_at_start(head) or _text_kind(path, head) or _protobuf_kind(top_fields(path))


def _kind_at_start(head: bytes) -> str | None:
    """The kind of a file, if its first bytes alone show it."""
    if known := next((what for start, what in _AT_START.items() if head.startswith(start)), None):
        return known
    if head[4:8] == b"TFL3":
        return _TFLITE
    if _PICKLED.match(head):
        return _PICKLE
    if _WEB_PAGE.match(head):
        return "a web page and not the file itself: download the raw file"
    if _OPENVINO.match(head):
        return f"an OpenVINO model and not a Keras checkpoint: {_GIVE_SOURCE}"
    if _XML.match(head):
        return f"an XML file and not a Keras checkpoint: {_GIVE}"
    return _safetensors(head) or engine_kind(head)


def _packed_kind(packer: str, inner: bytes) -> str:
    """The kind of a compressed file whose content begins with `inner`, which is empty if it cannot be unpacked."""
    if _is_tar(inner):
        return f"a tar archive, compressed with {packer}: {_UNPACK_UNSEEN}"
    if not inner or inner.startswith(_KERAS_STARTS):
        return f"compressed with {packer}: {_UNPACK if inner else _UNPACK_UNSEEN}"
    known = _kind_at_start(inner)
    return f"compressed with {packer}, and {known or f'no .h5 or .keras file: {_GIVE}'}"


def _is_tar(head: bytes) -> bool:
    return head[257:262] == b"ustar"


def _tar_kind(path: Path) -> str:
    if any(name.endswith(_KERAS_FILES) for name in tar_names(path)):
        return f"a tar archive with a .h5 or .keras file in it: {_UNPACK}"
    return f"a tar archive without a .h5 or .keras file in it: {_GIVE}"


def folder_kind(path: Path) -> str | None:
    """The folder's kind and what to do, as a clause after "is"; None if unknown."""
    if (path / "saved_model.pb").is_file() or (path / "saved_model.pbtxt").is_file():
        return _SAVED_MODEL
    if (path / "Manifest.json").is_file() and (path / "Data").is_dir():
        return _COREML
    if (path / "model.json").is_file() and _json_kind(path / "model.json") == _TFJS:
        return _TFJS
    if any((folder / name).is_file() for folder in (path, *_folders_in(path)) for name in _OF_ORBAX):
        return _ORBAX
    if (path / "checkpoint").is_file() or any(path.glob("*.index")):
        return TF_CHECKPOINT
    if (path / "manifest.json").is_file() and (path / "parity.json").is_file():
        return "a bundle that azx wrote: give the checkpoint from which it was made"
    if (path / "data.pkl").is_file():
        return _TORCH
    return None


def _folders_in(path: Path) -> list[Path]:
    """The folders one and two levels below `path`, but only a limited number."""
    return [item for pattern in ("*", "*/*") for item in islice(path.glob(pattern), _LOOKED_AT) if item.is_dir()]


def zip_member_kind(names: Iterable[str]) -> str | None:
    """The kind of a zip archive that contains files with these names."""
    names = list(names)
    last = {name.rsplit("/", 1)[-1] for name in names}
    if any(name.endswith("data.pkl") for name in names):
        return _TORCH
    if names and all(name.endswith(".npy") for name in names):
        return _NUMPY
    if "saved_model.pb" in last:
        return "a zip archive with a SavedModel in it: unpack it, and give the folder"
    if any(".mlpackage/" in name for name in names) or "coremldata.bin" in last:
        return _COREML
    networks = sorted(name for name in last if name.endswith(_KERAS_FILES))
    if networks and "config.json" not in last:
        return f"a zip archive with '{networks[0]}' in it: {_UNPACK}"
    if "model.json" in last and any(name.endswith(".bin") for name in last):
        return _TFJS
    # A .keras archive without one of its files is damaged.
    of_keras = last & {"config.json", "metadata.json", "model.weights.h5"}
    return None if of_keras else f"a zip archive without a .h5 or .keras file in it: {_GIVE}"


def check_archive(path: Path) -> None:
    """Raise CheckpointError if a zip archive lists more files than any checkpoint: each costs a kilobyte."""
    held = path.stat().st_size
    with path.open("rb") as file:
        sizes = _list_sizes(file)
    if any(size > held for size in sizes):
        raise CheckpointError(f"'{path}' is a zip archive that is truncated or damaged: copy the checkpoint again.")
    if any(size > DIRECTORY_BYTES for size in sizes):
        raise CheckpointError(
            f"'{path}' is a zip archive whose list of files is of over {size_text(DIRECTORY_BYTES)}: give the .h5 or "
            ".keras file that Keras saved."
        )


def has_long_list(file: BinaryIO) -> bool:
    """Whether the list of files in a zip archive exceeds `DIRECTORY_BYTES`; the list itself is not read."""
    return any(size > DIRECTORY_BYTES for size in _list_sizes(file))


def _list_sizes(file: BinaryIO) -> list[int]:
    """The size of a zip archive's list of files, from each record that a reader may use; empty if there is none."""
    held = file.seek(0, 2)
    file.seek(max(0, held - _ZIP_END))
    end = file.read()
    at = len(end) - 22 if end[-22:-18] == _ZIP_LIST and end[-2:] == b"\0\0" else end.rfind(_ZIP_LIST)
    if at < 0:
        return []
    size = int.from_bytes(end[at + 12 : at + 16], "little")
    sizes = _zip64_sizes(file, held - len(end) + at)
    # The short record has a mark if the long record has the figure.
    return sizes if sizes and size == _IN_RECORD else [*sizes, size]


def _zip64_sizes(file: BinaryIO, end: int) -> list[int]:
    """The size of the list of files from each Zip64 record that a reader may find; the short record begins at `end`.

    Some readers follow the locator, others look right before it. So both places are read.
    """
    place = end - _LOCATOR.size
    if place < _RECORD.size:
        return []
    file.seek(place)
    signature, _, pointed, _ = _LOCATOR.unpack(file.read(_LOCATOR.size))
    if signature != b"PK\6\7":
        return []
    sizes = []
    for start in {min(pointed, place - _RECORD.size), place - _RECORD.size}:
        file.seek(start)
        signature, *_, size, _ = _RECORD.unpack(file.read(_RECORD.size))
        sizes += [size] if signature == b"PK\6\6" else []
    return sizes


def _zip_kind(path: Path) -> str | None:
    check_archive(path)
    try:
        with zipfile.ZipFile(path) as archive:
            return zip_member_kind(archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError, struct.error):
        return None


def _is_data_of_checkpoint(path: Path) -> bool:
    """Whether a file without a signature is the .data of a checkpoint whose .index is beside it."""
    stem, dot, _ = path.name.rpartition(".data-")
    return bool(dot) and path.with_name(f"{stem}.index").is_file()


def _safetensors(head: bytes) -> str | None:
    """The kind, if eight bytes give a length and a JSON object of that length follows."""
    length = int.from_bytes(head[:8], "little")
    if head[8:10] == b'{"' and 2 < length < 100 << 20:
        return f"a safetensors file and not a Keras checkpoint: {_OTHERWISE}"
    return None


def _text_kind(path: Path, head: bytes) -> str | None:
    if head.lstrip().startswith((b"{", b"[")):
        return _json_kind(path)
    if re.search(rb"^(class_name|backend|keras_version|config):", head, re.MULTILINE):
        return _ARCHITECTURE
    return None


def _json_kind(path: Path) -> str | None:
    """What a JSON file holds; TF.js' files may hold a Keras architecture too."""
    try:
        value = json.loads(path.read_bytes()) if path.stat().st_size <= JSON_BYTES else None
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    if "weightsManifest" in value or value.get("format") in ("graph-model", "layers-model"):
        return _TFJS
    return _ARCHITECTURE if {"class_name", "config"} <= set(value) or "layers" in value else None


def is_onnx_message(path: Path) -> bool:
    """Whether a file is the protobuf message of an ONNX model, complete to the last byte."""
    return _protobuf_kind(top_fields(path)) == _ONNX


def _protobuf_kind(fields: Fields | None) -> str | None:
    """The kind of a file that is one protobuf message, by the numbers and types of its fields."""
    if not fields:
        return None
    varints = {number for number, kind in fields if kind == 0}
    messages = {number for number, kind in fields if kind == 2}
    if 1 in varints and {7, 8} <= messages:  # ir_version; graph, opset_import
        return _ONNX
    if 1 in varints and 2 in messages and max(messages) >= 200:  # specificationVersion, description; the kind of model
        return _COREML
    if varints == {1} and messages == {2}:  # saved_model_schema_version; meta_graphs
        return _SAVED_MODEL
    if 1 in messages and messages <= {1, 2, 4} and varints <= {3}:  # node; library, versions; version
        return _FROZEN
    if {1, 2} <= messages and not varints:  # meta_info_def, graph_def
        return TF_CHECKPOINT
    return None
