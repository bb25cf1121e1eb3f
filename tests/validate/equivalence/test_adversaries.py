"""Files made to pass: right on one board and wrong on two, tolerances widened on purpose, look-ups of any kind."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azx.export.checkpoint.head import Head
from azx.export.checkpoint.layer_graph import Call, InputSpec, Layer, LayerGraph, Source
from azx.validate.equivalence import onnx
from azx.validate.equivalence.checkpoint import read_graph
from azx.validate.equivalence.match import match
from azx.validate.equivalence.normal import MisfitError, NoRuleError
from azx.validate.equivalence.program import FileNode, Program, read_program
from azx.validate.equivalence.verdict import OtherCalculation, SameCalculation, Verdict

RNG = np.random.default_rng(11)
KERNEL, BIAS = (RNG.normal(0, 0.4, shape).astype(np.float32) for shape in ((6, 4), (4,)))
SHAPE = np.array([1, -1])


def dense(**more: Any) -> Layer:
    return Layer("dense", "Dense", {"use_bias": True, **more}, {"kernel": KERNEL, "bias": BIAS})


def compared(
    layers: list[Layer], constants: Mapping[str, Any], *nodes: tuple[Any, ...], batch: int = 1, shape: Any = (6,)
) -> Verdict:
    tensors = ["in", *(layer.name for layer in layers)]
    calls = tuple(Call(layer, (tensors[at],), layer.name) for at, layer in enumerate(layers))
    head = Head(source_name="out", tensor=tensors[-1], activation="linear")
    source = Source(Path("net.h5"), "h5", "", "2.15.0", {})
    graph = LayerGraph(source, "net", calls, (InputSpec("in", "in", shape),), (head,))
    made = [FileNode(kind, out, tuple(inputs), (out,), *rest) for kind, inputs, out, *rest in nodes]
    program = Program({"in": (batch, *shape)}, constants, made, {"out": made[-1].outputs[0]})
    return match(read_graph(graph), read_program(program, onnx.RULES, {}))


PRODUCT = ("MatMul", ["in", "kernel"], "product")
WEIGHTS = {"kernel": KERNEL, "bias": BIAS}


def test_the_sound_file_matches() -> None:
    assert isinstance(compared([dense()], WEIGHTS, PRODUCT, ("Add", ["product", "bias"], "out")), SameCalculation)


def test_a_large_number_added_and_taken_away_explains_nothing() -> None:
    constants = {**WEIGHTS, "much": np.float32(1e6), "less": np.float32(-1e6 + 0.0625)}
    steps = [("Add", ["product", "much"], "up"), ("Add", ["up", "less"], "down"), ("Add", ["down", "bias"], "out")]
    assert isinstance(compared([dense()], constants, PRODUCT, *steps), OtherCalculation)


def test_a_thousand_factors_of_nearly_one_explain_nothing() -> None:
    factor = np.nextafter(np.float32(1), np.float32(2))
    steps: list[tuple[Any, ...]] = [("Add", ["product", "bias"], "t0")]
    steps += [("Mul", [f"t{at}", "factor"], f"t{at + 1}") for at in range(1000)]
    assert isinstance(compared([dense()], {**WEIGHTS, "factor": factor}, PRODUCT, *steps), OtherCalculation)


def test_half_precision_of_a_large_number_explains_nothing() -> None:
    constants = {**WEIGHTS, "much": np.full(4, 2048, np.float16), "less": np.float32(-2048.25)}
    read = ("Cast", ["much"], "wide", {"to": 1})
    steps = [("Add", ["product", "wide"], "up"), ("Add", ["up", "less"], "down"), ("Add", ["down", "bias"], "out")]
    assert isinstance(compared([dense()], constants, PRODUCT, read, *steps), OtherCalculation)


NORM = Layer("norm", "LayerNormalization", {"axis": [1, 2], "scale": False, "center": False, "epsilon": 1e-3})
# Mean and variance of one board; or of all boards that are asked together, in the same operations.
STATISTICS: list[tuple[Any, ...]] = [
    ("ReduceMean", ["joined"], "mean", {"axes": [1, 2]}),
    ("Sub", ["joined", "mean"], "centred"),
    ("Mul", ["centred", "centred"], "squares"),
    ("ReduceMean", ["squares"], "variance", {"axes": [1, 2]}),
    ("Add", ["variance", "epsilon"], "above"),
    ("Sqrt", ["above"], "root"),
    ("Reciprocal", ["root"], "factor"),
    ("Mul", ["centred", "factor"], "normal"),
    ("Reshape", ["normal", "back"], "out"),
]


@pytest.mark.parametrize(
    ("first", "batch", "expected"), [(-1, 0, SameCalculation), (1, 1, SameCalculation), (1, 0, MisfitError)]
)
def test_boards_of_a_free_batch_are_not_put_together(first: int, batch: int, expected: type) -> None:
    shape = np.array([1, -1, 4] if first == 1 else [-1, 5, 4])
    constants = {"shape": shape, "back": np.array([-1, 5, 4]), "epsilon": np.float32(1e-3)}
    nodes = [("Reshape", ["in", "shape"], "joined"), *STATISTICS]
    if expected is MisfitError:
        with pytest.raises(MisfitError, match="of any number of boards"):
            compared([NORM], constants, *nodes, batch=batch, shape=(5, 4))
    else:
        assert isinstance(compared([NORM], constants, *nodes, batch=batch, shape=(5, 4)), expected)


@pytest.mark.parametrize(
    ("node", "constants", "message"),
    [
        (("Slice", ["in", "first", "one", "first"], "out"), {"first": [0], "one": [1]}, "one board of many"),
        (("Unsqueeze", ["in", "first"], "out"), {"first": [0]}, "before the boards"),
        (("Add", ["in", "wide"], "out"), {"wide": np.ones((1, 1, 6), np.float32)}, "beside what has more axes"),
        (("Softmax", ["in"], "out", {"axis": 0}), {}, "takes boards together"),
        (("ReduceMean", ["in"], "out", {"axes": [0]}), {}, "takes boards together"),
        (("Transpose", ["in"], "out", {"perm": [1, 0]}), {}, "moves the batch"),
        (("Concat", ["in", "in"], "out", {"axis": 0}), {}, "joins boards"),
    ],
)
def test_no_operation_takes_boards_together(node: Any, constants: Any, message: str) -> None:
    arrays = {name: np.asarray(value) for name, value in constants.items()}
    with pytest.raises(MisfitError, match=message):
        compared([dense()], arrays, node, batch=0)


@pytest.mark.parametrize("kind", ["Equal", "GatherND", "Where", "Hardmax", "TopK"])
def test_an_operation_that_no_rule_knows_is_named_with_its_node(kind: str) -> None:
    nodes = [
        PRODUCT,
        ("Add", ["product", "bias"], "sum"),
        (kind, ["in", "kernel"], "hit"),
        ("Add", ["sum", "hit"], "out"),
    ]
    with pytest.raises(NoRuleError, match=rf"no rule for operation {kind} \(node 'hit'\)"):
        compared([dense()], WEIGHTS, *nodes)


def test_a_look_up_of_known_operations_is_another_calculation() -> None:
    cells = np.eye(6, 1, dtype=np.float32)
    hit = [("MatMul", ["in", "cells"], "seen"), ("Relu", ["seen"], "hit"), ("Add", ["sum", "hit"], "out")]
    constants = {**WEIGHTS, "cells": cells * 1e-3}
    assert isinstance(
        compared([dense()], constants, PRODUCT, ("Add", ["product", "bias"], "sum"), *hit), OtherCalculation
    )
