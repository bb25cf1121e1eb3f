"""Which layers stay in float: the heads first, then the trunk from the board on."""

from __future__ import annotations

from azx.export.formats.precisions.float_layers import STEPS, Operation, in_float, layer_of

TWO_HEADS = [
    Operation("first", ("x",), ("a",), True),
    Operation("relu", ("a",), ("b",), False),
    Operation("second", ("b",), ("c",), True),
    Operation("value conv", ("c",), ("d",), True),
    Operation("policy conv", ("c",), ("e",), True),
    Operation("value", ("d",), ("v",), True),
    Operation("policy", ("e",), ("p",), True),
]


def names(operations: list[Operation]) -> list[str]:
    return [operation.name for operation in operations]


def test_nothing_then_the_heads_then_the_trunk_from_the_board_on() -> None:
    heads = ["value conv", "policy conv", "value", "policy"]
    found = [names(in_float(TWO_HEADS, ("v", "p"), step)) for step in range(STEPS + 1)]
    assert found == [[], heads, ["first", *heads], ["first", "second", *heads], ["first", "second", *heads]]


def test_of_a_single_output_the_last_product_and_what_follows_is_the_head() -> None:
    alone = [Operation("one", ("x",), ("a",), True), Operation("two", ("a",), ("b",), True)]
    alone.append(Operation("softmax", ("b",), ("p",), False))
    assert names(in_float(alone, ("p",), 1)) == ["two", "softmax"]
    assert names(in_float(alone, ("p",), 2)) == ["one", "two", "softmax"]


def test_a_layer_is_named_as_the_graph_names_it() -> None:
    assert layer_of("policy_relu/Relu;policy_conv/BiasAdd;policy_conv/Conv2D;policy_conv/bias1") == "policy_conv"
    assert layer_of("dense/MatMul1") == "dense"
    assert layer_of("policy_head") == "policy_head"
