"""A network in the shape of each of the five texts that teach how to write AlphaZero, as the text's framework saves it.

The weights are drawn, and the statistics of batch norms are not at rest.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "support"))
random = np.random.default_rng(52)


def connect4_in_keras(folder: Path) -> Path:
    """Keras' .h5 with its training: two planes of 6x7, six convolutions of 4x4 in 75 filters, channels first."""
    import tf_keras as keras

    def conv(x: Any, filters: int, size: int) -> Any:
        made = keras.layers.Conv2D(filters, size, padding="same", use_bias=False, data_format="channels_first")(x)
        return keras.layers.BatchNormalization(axis=1)(made)

    def leaky(x: Any) -> Any:
        return keras.layers.LeakyReLU()(x)

    board = keras.Input((2, 6, 7), name="main_input")
    x = leaky(conv(board, 75, 4))
    for _ in range(5):
        x = leaky(keras.layers.add([x, conv(leaky(conv(x, 75, 4)), 75, 4)]))
    worth = keras.layers.Flatten()(leaky(conv(x, 1, 1)))
    worth = leaky(keras.layers.Dense(20, use_bias=False)(worth))
    worth = keras.layers.Dense(1, use_bias=False, activation="tanh", name="value_head")(worth)
    moves = keras.layers.Flatten()(leaky(conv(x, 2, 1)))
    moves = keras.layers.Dense(42, use_bias=False, name="policy_head")(moves)
    return _saved(keras.Model(board, [worth, moves]), folder / "connect4.h5")


def go_in_keras(folder: Path) -> Path:
    """Keras' .h5: eleven planes of 9x9, four convolutions of 64 filters, channels first, a pass."""
    import tf_keras as keras

    board = x = keras.Input((11, 9, 9), name="board_input")
    for _ in range(4):
        made = keras.layers.Conv2D(64, 3, padding="same", data_format="channels_first")(x)
        x = keras.layers.Activation("relu")(keras.layers.BatchNormalization(axis=1)(made))

    def end(filters: int) -> Any:
        made = keras.layers.BatchNormalization(axis=1)(keras.layers.Conv2D(filters, 1, data_format="channels_first")(x))
        return keras.layers.Flatten()(keras.layers.Activation("relu")(made))

    moves = keras.layers.Dense(82, activation="softmax")(end(2))
    worth = keras.layers.Dense(1, activation="tanh")(keras.layers.Dense(256, activation="relu")(end(1)))
    return _saved(keras.Model(board, [moves, worth]), folder / "go.h5")


def _saved(model: Any, path: Path) -> Path:
    values = []
    for weight in model.weights:
        drawn = random.normal(size=weight.shape)
        if len(weight.shape) > 1:
            drawn /= np.sqrt(np.prod(weight.shape[:-1]))
        values.append(1 + 0.2 * np.tanh(drawn) if "gamma" in weight.name or "variance" in weight.name else drawn * 0.9)
    model.set_weights(values)
    model.compile("sgd", "mse")
    model.save(path)
    return path


def go_in_pytorch(folder: Path) -> Path:
    """PyTorch's files of SuperGo, written opcode by opcode: 17 planes of 9x9, ten blocks, and the two heads."""
    from torch_files import torch_zip
    from torch_layers import drawn

    channels, layers = 10, {"conv1": (10, 17, 3, 3), "bn1": (10,)}
    for at in range(10):
        for each in (1, 2):
            layers |= {f"res{at}.conv{each}": (channels, channels, 3, 3), f"res{at}.bn{each}": (channels,)}
    trunk = {name: each for name, each in drawn(layers).items() if not name.endswith(("conv1.bias", "conv2.bias"))}
    head: dict[str, tuple[int, ...]] = {"conv": (1, channels, 1, 1), "bn": (1,)}
    parts = {
        "extractor": trunk,
        "policy_net": drawn({**head, "fc": (82, 81)}),
        "value_net": drawn({**head, "fc1": (256, 81), "fc2": (1, 256)}),
    }
    for name, weights in parts.items():
        (folder / f"10-{name}.pth.tar").write_bytes(torch_zip(weights))
    return folder / "10-extractor.pth.tar"


def gomoku_in_tensorlayer(folder: Path) -> Path:
    """TensorFlow 1's checkpoint without a graph, variables called as TensorLayer calls them: 9 planes of 11x11."""
    import tensorflow as tf

    v1, blocks, width, cells = tf.compat.v1, 3, 64, 15 * 15
    shapes: dict[str, tuple[int, ...]] = {"conv2d_1/W_conv2d": (1, 1, 9, width), "conv2d_1/b_conv2d": (width,)}
    for at in range(blocks):
        for each in (1, 2):
            shapes |= {f"resnet_conv2d_{at}_{each}/W_conv2d": (3, 3, width, width)}
            shapes |= {f"resnet_conv2d_{at}_{each}/b_conv2d": (width,), f"resnet_bn_{at}_{each}": (width,)}
    for at, filters in ((2, 2), (3, 1)):
        shapes |= {f"conv2d_{at}/W_conv2d": (1, 1, width, filters), f"conv2d_{at}/b_conv2d": (filters,)}
        shapes |= {f"bn_{at - 1}": (filters,)}
    dense = {"dense_layer_1": (2 * cells, 121), "dense_layer_2": (cells, 256), "flatten_layer_3": (256, 1)}
    shapes |= {f"{name}/W": shape for name, shape in dense.items()}
    shapes |= {f"{name}/b": shape[1:] for name, shape in dense.items()}
    with tf.Graph().as_default(), v1.Session() as session, v1.variable_scope("model"):
        for name, shape in shapes.items():
            drawn = (random.normal(size=shape) / max(1.0, np.sqrt(np.prod(shape[:-1])))).astype(np.float32)
            if "bn_" not in name:
                v1.get_variable(name, initializer=drawn, use_resource=False)
                continue
            for part in ("beta", "gamma", "moving_mean", "moving_variance"):
                about = 1 if part in ("gamma", "moving_variance") else 0
                value = (about + 0.2 * np.tanh(random.normal(size=shape))).astype(np.float32)
                v1.get_variable(f"{name}/{part}", initializer=value, use_resource=False)
        session.run(v1.global_variables_initializer())
        v1.train.Saver().save(session, str(folder / "best_policy.model"), write_meta_graph=False)
    return folder / "best_policy.model.index"


def othello_in_a_session(folder: Path) -> Path:
    """TensorFlow 1's checkpoint with its graph, loss and optimizer: a board of 6x6, a flag and a rate that are fed."""
    import tensorflow as tf

    v1 = tf.compat.v1

    def variable(name: str, *shape: int) -> Any:
        drawn = (random.normal(size=shape) / np.sqrt(np.prod(shape[:-1]))).astype(np.float32)
        return v1.get_variable(name, initializer=drawn, use_resource=False)

    def norm(x: Any, training: Any, name: str) -> Any:
        """As tf.layers.batch_normalization of TensorFlow 1 writes it: both ways, and a Switch and Merge between."""
        gamma, beta = (
            v1.get_variable(f"{name}/{part}", x.shape[-1:], use_resource=False) for part in ("gamma", "beta")
        )
        mean, variance = (
            v1.get_variable(f"{name}/moving_{part}", initializer=value, use_resource=False, trainable=False)
            for part, value in (
                ("mean", 0.1 * random.normal(size=x.shape[-1]).astype(np.float32)),
                ("variance", 1 + 0.3 * random.random(size=x.shape[-1]).astype(np.float32)),
            )
        )
        axes = list(range(len(x.shape) - 1))
        kept, seen = tf.raw_ops.Switch(data=mean, pred=training)
        own = tf.reduce_mean(x, axes) + 0 * seen
        mean = tf.raw_ops.Merge(inputs=[kept, own])[0]
        return gamma * (x - mean) * tf.math.rsqrt(variance + 1e-3) + beta

    def drop(x: Any, rate: Any, training: Any) -> Any:
        """As tf.layers.dropout of TensorFlow 1 writes it: in the branch of training alone."""
        kept, seen = tf.raw_ops.Switch(data=x, pred=training)
        return tf.raw_ops.Merge(inputs=[kept, v1.nn.dropout(seen, rate=rate)])[0]

    with tf.Graph().as_default(), v1.Session() as session:
        boards = v1.placeholder(tf.float32, (None, 6, 6))
        rate, training = v1.placeholder(tf.float32), v1.placeholder(tf.bool, name="is_training")
        wanted, result = v1.placeholder(tf.float32, (None, 37)), v1.placeholder(tf.float32, (None,))
        x = tf.reshape(boards, [-1, 6, 6, 1])
        for at, padding in enumerate(("SAME", "SAME", "VALID", "VALID")):
            kernel = variable(f"conv{at}/kernel", 3, 3, 1 if at == 0 else 64, 64)
            x = tf.nn.relu(norm(tf.nn.conv2d(x, kernel, 1, padding), training, f"bn{at}"))
        x = tf.reshape(x, [-1, 64 * 2 * 2])
        for at, (before, units) in enumerate(((256, 256), (256, 128))):
            x = tf.nn.relu(norm(tf.matmul(x, variable(f"fc{at}/kernel", before, units)), training, f"fbn{at}"))
            x = drop(x, rate, training)
        moves = tf.matmul(x, variable("pi/kernel", 128, 37)) + variable("pi/bias", 37)
        tf.nn.softmax(moves, name="prob")
        worth = tf.tanh(tf.matmul(x, variable("v/kernel", 128, 1)) + variable("v/bias", 1), name="v")
        loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(wanted, moves))
        loss += tf.reduce_mean((result - tf.reshape(worth, [-1])) ** 2)
        v1.train.AdamOptimizer(0.001).minimize(loss)
        session.run(v1.global_variables_initializer())
        v1.train.Saver().save(session, str(folder / "best.ckpt"))
    return folder / "best.ckpt.meta"


# Go's planes of liberties are none that azx draws: a stone has four or more here, as most have.
_LIBERTIES = ["zeros", "zeros", "zeros", "mover", "zeros", "zeros", "zeros", "opponent"]
NEAR_GO = {
    "game": "go",
    "settings": {"size": 9},
    "layout": "channels_first",
    "board": [9, 9],
    "planes": [*_LIBERTIES, "player1_to_move", "player0_to_move", "zeros"],
    "actions": "point",
}
OTHELLO = {
    "game": "reversi",
    "settings": {"size": 6},
    "layout": "sum",
    "board": [6, 6],
    "planes": ["signed"],
    "actions": "cell_and_pass",
}
# By what a text has: its network, how it is saved, and the options with which azx plays it; a dict is a file's content.
TEXTS: dict[str, tuple[Callable[[Path], Path], tuple[str | dict[str, Any], ...]]] = {
    "Connect4, Keras": (connect4_in_keras, ("--game", "connect4")),
    "Go, Keras": (go_in_keras, ("--encoding", NEAR_GO)),
    "Go, PyTorch": (go_in_pytorch, ("--encoding", "go-mover-first")),
    "Gomoku, TensorLayer": (
        gomoku_in_tensorlayer,
        ("--encoding", "gomoku-history-opponent-in-turn-player0-to-move-input-flipped"),
    ),
    "Othello, TensorFlow 1": (othello_in_a_session, ("--encoding", OTHELLO)),
}
