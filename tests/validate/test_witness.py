"""The witness against Keras, layer by layer, and against the book's own graph."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tf_keras

from azx.errors import UnsupportedLayer
from azx.export.checkpoint.read import read_checkpoint
from azx.validate.witness.evaluate import CHUNK, evaluate

pytestmark = pytest.mark.filterwarnings("ignore:You are saving your model as an HDF5 file:UserWarning")
Build = Callable[[Any, Any], Any]  # (keras.layers, tensor) -> tensor or tensors


def saved(folder: Path, keras: Any, build: Build, shapes: tuple[tuple[int, ...], ...], name: str = "net.h5") -> Any:
    """A model of `build` with random weights and variances, saved; returns its path and the model."""
    inputs = [keras.layers.Input(shape, name=f"in{index}") for index, shape in enumerate(shapes)]
    structure = inputs[0] if len(inputs) == 1 else inputs
    model = keras.Model(structure, build(keras.layers, structure))
    rng = np.random.default_rng(5)
    model.set_weights([rng.uniform(0.2, 1.0, weight.shape) - 0.4 * (weight.ndim > 1) for weight in model.get_weights()])
    model.save(folder / name)
    return folder / name, model


def assert_agrees(folder: Path, keras: Any, build: Build, *shapes: tuple[int, ...], name: str = "net.h5") -> None:
    path, model = saved(folder, keras, build, shapes, name)
    graph = read_checkpoint(path)
    rng = np.random.default_rng(6)
    feeds = [rng.normal(size=(5, *shape)).astype(np.float32) for shape in shapes]
    wanted = model(feeds[0] if len(feeds) == 1 else feeds, training=False)
    got = evaluate(graph, {f"in{index}": feed for index, feed in enumerate(feeds)})
    for values, reference in zip(got.values(), wanted if isinstance(wanted, (list, tuple)) else [wanted], strict=True):
        assert values.dtype == np.float64
        np.testing.assert_allclose(values, np.asarray(reference), atol=2e-5, rtol=2e-5)


BOARD, FIRST, VECTOR = (6, 7, 4), (4, 6, 7), (9,)
FORMATS = {"channels_last": BOARD, "channels_first": FIRST}
WINDOWS: dict[str, Callable[..., Any]] = {
    "an even kernel with same padding": lambda k, **o: k.Conv2D(5, 4, padding="same", **o),
    "a valid kernel with an activation": lambda k, **o: k.Conv2D(5, (3, 2), activation="relu", **o),
    "a convolution without bias": lambda k, **o: k.Conv2D(5, 3, use_bias=False, **o),
    "strides": lambda k, **o: k.Conv2D(5, (3, 4), strides=(2, 3), padding="same", **o),
    "dilation": lambda k, **o: k.Conv2D(5, 3, dilation_rate=(2, 1), padding="same", **o),
    "groups": lambda k, **o: k.Conv2D(6, 3, groups=2, padding="same", **o),
    "a kernel wider than the board": lambda k, **o: k.Conv2D(3, 9, padding="same", **o),
    "a depthwise convolution": lambda k, **o: k.DepthwiseConv2D(3, depth_multiplier=2, padding="same", **o),
    "a depthwise convolution with strides": lambda k, **o: k.DepthwiseConv2D(4, strides=2, padding="same", **o),
    "a separable convolution": lambda k, **o: k.SeparableConv2D(5, (2, 3), depth_multiplier=2, padding="same", **o),
    "a transposed convolution": lambda k, **o: k.Conv2DTranspose(5, 3, strides=2, padding="same", **o),
    "a valid transposed convolution": lambda k, **o: k.Conv2DTranspose(5, (2, 3), strides=(3, 1), **o),
    "max pooling": lambda k, **o: k.MaxPooling2D(3, 2, padding="same", **o),
    "average pooling": lambda k, **o: k.AveragePooling2D((2, 3), padding="same", **o),
    "global average pooling": lambda k, **o: k.GlobalAveragePooling2D(**o),
    "global max pooling that keeps its axes": lambda k, **o: k.GlobalMaxPooling2D(keepdims=True, **o),
    "zero padding": lambda k, **o: k.ZeroPadding2D(((1, 2), (0, 3)), **o),
    "cropping": lambda k, **o: k.Cropping2D(((1, 2), (0, 3)), **o),
    "upsampling": lambda k, **o: k.UpSampling2D((2, 3), **o),
    "flattening": lambda k, **o: k.Flatten(**o),
}


@pytest.mark.parametrize("data_format", FORMATS)
@pytest.mark.parametrize("name", WINDOWS)
def test_the_witness_agrees_with_keras_on(name: str, data_format: str, tmp_path: Path) -> None:
    layer = WINDOWS[name]
    assert_agrees(tmp_path, tf_keras, lambda k, x: layer(k, data_format=data_format)(x), FORMATS[data_format])


LAYERS: dict[str, tuple[Build, tuple[int, ...]]] = {
    "dense on a vector": (lambda k, x: k.Dense(4, activation="tanh")(x), VECTOR),
    "dense on a board": (lambda k, x: k.Dense(4, use_bias=False)(x), BOARD),
    "batch normalization over channels": (lambda k, x: k.BatchNormalization()(x), BOARD),
    "batch normalization over axis 1": (lambda k, x: k.BatchNormalization(axis=1, epsilon=1e-2)(x), FIRST),
    "batch normalization without scale": (lambda k, x: k.BatchNormalization(scale=False)(x), VECTOR),
    "batch normalization without center": (lambda k, x: k.BatchNormalization(center=False, axis=1)(x), BOARD),
    "layer normalization": (lambda k, x: k.LayerNormalization()(x), BOARD),
    "layer normalization over two axes": (lambda k, x: k.LayerNormalization(axis=[1, 2], scale=False)(x), BOARD),
    "leaky relu": (lambda k, x: k.LeakyReLU(0.3)(x), BOARD),
    "relu with all its switches": (lambda k, x: k.ReLU(1.5, negative_slope=0.1, threshold=0.2)(x), BOARD),
    "relu with a threshold": (lambda k, x: k.ReLU(threshold=0.5)(x), BOARD),
    "elu": (lambda k, x: k.ELU(0.7)(x), BOARD),
    "prelu": (lambda k, x: k.PReLU()(x), BOARD),
    "prelu with shared axes": (lambda k, x: k.PReLU(shared_axes=[1, 2])(x), BOARD),
    "thresholded relu": (lambda k, x: k.ThresholdedReLU(0.4)(x), BOARD),
    "softmax over axis 1": (lambda k, x: k.Softmax(axis=1)(x), BOARD),
    "reshape with a free size": (lambda k, x: k.Reshape((3, -1))(x), BOARD),
    "permute": (lambda k, x: k.Permute((3, 1, 2))(x), BOARD),
    "repeat vector": (lambda k, x: k.RepeatVector(3)(x), VECTOR),
    "one-dimensional convolution": (lambda k, x: k.Conv1D(3, 3, padding="causal")(x), (6, 4)),
    "noise and dropout": (lambda k, x: k.GaussianNoise(1.0)(k.SpatialDropout2D(0.5)(k.Dropout(0.5)(x))), BOARD),
    "rescaling": (lambda k, x: k.Rescaling(2.0, offset=-1.0)(x), BOARD),
    "squeeze and excite": (
        lambda k, x: k.Multiply()([x, k.Reshape((1, 1, 4))(k.Dense(4, "sigmoid")(k.GlobalAveragePooling2D()(x)))]),
        BOARD,
    ),
    "an activation that is a layer": (lambda k, x: k.Dense(4, activation=k.LeakyReLU(0.3))(x), VECTOR),
}


@pytest.mark.parametrize("name", LAYERS)
def test_the_witness_agrees_with_keras_2_on(name: str, tmp_path: Path) -> None:
    build, shape = LAYERS[name]
    assert_agrees(tmp_path, tf_keras, build, shape)


@pytest.mark.parametrize("kind", ["Add", "Subtract", "Multiply", "Average", "Maximum", "Minimum", "Concatenate"])
def test_the_witness_agrees_on_merging_two_tensors(kind: str, tmp_path: Path) -> None:
    assert_agrees(tmp_path, tf_keras, lambda k, x: getattr(k, kind)()(x), BOARD, BOARD)


def test_a_vector_broadcasts_over_a_board_as_in_keras(tmp_path: Path) -> None:
    assert_agrees(tmp_path, tf_keras, lambda k, x: k.Multiply()(x), (4,), BOARD)


ACTIVATIONS = [
    *("elu", "exponential", "gelu", "hard_sigmoid", "linear", "mish", "relu"),
    *("selu", "sigmoid", "softmax", "softplus", "softsign", "swish", "tanh"),
]


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_the_witness_knows_every_activation_of_keras_2(name: str, tmp_path: Path) -> None:
    assert_agrees(tmp_path, tf_keras, lambda k, x: k.Activation(name)(x), BOARD)


@pytest.mark.parametrize(
    "name", [*ACTIVATIONS, "leaky_relu", "relu6", "silu", "log_softmax", "hard_silu", "log_sigmoid"]
)
def test_the_witness_knows_the_activations_of_keras_3(name: str, tmp_path: Path) -> None:
    import keras

    assert_agrees(tmp_path, keras, lambda k, x: k.Activation(name)(x), BOARD, name="net.keras")


def test_hard_sigmoid_differs_between_keras_2_and_3(tmp_path: Path) -> None:
    import keras

    feeds = {"in0": np.array([[1.0]])}
    old, _ = saved(tmp_path, tf_keras, lambda k, x: k.Activation("hard_sigmoid")(x), ((1,),))
    new, _ = saved(tmp_path, keras, lambda k, x: k.Activation("hard_sigmoid")(x), ((1,),), "net.keras")
    values = [next(iter(evaluate(read_checkpoint(path), feeds).values())).item() for path in (old, new)]
    assert values == pytest.approx([0.7, 4 / 6])


def tensorflow_operations(_: Any, inputs: Any) -> list[Any]:
    import tensorflow as tf

    x, y = inputs
    return [
        *(x + y, 1.0 - x, x * 2, x / (y * y + 1), -x, x**2, tf.maximum(0.0, x), tf.where(x > 0, x, y)),
        *(x[:, 1], x[..., None], x[:, 1:3, ::2], tf.split(x, 2, axis=-1)[1], tf.unstack(x, axis=1)[2]),
        *(tf.concat([x, y], axis=-1), tf.stack([x, y], 1), tf.add_n([x, y]), tf.reshape(x, (-1, 24))),
        *(tf.transpose(x, (0, 2, 1)), tf.squeeze(tf.expand_dims(x, 1), 1), tf.pad(x, ((0, 0), (1, 1), (0, 0)))),
        *(tf.reduce_mean(x, axis=1, keepdims=True), tf.reduce_max(x, 1), tf.reduce_sum(x, [1, 2])),
        *(tf.nn.softmax(x, axis=1), tf.nn.leaky_relu(x, 0.3), tf.nn.relu(x), tf.tanh(x), tf.math.sigmoid(x)),
        *(
            tf.matmul(x, y, transpose_b=True),
            tf.clip_by_value(x, -1, 1),
            tf.sqrt(tf.abs(x)),
            tf.cast(x > 0, tf.float32),
        ),
        *(tf.nn.l2_normalize(x, -1), tf.tile(x, [1, 2, 1]), tf.repeat(x, 2, axis=1), tf.nn.gelu(x), tf.nn.silu(x)),
    ]


def test_the_witness_agrees_on_tensorflow_operations_kept_as_layers(tmp_path: Path) -> None:
    assert_agrees(tmp_path, tf_keras, tensorflow_operations, (4, 6), (4, 6))


def keras_operations(_: Any, inputs: Any) -> list[Any]:
    from keras import ops

    x, y = inputs
    return [
        *(x + y, 1.0 - x, x * 2, x / (y * y + 1), -x, x**2, ops.maximum(x, 0.0), ops.where(x > 0, x, y)),
        *(x[:, 1], x[..., None], x[:, 1:3, ::2], ops.split(x, [1, 3], axis=-1)[1], ops.swapaxes(x, 1, 2)),
        *(ops.concatenate([x, y], axis=-1), ops.stack([x, y], 1), ops.reshape(x, (-1, 24)), ops.clip(x, -1, 1)),
        *(ops.transpose(x, (0, 2, 1)), ops.squeeze(ops.expand_dims(x, 1), 1), ops.pad(x, ((0, 0), (1, 1), (0, 0)))),
        *(ops.mean(x, axis=1, keepdims=True), ops.max(x, 1), ops.sum(x, (1, 2)), ops.softmax(x, axis=1)),
        *(ops.leaky_relu(x, negative_slope=0.3), ops.matmul(x, ops.swapaxes(y, 1, 2)), ops.tanh(x), ops.silu(x)),
        *(ops.sqrt(ops.absolute(x)), ops.log_softmax(x), ops.gelu(x), ops.tile(x, (1, 2, 1)), ops.repeat(x, 2, axis=1)),
    ]


def test_the_witness_agrees_on_operations_of_keras_3(tmp_path: Path) -> None:
    import keras

    assert_agrees(tmp_path, keras, keras_operations, (4, 6), (4, 6), name="net.keras")


def test_an_operation_that_mixes_positions_is_refused(tmp_path: Path) -> None:
    import tensorflow as tf

    path, _ = saved(tmp_path, tf_keras, lambda k, x: x - tf.reduce_mean(x), ((3,),))
    with pytest.raises(UnsupportedLayer, match=r"tf\.math\.reduce_mean.*over the batch"):
        evaluate(read_checkpoint(path), {"in0": np.zeros((4, 3))})


def test_an_unknown_layer_is_named(tmp_path: Path) -> None:
    path, _ = saved(tmp_path, tf_keras, lambda k, x: k.Masking(name="odd")(x), ((3, 2),))
    with pytest.raises(UnsupportedLayer, match="layer 'odd': no float64 rule for Masking"):
        evaluate(read_checkpoint(path), {"in0": np.zeros((4, 3, 2))})


def test_positions_are_answered_alike_alone_and_in_chunks(tmp_path: Path) -> None:
    path, _ = saved(tmp_path, tf_keras, lambda k, x: k.Conv2D(3, 3, padding="same")(x), (BOARD,))
    graph, feed = read_checkpoint(path), np.random.default_rng(7).normal(size=(CHUNK + 3, *BOARD))
    (together,) = evaluate(graph, {"in0": feed}).values()
    (alone,) = evaluate(graph, {"in0": feed[-1:]}).values()
    assert together.shape == (CHUNK + 3, 6, 7, 3)
    np.testing.assert_allclose(together[-1:], alone, atol=1e-12)


def test_no_positions_give_no_answers_of_the_right_shape(tmp_path: Path) -> None:
    path, _ = saved(tmp_path, tf_keras, lambda k, x: k.Dense(2)(k.Reshape((-1,))(x)), (BOARD,))
    (values,) = evaluate(read_checkpoint(path), {"in0": np.zeros((0, *BOARD))}).values()
    assert values.shape == (0, 2)


def test_the_seed_network_answers_as_the_books_own_graph(shared_data: Path) -> None:
    expected = np.load(shared_data / "connect4_version0019.expected.npz")
    got = evaluate(read_checkpoint(shared_data / "connect4_version0019.h5"), {"main_input": expected["main_input"]})
    assert list(got) == ["value_head", "policy_head"]
    for name, values in got.items():
        np.testing.assert_allclose(values, expected[name], atol=1e-5)
