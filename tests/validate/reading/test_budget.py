"""What is said of how a network sees its board hangs on counts: no clock is read, and two commands say the same."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from azx.bundle.case.cost import multiply_adds_of, multiply_adds_of_file
from azx.bundle.case.detection import game_of
from azx.bundle.inspect import inspect_checkpoint
from azx.export.checkpoint.read import read_checkpoint
from azx.export.graph.freeze import heads_of, try_simplify
from azx.validate.reading.budget import GLANCE, WHOLE, boards_within

SHIPPED = ("connect4", "tictactoe", "reversi", "dots_and_boxes")


@pytest.fixture
def shipped(repository: Path) -> Path:
    """The folder of the networks that come with azx."""
    return repository / "mobile_assets" / "checkpoints"


@pytest.mark.parametrize("name", SHIPPED)
def test_the_cost_of_a_position_is_counted_from_the_layers(name: str, shipped: Path) -> None:
    graph = read_checkpoint(shipped / f"{name}.h5")
    network = try_simplify(graph).network
    assert network is not None
    counted = multiply_adds_of(graph)
    assert network.multiply_adds < counted < 1.2 * network.multiply_adds + 20_000
    # Of a file alone nobody knows more than its size.
    shapes = list(graph.input_shapes.values())
    assert multiply_adds_of_file(shipped / f"{name}.h5", shapes) > network.multiply_adds


def test_a_network_of_usual_size_is_asked_for_all_its_boards_by_a_glance_too() -> None:
    # Connect4 in its most readings: 2,560 boards.
    assert boards_within(GLANCE, 50_000_000) > 2_560
    assert boards_within(WHOLE, 50_000_000) > boards_within(GLANCE, 50_000_000)
    assert boards_within(GLANCE, 0) < 1_000_000


def test_inspect_and_export_say_the_same_on_a_machine_whose_clocks_run_wild(
    small_checkpoint: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = read_checkpoint(small_checkpoint)
    network = try_simplify(graph).network
    assert network is not None
    heads = heads_of(graph, [head.shape for head in network.outputs])
    exported = game_of(graph, heads, None).reading
    assert exported is not None
    now = iter(range(0, 10**9, 1000))
    for clock in ("process_time", "perf_counter", "monotonic", "thread_time"):
        monkeypatch.setattr(time, clock, lambda: float(next(now)))
    inspected = inspect_checkpoint(small_checkpoint)
    assert (inspected.encoding, inspected.statements[-1]) == (exported.encoding.as_data(), exported.statement)
    assert exported.statement is not None
    assert "tested on" in exported.statement.figures


def test_a_network_that_is_too_large_says_so_and_not_how_quick_the_machine_is(small_checkpoint: Path) -> None:
    graph = read_checkpoint(small_checkpoint)
    network = try_simplify(graph).network
    assert network is not None
    heads = heads_of(graph, [head.shape for head in network.outputs])
    cost = max(2_000_000, multiply_adds_of(graph))
    asked: dict[int, Any] = {boards: game_of(graph, heads, None, budget=boards * cost) for boards in (100, 400, 10_000)}
    lines = {boards: told.reading.line for boards, told in asked.items()}
    assert ["too large" in line for line in lines.values()] == [True, True, False]
    assert [told.reading.is_cut_short for told in asked.values()] == [True, True, False]
