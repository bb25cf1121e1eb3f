"""The traced fallback: constants only, heads by their own names, in the model's order."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azx.errors import ConversionError
from azx.export.checkpoint.read import read_checkpoint
from azx.export.graph import traced
from azx.export.graph.traced import concrete_graph_def

pytestmark = [
    pytest.mark.filterwarnings("ignore:You are saving your model as an HDF5 file:UserWarning"),
    pytest.mark.filterwarnings("ignore:__array__ implementation doesn't accept a copy keyword:DeprecationWarning"),
]


def network(keras: Any) -> Any:
    k = keras.layers
    board, extra = k.Input((6, 7, 4), name="board"), k.Input((3,), name="a-turn")
    trunk = k.LayerNormalization()(k.Conv2D(8, 3, groups=2, padding="same")(board))
    trunk = k.Concatenate()([k.Flatten()(trunk), extra])
    return keras.Model([board, extra], [k.Dense(1, "tanh", name="v")(trunk), k.Dense(7, name="pi")(trunk)])


def run(data: bytes, feeds: dict[str, Any], outputs: list[str]) -> list[Any]:
    import tensorflow as tf

    graph = tf.Graph()
    with graph.as_default():
        tf.import_graph_def(tf.compat.v1.GraphDef.FromString(data), name="")
    with tf.compat.v1.Session(graph=graph) as session:
        return list(session.run(outputs, feeds))


@pytest.mark.parametrize("batch", [1, None])
@pytest.mark.parametrize("family", ["tf_keras", "keras"])
def test_the_traced_graph_answers_as_the_model(family: str, batch: int | None, tmp_path: Path) -> None:
    model = network(__import__(family))
    model.save(tmp_path / "net.keras")
    data, inputs, outputs = concrete_graph_def(read_checkpoint(tmp_path / "net.keras").source, batch)
    assert inputs[0] == "board:0"
    assert outputs[0] == "v/Tanh:0"
    assert outputs[1].startswith("pi/")
    rng = np.random.default_rng(4)
    feeds = [rng.normal(size=(batch or 5, *shape)).astype(np.float32) for shape in ((6, 7, 4), (3,))]
    got = run(data, dict(zip(inputs, feeds, strict=True)), outputs)
    for values, wanted in zip(got, model(feeds), strict=True):
        np.testing.assert_allclose(values, np.asarray(wanted), atol=1e-5)


def test_the_traced_graph_holds_constants_and_nothing_to_call(tmp_path: Path) -> None:
    import tensorflow as tf
    import tf_keras

    network(tf_keras).save(tmp_path / "net.keras")
    data, _, _ = concrete_graph_def(read_checkpoint(tmp_path / "net.keras").source, 1)
    graph_def = tf.compat.v1.GraphDef.FromString(data)
    operations = {node.op for node in graph_def.node}
    assert not graph_def.library.function
    assert not operations & {"VarHandleOp", "ReadVariableOp", "Switch", "If", "PartitionedCall", "NoOp"}
    assert {"Const", "Placeholder", "Conv2D"} <= operations


def test_tracing_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    import tf_keras

    network(tf_keras).save(tmp_path / "net.keras")
    source = read_checkpoint(tmp_path / "net.keras").source
    assert concrete_graph_def(source, 1) == concrete_graph_def(source, 1)


@pytest.mark.parametrize("kind", ["GRU", "LSTM", "SimpleRNN"])
@pytest.mark.parametrize("family", ["tf_keras", "keras"])
def test_a_recurrent_layer_over_a_fixed_number_of_steps_is_written_out(family: str, kind: str, tmp_path: Path) -> None:
    k = __import__(family).layers
    moves = k.Input((6, 4), name="moves")
    own = k.Bidirectional(getattr(k, kind)(3, return_sequences=True))(moves)
    model = __import__(family).Model(moves, k.Dense(5, name="pi")(getattr(k, kind)(4)(own)))
    model.save(tmp_path / "net.keras")
    data, inputs, outputs = concrete_graph_def(read_checkpoint(tmp_path / "net.keras").source, 1)
    feed = np.random.default_rng(4).normal(size=(1, 6, 4)).astype(np.float32)
    [got] = run(data, {inputs[0]: feed}, outputs)
    np.testing.assert_allclose(got, np.asarray(model(feed)), atol=1e-5)


@pytest.mark.parametrize("family", ["tf_keras", "keras"])
def test_the_variables_live_until_the_graph_is_frozen(
    family: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def collected(*arguments: Any) -> Any:
        made = concrete(*arguments)
        gc.collect()
        return made

    concrete = traced._concrete
    monkeypatch.setattr(traced, "_concrete", collected)
    network(__import__(family)).save(tmp_path / "net.keras")
    _, inputs, _ = concrete_graph_def(read_checkpoint(tmp_path / "net.keras").source, 1)
    assert len(inputs) == 2


def test_a_loop_is_told_by_the_layer_that_makes_it(tmp_path: Path) -> None:
    import tf_keras

    k = tf_keras.layers
    moves = k.Input((6, 4), name="moves")
    shared = k.GRU(4, name="reader")
    # The layer reads six moves in one place and three in the other.
    both = k.Concatenate()([shared(moves), shared(k.AveragePooling1D(2)(moves))])
    tf_keras.Model(moves, k.Dense(5, name="pi")(both)).save(tmp_path / "net.keras")
    sentence = r"net\.keras': layer 'reader' \(GRU\) loops over steps, whose number is free or differs .* and save"
    with pytest.raises(ConversionError, match=sentence):
        concrete_graph_def(read_checkpoint(tmp_path / "net.keras").source, 1)
