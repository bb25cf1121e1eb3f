"""Shapes of tensors behind layers without a canonical form, as far as each layer's configuration gives them.

So the shapes of a network's outputs are known even behind a layer that azx cannot convert.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..checkpoint.layer_graph import Call, LayerGraph

Shape = tuple[int, ...]

_SAME = frozenset({"Activation", "ReLU", "LeakyReLU", "ELU", "PReLU", "Softmax", "Dropout", "BatchNormalization"})
_SPREAD = frozenset({"Add", "Subtract", "Multiply", "Average", "Maximum", "Minimum"})
# These make a vector of each position, of unknown length.
_FLAT = frozenset({"Flatten", *(f"Global{kind}Pooling{rank}D" for kind in ("Average", "Max") for rank in (1, 2))})
_RECURRENT = frozenset({"GRU", "LSTM", "SimpleRNN"})


def add_known_shapes(graph: LayerGraph, known: Mapping[str, Shape]) -> dict[str, Shape]:
    """The shapes in `known`, without the batch, and those behind them that the layers' configurations give."""
    shapes = dict(known)
    flat: set[str] = set()
    for call in graph.calls:
        if call.output in shapes:
            continue
        kind = call.layer.kind.rsplit(">", 1)[-1]
        if (kind in _FLAT and not call.layer.config.get("keepdims")) or (kind in _SAME and call.inputs[0] in flat):
            flat.add(call.output)  # a vector of unknown length
        elif shape := _shape_of(kind, call, shapes, flat):
            shapes[call.output] = shape
    return shapes


def name_unknown(graph: LayerGraph, shapes: Mapping[str, Shape]) -> str:
    """The first layer whose shape is not in `shapes`, worded to follow "behind"."""
    layer = next((call.layer for call in graph.calls if call.output not in shapes), None)
    return f"layer '{layer.name}' ({layer.kind})" if layer else "a layer"


def _shape_of(kind: str, call: Call, shapes: Mapping[str, Shape], flat: set[str]) -> Shape | None:
    """The shape of a call's result; None if its layer does not give it."""
    config: Mapping[str, Any] = call.layer.config
    inputs = [shapes.get(name) for name in call.inputs]
    first = inputs[0] if inputs else None
    if kind == "Reshape":
        return _sizes(config.get("target_shape"))
    if kind in _SPREAD:
        return _spread(inputs)
    if kind in _SAME:
        return first
    units = _sizes([config.get("units")])
    if kind == "Dense" and units and (call.inputs[0] in flat or first):
        return (*(first or (0,))[:-1], *units)
    if kind in _RECURRENT and units and not config.get("go_backwards"):
        steps = first[:1] if first else None
        return units if not config.get("return_sequences") else (*steps, *units) if steps else None
    return None


def _sizes(value: Any) -> Shape | None:
    """A list of sizes as a shape; None if a size is free or invalid."""
    sound = isinstance(value, (list, tuple)) and all(type(size) is int and size > 0 for size in value)
    return tuple(value) if sound else None


def _spread(inputs: list[Shape | None]) -> Shape | None:
    """The shape after the tensors are broadcast against each other."""
    if any(shape is None for shape in inputs):
        return None
    try:
        return tuple(int(size) for size in np.broadcast_shapes(*[shape for shape in inputs if shape is not None]))
    except ValueError:
        return None
