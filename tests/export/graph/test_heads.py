"""Which output is the value and which the policy, and what they and the inputs are called."""

from __future__ import annotations

from typing import Any

import pytest
import tf_keras

from azx.errors import HeadError
from azx.export.checkpoint.head import Head
from azx.export.checkpoint.read import read_checkpoint
from azx.export.graph.heads import head_activation, recognise
from azx.export.graph.names import input_names, safe_name

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")


def roles(*heads: Head, **settings: Any) -> dict[str, str]:
    """The checkpoint's names by role, in the artifacts' order."""
    return {head.role: head.source_name for head in recognise(heads, "'net.h5'", **settings)}


def head(name: str, width: int, activation: str = "linear") -> Head:
    return Head(name, (width,), activation)


@pytest.mark.parametrize(
    ("value", "policy"),
    [("v", "pi"), ("value_head", "policy_head"), ("value/out", "policy/out"), ("val", "move.probs"), ("V1", "P1")],
)
def test_a_telling_name_decides_whatever_the_shape(value: str, policy: str) -> None:
    found = roles(head(policy, 1), head(value, 7, "softmax"))
    assert found == {"value": value, "policy": policy}
    assert list(found) == ["value", "policy"]


@pytest.mark.parametrize("activation", ["tanh", "linear", "sigmoid"])
def test_without_telling_names_one_unit_is_the_value_and_the_widest_the_policy(activation: str) -> None:
    found = roles(head("dense", 1177, "softmax"), head("aux", 30), head("dense_2", 1, activation))
    assert found == {"value": "dense_2", "policy": "dense", "other": "aux"}


def test_a_word_inside_another_tells_nothing() -> None:
    assert roles(head("pivot", 1, "tanh"), head("evalue", 9)) == {"value": "pivot", "policy": "evalue"}


def test_one_of_two_outputs_alike_may_be_the_policy_and_the_other_nothing() -> None:
    alike = (head("z_player_x", 9, "softmax"), head("a_player_o", 9, "softmax"))
    with pytest.raises(HeadError, match="say which is which with --value-head NAME and --policy-head NAME, or one of"):
        recognise(alike, "'net.h5'")
    assert roles(*alike, policy_head="a_player_o") == {"policy": "a_player_o", "other": "z_player_x"}
    # What may well be the value is asked for.
    units = (head("alpha", 1), head("beta", 1), head("gamma", 7))
    with pytest.raises(HeadError, match="say which one is the value with --value-head NAME"):
        recognise(units, "'net.h5'", policy_head="gamma")


def test_a_single_output_may_be_either() -> None:
    assert roles(head("dense_5", 9, "softmax")) == {"policy": "dense_5"}
    assert roles(head("dense_7", 1, "tanh")) == {"value": "dense_7"}


@pytest.mark.parametrize(
    ("heads", "role"),
    [
        ((head("dense_5", 3, "softmax"),), "value"),
        ((head("dense_5", 3, "softmax"), head("dense_6", 1, "tanh")), "other"),
        ((head("wdl", 3, "softmax"), head("dense_6", 64, "softmax"), head("dense_7", 1, "tanh")), "other"),
        ((head("game/result", 3), head("dense_6", 64, "softmax")), "value"),
        ((head("outcome", 3, "softmax"), head("aux", 3, "softmax"), head("policy", 2), head("value", 1)), "other"),
        ((head("outcome", 3, "softmax"), head("result", 3, "softmax"), head("policy", 2)), "other"),
    ],
    ids=["alone", "beside a value", "named, with others", "named, logits", "named, with one as wide", "two of them"],
)
def test_three_chances_are_a_result_and_no_policy(heads: tuple[Head, ...], role: str) -> None:
    """The value where nothing else is."""
    found = next(told for told in recognise(heads, "'net.h5'") if told.source_name == heads[0].source_name)
    assert (found.role, found.reason) == (role, "three classes of a result")


def test_three_moves_that_are_called_a_policy_are_one() -> None:
    assert roles(head("pi", 3, "softmax"), head("v", 1, "tanh")) == {"value": "v", "policy": "pi"}
    assert roles(head("wdl", 3, "softmax"), policy_head="wdl") == {"policy": "wdl"}


def test_the_user_decides_against_names_and_shapes() -> None:
    heads = (head("value", 7), head("policy", 7))
    assert roles(*heads, value_head="policy", policy_head="value") == {"value": "policy", "policy": "value"}


@pytest.mark.parametrize(
    "heads",
    [(head("a", 7), head("b", 7)), (head("a", 1), head("b", 1)), (head("a", 1, "softmax"), head("b", 7))],
    ids=["equally wide", "two single units", "a softmax of one unit"],
)
def test_an_output_that_nothing_tells_is_an_error_that_says_what_to_do(heads: tuple[Head, ...]) -> None:
    with pytest.raises(HeadError, match=r"'net\.h5'.*'[ab]'.*--value-head NAME and --policy-head NAME") as caught:
        recognise(heads, "'net.h5'")
    assert "\n" not in str(caught.value)


def test_a_name_that_no_output_has_is_an_error_that_lists_them() -> None:
    with pytest.raises(HeadError, match="no output 'pi' for --policy-head: its outputs are 'a', 'b'"):
        recognise((head("a", 1), head("b", 7)), "'net.h5'", policy_head="pi")


def test_names_are_the_contracts_or_the_checkpoints() -> None:
    heads = (head("move probs", 9), head("v", 1), head("1.own-er", 4))
    assert [h.name for h in recognise(heads, "")] == ["value_head", "policy_head", "t_1_own_er"]
    assert [h.name for h in recognise(heads, "", keep_names=True)] == ["v", "move_probs", "t_1_own_er"]


def test_no_two_outputs_and_no_input_share_a_name() -> None:
    heads = [head("v", 1), head("pi", 9), *(head(name, 4) for name in ("policy_head", "main_input", "a.b", "a-b"))]
    named = recognise(heads, "", value_head="v", policy_head="pi")
    names = [h.name for h in named]
    assert names == ["value_head", "policy_head", "policy_head_1", "main_input_1", "a_b", "a_b_1"]
    assert input_names(["x"], named) == ("main_input",)
    assert input_names(["a b", "policy_head", "c"], named) == ("a_b_2", "policy_head_2", "c")
    kept = recognise(heads, "", value_head="v", policy_head="pi", keep_names=True)
    assert input_names(["v"], kept, keep_names=True) == ("v_1",)


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("pi", "pi"),
        ("tf.nn.softmax_1", "tf_nn_softmax_1"),
        ("9x9", "t_9x9"),
        ("_v", "t__v"),
        ("価値", "t___"),
        ("", "t_"),
    ],
)
def test_a_safe_name_is_of_letters_digits_and_underscores(name: str, safe: str) -> None:
    assert safe_name(name) == safe


def test_the_activation_of_a_head_is_found_behind_what_only_moves_values(tmp_path: Any) -> None:
    import tensorflow as tf

    k = tf_keras.layers
    board = k.Input((4, 4, 2))
    x = k.Conv2D(3, 3, padding="same")(board)
    outputs = {
        "softmax": k.Flatten()(k.Permute((3, 1, 2))(k.Softmax(axis=1)(x))),
        "tanh": k.Dropout(0.1)(k.Reshape(())(k.Dense(1, "tanh")(k.Flatten()(x)))),
        "linear": k.Activation("linear")(k.Add()([x, x])),
        "log_softmax": tf.reshape(tf.nn.log_softmax(k.Dense(3)(k.Flatten()(x))), (-1, 3)),
        "sigmoid": tf.sigmoid(x),
        "leaky_relu": k.LeakyReLU()(x),
    }
    tf_keras.Model(board, list(outputs.values())).save(tmp_path / "net.keras")
    graph = read_checkpoint(tmp_path / "net.keras")
    assert [head_activation(graph, spec.tensor) for spec in graph.outputs] == list(outputs)
