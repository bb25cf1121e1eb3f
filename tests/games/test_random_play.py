"""Draws: the same for a seed on every machine, in proportion to the weights, and the first of equals without chance."""

from __future__ import annotations

import numpy as np
import pytest

from azx.errors import GameError
from azx.games.known.catalogue import GAMES
from azx.games.random_play import below, draw, generator, positions_of_a_game, random_action, random_states


class Scripted(np.random.Generator):
    """A generator whose `random` gives one number."""

    def __init__(self, number: float) -> None:
        super().__init__(np.random.PCG64(0))
        self.number = number

    def random(self, *arguments: object, **options: object) -> float:  # type: ignore[override]
        return self.number


def test_without_a_temperature_the_first_of_the_largest_is_taken_and_no_generator_is_needed() -> None:
    assert draw(np.array([1.0, 3.0, 3.0, 0.0]), 0.0, None) == 1
    assert draw(np.zeros(4), 1.0, None) == 0


def test_a_temperature_without_a_generator_is_refused() -> None:
    with pytest.raises(GameError, match="give a random generator"):
        draw(np.array([1.0, 2.0]), 1.0, None)


@pytest.mark.parametrize(("number", "index"), [(0.0, 0), (0.24, 0), (0.26, 2), (0.99, 2), (1 - 2**-53, 2)])
def test_a_weight_of_zero_is_never_drawn_and_the_others_in_proportion(number: float, index: int) -> None:
    assert draw(np.array([1.0, 0.0, 3.0, 0.0]), 1.0, Scripted(number)) == index


def test_a_low_temperature_prefers_the_largest_and_a_high_one_nothing() -> None:
    weights, rng = np.array([10.0, 9.0, 1.0]), generator(1)
    counts = {t: np.bincount([draw(weights, t, rng) for _ in range(3000)], minlength=3) / 3000 for t in (0.01, 1, 100)}
    assert counts[0.01][0] > 0.99
    assert np.abs(counts[1] - weights / weights.sum()).max() < 0.03
    assert np.abs(counts[100] - 1 / 3).max() < 0.05


def test_numbers_below_a_limit_are_as_likely_as_each_other() -> None:
    rng = generator(2)
    assert np.bincount([below(rng, 4) for _ in range(4000)]).min() > 900


@pytest.mark.parametrize("name", GAMES)
def test_random_actions_are_legal_and_positions_are_not_over(name: str) -> None:
    start, rng = GAMES[name].begin(), generator(3)
    assert random_action(start, rng) in start.legal_actions()
    assert not any(state.is_terminal for state in positions_of_a_game(start, rng, 20))


def test_a_seed_gives_the_same_positions() -> None:
    one, other = random_states(GAMES["connect4"], 5), random_states(GAMES["connect4"], 5)
    assert [next(one) for _ in range(20)] == [next(other) for _ in range(20)]
