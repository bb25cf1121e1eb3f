"""AlphaZero_Gomoku_MPI's networks, named by TensorLayer and saved by TensorFlow 1, answer as TensorFlow computes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azx.errors import CheckpointError
from azx.export.checkpoint.read import read_checkpoint
from azx.validate.witness.evaluate import evaluate

SIDE, WIDE, WIDTH, BLOCKS = 5, 9, 8, 11
random = np.random.default_rng(31)


def build(board: Any, blocks: int = BLOCKS) -> tuple[Any, Any]:
    """Policy and value with variables called as TensorLayer calls them."""
    import tensorflow as tf

    v1 = tf.compat.v1

    def conv(x: Any, name: str, filters: int, size: int) -> Any:
        shape = (size, size, x.shape[-1], filters)
        drawn = (random.normal(size=shape) / np.sqrt(np.prod(shape[:-1]))).astype("f4")
        kernel = v1.get_variable(f"{name}/W_conv2d", initializer=drawn, use_resource=False)
        shift = random.normal(size=filters).astype("f4") / 5
        return tf.nn.conv2d(x, kernel, 1, "SAME") + v1.get_variable(
            f"{name}/b_conv2d", initializer=shift, use_resource=False
        )

    def norm(x: Any, name: str) -> Any:
        beta, gamma, mean, variance = (
            v1.get_variable(
                f"{name}/{part}",
                initializer=(about + 0.02 * random.random(size=x.shape[-1])).astype("f4"),
                use_resource=False,
            )
            for part, about in (("beta", 0.1), ("gamma", 0.1), ("moving_mean", 0), ("moving_variance", 0.02))
        )
        return tf.nn.batch_normalization(x, mean, variance, beta, gamma, 1e-5)

    def dense(x: Any, name: str, units: int) -> Any:
        drawn = (random.normal(size=(x.shape[-1], units)) / np.sqrt(x.shape[-1])).astype("f4")
        shift = random.normal(size=units).astype("f4") / 5
        weights = v1.get_variable(f"{name}/W", initializer=drawn, use_resource=False)
        return x @ weights + v1.get_variable(f"{name}/b", initializer=shift, use_resource=False)

    with v1.variable_scope("model"):
        x = tf.pad(tf.transpose(board, [0, 2, 3, 1]), [(0, 0), (2, 2), (2, 2), (0, 0)])
        x = conv(x, "conv2d_1", WIDTH, 1)
        for at in range(blocks):
            inner = tf.nn.relu(norm(conv(x, f"resnet_conv2d_{at}_1", WIDTH, 3), f"resnet_bn_{at}_1"))
            inner = norm(conv(inner, f"resnet_conv2d_{at}_2", WIDTH, 3), f"resnet_bn_{at}_2")
            x = tf.nn.relu((inner + x) / 1)
        policy = tf.reshape(tf.nn.relu(norm(conv(x, "conv2d_2", 2, 1), "bn_1")), [-1, 2 * WIDE * WIDE])
        value = tf.reshape(tf.nn.relu(norm(conv(x, "conv2d_3", 1, 1), "bn_2")), [-1, WIDE * WIDE])
        value = dense(tf.nn.relu(dense(value, "dense_layer_2", 256)), "flatten_layer_3", 1)
        return tf.nn.log_softmax(dense(policy, "dense_layer_1", SIDE * SIDE)), tf.tanh(value)


def saved(folder: Path, boards: Any, blocks: int = BLOCKS) -> tuple[Path, Any]:
    """The checkpoint, and what TensorFlow answers."""
    import tensorflow as tf

    v1 = tf.compat.v1
    with tf.Graph().as_default(), v1.Session() as session:
        board = v1.placeholder(tf.float32, (None, 9, SIDE, SIDE))
        outputs = build(board, blocks)
        session.run(v1.global_variables_initializer())
        v1.train.Saver().save(session, str(folder / "best_policy.model"), write_meta_graph=False)
        return folder / "best_policy.model.index", session.run(outputs, {board: boards})


def test_its_checkpoint_is_the_network_that_tensorflow_computes(tmp_path: Path) -> None:
    """Eleven blocks: the tenth comes after the second, and not between it and the first."""
    boards = random.integers(0, 2, size=(6, 9, SIDE, SIDE)).astype(np.float32)
    path, expected = saved(tmp_path, boards)
    graph = read_checkpoint(path)
    assert (graph.source.preset, graph.source.framework) == ("gomoku-mpi", "TensorFlow 1")
    assert re.search("for which azx has no planes", str(graph.source.reading))
    answers = list(evaluate(graph, {"board": boards.astype(np.float64)}).values())
    for answer, wanted in zip(answers, expected, strict=True):
        np.testing.assert_allclose(answer, wanted, atol=1e-4)


def test_what_does_not_fit_is_named(tmp_path: Path) -> None:
    path, _ = saved(tmp_path, np.zeros((1, 9, SIDE, SIDE), np.float32), blocks=0)
    with pytest.raises(CheckpointError, match="it is not three convolutions, two batch norms, three dense layers and"):
        read_checkpoint(path, preset="gomoku-mpi")
    with pytest.raises(CheckpointError, match="of --board 6x6 36 cells would reach"):
        read_checkpoint(saved(tmp_path, np.zeros((1, 9, SIDE, SIDE), np.float32), blocks=1)[0], board=(6, 6))
