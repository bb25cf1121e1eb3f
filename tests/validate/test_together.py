"""Many positions at a time of an artifact that takes one: only where each is answered alone, and never unseen."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from azx.export.graph.frozen import Port
from azx.validate.runners.runner import Answer, Runner, Signature, Tensors
from azx.validate.runners.tfjs_files import ModelFiles
from azx.validate.runners.tfjs_rows import shapes_of_the_batch
from azx.validate.together import answer

ROWS = 50
FEEDS = {"main_input": np.random.default_rng(1).normal(size=(ROWS, 4))}
OWN = np.arange(ROWS) % 10 == 0
Values = NDArray[Any]


class Doubling(Runner):
    """Answers twice its input; `change` is what becomes of the answers that are given together."""

    runtime = "a runtime of the tests"
    format = None

    def __init__(self, change: Callable[[Values], Values] | None) -> None:
        super().__init__(Path("net"))
        self.change, self.asked = change, list[int]()

    def open(self) -> None:
        """Nothing to load."""

    def signature(self) -> Signature:
        return Signature((Port("main_input", (1, 4)),), (Port("value_head", (1, 4)),))

    def run_batch(self, feeds: Mapping[str, Values]) -> Tensors:
        return {"value_head": 2 * feeds["main_input"]}

    def run(self, feeds: Mapping[str, Values]) -> Tensors:
        self.asked.append(len(feeds["main_input"]))
        return super().run(feeds)

    def together(self) -> Answer | None:
        change = self.change
        return None if change is None else lambda feeds: {"value_head": change(2 * feeds["main_input"])}


def test_a_part_is_answered_in_the_files_own_form_and_the_rest_together() -> None:
    runner = Doubling(lambda values: values + 1e-6)
    answers, together = answer(runner, FEEDS, OWN)
    assert together
    assert runner.asked == [OWN.sum()]
    exact = 2 * FEEDS["main_input"]
    assert (answers["value_head"][OWN] == exact[OWN]).all()
    assert (answers["value_head"][~OWN] == exact[~OWN] + 1e-6).all()


def fail(values: Values) -> Values:
    raise RuntimeError("out of memory")


UNSOUND: dict[str, Callable[[Values], Values]] = {
    "rows that see each other": lambda values: values - values.max(axis=0),
    "rows in another order": lambda values: values[::-1],
    "a row of one position": lambda values: np.where(np.arange(ROWS)[:, None] == 10, values + 1e-4, values),
    "no number": lambda values: np.where(values > 1, np.nan, values),
    "one answer for all": lambda values: values[:1],
    "other answers": lambda values: values[:, :2],
    "no answer": fail,
}


@pytest.mark.parametrize("change", UNSOUND.values(), ids=UNSOUND)
def test_what_is_answered_otherwise_together_is_answered_in_the_files_own_form(
    change: Callable[[Values], Values],
) -> None:
    runner = Doubling(change)
    answers, together = answer(runner, FEEDS, OWN)
    assert not together
    assert runner.asked[-1] == ROWS
    assert (answers["value_head"] == 2 * FEEDS["main_input"]).all()


@pytest.mark.parametrize("own_form", [None, np.ones(ROWS, bool), np.zeros(ROWS, bool)])
def test_nothing_is_answered_together_without_a_part_to_compare_with(own_form: NDArray[np.bool_] | None) -> None:
    runner = Doubling(lambda values: values)
    assert not answer(runner, FEEDS, own_form)[1]
    assert runner.asked == [ROWS]


def test_numbers_beyond_all_are_the_same_in_both_forms() -> None:
    feeds = {"main_input": np.full((ROWS, 4), [np.nan, np.inf, -np.inf, 1e30])}
    assert answer(Doubling(lambda values: values), feeds, OWN)[1]


Node = tuple[str, str, list[str]]


def model(nodes: Sequence[Node], constants: Mapping[str, Any], **attributes: Any) -> ModelFiles:
    """A TF.js graph of one position with one input and `nodes` (operation, name, inputs)."""
    shape = {"shape": {"dim": [{"size": "1"}, {"size": "2"}, {"size": "3"}]}}
    listed: list[dict[str, Any]] = [{"op": "Placeholder", "name": "main_input", "attr": {"shape": shape}}]
    listed += [{"op": "Const", "name": name} for name in constants]
    listed += [{"op": op, "name": name, "input": inputs, "attr": attributes} for op, name, inputs in nodes]
    weights = {name: np.asarray(values) for name, values in constants.items()}
    document = json.loads(json.dumps({"modelTopology": {"node": listed}}))
    return ModelFiles(Path(), document, weights, Signature((Port("main_input", (1, 2, 3)),), ()))


KEPT: dict[str, tuple[Sequence[Node], Mapping[str, Any]]] = {
    "numbers": ([("Relu", "a", ["main_input"]), ("Add", "b", ["a", "c"])], {"c": [1.0]}),
    "a transpose of cells": ([("Transpose", "a", ["main_input", "c"])], {"c": [0, 2, 1]}),
    "sums of cells": ([("Mean", "a", ["main_input", "c"])], {"c": [1, 2]}),
    "channels joined": ([("ConcatV2", "a", ["main_input", "main_input", "c"])], {"c": 1}),
    "a margin": ([("Pad", "a", ["main_input", "c"])], {"c": [[0, 0], [1, 1], [1, 1]]}),
    "what no position reaches": ([("Shape", "a", ["c"]), ("Relu", "b", ["main_input"])], {"c": [1]}),
}
LOOKED_ALONG: dict[str, tuple[Sequence[Node], Mapping[str, Any]]] = {
    "a transpose of the batch": ([("Transpose", "a", ["main_input", "c"])], {"c": [1, 0, 2]}),
    "sums over the batch": ([("Mean", "a", ["main_input", "c"])], {"c": [0, 1]}),
    "sums over an axis from the end": ([("Max", "a", ["main_input", "c"])], {"c": [-3]}),
    "positions joined": ([("ConcatV2", "a", ["main_input", "main_input", "c"])], {"c": 0}),
    "a constant joined": ([("ConcatV2", "a", ["main_input", "d", "c"])], {"c": 1, "d": [[[1.0]]]}),
    "a margin of positions": ([("Pad", "a", ["main_input", "c"])], {"c": [[0, 1], [0, 0], [0, 0]]}),
    "a size that is worked out": ([("Shape", "s", ["main_input"]), ("Reshape", "a", ["main_input", "s"])], {}),
    "a second free size": ([("Reshape", "a", ["main_input", "c"])], {"c": [1, -1]}),
    "a batch that is taken in": ([("Reshape", "a", ["main_input", "c"])], {"c": [2, 3]}),
    "a product of positions": ([("MatMul", "a", ["main_input", "main_input"])], {}),
    "an unknown operation": ([("Cumsum", "a", ["main_input", "c"])], {"c": 0}),
    "another order": ([("Relu", "a", ["b"]), ("Relu", "b", ["main_input"])], {}),
    "a constant of more axes": ([("Add", "a", ["main_input", "c"])], {"c": np.ones((1, 32, 2, 3))}),
    "a constant of many rows": ([("Mul", "a", ["main_input", "c"])], {"c": np.ones((32, 2, 3))}),
    "a slope of more axes": ([("Prelu", "a", ["main_input", "c"])], {"c": np.ones((1, 32, 2, 3))}),
    "a bias of many rows": ([("BiasAdd", "a", ["main_input", "c"])], {"c": np.ones((32, 2, 3))}),
    "positions beside and below one another": (
        [("Mean", "a", ["main_input", "c"]), ("Reshape", "b", ["a", "d"]), ("Sub", "e", ["a", "b"])],
        {"c": [1, 2], "d": [1, 1]},
    ),
    "a share of all positions": (
        [("Mean", "a", ["main_input", "c"]), ("Softmax", "b", ["a"])],
        {"c": [1, 2]},
    ),
    "a window over positions": ([("MaxPool", "a", ["main_input"])], {}),
    "a product along positions": ([("Conv2D", "a", ["main_input", "c"])], {"c": np.ones((3, 3, 3, 3))}),
    "what is worked out of constants": (
        [("Relu", "d", ["c"]), ("Add", "a", ["main_input", "d"])],
        {"c": np.ones((32, 2, 3))},
    ),
}


@pytest.mark.parametrize(("nodes", "constants"), KEPT.values(), ids=KEPT)
def test_a_graph_that_answers_each_row_alone_can_have_a_free_batch(
    nodes: Sequence[Node], constants: Mapping[str, Any]
) -> None:
    assert shapes_of_the_batch(model(nodes, constants)) == []


@pytest.mark.parametrize(("nodes", "constants"), LOOKED_ALONG.values(), ids=LOOKED_ALONG)
def test_a_graph_that_may_look_along_the_batch_keeps_its_own(
    nodes: Sequence[Node], constants: Mapping[str, Any]
) -> None:
    assert shapes_of_the_batch(model(nodes, constants)) is None


def test_the_constants_with_the_batch_are_named_and_a_transposed_product_is_refused() -> None:
    reshape: list[Node] = [("Reshape", "a", ["main_input", "c"]), ("MatMul", "b", ["a", "d"])]
    constants = {"c": [1, 6], "d": np.ones((6, 2))}
    assert shapes_of_the_batch(model(reshape, constants)) == ["c"]
    assert shapes_of_the_batch(model(reshape, constants, transpose_a={"b": True})) is None
