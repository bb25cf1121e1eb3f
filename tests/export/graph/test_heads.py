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
from azx.export.statements.outputs import say_output
from azx.statement import Degree

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")


def head(name: str, width: int, activation: str = "linear") -> Head:
    return Head(name, (width,), activation)


BOARD = ((9, 9, 2),)


def told(*heads: Head, inputs: Any = BOARD, **settings: Any) -> dict[str, tuple[str, Degree]]:
    """Role and degree by the checkpoint's name of each output."""
    return {one.source_name: (one.role, one.degree) for one in recognise(heads, "'net.h5'", inputs, **settings)}


@pytest.mark.parametrize(
    ("value", "policy"),
    [("v", "pi"), ("value_head", "policy_head"), ("value/out", "policy/out"), ("val", "move.probs"), ("V1", "P1")],
)
def test_the_name_in_the_file_is_evidence(value: str, policy: str) -> None:
    found = recognise((head(policy, 7), head(value, 1, "softmax")), "'net.h5'", BOARD)
    assert [(one.source_name, one.role, one.degree) for one in found] == [
        (value, "value", Degree.CERTAIN),
        (policy, "policy", Degree.CERTAIN),
    ]
    assert say_output(found[0]).sentence == f"'{value}' is the value: the file calls it '{value}'."


@pytest.mark.parametrize(
    ("heads", "roles"),
    [
        # Q-values are no value; nor is a chance to win a policy.
        ((head("q_values", 81), head("win_prob", 1, "sigmoid")), {"win_prob": "value", "q_values": "policy"}),
        # Another thing whose name has such a word in it.
        ((head("opponent_policy", 81), head("policy", 81), head("moves_left", 1)), {"policy": "policy"}),
        # Two of one name, and one of both.
        ((head("policy_black", 81), head("policy_white", 82), head("value", 1)), {"value": "value"}),
        ((head("action_value", 81),), {}),
        ((head("pivot", 1, "tanh"), head("evalue", 81)), {"pivot": "value", "evalue": "policy"}),
    ],
)
def test_a_word_says_what_the_width_allows(heads: tuple[Head, ...], roles: dict[str, str]) -> None:
    found = {name: role for name, (role, _) in told(*heads).items() if role != "other"}
    assert found == roles


@pytest.mark.parametrize("activation", ["tanh", "linear", "sigmoid"])
def test_the_usual_pair_is_assumed_by_its_shape_and_never_a_fact(activation: str) -> None:
    found = told(head("dense", 1177, "softmax"), head("dense_2", 1, activation))
    assert found == {"dense_2": ("value", Degree.ASSUMED), "dense": ("policy", Degree.ASSUMED)}


@pytest.mark.parametrize(
    "heads",
    [
        (head("dense_8", 2, "sigmoid"),),
        (head("dense_5", 3, "softmax"),),
        (head("style", 81, "softmax"),),
        (head("z_player_x", 9, "softmax"), head("a_player_o", 9, "softmax")),
        (head("alpha", 1), head("beta", 1)),
        (head("dense_9", 5, "softmax"),),
        (head("ownership", 81, "tanh"), head("score", 1)),
    ],
    ids=[
        "two chances",
        "three classes",
        "styles",
        "two alike",
        "two units",
        "fewer than a board has columns",
        "others",
    ],
)
def test_what_nothing_tells_is_nobodys_and_can_be_exported(heads: tuple[Head, ...]) -> None:
    assert set(told(*heads).values()) == {("other", Degree.UNKNOWN)}
    for one in recognise(heads, "'net.h5'", BOARD):
        said = say_output(one)
        assert said.degree is Degree.UNKNOWN
        assert one.source_name in said.sentence


def test_a_result_is_the_value_if_the_file_calls_it_so_and_nothing_else_is() -> None:
    assert told(head("wdl", 3, "softmax"), head("dense_6", 81))["wdl"] == ("value", Degree.CERTAIN)
    assert told(head("wdl", 3, "softmax"), head("dense_7", 1, "tanh"))["wdl"] == ("other", Degree.UNKNOWN)
    # A number that the file calls another thing leaves the result to be the value.
    assert told(head("wdl", 3, "softmax"), head("moves_left", 1, "relu"))["wdl"] == ("value", Degree.CERTAIN)
    assert told(head("outcome", 3), head("result", 3))["outcome"] == ("other", Degree.UNKNOWN)


def test_the_user_decides_against_names_and_shapes() -> None:
    heads = (head("value", 7), head("policy", 7))
    found = told(*heads, value_head="policy", policy_head="value")
    assert found == {"policy": ("value", Degree.SAID), "value": ("policy", Degree.SAID)}
    nobody = told(head("dense", 81), head("v", 1), policy_head="none", value_head="none")
    assert set(nobody.values()) == {("other", Degree.UNKNOWN)}
    with pytest.raises(HeadError, match="named as value and as policy"):
        told(*heads, value_head="policy", policy_head="policy")


def test_no_sentence_about_an_output_is_long() -> None:
    heads = (head("dense_1", 82, "softmax"), head("dense_2", 1, "tanh"), head("a very long name of it", 3))
    assert all(len(say_output(one).line.split()) <= 25 for one in recognise(heads, "'net.h5'", BOARD))


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
