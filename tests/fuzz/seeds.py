"""Sound checkpoints of every kind that azx reads, small and written without Keras: what the mutators begin with."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import h5py
import numpy as np

Config = dict[str, Any]
Weights = dict[str, dict[str, tuple[int, ...]]]

Shapes = dict[str, tuple[int, ...]]
NORM: Shapes = {"gamma": (4,), "beta": (4,), "moving_mean": (4,), "moving_variance": (4,)}
# A tower inside the model, a layer that is called twice, an operation written as a layer, two heads. Its three planes
# are of no known game: of one azx would ask how the network reads its board, which takes most of the time.
WEIGHTS: Weights = {
    "conv": {"kernel": (3, 3, 3, 4)},
    "norm": NORM,
    "tower": {"inner/kernel": (3, 3, 4, 4), "inner/bias": (4,)},
    "shared": {"kernel": (4, 4), "bias": (4,)},
    "slope": {"alpha": (6, 7, 4)},
    "pi": {"kernel": (168, 7), "bias": (7,)},
    "v": {"kernel": (168, 1), "bias": (1,)},
}
# What preset alpha-zero-general is told by: Othello on 6 x 6, two convolutions with padding and two without.
FAMILY: Weights = {
    **{f"conv2d_{at}": {"kernel": (3, 3, 4 if at else 1, 4), "bias": (4,)} for at in range(4)},
    **{f"batch_normalization_{at}": NORM for at in range(4)},
    "dense": {"kernel": (16, 8), "bias": (8,)},
    "batch_normalization_4": dict.fromkeys(NORM, (8,)),
    "dense_1": {"kernel": (8, 8), "bias": (8,)},
    "batch_normalization_5": dict.fromkeys(NORM, (8,)),
    "pi": {"kernel": (8, 37), "bias": (37,)},
    "v": {"kernel": (8, 1), "bias": (1,)},
}


def layer(kind: str, name: str, inputs: Sequence[Sequence[Any]] = (), **config: Any) -> Config:
    """A layer of Keras 2's JSON, called once on `inputs`, [name, node, tensor] each."""
    nodes = [[[*ref, {}] for ref in inputs]] if inputs else []
    return {"class_name": kind, "name": name, "config": {"name": name, **config}, "inbound_nodes": nodes}


def functional(name: str, layers: Sequence[Config], doors: Sequence[str], heads: Sequence[str]) -> Config:
    """Keras 2's JSON of a Functional model."""
    inputs, outputs = ([[ref, 0, 0] for ref in refs] for refs in (doors, heads))
    config = {"name": name, "layers": list(layers), "input_layers": inputs, "output_layers": outputs}
    return {"class_name": "Model", "config": config}


def two_headed(version: int = 2) -> Config:
    """The architecture of WEIGHTS."""
    conv = {"kernel_size": [3, 3], "strides": [1, 1], "padding": "same", "data_format": "channels_last"}
    inner = [
        layer("InputLayer", "door", batch_input_shape=[None, 6, 7, 4], dtype="float32"),
        layer("Conv2D", "inner", [("door", 0, 0)], filters=4, use_bias=True, activation="relu", **conv),
    ]
    tower = functional("tower", inner, ["door"], ["inner"])
    shared = layer("Dense", "shared", [("tower", 1, 0)], units=4, use_bias=True, activation="linear")
    shared["inbound_nodes"].append([["leaky", 0, 0, {}]])
    added = layer("TFOpLambda", "plus", function="math.add")
    added["inbound_nodes"] = [["shared", 1, 0, {"y": ["conv", 0, 0], "name": None}]]
    layers = [
        layer("InputLayer", "board", batch_input_shape=[None, 6, 7, 3], dtype="float32", sparse=False),
        layer("Conv2D", "conv", [("board", 0, 0)], filters=4, use_bias=False, activation="linear", **conv),
        layer("BatchNormalization", "norm", [("conv", 0, 0)], axis=[3], epsilon=0.001, scale=True, center=True),
        {**tower, "name": "tower", "inbound_nodes": [[["norm", 0, 0, {}]]]},
        shared,
        layer("LeakyReLU", "leaky", [("shared", 0, 0)], alpha={"type": "ndarray", "value": 0.3}),
        added,
        layer("MaxPooling2D", "pool", [("plus", 0, 0)], pool_size=[1, 1], strides=[1, 1], padding="valid"),
        layer("PReLU", "slope", [("pool", 0, 0)], shared_axes=None),
        layer("Dropout", "drop", [("slope", 0, 0)], rate=0.3),
        layer("Concatenate", "both", [("drop", 0, 0)], axis=-1),
        layer("Flatten", "flat", [("both", 0, 0)], data_format="channels_last"),
        layer("Dense", "pi", [("flat", 0, 0)], units=7, activation="softmax", use_bias=True),
        layer("Dense", "v", [("flat", 0, 0)], units=1, activation="tanh", use_bias=True),
    ]
    return functional("net", layers, ["board"], ["pi", "v"])


def of_keras_3() -> Config:
    """The same network in Keras 3's JSON: tensors as objects, shapes in build_config, the module of each class."""
    model = two_headed()
    config = model["config"]
    for entry in config["layers"]:
        entry["module"], entry["registered_name"] = "keras.layers", None
        entry["class_name"] = entry["class_name"].replace("Model", "Functional")
        if "batch_input_shape" in entry["config"]:
            entry["config"]["batch_shape"] = entry["config"].pop("batch_input_shape")
        if entry["class_name"] == "TFOpLambda":
            entry.update(class_name="Add", module="keras.src.ops.numpy", config={"name": "plus"})
            entry["inbound_nodes"] = [[["shared", 1, 0, {}], ["conv", 0, 0, {}]]]
        if entry["class_name"] == "LeakyReLU":
            entry["config"] = {"name": "leaky", "negative_slope": 0.3}
        entry["inbound_nodes"] = [
            {"args": [[tensor(*ref[:3]) for ref in node]] if entry["class_name"] == "Concatenate" else
             [tensor(*ref[:3]) for ref in node], "kwargs": {"mask": None}}
            for node in entry["inbound_nodes"]
        ]  # fmt: skip
    config["layers"][4]["inbound_nodes"][0]["args"] = [tensor("tower", 0, 0)]
    return {"module": "keras", "class_name": "Functional", "config": config, "registered_name": "Functional"}


def tensor(name: str, node: int, index: int) -> Config:
    """A tensor as Keras 3 writes it in a call."""
    shape = {"shape": [None, 6, 7, 4], "dtype": "float32", "keras_history": [name, node, index]}
    return {"class_name": "__keras_tensor__", "config": shape}


def sequential() -> Config:
    """A Sequential model of Keras 2.0: a bare list, the shape in the first layer."""
    first = {"name": "pi", "units": 3, "use_bias": False, "activation": "softmax", "batch_input_shape": [None, 9]}
    return {"class_name": "Sequential", "config": [{"class_name": "Dense", "config": first}]}


def values(shape: tuple[int, ...], seed: int) -> Any:
    """Weights at which nothing is saturated."""
    return np.random.default_rng(seed).uniform(0.1, 0.5, shape).astype(np.float32)


def legacy_weights(root: Any, weights: Weights) -> None:
    """Weights as Keras 2 writes them."""
    root.attrs["layer_names"] = np.array([name.encode() for name in weights])
    for at, (name, shapes) in enumerate(weights.items()):
        group = root.create_group(name)
        group.attrs["weight_names"] = np.array([f"{name}/{short}:0".encode() for short in shapes])
        for short, shape in shapes.items():
            group[f"{name}/{short}:0"] = values(shape, at)


def numbered(root: Any) -> None:
    """WEIGHTS as Keras 3 writes them, by the class of the layer and its number."""
    groups = {"conv": "conv2d", "norm": "batch_normalization", "tower": "functional/layers/conv2d", "shared": "dense"}
    groups |= {"slope": "p_re_lu", "pi": "dense_1", "v": "dense_2"}
    for at, (name, shapes) in enumerate(WEIGHTS.items()):
        kept = root.create_group(f"layers/{groups[name]}/vars")
        kept.attrs["name"] = name.replace("tower", "inner")
        for index, shape in enumerate(shapes.values()):
            kept[str(index)] = values(shape, at)


def full_model(path: Path, config: Config, weights: Weights, version: str) -> None:
    """A full-model .h5 file."""
    with h5py.File(path, "w") as file:
        file.attrs.update(keras_version=version, backend="tensorflow", model_config=json.dumps(config))
        file.attrs["training_config"] = json.dumps({"loss": {"pi": "mse"}, "optimizer_config": {"config": {}}})
        legacy_weights(file.create_group("model_weights"), weights)


def archive(path: Path) -> None:
    """A .keras file."""
    kept = io.BytesIO()
    with h5py.File(kept, "w") as file:
        numbered(file)
    with zipfile.ZipFile(path, "w") as zipped:
        zipped.writestr("metadata.json", json.dumps({"keras_version": "3.5.0", "date_saved": "2024"}))
        zipped.writestr("config.json", json.dumps(of_keras_3()))
        zipped.writestr("model.weights.h5", kept.getvalue())


def agent(path: Path) -> None:
    """The file of a Go agent, with Keras' own in it."""
    kept = io.BytesIO()
    with h5py.File(kept, "w") as file:
        file.attrs.update(keras_version="2.2.4", model_config=json.dumps(sequential()))
        legacy_weights(file.create_group("model_weights"), {"pi": {"kernel": (9, 3)}})
    with h5py.File(path, "w") as file:
        encoder = file.create_group("encoder")
        encoder.attrs.update(name="simple", board_width=3, board_height=3)
        file.create_group("model")["kerasmodel"] = np.void(kept.getvalue())


def weights_and_json(folder: Path) -> None:
    """A folder with weights alone, as Keras 2 writes them, and the architecture beside."""
    folder.mkdir()
    (folder / "net.json").write_text(json.dumps(two_headed()))
    with h5py.File(folder / "net.h5", "w") as file:
        legacy_weights(file, WEIGHTS)


def message(fields: Sequence[tuple[int, int | bytes | str]]) -> bytes:
    """A protobuf message."""
    data = b""
    for number, value in fields:
        if isinstance(value, int):
            data += varint(number << 3) + varint(value)
        else:
            value = value.encode() if isinstance(value, str) else value
            data += varint(number << 3 | 2) + varint(len(value)) + value
    return data


def varint(value: int) -> bytes:
    """A number of seven bits a byte, least first."""
    data = b""
    while value > 127:
        data += bytes([value & 127 | 128])
        value >>= 7
    return data + bytes([value])


def table(entries: Mapping[bytes, bytes]) -> bytes:
    """A table in LevelDB's format of one block."""

    def block(items: Mapping[bytes, bytes]) -> bytes:
        parts = (varint(0) + varint(len(key)) + varint(len(value)) + key + value for key, value in items.items())
        return b"".join(parts) + struct.pack("<II", 0, 1)

    first = block(entries)
    index = block({b"\xff": varint(0) + varint(len(first))})
    data = first + bytes(5) + index + bytes(5)
    footer = varint(0) + varint(0) + varint(len(first) + 5) + varint(len(index))
    return data + footer.ljust(40, b"\0") + bytes.fromhex("57fb808b247547db")


def saved_model(folder: Path) -> None:
    """A SavedModel that tf.keras described: its metadata, and a checkpoint of one shard."""
    (folder / "variables").mkdir(parents=True)
    config = two_headed()
    entries = config["config"]["layers"]
    paths = [("root", {"class_name": "Functional", "config": config["config"], "keras_version": "2.8.0"})]
    objects: list[list[tuple[str, int]]] = [[]]  # the children of each object, of which the first is the model
    variables: dict[int, str] = {}
    data, index = b"", {b"": message([(1, 1)])}

    def add(parent: int, name: str) -> int:
        objects.append([])
        objects[parent].append((name, len(objects) - 1))
        return len(objects) - 1

    for at, entry in enumerate(entries):
        paths.append((f"root.layer-{at}", {"name": entry["name"]}))
        place = add(0, f"layer-{at}")
        inner = entry["config"].get("layers", ()) if entry["name"] == "tower" else ()
        holder = place
        for deeper, part in enumerate(inner):
            paths.append((f"root.layer-{at}.layer-{deeper}", {"name": part["name"]}))
            holder = add(place, f"layer-{deeper}")
        for short, shape in WEIGHTS.get(entry["name"], {}).items():
            variable = add(holder, short.split("/")[-1])
            key, raw = f"{entry['name']}/{short}", values(shape, at).tobytes()
            variables[variable] = key
            sizes = message([(2, message([(1, size)])) for size in shape])
            index[key.encode()] = message([(1, 1), (2, sizes), (4, len(data)), (5, len(raw))])
            data += raw
    nodes = []
    for at, children in enumerate(objects):
        fields: list[tuple[int, int | bytes | str]] = [(1, message([(1, to), (2, name)])) for name, to in children]
        if at in variables:
            fields.append((2, message([(1, "VARIABLE_VALUE"), (3, variables[at])])))
        nodes.append((1, message(fields)))
    graph = message(nodes)
    raw = varint(len(graph)) + bytes(4) + graph
    index[b"_CHECKPOINTABLE_OBJECT_GRAPH"] = message([(1, 7), (4, len(data)), (5, len(raw))])
    described = message([(1, message([(3, path), (5, json.dumps(said))])) for path, said in paths])
    (folder / "saved_model.pb").write_bytes(message([(1, 1), (2, b"")]))  # its graphs, which nobody reads
    (folder / "keras_metadata.pb").write_bytes(described)
    (folder / "variables" / "variables.index").write_bytes(table(dict(sorted(index.items()))))
    (folder / "variables" / "variables.data-00000-of-00001").write_bytes(data + raw)


def by_path(path: Path) -> None:
    """A .weights.h5 file of Keras 3, which has no architecture."""
    with h5py.File(path, "w") as file:
        numbered(file)


def alone(path: Path) -> None:
    """The weights of alpha-zero-general, without an architecture."""
    with h5py.File(path, "w") as file:
        legacy_weights(file, FAMILY)


SEEDS: dict[str, Callable[[Path], None]] = {
    "keras1.h5": lambda path: full_model(path, sequential(), {"pi": {"kernel": (9, 3)}}, "1.2.2"),
    "keras2.h5": lambda path: full_model(path, two_headed(), WEIGHTS, "2.2.4-tf"),
    "sequential.h5": lambda path: full_model(path, sequential(), {"pi": {"kernel": (9, 3)}}, "2.0.4"),
    "keras3.h5": lambda path: full_model(path, of_keras_3(), WEIGHTS, "3.5.0"),
    "net.keras": archive,
    "agent.h5": agent,
    "net.weights.h5": by_path,
    "family.h5": alone,
    "folder": weights_and_json,
    "saved": saved_model,
}


def write_all(folder: Path) -> list[Path]:
    """Every seed, in a folder; a seed is a file or a folder itself."""
    for name, write in SEEDS.items():
        write(folder / name)
    return [folder / name for name in SEEDS]
