"""Residual sums of products without a bias: no format takes what is added for a bias."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tf_keras

from azx.export.formats.table import FORMATS

layers = tf_keras.layers
PRODUCTS: dict[str, Callable[[Any, bool], Any]] = {
    "conv": lambda x, bias: layers.Conv2D(4, 3, padding="same", use_bias=bias)(x),
    "depthwise": lambda x, bias: layers.DepthwiseConv2D(3, padding="same", use_bias=bias)(x),
    "dense": lambda x, bias: layers.Dense(x.shape[-1], use_bias=bias)(x),
}
ACTIVATIONS: dict[str, Callable[[Any], Any]] = {
    "linear": lambda x: x,
    "relu": lambda x: layers.ReLU()(x),
    "prelu": lambda x: layers.PReLU(shared_axes=list(range(1, len(x.shape) - 1)) or None)(x),
}


def two_headed(board: Any, x: Any) -> Any:
    flat = layers.Flatten()(x)
    policy = layers.Dense(7, name="policy", use_bias=False)(flat)
    return tf_keras.Model(board, [policy, layers.Dense(1, "tanh", name="value")(flat)])


def tower(product: str, activation: str, *, skip_first: bool, norm: bool, bias: bool) -> Any:
    """Two untrained residual blocks: every bias and every shift is zero, so that none is written."""
    board = layers.Input((5, 6, 4))
    x = layers.Reshape((120,))(board) if product == "dense" else board
    for _ in range(2):
        y = PRODUCTS[product](ACTIVATIONS[activation](PRODUCTS[product](x, bias)), bias)
        y = layers.BatchNormalization()(y) if norm else y
        x = ACTIVATIONS[activation](layers.Add()([x, y] if skip_first else [y, x]))
    return two_headed(board, x)


def pooled_bias(convolution_first: bool) -> Any:
    """A sum with one number a channel, computed from the board, as KataGo has it: no constant bias either."""
    board = layers.Input((5, 6, 4))
    conv = layers.Conv2D(4, 3, padding="same", use_bias=False)(board)
    pooled = layers.Reshape((1, 1, 4))(layers.Dense(4, use_bias=False)(layers.GlobalAveragePooling2D()(board)))
    return two_headed(board, layers.ReLU()(layers.Add()([conv, pooled] if convolution_first else [pooled, conv])))


def assert_answers_as_keras(
    model: Any, exported: Callable[..., Any], answers: Callable[..., Any], *formats: str
) -> None:
    boards = np.random.default_rng(3).normal(size=(1, 5, 6, 4)).astype("float32")
    policy, value = (np.asarray(head) for head in model(boards))
    frozen = exported(model).frozen
    for name in formats:
        _, found = answers(name, frozen, {"main_input": boards})
        scale = max(1.0, float(np.abs(policy).max()))
        np.testing.assert_allclose(found["policy_head"], policy, atol=1e-5 * scale, err_msg=name)
        np.testing.assert_allclose(found["value_head"], value, atol=1e-5, err_msg=name)


@pytest.mark.whole
@pytest.mark.parametrize(("product", "activation"), list(itertools.product(PRODUCTS, ACTIVATIONS)))
@pytest.mark.parametrize("skip_first", [False, True], ids=["product first", "skip first"])
def test_untrained_towers_without_biases_are_written_as_tfjs(
    product: str, activation: str, skip_first: bool, exported: Callable[..., Any], answers: Callable[..., Any]
) -> None:
    model = tower(product, activation, skip_first=skip_first, norm=False, bias=False)
    assert_answers_as_keras(model, exported, answers, "tfjs")


@pytest.mark.parametrize("product", PRODUCTS)
@pytest.mark.parametrize(("norm", "bias"), [(True, False), (False, True), (True, True)])
def test_biases_and_norms_that_training_has_not_touched_make_no_difference(
    product: str, norm: bool, bias: bool, exported: Callable[..., Any], answers: Callable[..., Any]
) -> None:
    model = tower(product, "relu", skip_first=False, norm=norm, bias=bias)
    assert_answers_as_keras(model, exported, answers, "tfjs")


@pytest.mark.parametrize("product", PRODUCTS)
def test_every_format_adds_the_skip(product: str, exported: Callable[..., Any], answers: Callable[..., Any]) -> None:
    model = tower(product, "relu", skip_first=False, norm=True, bias=False)
    assert_answers_as_keras(model, exported, answers, *FORMATS)


@pytest.mark.parametrize("convolution_first", [True, False])
def test_a_bias_that_is_computed_is_added(
    convolution_first: bool, exported: Callable[..., Any], answers: Callable[..., Any]
) -> None:
    assert_answers_as_keras(pooled_bias(convolution_first), exported, answers, "tfjs", "onnx")


@pytest.mark.skipif(FORMATS["tfjs"].unavailable() is not None, reason=str(FORMATS["tfjs"].unavailable()))
def test_a_bias_before_a_skip_stays_fused(tmp_path: Path, exported: Callable[..., Any]) -> None:
    model = tower("conv", "relu", skip_first=False, norm=False, bias=True)
    model.set_weights([np.full_like(weight, 0.1) for weight in model.get_weights()])
    FORMATS["tfjs"].write(exported(model).frozen, tmp_path / "trained_tfjs")
    trained = (tmp_path / "trained_tfjs" / "model.json").read_text(encoding="utf8")
    assert trained.count('"op": "_FusedConv2D"') == 4
