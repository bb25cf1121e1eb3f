"""Runs model.json's graph in TensorFlow, if Node or the npm packages are missing.

The graph and the weights are the files' own. Fused operations are split, because TensorFlow lacks some of TF.js's. The
remapper is off, because it would fuse them again and lose slopes.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import Refused
from ...export.formats.tfjs_graph import unfuse
from .runner import Tensors
from .tfjs_files import FilesRunner, ModelFiles, read_model


class TfjsDecodedRunner(FilesRunner):
    """A TF.js graph model as a TensorFlow graph; `reason` is the reason why Node did not run it."""

    stands_in = True

    def __init__(self, path: Path, reason: str = "Node.js not used") -> None:
        super().__init__(path)
        self._reason = reason.split(":")[0]
        self._session: Any = None

    @property
    def runtime(self) -> str:
        """The runtime's name, for example "model.json decoded, TensorFlow 2.21.0 (Node.js not found)"."""
        import tensorflow as tf

        return f"model.json decoded, TensorFlow {tf.__version__} ({self._reason})"

    def open(self) -> None:
        """Decode the files; raises BundleError if they are damaged or TensorFlow cannot build the graph."""
        import tensorflow as tf
        from tensorflow.core.protobuf import rewriter_config_pb2

        self._files = read_model(self.path)
        graph = tf.Graph()
        try:
            with graph.as_default():
                tf.import_graph_def(unfuse(decode(self._files)), name="")
        except (ValueError, KeyError, TypeError, tf.errors.OpError) as error:
            reason = " ".join(str(error).split())
            raise Refused(
                f"{self._files.folder / 'model.json'} holds a graph that TensorFlow cannot build ({reason})."
            ) from error
        config = tf.compat.v1.ConfigProto()
        config.graph_options.rewrite_options.remapping = rewriter_config_pb2.RewriterConfig.OFF
        self._session = tf.compat.v1.Session(graph=graph, config=config)

    def close(self) -> None:
        """Release the session."""
        if self._session is not None:
            self._session.close()
            self._session = None

    def run_batch(self, feeds: Mapping[str, NDArray[Any]]) -> Tensors:
        """Answer one batch in a Session: feeds (batch, ...) give (batch, ...) by output."""
        import tensorflow as tf

        signature, listed = self.signature(), self.files.document["signature"]
        tensors = {name: info["name"] for side in ("inputs", "outputs") for name, info in listed[side].items()}
        fed = {tensors[port.name]: np.asarray(feeds[port.name], port.dtype) for port in signature.inputs}
        names = [port.name for port in signature.outputs]
        try:
            answers = self._session.run([tensors[name] for name in names], fed)
        except (ValueError, tf.errors.OpError) as error:
            reason = " ".join(str(error).split())
            raise Refused(f"{self.path}: TensorFlow cannot run the decoded model ({reason}).") from error
        return dict(zip(names, answers, strict=True))


def decode(files: ModelFiles) -> Any:
    """model.json's topology as a GraphDef, with the weights of the shards as its constants."""
    import tensorflow as tf
    from google.protobuf import json_format

    graph = tf.compat.v1.GraphDef()
    json_format.ParseDict(files.document["modelTopology"], graph)
    for node in graph.node:
        if node.op == "Const":
            dtype = tf.as_dtype(node.attr["dtype"].type)
            values = files.weights[node.name].astype(dtype.as_numpy_dtype)
            node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(values, dtype, values.shape))
    return graph
