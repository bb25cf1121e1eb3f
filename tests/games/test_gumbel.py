"""A root that shares simulations out: in which order, that parts make one whole, and what it finds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from golden.hash_evaluator import HashEvaluator

from azx.errors import GameError
from azx.games.evaluator import Evaluation
from azx.games.known.catalogue import GAMES
from azx.games.random_play import generator, random_action
from azx.games.search import Search, run_together
from azx.games.search.gumbel import Halving, logarithms_of
from azx.games.search_settings import USUAL, Gumbel, SearchSettings, read_settings
from azx.games.state import State, play_line
from azx.play.terminal.thinker import Effort, Thinker

GUMBEL = SearchSettings(Gumbel())


def test_the_logarithm_is_that_of_the_library_but_for_its_last_digits() -> None:
    rng = np.random.default_rng(0)
    numbers = np.array([*rng.random(2000), *10.0 ** -rng.integers(0, 300, 500), 1.0])
    assert logarithms_of(numbers) == pytest.approx(np.log(numbers), rel=1e-14, abs=1e-16)


@pytest.mark.parametrize("simulations", [1, 7, 31, 49, 200])
@pytest.mark.parametrize("moves", [1, 2, 3, 4, 7, 16])
def test_at_every_step_enough_moves_have_the_visits_that_it_asks_for(moves: int, simulations: int) -> None:
    halving, visits = Halving(moves, simulations), [0] * moves
    for _ in range(simulations):
        visits[visits.index(halving.step())] += 1
    assert sum(visits) == simulations
    # Whoever was visited longest was so to the end, with one other.
    last = sorted(visits)[-2:]
    assert last[-1] - last[0] <= 1


def searched(
    state: State, simulations: int, settings: SearchSettings = GUMBEL, proves: bool = False, compiled: bool = True
) -> Search:
    search = Search(state, HashEvaluator(), proves=proves, compiled=compiled, settings=settings)
    search.run(simulations)
    return search


@pytest.mark.parametrize("name", ["connect4", "go", "reversi"])
def test_both_forms_visit_the_same_and_prove_the_same(name: str) -> None:
    state, rng = GAMES[name].begin({}), generator(3)
    for _ in range(3):
        searches = [searched(state, 60, compiled=each, proves=True) for each in (True, False)]
        for _ in range(2):
            one, other = searches
            assert one.visits() == other.visits()
            action = one.best_action()
            assert action == other.best_action()
            for search in searches:
                search.play(action)
                search.run(30)
        state = state.apply(random_action(state, rng))


def test_a_plan_in_parts_is_one_search() -> None:
    whole, parts = searched(GAMES["go"].begin({}), 100), Search(GAMES["go"].begin({}), HashEvaluator(), settings=GUMBEL)
    parts.plan(100)
    for _ in range(10):
        parts.run(10)
    assert parts.visits() == whole.visits()
    assert parts.best_action() == whole.best_action()
    assert searched(GAMES["go"].begin({}), 10).visits() != {a: n // 10 for a, n in whole.visits().items()}


def test_as_many_simulations_as_there_will_be_are_shared_out_in_growing_plans() -> None:
    search = Search(GAMES["go"].begin({}), HashEvaluator(), settings=GUMBEL)
    search.plan(None)
    search.run(32)
    assert search.visits() == searched(search.state, 32).visits()
    search.run(64)
    assert sum(search.visits().values()) == 95
    search.run(1)
    # The third plan has begun, of 128, with the move that looks best by then.
    assert sum(search.visits().values()) == 96
    assert search.best_action() in {action for action, count in search.visits().items() if count > 1}


def test_searches_together_are_those_alone() -> None:
    states = [play_line(GAMES["connect4"].begin({}), line) for line in ((), (38,), (38, 31))]
    together = [Search(state, HashEvaluator(), settings=GUMBEL) for state in states]
    run_together(together, HashEvaluator(), 40)
    assert [search.visits() for search in together] == [searched(state, 40).visits() for state in states]


class Told:
    """An evaluator with the same answer everywhere: these logits and a value of 0."""

    def __init__(self, *logits: float) -> None:
        self.answer = Evaluation(0.0, np.array(logits, np.float64), logits=True)

    def evaluate(self, states: Sequence[State]) -> list[Evaluation]:
        return [self.answer] * len(states)


def test_only_the_considered_moves_are_visited_and_those_with_the_largest_priors_first() -> None:
    network, settings = Told(1, 9, 3, 8, 5, 0, 2, 7, 4), SearchSettings(Gumbel(4))
    search = Search(GAMES["tictactoe"].begin({}), network, settings=settings)
    search.run(5)
    assert search.visits() == {0: 0, 1: 1, 2: 0, 3: 1, 4: 1, 5: 0, 6: 0, 7: 1, 8: 0}
    assert search.best_action() == 1


def test_a_move_that_wins_is_found_though_the_network_prefers_others() -> None:
    # X has 0 and 1, O has 3 and 4: 2 wins.
    state = play_line(GAMES["tictactoe"].begin({}), (0, 3, 1, 4))
    search = Search(state, Told(0, 0, -2, 0, 0, 2, 2, 2, 2), settings=GUMBEL)
    search.run(32)
    assert search.best_action() == 2


def test_without_a_simulation_and_with_one_nothing_is_visited() -> None:
    search = searched(GAMES["connect4"].begin({}), 1)
    assert set(search.visits().values()) == {0}
    assert search.best_action() == 35


def test_the_thinker_keeps_puct_where_moves_are_drawn() -> None:
    state = GAMES["connect4"].begin({})
    best = Thinker(state, HashEvaluator(), Effort(50), generator(0), None, GUMBEL)
    drawn = Thinker(state, HashEvaluator(), Effort(50, temperature=1.0), generator(0), None, GUMBEL)
    best.think(lambda told: None, 0)
    drawn.think(lambda told: None, 0)
    assert best.search.visits() == searched(state, 50, proves=True).visits()
    assert drawn.search.visits() == searched(state, 50, USUAL, proves=True).visits()


@pytest.mark.parametrize("name", ["connect4", "go"])
def test_both_forms_have_the_same_numbers_in_the_formula(name: str) -> None:
    state = GAMES[name].begin({})
    usual = searched(state, 80, USUAL)
    for settings in (SearchSettings(first_play=0.25), SearchSettings(c_init=0.5), SearchSettings(Gumbel(4), 3.0, 0.0)):
        one, other = (searched(state, 80, settings, proves=True, compiled=each) for each in (True, False))
        assert one.visits() == other.visits() != usual.visits()
        assert read_settings(settings.as_data(), "net") == settings
    assert searched(state, 80, SearchSettings(None, 1.25, None)).visits() == usual.visits()


def test_what_nobody_has_looked_at_is_worth_less_than_its_parent_and_not_a_draw() -> None:
    """Every answer is that the mover wins, so that every move looks lost to who makes it."""
    lost = Evaluation(0.9, np.zeros(9), logits=True)

    class Losing(Told):
        def evaluate(self, states: Sequence[State]) -> list[Evaluation]:
            return [lost for _ in states]

    state = GAMES["tictactoe"].begin({})
    tried = []
    for settings in (USUAL, SearchSettings(first_play=2.0)):
        search = Search(state, Losing(), settings=settings, constant=lambda visits: 0.1)
        search.run(10)
        tried.append(sum(count > 0 for count in search.visits().values()))
    # All others are tried where a move is a draw until it is looked at; a loss is what they count as here.
    assert tried[0] == 9
    assert tried[1] < 9


def test_settings_that_are_not_known_are_one_sentence() -> None:
    assert read_settings(None, "net") == USUAL == read_settings({"root": {"kind": "puct"}}, "net")
    assert read_settings({"root": {"kind": "gumbel", "considered": 4}}, "net") == SearchSettings(Gumbel(4))
    with pytest.raises(GameError, match=r"^'net' is to be searched .* \(search\.root\.beta\): use a newer azx\.$"):
        read_settings({"root": {"kind": "gumbel", "beta": 1}}, "net")
