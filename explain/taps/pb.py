"""A frozen .pb's tensors: TensorFlow with its default options, every node fetched."""

from __future__ import annotations

from pathlib import Path

from ...errors import BundleError, Refused, first_line
from .tap import Feeds, Tap, depend_on, in_batches

_MOVES = frozenset({"Transpose", "Reshape", "Squeeze", "ExpandDims", "Identity"})


def taps(path: Path, feeds: Feeds) -> tuple[str, list[Tap]]:
    """The runtime, and the float result of every node that depends on an input. Raises BundleError, Refused."""
    import tensorflow as tf

    graph_def = tf.compat.v1.GraphDef()
    try:
        graph_def.ParseFromString(path.read_bytes())
    except Exception as error:  # protobuf's DecodeError has no public base
        raise BundleError(f"'{path.name}' is not a frozen TensorFlow graph: export it again.") from error
    try:
        with tf.Graph().as_default() as graph:
            tf.import_graph_def(graph_def, name="")
        operations = graph.get_operations()
        inputs = [each for each in operations if each.type == "Placeholder"]
        names = [each.name for each in inputs]
        nodes = depend_on(names, operations, lambda op: [each.op.name for each in op.inputs], lambda op: [op.name])
        fetched = [out for node in nodes for out in node.outputs[:1] if out.dtype.is_floating]
        batch = inputs[0].outputs[0].shape[0]
        with tf.compat.v1.Session(graph=graph) as session:
            values = in_batches(
                feeds, batch, lambda part: session.run(fetched, {f"{name}:0": feed for name, feed in part.items()})
            )
    except Exception as error:  # TensorFlow raises exceptions of many types
        raise Refused(f"TensorFlow does not run '{path.name}' ({first_line(error)}): export it again.") from error
    result = [
        Tap(tensor.op.name, (tensor.op.name,), rows, tensor.op.type in _MOVES)
        for tensor, rows in zip(fetched, values, strict=True)
    ]
    return f"TensorFlow {tf.__version__}, default options", result
