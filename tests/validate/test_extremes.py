"""Positions that a network itself finds extreme: a unit that hardly ever wakes is exercised, its faults are found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sibling import sibling

from azx.bundle.case.positions import parity_positions, recorded_positions, with_extremes_of
from azx.bundle.case.settings import Settings
from azx.export.checkpoint.layer_graph import LayerGraph
from azx.export.checkpoint.read import read_checkpoint
from azx.export.formats.table import FORMATS
from azx.export.graph.freeze import freeze, heads_of
from azx.games.game import Reading
from azx.games.known.recognition import recognise
from azx.system.workers import Workers
from azx.validate import run as asked
from azx.validate.answers import Answers
from azx.validate.extremes import POOL, WORK, pool_size, with_extremes
from azx.validate.positions import Positions, positions
from azx.validate.proof.proof import prove_all
from azx.validate.proof.truth import establish
from azx.validate.runners.runner import Signature

RARE, POOL_SEED = 5, 2**32


@pytest.fixture(scope="module")
def reading() -> Reading:
    found = recognise([(9,)], 9)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def drawn(reading: Reading) -> Positions:
    return positions(reading, "board", 300)


@pytest.fixture(scope="module")
def pool(reading: Reading) -> Positions:
    return positions(reading, "board", 900, POOL_SEED, 8)


@pytest.fixture(scope="module")
def rare_board(drawn: Positions, pool: Positions) -> NDArray[np.float32]:
    """A board of the pool that is not among the drawn ones, nor a part of one of them."""
    boards = pool.feeds["board"]
    return next(board for board in boards if np.abs(board).sum() == 6 and (drawn.feeds["board"] @ board).max() < 5.5)


@pytest.fixture(scope="module")
def graph(rare_board: NDArray[np.float32], tmp_path_factory: pytest.TempPathFactory) -> LayerGraph:
    """Nine usual units and one that wakes on boards with the six stones of `rare_board` alone."""
    import tf_keras

    tf_keras.utils.set_random_seed(3)
    board = tf_keras.layers.Input((9,), name="board")
    hidden = tf_keras.layers.Dense(10, "relu", name="hidden")(board)
    model = tf_keras.Model(board, tf_keras.layers.Dense(9, name="policy")(hidden))
    kernel, bias, *rest = model.get_weights()
    kernel[:, RARE], bias[RARE] = rare_board, -5.5
    model.set_weights([kernel, bias, *rest])
    path = tmp_path_factory.mktemp("rare") / "rare.keras"
    model.save(path)
    return read_checkpoint(path)


def rows(boards: Positions) -> set[bytes]:
    return {row.tobytes() for row in boards.feeds["board"]}


def test_the_position_that_wakes_a_rare_unit_is_chosen(
    graph: LayerGraph, drawn: Positions, pool: Positions, rare_board: NDArray[np.float32]
) -> None:
    found = with_extremes(graph, drawn, pool, 30)
    assert (len(found), found.extreme, found.drawn) == (330, 30, 300)
    chosen = found.feeds["board"][300:]
    assert (chosen @ rare_board).max() == 6
    assert (drawn.feeds["board"] @ rare_board).max() < 5.5


def test_what_was_drawn_comes_first_and_none_is_there_twice(
    graph: LayerGraph, drawn: Positions, pool: Positions
) -> None:
    found = with_extremes(graph, drawn, pool, 30)
    np.testing.assert_array_equal(found.feeds["board"][:300], drawn.feeds["board"])
    assert len(rows(found)) == 330
    assert found.legal is not None
    assert pool.legal is not None
    masks = {board.tobytes(): mask for board, mask in zip(pool.feeds["board"], pool.legal, strict=True)}
    for board, mask in zip(found.feeds["board"][300:], found.legal[300:], strict=True):
        np.testing.assert_array_equal(mask, masks[board.tobytes()])
    assert (found.first(20).extreme, len(found.first(20))) == (0, 20)


def test_where_the_pool_has_no_others_none_are_added(graph: LayerGraph, drawn: Positions) -> None:
    assert len(with_extremes(graph, drawn, drawn, 30)) == 300


def test_as_many_are_added_as_asked_for_whatever_the_units_do(
    graph: LayerGraph, drawn: Positions, pool: Positions
) -> None:
    """A tenth of the units' ends would not fill the number: other positions do, so that it is the same everywhere."""
    others = len(rows(pool) - rows(drawn))
    assert with_extremes(graph, drawn, pool, 10_000).extreme == others


def test_a_network_that_the_witness_does_not_know_has_no_extreme_positions(
    graph: LayerGraph, drawn: Positions, pool: Positions
) -> None:
    strange = replace(graph.calls[-1].layer, kind="Unheard")
    other = replace(graph, calls=(*graph.calls[:-1], replace(graph.calls[-1], layer=strange)))
    assert with_extremes(other, drawn, pool, 30) is drawn


def test_large_networks_are_looked_through_on_fewer_positions_and_unknown_ones_on_none() -> None:
    assert pool_size(1000, 1_000) == POOL * 1000
    assert pool_size(1000, WORK // 70) == 70
    assert pool_size(1000, None) == 0


def test_the_manifest_records_enough_to_choose_the_same_ones_again(graph: LayerGraph, reading: Reading) -> None:
    heads = heads_of(graph, [(9,)])
    found = parity_positions(graph, heads, reading, Settings(count=200), 180)
    again = recorded_positions(graph, heads, reading, found.seed or 0, 200, found.looked_through)
    assert found.extreme == 20
    np.testing.assert_array_equal(again.feeds["board"], found.feeds["board"])
    assert with_extremes_of(graph, reading, found, 0, 0) is found
    older = recorded_positions(graph, heads, reading, 0, 200)
    assert (len(older), older.extreme) == (200, 0)


def test_a_fault_of_a_rare_unit_is_found_by_the_extreme_positions_alone(
    graph: LayerGraph, drawn: Positions, pool: Positions, tmp_path: Path
) -> None:
    """The unit's weight into the policy changed, in a real ONNX file in its real runtime."""
    frozen = freeze(graph)
    FORMATS["onnx"].write(frozen, tmp_path / "net.onnx", opset=17)
    artifact = sibling(__file__, "fault_artifacts").KINDS["onnx"](tmp_path / "net.onnx")
    name, kernel = next(pair for pair in artifact.weights().items() if pair[1].shape == (10, 9))
    changed = kernel.copy()
    changed[RARE] *= -1
    artifact.put(name, changed)
    artifact.save()
    with Workers() as workers:
        both = (drawn, with_extremes(graph, drawn, pool, 30))
        verdicts = [_verdict(graph, frozen, boards, tmp_path, workers) for boards in both]
    assert [proof.passed for proof in verdicts] == [True, False]
    assert (verdicts[0].positions, verdicts[1].positions, verdicts[1].extreme) == (300, 300, 30)
    assert "policy_head differs by" in verdicts[1].sentences[0]
    assert verdicts[0].could_hide == {"random": pytest.approx(1 - 0.05 ** (1 / 300))}
    assert verdicts[1].could_hide == {}
    assert verdicts[1].description.endswith(", seed 0, and 30 that the network finds extreme")


def _verdict(graph: LayerGraph, frozen: Any, boards: Positions, folder: Path, workers: Workers) -> Any:
    """The proof of net.onnx on these boards, against the witness."""
    truth = establish(frozen.outputs, Answers("Keras", missing="not asked"), asked.witness(graph, boards.feeds))
    feeds = {frozen.inputs[0].name: boards.feeds["board"]}
    ports = Signature(frozen.inputs, frozen.output_ports)
    run = asked.start(workers, asked.RunTask(FORMATS["onnx"], folder, "net.onnx", feeds, ports))
    return prove_all("net", [run], frozen.outputs, truth, boards, lambda name: None)
