"""The frozen graph: Keras' node names, few nodes, and right answers under TensorFlow's own defaults."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tf_keras

from azx.export.formats.table import FORMATS
from azx.export.graph.frozen import FrozenGraph

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")


def graph_def(frozen: FrozenGraph, *, bias_add: bool = False) -> Any:
    import tensorflow as tf

    return tf.compat.v1.GraphDef.FromString(frozen.biasadd_graph_def if bias_add else frozen.graph_def)


def residual(policy: str = "policy_head", value: str = "value_head", trunk: str = "conv") -> Any:
    """Convolution, add, leaky ReLU: what TensorFlow's remapper computes with another slope after BiasAdd."""
    k = tf_keras.layers
    tf_keras.utils.set_random_seed(2)
    board = k.Input((6, 7, 2), name="main_input")
    x = k.Conv2D(8, 3, padding="same", name=trunk, bias_initializer="normal")(board)
    x = k.LeakyReLU(0.3)(k.Add()([x, k.Conv2D(8, 4, padding="same", name="second", bias_initializer="normal")(x)]))
    flat = k.Flatten()(x)
    return tf_keras.Model(board, [k.Dense(1, "tanh", name=value)(flat), k.Dense(42, use_bias=False, name=policy)(flat)])


@pytest.fixture
def seed(shared_data: Path, export_checkpoint: Any) -> Any:
    return export_checkpoint(shared_data / "connect4_version0019.h5", batch=None)


def test_the_real_network_keeps_its_node_names_in_at_most_100_nodes(seed: Any) -> None:
    names = [node.name for node in graph_def(seed.frozen).node]
    assert {"main_input", "value_head/Tanh", "policy_head/MatMul", "value_head", "policy_head"} <= set(names)
    assert len(names) <= 100
    assert [head.node for head in seed.frozen.outputs] == ["value_head/Tanh", "policy_head/MatMul"]


def test_the_real_network_answers_as_the_graph_that_it_came_from(
    seed: Any, shared_data: Path, by_tensorflow: Any
) -> None:
    expected = np.load(shared_data / "connect4_version0019.expected.npz")
    boards = expected["main_input"].astype(np.float32)
    found = by_tensorflow(seed.frozen, {"main_input": boards}, ["value_head/Tanh", "policy_head/MatMul"])
    np.testing.assert_allclose(found["value_head/Tanh"], expected["value_head"], atol=1e-5)
    np.testing.assert_allclose(found["policy_head/MatMul"], expected["policy_head"], atol=1e-5 * 40)
    legal = np.where(expected["legal"], expected["policy_head"], -np.inf)
    ours = np.where(expected["legal"], found["policy_head/MatMul"], -np.inf)
    assert (legal.argmax(1) == ours.argmax(1)).all()


def test_biases_are_added_by_addv2_and_by_biasadd_in_the_twin(exported: Any) -> None:
    frozen = exported(residual()).frozen
    plain, twin = graph_def(frozen), graph_def(frozen, bias_add=True)
    assert [node.name for node in plain.node] == [node.name for node in twin.node]
    operations = {node.name: node.op for node in plain.node if node.name.endswith("/BiasAdd")}
    assert operations == {"conv/BiasAdd": "AddV2", "second/BiasAdd": "AddV2", "value_head/BiasAdd": "AddV2"}
    assert {node.op for node in twin.node if node.name.endswith("/BiasAdd")} == {"BiasAdd"}


def test_tensorflows_own_optimisations_leave_the_answers_as_they_are(exported: Any, by_tensorflow: Any) -> None:
    model = residual()
    boards = np.random.default_rng(4).normal(size=(1, 6, 7, 2)).astype(np.float32) * 3
    found = by_tensorflow(exported(model).frozen, {"main_input": boards})
    for name, wanted in zip(("value_head", "policy_head"), model(boards), strict=True):
        np.testing.assert_allclose(found[name], np.asarray(wanted), atol=1e-5)


def test_constants_only(exported: Any) -> None:
    graph = graph_def(exported(residual()).frozen)
    assert not graph.library.function
    assert not {node.op for node in graph.node} & {"VarHandleOp", "ReadVariableOp", "Switch", "PartitionedCall", "NoOp"}


def test_heads_of_other_names_take_the_contracts(exported: Any) -> None:
    frozen = exported(residual("pi", "dense_of_value")).frozen
    assert [head.node for head in frozen.outputs] == ["value_head/Tanh", "policy_head/MatMul"]
    assert [head.source_name for head in frozen.outputs] == ["dense_of_value", "pi"]


def test_a_trunk_layer_leaves_a_heads_name_to_the_head(exported: Any) -> None:
    model = residual("pi", "v", trunk="policy_head")
    frozen = exported(model).frozen
    names = [node.name for node in graph_def(frozen).node]
    assert "policy_head_1/Conv2D" in names
    assert [head.node for head in frozen.outputs] == ["value_head/Tanh", "policy_head/MatMul"]
    assert len(set(names)) == len(names)


def test_a_traced_trunk_layer_leaves_a_heads_name_to_the_head(exported: Any) -> None:
    k = tf_keras.layers
    board = k.Input((6, 7), name="board")
    flat = k.Flatten()(k.LeakyReLU(name="value_head")(k.Conv1D(3, 3, name="policy_head")(k.Masking()(board))))
    model = tf_keras.Model(board, [k.Dense(7, name="pi")(flat), k.Dense(1, "tanh", name="v")(flat)])
    result = exported(model)
    assert result.network is None
    names = [node.name for node in graph_def(result.frozen).node]
    assert len(set(names)) == len(names)
    assert {"policy_head_1/BiasAdd", "value_head_1/LeakyRelu", "policy_head/BiasAdd", "value_head/Tanh"} <= set(names)
    assert [head.node for head in result.frozen.outputs] == ["value_head/Tanh", "policy_head/BiasAdd"]


def test_the_same_network_gives_the_same_bytes(exported: Any) -> None:
    model = residual()
    first, second = exported(model).frozen, exported(model).frozen
    assert (first.graph_def, first.biasadd_graph_def) == (second.graph_def, second.biasadd_graph_def)


@pytest.mark.parametrize(("value", "answers"), [("score", True), ("_score", False), ("the score", False)])
def test_the_pb_answers_under_the_checkpoints_names_too_where_tensorflow_allows_them(
    value: str, answers: bool, exported: Any, tmp_path: Path
) -> None:
    import keras
    import tensorflow as tf

    board = keras.layers.Input((3, 3, 2))
    x = keras.layers.Flatten()(board)
    model = keras.Model(board, [keras.layers.Dense(9, name="pi")(x), keras.layers.Dense(1, "tanh", name=value)(x)])
    FORMATS["pb"].write(exported(model).frozen, tmp_path / "net.pb")
    graph = tf.compat.v1.GraphDef.FromString((tmp_path / "net.pb").read_bytes())
    with tf.Graph().as_default():
        tf.import_graph_def(graph, name="")
    names = [node.name for node in graph.node]
    assert "pi/BiasAdd" in names
    assert (f"{value}/Tanh" in names) == answers
