"""A layer, added as docs/adding-a-layer.md says: one rule in each of the two rooms."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest

from azx.errors import UnsupportedLayer
from azx.export.checkpoint.layer_graph import Call
from azx.export.network import simplify
from azx.export.network.emitter import Emitter, Value
from azx.export.network.network import Transpose
from azx.export.network.norm_layers import emit_reduction, several_axes
from azx.validate.witness import evaluate
from azx.validate.witness.layer import LayerCall, Values

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
RECIPE = Path(__file__).parents[3] / "docs" / "adding-a-layer.md"


def canonical(emitter: Emitter, call: Call, inputs: list[Value]) -> Value:
    value = inputs[0]
    axes = several_axes(call.layer, call.layer.config.get("axis", -1), len(value.shape))
    total = emit_reduction(emitter, emitter.pairwise(value, value, "multiply"), "sum", axes, keep=True)
    above_zero = emitter.activation(total, ("maximum", (1e-12,)))
    return emitter.pairwise(value, emitter.activation(above_zero, ("rsqrt", ())), "multiply")


def witnessed(applied: LayerCall) -> Values:
    axis = applied.config.get("axis", -1)
    total = np.square(applied.x).sum(axis=tuple(axis) if isinstance(axis, list) else axis, keepdims=True)
    return np.asarray(applied.x / np.sqrt(np.maximum(total, 1e-12)))


def network(data_format: str, axis: Any) -> Any:
    """A convolution, the layer, and a dense head behind a flattened board."""
    k = keras.layers
    keras.utils.set_random_seed(3)
    board = k.Input((2, 6, 7) if data_format == "channels_first" else (6, 7, 2))
    x = k.Conv2D(4, 3, data_format=data_format, activation="relu")(board)
    x = k.Flatten(data_format="channels_last")(k.UnitNormalization(axis)(x))
    return keras.Model(board, k.Dense(7, name="pi")(k.UnitNormalization()(x)))


@pytest.fixture
def unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """The layer as one that azx does not know: its own rules are taken away."""
    monkeypatch.delitem(simplify.RULES, "UnitNormalization")
    monkeypatch.delitem(evaluate.RULES, "UnitNormalization")


@pytest.fixture
def added(monkeypatch: pytest.MonkeyPatch, unknown: None) -> None:
    """The layer in both registries, and nowhere else."""
    monkeypatch.setitem(simplify.RULES, "UnitNormalization", canonical)
    monkeypatch.setitem(evaluate.RULES, "UnitNormalization", witnessed)


@pytest.mark.usefixtures("unknown")
def test_without_its_rules_it_is_traced_and_has_no_witness(exported: Any) -> None:
    result = exported(network("channels_last", -1))
    assert result.network is None
    assert "UnitNormalization has no canonical form" in result.reason
    with pytest.raises(UnsupportedLayer, match="no float64 rule for UnitNormalization"):
        evaluate.evaluate(result.graph, {result.graph.inputs[0].name: np.ones((1, 6, 7, 2))})


@pytest.mark.usefixtures("added")
@pytest.mark.parametrize("axis", [-1, [1, 2], 1])
def test_its_graph_answers_as_keras_and_the_witness_do(axis: Any, exported: Any, by_tensorflow: Any) -> None:
    model = network("channels_last", axis)
    result = exported(model)
    assert result.network is not None, result.reason
    feed = np.random.default_rng(4).normal(size=(1, 6, 7, 2)).astype(np.float32)
    found = by_tensorflow(result.frozen, {"main_input": feed})["policy_head"]
    truth = evaluate.evaluate(result.graph, {result.graph.inputs[0].name: feed})["pi"]
    np.testing.assert_allclose(found, np.asarray(model(feed, training=False)), atol=2e-6)
    np.testing.assert_allclose(found, truth, atol=2e-6)


@pytest.mark.usefixtures("added")
def test_channels_first_it_needs_no_transpose_behind_the_door(exported: Any, by_tensorflow: Any) -> None:
    result = exported(network("channels_first", 1))
    assert result.network is not None, result.reason
    assert [type(op) for op in result.network.ops].count(Transpose) == 1
    feed = np.random.default_rng(4).normal(size=(1, 2, 6, 7)).astype(np.float32)
    truth = evaluate.evaluate(result.graph, {result.graph.inputs[0].name: feed})["pi"]
    np.testing.assert_allclose(by_tensorflow(result.frozen, {"main_input": feed})["policy_head"], truth, atol=2e-6)


def test_a_layer_with_a_canonical_form_has_a_witness() -> None:
    unwitnessed = {"InputLayer", "GroupNormalization"}  # an InputLayer is never called
    assert set(simplify.RULES) - set(evaluate.RULES) <= unwitnessed


@pytest.mark.parametrize("rule", [canonical, witnessed])
def test_the_recipe_prints_the_rules_that_are_tried_here(rule: Any) -> None:
    body = inspect.getsource(rule).partition("\n")[2]
    assert body in RECIPE.read_text("utf8")


def test_the_files_and_tables_that_the_recipe_names_are_there() -> None:
    text = RECIPE.read_text("utf8")
    root = RECIPE.parents[1]
    words = {word.strip("`.,:;()") for word in text.split()}
    files = {word for word in words if word.endswith(".py") and "/" in word}
    assert {"export/checkpoint/weights.py", "export/network/activations.py", "export/graph/build.py"} <= files
    assert not [file for file in files if not (root / file).is_file()]
    for table, file in (
        ("WEIGHT_NAMES", "export/checkpoint/weights.py"),
        ("_SWITCHES", "export/checkpoint/weights.py"),
        ("_PLAIN", "export/network/activations.py"),
        ("LAYERS", "export/network/activations.py"),
        ("IGNORED_KINDS", "export/network/layers.py"),
        ("OPERATIONS", "export/network/operations.py"),
        ("CHAINS", "tests/export/network/test_simplify.py"),
    ):
        assert table in words
        assert f"\n{table}" in (root / file).read_text("utf8")
