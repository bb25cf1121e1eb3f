from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from azx.errors import GameError
from azx.games.rules.dots_and_boxes import DotsAndBoxes, start
from azx.learning.solvers.dots_and_boxes import Table, boxes_of, keeps_result, margin, result, solve, to_come
from azx.training.dots_and_boxes.values import table


@pytest.fixture(scope="module")
def values(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return table(3, tmp_path_factory.mktemp("values"))


def action_values(values: Table, state: DotsAndBoxes) -> dict[int, int]:
    """For each legal action, by how many boxes the mover outscores the opponent from here on."""
    lead = state.scores[state.to_move] - state.scores[1 - state.to_move]
    return {action: -margin(values, state.apply(action)) - lead for action in state.legal_actions()}


@cache
def negamax(state: DotsAndBoxes) -> int:
    """The mover's boxes less the opponent's at the end, by the rules alone."""
    if state.is_terminal:
        return state.scores[state.to_move] - state.scores[1 - state.to_move]
    return max(-negamax(state.apply(action)) for action in state.legal_actions())


def known_position() -> DotsAndBoxes:
    """Edges 3, 9, 12, 17, 18, 19, 21, 23 are open; two boxes are taken."""
    drawn = sum(1 << edge for edge in range(24) if edge not in (3, 9, 12, 17, 18, 19, 21, 23))
    return DotsAndBoxes(3, drawn, (1 << 2, 1 << 8))


@pytest.mark.whole
def test_the_known_position_has_its_known_values(values: Table) -> None:
    state = known_position()
    assert len([box for box in range(9) if boxes_of(3)[state.edges] and box in (2, 8)]) == boxes_of(3)[state.edges] == 2
    others = dict.fromkeys((3, 12, 17, 18, 19), -7)
    assert action_values(values, state) == {23: 3, 9: 1, 21: -1, **others}
    again = state.apply(23).apply(24)
    assert action_values(values, again) == {9: 2, 21: -2, **dict.fromkeys((3, 12, 17, 18, 19), -6)}


def test_the_known_position_is_won_by_23_or_9_alone(values: Table) -> None:
    assert (margin(values, known_position()), result(values, known_position())) == (3, 1)
    assert keeps_result(values, known_position()) == (9, 23)


def test_a_forced_pass_is_worth_what_the_next_player_loses(values: Table) -> None:
    state = known_position().apply(23)
    assert state.must_pass
    assert to_come(values, state) == -to_come(values, state.apply(24)) == -2
    assert action_values(values, state) == {24: -2}
    assert keeps_result(values, state) == (24,)


def test_random_late_positions_agree_with_plain_negamax(values: Table) -> None:
    rng = np.random.default_rng(4)
    for _ in range(60):
        state = start()
        while state.edges.bit_count() < 17:
            state = state.apply(int(rng.choice(state.legal_actions())))
        assert margin(values, state) == negamax(state)
        mover = state.scores[state.to_move] - state.scores[1 - state.to_move]
        expected = {action: -negamax(state.apply(action)) - mover for action in state.legal_actions()}
        assert action_values(values, state) == expected


def test_all_of_two_by_two_agrees_with_plain_negamax() -> None:
    values = solve(2)
    assert margin(values, start(2)) == negamax(start(2))
    rng = np.random.default_rng(6)
    for _ in range(100):
        state = start(2)
        while not state.is_terminal:
            assert margin(values, state) == negamax(state)
            assert result(values, state) == np.sign(negamax(state))
            state = state.apply(int(rng.choice(state.legal_actions())))


def test_the_table_is_kept_and_read_again(tmp_path: Path) -> None:
    first = table(2, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["values2.npy"]
    assert np.array_equal(table(2, tmp_path), first)
    assert first.dtype == np.int8
    assert first.shape == (1 << 12,)


def test_a_size_too_large_to_solve_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GameError, match="size 4 has too many positions to solve, choose 2 or 3"):
        table(4, tmp_path)
