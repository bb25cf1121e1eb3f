"""A frozen graph of TensorFlow, with training in it or without, is read as the network that it is in inference."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azx.errors import CheckpointError
from azx.export.checkpoint.read import read_checkpoint
from azx.export.graph.freeze import try_simplify
from azx.validate.reference import run_reference
from azx.validate.witness.evaluate import evaluate

SHARED = Path(__file__).parents[5] / "shared/data"
random = np.random.default_rng(2)


def written(path: Path, build: Callable[[Any], None], shape: tuple[int | None, ...] = (None, 2, 5, 6)) -> Path:
    """The graph that `build` makes behind a placeholder `board`."""
    import tensorflow as tf

    with tf.Graph().as_default() as graph:
        build(tf.compat.v1.placeholder(tf.float32, shape, name="board"))
    path.write_bytes(graph.as_graph_def().SerializeToString())
    return path


def drawn(*shape: int) -> Any:
    return random.normal(size=shape).astype(np.float32) / 3


def with_training(board: Any) -> None:
    """As Keras 2 on TensorFlow 1 wrote it: channels first around a convolution, a batch norm of two branches."""
    import tensorflow as tf

    v1 = tf.compat.v1
    learning = v1.placeholder_with_default(False, (), name="keras_learning_phase")
    x = tf.transpose(tf.nn.conv2d(tf.transpose(board, [0, 2, 3, 1]), drawn(4, 4, 2, 3), 1, "SAME"), [0, 3, 1, 2])
    mean, variance = tf.reshape(drawn(3), [1, 3, 1, 1]), tf.reshape(1 + np.abs(drawn(3)), [1, 3, 1, 1])
    now, _ = tf.raw_ops.Switch(data=x, pred=learning)
    kept = (now - mean) * tf.math.rsqrt(variance + 1e-3)
    _, in_training = tf.raw_ops.Switch(data=x - tf.reduce_mean(x, [0, 2, 3], keepdims=True), pred=learning)
    x = tf.raw_ops.Merge(inputs=[kept, in_training])[0]
    x = tf.maximum(0.3 * x, x)
    flat = tf.reshape(x, tf.stack([-1, tf.reduce_prod(tf.shape(x)[1:])]))
    tf.matmul(flat, drawn(90, 7), name="policy_head/MatMul")
    tf.tanh(tf.matmul(flat, drawn(90, 1)) + drawn(1), name="value_head/Tanh")


def plain(board: Any) -> None:
    """Channels last: a fused batch norm, pooling, padding, a concatenation, softmax."""
    import tensorflow as tf

    v1 = tf.compat.v1
    x = tf.nn.bias_add(tf.nn.conv2d(board, drawn(3, 3, 6, 4), 1, "VALID"), drawn(4))
    norms = [np.abs(drawn(4)) + 1, drawn(4), drawn(4), np.abs(drawn(4)) + 1]
    x = tf.nn.relu6(v1.nn.fused_batch_norm(x, *norms, epsilon=0.01, is_training=False)[0])
    x = tf.nn.leaky_relu(tf.nn.depthwise_conv2d(x, drawn(2, 2, 4, 2), [1, 1, 1, 1], "SAME"), 0.1)
    x = tf.concat([tf.nn.max_pool2d(x, 2, 1, "SAME"), tf.pad(x, [[0, 0], [0, 0], [0, 0], [0, 0]])], -1)
    x = tf.reduce_mean(tf.pad(x, [[0, 0], [1, 0], [0, 2], [0, 0]]), [1, 2])
    tf.nn.softmax(tf.matmul(x, drawn(7, 16), transpose_b=True), name="pi/Softmax")
    tf.squeeze(tf.sigmoid(tf.square(tf.expand_dims(x @ drawn(16, 1), -1))), [2], name="v/Squeeze")


@pytest.mark.parametrize(
    ("build", "shape", "outputs"),
    [
        (with_training, (None, 2, 5, 6), {"policy_head": 7, "value_head": 1}),
        (plain, (None, 5, 5, 6), {"pi": 7, "v": 1}),
    ],
)
def test_a_frozen_graph_answers_as_in_tensorflow(
    build: Callable[[Any], None], shape: tuple[int | None, ...], outputs: dict[str, int], tmp_path: Path
) -> None:
    graph = read_checkpoint(written(tmp_path / "net.pb", build, shape))
    boards = drawn(9, *[size for size in shape if size])
    by_tensorflow, exact = run_reference(graph, {"board": boards}), evaluate(graph, {"board": boards})
    assert {name: answer.shape for name, answer in exact.items()} == {name: (9, n) for name, n in outputs.items()}
    for name, answer in exact.items():
        np.testing.assert_allclose(by_tensorflow.outputs[name], answer, atol=1e-5)
    assert ("settled for inference" in "".join(by_tensorflow.notes)) == (build is with_training)
    assert try_simplify(graph).reason is None


def test_what_has_no_form_is_named(tmp_path: Path) -> None:
    import tensorflow as tf

    def lots(board: Any) -> None:
        tf.add(board, tf.random.uniform((1, 2, 5, 6)), name="pi")

    def over_positions(board: Any) -> None:
        tf.reduce_sum(board, 0, name="pi")

    for build, said in ((lots, "RandomUniform"), (over_positions, "reduces over the positions")):
        with pytest.raises(CheckpointError) as error:
            read_checkpoint(written(tmp_path / "net.pb", build))
        assert said in str(error.value)
        assert str(error.value).count("\n") == 0
    whole = (tmp_path / "net.pb").read_bytes()
    for end in range(1, len(whole), 41):
        (tmp_path / "net.pb").write_bytes(whole[:end])
        with pytest.raises(CheckpointError):
            read_checkpoint(tmp_path / "net.pb")


@pytest.mark.skipif(not SHARED.is_dir(), reason=f"no {SHARED}")
def test_the_books_own_graph_equals_its_keras_file() -> None:
    """990 nodes, 91 of them Switch, of TensorFlow 1.4."""
    frozen, keras = (read_checkpoint(SHARED / name) for name in ("alphazero19.pb", "connect4_version0019.h5"))
    known = np.load(SHARED / "connect4_version0019.expected.npz")
    boards = known["main_input"][:24]
    ours, theirs = evaluate(frozen, {"main_input": boards}), evaluate(keras, {"main_input": boards})
    assert list(ours) == list(theirs) == ["value_head", "policy_head"]
    for name, answer in ours.items():
        np.testing.assert_allclose(answer, theirs[name], atol=1e-6)
        np.testing.assert_allclose(answer, known[name][:24], atol=5e-6)
