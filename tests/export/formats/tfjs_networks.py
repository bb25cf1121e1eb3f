"""Small networks as TensorFlow graphs, each with something that a writer of TF.js can get wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from azx.export.checkpoint.head import Head
from azx.export.graph.frozen import FrozenGraph, Port

METADATA = {"game": "connect4", "azx_version": "0.1.0", "input_layout": "channels_last"}
RNG = np.random.default_rng(7)
START = RNG.bit_generator.state


def weight(*shape: int) -> Any:
    return tf.constant(RNG.normal(0, 0.4, shape).astype("float32"))


def biased(product: Any, data_format: str = "NHWC") -> Any:
    channels = product.shape[1 if data_format == "NCHW" else -1]
    return tf.raw_ops.BiasAdd(value=product, bias=weight(channels), data_format=data_format)


def conv(x: Any, filters: int = 4, size: int = 4, data_format: str = "NHWC") -> Any:
    channels = x.shape[1 if data_format == "NCHW" else -1]
    product = tf.nn.conv2d(x, weight(size, size, channels, filters), 1, "SAME", data_format=data_format)
    return biased(product, data_format)


def dense(x: Any, units: int = 5) -> Any:
    flat = tf.reshape(x, [-1, int(np.prod(x.shape[1:]))])
    return biased(tf.matmul(flat, weight(flat.shape[-1], units)))


def leaky(x: Any) -> Any:
    return tf.raw_ops.LeakyRelu(features=x, alpha=0.3)


def prelu(x: Any, *shape: int) -> Any:
    negated_slope = -np.abs(RNG.normal(0, 0.4, shape)).astype("float32")
    return tf.raw_ops.AddV2(x=tf.nn.relu(x), y=tf.constant(negated_slope) * tf.nn.relu(-x))


def residual(x: Any) -> Any:
    start = leaky(conv(x))
    return leaky(tf.raw_ops.AddV2(x=start, y=conv(leaky(conv(start)))))


def channels_first(x: Any) -> Any:
    inner = tf.nn.relu(conv(tf.transpose(x, [0, 3, 1, 2]), data_format="NCHW"))
    inner = tf.nn.max_pool2d(inner, 2, 1, "SAME", data_format="NCHW")
    mean, variance = weight(4), tf.constant(np.full(4, 0.7, "float32"))
    inner = conv(tf.nn.avg_pool2d(inner, 2, 2, "SAME", data_format="NCHW"), data_format="NCHW")
    return tf.raw_ops.FusedBatchNormV3(
        x=inner, scale=weight(4), offset=weight(4), mean=mean, variance=variance, is_training=False, data_format="NCHW"
    ).y


def depthwise_read_twice(x: Any) -> Any:
    inner = biased(tf.nn.depthwise_conv2d(x, weight(3, 3, 3, 1), [1, 1, 1, 1], "SAME"))
    return tf.nn.relu(inner) + inner


def prelu_read_twice(x: Any) -> Any:
    inner = conv(x)
    return prelu(inner, 1, 1, 4) + inner


def squeeze_and_excite(x: Any) -> Any:
    inner = tf.nn.relu(conv(x))
    gate = tf.sigmoid(dense(tf.nn.relu(dense(tf.reduce_mean(inner, [1, 2]), 2)), 4))
    return inner * tf.reshape(gate, [-1, 1, 1, 4])


def product(x: Any, filters: int = 4) -> Any:
    return tf.nn.conv2d(x, weight(3, 3, x.shape[-1], filters), 1, "SAME")


def depthwise(x: Any, multiplier: int = 1) -> Any:
    return tf.nn.depthwise_conv2d(x, weight(3, 3, x.shape[-1], multiplier), [1, 1, 1, 1], "SAME")


def added(x: Any, y: Any) -> Any:
    return tf.raw_ops.AddV2(x=x, y=y)


def norm(x: Any, op: str = "FusedBatchNormV3") -> Any:
    channels = x.shape[-1]
    constants = {key: weight(channels) for key in ("scale", "offset", "mean")}
    variance = tf.constant(np.linspace(0.5, 2.0, channels, dtype="float32"))
    return getattr(tf.raw_ops, op)(x=x, variance=variance, is_training=False, **constants).y


def norm_of_a_kernel_used_twice(x: Any, both: bool) -> Any:
    kernel = weight(3, 3, 3, 3)
    inner = tf.nn.conv2d(x, kernel, 1, "SAME")
    return norm(tf.nn.conv2d(norm(inner) if both else inner, kernel, 1, "SAME"))


def prelu_with(x: Any, alpha: Any) -> Any:
    return added(tf.nn.relu(x), alpha * tf.nn.relu(-x))


def one_alpha_for_two(x: Any) -> Any:
    alpha = weight(1, 1, 4)
    return prelu_with(conv(prelu_with(conv(x), alpha)), alpha)


def alpha_read_elsewhere(x: Any) -> Any:
    alpha = weight(1, 1, 4)
    return prelu_with(conv(x), alpha) * alpha


def zero_alpha_read_elsewhere(x: Any) -> Any:
    alpha = tf.zeros((1, 1, 4))
    return tf.maximum(prelu_with(conv(x), alpha), alpha)


def numbers_of(kind: str) -> Callable[[Any], Any]:
    """A network that multiplies by a constant of another type."""
    return lambda x: tf.cast(tf.cast(x, kind) * tf.constant(RNG.normal(0, 4, (1, 1, 1, 3)).astype(kind)), "float32")


def first_rows(x: Any) -> Any:
    """Slices with "as far as there is anything" as an int64."""
    start, end = tf.constant([0, 0, 0, 0], tf.int64), tf.constant([2**63 - 1, 3, 4, 2**63 - 1], tf.int64)
    return tf.strided_slice(conv(x), start, end, tf.ones(4, tf.int64))


NETWORKS: dict[str, Callable[[Any], Any]] = {
    "residual": residual,
    "elu": lambda x: tf.nn.elu(conv(x)),
    "relu6": lambda x: tf.nn.relu6(conv(x)),
    "selu": lambda x: tf.nn.selu(conv(x)),
    "softplus": lambda x: tf.nn.softplus(conv(x)),
    "softsign": lambda x: tf.nn.softsign(conv(x)),
    "swish": lambda x: tf.nn.silu(conv(x)),
    "hard swish": lambda x: conv(x) * tf.nn.relu6(conv(x) + 3) / 6,
    "fused hard swish": lambda x: (lambda y: y * tf.nn.relu6(y + 3) / 6)(conv(x)),
    "gelu": lambda x: tf.nn.gelu(conv(x)),
    "gelu after dense": lambda x: tf.nn.gelu(dense(x)),
    "erfc": lambda x: tf.math.erfc(conv(x)),
    "tanh after dense": lambda x: tf.tanh(dense(x)),
    "sigmoid after dense": lambda x: tf.sigmoid(dense(x)),
    "leaky after dense": lambda x: leaky(dense(x)),
    "prelu per channel": lambda x: prelu(conv(x), 1, 1, 4),
    "prelu per cell": lambda x: prelu(conv(x), 6, 7, 4),
    "prelu per row": lambda x: prelu(conv(x), 6, 1, 1),
    "prelu of rank 2": lambda x: prelu(conv(x), 1, 4),
    "prelu read twice": prelu_read_twice,
    "depthwise read twice": depthwise_read_twice,
    "squeeze and excite": squeeze_and_excite,
    "channels first": channels_first,
}
# What fusions may take for something else.
TRAPS: dict[str, Callable[[Any], Any]] = {
    "bias by addition": lambda x: tf.nn.relu(added(product(x), weight(4))),
    "bias by addition, first": lambda x: tf.nn.relu(added(weight(4), product(x))),
    "bias by old addition": lambda x: tf.nn.relu(tf.raw_ops.Add(x=product(x), y=weight(4))),
    "bias of four axes": lambda x: tf.nn.relu(added(product(x), weight(1, 1, 1, 4))),
    "bias of one number": lambda x: tf.nn.relu(added(product(x), weight(1))),
    "bias of a row": lambda x: tf.nn.relu(added(product(x, 1), weight(7))),
    "scale and shift": lambda x: tf.nn.relu(product(x) * weight(4) + weight(4)),
    "sum of two products": lambda x: tf.nn.relu(added(product(x), product(x))),
    "sum of a product with itself": lambda x: (lambda y: tf.nn.relu(added(y, y)))(product(x)),
    "depthwise, relu": lambda x: tf.nn.relu(depthwise(x)),
    "depthwise, bias, elu": lambda x: tf.nn.elu(biased(depthwise(x, 2))),
    "depthwise, sum, relu6": lambda x: tf.nn.relu6(added(depthwise(x, 2), weight(6))),
    "depthwise, bias, sigmoid": lambda x: tf.sigmoid(biased(depthwise(x))),
    "depthwise, bias, prelu": lambda x: prelu(biased(depthwise(x)), 1, 1, 3),
    "depthwise, prelu": lambda x: prelu(depthwise(x), 1, 1, 3),
    "depthwise as a second": lambda x: added(x, tf.tanh(depthwise(x))),
    "depthwise, norm": lambda x: tf.nn.relu(norm(depthwise(x, 2))),
    "norm": lambda x: tf.nn.relu(norm(product(x))),
    "norm after bias": lambda x: leaky(norm(conv(x))),
    "norm after addition": lambda x: norm(added(product(x), weight(4))),
    "norm after addition, first": lambda x: norm(added(weight(4), product(x))),
    "norm after one number": lambda x: norm(added(product(x), weight())),
    "norm after four axes": lambda x: norm(added(product(x), weight(1, 1, 1, 4))),
    "norm after skip": lambda x: norm(added(product(x, 3), x)),
    "norm after pooling": lambda x: norm(tf.nn.max_pool2d(conv(x), 2, 1, "SAME")),
    "norm after norm": lambda x: norm(norm(product(x))),
    "norm of old": lambda x: norm(product(x), "FusedBatchNorm"),
    "norm, prelu": lambda x: prelu(norm(product(x)), 1, 1, 4),
    "norm and sum": lambda x: (lambda y: norm(y) + y)(product(x)),
    "norm and sum after bias": lambda x: (lambda y: norm(y) + y)(conv(x)),
    "norm of a kernel used twice": lambda x: norm_of_a_kernel_used_twice(x, both=False),
    "norms of a kernel used twice": lambda x: norm_of_a_kernel_used_twice(x, both=True),
    "one alpha for two": one_alpha_for_two,
    "alpha read elsewhere": alpha_read_elsewhere,
    "zero alpha read elsewhere": zero_alpha_read_elsewhere,
    "alpha as second factor": lambda x: (lambda y: added(tf.nn.relu(y), tf.nn.relu(-y) * weight(4)))(conv(x)),
    "prelu after dense": lambda x: prelu(dense(x), 5),
    "prelu after prelu": lambda x: prelu(prelu(conv(x), 1, 1, 4), 6, 7, 4),
    "float64 inside": numbers_of("float64"),
    "int32 inside": numbers_of("int32"),
    "booleans inside": lambda x: tf.where(tf.constant(RNG.normal(size=(1, 6, 7, 3)) > 0), x, -x),
    "int64 indices": lambda x: tf.gather(x, tf.constant([2, 0], tf.int64), axis=tf.constant(3, tf.int64)),
    "int64 ends": first_rows,
}

# What TensorFlow.js Converter 4.22 refuses or gets wrong, and azx writes.
BEYOND_THE_CONVERTER = (
    "bias of one number",
    "bias of a row",
    "norm and sum",
    "norm and sum after bias",
    "norm of a kernel used twice",
    "alpha read elsewhere",
    "int64 ends",
)
# Where TensorFlow's remapper makes an operation that TF.js has not, and the converter then fuses nothing at all.
BEYOND_THE_REMAPPER = ("fused hard swish",)
# Of types that the runners of azx or TF.js itself compute otherwise than TensorFlow.
ONLY_WRITTEN: dict[str, Callable[[Any], Any]] = {kind: numbers_of(kind) for kind in ("float16", "uint8", "uint16")}


def frozen(body: Callable[[Any], Any], batch: int | None = 1) -> FrozenGraph:
    """A network on (6, 7, 3) boards with `body` inside, heads named by the contract, whatever was built before."""
    RNG.bit_generator.state = START
    with tf.Graph().as_default() as graph:
        inner = body(tf.compat.v1.placeholder(tf.float32, [batch, 6, 7, 3], name="main_input"))
        tf.identity(tf.tanh(dense(inner, 1), name="value_head/Tanh"), name="value_head")
        tf.identity(dense(inner), name="policy_head")
        tf.constant(b"{}", name="azx_metadata")
    data = graph.as_graph_def().SerializeToString(deterministic=True)
    heads = (
        Head("v", (1,), "tanh", "value", "value_head", node="value_head/Tanh"),
        Head("pi", (5,), "linear", "policy", "policy_head", node="policy_head/BiasAdd"),
    )
    return FrozenGraph(data, data, (Port("main_input", (batch, 6, 7, 3)),), heads, metadata=METADATA)


def answers(graph: FrozenGraph, boards: Any) -> dict[str, Any]:
    """What TensorFlow itself says, its remapper off."""
    from tensorflow.core.protobuf import rewriter_config_pb2

    config = tf.compat.v1.ConfigProto()
    config.graph_options.rewrite_options.remapping = rewriter_config_pb2.RewriterConfig.OFF
    with tf.Graph().as_default() as loaded:
        tf.import_graph_def(tf.compat.v1.GraphDef.FromString(graph.graph_def), name="")
    with tf.compat.v1.Session(graph=loaded, config=config) as session:
        rows = [session.run(["value_head:0", "policy_head:0"], {"main_input:0": board[None]}) for board in boards]
    values, policies = zip(*rows, strict=True)
    return {"value_head": np.concatenate(values), "policy_head": np.concatenate(policies)}
