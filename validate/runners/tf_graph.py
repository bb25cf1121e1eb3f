"""A frozen .pb in TensorFlow with its default options, as a desktop app runs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from ...errors import BundleError, Refused, first_line
from .runner import Answer, Port, Runner, Signature, Tensors
from .tf_rows import free_batch

# The positions per call; more are not faster.
_TOGETHER = 64


class TensorFlowRunner(Runner):
    """Imports the GraphDef and fetches by node name.

    A .pb has no list of outputs. Its signature follows from the graph: placeholders in file order, and the Identity
    nodes that nothing else reads, in file order.
    """

    format = "pb"

    @property
    def runtime(self) -> str:
        """TensorFlow's version; the graph options are its defaults, Grappler included."""
        import tensorflow as tf

        return f"TensorFlow {tf.__version__}, default options"

    def open(self) -> None:
        """Import the graph; BundleError if the file is not a graph."""
        import tensorflow as tf

        graph_def = tf.compat.v1.GraphDef()
        try:
            graph_def.ParseFromString(self.path.read_bytes())
        except Exception as error:  # protobuf's DecodeError has no public base
            raise BundleError(f"'{self.path.name}' is not a frozen TensorFlow graph: export it again.") from error
        try:
            with tf.Graph().as_default() as graph:
                tf.import_graph_def(graph_def, name="")
        except Exception as error:  # the import may raise any error
            raise Refused(f"TensorFlow does not import it ({first_line(error)})") from error
        self._graph = graph
        self._ports = _signature(graph)
        self._session = tf.compat.v1.Session(graph=graph)

    def close(self) -> None:
        """Close the session."""
        self._session.close()

    def signature(self) -> Signature:
        """The placeholders, and the Identity nodes at the graph's end."""
        return self._ports

    def list_misnamed_nodes(self, nodes: Mapping[str, str]) -> list[str]:
        """A clause for each output that does not read the node of a Keras graph that apps fetch: value_head/Tanh."""
        read = {port.name: self._graph.get_operation_by_name(port.name) for port in self._ports.outputs}
        computed_by = {name: operation.inputs[0].op.name for name, operation in read.items()}
        return [
            f"output '{name}' is computed by node '{computed_by[name]}' and not by '{node}'"
            for name, node in nodes.items()
            if name in computed_by and computed_by[name] != node
        ]

    def other_ways(self, nodes: Mapping[str, str]) -> Sequence[tuple[str, Answer]]:
        """The nodes that apps for a Keras graph fetch, such as value_head/Tanh."""
        if not nodes:
            return []
        fetches = {name: f"{node}:0" for name, node in nodes.items()}

        def answer(feeds: Mapping[str, NDArray[Any]]) -> Tensors:
            return dict(self._session.run(fetches, {f"{name}:0": value for name, value in feeds.items()}))

        return [("by the names of its nodes", answer)]

    def run_batch(self, feeds: Mapping[str, NDArray[Any]]) -> Tensors:
        """One Session.run: feeds (batch, ...) give (batch, ...) by output."""
        return self._run_in(self._session, feeds)

    def together(self) -> Answer | None:
        """The graph with a free batch, in a session of its own; it takes a third of the time."""
        import tensorflow as tf

        graph_def = free_batch(self.path, self._ports)
        if graph_def is None:
            return None

        def answer(feeds: Mapping[str, NDArray[Any]]) -> Tensors:
            with tf.Graph().as_default() as graph:
                tf.import_graph_def(graph_def, name="")
            with tf.compat.v1.Session(graph=graph) as session:
                return self.in_steps(lambda part: self._run_in(session, part), feeds, _TOGETHER, whole=False)

        return answer

    def _run_in(self, session: Any, feeds: Mapping[str, NDArray[Any]]) -> Tensors:
        fetches = {port.name: f"{port.name}:0" for port in self._ports.outputs}
        return dict(session.run(fetches, {f"{name}:0": value for name, value in feeds.items()}))


def _signature(graph: Any) -> Signature:
    operations = graph.get_operations()
    read = {tensor.op.name for operation in operations for tensor in operation.inputs}
    inputs = [operation.outputs[0] for operation in operations if operation.type == "Placeholder"]
    # Aliases under Keras' own names (dense_2/Tanh) have a slash; the contract's names have none.
    outputs = [
        operation.outputs[0]
        for operation in operations
        if operation.type == "Identity" and operation.name not in read and "/" not in operation.name
    ]
    return Signature(tuple(map(_port, inputs)), tuple(map(_port, outputs)))


def _port(tensor: Any) -> Port:
    return Port(tensor.op.name, tuple(tensor.shape.as_list()), str(tensor.dtype.as_numpy_dtype().dtype))
