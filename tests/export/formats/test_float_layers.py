"""Which operations are in float where a layer is: its product, and what follows it up to the next."""

from __future__ import annotations

from azx.export.formats.precisions.float_layers import Operation, in_float, layer_of

TOWER = [
    Operation("first", ("x",), ("a",), "one"),
    Operation("relu", ("a",), ("b",)),
    Operation("second", ("b",), ("c",), "two"),
    Operation("sum", ("b", "c"), ("d",)),
    Operation("value", ("d",), ("v",), "value_head"),
    Operation("tanh", ("v",), ("w",)),
    Operation("policy", ("d",), ("p",), "policy_head"),
]


def names(operations: list[Operation]) -> list[str]:
    return [operation.name for operation in operations]


def test_a_layer_is_its_product_and_what_follows_up_to_the_next() -> None:
    assert names(in_float(TOWER, ["one"])) == ["first", "relu"]
    assert names(in_float(TOWER, ["value_head"])) == ["value", "tanh"]
    assert names(in_float(TOWER, ["policy_head", "one"])) == ["first", "relu", "policy"]
    assert names(in_float(TOWER, [])) == []


def test_a_sum_belongs_to_the_later_of_the_layers_that_meet_in_it() -> None:
    assert names(in_float(TOWER, ["two"])) == ["second", "sum"]


def test_what_stands_before_the_first_product_belongs_to_no_layer() -> None:
    scaled = [Operation("scale", ("x",), ("y",)), Operation("first", ("y",), ("a",), "one")]
    assert names(in_float(scaled, ["one"])) == ["first"]


def test_a_layer_is_named_as_the_graph_names_it() -> None:
    assert layer_of("policy_relu/Relu;policy_conv/BiasAdd;policy_conv/Conv2D;policy_conv/bias1") == "policy_conv"
    assert layer_of("dense/MatMul1") == "dense"
    assert layer_of("policy_head") == "policy_head"
