"""What a search says that a policy is to learn, and Gumbel's noise, which makes each search another one."""

from __future__ import annotations

import numpy as np
import pytest

from azx.errors import GameError
from azx.games.evaluator import Evaluation, Uniform
from azx.games.known.catalogue import GAMES
from azx.games.search import Search
from azx.games.search.gumbel import Noise
from azx.games.search_settings import USUAL, Gumbel, SearchSettings
from azx.games.state import State, play_line

GUMBEL = SearchSettings(Gumbel())


class LikesTheMiddle:
    """A policy that prefers column 3, and a value that says that it is bad."""

    def evaluate(self, states: list[State]) -> list[Evaluation]:
        logits = np.zeros(42, np.float32)
        logits[3::7] = 2.0
        return [
            Evaluation(0.9 if state.last_action in range(3, 42, 7) else 0.0, logits, logits=True) for state in states
        ]


def searched(state: State, evaluator: object, simulations: int = 32, seed: int | None = None) -> Search:
    noise = None if seed is None else Noise(np.random.default_rng(seed))
    search = Search(state, evaluator, proves=True, settings=GUMBEL, noise=noise)  # type: ignore[arg-type]
    search.plan(simulations)
    search.run(simulations)
    return search


def test_the_policy_moves_away_from_a_move_that_the_values_speak_against() -> None:
    policy = searched(GAMES["connect4"].begin(), LikesTheMiddle()).improved_policy()
    prior = np.exp(2.0) / (np.exp(2.0) + 6)
    assert sum(policy.values()) == pytest.approx(1)
    assert policy[38] < prior / 2


def test_a_win_at_once_is_all_of_the_policy_and_a_losing_move_none() -> None:
    won = play_line(GAMES["tictactoe"].begin(), (0, 3, 1, 4))
    assert searched(won, Uniform()).improved_policy() == {2: 1.0}
    # The opponent threatens 2: every other move loses.
    threatened = play_line(GAMES["tictactoe"].begin(), (8, 0, 4, 1))
    assert set(searched(threatened, Uniform(), 64).improved_policy()) == {2}


def test_noise_makes_searches_differ_and_a_seed_repeats_them() -> None:
    start = GAMES["connect4"].begin()
    moves = {seed: searched(start, Uniform(), seed=seed).best_action() for seed in range(12)}
    assert len(set(moves.values())) > 3
    assert moves == {seed: searched(start, Uniform(), seed=seed).best_action() for seed in range(12)}
    quiet = searched(start, Uniform())
    assert quiet.visits() == searched(start, Uniform()).visits()


def test_a_search_that_cannot_improve_a_policy_says_so() -> None:
    search = Search(GAMES["connect4"].begin(), Uniform(), settings=USUAL)
    search.run(8)
    with pytest.raises(GameError, match="a policy improves by simulations that a root shares out"):
        search.improved_policy()
