"""Networks of the layers of 2020 to 2026: each has a canonical form, answers as Keras and the witness, and is shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import keras
import modern_networks
import numpy as np
import pytest
from rings import few

from azx.bundle.case.positions import parity_positions
from azx.bundle.case.settings import Settings
from azx.bundle.inspect import inspect_checkpoint
from azx.export.checkpoint.read import read_checkpoint
from azx.export.graph.build import build
from azx.export.graph.freeze import heads_of, try_simplify
from azx.validate.witness.evaluate import evaluate

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
# Keras computes these with other numbers than the file holds: in half precision.
INEXACT = {"half_precision": 1e-3}
# What Keras quantised is refused by name (tests/export/checkpoint/test_quantised.py).
REFUSED = set(modern_networks.QUANTISED)
# The dearest last: the first few are what `make test` runs.
FIRST = ("transformer", "grouped_queries", "einsum_attention", "line_convolutions", "masked_softmax", "gru")
ORDER = [*FIRST, *sorted(set(modern_networks.DESIGNS) - {*FIRST, *REFUSED})]


def by_tensorflow(graph: Any, feeds: Any) -> dict[str, Any]:
    """The answers of the canonical network's own graph, by the checkpoint's names of its outputs."""
    import tensorflow as tf

    simplified = try_simplify(graph)
    assert simplified.network is not None, simplified.reason
    frozen = build(simplified.network, heads_of(graph, [head.shape for head in simplified.network.outputs]), None)
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        tf.import_graph_def(tf.compat.v1.GraphDef.FromString(frozen.graph_def), name="")
        doors = {f"{port.name}:0": feeds[port.source_name].astype(np.float32) for port in frozen.inputs}
        made: dict[str, Any] = session.run({head.source_name: f"{head.name}:0" for head in frozen.outputs}, doors)
    return made


@pytest.mark.parametrize("name", few(ORDER, len(FIRST)))
def test_a_modern_network_answers_as_keras_and_the_witness_do(name: str, tmp_path: Path) -> None:
    model = modern_networks.make(name, 7)
    model.save(tmp_path / "net.keras")
    graph = read_checkpoint(tmp_path / "net.keras")
    feeds = parity_positions(graph, (), None, Settings(count=9)).feeds
    answers = by_tensorflow(graph, feeds)
    exact = evaluate(graph, feeds)
    asked = model([feeds[door.name] for door in model.inputs], training=False)
    listed = list(asked.values()) if isinstance(asked, dict) else list(asked)
    for head, original in zip(graph.outputs, listed, strict=True):
        np.testing.assert_allclose(exact[head.source_name], original, atol=INEXACT.get(name, 2e-6))
        np.testing.assert_allclose(answers[head.source_name], exact[head.source_name], atol=2e-6)
    found = inspect_checkpoint(tmp_path / "net.keras")
    assert found.head_problem is None
    assert {head.source_name: head.shape for head in found.heads} == {
        head.source_name: tuple(np.shape(original)[1:]) for head, original in zip(graph.outputs, listed, strict=True)
    }
    held = sum(int(np.prod(weight.shape)) for weight in model.weights if "seed" not in weight.path)
    assert found.parameters >= held


def test_the_weights_of_layers_within_a_layer_are_read_from_both_kinds_of_files(tmp_path: Path) -> None:
    model = modern_networks.make("transformer_post_norm", 3)
    model.save(tmp_path / "net.keras")
    model.save(tmp_path / "net.h5")
    layers = []
    for name in ("net.keras", "net.h5"):
        graph = read_checkpoint(tmp_path / name)
        layers.append(next(call.layer for call in graph.calls if call.layer.kind == "MultiHeadAttention"))
    assert list(layers[0].weights) == ["query_kernel", "key_kernel", "value_kernel", "output_kernel"]
    for name, values in layers[0].weights.items():
        np.testing.assert_array_equal(values, layers[1].weights[name])


REFUSALS: dict[str, Any] = {
    "an Embedding that masks": lambda k, x: k.Embedding(5, 4, mask_zero=True)(x),
    "scores as an output": lambda k, x: k.MultiHeadAttention(1, 2)(x, x, return_attention_scores=True)[0],
    "a kernel for each place": lambda k, x: k.EinsumDense("bxc,xcd->bxd", output_shape=(4, 3))(x),
    "states of elsewhere": lambda k, x: k.GRU(3, return_state=True)(x)[0],
}


@pytest.mark.parametrize("case", REFUSALS)
def test_what_has_no_canonical_form_is_named_and_traced(case: str, tmp_path: Path) -> None:
    layers = keras.layers
    shape = (4,) if "Embedding" in case else (4, 3)
    door = keras.Input(shape, name="board")
    made = layers.Dense(2, name="out")(layers.Flatten()(REFUSALS[case](layers, door)))
    keras.Model(door, made).save(tmp_path / "net.keras")
    reason = try_simplify(read_checkpoint(tmp_path / "net.keras")).reason
    assert reason is not None
    assert "no canonical form" in reason or "another kernel for each place along an axis" in reason


def test_a_mask_of_moves_always_leaves_one(tmp_path: Path) -> None:
    modern_networks.make("masked_by_input", 1).save(tmp_path / "net.keras")
    drawn = parity_positions(read_checkpoint(tmp_path / "net.keras"), (), None, Settings(count=60)).feeds["legal"]
    assert set(np.unique(drawn)) == {0, 1}
    assert (drawn.sum(axis=1) >= 1).all()
