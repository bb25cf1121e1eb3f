from __future__ import annotations

import numpy as np
import pytest

from azx.games.rules.hex import start
from azx.training.hex.resistance import choose, resistances
from azx.training.hex.strength import SIZE, draw_opening


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
    state = start(SIZE)
    for action in (3, 0, 10, 6, 17, 13, 24, 20, 31, 27, 38, 34):
        state = state.apply(action)
    assert state.apply(choose(state, rng)).winner == 0
    assert choose(draw_opening(3), rng) in draw_opening(3).legal_actions()
