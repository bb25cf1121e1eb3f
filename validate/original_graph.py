"""A frozen TensorFlow graph that is the original: TensorFlow answers with what of it is inference."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import AzxError, CheckpointError, first_line
from ..export.checkpoint.foreign.graph_def import read_graph_def
from ..export.checkpoint.foreign.inference import network_nodes
from ..export.checkpoint.layer_graph import LayerGraph
from ..system.temporary import temporary_folder
from .answers import Answers
from .door import pb as door

# Positions given to TensorFlow together.
BATCH = 256


def run_graph(graph: LayerGraph, feeds: Mapping[str, NDArray[Any]]) -> Answers:
    """Let TensorFlow answer N positions, `feeds` (N, *shape) by placeholder, in float32.

    Of a graph with training in it the branches of inference run, which a note says. CheckpointError if they do more
    than calculate, or TensorFlow does not run them.
    """
    import tensorflow as tf

    path = graph.source.path
    try:
        nodes, constants = read_graph_def(path)
        live, ends = network_nodes(nodes, constants)
        whole = _inference(path, {node.name: node.inputs for node in live}, set(constants))
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
    except Exception as error:  # TensorFlow raises whatever it finds wrong
        raise CheckpointError(
            f"'{path}' does not run in TensorFlow ({first_line(error)[:200]}): freeze it again."
        ) from error
    outputs = {}
    for head, rows in zip(graph.outputs, zip(*parts, strict=True), strict=True):
        answer = np.concatenate(rows).astype(np.float32)
        outputs[head.source_name] = answer.reshape(len(answer), *(answer.shape[1:] or (1,)))
    left_out = sum(node.kind in ("Switch", "Merge") for node in nodes)
    notes = (f"its {left_out} nodes that choose between training and inference were settled for inference",)
    return Answers(f"TensorFlow {tf.__version__}", outputs, notes if left_out else ())


def _inference(path: Path, inputs: Mapping[str, tuple[str, ...]], constants: set[str]) -> Any:
    """The GraphDef of the nodes in `inputs`, each with what it reads, and of the constants among that."""
    import tensorflow as tf

    given = tf.compat.v1.GraphDef.FromString(path.read_bytes())
    needed = {name for names in inputs.values() for name in names} & constants
    made = tf.compat.v1.GraphDef(versions=given.versions)
    for node in given.node:
        if node.name in inputs or node.name in needed:
            copy = made.node.add()
            copy.CopyFrom(node)
            copy.ClearField("input")
            copy.input.extend(inputs.get(node.name, ()))
            if "_class" in copy.attr:
                del copy.attr["_class"]  # where a node stands, by the name of another that may be gone
    return made
