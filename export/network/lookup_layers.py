"""The canonical form of lookups by whole numbers, without a lookup: each number becomes a row with a single one.

The row is max(0, 1 - |x - i|) for each number i, which is exact for whole numbers. Formats differ in how their own
lookups treat numbers outside the table.
"""

from __future__ import annotations

import numpy as np

from ..checkpoint.door.limits import TENSOR_VALUES
from ..checkpoint.layer_graph import Call, Layer
from .emitter import Emitter, Value, refuse
from .layers import Rule, emit_dense, emit_reshape


def emit_one_hot(emitter: Emitter, layer: Layer, value: Value, count: int) -> Value:
    """Whole numbers (*shape) as rows (*shape, count) with a one at each number's place.

    All zeros outside 0..count-1.
    """
    if not 1 <= count <= _MOST:
        raise refuse(layer, f"a table of {count} rows has no canonical form")
    cells = emit_reshape(emitter, value, (*value.shape, 1))
    ones, numbers = np.ones((1, count)), -np.arange(count)
    apart = emitter.activation(emit_dense(emitter, layer, cells, ones, numbers), ("abs", ()))
    return emitter.activation(emitter.affine(apart, -1.0, 1.0), ("relu", ()))


def embedding(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """Embedding: for each number, its row of a table."""
    layer, value = call.layer, inputs[0]
    table = next(iter(layer.weights.values()))
    if layer.config.get("mask_zero"):
        raise refuse(layer, "the mask that it gives to later layers has no canonical form")
    if len(layer.weights) != 1 or table.ndim != 2 or int(np.prod(value.shape)) * len(table) > TENSOR_VALUES:
        raise refuse(layer, "its table is not a matrix, or is too large")
    return emit_dense(emitter, layer, emit_one_hot(emitter, layer, value, len(table)), table, None)


def category_encoding(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    """CategoryEncoding("one_hot"); if the last axis has size one, it becomes the axis of categories."""
    layer, value = call.layer, inputs[0]
    if layer.config.get("output_mode", "multi_hot") != "one_hot" or len(inputs) > 1:
        raise refuse(layer, "another encoding than one_hot has no canonical form")
    if value.shape[-1] == 1:
        value = emit_reshape(emitter, value, value.shape[:-1])
    return emit_one_hot(emitter, layer, value, int(layer.config["num_tokens"]))


_MOST = 4096
RULES: dict[str, Rule] = {"Embedding": embedding, "CategoryEncoding": category_encoding}
