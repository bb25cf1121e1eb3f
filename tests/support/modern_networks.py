"""Networks of the layers of 2020 to 2026, made in Keras 3 from a number: 45 small ones, one of each design.

Each has a board as input and two or more heads, whose names say what they are. Weights are drawn, biases and
statistics too, so that a wrong order of them shows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Model = Any
Tensor = Any
Maker = Callable[[Any, Any, Any], Model]
ROWS, COLUMNS, PLANES, MOVES = 6, 7, 2, 7
CELLS, WIDTH = ROWS * COLUMNS, 16
DESIGNS: dict[str, Maker] = {}


def make(name: str, seed: int = 0) -> Model:
    """The network of a design with weights of its own; needs Keras 3."""
    import keras

    keras.utils.set_random_seed(seed)
    model = DESIGNS[name](keras, keras.layers, keras.ops)
    draw_weights(model, seed)
    return QUANTISED[name](model) if name in QUANTISED else model


def draw_weights(model: Model, seed: int) -> None:
    """Other numbers for what Keras starts at zero or one, as training would leave them."""
    random = np.random.default_rng(seed)
    for weight in model.weights:
        kind, shape = weight.path.rsplit("/", 1)[-1], tuple(weight.shape)
        if "seed" in weight.path or not np.issubdtype(
            np.dtype(str(weight.dtype).replace("bfloat16", "float32")), np.floating
        ):
            continue
        if "variance" in kind:
            weight.assign(0.5 + random.random(shape))
        elif kind in ("gamma", "scale"):
            weight.assign(1 + 0.2 * random.normal(size=shape))
        elif len(shape) == 1 or "bias" in kind or kind in ("alpha", "beta"):
            weight.assign(0.2 * random.normal(size=shape))


def design(maker: Maker) -> Maker:
    """Enter a function among the designs, under its name."""
    DESIGNS[maker.__name__] = maker
    return maker


def board(keras: Any, planes: int = PLANES, dtype: str = "float32") -> Tensor:
    """The input: a board with planes last."""
    return keras.Input((ROWS, COLUMNS, planes), name="board", dtype=dtype)


def heads(keras: Any, door: Any, x: Tensor) -> Model:
    """A policy and a value behind a vector or a board."""
    layers = keras.layers
    flat = layers.Flatten()(x) if len(x.shape) > 2 else x
    policy = layers.Dense(MOVES, activation="softmax", name="policy")(flat)
    value = layers.Dense(1, activation="tanh", name="value")(layers.Dense(8, activation="relu")(flat))
    return keras.Model(door, [policy, value])


def cells(layers: Any, x: Tensor, width: int = WIDTH) -> Tensor:
    """The board as one vector a cell, with a learned place for each."""
    x = layers.Conv2D(width, 3, padding="same")(x)
    return layers.Reshape((CELLS, width))(x)


@design
def transformer(keras: Any, layers: Any, ops: Any) -> Model:
    """Layer norm before self-attention and before a GELU MLP."""
    door = board(keras)
    x = cells(layers, door)
    for _ in range(2):
        y = layers.LayerNormalization(epsilon=1e-6)(x)
        x = layers.Add()([x, layers.MultiHeadAttention(2, 8, dropout=0.1)(y, y)])
        y = layers.LayerNormalization()(x)
        y = layers.Dense(WIDTH)(layers.Dropout(0.1)(layers.Dense(32, activation="gelu")(y)))
        x = layers.Add()([x, y])
    return heads(keras, door, layers.GlobalAveragePooling1D()(x))


@design
def transformer_post_norm(keras: Any, layers: Any, ops: Any) -> Model:
    """The same norms behind the sums, heads of another width for values, and no biases."""
    door = board(keras)
    x = cells(layers, door)
    y = layers.MultiHeadAttention(3, 4, value_dim=6, use_bias=False)(x, x)
    x = layers.LayerNormalization()(x + y)
    x = layers.LayerNormalization()(x + layers.Dense(WIDTH)(layers.Dense(24, activation="relu")(x)))
    return heads(keras, door, x)


@design
def board_attention(keras: Any, layers: Any, ops: Any) -> Model:
    """Attention over the board's two axes as they are, without a reshape before it."""
    door = board(keras)
    x = layers.Conv2D(8, 3, padding="same")(door)
    x = x + layers.MultiHeadAttention(2, 4, attention_axes=(1, 2))(x, x)
    return heads(keras, door, layers.Conv2D(4, 1)(x))


@design
def cross_attention(keras: Any, layers: Any, ops: Any) -> Model:
    """Rows that ask columns, and an output of another width."""
    door = board(keras)
    x = layers.Conv2D(8, 3, padding="same", activation="silu")(door)
    rows = layers.Reshape((ROWS, COLUMNS * 8))(x)
    columns = layers.Reshape((COLUMNS, ROWS * 8))(layers.Permute((2, 1, 3))(x))
    y = layers.MultiHeadAttention(2, 6, output_shape=12)(rows, columns, columns)
    return heads(keras, door, y)


@design
def grouped_queries(keras: Any, layers: Any, ops: Any) -> Model:
    """Grouped-query attention, RMS norms and a gated MLP (SwiGLU)."""
    door = board(keras)
    x = cells(layers, door)
    y = layers.RMSNormalization()(x)
    x = x + layers.GroupQueryAttention(4, 4, 2)(y, y)
    y = layers.RMSNormalization(epsilon=1e-5)(x)
    y = layers.Dense(32, activation="silu", use_bias=False)(y) * layers.Dense(32, use_bias=False)(y)
    return heads(keras, door, x + layers.Dense(WIDTH, use_bias=False)(y))


@design
def rms_scaled_layer_norm(keras: Any, layers: Any, ops: Any) -> Model:
    """UnitNormalization and group norms on a convolutional tower."""
    door = board(keras)
    x = layers.Conv2D(12, 3, padding="same")(door)
    x = layers.GroupNormalization(4)(x)
    x = layers.Activation("mish")(x)
    x = layers.UnitNormalization(axis=-1)(layers.Conv2D(8, 1)(x))
    return heads(keras, door, x)


@design
def einsum_attention(keras: Any, layers: Any, ops: Any) -> Model:
    """Attention of plain operations: einsum, softmax, einsum."""
    door = board(keras)
    x = cells(layers, door)
    q, k, v = (layers.Reshape((CELLS, 2, 8))(layers.Dense(16)(x)) for _ in range(3))
    scores = ops.einsum("bqhd,bkhd->bhqk", q, k) / 8**0.5
    y = ops.einsum("bhqk,bkhd->bqhd", ops.softmax(scores, axis=-1), v)
    return heads(keras, door, x + layers.Reshape((CELLS, 16))(y))


@design
def matmul_attention(keras: Any, layers: Any, ops: Any) -> Model:
    """One product for queries, keys and values, cut by split; transpose and matmul."""
    door = board(keras)
    x = cells(layers, door)
    q, k, v = ops.split(layers.Dense(3 * WIDTH)(x), 3, axis=-1)
    q, k, v = (ops.transpose(ops.reshape(each, (-1, CELLS, 2, 8)), (0, 2, 1, 3)) for each in (q, k, v))
    scores = ops.matmul(q, ops.swapaxes(k, -1, -2)) * (8**-0.5)
    y = ops.matmul(ops.softmax(scores), v)
    y = ops.reshape(ops.transpose(y, (0, 2, 1, 3)), (-1, CELLS, WIDTH))
    return heads(keras, door, x + layers.Dense(WIDTH)(y))


@design
def dot_product_layer(keras: Any, layers: Any, ops: Any) -> Model:
    """Keras' own Attention layer, scaled, and its additive sister."""
    door = board(keras)
    x = cells(layers, door, 8)
    y = layers.Attention(use_scale=True)([x, layers.Dense(8)(x)])
    z = layers.AdditiveAttention()([layers.Dense(8)(x), x])
    return heads(keras, door, layers.Concatenate()([x, y, z]))


@design
def from_to_policy(keras: Any, layers: Any, ops: Any) -> Model:
    """A policy of pairs of cells, as chess networks have it: queries times keys."""
    door = board(keras)
    x = cells(layers, door)
    q, k = layers.EinsumDense("bce,ed->bcd", output_shape=(None, 12), bias_axes="d")(x), layers.Dense(12)(x)
    pairs = layers.Dot(axes=(2, 2))([q, k])
    policy = layers.Activation("softmax", name="policy")(layers.Flatten()(layers.Rescaling(12**-0.5)(pairs)))
    value = layers.Dense(3, activation="softmax", name="wdl")(layers.GlobalAveragePooling1D()(x))
    return keras.Model(door, [policy, value])


@design
def einsum_dense(keras: Any, layers: Any, ops: Any) -> Model:
    """A mixer: dense layers over cells and over features, with EinsumDense."""
    door = board(keras)
    x = cells(layers, door)
    y = layers.EinsumDense("bce,cd->bde", output_shape=(20, WIDTH), bias_axes="d", activation="gelu")(
        layers.LayerNormalization()(x)
    )
    x = x + layers.EinsumDense("bde,dc->bce", output_shape=(CELLS, WIDTH), bias_axes="ce")(y)
    x = layers.EinsumDense("...x,xy->...y", output_shape=(WIDTH,), activation="relu")(x)
    return heads(keras, door, x)


@design
def mixer(keras: Any, layers: Any, ops: Any) -> Model:
    """MLP-Mixer: Permute between dense layers over cells and over features."""
    door = board(keras)
    x = cells(layers, door)
    y = layers.Permute((2, 1))(layers.LayerNormalization()(x))
    y = layers.Dense(CELLS)(layers.Dense(20, activation="gelu")(y))
    x = layers.Add()([x, layers.Permute((2, 1))(y)])
    y = layers.Dense(WIDTH)(layers.Dense(32, activation="gelu")(layers.LayerNormalization()(x)))
    return heads(keras, door, layers.Add()([x, y]))


@design
def gated_mlp(keras: Any, layers: Any, ops: Any) -> Model:
    """gMLP: one half of the features gates the other across cells."""
    door = board(keras)
    x = cells(layers, door)
    y = layers.Dense(32, activation="gelu")(layers.LayerNormalization()(x))
    u, v = ops.split(y, 2, axis=-1)
    v = ops.transpose(layers.Dense(CELLS)(ops.transpose(layers.LayerNormalization()(v), (0, 2, 1))), (0, 2, 1))
    return heads(keras, door, x + layers.Dense(WIDTH)(u * v))


@design
def convnext(keras: Any, layers: Any, ops: Any) -> Model:
    """Wide windows by channel, layer norm, GELU, a scale of each feature."""
    door = board(keras)
    x = layers.Conv2D(12, 3, padding="same")(door)
    for _ in range(2):
        y = layers.LayerNormalization(epsilon=1e-6)(layers.DepthwiseConv2D(5, padding="same")(x))
        y = layers.Dense(12)(layers.Dense(24, activation="gelu")(y))
        x = layers.Add()([x, layers.Dropout(0.2, noise_shape=(None, 1, 1, 1))(y)])
    return heads(keras, door, layers.GlobalAveragePooling2D()(x))


@design
def mobile_blocks(keras: Any, layers: Any, ops: Any) -> Model:
    """Inverted residuals with hard swish, and squeeze and excitation by hard sigmoid with keepdims."""
    door = board(keras)
    x = layers.Conv2D(8, 3, padding="same", use_bias=False)(door)
    x = layers.Activation("hard_silu")(layers.BatchNormalization()(x))
    y = layers.Conv2D(24, 1, use_bias=False, activation="hard_swish")(x)
    y = layers.BatchNormalization(momentum=0.999)(layers.DepthwiseConv2D(3, padding="same", use_bias=False)(y))
    s = layers.Conv2D(6, 1, activation="relu")(layers.GlobalAveragePooling2D(keepdims=True)(y))
    y = layers.Multiply()([y, layers.Conv2D(24, 1, activation="hard_sigmoid")(s)])
    return heads(keras, door, layers.Add()([x, layers.Conv2D(8, 1)(y)]))


@design
def lc0_squeeze(keras: Any, layers: Any, ops: Any) -> Model:
    """Squeeze and excitation as lc0 has it: gates and shifts from one product, by split."""
    door = board(keras)
    x = layers.Conv2D(12, 3, padding="same", activation="mish")(door)
    s = layers.Dense(24)(layers.Dense(6, activation="mish")(layers.GlobalAveragePooling2D()(x)))
    gates, shifts = ops.split(ops.reshape(s, (-1, 1, 1, 24)), 2, axis=-1)
    x = layers.Activation("mish")(ops.sigmoid(gates) * x + shifts)
    return heads(keras, door, layers.Identity()(x))


@design
def katago_pooling(keras: Any, layers: Any, ops: Any) -> Model:
    """Means and maxima of the whole board, added to each cell; ownership beside policy and value."""
    door = board(keras)
    x = layers.Conv2D(12, 3, padding="same", activation="relu")(door)
    g = layers.Conv2D(6, 3, padding="same", activation="relu")(x)
    pooled = ops.concatenate([ops.mean(g, axis=(1, 2)), ops.mean(g, axis=(1, 2)) * 0.3, ops.max(g, axis=(1, 2))], -1)
    x = ops.relu(x + ops.expand_dims(ops.expand_dims(layers.Dense(12)(pooled), 1), 1))
    pooled = layers.Concatenate()([layers.GlobalAveragePooling2D()(x), layers.GlobalMaxPooling2D()(x)])
    policy = layers.Dense(MOVES, activation="softmax", name="policy")(layers.Flatten()(layers.Conv2D(2, 1)(x)))
    value = layers.Dense(3, activation="softmax", name="value")(pooled)
    owner = layers.Conv2D(1, 1, activation="tanh", name="ownership")(x)
    return keras.Model(door, [policy, value, owner])


@design
def line_convolutions(keras: Any, layers: Any, ops: Any) -> Model:
    """Convolutions along a line of cells, with pooling, padding, cropping and norms along it."""
    door = board(keras)
    x = layers.Reshape((CELLS, PLANES))(door)
    x = layers.ReLU()(layers.BatchNormalization()(layers.Conv1D(12, 3, padding="same")(x)))
    x = layers.MaxPooling1D(2)(layers.SeparableConv1D(10, 3, padding="same")(x))
    x = layers.Cropping1D((1, 2))(layers.ZeroPadding1D(2)(x))
    x = layers.AveragePooling1D(2)(layers.DepthwiseConv1D(3, depth_multiplier=2)(x))
    x = layers.Conv1D(8, 3, dilation_rate=2, padding="causal")(layers.UpSampling1D(2)(x))
    x = layers.Concatenate()([layers.GlobalAveragePooling1D()(x), layers.GlobalMaxPooling1D()(x)])
    return heads(keras, door, layers.SpatialDropout1D(0.1)(layers.Reshape((1, 16))(x)))


@design
def line_channels_first(keras: Any, layers: Any, ops: Any) -> Model:
    """A strided convolution along columns, and a transposed one back."""
    door = board(keras)
    x = layers.Permute((2, 1, 3))(door)
    x = layers.Reshape((COLUMNS, ROWS * PLANES))(x)
    x = layers.Conv1D(12, 2, strides=2, activation="relu", groups=2)(x)
    x = layers.Conv1DTranspose(8, 3, strides=2, padding="same", activation="elu")(x)
    return heads(keras, door, x)


@design
def three_dimensions(keras: Any, layers: Any, ops: Any) -> Model:
    """Convolutions and pools over planes, rows and columns."""
    door = keras.Input((4, ROWS, COLUMNS, 2), name="history")
    x = layers.Conv3D(6, 3, padding="same", activation="relu")(door)
    x = layers.BatchNormalization()(layers.Conv3D(6, (2, 3, 3), strides=(2, 1, 1), padding="same")(x))
    x = layers.MaxPooling3D((2, 1, 1))(layers.ReLU()(x))
    x = layers.Concatenate()([layers.GlobalAveragePooling3D()(x), layers.Flatten()(x)])
    return heads(keras, door, x)


@design
def gru(keras: Any, layers: Any, ops: Any) -> Model:
    """A GRU over the rows, and one that keeps its steps."""
    door = board(keras)
    x = layers.Reshape((ROWS, COLUMNS * PLANES))(door)
    x = layers.GRU(10, return_sequences=True)(x)
    return heads(keras, door, layers.GRU(8)(x))


@design
def lstm(keras: Any, layers: Any, ops: Any) -> Model:
    """An LSTM both ways over the rows, then a plain recurrence."""
    door = board(keras)
    x = layers.TimeDistributed(layers.Dense(8, activation="relu"))(layers.Reshape((ROWS, COLUMNS * PLANES))(door))
    x = layers.Bidirectional(layers.LSTM(6, return_sequences=True))(x)
    x = layers.LSTM(8, return_sequences=True, go_backwards=True)(x)
    return heads(keras, door, layers.SimpleRNN(8)(x))


@design
def board_embedding(keras: Any, layers: Any, ops: Any) -> Model:
    """A board of whole numbers 0, 1, 2, each a learned vector."""
    door = keras.Input((ROWS, COLUMNS), name="board", dtype="int32")
    x = layers.Embedding(3, 6)(door)
    return heads(keras, door, layers.Conv2D(8, 3, padding="same", activation="relu")(x))


@design
def board_one_hot(keras: Any, layers: Any, ops: Any) -> Model:
    """A board of whole numbers 0, 1, 2 as planes, by one_hot."""
    door = keras.Input((ROWS, COLUMNS), name="board", dtype="int32")
    x = ops.one_hot(door, 3)
    return heads(keras, door, layers.Conv2D(8, 3, padding="same", activation="relu")(x))


@design
def place_embedding(keras: Any, layers: Any, ops: Any) -> Model:
    """A learned vector for each cell, added to what stands there."""
    door = board(keras)
    x = layers.Dense(WIDTH)(layers.Reshape((CELLS, PLANES))(door))
    places = layers.Embedding(CELLS, WIDTH)(ops.arange(CELLS))
    x = x + places
    y = layers.LayerNormalization()(x)
    return heads(keras, door, x + layers.MultiHeadAttention(2, 8)(y, y))


@design
def masked_by_input(keras: Any, layers: Any, ops: Any) -> Model:
    """Legal moves come as an input; others have no chance: a large number is taken away."""
    door, legal = board(keras), keras.Input((MOVES,), name="legal")
    x = layers.Flatten()(layers.Conv2D(8, 3, padding="same", activation="relu")(door))
    logits = layers.Dense(MOVES)(x) - (1.0 - legal) * 1e9
    policy = layers.Softmax(name="policy")(logits)
    value = layers.Dense(1, activation="tanh", name="value")(x)
    return keras.Model([door, legal], [policy, value])


@design
def masked_by_where(keras: Any, layers: Any, ops: Any) -> Model:
    """Legal moves are columns whose top cell is empty, by comparison and where."""
    door = board(keras)
    x = layers.Flatten()(layers.Conv2D(8, 3, padding="same", activation="relu")(door))
    full = ops.sum(door[:, 0], axis=-1) > 0.5
    logits = ops.where(full, -1e9, layers.Dense(MOVES)(x))
    policy = layers.Softmax(name="policy")(logits)
    value = layers.Dense(1, activation="tanh", name="value")(x)
    return keras.Model(door, [policy, value])


@design
def masked_softmax(keras: Any, layers: Any, ops: Any) -> Model:
    """Softmax's own mask, from a comparison."""
    door, legal = board(keras), keras.Input((MOVES,), name="legal")
    x = layers.Flatten()(layers.Conv2D(8, 3, padding="same", activation="relu")(door))
    policy = layers.Softmax(name="policy")(layers.Dense(MOVES)(x), mask=ops.greater(legal, 0.5))
    value = layers.Dense(1, activation="tanh", name="value")(x)
    return keras.Model([door, legal], [policy, value])


@design
def spectral(keras: Any, layers: Any, ops: Any) -> Model:
    """Spectral normalization around a convolution and a dense layer."""
    door = board(keras)
    x = layers.SpectralNormalization(layers.Conv2D(8, 3, padding="same", activation="relu"))(door)
    x = layers.SpectralNormalization(layers.Dense(16, activation="relu"))(layers.Flatten()(x))
    return heads(keras, door, x)


def _plain(keras: Any, layers: Any, ops: Any) -> Model:
    door = board(keras)
    x = layers.BatchNormalization()(layers.Conv2D(8, 3, padding="same", activation="relu")(door))
    x = layers.Dense(16, activation="relu")(layers.Flatten()(x))
    return heads(keras, door, x)


@design
def quantised_int8(keras: Any, layers: Any, ops: Any) -> Model:
    """Dense layers quantised to int8 by Keras."""
    return _plain(keras, layers, ops)


@design
def quantised_int4(keras: Any, layers: Any, ops: Any) -> Model:
    """Dense layers quantised to int4 by Keras."""
    return _plain(keras, layers, ops)


def _quantise(mode: str) -> Callable[[Model], Model]:
    def run(model: Model) -> Model:
        model.quantize(mode)
        return model

    return run


QUANTISED = {"quantised_int8": _quantise("int8"), "quantised_int4": _quantise("int4")}


@design
def resized(keras: Any, layers: Any, ops: Any) -> Model:
    """The board resized, and a smooth UpSampling2D."""
    door = board(keras)
    x = layers.Resizing(8, 8)(door)
    x = layers.Conv2D(8, 3, strides=2, padding="same", activation="relu")(x)
    return heads(keras, door, layers.UpSampling2D(2, interpolation="bilinear")(x))


@design
def u_net(keras: Any, layers: Any, ops: Any) -> Model:
    """Down by pools, up by transposed convolutions, joined on the way."""
    door = board(keras)
    x = layers.ZeroPadding2D(((1, 1), (0, 1)))(door)
    a = layers.Conv2D(6, 3, padding="same", activation="leaky_relu")(x)
    b = layers.Conv2D(8, 3, padding="same", activation="elu")(layers.AveragePooling2D(2)(a))
    c = layers.Conv2DTranspose(6, 2, strides=2)(b)
    x = layers.Concatenate()([a, c])
    return heads(keras, door, layers.Cropping2D(((1, 1), (0, 1)))(x))


@design
def dueling(keras: Any, layers: Any, ops: Any) -> Model:
    """Dueling Q: a value plus what each move has above the mean."""
    door = board(keras)
    x = layers.Flatten()(layers.Conv2D(8, 3, activation="relu")(door))
    value, more = layers.Dense(1, name="value")(x), layers.Dense(MOVES)(x)
    q = layers.Identity(name="q")(value + (more - ops.mean(more, axis=1, keepdims=True)))
    return keras.Model(door, [q, value])


@design
def data_augmentation(keras: Any, layers: Any, ops: Any) -> Model:
    """Layers that act in training alone, and a normalization with statistics of the file."""
    door = board(keras)
    x = layers.Normalization(axis=-1, mean=[0.2, 0.3], variance=[0.16, 0.21])(door)
    x = layers.GaussianNoise(0.1)(layers.RandomFlip("horizontal")(x))
    x = layers.SpatialDropout2D(0.1)(layers.Conv2D(8, 3, padding="same", activation="relu")(x))
    return heads(keras, door, layers.AlphaDropout(0.1)(layers.ActivityRegularization(l2=0.1)(x)))


@design
def half_precision(keras: Any, layers: Any, ops: Any) -> Model:
    """A policy of mixed_float16, heads in float32."""
    door = board(keras)
    x = layers.Conv2D(8, 3, padding="same", activation="relu", dtype="mixed_float16")(door)
    x = layers.Flatten(dtype="mixed_float16")(layers.BatchNormalization(dtype="mixed_float16")(x))
    policy = layers.Dense(MOVES, activation="softmax", name="policy", dtype="float32")(x)
    value = layers.Dense(1, activation="tanh", name="value", dtype="float32")(x)
    return keras.Model(door, [policy, value])


@design
def nested(keras: Any, layers: Any, ops: Any) -> Model:
    """A Sequential tower within the model, and outputs by name."""
    door = board(keras)
    tower = keras.Sequential(
        [
            keras.Input((ROWS, COLUMNS, PLANES)),
            layers.Conv2D(8, 3, padding="same"),
            layers.LayerNormalization(axis=(1, 2, 3)),
            layers.Activation("gelu"),
        ],
        name="tower",
    )
    x = layers.Flatten()(tower(door))
    policy = layers.Dense(MOVES, activation="softmax", name="policy")(x)
    value = layers.Dense(1, activation="tanh", name="value")(x)
    return keras.Model(door, {"policy": policy, "value": value})


@design
def activations(keras: Any, layers: Any, ops: Any) -> Model:
    """Functions that Keras 3 added."""
    door = board(keras)
    x = layers.Conv2D(8, 3, padding="same")(door)
    for name in ("celu", "hard_tanh", "soft_shrink", "squareplus", "tanh_shrink", "log_sigmoid", "hard_shrink"):
        x = layers.Conv2D(8, 1, activation=name)(x)
    x = layers.PReLU(shared_axes=[1, 2])(layers.Conv2D(8, 1, activation="sparse_plus")(x))
    return heads(keras, door, layers.Conv2D(8, 1, activation="sparse_sigmoid")(x))


@design
def gated_units(keras: Any, layers: Any, ops: Any) -> Model:
    """Halves of which one gates the other, by slices, and an exact GELU."""
    door = board(keras)
    x = layers.Conv2D(16, 3, padding="same")(door)
    x = x[..., :8] * ops.sigmoid(x[..., 8:])
    x = ops.gelu(layers.Conv2D(16, 1)(x), approximate=False)
    return heads(keras, door, ops.silu(x))


@design
def symmetric(keras: Any, layers: Any, ops: Any) -> Model:
    """The mean of a tower over a board and its mirror image, by flip and stack."""
    door = board(keras)
    tower = layers.Conv2D(8, 3, padding="same", activation="relu")
    x = ops.mean(ops.stack([tower(door), ops.flip(tower(ops.flip(door, axis=2)), axis=2)], axis=1), axis=1)
    return heads(keras, door, x)


@design
def global_features(keras: Any, layers: Any, ops: Any) -> Model:
    """Numbers of the whole position, repeated on each cell."""
    door, more = board(keras), keras.Input((5,), name="features")
    y = layers.Reshape((ROWS, COLUMNS, 4))(layers.RepeatVector(CELLS)(layers.Dense(4, activation="relu")(more)))
    x = layers.Conv2D(8, 3, padding="same", activation="relu")(layers.Concatenate()([door, y]))
    flat = layers.Flatten()(x)
    policy = layers.Dense(MOVES, activation="softmax", name="policy")(flat)
    value = layers.Dense(1, activation="tanh", name="value")(flat)
    return keras.Model([door, more], [policy, value])


@design
def tiled_features(keras: Any, layers: Any, ops: Any) -> Model:
    """The same by tile; a pad by an operation, a sum of squares, and ones."""
    door = board(keras)
    x = layers.Conv2D(8, 3, padding="valid", activation="relu")(ops.pad(door, ((0, 0), (1, 1), (1, 1), (0, 0))))
    mean = ops.tile(ops.mean(x, axis=(1, 2), keepdims=True), (1, ROWS, COLUMNS, 1))
    norm = ops.sqrt(ops.sum(ops.square(x), axis=-1, keepdims=True) + 1e-3)
    x = layers.Concatenate()([x, mean, norm * ops.ones_like(x[..., :1])])
    return heads(keras, door, x)


@design
def many_heads(keras: Any, layers: Any, ops: Any) -> Model:
    """Win, draw and loss; moves left; score; and the policy of the reply."""
    door = board(keras)
    x = layers.Conv2D(8, 3, padding="same", activation="relu")(door)
    flat = layers.Flatten()(layers.LayerNormalization(center=False)(x))
    made = {
        "policy": layers.Dense(MOVES, activation="softmax", name="policy")(flat),
        "wdl": layers.Dense(3, activation="softmax", name="wdl")(flat),
        "moves_left": layers.Dense(1, activation="relu", name="moves_left")(flat),
        "reply": layers.Dense(MOVES, activation="softmax", name="reply_policy")(flat),
    }
    return keras.Model(door, made)


@design
def memory_of_moves(keras: Any, layers: Any, ops: Any) -> Model:
    """The last moves by number, each a learned vector, read by attention with a causal mask."""
    door = keras.Input((12,), name="moves", dtype="int32")
    x = layers.Embedding(MOVES + 1, WIDTH)(door)
    x = x + layers.MultiHeadAttention(2, 8)(x, x, use_causal_mask=True)
    x = layers.LayerNormalization()(x)
    return heads(keras, door, x[:, -1])


@design
def convolutional_memory(keras: Any, layers: Any, ops: Any) -> Model:
    """A ConvLSTM over the boards of the last moves, after a convolution of each board by itself."""
    door = keras.Input((3, ROWS, COLUMNS, 2), name="history")
    x = layers.TimeDistributed(layers.Conv2D(6, 3, padding="same", activation="relu"))(door)
    x = layers.ConvLSTM2D(6, 3, padding="same")(x)
    return heads(keras, door, x)
