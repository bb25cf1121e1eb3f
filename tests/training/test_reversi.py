from __future__ import annotations

import numpy as np
import pytest

from azx.games.evaluator import Uniform
from azx.games.random_play import generator, random_action
from azx.games.rules import reversi_boards as boards
from azx.games.rules.reversi import Reversi, start
from azx.games.rules.reversi_end import solve_end
from azx.training.reversi import strength
from azx.training.reversi.alpha_beta import bits_of, solve
from azx.training.reversi.players import AlphaBeta, Corners, OnePly


@pytest.mark.parametrize("size", [4, 6, 8])
def test_the_compiled_rules_are_those_of_the_game(size: int) -> None:
    rng, state = generator(size), start(size)
    while not state.is_terminal:
        own, other = bits_of(state)
        assert int(boards.moves(own, other, size)) == state.moves
        assert boards.count(own) == state.scores[state.to_move]
        for action in state.legal_actions()[:3]:
            if action < size * size:
                found = int(boards.turned(own, other, np.uint64(1 << action), size))
                assert found == state.kind.turned(int(own), int(other), 1 << action)
        state = state.apply(random_action(state, rng))


def near_the_end(seed: int, size: int = 6, empty: int = 8) -> Reversi:
    rng, state = generator(seed), start(size)
    while not state.is_terminal and size**2 - sum(state.scores) > empty:
        state = state.apply(random_action(state, rng))
    return state


@pytest.mark.parametrize("seed", range(8))
def test_alpha_beta_solves_ends_as_the_rules_do(seed: int) -> None:
    state = near_the_end(seed)
    solved = solve_end(state)
    assert solved is not None
    assert solve(state) == solved.margin
    if not state.is_terminal and not state.must_pass:
        values = strength.values_of_moves(state)
        assert tuple(action for action, value in values.items() if value == max(values.values())) == solved.best


def test_the_players_play_as_they_are_said_to() -> None:
    # Black may take the corner a1 for one disc, or turn more elsewhere.
    rng, state = generator(3), start()
    while not (state.moves & 1 and len(state.legal_actions()) > 2):
        state = state.apply(random_action(state, rng)) if not state.is_terminal else start()
    assert Corners(1).choose(state) in (0, 7, 56, 63)
    most = max(state.apply(at).scores[state.to_move] for at in state.legal_actions())
    assert state.apply(OnePly(1).choose(state)).scores[state.to_move] == most
    assert AlphaBeta(1).choose(state) in state.legal_actions()


def test_a_network_that_knows_nothing_is_measured() -> None:
    lines = list(strength.strength(Uniform(), scale=0.01, size=4))
    assert [line.split(",")[0].strip() for line in lines[:2]] == ["score against the one-ply player"] * 2
    assert len(lines) == 10
