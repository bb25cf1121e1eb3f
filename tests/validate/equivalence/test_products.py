"""Networks that multiply tensors: the same calculation in every format, and the nearest other one is not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sibling import sibling

from azx.export.checkpoint.head import Head
from azx.export.checkpoint.layer_graph import Call, InputSpec, Layer, LayerGraph, Source
from azx.export.checkpoint.read import read_checkpoint
from azx.validate.equivalence import compare
from azx.validate.equivalence.compare import READERS
from azx.validate.equivalence.normal import MisfitError, NoRuleError, View, make_input
from azx.validate.equivalence.products import contract, matrix_product
from azx.validate.equivalence.verdict import NotCompared, OtherCalculation, SameCalculation
from azx.validate.equivalence.weights import stored

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
made = sibling(__file__, "architectures")
RNG = np.random.default_rng(8)
CELLS, WIDTH, HEADS, SIZE = 6, 8, 2, 4
ASKED = {"args": [{"tensor": 0}, {"tensor": 0}]}


def numbers(*shape: int) -> Any:
    return RNG.normal(0, 0.4, shape).astype(np.float32)


def attention(heads: int = HEADS, shared: int = HEADS) -> dict[str, Any]:
    weights: dict[str, Any] = {}
    for part, count in (("query", heads), ("key", shared), ("value", shared)):
        weights |= {f"{part}_kernel": numbers(WIDTH, count, SIZE), f"{part}_bias": numbers(count, SIZE)}
    return weights | {"output_kernel": numbers(heads, SIZE, WIDTH), "output_bias": numbers(WIDTH)}


def constant(values: Any) -> dict[str, Any]:
    return {"class_name": "__numpy__", "config": {"value": np.asarray(values, np.float64)}}


def part(first: int, last: int) -> list[Any]:
    every = {"start": None, "stop": None, "step": None}
    return [every, {"start": first, "stop": last, "step": None}, every]


# What stands between (cells, width) and a dense layer: kind, configuration, weights, arguments.
LAYERS: dict[str, tuple[str, dict[str, Any], dict[str, Any], dict[str, Any], tuple[int, ...]]] = {
    "several heads": ("MultiHeadAttention", {"key_dim": SIZE}, attention(), ASKED, (CELLS, WIDTH)),
    "one after the other": (
        *("MultiHeadAttention", {"key_dim": SIZE}, attention(), {**ASKED, "use_causal_mask": True}, (CELLS, WIDTH)),
    ),
    "shared keys": ("GroupQueryAttention", {"head_dim": SIZE}, attention(4, 2), ASKED, (CELLS, WIDTH)),
    "an Einstein sum": (
        *("EinsumDense", {"equation": "abc,bd->adc", "activation": "tanh"}, {"kernel": numbers(CELLS, 5)}, {}),
        (5, WIDTH),
    ),
    "a sum with the file's numbers": (
        *("ops.Einsum", {}, {}, {"args": ["abc,cd->abd", {"tensor": 0}, constant(numbers(WIDTH, 3))]}, (CELLS, 3)),
    ),
    "itself": (*("ops.Einsum", {}, {}, {"args": ["abc,adc->abd", {"tensor": 0}, {"tensor": 0}]}, (CELLS, CELLS)),),
    "a part": ("ops.GetItem", {}, {}, {"args": [{"tensor": 0}, part(1, 4)]}, (3, WIDTH)),
    "places in another order": ("ops.Take", {}, {}, {"args": [{"tensor": 0}, [4, 0, 0, 5]], "axis": 1}, (4, WIDTH)),
}


def network(name: str, changes: dict[str, Any] | None = None) -> LayerGraph:
    """A dense layer over each cell, the layer, and a policy; `changes` are weights of another network."""
    kind, config, weights, arguments, shape = LAYERS[name]
    first = Layer(
        "cells", "Dense", {"units": WIDTH, "activation": "relu"}, dict(zip(("kernel", "bias"), FIRST, strict=True))
    )
    middle = Layer("middle", kind, {**config, "name": "middle"}, {**weights, **(changes or {})})
    flat = Layer("flat", "Flatten", {}, {})
    last = Layer(
        "policy", "Dense", {"units": 7, "activation": "softmax"}, {"kernel": LAST[: np.prod(shape)], "bias": BIAS}
    )
    calls = [Call(first, ("in",), "cells"), Call(middle, ("cells",), "middle", arguments)]
    calls += [Call(flat, ("middle",), "flat"), Call(last, ("flat",), "policy")]
    head = Head(source_name="policy", tensor="policy", shape=(7,), role="policy", activation="softmax")
    source = Source(Path("net.keras"), "keras", "", "3.5.0", {})
    return LayerGraph(source, "net", tuple(calls), (InputSpec("in", "in", (CELLS, 3)),), (head,))


FIRST, LAST, BIAS = (numbers(3, WIDTH), numbers(WIDTH)), numbers(CELLS * WIDTH, 7), numbers(7)


@pytest.mark.parametrize("batch", [1, None])
@pytest.mark.parametrize("name", LAYERS)
def test_is_the_same_calculation_in_every_format(name: str, batch: int | None, tmp_path: Path) -> None:
    graph = network(name)
    outputs, inputs = made.ports(graph)
    weights = graph.calls[1].layer.weights
    for artifact_format in READERS:
        path = made.write(graph, artifact_format, tmp_path, batch)
        verdict = compare(path, artifact_format, graph, outputs, inputs)
        assert isinstance(verdict, SameCalculation), f"{artifact_format}: {verdict}"
        for changed in weights:
            # One number of a million-th more than its own is another network's, in every one of its kernels.
            other = np.array(weights[changed])
            other.flat[other.size // 2] *= 1 + 1e-6
            told = compare(path, artifact_format, network(name, {changed: other}), outputs, inputs)
            assert isinstance(told, OtherCalculation), f"{artifact_format}, {changed}: {told}"


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("one after the other", {"arguments": ASKED}),
        ("a part", {"arguments": {"args": [{"tensor": 0}, part(2, 5)]}}),
        ("places in another order", {"arguments": {"args": [{"tensor": 0}, [4, 0, 5, 0]], "axis": 1}}),
    ],
)
def test_what_reads_other_places_is_not_the_same(name: str, change: dict[str, Any], tmp_path: Path) -> None:
    graph = network(name)
    outputs, inputs = made.ports(graph)
    calls = [replace(call, **change) if call.output == "middle" else call for call in graph.calls]
    other = replace(graph, calls=tuple(calls))
    path = made.write(graph, "onnx", tmp_path, 1)
    assert isinstance(compare(path, "onnx", graph, outputs, inputs), SameCalculation)
    verdict = compare(path, "onnx", other, outputs, inputs)
    assert isinstance(verdict, OtherCalculation | NotCompared), str(verdict)


def test_a_product_is_one_whichever_way_its_factors_lie() -> None:
    x, y = make_input("x", (1, 2, 3, 4)), make_input("y", (1, 2, 5, 4))
    turned = View(y.node, np.swapaxes(y.index, -1, -2))
    one = matrix_product(x, turned, "m")
    for letters in ("hac", "hca"):
        other = contract(("hak", "hck", letters), x, y, "e")
        assert other.node.digest == one.node.digest
        assert np.array_equal(other.index, one.index if letters == "hac" else np.swapaxes(one.index, -1, -2))
    assert contract(("hak", "hak", "ha"), x, x, "e").node.digest != one.node.digest
    # Two parts of one tensor have an order of their own, whichever is named first.
    q, k = View(x.node, x.index[:, :, :2]), View(x.node, x.index[:, :, 1:])
    first, second = contract(("hak", "hck", "hac"), q, k, "e"), contract(("hck", "hak", "hac"), k, q, "e")
    assert [each.digest for each in first.node.inputs] == [each.digest for each in second.node.inputs]
    with pytest.raises(MisfitError):
        matrix_product(x, y, "m")
    with pytest.raises(NoRuleError):
        contract(("hak", "hkc", "hac"), x, stored(np.ones((2, 4, 5), np.float32)), "e")


CHAINS: dict[str, tuple[tuple[int, ...], Callable[[Any], list[Any]]]] = {
    "Conv1DTranspose": ((8, 4), lambda k: [k.Conv1DTranspose(5, 3, strides=2, activation="relu")]),
    "Cropping1D": ((8, 4), lambda k: [k.Conv1D(4, 3), k.Cropping1D((1, 2))]),
    "DepthwiseConv1D": ((8, 4), lambda k: [k.DepthwiseConv1D(3, depth_multiplier=2, activation="relu")]),
    "GlobalAveragePooling3D": ((3, 4, 4, 2), lambda k: [k.GlobalAveragePooling3D()]),
    "GlobalMaxPooling3D": ((3, 4, 4, 2), lambda k: [k.GlobalMaxPooling3D()]),
    "RMSNormalization": ((6, 7, 4), lambda k: [k.Conv2D(5, 3, padding="same"), k.RMSNormalization(epsilon=1e-3)]),
    "RepeatVector": ((6,), lambda k: [k.Dense(5), k.RepeatVector(3), k.Conv1D(4, 2)]),
    "SeparableConv1D": ((8, 4), lambda k: [k.SeparableConv1D(5, 3, padding="same", activation="relu")]),
    "UnitNormalization": ((6, 7, 4), lambda k: [k.Conv2D(5, 3, padding="same"), k.UnitNormalization()]),
    "UpSampling1D": ((8, 4), lambda k: [k.UpSampling1D(2), k.Conv1D(4, 3)]),
    "ZeroPadding1D": ((8, 4), lambda k: [k.ZeroPadding1D((1, 2)), k.Conv1D(4, 3)]),
}
PAIRS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "Attention": lambda k, x, y: k.Attention()([x, y]),
    "AdditiveAttention": lambda k, x, y: k.AdditiveAttention()([x, y]),
    "Dot": lambda k, x, y: k.Dot(axes=2)([x, y]),
    "MultiHeadAttention along an axis": lambda k, x, y: k.MultiHeadAttention(2, 3, attention_axes=(1,))(x, y),
}


@pytest.mark.parametrize("name", [*CHAINS, *PAIRS])
def test_a_layer_of_keras_is_the_same_in_every_format(name: str, tmp_path: Path) -> None:
    from keras import Input, Model, layers

    door = Input(CHAINS[name][0] if name in CHAINS else (6, 4), name="in")
    if name in PAIRS:
        x = PAIRS[name](layers, layers.Dense(5)(door), layers.Dense(5)(door))
    else:
        x = door
        for layer in CHAINS[name][1](layers):
            x = layer(x)
    model = Model(door, layers.Dense(7, name="policy")(layers.Flatten()(x)))
    for weight in model.weights:
        weight.assign(RNG.normal(0, 0.4, weight.shape))
    graphs = []
    for at in range(2):
        model.save(tmp_path / f"{at}.keras")
        graphs.append(read_checkpoint(tmp_path / f"{at}.keras"))
        first = model.weights[0]
        # One number of the first layer, a little more than it was.
        changed = np.array(first)
        changed.flat[1] *= 1 + 1e-6
        first.assign(changed)
    outputs, inputs = made.ports(graphs[0])
    for artifact_format in READERS:
        path = made.write(graphs[0], artifact_format, tmp_path, 1)
        verdict = compare(path, artifact_format, graphs[0], outputs, inputs)
        if artifact_format == "coreml" and name == "UnitNormalization":
            # Core ML adds 1e-12 below the root, which counts beside 1e-12.
            assert isinstance(verdict, NotCompared)
            continue
        assert isinstance(verdict, SameCalculation), f"{artifact_format}: {verdict}"
        told = compare(path, artifact_format, graphs[1], outputs, inputs)
        assert isinstance(told, OtherCalculation), f"{artifact_format}: {told}"
