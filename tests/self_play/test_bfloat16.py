"""A network in training, computed in bfloat16: close to float32, and only where its graph is understood."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from azx.games.known.catalogue import GAMES
from azx.games.random_play import generator, positions_of_a_game
from azx.learning.networks import Design, build, reading_for
from azx.learning.onnx_graph import write_graph
from azx.self_play import bfloat16, fast_network
from azx.self_play.bfloat16 import in_bfloat16
from azx.self_play.fast_network import FastNetwork

# Eight bits of a number's fraction, in a few layers.
CLOSE = 0.05


def shaken(model: Any) -> Any:
    """The model with other weights everywhere, as after training."""
    rng = np.random.default_rng(3)
    for layer in model.layers:
        layer.set_weights([weight + rng.uniform(-0.1, 0.1, weight.shape) for weight in layer.get_weights()])
    return model


def layers_of_every_kind() -> Any:
    """A model as `given.py` builds them: steps, gaps, other paddings, axes in another order, all activations."""
    import keras

    layers = keras.layers
    board = layers.Input((6, 7, 3), name="main_input")
    body = layers.Conv2D(4, 3, padding="same", strides=2, name="a")(board)
    body = layers.LeakyReLU(negative_slope=0.3, name="b")(body)
    body = layers.Conv2D(4, (2, 3), padding="same", dilation_rate=(1, 2), name="c")(body)
    body = layers.Add(name="d")([body, layers.Conv2D(4, 1, padding="valid", name="e")(body)])
    product = layers.Multiply(name="j")([body, layers.Conv2D(4, 1, name="k")(body)])
    body = layers.Conv2D(4, 1, name="l")(layers.Concatenate(name="m")([body, product]))
    for at, name in enumerate(("relu", "elu", "selu", "softplus", "softsign", "sigmoid", "tanh", "linear")):
        body = layers.Activation(name, name=f"f{at}")(body)
    flat = layers.Reshape((48,), name="g")(layers.Permute((3, 1, 2), name="h")(body))
    policy = layers.Dense(5, name="policy_head")(flat)
    value = layers.Activation("tanh", name="value_head")(layers.Dense(1, name="i")(flat))
    return keras.Model(board, [policy, value], name="given")


@pytest.mark.parametrize("net", ["2x8", "cells:1x8", "given"])
def test_the_answers_are_close_to_those_of_float32(net: str) -> None:
    reading = reading_for(GAMES["gomoku"], {"size": 9})
    model = shaken(layers_of_every_kind() if net == "given" else build(Design.read(net), reading))
    half = in_bfloat16(write_graph(model))
    assert half is not None
    # As many as fill a batch, fewer and more.
    for count in (1, 16, 21):
        boards = np.random.default_rng(count).random((count, *model.inputs[0].shape[1:]), np.float32)
        for answer, exact in zip(half.ask(boards), model.predict(boards, verbose=0), strict=True):
            assert answer.dtype == np.float32
            assert answer.shape == exact.shape
            np.testing.assert_allclose(answer, exact, atol=CLOSE * max(1.0, float(np.abs(exact).max())))
            assert (answer != exact).any()  # else it was not bfloat16


def test_a_network_without_convolutions_stays_in_float32() -> None:
    model = build(Design.read("dense:1x8"), reading_for(GAMES["tictactoe"], {}))
    assert in_bfloat16(write_graph(model)) is None


def test_a_node_that_is_not_known_leaves_the_network_in_float32() -> None:
    nodes = [
        helper.make_node("Conv", ["main_input", "kernel", "bias"], ["a"], auto_pad="SAME_UPPER"),
        helper.make_node("GlobalMaxPool", ["a"], ["policy_head"]),
    ]
    weights = [
        numpy_helper.from_array(np.ones(shape, np.float32), name)
        for name, shape in (("kernel", (2, 1, 3, 3)), ("bias", (2,)))
    ]
    door = helper.make_tensor_value_info("main_input", TensorProto.FLOAT, ["N", 1, 4, 4])
    out = helper.make_tensor_value_info("policy_head", TensorProto.FLOAT, ["N", 2, 1, 1])
    graph = helper.make_graph(nodes, "other", [door], [out], weights)
    assert in_bfloat16(helper.make_model(graph).SerializeToString()) is None


@pytest.mark.parametrize(
    ("units", "exact", "in_half"), [(True, False, True), (True, True, False), (False, False, False)]
)
def test_it_is_used_where_the_processor_has_units_and_nobody_judges(
    units: bool, exact: bool, in_half: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[bytes]()
    monkeypatch.setattr(fast_network, "is_multiplied_here", lambda: units)
    monkeypatch.setattr(fast_network, "in_bfloat16", asked.append)
    reading = reading_for(GAMES["connect4"], {})
    FastNetwork(write_graph(build(Design.read("1x8"), reading)), reading, exact=exact)
    assert bool(asked) == in_half


def test_few_boards_are_answered_in_float32(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_network, "is_multiplied_here", lambda: True)
    reading = reading_for(GAMES["gomoku"], {"size": 9})
    graph = write_graph(shaken(build(Design.read("2x32"), reading)))
    half = in_bfloat16(graph)
    assert half is not None
    # The stem's planes are few beside the four convolutions of 32 filters.
    assert half.fewest == pytest.approx(bfloat16.SMALL_CALL / (4 * 32 * 32 * 9 * 81), rel=0.2)
    # A network answers each position once.
    states = list(dict.fromkeys(positions_of_a_game(reading.start(), generator(1), 60)))[: half.fewest]
    by_count = FastNetwork(graph, reading)
    exact = FastNetwork(graph, reading, exact=True).evaluate(states)
    few, many = by_count.evaluate(states[:-1]), FastNetwork(graph, reading).evaluate(states)
    assert [answer.value for answer in few] == pytest.approx([answer.value for answer in exact[:-1]], abs=1e-6)
    assert [answer.value for answer in many] != pytest.approx([answer.value for answer in exact], abs=1e-6)


@pytest.mark.parametrize(
    ("flags", "has_units"),
    [("fpu avx2 avx512f", False), ("fpu avx512_bf16 sse", True), ("amx_bf16 amx_tile", True), (None, False)],
)
def test_the_processor_is_asked_for_its_units(
    flags: str | None, has_units: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "cpuinfo"
    if flags is not None:
        told.write_text(f"processor\t: 0\nflags\t\t: {flags}\n")
    monkeypatch.setattr(bfloat16, "CPUINFO", told)
    assert bfloat16.is_multiplied_here.__wrapped__() == has_units


def test_a_run_without_convolutions_loads_no_tensorflow_to_play() -> None:
    code = (
        "import sys; from azx.self_play.bfloat16 import in_bfloat16; from onnx import helper;"
        "assert in_bfloat16(helper.make_model(helper.make_graph([], 'g', [], [])).SerializeToString()) is None;"
        "assert 'tensorflow' not in sys.modules"
    )
    subprocess.run([sys.executable, "-P", "-c", code], check=True)
