"""The Connect4 reference network: 5 residual blocks of 75 filters, kernels 4x4, no biases.

One description builds it twice: channels_last to train (a CPU has no fast channels_first convolution) and
channels_first to save, the usual form of checkpoints.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from .. import legacy_file
from ..residual_network import Layers

ROWS, COLUMNS, CELLS = 6, 7, 42
FILTERS, KERNEL, BLOCKS = 75, 4, 5
VALUE_UNITS = 20
SLOPE = 0.3


def build(data_format: str, precision: str = "float32") -> Any:
    """An untrained `tf_keras.Model` of input `main_input`, outputs `value_head`, `policy_head`.

    `data_format` is "channels_first" (input (2, 6, 7)) or "channels_last" (input (6, 7, 2)).
    `precision` is the tower's, float32 or mixed_bfloat16; weights and heads are always float32.
    """
    import tf_keras

    tf_keras.backend.clear_session()
    first = data_format == "channels_first"
    leaky = partial(tf_keras.layers.LeakyReLU, SLOPE)
    # In short runs the averages must not still depend on their first values.
    momentum = 0.99 if first else 0.95
    layers = Layers(tf_keras, precision, leaky, data_format=data_format, momentum=momentum, use_bias=False)
    board = tf_keras.layers.Input((2, ROWS, COLUMNS) if first else (ROWS, COLUMNS, 2), name="main_input")
    tower = layers.convolve(board, FILTERS, KERNEL)
    for _ in range(BLOCKS):
        tower = layers.block(tower, FILTERS, KERNEL)
    hidden = layers.dense(layers.flat(layers.convolve(tower, 1, 1)), VALUE_UNITS)
    value = layers.dense(leaky(dtype="float32")(hidden), 1, "tanh", "value_head")
    policy = layers.dense(layers.flat(layers.convolve(tower, 2, 1)), CELLS, "linear", "policy_head")
    return tf_keras.Model(board, [value, policy], name="connect4")


def to_channels_first(trained: Any) -> Any:
    """The same network channels_first, from a trained channels_last one.

    Convolution kernels are stored alike in both. Flatten differs: it goes channel by channel in one and cell by cell in
    the other. So the rows of the policy's kernel are reordered.
    """
    return _with_weights(build("channels_first"), trained, (CELLS, -1))


def to_channels_last(path: Path, precision: str = "float32") -> Any:
    """The network of a saved checkpoint, to train further: the inverse of `to_channels_first`."""
    import tf_keras

    saved = tf_keras.models.load_model(path, compile=False)
    return _with_weights(build("channels_last", precision), saved, (-1, CELLS))


def _with_weights(model: Any, other: Any, rows: tuple[int, int]) -> Any:
    """`model` with the weights of `other`, the rows of the policy's kernel taken in the order of `rows`."""
    weights = other.get_weights()
    at = next(index for index, variable in enumerate(other.weights) if variable.name.startswith("policy_head/"))
    units = weights[at].shape[1]
    weights[at] = np.ascontiguousarray(weights[at].reshape(*rows, units).transpose(1, 0, 2).reshape(-1, units))
    model.set_weights(weights)
    return model


def softmax_cross_entropy_with_logits(y_true: Any, y_pred: Any) -> Any:
    """The policy's loss: cross-entropy against `y_true` over the legal moves only.

    Shapes (N, 42). A cell of `y_true` below zero marks an illegal move, whose logit is left out.
    """
    import tensorflow as tf

    illegal = y_true < 0
    logits = tf.where(illegal, tf.constant(-100.0, y_pred.dtype), y_pred)
    target = tf.where(illegal, tf.zeros_like(y_true), y_true)
    return tf.nn.softmax_cross_entropy_with_logits(labels=target, logits=logits)


def save(trained: Any, path: Path) -> None:
    """Write a trained channels_last network to `path` as a legacy full-model .h5, channels_first.

    Compiled with the custom policy loss, as the checkpoints of the architecture's authors are.
    """
    losses = {"value_head": "mean_squared_error", "policy_head": softmax_cross_entropy_with_logits}
    legacy_file.save(to_channels_first(trained), path, losses)
