"""A TensorFlow 1 checkpoint of any network is read by the graph beside it: its network, and nothing of its training."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azx.errors import CheckpointError
from azx.export.checkpoint.graphs.meta import read_meta_graph
from azx.export.checkpoint.read import read_checkpoint
from azx.validate.reference import run_reference
from azx.validate.witness.evaluate import evaluate

OTHERS = Path(__file__).parents[5] / "shared/data/other_frameworks"
random = np.random.default_rng(21)
Build = Callable[[Any, Any], Any]


def network(board: Any, training: Any) -> Any:
    """Variables without a layer's names, a batch norm that a fed flag switches, a policy and a value."""
    import tensorflow as tf

    v1 = tf.compat.v1

    def variable(name: str, *shape: int) -> Any:
        return v1.get_variable(name, initializer=random.normal(size=shape).astype("f4") / 3, use_resource=False)

    x = tf.nn.conv2d(board, variable("W1", 3, 3, 2, 4), 1, "SAME") + variable("B1", 4)
    kept, _ = tf.raw_ops.Switch(data=x, pred=training)
    kept = kept * variable("scale", 4)
    _, seen = tf.raw_ops.Switch(data=x - tf.reduce_mean(x, [0, 1, 2]), pred=training)
    x = tf.nn.relu(tf.raw_ops.Merge(inputs=[kept, seen])[0])
    flat = tf.reshape(x, [-1, 36])
    logits = tf.matmul(flat, variable("W2", 36, 9)) + variable("B2", 9)
    policy = tf.nn.softmax(logits, name="policy/probabilities")
    value = tf.tanh(tf.matmul(flat, variable("W3", 36, 1)), name="value/tanh")
    return policy, value


def dropping(board: Any, training: Any) -> Any:
    """The same behind a dropout in the branch of training, whose rate is fed."""
    import tensorflow as tf

    kept, seen = tf.raw_ops.Switch(data=board, pred=training)
    rate = tf.compat.v1.placeholder(tf.float32, (), name="rate")
    dropped = tf.compat.v1.nn.dropout(seen, rate=rate)
    return network(tf.raw_ops.Merge(inputs=[kept, dropped])[0], training)


def calling_python(board: Any, training: Any) -> Any:
    import tensorflow as tf

    def never(x: Any) -> Any:
        raise AssertionError("a function of a .meta was run")

    policy, value = network(board, training)
    called = tf.compat.v1.py_func(never, [policy], tf.float32, name="called")
    called.set_shape((None, 9))
    return called, value


def saved(folder: Path, build: Build, by_logits: bool = False) -> Path:
    """The files as tf.train.Saver writes them, losses, Adam and a summary of training in the graph."""
    import tensorflow as tf

    v1 = tf.compat.v1
    with tf.Graph().as_default(), v1.Session() as session:
        board = v1.placeholder(tf.float32, (None, 3, 3, 2), name="board")
        training = v1.placeholder(tf.bool, (), name="training")
        wanted, result = (v1.placeholder(tf.float32, (None, size)) for size in (9, 1))
        rate = v1.placeholder(tf.float32, ())
        policy, value = build(board, training)
        loss = tf.reduce_mean((value - result) ** 2) - tf.reduce_mean(wanted * tf.math.log(policy))
        if by_logits:
            logits = policy.op.inputs[0]
            loss = tf.reduce_mean((tf.reshape(value, [-1]) - tf.reshape(result, [-1])) ** 2)
            loss += tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(wanted, logits))
        if build in (network, dropping):
            v1.train.AdamOptimizer(rate).minimize(loss)
        if not by_logits:
            tf.negative(tf.reduce_mean(tf.reduce_sum(policy * tf.math.log(policy), 1)), name="entropy")
        session.run(v1.global_variables_initializer())
        v1.train.Saver().save(session, str(folder / "model.ckpt"))
        if build in (network, dropping):
            np.savez(folder / "asked.npz", **asked(session, board, training, policy, value))
    return folder / "model.ckpt.meta"


def asked(session: Any, board: Any, training: Any, policy: Any, value: Any) -> dict[str, Any]:
    boards = random.integers(0, 2, size=(7, 3, 3, 2)).astype("f4")
    rate = {each.outputs[0]: 0.5 for each in session.graph.get_operations() if each.name == "rate"}
    answers = session.run([policy, value], {board: boards, training: False, **rate})
    return {"boards": boards, "policy": answers[0], "value": answers[1]}


@pytest.mark.parametrize(("build", "by_logits"), [(network, False), (network, True), (dropping, False)])
def test_a_checkpoint_is_read_by_its_graph(build: Build, by_logits: bool, tmp_path: Path) -> None:
    meta = saved(tmp_path, build, by_logits)
    expected = np.load(tmp_path / "asked.npz")
    for path in (meta, tmp_path / "model.ckpt.index"):
        graph = read_checkpoint(path)
        assert sorted(head.source_name for head in graph.outputs) == ["policy", "value"]
        assert graph.source.framework.startswith("TensorFlow 1")
        found = evaluate(graph, {"board": expected["boards"].astype("f8")})
        by_graph = run_reference(graph, {"board": expected["boards"]})
        for name in ("policy", "value"):
            np.testing.assert_allclose(found[name], expected[name], atol=1e-6)
            np.testing.assert_allclose(by_graph.outputs[name], expected[name], atol=1e-6)


def test_a_graph_that_calls_python_is_refused_and_not_run(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"operation PyFunc .* calls a Python function, which is not in the file"):
        read_checkpoint(saved(tmp_path, calling_python))


@pytest.mark.parametrize("cut", [10, 300])
def test_a_graph_that_is_cut_off_is_said(cut: int, tmp_path: Path) -> None:
    meta = saved(tmp_path, network)
    meta.write_bytes(meta.read_bytes()[:-cut])
    with pytest.raises(CheckpointError, match=r"model\.ckpt\.meta' is a TensorFlow graph that is damaged"):
        read_checkpoint(meta)


def test_a_checkpoint_of_another_graph_is_said(tmp_path: Path) -> None:
    meta = saved(tmp_path, network)
    meta.write_bytes(meta.read_bytes().replace(b"W1", b"W9"))
    with pytest.raises(CheckpointError, match="its variable 'W9' is not in the checkpoint"):
        read_checkpoint(meta)


@pytest.mark.skipif(not OTHERS.is_dir(), reason=f"no {OTHERS}")
def test_the_graph_of_a_familys_checkpoint_calculates_as_the_family() -> None:
    meta = OTHERS / "ttt_best_policy.model.meta"
    by_graph, by_family = read_meta_graph(meta), read_checkpoint(meta)
    boards = random.integers(0, 2, size=(8, 5, 3, 3)).astype("f8")
    found = evaluate(by_graph, {by_graph.inputs[0].name: boards})
    expected = evaluate(by_family, {"board": boards})
    assert set(found) == set(expected) == {"dense", "dense_2"}
    for name, values in found.items():
        np.testing.assert_allclose(values, expected[name], atol=1e-12)
