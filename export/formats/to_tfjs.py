"""Writes the frozen graph as a TF.js graph model: a folder with model.json and weight shards.

The passes and the layout equal those of TensorFlow.js Converter 4.22, bit for bit: TensorFlow's own graph optimizer,
Grappler, and the fusions beside this file. azx adds what the converter's one-call entry lacks: operations and fusions
that the wasm backend runs, the signature's names and order, metadata, and the same bytes every time.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...errors import ConversionError, first_line
from ..graph.frozen import FrozenGraph, Port
from ..graph.grappler import grappler
from ..graph.rewrites import Graph
from . import tfjs_constants, tfjs_fusions, tfjs_graph, tfjs_products
from .precisions.precision import FP32
from .precisions.weights import StoredWeight
from .tfjs_operations import refuse_unknown, refuse_what_wasm_lacks
from .tfjs_weights import take_weights, weights_in, write_shards

# The writer whose layout the files have, although azx wrote them: readers look here for what to expect.
_LAYOUT = "TensorFlow.js Converter v4.22.0"
_PASSES = ["pruning", "constfold", "arithmetic", "dependency"]


def metadata(path: Path) -> Mapping[str, str]:
    """The metadata that `write_ways` put there."""
    stored: dict[str, str] = json.loads((path / "model.json").read_text(encoding="utf8"))["userDefinedMetadata"]
    return stored


def stored_weights(path: Path) -> Iterator[StoredWeight]:
    """The large weights of a model, as its files state them."""
    return weights_in(json.loads((path / "model.json").read_text(encoding="utf8"))["weightsManifest"])


def write_ways(frozen: FrozenGraph, ways: Mapping[Path, Collection[str]], precision: str = FP32) -> None:
    """Write folders (made if absent) with model.json and group1-shard*.bin, calculated in float32, by one conversion.

    The signature's inputs and outputs have the names and the order of `frozen`; a free batch is -1. In 8 bits, layers
    that stay in float have their weights in half precision. ConversionError if TF.js lacks an operation.
    """
    graph = _optimise(frozen)
    refuse_what_wasm_lacks(graph)
    weights = take_weights(graph)
    document = _document(graph, frozen)
    for target, in_float in ways.items():
        target.mkdir(parents=True, exist_ok=True)
        document["weightsManifest"] = write_shards(weights, target, precision, in_float)
        document["userDefinedMetadata"] = dict(frozen.metadata)
        (target / "model.json").write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")


def _optimise(frozen: FrozenGraph) -> Graph:
    """The GraphDef that TF.js runs: after the converter's passes, in their order, and the rewrites of tfjs_graph."""
    import tensorflow as tf

    source = tf.compat.v1.GraphDef.FromString(frozen.biasadd_graph_def)
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(tfjs_graph.portable(source), name="")
    heads = [head.name for head in frozen.outputs]
    portable = graph.as_graph_def()
    refuse_unknown(portable)
    try:
        computed = tfjs_constants.with_reciprocals(portable)
        result = _fuse(_fold(computed, heads), heads)
        result = tfjs_constants.replace_constants(result, tfjs_constants.divisors(computed))
    except (ValueError, KeyError, tf.errors.OpError) as error:
        raise ConversionError(f"TF.js: TensorFlow's optimizer refused the network ({first_line(error)}).") from error
    refuse_unknown(result)
    return tfjs_graph.order_by_name(_with_alphas(tfjs_graph.unfuse_where_needed(result), source))


def _fold(graph: Graph, heads: Sequence[str]) -> Graph:
    """The first half: constants and batch norms folded, biases distinguished from sums."""
    result = grappler(graph, heads, [*_PASSES, *_PASSES])
    return tfjs_fusions.with_biases(tfjs_fusions.with_folded_norms(result))


def _fuse(folded: Graph, heads: Sequence[str]) -> Graph:
    """The second half: biases and activations fused into products, if no other node reads an inner result."""
    result = folded
    for _ in range(2):  # Grappler runs a list of passes twice too
        # In the remapper's order, with batch norms split into Mul and Add; without a device it fuses nothing.
        ordered = tfjs_constants.with_reciprocals(grappler(result, heads, ["remap"], once=True))
        fused = tfjs_products.with_fused_products(result, ordered, heads)
        result = grappler(fused, heads, _PASSES[1:], once=True)
    result = tfjs_fusions.with_fused_depthwise(tfjs_fusions.with_prelu(result))
    return tfjs_fusions.with_prelu_in_products(result)


def _with_alphas(graph: Any, source: Any) -> Any:
    """Give every LeakyRelu its original slope, which TensorFlow's remapper loses in some fusions."""
    slopes = {node.name: node.attr["alpha"].f for node in source.node if node.op == "LeakyRelu"}
    for node in graph.node:
        key = "alpha" if node.op == "LeakyRelu" else "leakyrelu_alpha"
        if key in node.attr and node.name in slopes:
            node.attr[key].f = slopes[node.name]
    return graph


def _document(graph: Graph, frozen: FrozenGraph) -> dict[str, Any]:
    """model.json without the weights, with keys in a fixed order."""
    import tensorflow as tf
    from google.protobuf.json_format import MessageToDict

    return {
        "format": "graph-model",
        "generatedBy": tf.__version__,
        "convertedBy": _LAYOUT,
        "signature": _signature(frozen),
        # Protobuf's maps have no fixed order.
        "modelTopology": json.loads(json.dumps(MessageToDict(graph), sort_keys=True)),
    }


def _signature(frozen: FrozenGraph) -> dict[str, dict[str, Any]]:
    """The signature in the form that TF.js reads: name -> tensor, in the order of `frozen`."""
    return {
        "inputs": {port.name: _tensor_info(port) for port in frozen.inputs},
        "outputs": {port.name: _tensor_info(port) for port in frozen.output_ports},
    }


def _tensor_info(port: Port) -> dict[str, Any]:
    """One tensor; sizes are strings, as in protobuf's JSON of 64-bit integers."""
    import tensorflow as tf
    from tensorflow.core.framework import types_pb2

    sizes = [{"size": str(-1 if size is None else size)} for size in port.shape]
    code = types_pb2.DataType.Name(tf.as_dtype(port.dtype).as_datatype_enum)
    return {"name": f"{port.name}:0", "dtype": code, "tensorShape": {"dim": sizes}}
