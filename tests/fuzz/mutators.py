"""What becomes of a sound checkpoint in bad hands: one random change, or a few, by a generator that is seeded."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import h5py
import numpy as np

# Values in the place of any other.
STRANGE: list[Any] = [
    *(None, True, False, 0, 1, -1, 2, 7, 65536, 1 << 31, -(1 << 40), 1 << 63, 1 << 200, 10**400, 0.5, -0.0, 1e308),
    *(float("nan"), float("inf"), float("-inf"), "", "word", "-1", "channels_first", "same", "Dense", "Sequential"),
    *("board", "conv", "pi", "a" * 5000, "\ud800", "\0", "\x1b[2J", "#1", "/", "../..", "keras", "é", [], [[]], {}),
    *([None], [0], [-1], [None, None], [1, 2, 3], ["word"], [None, 6, 7, 2], [None, 1 << 40, 7], [[[1]]], [True]),
    *({"class_name": "Lambda"}, {"class_name": "__lambda__", "config": {}}, {"class_name": "Sequential", "config": []}),
    *({"type": "ndarray", "value": 0.3}, {"class_name": "__keras_tensor__", "config": {}}, ["board", 0, 0]),
    *([["board", 0, 0, {}]], [[["conv", 0, 0, {}]]], ["board", -1, 0], ["pi", 1 << 40, "0"], {"args": 1}, {"": {}}),
]
MARKS = ("model_config", "keras_version", "backend", "training_config", "layer_names", "weight_names", "name")
# The name by which the parts of a checkpoint are told.
JSONS, HDF5S, PROTOBUFS = (".json",), (".h5",), (".pb", ".index", ".data-00000-of-00001")


def broken_bytes(data: bytes, random: Random) -> bytes:
    """Bits turned, bytes cut off, put in, doubled, or made zeros; mostly little, as a copy breaks or a hand changes."""
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 4, 16))):
        at = random.randrange(min(len(changed), random.choice((200, 4000, 1 << 40))) or 1)
        size = random.choice((1, 2, 4, 8, 64))
        match random.randrange(8):
            case 0:
                del changed[at : at + size]
            case 1:
                changed[at:at] = random.randbytes(size)
            case 2:
                changed[at : at + size] = changed[-size:]
            case 3:
                changed[at : at + size] = random.choice((b"\0", b"\xff", b"\x7f")) * size
            case 4 if random.random() < 0.3:
                del changed[at:]
            case _ if at < len(changed):
                changed[at] ^= 1 << random.randrange(8)
    return bytes(changed)


# Members of a tree that is still to be changed: a list that is repeated twice over would fill this process' own memory.
MOST = 5_000


def broken_json(value: Any, random: Random) -> Any:
    """A tree of JSON with one member or a few replaced, dropped, doubled, renamed, deepened or swapped."""
    tree = json.loads(json.dumps(value))
    for _ in range(random.choice((1, 1, 1, 2, 5))):
        places = list(islice(_places(tree), MOST + 1))
        if not 0 < len(places) <= MOST:
            break
        with suppress(OverflowError):  # an enormous number is no float
            holder, key = random.choice(places)
            _change(holder, key, random)
    return tree


def _places(value: Any) -> Any:
    """(holder, key) of every member of a tree, each container's own before what is in them."""
    waiting = [value]
    while waiting:
        holder = waiting.pop()
        if isinstance(holder, (dict, list)):
            for key in list(holder) if isinstance(holder, dict) else range(len(holder)):
                yield holder, key
                waiting.append(holder[key])


def _change(holder: Any, key: Any, random: Random) -> None:
    old = holder[key]
    match random.randrange(10):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, list):
            holder.insert(random.randrange(len(holder) + 1), json.loads(json.dumps(old)))
        case 2 if isinstance(holder, dict):
            holder[random.choice(("word", "name", "config", "class_name", "layers", "axis"))] = holder.pop(key)
        case 3:
            for _ in range(random.choice((1, 3, 60, 400))):
                old = random.choice(([old], {"config": old}))
            holder[key] = old
        case 4 if isinstance(holder, list):
            other = random.randrange(len(holder))
            holder[key], holder[other] = holder[other], holder[key]
        case 5 if isinstance(old, int) and not isinstance(old, bool):
            holder[key] = random.choice((old + 1, old - 1, -old, old * 1000, str(old), float(old), [old]))
        case 6 if isinstance(old, list):
            holder[key] = random.choice((old * 2, old[:1], old[1:], old * 300 if len(old) < 9 else old[::-1]))
        case _:
            holder[key] = random.choice(STRANGE)


def _odd_attribute(random: Random) -> Any:
    """(value, dtype) of an attribute that nobody expects."""
    text = h5py.string_dtype()
    odd: list[tuple[Any, Any]] = [
        *((value, None) for value in (np.bool_(True), 3, 1.5, np.nan, b"", "", "word", b"\xff\xfe", b"2.2.4")),
        *((value, None) for value in (h5py.Empty("f4"), h5py.Empty("S5"), h5py.Empty(text), [], [1, 2], [[1.0]])),
        *((value, None) for value in (1 + 2j, np.void(b"\0\1"), "a" * 60000, "\ud800".encode("utf8", "surrogatepass"))),
        *((value, None) for value in ([b"pi", b"\xff"], [b"pi"] * 900, [b""], [b"pi", b"pi"], [b"v", b"pi"], [b".."])),
        *((value, text) for value in (["pi", "v"], "{}", "[]", "null", "{", '{"class_name": 1}', "1e999", "\ud800")),
        (np.zeros(2, [("a", "f4"), ("b", "S3")]), None),
        (np.array([np.arange(3), np.arange(2)], dtype=object), h5py.vlen_dtype(np.int32)),
        (h5py.Reference(), h5py.ref_dtype),
        (1, h5py.enum_dtype({"A": 1, "B": 2})),
        ([[b"pi", b"v"], [b"v", b"pi"]], None),
    ]
    return random.choice(odd)


def _objects(file: h5py.File) -> list[str]:
    found = ["/"]
    with suppress(Exception):
        file.visit(found.append)
    return found


def broken_hdf5(data: bytes, random: Random) -> bytes:
    """A file of HDF5 that is sound as such, with other attributes, links and datasets than Keras writes."""
    kept = io.BytesIO(data)
    with h5py.File(kept, "r+") as file:
        for _ in range(random.choice((1, 1, 2, 4))):
            with suppress(OSError, LookupError, TypeError, ValueError, RuntimeError, AttributeError):
                random.choice((_attribute, _attribute, _architecture, _link, _dataset, _dataset))(file, random)
    return kept.getvalue()


def _attribute(file: h5py.File, random: Random) -> None:
    holder = file[random.choice(_objects(file))]
    name = random.choice([*holder.attrs, *holder.attrs, random.choice(MARKS), f"{random.choice(MARKS)}0"])
    if random.random() < 0.15:
        del holder.attrs[name]
        return
    value, dtype = _odd_attribute(random)
    holder.attrs.create(name, value, dtype=dtype)


def _architecture(file: h5py.File, random: Random) -> None:
    for name in ("model_config", "training_config"):
        if name in file.attrs and random.random() < 0.8:
            file.attrs[name] = json.dumps(broken_json(json.loads(file.attrs[name]), random))


def _link(file: h5py.File, random: Random) -> None:
    at, other = random.choice(_objects(file)[1:]), random.choice(_objects(file))
    match random.randrange(7):
        case 0:
            del file[at]
            file[at] = h5py.SoftLink(random.choice((at, "/nowhere", other, "..", "/")))
        case 1:
            del file[at]
            file[at] = h5py.ExternalLink(random.choice(("/dev/zero", "/nowhere.h5", ".")), "/")
        case 2:
            file[f"{at}/again"] = file[other]
        case 3:
            del file[at]
            file[at] = file[other]
        case 4:
            del file[at]
            file[at] = np.dtype("f4") if random.random() < 0.5 else random.choice((1.0, b"bytes", [1, 2]))
        case 5:
            del file[at]
            file.create_group(at)
        case _:
            file.move(at, random.choice((f"{at}x", "layers", "model_weights", "vars", "kerasmodel", f"layers/{at}")))


def _dataset(file: h5py.File, random: Random) -> None:
    """One weight under another shape, type or way of lying; large ones are claimed and not written."""
    names = [name for name in _objects(file) if isinstance(file[name], h5py.Dataset)]
    at = random.choice(names)
    shape = list(file[at].shape)
    match random.randrange(4):
        case 0 if shape:
            shape[random.randrange(len(shape))] = random.choice((0, 1, 2, 1 << 20, 1 << 33))
        case 1:
            shape = random.choice(([], [0], [1] * 32, [3, 0, 4], shape[::-1], shape[1:], [1, *shape]))
    kinds = ["f4", "f2", "f8", ">f4", "i8", "u1", "?", "c8", "S3", "V7", h5py.string_dtype(), h5py.vlen_dtype("f4")]
    kinds += [h5py.ref_dtype, np.dtype([("a", "f4")]), np.dtype(("f4", (3,))), h5py.enum_dtype({"A": 1})]
    kind = random.choice(("f4", "f4", random.choice(kinds)))
    ways: list[dict[str, Any]] = [{}, {"chunks": True, "compression": "gzip"}, {"chunks": True, "shuffle": True}]
    ways += [{"chunks": tuple(1 for _ in shape)}, {"chunks": True, "compression": "lzf"}, {"fillvalue": 3}]
    ways += [{"chunks": True, "fletcher32": True}, {"chunks": tuple(min(size, 1 << 14) or 1 for size in shape)}]
    del file[at]
    if random.random() < 0.1:
        layout = h5py.VirtualLayout(tuple(shape), "f4")
        layout[...] = h5py.VirtualSource(random.choice((".", "/nowhere.h5")), at, tuple(shape))
        file.create_virtual_dataset(at, layout)
        return
    large = np.prod(shape, dtype=object) > 1 << 20
    file.create_dataset(at, shape, kind, **(random.choice(ways) if not large else {"chunks": True}))
    if not large and kind == "f4" and random.random() < 0.5:  # h5py may crash where it writes a number as a text
        file[at][...] = np.full(tuple(shape), random.choice((1.0, np.nan, np.inf, 0)))


def broken_archive(data: bytes, random: Random) -> bytes:
    """A .keras archive with members broken, dropped, doubled or added, or broken itself."""
    if random.random() < 0.15:
        return broken_bytes(data, random)
    with zipfile.ZipFile(io.BytesIO(data)) as zipped:
        members = [(name, zipped.read(name)) for name in zipped.namelist()]
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", random.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as zipped:
        chosen = random.randrange(len(members) + 1)
        for at, (name, content) in enumerate(members):
            if at == chosen:
                content = broken(name, content, random)
            if random.random() > 0.03:
                with suppress(UserWarning):
                    zipped.writestr(
                        random.choice((f"{name}x", f"a/{name}")) if random.random() < 0.02 else name, content
                    )
    return kept.getvalue()


def broken(name: str, data: bytes, random: Random) -> bytes:
    """The content of a file of this name, broken as its kind can be."""
    if name.endswith(JSONS) and random.random() < 0.85:
        # What was deepened more than once can be too deep for this process to write.
        with suppress(ValueError, RecursionError):
            return json.dumps(broken_json(json.loads(data), random)).encode()
    if name.endswith(HDF5S) and random.random() < 0.6:
        with suppress(OSError):
            return broken_hdf5(data, random)
    if name.endswith(".keras"):
        return broken_archive(data, random)
    if name.endswith("keras_metadata.pb") and random.random() < 0.6:
        with suppress(ValueError, RecursionError):
            return _broken_metadata(data, random)
    return broken_bytes(data, random)


def _broken_metadata(data: bytes, random: Random) -> bytes:
    """The JSON within a SavedModel's metadata, broken, under a length of its own where it has that of a layer."""
    at = data.find(b"{")
    end = _end(data, at)
    value = broken_json(json.loads(data[at:end]), random)
    node = b"\x1a\x04root" + _field(5, json.dumps(value).encode())
    return _field(1, node) + data[_first_length(data) :]


def _end(data: bytes, at: int) -> int:
    _, length = json.JSONDecoder().raw_decode(data[at:].decode("utf8", "replace"))
    return at + length


def _first_length(data: bytes) -> int:
    size, shift, at = 0, 0, 1
    while True:
        size |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return at + size


def _field(number: int, content: bytes) -> bytes:
    size, data = len(content), bytes([number << 3 | 2])
    while size > 127:
        data, size = data + bytes([size & 127 | 128]), size >> 7
    return data + bytes([size]) + content


def write_mutant(seed: Path, target: Path, random: Random) -> str:
    """Write a broken copy of a seed, a file or a folder, and say which of its files was broken."""
    files = sorted(path for path in seed.rglob("*") if path.is_file()) if seed.is_dir() else [seed]
    chosen = random.choice(files)
    for path in files:
        place = target / path.relative_to(seed) if seed.is_dir() else target
        place.parent.mkdir(parents=True, exist_ok=True)
        data = path.read_bytes()
        place.write_bytes(broken(path.name, data, random) if path == chosen else data)
    return f"{seed.name}/{chosen.name}" if seed.is_dir() else seed.name


Mutator = Callable[[bytes, Random], bytes]
