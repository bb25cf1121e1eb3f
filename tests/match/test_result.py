"""Elo differences against known values; intervals that cover what they promise."""

from __future__ import annotations

import math

import numpy as np
import pytest

from azx.match.rating.bradley_terry import bradley_terry
from azx.match.rating.elo import Interval, elo, elo_interval, score_interval


@pytest.mark.parametrize(
    ("score", "difference"), [(0.5, 0.0), (0.75, 190.85), (0.25, -190.85), (10 / 11, 400.0), (0.4375, -43.66)]
)
def test_elo_differences_are_the_known_ones(score: float, difference: float) -> None:
    assert elo(score) == pytest.approx(difference, abs=0.01)


def test_elo_is_infinite_where_every_game_is_won_or_lost() -> None:
    assert elo_interval(Interval(1.0, 0.9, 1.0)).high == math.inf
    assert elo(0.0) == -math.inf


def test_pairs_that_are_won_or_lost_give_the_interval_of_agresti_and_coull() -> None:
    """Their example: 15 of 20 gives (15 + 1.92) / 23.84 +- 1.96 sqrt(0.7097 0.2903 / 23.84)."""
    found = score_interval([1.0] * 15 + [0.0] * 5)
    assert (found.value, found.low, found.high) == pytest.approx((0.75, 0.5276, 0.8919), abs=2e-4)


def test_equal_pairs_still_leave_a_doubt_that_shrinks_with_their_number() -> None:
    few, many = score_interval([0.5] * 10), score_interval([0.5] * 1000)
    assert few.low < 0.45 < many.low < 0.5 < many.high < 0.55 < few.high


def test_a_score_of_all_points_has_a_finite_lower_end() -> None:
    found = score_interval([1.0] * 20)
    assert found.value == found.high == 1.0
    assert 0.75 < found.low < 0.9


def test_an_interval_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one pair"):
        score_interval([])


@pytest.mark.parametrize(
    "chances",
    [(0.1, 0.2, 0.4, 0.2, 0.1), (0.02, 0.05, 0.6, 0.23, 0.1), (0.0, 0.0, 0.9, 0.1, 0.0), (0.0, 0.0, 0.05, 0.15, 0.8)],
    ids=["even", "drawish", "splits", "strong"],
)
@pytest.mark.parametrize("pairs", [10, 50])
def test_the_interval_covers_the_true_score_in_95_of_100_matches(chances: tuple[float, ...], pairs: int) -> None:
    outcomes, rng = np.array([0, 0.25, 0.5, 0.75, 1]), np.random.default_rng(4)
    truth = float(outcomes @ chances)
    found = [score_interval(list(rng.choice(outcomes, size=pairs, p=chances))) for _ in range(1_500)]
    assert np.mean([interval.low <= truth <= interval.high for interval in found]) >= 0.94


def test_two_players_are_rated_as_their_score_with_one_drawn_game_more() -> None:
    one, other = bradley_terry(np.array([[0.0, 75.0], [25.0, 0.0]]))
    assert one.value - other.value == pytest.approx(400 * math.log10(75.5 / 25.5), abs=1e-6)
    assert one.value + other.value == pytest.approx(0, abs=1e-6)


def test_ratings_that_made_the_points_are_found_again() -> None:
    truth = np.array([200.0, 50.0, -100.0, -150.0])
    chance = 1 / (1 + 10 ** ((truth[None, :] - truth[:, None]) / 400))
    points = 100_000 * chance
    np.fill_diagonal(points, 0)
    assert [rating.value for rating in bradley_terry(points)] == pytest.approx(truth, abs=0.1)


def test_a_player_who_won_every_game_keeps_a_finite_rating() -> None:
    best, middle, worst = bradley_terry(np.array([[0.0, 20, 20], [0, 0, 20], [0, 0, 0]]))
    assert best.value > middle.value > worst.value
    assert all(map(math.isfinite, (best.low, best.high, worst.low, worst.high)))
    assert middle.value == pytest.approx(0, abs=1e-6)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("truth", "games"),
    [((80, 0, -80), 60), ((400, 0, -400), 60), ((300, 100, -100, -300), 20)],
    ids=str,
)
def test_the_intervals_of_a_table_cover_the_true_ratings_in_95_of_100(truth: tuple[int, ...], games: int) -> None:
    """Of far apart strengths too, where the Fisher information's held 78 to 87 of 100."""
    rng, strengths = np.random.default_rng(5), np.array(truth)
    chance = 1 / (1 + 10 ** ((strengths[None, :] - strengths[:, None]) / 400))
    held = []
    for _ in range(200):
        won = np.triu(rng.binomial(games, chance), 1).astype(float)
        found = bradley_terry(won + np.tril(games - won.T, -1))
        held += [rating.low <= true <= rating.high for rating, true in zip(found, truth, strict=True)]
    assert 0.93 <= np.mean(held) <= 0.975


@pytest.mark.parametrize("score", [0.5, 0.75, 0.9, 0.97])
def test_the_interval_of_a_pairing_holds_95_of_100_whatever_the_strength(score: float) -> None:
    wins = np.random.default_rng(6).binomial(2, score, size=(3_000, 50)) / 2
    found = [score_interval(list(pairs)) for pairs in wins]
    assert 0.93 <= np.mean([interval.low <= score <= interval.high for interval in found]) <= 0.975


def test_who_met_nobody_has_no_finite_end() -> None:
    *_, last = bradley_terry(np.array([[0.0, 6, 0], [4, 0, 0], [0, 0, 0]]))
    assert (last.low, last.high) == (-math.inf, math.inf)
