"""The weights of a TF.js graph model: the graph's constants, one after the other, in shards of 4 MiB."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import ConversionError
from ..checkpoint.layer_graph import Array
from ..graph.rewrites import Graph
from .precisions.precision import FP16, FP32
from .precisions.weights import FEWEST, StoredWeight, is_large, layer_of_constant, to_half

SHARD_BYTES = 4 * 1024 * 1024  # browsers cache files up to this size, and TF.js Converter 4.22 writes it

_WRITTEN = frozenset({"float32", "int32", "complex64", "uint8", "uint16", "bool"})
# Replacements for types that TF.js lacks.
_WRITTEN_AS = {"float16": "float32", "float64": "float32", "int64": "int32", "complex128": "complex64"}
_STAY = frozenset({"dtype", "tensor_shape", "version_number"})


def take_weights(graph: Graph) -> dict[str, Array]:
    """The values of the constants by their names, in the graph's order; only shapes and types stay in the graph.

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
            weights[node.name] = _convert(tf.make_ndarray(tensor))
            for field, _ in tensor.ListFields():
                if field.name not in _STAY:
                    tensor.ClearField(field.name)
    return weights


def write_shards(
    weights: Mapping[str, Array], folder: Path, precision: str = FP32, in_float: Collection[str] = ()
) -> list[dict[str, Any]]:
    """Write group1-shard1of1.bin and so on; returns the manifest, which is one group.

    In a lower precision large weights are stored smaller; in 8 bits, the layers `in_float` use half precision. TF.js
    converts all of them to float32 when it loads them. ConversionError if no weight is large.
    """
    ways = {name: FP16 if precision != FP32 and layer_of_constant(name) in in_float else precision for name in weights}
    stored = {name: _store(name, values, ways[name]) for name, values in weights.items()}
    if precision != FP32 and not any("quantization" in entry for _, entry in stored.values()):
        raise ConversionError(f"TF.js: no layer has enough weights for {precision}, and its files would hold float32.")
    data = b"".join(values.tobytes() for values, _ in stored.values())
    shards = [data[at : at + SHARD_BYTES] for at in range(0, len(data), SHARD_BYTES)]
    paths = [f"group1-shard{index}of{len(shards)}.bin" for index in range(1, len(shards) + 1)]
    for path, shard in zip(paths, shards, strict=True):
        (folder / path).write_bytes(shard)
    return [{"paths": paths, "weights": [entry for _, entry in stored.values()]}]


def weights_in(manifest: Sequence[Mapping[str, Any]]) -> Iterator[StoredWeight]:
    """The large weights in a weights manifest, as `write_shards` stored them."""
    for entry in (entry for group in manifest for entry in group["weights"]):
        kind = entry.get("quantization", {}).get("dtype", entry["dtype"])
        if prod(entry["shape"]) >= FEWEST and kind in ("uint8", "float16", "float32"):
            yield StoredWeight(layer_of_constant(entry["name"]), prod(entry["shape"]), kind == "uint8")


def _store(name: str, values: Array, precision: str) -> tuple[Array, dict[str, Any]]:
    """A constant in the form of the shards, and its entry in the manifest."""
    entry = _entry(name, values)
    if precision == FP32 or not is_large(values):
        return values, entry
    if precision == FP16:
        return to_half(values), entry | {"quantization": {"dtype": "float16", "original_dtype": "float32"}}
    # The format has one scale per weight: from its smallest to its largest number, with a code for 0.
    low, high = min(0.0, float(values.min())), max(0.0, float(values.max()))
    scale = (high - low) / 255 or 1.0
    low = -round(-low / scale) * scale
    codes = np.clip(np.rint((values.astype(np.float64) - low) / scale), 0, 255).astype(np.uint8)
    quantization = {"dtype": "uint8", "min": low, "scale": scale, "original_dtype": "float32"}
    return codes, entry | {"quantization": quantization}


def _convert(values: Array) -> Array:
    """The values in a type that TF.js has."""
    if values.dtype == np.int64:
        # A large number marks the open end of a slice, and must stay large.
        values = values.clip(np.iinfo(np.int32).min, np.iinfo(np.int32).max)
    return values.astype(_WRITTEN_AS.get(values.dtype.name, values.dtype.name), copy=False)


def _entry(name: str, values: Array) -> dict[str, Any]:
    """A constant's entry in the manifest."""
    return {"name": name, "shape": list(values.shape), "dtype": values.dtype.name}
