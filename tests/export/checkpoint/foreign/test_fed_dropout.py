"""A probability of dropout that is fed in inference too: 1 to keep, or 0 to drop, is assumed and said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azx.errors import CheckpointError
from azx.export.checkpoint.layer_graph import LayerGraph
from azx.export.checkpoint.read import read_checkpoint
from azx.validate.reference import run_reference
from azx.validate.witness.evaluate import evaluate

random = np.random.default_rng(44)
Drop = Callable[[Any, Any], Any]


def by_keeping(x: Any, fed: Any) -> Any:
    import tensorflow as tf

    return tf.compat.v1.nn.dropout(x, keep_prob=fed)


def by_dropping(x: Any, fed: Any) -> Any:
    import tensorflow as tf

    return tf.compat.v1.nn.dropout(x, rate=fed)


def as_until_1_12(x: Any, fed: Any) -> Any:
    """As TensorFlow 1.0 to 1.12 wrote it: the mask is the whole part of what is kept and a random number."""
    import tensorflow as tf

    return (x / fed) * tf.floor(fed + tf.compat.v1.random_uniform(tf.shape(x)))


def as_until_2(x: Any, fed: Any) -> Any:
    """As 1.13 to 2.3 wrote it: a mask of 1 and 0, and a scale."""
    import tensorflow as tf

    rate = 1 - fed
    mask = tf.compat.v1.random_uniform(tf.shape(x)) >= rate
    return x * (1 / (1 - rate)) * tf.cast(mask, tf.float32)


def by_noise(x: Any, fed: Any) -> Any:
    """Noise as large as what is fed."""
    import tensorflow as tf

    noise = fed * tf.compat.v1.random_normal(tf.shape(x))
    return x * (1 + noise) + noise


WAYS: dict[str, tuple[Drop, float]] = {
    "keep_prob": (by_keeping, 1),
    "rate": (by_dropping, 0),
    "until 1.12": (as_until_1_12, 1),
    "until 2.3": (as_until_2, 1),
    "noise": (by_noise, 0),
}


def saved(folder: Path, drop: Drop, value: float, default: float | None = None) -> tuple[Path, Path]:
    """A checkpoint with Adam in its graph and a frozen graph of the same network, and what it answers with `value`."""
    import tensorflow as tf

    v1 = tf.compat.v1

    def variable(name: str, *shape: int) -> Any:
        return v1.get_variable(name, initializer=random.normal(size=shape).astype("f4") / 3, use_resource=False)

    with tf.Graph().as_default(), v1.Session() as session:
        board = v1.placeholder(tf.float32, (None, 3, 3, 2), name="board")
        fed = v1.placeholder(tf.float32, name="fed")
        if default is not None:
            fed = v1.placeholder_with_default(default, (), name="fed_too")
        wanted, result = (v1.placeholder(tf.float32, (None, size)) for size in (9, 1))
        x = tf.nn.relu(tf.nn.conv2d(board, variable("W1", 3, 3, 2, 4), 1, "SAME"))
        flat = drop(tf.nn.relu(tf.matmul(tf.reshape(x, [-1, 36]), variable("W2", 36, 12))), fed)
        deep = drop(tf.nn.relu(tf.matmul(flat, variable("W3", 12, 8))), fed)
        policy = tf.nn.softmax(tf.matmul(deep, variable("W4", 8, 9)), name="policy/probabilities")
        value_head = tf.tanh(tf.matmul(deep, variable("W5", 8, 1)), name="value/tanh")
        loss = tf.reduce_mean((value_head - result) ** 2) - tf.reduce_mean(wanted * tf.math.log(policy))
        v1.train.AdamOptimizer(0.1).minimize(loss)
        session.run(v1.global_variables_initializer())
        boards = random.integers(0, 2, size=(7, 3, 3, 2)).astype("f4")
        v1.train.Saver().save(session, str(folder / "model.ckpt"))
        feed = {board: boards, fed: value}
        answers = session.run([policy, value_head], feed)
        held = v1.graph_util.convert_variables_to_constants(
            session, session.graph_def, [policy.op.name, value_head.op.name]
        )
    (folder / "net.pb").write_bytes(held.SerializeToString())
    np.savez(folder / "asked.npz", boards=boards, policy=answers[0], value=answers[1])
    return folder / "model.ckpt.meta", folder / "net.pb"


def check_answers(graph: LayerGraph, folder: Path) -> None:
    """Compare the witness and the original with what TensorFlow answered when it was fed."""
    expected = np.load(folder / "asked.npz")
    assert sorted(head.source_name for head in graph.outputs) == ["policy", "value"]
    found = evaluate(graph, {"board": expected["boards"].astype("f8")})
    answers = run_reference(graph, {"board": expected["boards"]})
    for name in ("policy", "value"):
        np.testing.assert_allclose(found[name], expected[name], atol=1e-6)
        np.testing.assert_allclose(answers.outputs[name], expected[name], atol=1e-6)
    assert [quirk for quirk in graph.quirks if "is assumed" in quirk] == list(answers.notes)


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_dropped_and_that_is_said(way: str, tmp_path: Path) -> None:
    drop, value = WAYS[way]
    for path in saved(tmp_path, drop, value):
        graph = read_checkpoint(path)
        assert f"'fed' is fed from outside: {value:g} is assumed, at which nothing is dropped" in graph.quirks
        check_answers(graph, tmp_path)


def test_a_default_that_drops_is_not_taken(tmp_path: Path) -> None:
    for path in saved(tmp_path, by_keeping, 1, default=0.5):
        graph = read_checkpoint(path)
        assert "'fed_too' is fed from outside: 1 is assumed, at which nothing is dropped" in graph.quirks
        check_answers(graph, tmp_path)


def test_dropout_that_always_drops_is_refused_by_name(tmp_path: Path) -> None:
    def always(x: Any, fed: Any) -> Any:
        return by_keeping(x, 0.5)

    with pytest.raises(CheckpointError, match=r"operation RandomUniform .* random numbers"):
        read_checkpoint(saved(tmp_path, always, 1)[0])
