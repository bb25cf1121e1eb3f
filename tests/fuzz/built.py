"""Checkpoints built to hang whoever reads them or to fill the memory; none takes more than some megabytes of disk.

`BUILT` has a writer for each, by name: it is given an empty folder and returns what is to be read.
"""

from __future__ import annotations

import io
import json
import os
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import h5py
import numpy as np

Config = dict[str, Any]
GIB = 1 << 30


def layer(kind: str, name: str, before: Sequence[str] = (), **config: Any) -> Config:
    """A layer called once."""
    nodes = [[[other, 0, 0, {}] for other in before]] if before else []
    return {"class_name": kind, "name": name, "config": {"name": name, **config}, "inbound_nodes": nodes}


def door(shape: Sequence[int | None] = (9,), name: str = "board") -> Config:
    """An input; `shape` is without the batch."""
    return layer("InputLayer", name, batch_input_shape=[None, *shape], dtype="float32")


def model(layers: Sequence[Config], heads: Sequence[str], name: str = "net", first: str = "board") -> Config:
    """A Functional model."""
    outputs = [[head, 0, 0] for head in heads]
    config = {"name": name, "layers": list(layers), "input_layers": [[first, 0, 0]], "output_layers": outputs}
    return {"class_name": "Functional", "config": config}


def relu(name: str, before: str) -> Config:
    """A layer without weights."""
    return layer("Activation", name, [before], activation="relu")


DENSE = model([door(), layer("Dense", "pi", ["board"], units=3, use_bias=False, activation="softmax")], ["pi"])
Fill = Callable[[h5py.Group], Any]


def full(folder: Path, config: Any = DENSE, fill: Fill | None = None, names: Sequence[str] = ("pi",)) -> Path:
    """A full model; `fill` writes into the group of layer pi what lies there, else its kernel."""
    with h5py.File(folder / "net.h5", "w") as file:
        said = config if isinstance(config, (str, bytes)) else json.dumps(config)
        file.attrs.update(keras_version="2.4.0", backend="tensorflow", model_config=said)
        root = file.create_group("model_weights")
        root.attrs["layer_names"] = np.array([name.encode() for name in names])
        group = root.create_group("pi")
        group.attrs["weight_names"] = [b"kernel:0"]
        if fill is None:
            group["kernel:0"] = np.ones((9, 3), np.float32)
        else:
            fill(group)
    return folder / "net.h5"


def kernel(shape: Sequence[int], kind: Any = "f4", **how: Any) -> Callable[[Path], Path]:
    """A kernel that is declared and not written."""
    return lambda folder: full(folder, fill=lambda group: group.create_dataset("kernel:0", tuple(shape), kind, **how))


def early(folder: Path) -> Path:
    """A gibibyte that the file system has as a hole."""

    def fill(group: h5py.Group) -> None:
        plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        plist.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
        plist.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
        space = h5py.h5s.create_simple((1 << 14, 1 << 14))
        h5py.h5d.create(group.id, b"kernel:0", h5py.h5t.IEEE_F32LE, space, plist)

    return full(folder, fill=fill)


def many_names(folder: Path) -> Path:
    """One dataset of 440 MiB, in a hole, under twenty names."""
    path = early(folder)
    with h5py.File(path, "r+") as file:
        group = file["model_weights/pi"]
        group.attrs["weight_names"] = [f"kernel_{at}:0".encode() for at in range(20)]
        for at in range(20):
            group[f"kernel_{at}:0"] = group["kernel:0"]
    return path


def packed(folder: Path) -> Path:
    """A gibibyte of zeros, packed by gzip to a megabyte: each of 64 pieces is the same one."""

    def fill(group: h5py.Group) -> None:
        made = group.create_dataset("kernel:0", (1 << 14, 1 << 14), "f4", chunks=(1 << 8, 1 << 14), compression="gzip")
        piece = zlib.compress(bytes(1 << 24), 9)
        for at in range(64):
            made.id.write_direct_chunk((at << 8, 0), piece)

    return full(folder, fill=fill)


def overfull_piece(folder: Path) -> Path:
    """A kernel of 64 KiB whose one piece unpacks to two gibibytes."""

    def fill(group: h5py.Group) -> None:
        made = group.create_dataset("kernel:0", (128, 128), "f4", chunks=(128, 128), compression="gzip")
        packer = zlib.compressobj(9)
        first, again = (packer.compress(bytes(1 << 24)) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
        piece = first + again * 127 + packer.flush()  # what was flushed fully is unpacked anywhere
        made.id.write_direct_chunk((0, 0), piece)

    return full(folder, fill=fill)


def huge_piece(folder: Path) -> Path:
    """One number in a piece of two gibibytes."""

    def fill(group: h5py.Group) -> None:
        made = group.create_dataset(
            "kernel:0", (1, 1), "f4", chunks=(1, (1 << 29) - 1), maxshape=(1, None), compression="gzip"
        )
        made.id.write_direct_chunk((0, 0), zlib.compress(bytes(1 << 20)))

    return full(folder, fill=fill)


def linked(what: Callable[[Path], Any], at: str = "model_weights/pi/kernel:0") -> Callable[[Path], Path]:
    """A link, or what else `what` makes, in the place of a kernel or a group; beside the file there is a pipe."""

    def write(folder: Path) -> Path:
        os.mkfifo(folder / "pipe")
        path = full(folder)
        with h5py.File(path, "r+") as file:
            del file[at]
            made = what(folder)
            if isinstance(made, h5py.VirtualLayout):
                file.create_virtual_dataset(at, made)
            else:
                file[at] = made
            if isinstance(made, h5py.SoftLink):
                file["away"] = h5py.ExternalLink(str(folder / "pipe"), "/")
        return path

    return write


def virtual(folder: Path) -> h5py.VirtualLayout:
    """A dataset that lies in a pipe."""
    layout = h5py.VirtualLayout((9, 3), "f4")
    layout[...] = h5py.VirtualSource(str(folder / "pipe"), "kernel", (9, 3))
    return layout


def raw_in_pipe(folder: Path) -> Path:
    """Values that are kept in a raw file, which is a pipe."""
    os.mkfifo(folder / "pipe")
    kept = [(str(folder / "pipe"), 0, 108)]
    return full(folder, fill=lambda group: group.create_dataset("kernel:0", (9, 3), "f4", external=kept))


def chain(count: int, backwards: bool = False, heads: int = 1) -> Callable[[Path], Path]:
    """Layers one behind another, in order or last first, of which the last ones are outputs."""

    def write(folder: Path) -> Path:
        layers = [relu(f"r{at}", f"r{at - 1}" if at else "board") for at in range(count)]
        names = [f"r{at}" for at in range(count - heads, count)]
        listed = [door(), *layers]
        return full(folder, model(listed[::-1] if backwards else listed, names))

    return write


def wide(count: int) -> Callable[[Path], Path]:
    """Very many outputs of one layer each, all on the input."""
    layers = [relu(f"r{at}", "board") for at in range(count)]
    return lambda folder: full(folder, model([door(), *layers], [f"r{at}" for at in range(count)]))


def called(count: int) -> Callable[[Path], Path]:
    """One layer with very many calls, each on the one before."""

    def write(folder: Path) -> Path:
        shared = relu("r", "board")
        shared["inbound_nodes"] += [[["r", at, 0, {}]] for at in range(count - 1)]
        made = model([door(), shared], ["r"])
        made["config"]["output_layers"] = [["r", count - 1, 0]]
        return full(folder, made)

    return write


def joined(count: int) -> Callable[[Path], Path]:
    """One layer that joins very many times the same tensor."""
    both = layer("Concatenate", "both", ["board"] * count, axis=-1)
    return lambda folder: full(folder, model([door(), both], ["both"]))


def nested(depth: int, calls: int) -> Callable[[Path], Path]:
    """A model in a model in a model, each called so many times by the one around it."""

    def write(folder: Path) -> Path:
        made = model([door(), relu("r", "board")], ["r"], "m0")
        for at in range(1, depth):
            inner = {**made, "name": f"m{at - 1}", "inbound_nodes": [[["board", 0, 0, {}]]]}
            for call in range(1, calls):
                inner["inbound_nodes"].append([[f"m{at - 1}", call, 0, {}]])
            made = model([door(), inner], [f"m{at - 1}"], f"m{at}")
            made["config"]["output_layers"] = [[f"m{at - 1}", calls, 0]]
        return full(folder, made)

    return write


def nested_sequential(depth: int) -> Callable[[Path], Path]:
    """A Sequential in a Sequential, the shape in the innermost layer alone."""

    def write(folder: Path) -> Path:
        made: Config = {"class_name": "Dense", "config": {"name": "pi", "units": 3, "use_bias": False}}
        made["config"]["batch_input_shape"] = [None, 9]
        for at in range(depth):
            made = {"class_name": "Sequential", "config": {"name": f"s{at}", "layers": [made]}}
        return full(folder, made)

    return write


def archive(members: Mapping[str, bytes | int]) -> Callable[[Path], Path]:
    """A .keras file; a number is so many bytes of spaces."""

    def write(folder: Path) -> Path:
        path = folder / "net.keras"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as zipped:
            for name, content in members.items():
                with zipped.open(name, "w", force_zip64=True) as part:
                    if isinstance(content, bytes):
                        part.write(content)
                    for _ in range(content >> 20 if isinstance(content, int) else 0):
                        part.write(b" " * (1 << 20))
        return path

    return write


def small_hdf5() -> bytes:
    """Weights of a .keras file."""
    kept = io.BytesIO()
    with h5py.File(kept, "w") as file:
        file["layers/dense/vars/0"] = np.ones((9, 3), np.float32)
    return kept.getvalue()


def text_config(text: str) -> Callable[[Path], Path]:
    """A full model with this text for its JSON, kept as HDF5 keeps texts of any length."""
    return lambda folder: full(folder, text)


def pipe(name: str) -> Callable[[Path], Path]:
    """A pipe, alone, or beside a file of weights or in a folder."""

    def write(folder: Path) -> Path:
        os.mkfifo(folder / name)
        if name.endswith(".json"):
            with h5py.File(folder / "net.h5", "w") as file:
                file.attrs["layer_names"] = [b"pi"]
                file.create_group("pi").attrs["weight_names"] = [b"kernel:0"]
                file["pi/kernel:0"] = np.ones((9, 3), np.float32)
        return folder if name.endswith(".json") else folder / name

    return write


def sparse(size: int) -> Callable[[Path], Path]:
    """A sound file with a hole of any size behind it."""

    def write(folder: Path) -> Path:
        path = full(folder)
        os.truncate(path, size)
        return path

    return write


def groups(depth: int, many: int) -> Callable[[Path], Path]:
    """Weights without an architecture, in groups within groups, or in very many."""

    def write(folder: Path) -> Path:
        with h5py.File(folder / "net.weights.h5", "w") as file:
            for at in range(many):
                file.create_group(f"layers/dense_{at}/vars")
            deep = file.create_group("deep")
            for _ in range(depth):
                deep = deep.create_group("g")
            deep["vars/0"] = np.ones(3, np.float32)
        return folder / "net.weights.h5"

    return write


def loop(folder: Path) -> Path:
    """A group that is in itself, under many names."""
    with h5py.File(folder / "net.weights.h5", "w") as file:
        inner = file.create_group("layers/dense")
        for at in range(500):
            inner[f"vars{at}"] = file["layers"]
    return folder / "net.weights.h5"


def yaml(text: str) -> Callable[[Path], Path]:
    """Weights and their architecture as YAML beside."""

    def write(folder: Path) -> Path:
        with h5py.File(folder / "net.h5", "w") as file:
            file.attrs["layer_names"] = [b"pi"]
            file.create_group("pi").attrs["weight_names"] = [b"kernel:0"]
            file["pi/kernel:0"] = np.ones((9, 3), np.float32)
        (folder / "net.yaml").write_text(text)
        return folder / "net.h5"

    return write


def laughing(merge: bool) -> str:
    """YAML of some lines that names, or merges, a billion values."""
    lines = ["a0: &a0 {x: 1, y: 2}" if merge else "a0: &a0 [1, 2]"]
    for at in range(1, 12):
        again = ", ".join([f"*a{at - 1}"] * 9)
        lines.append(f"a{at}: &a{at} {{<<: [{again}]}}" if merge else f"a{at}: &a{at} [{again}]")
    return "\n".join(lines)


def many_files(folder: Path) -> Path:
    """A zip archive of 300,000 empty files."""
    entry = struct.pack("<4s6H3I5H2I", b"PK\1\2", 20, 20, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0) + b"a"
    count, path = 300_000, folder / "net.keras"
    end = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 65535, 65535, len(entry) * count, 0, 0)
    path.write_bytes(entry * count + end)
    return path


def many_fields(folder: Path) -> Path:
    """A SavedModel whose metadata are ten million fields of nothing."""
    (folder / "saved_model.pb").write_bytes(b"\x08\x01")
    (folder / "keras_metadata.pb").write_bytes(b"\x10\x00" * 8_000_000)
    return folder


def tiny_pieces(folder: Path) -> Path:
    """Sixteen million pieces of one number, none of them written."""
    return kernel((1 << 12, 1 << 12), chunks=(1, 1))(folder)


def claims(side: int, **config: Any) -> Callable[[Path], Path]:
    """A network whose one layer claims to make an enormous tensor."""
    layers = [
        door((side, side, 2)),
        layer(config.pop("kind"), "pi", ["board"], **config),
        layer("Flatten", "f", ["pi"]),
    ]
    return lambda folder: full(folder, model(layers, ["f"]))


BUILT: dict[str, Callable[[Path], Path]] = {
    "1 GiB declared": kernel((1 << 14, 1 << 14)),
    "1 GiB declared in pieces": kernel((1 << 14, 1 << 14), chunks=(256, 256)),
    "8.9 GiB declared in pieces": kernel((48_000, 49_000), chunks=(1000, 1000)),
    "1 TiB declared": kernel((1 << 19, 1 << 19), chunks=(64, 64)),
    "200 MiB declared, double": kernel((5_000, 5_000), "f8"),
    "1 GiB in a hole of the file": early,
    "1 GiB under twenty names": many_names,
    "1 GiB packed": packed,
    "a piece that unpacks to 2 GiB": overfull_piece,
    "one element in a 2 GiB chunk": huge_piece,
    "16 million pieces": tiny_pieces,
    "texts, 2^26": kernel((1 << 13, 1 << 13), h5py.string_dtype()),
    "lists, 2^26": kernel((1 << 26,), h5py.vlen_dtype("f4")),
    "references, 2^26": kernel((1 << 26,), h5py.ref_dtype),
    "an array in each element": kernel((9, 3), np.dtype(("f4", (1 << 13, 1 << 13)))),
    "external link to a pipe": linked(lambda folder: h5py.ExternalLink(str(folder / "pipe"), "/")),
    "external link as model_weights": linked(
        lambda folder: h5py.ExternalLink(str(folder / "pipe"), "/"), "model_weights"
    ),
    "soft link through an external one": linked(lambda _: h5py.SoftLink("/away/kernel")),
    "soft link to itself": linked(lambda _: h5py.SoftLink("/model_weights/pi/kernel:0")),
    "virtual dataset in a pipe": linked(virtual),
    "raw values in a pipe": raw_in_pipe,
    "a pipe": pipe("net.h5"),
    "a pipe beside the weights": pipe("net.json"),
    "a hole of 100 GiB behind": sparse(100 * GIB),
    "a hole of 1.4 GiB behind": sparse(7 * GIB // 5),
    "100,000 outputs": wide(100_000),
    "1,000 outputs": wide(1_000),
    **{f"chain of {count:,}": chain(count) for count in (1_000, 3_000, 10_000, 20_000)},
    **{f"chain of {count:,}, last first": chain(count, backwards=True) for count in (3_000, 10_000, 20_000)},
    "20,000 inbound nodes": called(20_000),
    "3,000 inbound nodes": called(3_000),
    "100,000 tensors joined": joined(100_000),
    **{f"called twice to depth {depth}": nested(depth, 2) for depth in (8, 16, 24)},
    **{f"called {calls} times to depth 4": nested(4, calls) for calls in (5, 50)},
    **{f"nested to depth {depth}": nested(depth, 1) for depth in (30, 100, 300)},
    **{f"Sequential nested {depth} deep": nested_sequential(depth) for depth in (5, 20, 40, 200)},
    "config.json of 1 GiB of spaces": archive({"config.json": GIB, "model.weights.h5": small_hdf5()}),
    "model.weights.h5 of 100 MiB": archive({"config.json": json.dumps(DENSE).encode(), "model.weights.h5": 100 << 20}),
    "metadata.json of 100 MiB": archive(
        {"config.json": json.dumps(DENSE).encode(), "metadata.json": 100 << 20, "model.weights.h5": small_hdf5()}
    ),
    "300,000 files in the archive": many_files,
    "model_config of 30 MiB": text_config('{"config":' + " " * (30 << 20) + "{}}"),
    "model_config of 7 MiB of lists": text_config('{"config":[' + "[]," * (7 << 18) + "[]]}"),
    "model_config 100,000 deep": text_config('{"a":' * 100_000 + "1" + "}" * 100_000),
    "model_config 900 deep": text_config('{"a":' * 900 + "1" + "}" * 900),
    "a number of 4,000 digits": text_config(json.dumps(DENSE).replace("3", "3" * 4000)),
    "a number of 5,000 digits": text_config(json.dumps(DENSE).replace("3", "3" * 5000)),
    "an input of 2^40 values": lambda folder: full(
        folder, model([door((1 << 20, 1 << 20)), relu("r", "board")], ["r"])
    ),
    "padding of 10^9": claims(8, kind="ZeroPadding2D", padding=10**9),
    "padding of 9,000": claims(8, kind="ZeroPadding2D", padding=9_000),
    "up-sampling by 10^9": claims(8, kind="UpSampling2D", size=[10**9, 10**9]),
    "up-sampling by 9,999": claims(8, kind="UpSampling2D", size=[9_999, 9_999]),
    "repeated 10^9 times": claims(8, kind="RepeatVector", n=10**9),
    "groups 300 deep": groups(300, 0),
    "groups 20,000 deep": groups(20_000, 0),
    "19,000 groups": groups(1, 19_000),
    "a group in itself": loop,
    "YAML of a billion values": yaml(laughing(False)),
    "YAML of a billion merges": yaml(laughing(True)),
    "YAML of 100,000 lists in lists": yaml("class_name: Sequential\nconfig: " + "[" * 100_000 + "]" * 100_000),
    "YAML of 5 MiB": yaml("class_name: Sequential\nconfig: [" + "{a: 1}, " * 650_000 + "1]"),
    "YAML of a number in 60ths": yaml("class_name: Sequential\nconfig: 1" + ":59" * 300_000),
    "8 million fields": many_fields,
}


def write_all(folder: Path) -> dict[str, Path]:
    """Every one of them, each in a folder of its own; what is to be read, by name."""
    paths = {}
    for at, (name, write) in enumerate(BUILT.items()):
        place = folder / str(at)
        place.mkdir(parents=True)
        paths[name] = write(place)
    return paths
