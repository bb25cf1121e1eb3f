"""The canonical network: each layer computes what Keras computes, and nothing superfluous is left."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from azx.errors import UnsupportedLayer
from azx.export.checkpoint.read import read_checkpoint
from azx.export.network.network import Activation, Affine, Conv, Dense, Reshape, Transpose
from azx.export.network.simplify import simplify
from azx.validate.witness.evaluate import evaluate

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
Layers = Callable[[Any], list[Any]]
# Layers called one after the other on a board of 5 rows, 6 columns and 4 channels.
CHAINS: dict[str, Layers] = {
    "even kernels with 'same'": lambda k: [k.Conv2D(3, 4, padding="same"), k.Conv2D(3, (2, 6), padding="same")],
    "strides": lambda k: [k.Conv2D(3, 3, strides=2, padding="same"), k.Conv2D(3, 2, strides=(1, 2))],
    "dilation and no bias": lambda k: [k.Conv2D(3, 2, dilation_rate=2, use_bias=False)],
    "groups": lambda k: [k.Conv2D(6, 3, groups=2)],
    "depthwise": lambda k: [k.DepthwiseConv2D(3, depth_multiplier=2, activation="relu")],
    "separable": lambda k: [k.SeparableConv2D(5, 3, padding="same")],
    "transposed": lambda k: [k.Conv2DTranspose(3, 3, strides=2, padding="same"), k.Conv2DTranspose(2, (2, 4))],
    "transposed with gaps": lambda k: [
        k.Conv2DTranspose(3, 2, strides=3),
        k.Conv2DTranspose(2, (5, 2), (2, 3), "same"),
    ],
    "pooling": lambda k: [k.MaxPooling2D(2, 1, "same"), k.AveragePooling2D((2, 3), padding="same")],
    "global pooling": lambda k: [k.GlobalAveragePooling2D(keepdims=True), k.GlobalMaxPooling2D()],
    "margins": lambda k: [k.ZeroPadding2D(((1, 0), (2, 1))), k.Cropping2D((1, 2))],
    "upsampling": lambda k: [k.UpSampling2D((2, 3)), k.Conv2D(2, 3)],
    "batch norms": lambda k: [k.BatchNormalization(), k.Conv2D(3, 3), k.BatchNormalization(scale=False, center=False)],
    "batch norm along rows": lambda k: [k.Conv2D(3, 3, padding="same"), k.BatchNormalization(axis=1)],
    "batch norm before and after dense": lambda k: [
        *(k.Flatten(), k.BatchNormalization(), k.Dense(8), k.BatchNormalization(), k.Dense(3))
    ],
    "layer norm": lambda k: [
        k.LayerNormalization(),
        k.LayerNormalization(axis=[1, 2, 3]),
        k.LayerNormalization(axis=1),
    ],
    "layer norm without parts": lambda k: [
        k.LayerNormalization(scale=False, epsilon=1e-6),
        k.LayerNormalization(2, center=False),
    ],
    "layer norm after flatten": lambda k: [k.Conv2D(3, 3), k.Flatten(), k.LayerNormalization()],
    "group norm": lambda k: [k.GroupNormalization(2), k.GroupNormalization(-1, epsilon=1e-5), k.GroupNormalization(1)],
    "dense on rows": lambda k: [k.Dense(5, "relu"), k.Reshape((6, 25)), k.Dense(3), k.BatchNormalization()],
    "softmax over each axis": lambda k: [k.Softmax(axis=1), k.Softmax(axis=2), k.Softmax(axis=3), k.Softmax(axis=-2)],
    "softmax of channels": lambda k: [k.Activation("softmax")],
    "relus": lambda k: [
        *(k.ReLU(6.0), k.LeakyReLU(), k.ReLU(max_value=1.5, negative_slope=0.25, threshold=0.1)),
        *(k.ReLU(threshold=0.2), k.ReLU(1.0), k.ELU(0.7), k.ReLU(negative_slope=0.1)),
    ],
    "prelu": lambda k: [k.PReLU("uniform"), k.PReLU("uniform", shared_axes=[1, 2]), k.Flatten(), k.PReLU("uniform")],
    "axes moved": lambda k: [k.Permute((3, 1, 2)), k.Conv2D(3, 2), k.Permute((2, 1, 3)), k.Flatten()],
    "reshaped": lambda k: [k.Conv2D(3, 3), k.Reshape((-1, 4)), k.Flatten(), k.Reshape((4, 3, 3)), k.Reshape((36,))],
    "nothing at inference": lambda k: [
        k.Dropout(0.5),
        k.GaussianNoise(1.0),
        k.SpatialDropout2D(0.5),
        k.Rescaling(2.0, 1.0),
    ],
}
ACTIVATIONS = (
    *("linear", "relu", "tanh", "sigmoid", "hard_sigmoid", "softplus", "softsign", "selu", "elu", "gelu", "swish"),
    *("exponential", "softmax"),
)
KERAS_3 = (
    "celu",
    "hard_silu",
    "hard_tanh",
    "leaky_relu",
    "log_sigmoid",
    "log_softmax",
    "mish",
    "relu6",
    "squareplus",
    "tanh_shrink",
)


def chain(family: Any, layers: Layers, shape: tuple[int, ...] = (5, 6, 4)) -> Any:
    family.utils.set_random_seed(7)
    board = family.layers.Input(shape)
    x = board
    for layer in layers(family.layers):
        x = layer(x)
    model = family.Model(board, x)
    unsettle(model)
    return model


def unsettle(model: Any) -> None:
    """Give every weight values of its own, so that no scale of 1 and no mean of 0 hides a mistake."""
    random = np.random.default_rng(8)
    for weight in model.weights:
        positive = "variance" in (getattr(weight, "path", None) or weight.name)
        noise = random.uniform(0.5, 2.0, weight.shape) if positive else random.normal(size=weight.shape, scale=0.4)
        weight.assign(noise if positive else np.asarray(weight) + noise)


def same_as_keras(model: Any, exported: Any, by_tensorflow: Any) -> None:
    """The frozen graph of a model with one output answers as Keras does."""
    result = exported(model, policy_head=model.layers[-1].name)
    assert result.network is not None, result.reason
    feed = np.random.default_rng(9).normal(size=(1, *model.inputs[0].shape[1:])).astype(np.float32)
    found = by_tensorflow(result.frozen, {"main_input": feed})["policy_head"]
    np.testing.assert_allclose(found, np.asarray(model(feed, training=False)), atol=2e-6, rtol=2e-5)


def same_as_witness(model: Any, exported: Any, by_tensorflow: Any, **settings: Any) -> Any:
    """The same where Keras cannot run the layout on a CPU."""
    result = exported(model, **settings)
    assert result.network is not None, result.reason
    graph = result.graph
    feeds = {s.name: np.random.default_rng(9).normal(size=(1, *s.shape)).astype(np.float32) for s in graph.inputs}
    truth = evaluate(graph, feeds)
    found = by_tensorflow(result.frozen, result.named(feeds))
    for head in result.heads:
        expected = truth[head.source_name]
        np.testing.assert_allclose(found[head.name], expected, atol=2e-6 * max(1, np.abs(expected).max()), rtol=2e-5)
    return result


@pytest.mark.parametrize("family", [tf_keras, keras], ids=["tf_keras", "keras"])
@pytest.mark.parametrize("name", CHAINS)
def test_a_layer_computes_what_keras_computes(name: str, family: Any, exported: Any, by_tensorflow: Any) -> None:
    model = chain(family, CHAINS[name])
    same_as_keras(model, exported, by_tensorflow)


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("family", [tf_keras, keras], ids=["tf_keras", "keras"])
def test_an_activation_is_that_of_its_keras(activation: str, family: Any, exported: Any, by_tensorflow: Any) -> None:
    model = chain(family, lambda k: [k.Dense(4, activation)], (4,))
    same_as_keras(model, exported, by_tensorflow)


@pytest.mark.parametrize("activation", KERAS_3)
def test_an_activation_that_keras_3_added_is_known(activation: str, exported: Any, by_tensorflow: Any) -> None:
    model = chain(keras, lambda k: [k.Dense(4, activation)], (4,))
    same_as_keras(model, exported, by_tensorflow)


def test_thresholded_relu_is_zero_up_to_its_threshold(exported: Any, by_tensorflow: Any) -> None:
    model = chain(tf_keras, lambda k: [k.ThresholdedReLU(0.4)], (6,))
    same_as_keras(model, exported, by_tensorflow)


def test_operations_of_tensorflow_need_no_tracing(exported: Any, by_tensorflow: Any) -> None:
    board = tf_keras.layers.Input((5, 6, 4))
    x = tf.minimum(2.0, tf.maximum(board, -0.5))
    x = 1.0 / (x + 1.0) - tf.reduce_mean(x, axis=[1, 2], keepdims=True)
    x = x / (tf.reduce_max(tf.abs(x), axis=-1, keepdims=True) + 0.5)
    x = tf.pow(x, 2.0) - tf.sqrt(x + 3.0) * 2.0 - tf.square(-x) / 4.0
    x = tf.transpose(tf.squeeze(tf.expand_dims(x, 1), 1), [0, 3, 1, 2])
    x = tf.clip_by_value(x, -3.0, 3.0) + tf.exp(x) - (1.0 - tf.reduce_sum(x, axis=2, keepdims=True))
    x = tf.concat([x, tf.nn.softmax(x, axis=1), tf.nn.leaky_relu(x, 0.1), tf.nn.gelu(x)], 2)
    x = tf_keras.layers.Dense(7, name="pi")(tf.reshape(x, (-1, 480)))
    same_as_keras(tf_keras.Model(board, x), exported, by_tensorflow)


def test_operations_of_keras_3_need_no_tracing(exported: Any, by_tensorflow: Any) -> None:
    o, board = keras.ops, keras.layers.Input((5, 6, 4))
    x = o.minimum(2.0, o.maximum(board, -0.5))
    x = 1.0 / (x + 1.0) - o.mean(x, axis=[1, 2], keepdims=True)
    x = x / (o.max(o.abs(x), axis=-1, keepdims=True) + 0.5)
    x = o.power(x, 2.0) - o.sqrt(x + 3.0) * np.full((1, 1, 1), 2.0, np.float32) - o.square(-x) / 4.0
    x = o.transpose(o.squeeze(o.expand_dims(x, 1), 1), [0, 3, 1, 2])
    x = o.clip(x, -3.0, 3.0) + o.exp(x) - (1.0 - o.sum(x, axis=2, keepdims=True))
    x = o.concatenate([x, o.softmax(x, axis=1), o.leaky_relu(x, 0.1), o.gelu(x), o.celu(x, 0.5)], 2)
    x = keras.layers.Dense(7, name="pi")(o.reshape(x, (-1, 600)))
    same_as_keras(keras.Model(board, x), exported, by_tensorflow)


def tower(k: Any, shape: tuple[int, int, int] = (2, 6, 7)) -> Any:
    """A channels_first residual network with two blocks and 4x4 kernels."""

    def convolved(x: Any, filters: int = 6, size: int = 4) -> Any:
        x = k.layers.Conv2D(filters, size, padding="same", data_format="channels_first", use_bias=False)(x)
        return k.layers.BatchNormalization(axis=1)(x)

    board = k.layers.Input(shape)
    x = k.layers.LeakyReLU()(convolved(board))
    for _ in range(2):
        x = k.layers.LeakyReLU()(k.layers.add([x, convolved(k.layers.LeakyReLU()(convolved(x)))]))
    policy, value = (k.layers.LeakyReLU()(convolved(x, filters, 1)) for filters in (3, 2))
    policy = k.layers.Dense(42, name="policy")(k.layers.Flatten()(policy))
    value = k.layers.Dense(5)(k.layers.Flatten(data_format="channels_first")(value))
    model = k.Model(board, [policy, k.layers.Dense(1, "tanh", name="value")(value)])
    unsettle(model)
    return model


@pytest.mark.parametrize("shape", [(2, 6, 7), (9, 9, 9)], ids=["2x6x7", "9x9x9"])
def test_a_channels_first_tower_has_one_transpose_and_no_batch_norm(
    shape: tuple[int, int, int], exported: Any, by_tensorflow: Any
) -> None:
    result = same_as_witness(tower(tf_keras, shape), exported, by_tensorflow)
    operations = result.network.ops
    assert [type(op) for op in operations].count(Transpose) == 1
    assert isinstance(operations[0], Transpose)
    assert not [op for op in operations if isinstance(op, Affine)]
    assert all(op.bias is not None for op in operations if isinstance(op, (Conv, Dense)))


def test_both_kinds_of_flatten_permute_the_rows_of_the_dense_layer_behind(exported: Any, by_tensorflow: Any) -> None:
    for data_format in ("channels_first", "channels_last"):
        board = tf_keras.layers.Input((3, 4, 5))
        x = tf_keras.layers.Conv2D(3, 2, data_format="channels_first")(board)
        x = tf_keras.layers.Dense(7, name="pi")(tf_keras.layers.Flatten(data_format=data_format)(x))
        model = tf_keras.Model(board, x)
        result = same_as_witness(model, exported, by_tensorflow)
        assert [type(op) for op in result.network.ops] == [Transpose, Conv, Reshape, Dense]


def test_a_flattened_channels_first_output_comes_in_keras_order(exported: Any, by_tensorflow: Any) -> None:
    for data_format in ("channels_first", "channels_last"):
        board = tf_keras.layers.Input((3, 4, 5))
        x = tf_keras.layers.Conv2D(3, 2, data_format="channels_first")(board)
        model = tf_keras.Model(board, tf_keras.layers.Flatten(data_format=data_format, name="pi")(x))
        same_as_witness(model, exported, by_tensorflow)


def test_channels_first_layers_compute_what_the_witness_does(exported: Any, by_tensorflow: Any) -> None:
    first: dict[str, Any] = {"data_format": "channels_first"}
    k = tf_keras.layers
    board = k.Input((4, 6, 7))
    x = k.SeparableConv2D(6, 3, padding="same", **first)(k.ZeroPadding2D(1, **first)(board))
    x = k.Conv2DTranspose(4, 3, strides=2, padding="same", **first)(k.UpSampling2D(2, **first)(x))
    x = k.LayerNormalization(axis=1)(k.AveragePooling2D(3, padding="same", **first)(k.PReLU("uniform")(x)))
    x = k.LayerNormalization(axis=[2, 3])(k.Softmax(axis=1)(x))
    squeezed = k.Reshape((4, 1, 1))(k.Dense(4, "sigmoid")(k.GlobalAveragePooling2D(**first)(x)))
    x = k.Concatenate(axis=1)([k.Multiply()([x, squeezed]), k.Cropping2D(0, **first)(x)])
    x = k.MaxPooling2D(2, **first)(k.DepthwiseConv2D(2, **first)(x))
    model = tf_keras.Model(board, k.Dense(7, name="pi")(k.Flatten()(x)))
    unsettle(model)
    same_as_witness(model, exported, by_tensorflow)


def test_a_batch_norm_whose_input_has_other_readers_stays(exported: Any, by_tensorflow: Any) -> None:
    k = tf_keras.layers
    board = k.Input((5, 6, 4))
    x = k.Conv2D(4, 3, padding="same")(board)
    model = tf_keras.Model(board, k.Add()([x, k.BatchNormalization()(x)]))
    unsettle(model)
    result = same_as_witness(model, exported, by_tensorflow, policy_head=model.layers[-1].name)
    assert [type(op) for op in result.network.ops].count(Affine) == 1


def test_softmax_over_the_channels_of_a_channels_first_board_moves_nothing_before_the_end(
    exported: Any, by_tensorflow: Any
) -> None:
    k = tf_keras.layers
    board = k.Input((3, 4, 5))
    x = k.Softmax(axis=1, name="pi")(k.Conv2D(6, 2, data_format="channels_first")(board))
    result = same_as_witness(tf_keras.Model(board, x), exported, by_tensorflow)
    assert [type(op) for op in result.network.ops] == [Transpose, Conv, Activation, Transpose]


@pytest.mark.parametrize("kind", ["Masking", "LocallyConnected1D"])
def test_a_layer_without_canonical_form_is_named(kind: str, tmp_path: Path) -> None:
    k = tf_keras.layers
    board = k.Input((4, 5))
    layer = k.Masking(name="odd") if kind == "Masking" else k.LocallyConnected1D(2, 2, name="odd")
    tf_keras.Model(board, layer(board)).save(tmp_path / "net.keras")
    with pytest.raises(UnsupportedLayer, match=f"'odd'.*{kind}"):
        simplify(read_checkpoint(tmp_path / "net.keras"))
