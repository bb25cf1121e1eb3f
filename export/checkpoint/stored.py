"""The layers and shapes in a file of weights without an architecture, and the beginning of a builder for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import h5py

from . import hdf5
from .door.attributes import Attributes
from .door.contents import child, datasets_in, group_at, has, shape_of
from .weights import WEIGHT_NAMES

Shape = tuple[int, ...]
# Rows and columns.
Board = tuple[int, int]
# The most layers in a block, and blocks in a loop, in the beginning of a builder.
LONGEST_BLOCK, LONGEST_LOOP = 12, 1_000
# A block never begins with one of these.
_AFTER_ANOTHER = frozenset({"BatchNormalization", "LayerNormalization", "PReLU"})


@dataclass(frozen=True)
class StoredLayer:
    """A layer's weights as (short name, shape).

    `kind` is the Keras class that they suggest, None if they suggest none.
    """

    name: str
    kind: str | None
    weights: tuple[tuple[str, Shape], ...]


def stored_layers(path: Path) -> tuple[StoredLayer, ...]:
    """The layers with weights in an .h5 file, in the file's order; CheckpointError if it cannot be read."""
    with hdf5.open_hdf5(path) as file:
        return tuple(layers_in(file, path))


def layers_in(file: h5py.File, path: Path) -> Iterator[StoredLayer]:
    """The layers with weights in an open file; see `stored_layers`."""
    where = f"'{path}'"
    file = hdf5.network_root(file, path)
    root = hdf5.weights_in(file, where)
    names = Attributes(root, where).texts("layer_names")
    for name in names:
        if has(root, name, where):
            yield from _legacy(name, group_at(root, name, where), where)
    if not names:
        yield from _by_path(file, where)


def _legacy(name: str, group: h5py.Group, where: str) -> Iterator[StoredLayer]:
    """The layers in the form of Keras 2: one group per layer.

    A nested model's group holds weights of several layers.
    """
    layers: dict[str, list[tuple[str, Shape]]] = {}
    for weight in Attributes(group, where).texts("weight_names"):
        *folders, short = weight.split("/")
        shape = shape_of(child(group, weight, where), weight, where)
        layers.setdefault(folders[-1] if folders else name, []).append((short.split(":")[0], shape))
    for inner, weights in layers.items():
        yield StoredLayer(name if len(layers) == 1 else f"{name}/{inner}", _kind(name, weights), tuple(weights))


def _by_path(file: h5py.Group, where: str) -> Iterator[StoredLayer]:
    """The layers in the form of Keras 3: .../<class>_<n>/vars/<i>, without weights' names."""
    layers: dict[str, tuple[str, list[tuple[str, Shape]]]] = {}
    for name, dataset in datasets_in(file, where):
        folder, _, index = name.rpartition("/vars/")
        if folder and not name.startswith("optimizer"):
            noted = Attributes(child(file, f"{folder}/vars", where), where).text("name")
            weights_here = layers.setdefault(folder, (noted or folder.rsplit("/", 1)[-1], []))[1]
            weights_here.append((index, shape_of(dataset, name, where)))
    for folder, (layer, weights) in sorted(layers.items(), key=lambda item: numbered_key(item[0])):
        kind = _kind_of_group(folder.rsplit("/", 1)[-1])
        named = WEIGHT_NAMES.get(kind or "", ())
        if len(named) >= len(weights):
            weights = [(name, shape) for name, (_, shape) in zip(named, weights, strict=False)]
        yield StoredLayer(layer, kind or _kind(layer, weights), tuple(weights))


def numbered_key(folder: str) -> list[tuple[str, int, str]]:
    """A sorting key that puts conv2d_2 before conv2d_10, however many digits a file writes."""
    parts = (re.fullmatch(r"(.*?)_?([0-9]*)", part) for part in folder.split("/"))
    return [(part[1], len(number := part[2].lstrip("0")), number) for part in parts if part]


def _kind_of_group(group: str) -> str | None:
    """The class of a group's layers: Conv2D for conv2d and conv2d_3."""
    base = group.rstrip("0123456789").rstrip("_") if "_" in group else group
    return next((kind for kind in WEIGHT_NAMES if hdf5.snake_case(kind) in (base, group)), None)


def _kind(name: str, weights: Sequence[tuple[str, Shape]]) -> str | None:
    """The class whose weights have these names and shapes."""
    shapes = dict(weights)
    for weight, kind in (
        ("pointwise_kernel", "SeparableConv2D"),
        ("depthwise_kernel", "DepthwiseConv2D"),
        ("moving_mean", "BatchNormalization"),
        ("gamma", "LayerNormalization"),
        ("alpha", "PReLU"),
        ("embeddings", "Embedding"),
    ):
        if weight in shapes:
            return kind
    transposed = "transpose" in name
    return {2: "Dense", 3: "Conv1D", 4: "Conv2DTranspose" if transposed else "Conv2D"}.get(
        len(shapes.get("kernel", ()))
    )


def summary(layers: Sequence[StoredLayer]) -> str:
    """One line: the number of layers, the first and the last."""
    if not layers:
        return "no weights"
    ends = layers if len(layers) < 3 else (layers[0], layers[-1])
    # A name in the file may have any length.
    shapes = ", ".join(f"{layer.name[:60]} {layer.weights[0][1]}" for layer in ends)
    return f"{len(layers)} layer{'s' * (len(layers) > 1)} with weights: {shapes.replace('), ', ') ... ')}"


def skeleton(layers: Sequence[StoredLayer], file: str) -> str:
    """Keras code of a builder with every stored layer, equal blocks as a loop; unknown parts are marked TODO."""
    lines = [
        f"# Builder of the network whose weights are in {file!r}; then: --builder THIS_MODULE:build",
        "# What the file does not say is marked TODO: the input, how layers connect, activations, strides, paddings.",
        "import keras",
        "from keras import layers",
        "",
        "",
        "def build():",
        f"    board = layers.Input({_input(layers)})  # TODO: rows and columns; channels first or last",
        "    x = board",
    ]
    blocks, before = list(_blocks(layers)), None
    has_loop = any(times > 1 for _, times in blocks)
    for block, times in blocks:
        if times > 1:
            lines.append(f"    for _ in range({times}):  # TODO: shortcuts around blocks")
        for layer in block:
            indent = " " * (8 if times > 1 else 4)
            if layer.kind == "Dense" and before is not None and before.kind != "Dense":
                lines.append(f"{indent}x = layers.Flatten()(x)  # TODO")
            # Keras itself names the layers of a loop, and could reuse a name from the file.
            named = times == 1 and not (has_loop and _kind_of_group(layer.name.rsplit("/", 1)[-1]))
            lines.append(f"{indent}{_code(layer, named)}{_origin(layer, before)}")
            before = layer
    lines.append("    return keras.Model(board, x)  # TODO: [policy, value]")
    return "\n".join(lines) + "\n"


def _blocks(layers: Sequence[StoredLayer]) -> Iterator[tuple[Sequence[StoredLayer], int]]:
    """The layers in order: single ones with 1, and blocks with their number of repetitions."""
    at = 0
    while at < len(layers):
        length, times = _find_loop(layers, at)
        yield layers[at : at + length], times
        at += length * times


def _find_loop(layers: Sequence[StoredLayer], at: int) -> tuple[int, int]:
    """(layers in a block, blocks) of the loop at `at` that saves the most lines; (1, 1) if none saves four."""
    if layers[at].kind in _AFTER_ANOTHER:
        return 1, 1
    looks = [(layer.kind, layer.weights) for layer in layers[at : at + LONGEST_LOOP]]
    best, saved = (1, 1), 3
    for length in range(1, min(LONGEST_BLOCK, len(looks) // 2) + 1):
        times = 1
        while looks[times * length : (times + 1) * length] == looks[:length]:
            times += 1
        if length * (times - 1) > saved:
            best, saved = (length, times), length * (times - 1)
    return best


def _origin(layer: StoredLayer, before: StoredLayer | None) -> str:
    """A note if a layer does not read the output of the layer listed before it; heads begin so."""
    wanted, given = _values(layer)[0], _values(before)[1] if before else None
    if None in (wanted, given) or wanted == given or (layer.kind == "Dense" and before and before.kind != "Dense"):
        return ""
    what = "value" if layer.kind == "Dense" else "channel"
    lead = "  # TODO:" if layer.kind == "BatchNormalization" else ";"
    return f"{lead} from {wanted} {what}{'s' * (wanted != 1)}"


def _values(layer: StoredLayer) -> tuple[int | None, int | None]:
    """The channels that a layer reads and answers, as far as its first weight shows them."""
    shape = layer.weights[0][1]
    if layer.kind in ("Conv1D", "Conv2D", "Dense") and len(shape) > 1:
        return shape[-2], shape[-1]
    return (shape[0], shape[0]) if layer.kind == "BatchNormalization" and shape else (None, None)


def _input(layers: Sequence[StoredLayer]) -> str:
    """The input's shape as far as the first layer determines it."""
    shape = layers[0].weights[0][1] if layers else ()
    if len(shape) == 4:
        return f"(ROWS, COLUMNS, {shape[2]})"
    return f"({shape[0]},)" if len(shape) == 2 else "(...)"


def _code(layer: StoredLayer, named: bool) -> str:
    """The call of one layer as code; in a loop it gets no name."""
    shapes, name = dict(layer.weights), f", name={layer.name.rsplit('/', 1)[-1]!r}" if named else ""
    bias = "" if "bias" in shapes else ", use_bias=False"
    first = layer.weights[0][1]
    todo = "  # TODO: activation"
    if not all(shapes.values()):
        return f"x = layers.{layer.kind or 'TODO'}({name.removeprefix(', ')})(x)  # TODO: a weight of no shape"
    if layer.kind == "Dense":
        return f"x = layers.Dense({first[-1]}{bias}{name})(x){todo}"
    if layer.kind == "DepthwiseConv2D":
        return f"x = layers.DepthwiseConv2D({first[:2]}, padding='same'{bias}{name})(x){todo}, padding"
    if layer.kind in ("Conv1D", "Conv2D", "SeparableConv2D"):
        filters = shapes.get("pointwise_kernel", first)[-1]
        return f"x = layers.{layer.kind}({filters}, {first[:-2]}, padding='same'{bias}{name})(x){todo}, padding"
    if layer.kind == "BatchNormalization":
        off = "".join(
            f", {key}=False" for key, weight in (("scale", "gamma"), ("center", "beta")) if weight not in shapes
        )
        return f"x = layers.BatchNormalization({(off + name).removeprefix(', ')})(x)"
    return f"x = layers.{layer.kind or 'TODO'}({name.removeprefix(', ')})(x)  # TODO"
