"""What `azx inspect` tells of a checkpoint."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import azx
from azx import inspect_checkpoint
from azx.export.checkpoint.located import find_checkpoint

CELLS, FILTERS, KERNEL = 42, 75, 16
# One convolution in, ten in the residual tower, 1x1 ones of one and two filters into the heads, then the dense layers.
CONVOLUTIONS = KERNEL * CELLS * (2 * FILTERS + 10 * FILTERS * FILTERS) + CELLS * FILTERS * (1 + 2)
DENSE = CELLS * 20 + 20 * 1 + 2 * CELLS * CELLS


@pytest.fixture(scope="module")
def shipped() -> azx.bundle.inspect.Inspection:
    return inspect_checkpoint(find_checkpoint("connect4"))


@pytest.mark.smoke
def test_the_shipped_network_is_recognised(shipped: azx.bundle.inspect.Inspection) -> None:
    assert (shipped.game, shipped.actions) == ("connect4", "cell")
    assert [(head.name, head.role, head.activation, head.width) for head in shipped.heads] == [
        ("value_head", "value", "tanh", 1),
        ("policy_head", "policy", "linear", 42),
    ]
    assert shipped.fallback is None


def test_parameters_and_multiply_adds_are_those_of_the_architecture(
    shipped: azx.bundle.inspect.Inspection,
) -> None:
    assert shipped.parameters == 910_325
    assert shipped.multiply_adds == CONVOLUTIONS + DENSE


def test_every_layer_has_keras_own_shape(shipped: azx.bundle.inspect.Inspection) -> None:
    shapes = {row.name: row.shape for row in shipped.layers}
    assert shapes["value_head"] == (1,)
    assert shapes["policy_head"] == (42,)
    assert {row.shape for row in shipped.layers if row.kind == "Add"} == {(75, 6, 7)}


def test_quirks_name_what_would_trip_a_converter(shipped: azx.bundle.inspect.Inspection) -> None:
    told = " | ".join(shipped.quirks)
    assert "custom loss 'softmax_cross_entropy_with_logits'" in told
    assert "channels_first" in told
    assert "even kernels (4x4)" in told


@pytest.mark.whole
def test_weights_alone_are_inspected_with_their_architecture(shared_data: Path) -> None:
    folder = shared_data / "connect4_zeta36"
    found = inspect_checkpoint(folder / "model_best_weight.h5", config=folder / "model_best_config.json")
    # Its answers leave two readings of the colours, so that none is taken.
    assert (found.game, found.actions) == (None, None)
    assert "connect4-opponent-mover-bottom-first" in found.statements[-1].figures
    assert [head.name for head in found.heads] == ["value_head", "policy_head"]
    again = inspect_checkpoint(folder)
    assert again == found


def _of_moves(layers: Any, board: Any) -> list[Any]:
    flat = layers.Flatten()(layers.GRU(5, return_sequences=True)(board))
    return [layers.Dense(1, "tanh", name="value_head")(flat), layers.Dense(7, "softmax", name="policy_head")(flat)]


def _along_an_axis(layers: Any, board: Any) -> list[Any]:
    flat = layers.Dropout(0.1)(layers.Flatten()(layers.MaxPooling1D(2)(layers.Conv1D(4, 3)(board))))
    return [layers.Dense(1, "tanh", name="v")(flat), layers.Dense(7, name="p")(layers.Dense(9)(flat))]


def _dueling(layers: Any, board: Any) -> list[Any]:
    flat = layers.Flatten()(board)
    advantage = layers.Dense(7)(flat)
    mean = layers.Reshape((1,))(layers.GlobalAveragePooling1D()(layers.Reshape((7, 1))(advantage)))
    return [layers.Add(name="q")([layers.Dense(1)(flat), layers.Subtract()([advantage, mean])])]


@pytest.mark.parametrize("build", [_of_moves, _along_an_axis, _dueling])
def test_outputs_behind_layers_without_a_canonical_form_are_known(build: Any, check: Any, tmp_path: Path) -> None:
    from tf_keras import Model, layers

    board = layers.Input((6, 7), name="board")
    outputs = build(layers, layers.Masking()(board))
    told = inspect_checkpoint(check.save_h5(Model(board, outputs), tmp_path / "net.h5"))
    assert told.head_problem is None
    assert {head.source_name: head.shape for head in told.heads} == {
        output.name.split("/")[0]: tuple(output.shape[1:]) for output in outputs
    }
    assert told.fallback is not None
