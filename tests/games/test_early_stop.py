"""A search that stops early plays the move of the whole search, and makes no simulation less than it must."""

from __future__ import annotations

from itertools import product

import pytest

from azx.games.known.catalogue import GAMES
from azx.games.random_play import generator, random_action
from azx.games.search import Search, run_together
from azx.games.search.early_stop import EarlyStop
from azx.games.search_settings import USUAL, Gumbel, SearchSettings, read_settings

from ..support.golden.hash_evaluator import HashEvaluator

EARLY = SearchSettings(early_stop=True)


def begun(
    name: str, plies: int, settings: SearchSettings = EARLY, proves: bool = False, compiled: bool = True
) -> Search:
    state, rng = GAMES[name].begin({}), generator(5)
    for _ in range(plies):
        state = state.apply(random_action(state, rng))
    return Search(state, HashEvaluator(), proves=proves, compiled=compiled, settings=settings)


def lead(search: Search) -> int:
    first, second, *_ = *sorted(search.visits().values(), reverse=True), 0
    return first - second


def is_over(search: Search, simulations: int) -> bool:
    return lead(search) > simulations - search.report().simulations


@pytest.mark.parametrize("name", GAMES)
def test_it_ends_at_the_first_simulation_after_which_nothing_can_change(name: str) -> None:
    saved = 0
    for plies, simulations in product((0, 3, 6), (1, 2, 30, 100)):
        early, whole = begun(name, plies), begun(name, plies, USUAL)
        early.run(simulations)
        each: list[bool] = []
        for _ in range(early.report().simulations):
            whole.run(1)
            each.append(is_over(whole, simulations))
        assert whole.visits() == early.visits()
        assert early.report().simulations == simulations or each[-1]
        assert not any(each[:-1])
        whole.run(simulations - len(each))
        assert whole.best_action() == early.best_action()
        saved += simulations - len(each)
    assert saved > 0


@pytest.mark.parametrize("proves", [False, True])
def test_however_it_is_run_it_is_the_same_search(proves: bool) -> None:
    whole = begun("connect4", 4, proves=proves)
    whole.run(200)
    assert 100 < whole.report().simulations < 200
    slow, parts = begun("connect4", 4, proves=proves, compiled=False), begun("connect4", 4, proves=proves)
    traced = Search(slow.state, HashEvaluator(), trace=lambda path: None, proves=proves, settings=EARLY)
    parts.plan(200)
    for _ in range(20):
        parts.run(10)
    together = begun("connect4", 4, proves=proves)
    run_together([together, begun("connect4", 2)], HashEvaluator(), 200)
    for search in (slow, traced):
        search.run(200)
    assert [each.visits() for each in (slow, traced, parts, together)] == [whole.visits()] * 4
    assert all(each.is_done for each in (slow, traced, parts, together, whole))


def test_the_next_thought_begins_anew_with_what_was_kept() -> None:
    search = begun("connect4", 4)
    search.run(200)
    assert search.is_done
    search.play(search.best_action())
    assert not search.is_done
    kept = search.report().simulations
    search.run(200)
    assert search.report().simulations > kept == 0
    again = search.report().simulations
    # A run that is part of no plan is one by itself.
    search.run(1000)
    assert search.report().simulations > again


def test_it_does_not_stop_where_nobody_knows_how_many_there_will_be_nor_at_a_gumbel_root() -> None:
    search = begun("connect4", 4)
    search.plan(None)
    for _ in range(10):
        search.run(100)
    assert search.report().simulations == 1000
    shared = begun("connect4", 4, SearchSettings(Gumbel(), early_stop=True))
    shared.run(200)
    assert shared.report().simulations == 200
    whole = begun("connect4", 4, SearchSettings(Gumbel()))
    whole.run(200)
    assert shared.visits() == whole.visits()


def test_it_looks_only_when_the_lead_can_have_become_large_enough() -> None:
    stop = EarlyStop()
    stop.begin(0, 100)
    stop.look(60, lambda: [30, 29])
    # Not asked again before it can be so.
    assert stop.part(60, 40) == 20
    stop.look(79, lambda: [1000])
    assert not stop.is_over
    stop.look(80, lambda: [50])
    assert stop.is_over
    stop.begin(80, 100)
    assert not stop.is_over


def test_the_setting_is_read_and_written() -> None:
    assert read_settings({"root": {"kind": "puct"}, "early_stop": True}, "net") == EARLY
    assert EARLY.as_data() == {"root": {"kind": "puct"}, "early_stop": True}
    assert read_settings({"root": {"kind": "puct"}, "early_stop": False}, "net") == USUAL
