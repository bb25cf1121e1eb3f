"""The reference: Keras on the original checkpoint, against its witness and in the model's own order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tf_keras

from azx.export.checkpoint.read import read_checkpoint
from azx.validate import reference as module
from azx.validate.reference import ReferenceUnavailable, run_reference, without_remapping
from azx.validate.witness.evaluate import evaluate

pytestmark = [
    pytest.mark.filterwarnings("ignore:You are saving your model as an HDF5 file:UserWarning"),
    pytest.mark.filterwarnings("ignore:__array__ implementation doesn't accept a copy keyword:DeprecationWarning"),
]
CHECKPOINTS = {
    "connect4_version0019.h5": None,
    "battlesnake_version0006.h5": None,
    "ataxx_botzero.h5": None,
    "tictactoe_two_inputs.h5": None,
    "connect4_zeta36/model_best_weight.h5": "connect4_zeta36/model_best_config.json",
}


def two_heads(keras: Any, data_format: str = "channels_last", filters: int = 5) -> Any:
    k = keras.layers
    shape = (6, 7, 2) if data_format == "channels_last" else (2, 6, 7)
    board = k.Input(shape, name="board")
    trunk = k.Conv2D(filters, 3, padding="same", data_format=data_format, bias_initializer="normal")(board)
    trunk = k.Flatten(data_format=data_format)(k.LeakyReLU()(trunk))
    return keras.Model(board, [k.Dense(7, name="pi")(trunk), k.Dense(1, activation="tanh", name="v")(trunk)])


def boards(*shape: int, seed: int = 3) -> Any:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


@pytest.mark.parametrize("name", CHECKPOINTS)
def test_the_reference_and_the_witness_agree_on_every_shared_checkpoint(name: str, shared_data: Path) -> None:
    config = CHECKPOINTS[name]
    graph = read_checkpoint(shared_data / name, config=shared_data / config if config else None)
    rng = np.random.default_rng(1)
    feeds = {spec.name: rng.integers(0, 2, (100, *spec.shape), dtype=np.uint8) for spec in graph.inputs}
    witness, answers = evaluate(graph, feeds), run_reference(graph, feeds)
    assert list(answers.outputs) == [head.source_name for head in graph.outputs] == list(witness)
    assert answers.by.startswith("tf_keras 2.")
    assert answers.notes == ()
    for output, values in answers.outputs.items():
        assert values.dtype == np.float32
        np.testing.assert_allclose(values, witness[output], atol=1e-5)


def test_the_reference_answers_as_the_books_own_graph(shared_data: Path) -> None:
    expected = np.load(shared_data / "connect4_version0019.expected.npz")
    answers = run_reference(
        read_checkpoint(shared_data / "connect4_version0019.h5"), {"main_input": expected["main_input"]}
    )
    for name, values in answers.outputs.items():
        np.testing.assert_allclose(values, expected[name], atol=1e-5)


@pytest.mark.parametrize("family", ["tf_keras", "keras"])
def test_the_reference_equals_the_model_that_was_saved(family: str, tmp_path: Path) -> None:
    keras = __import__(family)
    model, feed = two_heads(keras), boards(module.BATCH + 5, 6, 7, 2)
    model.save(tmp_path / "net.keras")
    answers = run_reference(read_checkpoint(tmp_path / "net.keras"), {"board": feed})
    assert answers.by.startswith(f"{family} {keras.__version__}, TensorFlow 2.")
    for name, wanted in zip(("pi", "v"), model(feed), strict=True):
        np.testing.assert_allclose(answers.outputs[name], np.asarray(wanted), atol=1e-6)


@pytest.mark.parametrize("count", [1, 5, module.BATCH, module.BATCH + 2, 4 * module.BATCH + 2])
def test_keras_is_given_as_many_positions_each_time(count: int, tmp_path: Path) -> None:
    """XLA compiles a model anew for each number of positions."""
    keras = __import__("tf_keras")
    two_heads(keras).save(tmp_path / "net.keras")
    graph, feed, sizes = read_checkpoint(tmp_path / "net.keras"), boards(count, 6, 7, 2), list[int]()

    def answer(inputs: list[Any]) -> list[Any]:
        (batch,) = inputs
        sizes.append(len(batch))
        return [batch.sum(axis=(1, 2, 3), keepdims=True)] * len(graph.outputs)

    answers = module._answer_all(graph, {"board": feed}, answer)
    assert len(set(sizes)) == 1
    assert max(sizes) <= module.BATCH
    assert sum(sizes) < count + len(sizes)
    for values in answers.values():
        np.testing.assert_array_equal(values, feed.sum(axis=(1, 2, 3), keepdims=True))


@pytest.mark.parametrize("family", ["tf_keras", "keras"])
def test_a_dict_of_heads_is_read_in_the_files_order_not_sorted(family: str, tmp_path: Path) -> None:
    keras = __import__(family)
    model = two_heads(keras)
    first, second = model.outputs
    keras.Model({"board": model.input}, {"z": second, "a": first}).save(tmp_path / "net.keras")
    graph, feed = read_checkpoint(tmp_path / "net.keras"), boards(4, 6, 7, 2)
    answers = run_reference(graph, {"board": feed}).outputs
    assert list(answers) == [head.source_name for head in graph.outputs]
    np.testing.assert_allclose(answers["pi"], np.asarray(model(feed)[0]), atol=1e-6)
    np.testing.assert_allclose(answers["v"], np.asarray(model(feed)[1]), atol=1e-6)


@pytest.mark.parametrize("family", ["tf_keras", "keras"])
def test_a_list_of_one_input_and_one_head_is_understood(family: str, tmp_path: Path) -> None:
    keras = __import__(family)
    model = two_heads(keras)
    keras.Model([model.input], [model.outputs[1]]).save(tmp_path / "net.keras")
    feed = boards(4, 6, 7, 2)
    (values,) = run_reference(read_checkpoint(tmp_path / "net.keras"), {"board": feed}).outputs.values()
    np.testing.assert_allclose(values, np.asarray(model(feed)[1]), atol=1e-6)


def test_a_sequential_model_from_weights_alone_is_run(tmp_path: Path) -> None:
    import keras

    k = keras.layers
    model = keras.Sequential([k.Input((3,)), k.Dense(2, activation="tanh", bias_initializer="normal")])
    model.save_weights(tmp_path / "net.weights.h5")
    (tmp_path / "net.json").write_text(model.to_json())
    graph, feed = read_checkpoint(tmp_path / "net.weights.h5", config=tmp_path / "net.json"), boards(4, 3)
    (values,) = run_reference(graph, {graph.inputs[0].name: feed}).outputs.values()
    np.testing.assert_allclose(values, np.asarray(model(feed)), atol=1e-6)


def test_the_witness_is_right_where_keras_3_adds_a_bias_along_the_width(tmp_path: Path) -> None:
    """Keras 3.15 does so where the width equals the filter count; the same net with channels last does not."""
    import keras

    first, last = (two_heads(keras, data_format, filters=7) for data_format in ("channels_first", "channels_last"))
    last.set_weights(first.get_weights())
    first.save(tmp_path / "net.keras")
    feed = boards(4, 2, 6, 7)
    answers = evaluate(read_checkpoint(tmp_path / "net.keras"), {"board": feed})
    for name, wanted in zip(("pi", "v"), last(np.moveaxis(feed, 1, -1)), strict=True):
        np.testing.assert_allclose(answers[name], np.asarray(wanted), atol=1e-5)


def test_the_remapper_is_off_during_the_reference_and_back_afterwards() -> None:
    import tensorflow as tf

    def remapping() -> bool:
        return bool(tf.config.optimizer.get_experimental_options().get("remapping", True))

    before = remapping()
    with without_remapping():
        assert not remapping()
    assert remapping() == before


def test_a_network_that_keras_cannot_run_here_is_left_to_the_witness(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import tensorflow as tf

    def refuse(*_: object) -> None:
        raise tf.errors.UnimplementedError(None, None, "no channels_first here")

    two_heads(tf_keras).save(tmp_path / "net.h5")
    monkeypatch.setattr(module, "_answer", refuse)
    with pytest.raises(ReferenceUnavailable, match=r"net\.h5.*no channels_first here.*only with the float64 witness"):
        run_reference(read_checkpoint(tmp_path / "net.h5"), {"board": boards(4, 6, 7, 2)})


def test_xla_runs_what_tensorflow_cannot_run_layer_by_layer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import tensorflow as tf

    plain = module._answer

    def only_compiled(graph: Any, model: Any, call: Any, inputs: Any) -> Any:
        if call is model:
            raise tf.errors.UnimplementedError(None, None, "no channels_first here")
        return plain(graph, model, call, inputs)

    model, feed = two_heads(tf_keras, "channels_first"), boards(4, 2, 6, 7)
    model.save(tmp_path / "net.h5")
    monkeypatch.setattr(module, "_answer", only_compiled)
    answers = run_reference(read_checkpoint(tmp_path / "net.h5"), {"board": feed})
    assert answers.notes == (module.BY_XLA,)
    np.testing.assert_allclose(answers.outputs["v"], np.asarray(model(feed)[1]), atol=1e-5)
