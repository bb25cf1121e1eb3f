"""Every format holds the names, the order, the shapes and the values of the network it was written from."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest
import tf_keras
from rings import few

from azx.export.checkpoint.read import read_checkpoint
from azx.export.formats import to_onnx
from azx.export.formats.table import FORMATS
from azx.export.graph.freeze import freeze

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning", "ignore::FutureWarning")
Net = Callable[[Any], Any]
NETS: dict[str, tuple[Net, dict[str, Any], list[str], list[str]]] = {}


def net(inputs: list[str], outputs: list[str], **settings: Any) -> Callable[[Net], Net]:
    """A network, how it is exported, and the names that each of its artifacts must have."""

    def register(make: Net) -> Net:
        NETS[make.__name__] = (make, settings, inputs, outputs)
        return make

    return register


BOTH = ["value_head", "policy_head"]


def convolved(k: Any, x: Any, name: str | None = None, **options: Any) -> Any:
    return k.layers.Conv2D(4, 3, padding="same", name=name, **options)(x)


def headed(k: Any, board: Any, x: Any, policy: str = "pi", value: str = "v") -> Any:
    flat = k.layers.Flatten()(x)
    return k.Model(
        board, [k.layers.Dense(7, "softmax", name=policy)(flat), k.layers.Dense(1, "tanh", name=value)(flat)]
    )


@net(["main_input"], BOTH)
def policy_first_and_unnamed(k: Any) -> Any:
    board = k.layers.Input((6, 7, 2))
    flat = k.layers.Flatten()(k.layers.LeakyReLU()(k.layers.BatchNormalization()(convolved(k, board))))
    return k.Model(board, [k.layers.Dense(7)(flat), k.layers.Dense(1, "tanh")(flat)])


@net(["main_input"], BOTH)
def channels_first(k: Any) -> Any:
    board = k.layers.Input((2, 6, 7))
    x = k.layers.Conv2D(4, 4, padding="same", data_format="channels_first")(board)
    return headed(k, board, k.layers.BatchNormalization(axis=1)(x))


@net(["main_input"], ["policy_head"])
def policy_only(k: Any) -> Any:
    board = k.layers.Input((9,))
    return k.Model(board, k.layers.Dense(9, "softmax", name="probs")(k.layers.Dense(8, "relu")(board)))


@net(["main_input"], ["value_head"])
def value_only(k: Any) -> Any:
    board = k.layers.Input((3, 3, 2))
    return k.Model(board, k.layers.Dense(1, "tanh", name="eval")(k.layers.Flatten()(convolved(k, board))))


@net(["board", "turn"], BOTH)
def two_inputs(k: Any) -> Any:
    board, turn = k.layers.Input((6, 7, 2), name="board"), k.layers.Input((3,), name="turn")
    x = k.layers.Concatenate()([k.layers.Flatten()(convolved(k, board)), turn])
    return k.Model([board, turn], [k.layers.Dense(7, name="pi")(x), k.layers.Dense(1, "tanh", name="v")(x)])


@net(["Board", "board"], BOTH)
def two_inputs_that_differ_in_case(k: Any) -> Any:
    board, turn = k.layers.Input((6, 7, 2), name="Board"), k.layers.Input((3,), name="board")
    x = k.layers.Concatenate()([k.layers.Flatten()(convolved(k, board)), turn])
    return k.Model([board, turn], [k.layers.Dense(7, name="pi")(x), k.layers.Dense(1, "tanh", name="v")(x)])


@net(["policy_head_1", "main_input"], BOTH)
def inputs_named_like_ports(k: Any) -> Any:
    board, turn = k.layers.Input((6, 7, 2), name="policy_head"), k.layers.Input((3,), name="main_input")
    x = k.layers.Concatenate()([k.layers.Flatten()(convolved(k, board)), turn])
    return k.Model([board, turn], [k.layers.Dense(7, name="pi")(x), k.layers.Dense(1, "tanh", name="v")(x)])


@net(["main_input"], [*BOTH, "ownership"])
def three_outputs(k: Any) -> Any:
    board = k.layers.Input((5, 5, 2))
    x = convolved(k, board)
    model = headed(k, board, x, "policy", "value")
    own = k.layers.Flatten(name="ownership")(k.layers.Conv2D(1, 1, activation="sigmoid")(x))
    return k.Model(board, [own, *model.outputs])


@net(["main_input"], [*BOTH, "policy_head_1", "main_input_1"], value_head="a", policy_head="b")
def other_outputs_named_like_ports(k: Any) -> Any:
    board = k.layers.Input((4, 4, 2), name="x")
    flat = k.layers.Flatten()(convolved(k, board))
    names = {"a": 1, "b": 7, "policy_head": 5, "main_input": 3}
    return k.Model(board, [k.layers.Dense(size, name=name)(flat) for name, size in names.items()])


@net(["my_board"], ["the_value", "t_1_policy"], keep_names=True)
def kept_names(k: Any) -> Any:
    board = k.layers.Input((6, 7, 2), name="my_board")
    return headed(k, board, convolved(k, board), "1.policy", "the-value")


@net(["main_input"], BOTH)
def layers_named_like_ports(k: Any) -> Any:
    board = k.layers.Input((6, 7, 2), name="board")
    x = k.layers.Dense(3, name="policy_head")(convolved(k, board, "main_input"))
    return headed(k, board, k.layers.ReLU(name="azx_metadata")(k.layers.LeakyReLU(name="value_head")(x)))


@net(["main_input"], BOTH)
def long_names(k: Any) -> Any:
    board = k.layers.Input((6, 7, 2), name="b" * 300)
    return headed(k, board, convolved(k, board, "c" * 300), "policy_" + "p" * 300, "value_" + "v" * 300)


@net(["main_input"], BOTH, value_head="v", policy_head="board")
def an_output_that_is_the_input(k: Any) -> Any:
    board = k.layers.Input((3, 3, 2), name="board")
    return k.Model(board, [board, k.layers.Dense(1, "tanh", name="v")(k.layers.Flatten()(board))])


@net(["main_input"], BOTH, value_head="both_1", policy_head="both")
def one_tensor_twice(k: Any) -> Any:
    board = k.layers.Input((3, 3, 2), name="board")
    both = k.layers.Dense(9, name="both")(k.layers.Flatten()(board))
    return k.Model(board, [both, both])


@net(["main_input"], BOTH, value_head="both", policy_head="both_1")
def one_layer_twice(k: Any) -> Any:
    board = k.layers.Input((3, 3, 4), name="board")
    shared = k.layers.Dense(9, name="both")
    return k.Model(board, [shared(k.layers.Flatten()(x)) for x in (board, convolved(k, board))])


@net(["main_input"], BOTH)
def an_inner_tensor_is_an_output_too(k: Any) -> Any:
    board = k.layers.Input((3, 3, 2))
    logits = k.layers.Dense(9, name="policy")(k.layers.Flatten()(convolved(k, board)))
    return k.Model(board, [logits, k.layers.Dense(1, "tanh", name="value")(k.layers.Softmax()(logits))])


@net(["main_input"], BOTH)
def a_board_of_moves_and_a_bare_number(k: Any) -> Any:
    board = k.layers.Input((3, 4, 5))
    x = k.layers.Conv2D(4, 3, padding="same", data_format="channels_first")(board)
    value = k.layers.Reshape((), name="value")(k.layers.Dense(1, "tanh")(k.layers.Flatten()(x)))
    return k.Model(board, [k.layers.Conv2D(6, 1, data_format="channels_first", name="policy")(x), value])


@net(["main_input"], BOTH)
def reshapes_in_the_middle(k: Any) -> Any:
    board = k.layers.Input((84,))
    x = convolved(k, k.layers.Reshape((6, 7, 2))(k.layers.BatchNormalization()(board)))
    return headed(k, board, k.layers.Dense(3)(k.layers.Reshape((7, 24))(x)))


def without_form(k: Any, x: Any) -> Any:
    """Softmax over two axes, which no canonical network has: the graph is traced from Keras."""
    return k.layers.Softmax(axis=[1, 2])(x)


@net(["main_input"], BOTH)
def traced_from_keras(k: Any) -> Any:
    board = k.layers.Input((6, 7), name="board", dtype="int32")
    x = k.layers.Conv1D(4, 3, padding="same", name="policy_head")(without_form(k, k.layers.Rescaling(0.5)(board)))
    return headed(k, board, k.layers.LeakyReLU(name="main_input")(x))


@net(["main_input"], BOTH)
def traced_from_keras_channels_first(k: Any) -> Any:
    board = k.layers.Input((3, 6, 7))
    x = k.layers.Conv2D(4, 3, padding="same", data_format="channels_first", activation="gelu")(board)
    x = k.layers.MaxPooling2D(2, data_format="channels_first")(k.layers.BatchNormalization(axis=1)(x))
    return headed(k, board, without_form(k, k.layers.LayerNormalization(epsilon=0.02)(k.layers.Reshape((4, 9))(x))))


TRACED = ("traced_from_keras", "traced_from_keras_channels_first")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, export_checkpoint: Any) -> Callable[..., tuple[Any, Any]]:
    """made(net, library, batch): a network as its library built it and as azx exports it, once for all formats."""

    @cache
    def make(name: str, library: Any, batch: int | None) -> tuple[Any, Any]:
        build, settings, *_ = NETS[name]
        library.utils.set_random_seed(3)
        model = build(library)
        path: Path = tmp_path_factory.mktemp(name) / "net.keras"
        model.save(path)
        return model, export_checkpoint(path, batch=batch, **settings)

    return make


def boards(model: Any, rows: int) -> list[Any]:
    random = np.random.default_rng(3)
    return [random.integers(0, 3, (rows, *tensor.shape[1:])).astype(np.float32) for tensor in model.inputs]


def wanted(model: Any, feeds: list[Any]) -> list[Any]:
    typed = [
        feed.astype(getattr(door.dtype, "name", door.dtype)) for feed, door in zip(feeds, model.inputs, strict=True)
    ]
    answer = model(typed if len(typed) > 1 else typed[0], training=False)
    return [np.asarray(item) for item in (answer if isinstance(answer, (list, tuple)) else [answer])]


def check(
    model: Any, exported: Any, answers: Any, name: str, batch: int | None, names: tuple[list[str], list[str]]
) -> None:
    feeds = boards(model, 4)
    truth = dict(zip((head.source_name for head in exported.graph.outputs), wanted(model, feeds), strict=True))
    named = exported.named(dict(zip((spec.name for spec in exported.graph.inputs), feeds, strict=True)))
    signature, found = answers(name, exported.frozen, named)
    assert [port.name for port in signature.inputs] == names[0]
    assert [port.name for port in signature.outputs] == names[1]
    assert [port.shape[0] for port in signature.inputs] == [batch] * len(names[0])
    for head in exported.frozen.outputs:
        np.testing.assert_allclose(found[head.name], truth[head.source_name], atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("family", [tf_keras, keras], ids=["tf_keras", "keras"])
@pytest.mark.parametrize("make", few(NETS, 4))
def test_each_format_answers_as_keras_under_the_contracts_names(
    make: str, family: Any, name: str, made: Any, answers: Any
) -> None:
    model, result = made(make, family, 1)
    assert (result.network is None) == (make in TRACED)
    check(model, result, answers, name, 1, NETS[make][2:])


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("batch", [4, None])
@pytest.mark.parametrize("make", few(["two_inputs", "channels_first", "reshapes_in_the_middle", "traced_from_keras"]))
def test_each_format_has_the_batch_asked_for(make: str, batch: int | None, name: str, made: Any, answers: Any) -> None:
    model, result = made(make, tf_keras, batch)
    check(model, result, answers, name, batch, NETS[make][2:])


@pytest.mark.parametrize("name", FORMATS)
def test_names_that_tensorflow_does_not_allow_reach_no_format(name: str, exported: Any, answers: Any) -> None:
    board = keras.layers.Input((6, 7, 2), name="дошка 1")
    x = convolved(keras, board, "_first conv")
    model = headed(keras, board, keras.layers.ReLU(name="層")(x), "the policy", "価値_value")
    check(model, exported(model), answers, name, 1, (["main_input"], BOTH))


def test_names_that_tensorflow_does_not_allow_reach_no_traced_graph(exported: Any, by_tensorflow: Any) -> None:
    board = keras.layers.Input((6, 7), name="дошка 1")
    model = headed(
        keras,
        board,
        keras.layers.Conv1D(3, 3, name="_first conv")(without_form(keras, board)),
        "the policy",
        "価値_value",
    )
    result, feeds = exported(model), boards(model, 1)
    assert "along axes [1, 2]" in result.reason
    found = by_tensorflow(result.frozen, {"main_input": feeds[0]})
    for head, truth in zip(("policy_head", "value_head"), wanted(model, feeds), strict=True):
        np.testing.assert_allclose(found[head], truth, atol=1e-6)


def test_a_traced_normalisation_keeps_its_epsilon(exported: Any, by_tensorflow: Any) -> None:
    board = tf_keras.layers.Input((6, 7))
    x = tf_keras.layers.LayerNormalization(epsilon=0.02)(without_form(tf_keras, board))
    model = headed(tf_keras, board, x)
    result, feeds = exported(model), boards(model, 1)
    assert "along axes [1, 2]" in result.reason
    found = by_tensorflow(result.frozen, {"main_input": feeds[0]})
    for head, truth in zip(("policy_head", "value_head"), wanted(model, feeds), strict=True):
        np.testing.assert_allclose(found[head], truth, atol=1e-6)


def test_an_onnx_file_is_the_same_however_the_converter_orders_its_nodes(
    small_checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frozen, convert, found = freeze(read_checkpoint(small_checkpoint)), to_onnx._convert, set()
    # Of all nodes that could be next: the first, then the last, then the one in the middle.
    for pick in (lambda able: able[0], lambda able: able[-1], lambda able: able[len(able) // 2]):
        monkeypatch.setattr(to_onnx, "_convert", lambda *given, pick=pick: reordered(convert(*given), pick))
        FORMATS["onnx"].write(frozen, tmp_path / "net.onnx")
        found.add((tmp_path / "net.onnx").read_bytes())
    assert len(found) == 1


def reordered(model: Any, pick: Callable[[list[Any]], Any]) -> Any:
    left = [type(node).FromString(node.SerializeToString()) for node in model.graph.node]
    del model.graph.node[:]
    while left:
        waiting = {name for node in left for name in node.output}
        chosen = pick([node for node in left if waiting.isdisjoint(node.input)])
        left.remove(chosen)
        model.graph.node.append(chosen)
    return model
