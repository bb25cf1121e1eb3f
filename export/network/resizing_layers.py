"""The canonical form of layers that resize a board smoothly: a matrix along its rows, and one along its columns."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..checkpoint.layer_graph import Array, Call, Layer
from . import board_layers
from .board_layers import board, pair
from .emitter import Emitter, Value, refuse
from .layers import Rule, emit_dense, relabel


def _matrix(size: int, wanted: int, interpolation: str) -> Array:
    """(size, wanted): the share of each old place in each new one; the middle of place i lies at i + 1/2."""
    middles = (np.arange(wanted) + 0.5) * size / wanted
    made = np.zeros((size, wanted))
    if interpolation == "nearest":
        made[np.minimum(np.floor(middles).astype(int), size - 1), np.arange(wanted)] = 1
        return made
    places = np.clip(middles - 0.5, 0, size - 1)
    low = np.minimum(np.floor(places).astype(int), max(size - 2, 0))
    share = places - low
    made[low, np.arange(wanted)] = 1 - share
    made[np.minimum(low + 1, size - 1), np.arange(wanted)] += share
    return made


def emit_resized(emitter: Emitter, layer: Layer, value: Value, sides: tuple[int, int], interpolation: str) -> Value:
    """The board, (rows, columns, channels) in memory, resized to `sides`."""
    if interpolation not in ("bilinear", "nearest"):
        raise refuse(layer, f"interpolation '{interpolation}' has no canonical form")
    for axis, wanted in zip(value.axes[:2], sides, strict=True):
        size = value.shape[axis]
        if wanted == size:
            continue
        others = [other for other in range(3) if other != axis]
        last = relabel(value, (*others, axis))
        made = emit_dense(emitter, layer, last, _matrix(size, wanted, interpolation), None)
        value = relabel(made, [[*others, axis].index(at) for at in range(3)])
    return value


def resizing(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """Resizing(height, width)."""
    layer = call.layer
    if any(layer.config.get(name) for name in ("crop_to_aspect_ratio", "pad_to_aspect_ratio", "antialias")):
        raise refuse(layer, "cut or filled up to its shape it has no canonical form")
    sides = (int(layer.config["height"]), int(layer.config["width"]))
    value = board(emitter, layer, inputs[0])
    return emit_resized(emitter, layer, value, sides, str(layer.config.get("interpolation", "bilinear")))


def up_sampling(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """UpSampling2D, by repetition or smoothly."""
    config: Mapping[str, object] = call.layer.config
    if config.get("interpolation", "nearest") != "bilinear":
        return board_layers.up_sampling(emitter, call, inputs)
    value = board(emitter, call.layer, inputs[0])
    rows, columns, _ = value.physical_shape
    down, across = pair(config.get("size", 2))
    return emit_resized(emitter, call.layer, value, (rows * down, columns * across), "bilinear")


RULES: dict[str, Rule] = {"Resizing": resizing, "UpSampling2D": up_sampling}
