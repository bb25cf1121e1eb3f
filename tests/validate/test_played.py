"""Positions that a network's own play reaches, and what they find that random ones miss."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from azx.bundle.case.positions import parity_positions, recorded_positions, with_played
from azx.bundle.case.settings import Settings
from azx.errors import UnsupportedLayer
from azx.export.checkpoint.head import Head
from azx.export.checkpoint.layer_graph import LayerGraph
from azx.export.checkpoint.located import find_checkpoint
from azx.export.checkpoint.read import read_checkpoint
from azx.export.graph.freeze import heads_of
from azx.games.encoding import encode
from azx.games.game import Reading
from azx.games.known.recognition import recognise
from azx.games.search import Search
from azx.validate.played import MOVES, SIMULATIONS, _Network, play
from azx.validate.positions import GAMES, RANDOM, SEARCHED, SEARCHES, Positions, positions
from azx.validate.witness.evaluate import evaluate


@pytest.fixture(scope="module")
def graph(small_checkpoint: Path) -> LayerGraph:
    return read_checkpoint(small_checkpoint)


@pytest.fixture(scope="module")
def heads(graph: LayerGraph) -> tuple[Head, ...]:
    return heads_of(graph, [(1,), (42,)])


@pytest.fixture(scope="module")
def reading() -> Reading:
    found = recognise([(2, 6, 7)], 42)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def drawn(graph: LayerGraph, heads: tuple[Head, ...], reading: Reading) -> Positions:
    return parity_positions(graph, heads, reading, Settings(count=500), 100_000)


def test_a_proof_has_positions_of_random_games_of_its_own_games_and_of_its_searches(drawn: Positions) -> None:
    assert [part.name for part in drawn.parts] == [RANDOM, GAMES, SEARCHED, SEARCHES]
    assert [part.count for part in drawn.parts[:2]] == [300, 100]
    assert sum(part.count for part in drawn.parts[2:]) == 100
    assert (drawn.drawn, drawn.extreme) == (500, 50)
    rows = {row.tobytes() for row in drawn.feeds["main_input"]}
    assert len(rows) == 550
    assert drawn.description == "500 distinct legal positions of Connect4, seed 0"
    assert drawn.summary.startswith("500 distinct legal positions of Connect4, seed 0: 300 of random games, 100 of ")
    assert drawn.summary.endswith("of its searches look at, and 50 that the network finds extreme")


def test_each_position_has_its_own_legal_moves(drawn: Positions) -> None:
    assert drawn.legal is not None
    for board, legal in zip(drawn.feeds["main_input"], drawn.legal, strict=True):
        discs = board.sum(axis=(0, 1)).astype(int)
        lowest = {7 * (5 - int(count)) + column for column, count in enumerate(discs) if count < 6}
        assert set(np.flatnonzero(legal)) == lowest


def test_the_line_of_first_choices_is_among_them(
    drawn: Positions, graph: LayerGraph, heads: tuple[Head, ...], reading: Reading
) -> None:
    asked = {board.tobytes() for board in drawn.feeds["main_input"]}
    state, policy = reading.start(), next(head for head in heads if head.role == "policy")
    while not state.is_terminal:
        board = encode(state, reading.encoding)
        assert board.tobytes() in asked
        answers = evaluate(graph, {"main_input": board[None]})[policy.source_name][0]
        legal = state.legal_actions()
        state = state.apply(legal[int(np.argmax(answers[list(legal)]))])


def test_the_moves_that_its_search_chooses_from_the_start_are_among_them(
    drawn: Positions, graph: LayerGraph, heads: tuple[Head, ...], reading: Reading
) -> None:
    asked = {board.tobytes() for board in drawn.feeds["main_input"]}
    search = Search(reading.start(), _Network(graph, heads, reading), proves=True)
    for _ in range(MOVES):
        search.run(SIMULATIONS)
        search.play(search.best_action())
        assert encode(search.state, reading.encoding).tobytes() in asked


def test_searches_play_on_from_all_stages_of_its_games(
    graph: LayerGraph, heads: tuple[Head, ...], reading: Reading
) -> None:
    found = play(graph, heads, reading, (200, 1000), positions(reading, count=50))
    games, searched, searches = found.parts
    assert [part.name for part in found.parts] == [GAMES, SEARCHED, SEARCHES]
    assert searched.independent == searches.independent
    assert (searched.independent or 0) >= 40
    boards = [row[0] for row in found.rows[games.count : games.count + searched.count]]
    discs = [int(board.sum()) for board in boards]
    assert len(discs) > 40
    assert min(discs) < 5
    assert max(discs) > 20


def test_the_same_seed_gives_the_same_positions_again(
    drawn: Positions, graph: LayerGraph, heads: tuple[Head, ...], reading: Reading
) -> None:
    again = recorded_positions(graph, heads, reading, 0, 500, drawn.looked_through)
    np.testing.assert_array_equal(again.feeds["main_input"], drawn.feeds["main_input"])
    other = with_played(graph, heads, reading, 1, 500)
    assert not np.array_equal(other.feeds["main_input"][:500], drawn.feeds["main_input"][:500])


def test_the_random_ones_come_first_and_do_not_depend_on_the_network(drawn: Positions, reading: Reading) -> None:
    assert len(drawn.random) == 300
    assert drawn.random.parts == drawn.parts[:1]
    few = positions(reading, count=20)
    np.testing.assert_array_equal(few.feeds["main_input"], drawn.feeds["main_input"][:20])


def test_a_network_without_a_policy_is_searched_from_random_positions(graph: LayerGraph, reading: Reading) -> None:
    value = heads_of(graph, [(1,), (42,)])[:1]
    found = play(graph, value, replace(reading, numbering=None), (100, 100), positions(reading, count=50))
    assert [part.name for part in found.parts] == [SEARCHED, SEARCHES]
    assert sum(part.count for part in found.parts) == len(found.rows) == 100


def test_where_the_witness_cannot_play_all_are_random_and_the_note_says_so(
    graph: LayerGraph, heads: tuple[Head, ...], reading: Reading
) -> None:
    strange = replace(graph.calls[-1].layer, kind="Unheard")
    other = replace(graph, calls=(*graph.calls[:-1], replace(graph.calls[-1], layer=strange)))
    with pytest.raises(UnsupportedLayer):
        play(other, heads, reading, (10, 10), positions(reading, count=5))
    found = with_played(other, heads, reading, 0, 100)
    assert [part.name for part in found.parts] == [RANDOM]
    assert found.note is not None
    assert found.note.startswith("no position is from the network's own games, because the witness")


def test_what_play_lacks_in_a_small_game_is_made_up_for_by_random_positions() -> None:
    tiny = recognise([(9,)], 9)
    assert tiny is not None
    graph = read_checkpoint(find_checkpoint("tictactoe"))
    found = with_played(graph, heads_of(graph, [(9,)]), tiny, 0, 1000)
    assert len(found) == 1000
    assert len({row.tobytes() for row in next(iter(found.feeds.values()))}) == 1000
    assert sum(part.count for part in found.parts) == 1000
    assert found.parts[0].count > 600
