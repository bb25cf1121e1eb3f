"""The rules on cells, by which a search without a network plays, are Python's rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

import numpy as np
import pytest

from azx.games.evaluator import Evaluation, Uniform
from azx.games.known.catalogue import GAMES
from azx.games.random_play import generator, random_action
from azx.games.rules.cells import GOES_ON, ended, moves, put
from azx.games.search import Search, run_together
from azx.games.search_settings import Gumbel, SearchSettings
from azx.games.state import State


class Asked:
    """`Uniform`'s answers, of a network that is asked for each of them."""

    def evaluate(self, states: list[State]) -> list[Evaluation]:
        return [Evaluation(0.0)] * len(states)


def on_cells(state: State) -> tuple[Any, Any]:
    """As `as_cells`, in lists, which Python reads faster than arrays."""
    game = cast(Any, state).as_cells()
    assert game is not None
    return game[0].tolist(), game[1].tolist()


def check(state: State, actions: Sequence[int] | None = None) -> Iterator[State]:
    """Compare the legal moves of a position and those that follow it, which are yielded; `actions` None: all."""
    rules, position = on_cells(state)
    legal, spare = [0] * (state.actions + 1), [0] * (2 * state.actions)
    assert tuple(legal[: moves(rules, position, legal)]) == state.legal_actions()  # type: ignore[arg-type]
    for action in state.legal_actions() if actions is None else actions:
        after, moved = state.apply(action), position.copy()
        put(rules, moved, action)
        assert moved == on_cells(after)[1]
        result = ended(rules, moved, action, spare)  # type: ignore[arg-type]
        assert result == (int(after.returns()) if after.is_terminal else GOES_ON)
        yield after


def every_position(start: State) -> int:
    seen, waiting = {start}, [start]
    for state in waiting:
        for after in check(state):
            if not after.is_terminal and after not in seen:
                seen.add(after)
                waiting.append(after)
    return len(seen)


# Boards small enough to have every position of a game that is not over looked at.
SMALL = [
    ("tictactoe", {}, 4520),
    ("hex", {"size": 3}, 4520),
    ("dots_and_boxes", {"size": 2}, 6877),
    pytest.param("reversi", {"size": 4}, 56621, marks=pytest.mark.whole),
]


@pytest.mark.parametrize(("game", "settings", "count"), SMALL)
def test_they_are_the_same_in_every_position_of_a_small_board(game: str, settings: dict[str, int], count: int) -> None:
    assert every_position(GAMES[game].begin(settings)) == count


@pytest.mark.parametrize("game", sorted(set(GAMES) - {"go"}))
def test_they_are_the_same_in_random_games_of_every_size(game: str) -> None:
    rng = generator(11)
    for shape in GAMES[game].shapes:
        state = GAMES[game].begin(shape.settings)
        while not state.is_terminal:
            (state,) = check(state, (random_action(state, rng),))


@pytest.mark.parametrize(("game", "settings"), [("go", {}), ("hex", {"rule": "swap"}), ("gomoku", {"rule": "renju"})])
def test_rules_that_cells_lack_are_left_to_python(game: str, settings: dict[str, str]) -> None:
    state = cast(Any, GAMES[game].begin(settings))
    assert state.as_cells() is None
    alone, asked = Search(state, Uniform()), Search(state, Asked())  # type: ignore[arg-type]
    for search in (alone, asked):
        search.run(60)
    assert alone.visits() == asked.visits()


@pytest.mark.parametrize("settings", [SearchSettings(), SearchSettings(Gumbel(8)), SearchSettings(early_stop=True)])
@pytest.mark.parametrize("proves", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_a_search_without_a_network_visits_what_one_visits_that_asks(
    game: str, proves: bool, settings: SearchSettings
) -> None:
    state, rng = GAMES[game].begin(), generator(2)
    for _ in range(3):
        evaluators = cast(Any, (Uniform(), Asked()))
        searches = [Search(state, each, proves=proves, settings=settings) for each in evaluators]
        for move in range(3):
            for search in searches:
                # The second of three goes on with a tree that was grown without asking, and asks.
                run_together([search], evaluators[1], 60) if move == 1 else search.run(150)
            alone, asked = searches
            assert alone.candidates() == asked.candidates()
            assert alone.result == asked.result
            assert alone.report().depth == asked.report().depth
            if asked.is_done and settings.chooses_by_visits and not settings.early_stop:
                break
            action = asked.best_action()
            for search in searches:
                search.play(action)
            if asked.state.is_terminal:
                break
        for _ in range(7):
            following = state.apply(random_action(state, rng))
            state = state if following.is_terminal else following


def test_a_large_tree_grows_without_asking() -> None:
    alone, asked = Search(GAMES["gomoku"].begin(), Uniform()), Search(GAMES["gomoku"].begin(), cast(Any, Asked()))
    for search in (alone, asked):
        search.run(1500)
    assert alone.visits() == asked.visits()
    assert np.array_equal(alone._rows.nodes[: alone._rows.used], asked._rows.nodes[: asked._rows.used])
