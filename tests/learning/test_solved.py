"""Positions with exact answers: the solvers against the rules alone, and the judges that count with them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest

from azx.games.evaluator import Evaluation, Uniform
from azx.games.known.catalogue import GAMES
from azx.games.random_play import generator, random_action
from azx.games.rules.hex import Hex, start
from azx.games.state import State
from azx.learning.judges import LostValues, exact_judge
from azx.learning.solved import SolvedPositions, _draw, _solver_of, is_solved, solved_positions
from azx.learning.solvers.hex import HexSolver


class Chooses:
    """Plays a move that keeps the value, or one that does not where there is one."""

    def __init__(self, solved: SolvedPositions, keep: bool) -> None:
        self._keeping, self._keep = dict(zip(solved._states, solved._keeping, strict=True)), keep

    def evaluate(self, states: Sequence[State]) -> list[Evaluation]:
        found = []
        for state in states:
            legal, keeping = state.legal_actions(), self._keeping[state]
            wanted = [action for action in legal if (action in keeping) == self._keep]
            policy = np.zeros(state.actions)
            policy[(wanted or legal)[0]] = 1
            found.append(Evaluation(0.0, policy))
        return found


@cache
def wins(state: Hex) -> bool:
    """Whether the player to move wins, by the rules alone."""
    after = [state.apply(action) for action in state.legal_actions()]
    return any(each.is_terminal or not wins(each) for each in after)


def random_hex(size: int, stones: int, seed: int) -> Hex | None:
    rng, state = generator(seed), start(size)
    for _ in range(stones):
        state = state.apply(random_action(state, rng))
        if state.is_terminal:
            return None
    return state


@pytest.mark.parametrize(("size", "stones"), [(3, 0), (3, 2), (4, 6), (4, 7), (5, 15)])
def test_hex_is_solved_as_by_the_rules(size: int, stones: int) -> None:
    solver, seen = HexSolver(start(size)), 0
    for seed in range(8):
        state = random_hex(size, stones, seed)
        if state is None:
            continue
        seen += 1
        assert solver.wins(state) == wins(state)
        after = {action: state.apply(action) for action in state.legal_actions()}
        won = {action for action, each in after.items() if each.is_terminal or not wins(each)}
        assert solver.keeping(state) == (won or set(after))
    assert seen > 3


@pytest.mark.parametrize(
    ("game", "settings"), [("dots_and_boxes", {"size": 2}), ("reversi", {"size": 6}), ("hex", {"size": 4})]
)
def test_a_perfect_policy_keeps_all_values_and_the_worst_only_what_cannot_be_lost(
    game: str, settings: dict[str, int]
) -> None:
    begun = GAMES[game].begin(settings)
    keeping = _solver_of(begun)
    assert keeping is not None
    solved = _draw(begun, keeping, 30)
    assert len(solved) == 30
    assert solved.measure(Chooses(solved, keep=True)).percent == 100
    safe = sum(len(k) == len(s.legal_actions()) for s, k in zip(solved._states, solved._keeping, strict=True))
    worst = solved.measure(Chooses(solved, keep=False))
    assert solved.hits(Chooses(solved, keep=False)) == safe < len(solved)
    assert worst.low <= worst.percent <= worst.high
    judge = LostValues(solved)
    assert judge.measure(Chooses(solved, keep=True), begun) == 0
    assert judge.measure(Chooses(solved, keep=False), begun) == 30 - safe


def test_a_solved_game_has_an_exact_judge_and_counts_its_own_positions() -> None:
    begun = GAMES["hex"].begin({"size": 3})
    judge, solved = exact_judge(begun), solved_positions(begun)
    assert isinstance(judge, LostValues)
    assert solved is not None
    assert judge.about.startswith(f"of {len(solved)} solved positions")
    assert 0 < judge.measure(Uniform(), begun) == len(solved) - solved.hits(Uniform())


def test_connect4_is_solved_where_its_solver_is_installed() -> None:
    pytest.importorskip("bitbully")
    begun = GAMES["connect4"].begin()
    keeping = _solver_of(begun)
    assert keeping is not None
    solved = _draw(begun, keeping, 12)
    assert solved.measure(Chooses(solved, keep=True)).percent == 100
    assert solved.measure(Chooses(solved, keep=False)).percent < 80
    # The contest chooses there: not everybody has the solver.
    assert not is_solved(begun)


@pytest.mark.parametrize(
    ("game", "settings"),
    [("connect4", {"rows": 7}), ("hex", {"size": 6}), ("hex", {"size": 5, "rule": "swap"}), ("go", {})],
)
def test_other_boards_and_games_are_not_solved(game: str, settings: dict[str, str | int]) -> None:
    begun = GAMES[game].begin(settings)
    assert solved_positions(begun) is None
    assert exact_judge(begun) is None


def test_without_the_solver_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bitbully", None)
    monkeypatch.setattr("azx.learning.solved._SOLVED", {})
    assert solved_positions(GAMES["connect4"].begin()) is None
