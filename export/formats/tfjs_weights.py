"""The weights of a TF.js graph model: the constants of the graph, one after the other, in shards of 4 MiB."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import ConversionError
from ..checkpoint.layer_graph import Array
from ..graph.rewrites import Graph

SHARD_BYTES = 4 * 1024 * 1024  # what browsers keep in their caches, and the size that TF.js Converter 4.22 writes

_WRITTEN = frozenset({"float32", "int32", "complex64", "uint8", "uint16", "bool"})
# What stands for the types that TF.js has not.
_WRITTEN_AS = {"float16": "float32", "float64": "float32", "int64": "int32", "complex128": "complex64"}
_STAY = frozenset({"dtype", "tensor_shape", "version_number"})


def take_weights(graph: Graph) -> dict[str, Array]:
    """The values of the constants by their names, in the graph's order; none stay in the graph, shapes and types do.

    Raises ConversionError for a type that cannot be written.
    """
    import tensorflow as tf

    weights: dict[str, Array] = {}
    for node in graph.node:
        if node.op == "Const":
            tensor = node.attr["value"].tensor
            kind = tf.as_dtype(tensor.dtype).name
            if _WRITTEN_AS.get(kind, kind) not in _WRITTEN:
                raise ConversionError(f"TF.js: no constant of type {kind} can be written, as '{node.name}' is.")
            weights[node.name] = _converted(tf.make_ndarray(tensor))
            for field, _ in tensor.ListFields():
                if field.name not in _STAY:
                    tensor.ClearField(field.name)
    return weights


def write_shards(weights: Mapping[str, Array], folder: Path) -> list[dict[str, Any]]:
    """Write group1-shard1of1.bin and so on; returns the manifest, which is one group."""
    data = b"".join(values.tobytes() for values in weights.values())
    shards = [data[at : at + SHARD_BYTES] for at in range(0, len(data), SHARD_BYTES)]
    paths = [f"group1-shard{index}of{len(shards)}.bin" for index in range(1, len(shards) + 1)]
    for path, shard in zip(paths, shards, strict=True):
        (folder / path).write_bytes(shard)
    return [{"paths": paths, "weights": [_entry(name, values) for name, values in weights.items()]}]


def _converted(values: Array) -> Array:
    """The values in a type that TF.js has."""
    if values.dtype == np.int64:
        # "As far as there is anything", which is how the end of a slice can be written, stays a large number.
        values = values.clip(np.iinfo(np.int32).min, np.iinfo(np.int32).max)
    return values.astype(_WRITTEN_AS.get(values.dtype.name, values.dtype.name), copy=False)


def _entry(name: str, values: Array) -> dict[str, Any]:
    """A constant as the manifest tells it."""
    return {"name": name, "shape": list(values.shape), "dtype": values.dtype.name}
