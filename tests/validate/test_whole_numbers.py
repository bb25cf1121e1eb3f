"""Inputs of whole numbers: which of them an Embedding reads, what is drawn for them, and that they are proved."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azx import export_checkpoint, validate_bundle
from azx.bundle.case.detection import game_of
from azx.bundle.case.positions import parity_positions
from azx.bundle.case.settings import Settings
from azx.errors import GameError
from azx.export.checkpoint.head import POLICY, Head
from azx.export.checkpoint.layer_graph import LayerGraph
from azx.export.checkpoint.read import read_checkpoint
from azx.games.known.recognition import recognise
from azx.validate import whole_numbers

Saved = Callable[..., Path]


@pytest.fixture
def save(tmp_path: Path) -> Saved:
    """Saves a Keras 3 network: `inputs` are (name, shape, dtype), `body` makes one vector of them."""

    def saved(inputs: list[tuple[str, tuple[int, ...], str]], body: Callable[..., Any], policy: int = 30) -> Path:
        import keras
        from keras import layers

        keras.utils.set_random_seed(3)
        doors = [layers.Input(shape, dtype=dtype, name=name) for name, shape, dtype in inputs]
        made = body(layers, *doors)
        value = layers.Dense(1, activation="tanh", name="value")(made)
        ends = [value, layers.Dense(policy, activation="softmax", name="policy")(made)]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            keras.Model(doors, ends).save(tmp_path / "net.keras")
        return tmp_path / "net.keras"

    return saved


def embedded(layers: Any, cells: Any, rows: int = 13) -> Any:
    return layers.Flatten()(layers.Embedding(rows, 4)(cells))


def drawn(graph: LayerGraph, count: int = 200, **settings: Any) -> dict[str, Any]:
    return parity_positions(graph, (), None, Settings(count=count, **settings)).feeds


@pytest.mark.parametrize("dtype", ["int32", "int64", "float32"])
def test_what_an_embedding_reads_is_drawn_from_its_rows(dtype: str, save: Saved) -> None:
    graph = read_checkpoint(save([("cells", (4, 4), dtype)], embedded))
    assert {name: rows.tolist() for name, rows in whole_numbers.rows_of(graph).items()} == {"cells": [[13] * 4] * 4}
    cells = drawn(graph)["cells"]
    assert cells.dtype == dtype
    assert set(np.unique(cells).tolist()) == set(range(13))
    assert (cells == 0).mean() > 0.3
    assert len(np.unique(cells.reshape(200, -1), axis=0)) == 200


def codes(layers: Any, cells: Any) -> Any:
    import keras

    return layers.Flatten()(layers.Conv2D(4, 3)(keras.ops.one_hot(cells, 3)))


def test_what_one_hot_reads_is_drawn_from_its_codes(save: Saved, check: Any, tmp_path: Path) -> None:
    graph = read_checkpoint(save([("cells", (6, 7), "int32")], codes, 7))
    assert set(np.unique(drawn(graph)["cells"]).tolist()) == {0, 1, 2}
    # Connect4 in one plane of -1, 0 and 1 has this shape.
    assert game_of(graph, [Head("policy", (7,), role=POLICY)], None).reading is None
    import tensorflow as tf
    from tf_keras import Model, layers

    board = layers.Input((4, 4), dtype="int32", name="cells")
    model = Model(board, layers.Dense(16, name="policy")(layers.Flatten()(tf.one_hot(board, 5))))
    told = read_checkpoint(check.save_h5(model, tmp_path / "old.h5"))
    assert set(np.unique(drawn(told)["cells"]).tolist()) == {0, 1, 2, 3, 4}


@pytest.mark.whole
def test_one_hot_is_the_same_in_every_format_below_0_too(save: Saved, tmp_path: Path) -> None:
    path = save([("cells", (6, 7), "int32")], codes, 7)
    own = np.random.default_rng(0).integers(-2, 5, (60, 6, 7))
    np.savez(tmp_path / "own.npz", cells=own)
    done = export_checkpoint(path, output=tmp_path / "out", inputs=tmp_path / "own.npz")
    assert done.proof.passed
    ran = {artifact.format for artifact in done.proof.artifacts if not artifact.not_run}
    assert ran == {"pb", "tflite", "onnx", "tfjs", "coreml"}
    assert max(head.maximum for artifact in done.proof.artifacts for head in artifact.heads) < 1e-5


def test_numbers_that_no_embedding_reads_are_drawn_as_ever(save: Saved) -> None:
    def body(layers: Any, numbers: Any) -> Any:
        return layers.Concatenate()([embedded(layers, numbers[:, :4], 5), numbers[:, 4:]])

    graph = read_checkpoint(save([("numbers", (9,), "float32")], body))
    assert whole_numbers.rows_of(graph)["numbers"].tolist() == [5] * 4 + [0] * 5
    numbers = drawn(graph)["numbers"]
    assert set(np.unique(numbers[:, :4]).tolist()) == {0, 1, 2, 3, 4}
    assert set(np.unique(numbers[:, 4:]).tolist()) == {-1, 0, 1}


def test_a_network_without_an_embedding_has_no_rows(small_checkpoint: Path) -> None:
    assert whole_numbers.rows_of(read_checkpoint(small_checkpoint)) == {}


def test_what_is_made_of_an_input_is_believed_where_it_stays_in_range(save: Saved) -> None:
    graph = read_checkpoint(save([("cells", (4,), "int32")], lambda layers, cells: embedded(layers, cells + 1, 3)))
    assert set(np.unique(drawn(graph, 60)["cells"]).tolist()) == {-1, 0, 1}


def test_what_is_made_of_an_input_out_of_range_asks_for_positions(save: Saved, tmp_path: Path) -> None:
    path = save([("cells", (4,), "int32")], lambda layers, cells: embedded(layers, cells * 2, 3))
    graph = read_checkpoint(path)
    said = r"net\.keras': layer 'embedding\w*' reads whole numbers from 0 to 2, made of input 'cells' .* --inputs"
    with pytest.raises(GameError, match=said):
        drawn(graph)
    np.savez(tmp_path / "own.npz", cells=np.array([[0, 1, 1, 0]]))
    assert len(drawn(graph, inputs=tmp_path / "own.npz")["cells"]) == 1


def test_positions_of_ones_own_are_held_to_the_rows(save: Saved, tmp_path: Path) -> None:
    graph = read_checkpoint(save([("cells", (2,), "int32")], embedded))
    np.savez(tmp_path / "own.npz", cells=np.array([[0, 13]]))
    with pytest.raises(GameError, match="reads whole numbers from 0 to 12, and input 'cells' holds 13: give"):
        drawn(graph, inputs=tmp_path / "own.npz")


def test_a_game_whose_planes_have_no_row_is_not_told_from_the_shapes(save: Saved) -> None:
    """Connect4 in one plane of -1, 0 and 1 has this shape; a table has no row for -1."""
    graph = read_checkpoint(save([("board", (6, 7), "int32")], lambda layers, cells: embedded(layers, cells, 3), 7))
    policy = Head("policy", (7,), role=POLICY)
    assert recognise([(6, 7)], 7) is not None
    assert game_of(graph, [policy], None).reading is None


def test_two_inputs_one_of_whole_numbers_are_proved_in_every_format(save: Saved, tmp_path: Path) -> None:
    def body(layers: Any, cells: Any, more: Any) -> Any:
        return layers.Concatenate()([embedded(layers, cells), more])

    path = save([("cells", (6,), "int32"), ("more", (3,), "float32")], body)
    done = export_checkpoint(path, output=tmp_path / "out", count=40)
    assert done.proof.passed
    assert {entry.format for entry in done.proof.artifacts} == {a["format"] for a in done.manifest["artifacts"]}
    assert [spec["dtype"] for spec in done.manifest["inputs"]] == ["float32", "float32"]
    rows = json.loads((tmp_path / "out" / "golden.json").read_text(encoding="utf8"))["positions"]
    cells = [number for row in rows for number in row["inputs"]["cells"]]
    assert set(cells) <= set(range(13))
    assert max(cells) > 1
    assert validate_bundle(tmp_path / "out").proof
    assert validate_bundle(tmp_path / "out", against=path).proof
