"""Ends of intervals: at each the best that the other ratings can do is as far below the top as was asked for."""

from __future__ import annotations

import math
from unittest import mock

import numpy as np
import pytest
import simulated_leagues as simulated

from azx.match.rating import profile
from azx.match.rating.bradley_terry import DEPTH, across, highest
from azx.match.rating.league_ratings import intervals, rate_league
from azx.match.rating.profile import log_likelihood, profile_ends


@pytest.mark.parametrize("spread", [1, 80, 500])
@pytest.mark.parametrize("depth", [0.2, DEPTH, 6.0])
def test_the_profile_is_as_deep_at_both_ends_as_was_asked_for(spread: float, depth: float) -> None:
    """By another way: the likeliest ratings among those that hold the sum and that one rating, in their own basis."""
    rng = np.random.default_rng(4)
    league = simulated.round_robin(rng.normal(0, spread, 7), 5, simulated.PLAYS["many draws"], rng)
    scored = np.where(league.pair_counts > 0, league.points + 0.5, 0.0)
    mean = np.ones((1, 7))
    found = highest(scored, np.zeros(7), across(mean))
    top = log_likelihood(scored, found)
    for rating in range(7):
        ends = profile_ends(scored, found, rating, mean, depth)
        assert ends[0] < found[rating] < ends[1]
        for end in ends:
            begin = found + (end - found[rating]) * (np.eye(7)[rating] - np.eye(7)[(rating + 1) % 7])
            best = highest(scored, begin, across(np.stack([mean[0], np.eye(7)[rating]])))
            assert top - log_likelihood(scored, best) == pytest.approx(depth, abs=1e-4)


def test_there_is_no_end_where_no_game_says_so() -> None:
    """Who won all games, and who met nobody."""
    low, high = profile_ends(np.array([[0.0, 10], [0, 0]]), np.array([12.0, -12.0]), 0, np.ones((1, 2)), DEPTH)
    assert 0 < low < 12
    assert high == math.inf
    met = np.array([[0.0, 6, 0], [4, 0, 0], [0, 0, 0]])
    assert profile_ends(met, np.array([0.2, -0.2, 0.0]), 2, np.ones((1, 3)), DEPTH) == (-math.inf, math.inf)


def test_an_end_among_a_hundred_networks_is_found_in_a_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each solves a system of a hundred unknowns: an interval costs that. Four suffice, halving takes dozens."""
    rng = np.random.default_rng(1)
    league = simulated.round_robin(rng.normal(0, 120, 100), 2, simulated.PLAYS["many draws"], rng)
    told = rate_league(league)
    counted = mock.Mock(side_effect=profile._step)
    monkeypatch.setattr(profile, "_step", counted)
    found = intervals(league, told)
    assert counted.call_count < 10 * 2 * len(found)
    assert all(each.low < each.value < each.high for each in found)
