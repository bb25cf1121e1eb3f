"""golden.json of each shipped network: 20 positions of real play with the answers that every runtime must give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from azx.bundle.case.detection import game_of
from azx.bundle.case.positions import parity_positions
from azx.bundle.case.settings import Settings
from azx.bundle.contents.golden import golden
from azx.bundle.contents.manifest import dump
from azx.export.checkpoint.located import find_checkpoint, shipped_names
from azx.export.checkpoint.read import read_checkpoint
from azx.export.graph.freeze import heads_of, try_simplify
from azx.games.game import Reading
from azx.validate.witness.evaluate import evaluate

Written = tuple[dict[str, Any], Reading, dict[str, int]]


def write(name: str) -> Written:
    """golden.json of a shipped network as an export writes it, how it reads the game, the heads' widths by role."""
    graph = read_checkpoint(find_checkpoint(name))
    network = try_simplify(graph).network
    assert network is not None
    heads = heads_of(graph, [head.shape for head in network.outputs])
    reading = game_of(graph, heads, None).reading
    assert reading is not None
    positions = parity_positions(graph, heads, reading, Settings(count=20))
    answers = evaluate(graph, positions.feeds)
    truth = {head.name: answers[head.source_name] for head in heads}
    data = golden(positions, {graph.inputs[0].name: "main_input"}, truth, heads)
    return data, reading, {head.role: head.width for head in heads}


@pytest.fixture(scope="module", params=shipped_names())
def written(request: pytest.FixtureRequest) -> Written:
    return write(str(request.param))


def test_there_are_20_different_positions(written: Written) -> None:
    rows = written[0]["positions"]
    assert len({str(row["inputs"]) for row in rows}) == len(rows) == 20


def test_the_input_is_the_whole_tensor(written: Written) -> None:
    data, reading, _ = written
    size = int(np.prod(reading.encoding.shape))
    assert {len(row["inputs"]["main_input"]) for row in data["positions"]} == {size}


def test_positions_are_from_the_start_to_late_in_the_game(written: Written) -> None:
    filled = [sum(1 for number in row["inputs"]["main_input"] if number) for row in written[0]["positions"]]
    assert max(filled) >= min(filled) + 3


def test_the_outputs_are_as_wide_as_the_heads(written: Written) -> None:
    data, _, widths = written
    for row in data["positions"]:
        assert {name: len(values) for name, values in row["outputs"].items()} == {
            f"{role}_head": width for role, width in widths.items()
        }
        assert all(-1 <= value <= 1 for value in row["outputs"].get("value_head", []))


def test_the_best_action_is_the_first_legal_one_of_the_largest_recorded_number(written: Written) -> None:
    for row in written[0]["positions"]:
        legal, policy = row["legal"], row["outputs"]["policy_head"]
        assert legal == sorted(set(legal))
        numbers = [policy[action] for action in legal]
        assert row["best"] == legal[numbers.index(max(numbers))]


def test_every_number_is_a_float32_in_its_shortest_form(written: Written) -> None:
    for row in written[0]["positions"]:
        for number in (*row["inputs"]["main_input"], *row["outputs"]["policy_head"]):
            assert float(str(np.float32(number))) == number


def test_writing_it_twice_gives_the_same_bytes() -> None:
    assert dump(write("tictactoe")[0]) == dump(write("tictactoe")[0])
