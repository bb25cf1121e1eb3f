"""TensorFlow's own graph optimizer, as the TF.js converter runs it."""

from __future__ import annotations

from collections.abc import Sequence

from .rewrites import Graph


def grappler(graph: Graph, heads: Sequence[str], passes: list[str], *, once: bool = False) -> Graph:
    """The graph after one run of TensorFlow's graph optimizer with the named passes, on no device of this machine."""
    import tensorflow as tf
    from tensorflow.core.protobuf import device_properties_pb2
    from tensorflow.python.grappler import cluster, tf_optimizer

    config = tf.compat.v1.ConfigProto()
    config.graph_options.rewrite_options.optimizers[:] = passes
    if once:
        config.graph_options.rewrite_options.meta_optimizer_iterations = 1
    network = tf.compat.v1.MetaGraphDef(graph_def=graph)
    # Grappler keeps the nodes that this collection lists.
    network.collection_def["train_op"].node_list.value[:] = heads
    # The converter's machine type, since a pass may depend on it.
    gpu = device_properties_pb2.NamedDevice(name="/GPU:0")
    gpu.properties.type, gpu.properties.environment["architecture"] = "GPU", "4"
    return tf_optimizer.OptimizeGraph(config, network, verbose=False, cluster=cluster.Cluster(devices=[gpu]))
