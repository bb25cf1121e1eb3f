from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("numba")

from azx.games.rules.hex import Hex, start
from azx.training.hex import data
from azx.training.hex.data import stones_of
from azx.training.hex.resistance import choose, resistances
from azx.training.hex.strength import draw_opening
from azx.training.hex.teacher import CELLS, SIZE, answer, winner_of


def after(*actions: int) -> Hex:
    state = start(SIZE)
    for action in actions:
        state = state.apply(action)
    return state


def test_a_full_board_is_won_as_the_rules_say() -> None:
    rng = np.random.default_rng(2)
    for _ in range(100):
        board = np.zeros(CELLS, np.int8)
        board[rng.permutation(CELLS)[: CELLS // 2]] = 1
        state = start(SIZE)
        first = sum(1 << int(at) for at in np.flatnonzero(board == 0))
        joined = bool(state.kind.joined(first, state.kind.sides[0][0]) & state.kind.sides[0][1])
        assert winner_of(board, np.zeros(CELLS, np.int64), np.zeros(CELLS, np.bool_)) == (0 if joined else 1)


@pytest.mark.whole
def test_the_teacher_wins_at_once_and_stops_a_win() -> None:
    # One column but for its last cell, and stones of the other side that lie nowhere.
    line = (3, 0, 10, 6, 17, 13, 24, 20, 31, 27, 38, 34)
    state = after(*line)
    found = answer(stones_of(state), 0, 400, seed=1)
    assert int(found.visits.argmax()) in state.sudden()[0]
    assert found.chance > 0.9
    # After a wasted move the other side has to stop both ways to the bottom, which it cannot.
    threatened = after(*line[:-1])
    assert answer(stones_of(threatened), 1, 400, seed=1).chance < 0.5


def test_the_teacher_answers_alike_for_a_seed() -> None:
    stones = stones_of(after(24, 17))
    one, again = (answer(stones, 0, 200, seed=4) for _ in range(2))
    assert np.array_equal(one.visits, again.visits)
    assert one.visits.sum() == pytest.approx(1)
    assert not one.visits[[24, 17]].any()


def test_values_follow_the_game_until_a_move_that_was_not_the_teacher_s() -> None:
    # The last move won: the value of its mover is nearly 1; before a wasted move the search alone counts.
    values = data.values_of([0.5, 0.5, 0.9], [True, False, True])
    last = 0.2 * 0.8 + 0.8
    assert values.tolist() == pytest.approx([0.0, 0.0, last])


def test_resistance_is_that_of_simple_circuits() -> None:
    state = start(3)
    # One column alone conducts: two halves to its ends, and from cell to cell half of both.
    cells = np.full((1, 9), 1e6)
    cells[0, [1, 4, 7]] = 1.0
    assert resistances(cells, state, 0)[0] == pytest.approx(1 + 2 + 2 + 1, rel=1e-3)
    # The empty board looks the same from either side.
    empty = np.ones((1, 9))
    assert resistances(empty, state, 0)[0] == pytest.approx(resistances(empty, state, 1)[0])


def test_the_resistance_player_wins_at_once() -> None:
    rng = np.random.default_rng(0)
    state = after(3, 0, 10, 6, 17, 13, 24, 20, 31, 27, 38, 34)
    assert state.apply(choose(state, rng)).winner == 0
    assert choose(draw_opening(3), rng) in draw_opening(3).legal_actions()
