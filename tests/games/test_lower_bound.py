"""The choice by lower bound: what was visited little is not believed, and what was visited much is."""

from __future__ import annotations

import math

import numpy as np
import pytest

from azx.games.known.catalogue import GAMES
from azx.games.random_play import generator
from azx.games.search import Search
from azx.games.search.lower_bound import SHARE, lower_bound
from azx.games.search_settings import USUAL, Gumbel, SearchSettings, read_settings

from ..support.golden.hash_evaluator import HashEvaluator

BOUND = SearchSettings(lower_bound=5.0)


def test_it_is_the_mean_less_its_standard_errors() -> None:
    values = np.random.default_rng(3).uniform(-1, 1, 400)
    found = lower_bound(400, values.sum(), (values**2).sum(), 5.0)
    assert found == pytest.approx(values.mean() - 5 * values.std() / math.sqrt(400), abs=1e-6)
    # One value tells nothing of how far off it is.
    assert lower_bound(1, 0.9, 0.81, 5.0) == pytest.approx(0.9 - 5)


@pytest.mark.parametrize("compiled", [True, False])
def test_every_row_keeps_the_squares_of_its_values(compiled: bool) -> None:
    paths: list[list[int]] = []
    search = Search(GAMES["gomoku"].begin({}), HashEvaluator(), trace=paths.append, compiled=compiled, settings=BOUND)
    search.run(60)
    rows = search._rows.nodes[: search._rows.used]
    assert (rows["squares"] * rows["visits"] >= rows["total"] ** 2 * (1 - 1e-12)).all()
    root = rows[0]
    leaves = [HashEvaluator().evaluate((state,))[0].value for state in search._rows.states.values()]
    assert root["squares"] == pytest.approx(sum(value * value for value in leaves))


def test_a_better_move_with_fewer_visits_is_played_if_it_has_enough() -> None:
    start = GAMES["connect4"].begin({})
    for visits, chosen in ((20, 3), (40, 4)):
        search = Search(start, HashEvaluator(), settings=BOUND)
        search.run(2)
        children = search._rows.children
        for row in children:
            row["visits"], row["total"], row["squares"] = 1, 0.9, 0.81
        for action, count, mean in ((3, 200, 0.1), (4, visits, 0.4)):
            row = search._rows.row_of(search.state.legal_actions()[action])
            search._rows.nodes[row]["visits"], search._rows.nodes[row]["total"] = count, mean * count
            search._rows.nodes[row]["squares"] = count * (mean * mean + 0.01)
        assert (visits >= SHARE * 200) == (chosen == 4)
        assert search.best_action() == search.state.legal_actions()[chosen]
        # Drawn moves are drawn by visits.
        drawn = [search.best_action(1e-3, generator(seed)) for seed in range(5)]
        assert drawn == [search.state.legal_actions()[3]] * 5


def test_without_a_visit_it_is_the_lowest_move() -> None:
    search = Search(GAMES["connect4"].begin({}), HashEvaluator(), settings=BOUND)
    assert search.best_action() == min(search.state.legal_actions())


def test_nothing_is_decided_before_the_end_and_a_gumbel_root_chooses_by_itself() -> None:
    start = GAMES["go"].begin({})
    both = Search(start, HashEvaluator(), settings=SearchSettings(lower_bound=5.0, early_stop=True))
    both.run(150)
    assert both.report().simulations == 150
    gumbels = [SearchSettings(Gumbel()), SearchSettings(Gumbel(), lower_bound=5.0)]
    found = [Search(start, HashEvaluator(), settings=each) for each in gumbels]
    for search in found:
        search.run(60)
    assert found[0].best_action() == found[1].best_action()


def test_the_setting_is_read_and_written() -> None:
    assert read_settings({"root": {"kind": "puct"}, "lower_bound": 5}, "net") == BOUND
    assert BOUND.as_data() == {"root": {"kind": "puct"}, "lower_bound": 5.0}
    assert USUAL.lower_bound is None
