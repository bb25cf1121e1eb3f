"""Runs an original that is a frozen TensorFlow graph: TensorFlow answers with its inference part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import AzxError, CheckpointError, first_line
from ..export.checkpoint.graphs.definition import GraphNode, read_graph_def
from ..export.checkpoint.graphs.dropout import settle_dropout
from ..export.checkpoint.graphs.inference import network_nodes
from ..export.checkpoint.graphs.meta import find_network
from ..export.checkpoint.layer_graph import META, LayerGraph
from ..export.checkpoint.tensor_bundle import Bundle
from ..system.temporary import temporary_folder
from .answers import Answers
from .door import pb as door

# The number of positions per call of TensorFlow.
BATCH = 256


def run_graph(graph: LayerGraph, feeds: Mapping[str, NDArray[Any]]) -> Answers:
    """Let TensorFlow answer N positions, `feeds` (N, *shape) by placeholder, in float32.

    If a graph contains training, its branches for inference run, and a note says so. CheckpointError if they do more
    than calculate, or TensorFlow does not run them.
    """
    import tensorflow as tf

    path = graph.source.path
    try:
        if graph.source.kind == META:
            nodes, live, ends, whole, assumed = _of_checkpoint(graph)
        else:
            nodes, constants = read_graph_def(path)
            settled = settle_dropout(nodes, constants)
            assumed, known = settled.quirks, settled.constants
            live, ends = network_nodes(settled.nodes, known)
            settled_values = {name: known[name] for name in known.keys() - constants.keys()}
            whole = _inference(
                _with_values(_graph_in(path), live, settled_values),
                {node.name: node.inputs for node in live},
                set(known),
            )
        with temporary_folder("graph") as folder:
            file = Path(folder, path.name)
            file.write_bytes(whole.SerializeToString())
            door.look(file)
        with tf.Graph().as_default() as imported:
            tf.import_graph_def(whole, name="")
        parts = []
        with tf.compat.v1.Session(graph=imported) as session:
            total = len(next(iter(feeds.values())))
            for start in range(0, total, BATCH):
                given = {
                    f"{name}:0": np.asarray(feed[start : start + BATCH], np.float32) for name, feed in feeds.items()
                }
                parts.append(session.run([f"{end}:0" for end in ends], given))
    except AzxError as error:
        raise CheckpointError(f"'{path}' cannot be asked: {error}") from error
    except Exception as error:  # TensorFlow may raise any error
        raise CheckpointError(
            f"'{path}' does not run in TensorFlow ({first_line(error)[:200]}): freeze it again."
        ) from error
    outputs = {}
    for head, rows in zip(graph.outputs, zip(*parts, strict=True), strict=True):
        answer = np.concatenate(rows).astype(np.float32)
        outputs[head.source_name] = answer.reshape(len(answer), *(answer.shape[1:] or (1,)))
    left_out = sum(node.kind in ("Switch", "Merge") for node in nodes)
    notes = (f"its {left_out} nodes that choose between training and inference were settled for inference",)
    return Answers(f"TensorFlow {tf.__version__}", outputs, (*(notes if left_out else ()), *assumed))


def _graph_in(path: Path) -> Any:
    import tensorflow as tf

    return tf.compat.v1.GraphDef.FromString(path.read_bytes())


def _of_checkpoint(graph: LayerGraph) -> tuple[list[GraphNode], list[GraphNode], list[str], Any, tuple[str, ...]]:
    """All nodes of a checkpoint's network, the needed ones, the outputs, and their GraphDef with the variables' values.

    The last item has a sentence for each assumed probability of dropout.
    """
    import tensorflow as tf

    path = graph.source.path
    network, nodes = find_network(path), tf.compat.v1.MetaGraphDef.FromString(path.read_bytes()).graph_def
    heads = {head.source_name for head in graph.outputs}
    ends = [end for end in network.ends if end in heads or (end.rpartition("/")[0] or end) in heads]
    live = _behind(network.nodes, ends)
    bundle = Bundle(path.with_suffix(""), f"'{path}'")
    values = {**network.constants, **{name: bundle.value(name) for name in network.variables}}
    inputs, whole = {node.name: node.inputs for node in live}, _with_values(nodes, live, values)
    return list(network.nodes), live, ends, _inference(whole, inputs, set(values)), network.assumed


def _with_values(given: Any, live: Sequence[GraphNode], values: Mapping[str, NDArray[Any]]) -> Any:
    """The GraphDef with a constant in place of each node that has a value here and that a live node reads."""
    import tensorflow as tf

    graph = tf.compat.v1.GraphDef(versions=given.versions)
    graph.node.extend(node for node in given.node if node.name not in values)
    for name in {each for node in live for each in node.inputs} & set(values):
        node = graph.node.add(name=name, op="Const")
        node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(values[name]))
        node.attr["dtype"].type = node.attr["value"].tensor.dtype
    return graph


def _behind(nodes: Sequence[GraphNode], ends: Sequence[str]) -> list[GraphNode]:
    """The nodes on which the outputs depend, in order."""
    needed = set(ends)
    for node in reversed(nodes):
        needed.update(node.inputs if node.name in needed else ())
    return [node for node in nodes if node.name in needed]


def _inference(given: Any, inputs: Mapping[str, tuple[str, ...]], constants: set[str]) -> Any:
    """The GraphDef of the nodes in `inputs`, each with its inputs, and of the constants among these."""
    import tensorflow as tf

    needed = {name for names in inputs.values() for name in names} & constants
    made = tf.compat.v1.GraphDef(versions=given.versions)
    for node in given.node:
        if node.name in inputs or node.name in needed:
            copy = made.node.add()
            copy.CopyFrom(node)
            copy.ClearField("input")
            copy.input.extend(inputs.get(node.name, ()))
            if "_class" in copy.attr:
                del copy.attr["_class"]  # a placement by the name of another node, which may be gone
    return made
