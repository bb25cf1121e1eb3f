from __future__ import annotations

import gc
import math
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from golden.hash_evaluator import HashEvaluator, fnv1a, tensor_hash, value_of, weight_of

from azx.errors import GameError
from azx.games.evaluator import Evaluation, Uniform, ask
from azx.games.known.catalogue import GAMES
from azx.games.rules.connect4 import Connect4
from azx.games.rules.tictactoe import TicTacToe
from azx.games.search import Search, exploration, run_together
from azx.games.state import State


class Plain:
    """The search as GAMES.md words it, written again without arrays: the test's own yardstick."""

    def __init__(self, state: State, constant: Callable[[int], float]) -> None:
        self.state, self.constant = state, constant
        self.visits, self.children, self.priors = 0, dict[int, Plain](), dict[int, float]()
        self.counts, self.totals = dict[int, int](), dict[int, float]()

    def simulate(self) -> float:
        """One simulation; the value for this node's player to move."""
        if self.state.is_terminal:
            value = self.state.returns() * (1 - 2 * self.state.to_move)
        elif not self.visits:
            value = self.expand()
        else:
            action = self.best()
            child = self.children.setdefault(action, Plain(self.state.apply(action), self.constant))
            value = -child.simulate()
            self.counts[action] += 1
            self.totals[action] += value
        self.visits += 1
        return value

    def expand(self) -> float:
        hashed, total = tensor_hash(self.state), 0.0
        legal = self.state.legal_actions()
        for action in legal:
            total += weight_of(hashed, action)
        self.priors = {action: weight_of(hashed, action) / total for action in legal}
        self.counts, self.totals = dict.fromkeys(legal, 0), dict.fromkeys(legal, 0.0)
        return float(value_of(hashed))

    def best(self) -> int:
        def score(action: int) -> float:
            n = self.counts[action]
            q = self.totals[action] / n if n else 0.0
            return q + ((self.constant(self.visits) * self.priors[action]) * math.sqrt(self.visits)) / (1 + n)

        return max(self.counts, key=score)


def test_c_is_that_of_the_formula() -> None:
    assert exploration(0) == pytest.approx(math.log(19653 / 19652) + 1.25, abs=1e-12)
    assert exploration(19651) == pytest.approx(math.log(2) + 1.25, abs=1e-12)
    assert exploration(19651, c_init=2.0) == pytest.approx(math.log(2) + 2, abs=1e-12)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("constant", [lambda visits: 1.25, exploration], ids=["1.25", "AlphaZero's"])
def test_visits_are_those_of_the_plain_search(game: str, constant: Callable[[int], float]) -> None:
    state = GAMES[game].begin()
    plain, search = Plain(state, constant), Search(state, HashEvaluator(), constant=constant)
    for _ in range(4):
        for _ in range(150):
            plain.simulate()
        search.run(150)
        assert search.visits() == plain.counts
        action = search.best_action()
        search.play(action)
        plain = plain.children[action]
        if plain.state.is_terminal:
            break


@pytest.mark.whole
@pytest.mark.parametrize("proves", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_without_a_compiler_the_search_is_the_same(game: str, proves: bool) -> None:
    state, evaluator = GAMES[game].begin(), HashEvaluator()
    for at in range(5):
        compiled, plain = (Search(state, evaluator, proves=proves, compiled=each) for each in (True, False))
        for _ in range(3):
            for search in (compiled, plain):
                search.run(100)
            assert plain.visits() == compiled.visits()
            assert plain.candidates() == compiled.candidates()
            assert replace(plain.report(), seconds=0) == replace(compiled.report(), seconds=0)
            if compiled.is_done:
                break
            action = compiled.best_action()
            for search in (compiled, plain):
                search.play(action)
            if plain.state.is_terminal:
                break
        for _ in range(4 * (at + 1)):
            legal = state.legal_actions()
            following = state.apply(legal[(7 * at + 3) % len(legal)])
            state = state if following.is_terminal else following


def test_without_a_compiler_none_is_loaded() -> None:
    code = """
import sys
from azx.games.evaluator import Uniform
from azx.games.rules.connect4 import Connect4
from azx.games.search import Search
search = Search(Connect4(), Uniform(), proves=True, compiled=False)
search.run(50)
print(sum(search.visits().values()), "numba" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "49 False\n", done.stderr


def test_the_first_simulation_expands_the_root_and_its_children_get_the_rest() -> None:
    for simulations in (1, 2, 50):
        search = Search(Connect4(), HashEvaluator())
        search.run(simulations)
        assert sum(search.visits().values()) == simulations - 1
        assert search.report().simulations == simulations


def test_the_tree_below_the_move_is_kept() -> None:
    search = Search(Connect4(), HashEvaluator())
    search.run(400)
    action = search.best_action()
    kept = search.visits()[action]
    search.play(action)
    assert sum(search.visits().values()) == kept - 1
    search.run(100)
    assert sum(search.visits().values()) == kept - 1 + 100
    assert search.report().simulations == 100


def test_a_move_that_was_never_visited_begins_a_new_tree() -> None:
    search = Search(Connect4(), HashEvaluator())
    search.run(2)
    action = min(search.visits(), key=search.visits().__getitem__)
    search.play(action)
    assert search.state == Connect4().apply(action)
    assert not any(search.visits().values())


def test_many_simulations_at_the_end_of_a_game_find_the_win() -> None:
    state: State = TicTacToe()
    for action in (0, 3, 1, 4):
        state = state.apply(action)
    search = Search(state, Uniform())
    search.run(500)
    assert search.best_action() == 2
    report = search.report()
    assert report.win_rate == 1.0
    assert report.visits > 400
    assert report.depth <= 5


def test_a_finished_game_has_no_move_to_choose() -> None:
    state: State = Connect4()
    for action in (35, 36, 28, 29, 21, 22, 14):
        state = state.apply(action)
    search = Search(state, Uniform())
    search.run(10)
    assert search.visits() == {}
    with pytest.raises(GameError, match="the game is over"):
        search.best_action()


def test_an_illegal_move_leaves_the_search_where_it_was() -> None:
    search = Search(Connect4(), HashEvaluator())
    search.run(50)
    before = search.visits()
    with pytest.raises(GameError, match="action 0 is illegal"):
        search.play(0)
    assert search.visits() == before


def test_searches_that_share_batches_find_what_they_find_alone() -> None:
    states: list[State] = [Connect4(), Connect4().apply(38), TicTacToe()]
    together, alone = ([Search(state, HashEvaluator()) for state in states] for _ in range(2))
    run_together(together, HashEvaluator(), 120)
    for search in alone:
        search.run(120)
    assert [search.visits() for search in together] == [search.visits() for search in alone]


def test_searches_side_by_side_make_no_circles_and_leave_pythons_collector_as_it_was() -> None:
    collects: list[bool] = []

    class Looking:
        def evaluate(self, states: Sequence[State]) -> list[Evaluation]:
            collects.append(gc.isenabled())
            if len(collects) == 100:
                raise GameError("the network is gone")
            return list(HashEvaluator().evaluate(states))

    gc.collect()
    searches = [Search(Connect4(), Looking(), proves=True) for _ in range(4)]
    with pytest.raises(GameError, match="gone"):
        run_together(searches, Looking(), 200)
    del searches
    assert not any(collects)
    assert gc.isenabled()
    assert gc.collect() < 100


def test_each_leaf_is_evaluated_once_and_a_finished_game_never() -> None:
    seen: list[State] = []

    class Counting:
        def evaluate(self, states: Sequence[State]) -> list[Evaluation]:
            seen.extend(states)
            return list(HashEvaluator().evaluate(states))

    state: State = TicTacToe()
    for action in (0, 3, 1):
        state = state.apply(action)
    Search(state, Counting()).run(3000)
    assert not any(state.is_terminal for state in seen)
    # Every line of play is a node of its own: 1 + 6 + 5 * 5 + ... would be fewer if nodes were shared.
    assert 0 < len(seen) < 3000


def test_the_trace_tells_the_path_of_every_simulation() -> None:
    paths: list[list[int]] = []
    search = Search(TicTacToe(), HashEvaluator(), trace=lambda path: paths.append(path))
    search.run(200)
    assert len(paths) == 200
    assert paths[0] == []
    first = {action: sum(path[0] == action for path in paths if path) for action in range(9)}
    assert first == search.visits()
    untraced = Search(TicTacToe(), HashEvaluator())
    untraced.run(200)
    assert untraced.visits() == search.visits()


@pytest.mark.parametrize("traced", [False, True])
def test_a_running_search_can_be_asked_and_stopped(traced: bool) -> None:
    half_way, go_on = threading.Event(), threading.Event()

    class Slow:
        calls = 0

        def evaluate(self, states: Sequence[State]) -> list[Evaluation]:
            self.calls += 1
            if self.calls == 50:
                half_way.set()
                assert go_on.wait(300)
            return list(HashEvaluator().evaluate(states))

    search = Search(Connect4(), Slow(), trace=(lambda path: None) if traced else None)
    running = threading.Thread(target=search.run, args=(1_000_000,))
    running.start()
    assert half_way.wait(300)
    assert search.report().simulations >= 49
    search.stop()
    go_on.set()
    running.join(300)
    assert not running.is_alive()
    assert 50 <= search.report().simulations < 60
    search.run(10)
    assert search.report().simulations >= 60


def test_logits_are_softmaxed_over_the_legal_moves_alone() -> None:
    policy = np.full(42, 90.0)
    policy[[35, 36, 37, 38, 39, 40, 41]] = [0, 0, 0, math.log(3), 0, -1000, 0]
    legal = Connect4().legal_actions()
    priors = Evaluation(0.0, policy, logits=True).priors(legal)
    np.testing.assert_allclose(priors, [0.125, 0.125, 0.125, 0.375, 0.125, 0, 0.125])
    assert Evaluation(0.0, policy, logits=True).best(legal) == 38


def test_probabilities_that_are_all_zero_on_the_legal_moves_mean_uniform() -> None:
    priors = Evaluation(0.0, np.zeros(42)).priors(Connect4().legal_actions())
    assert priors.tolist() == [1 / 7] * 7

    class Nothing:
        def evaluate(self, states: Sequence[State]) -> list[Evaluation]:
            return [Evaluation(0.0, np.zeros(42)) for _ in states]

    nothing, uniform = Search(Connect4(), Nothing()), Search(Connect4(), Uniform())
    nothing.run(100)
    uniform.run(100)
    assert nothing.visits() == uniform.visits()


def test_a_temperature_draws_in_proportion_to_the_visits() -> None:
    search = Search(Connect4(), HashEvaluator())
    search.run(300)
    rng = np.random.default_rng(1)
    drawn = [search.best_action(1.0, rng) for _ in range(3000)]
    visits = search.visits()
    total = sum(visits.values())
    for action, count in visits.items():
        assert abs(drawn.count(action) / 3000 - count / total) < 0.03
    assert {search.best_action(0.01, rng) for _ in range(50)} == {search.best_action()}
    with pytest.raises(GameError, match="random generator"):
        search.best_action(1.0)


def test_the_hash_is_fnv_1a() -> None:
    # Known values of the published function.
    assert fnv1a(b"") == 0x811C9DC5
    assert fnv1a(b"a") == 0xE40C292C
    assert fnv1a(b"foobar") == 0xBF9CF968
    assert fnv1a(b"bar", fnv1a(b"foo")) == 0xBF9CF968


def test_a_large_tree_grows_past_its_first_room() -> None:
    search = Search(GAMES["gomoku"].begin(), HashEvaluator())
    search.run(600)
    assert sum(search.visits().values()) == 599
    assert len(search.visits()) == 225


class Broken:
    """A network that answers well for some states, then as it is told."""

    name = "diverged.h5"

    def __init__(self, good: int, answer: Evaluation) -> None:
        self.good, self.answer = good, answer

    def evaluate(self, states: Sequence[State]) -> list[Evaluation]:
        self.good -= len(states)
        return [Evaluation(0.0) if self.good >= 0 else self.answer] * len(states)


NOT_FINITE = [
    Evaluation(math.nan),
    Evaluation(math.inf),
    Evaluation(-math.inf),
    Evaluation(0.0, np.full(42, math.nan)),
    Evaluation(0.0, np.full(42, math.nan), logits=True),
    Evaluation(0.0, np.full(42, math.inf)),
    Evaluation(0.0, np.full(42, math.inf), logits=True),
]


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("good", [0, 3])
@pytest.mark.parametrize("answer", NOT_FINITE, ids=str)
def test_an_answer_that_is_no_finite_number_is_an_error_that_names_the_network(
    good: int, answer: Evaluation, compiled: bool
) -> None:
    search = Search(Connect4(), Broken(good, answer), compiled=compiled)
    with pytest.raises(GameError, match=r"^'diverged\.h5' answered a position with NaN or infinity: .*\.$"):
        search.run(200)
    with pytest.raises(GameError, match="NaN or infinity"):
        search.run(200)
    assert all(visits >= 0 for visits in search.visits().values())


def test_a_search_goes_on_as_ever_once_its_network_answers_again() -> None:
    network, uniform = Broken(0, Evaluation(math.nan)), Search(Connect4(), Uniform())
    search = Search(Connect4(), network)
    with pytest.raises(GameError):
        search.run(100)
    network.good = 10_000
    search.run(100)
    uniform.run(100)
    assert search.visits() == uniform.visits()


def test_logits_of_minus_infinity_have_no_weight_and_are_no_error() -> None:
    policy = np.zeros(42)
    policy[38] = -math.inf
    search = Search(Connect4(), Broken(0, Evaluation(0.0, policy, logits=True)))
    search.run(20)
    assert search.visits()[38] == 0
    assert ask(Broken(0, Evaluation(0.0, policy, logits=True)), [Connect4()])[0].best([37, 38]) == 37
