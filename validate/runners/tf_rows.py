"""Makes the batch of a frozen graph free, only in memory, for many positions at a time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .runner import Signature
from .tfjs_files import ModelFiles
from .tfjs_rows import shapes_of_the_batch

# A second graph in memory is worth its space up to this size; larger files consist mostly of weights.
LARGEST = 32 * 2**20


def free_batch(path: Path, signature: Signature) -> Any:
    """The GraphDef with -1 in place of each 1 that is the batch; None if an operation may mix positions.

    The rules are those of TF.js' graphs, which have the same operations under the same names.
    """
    import tensorflow as tf
    from tensorflow.python.framework import tensor_util

    if path.stat().st_size > LARGEST:
        return None
    graph = tf.compat.v1.GraphDef.FromString(path.read_bytes())
    numbers = {
        node.name: tensor_util.MakeNdarray(node.attr["value"].tensor)
        for node in graph.node
        if node.op == "Const" and node.attr["dtype"].type == tf.int32.as_datatype_enum
    }
    topology = {"node": [_as_json(node) for node in graph.node]}
    shapes = shapes_of_the_batch(ModelFiles(path.parent, {"modelTopology": topology}, numbers, signature))
    if shapes is None:
        return None
    for node in graph.node:
        if node.op == "Placeholder":
            node.attr["shape"].shape.dim[0].size = -1
        elif node.name in shapes:
            shape = numbers[node.name].copy()
            shape[0] = -1
            node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(shape))
    return graph


def _as_json(node: Any) -> dict[str, Any]:
    """The node in the form of model.json, without the numbers of a constant."""
    from google.protobuf import json_format

    attributes = {name: json_format.MessageToDict(value) for name, value in node.attr.items() if name != "value"}
    return {"name": node.name, "op": node.op, "input": list(node.input), "attr": attributes}
