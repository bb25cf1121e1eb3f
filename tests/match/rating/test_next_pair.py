"""The next pair of games is the one that tells most about who is best."""

from __future__ import annotations

import numpy as np
import pytest
import simulated_leagues as simulated

from azx.match.rating.league import League
from azx.match.rating.league_ratings import rate_league
from azx.match.rating.next_pair import LEAST, challenger, next_pair


def test_everybody_plays_first_and_not_the_same_opponent_twice() -> None:
    league, met = League.empty(5), []
    for _ in range(5):
        pair = next_pair(league, rate_league(league))
        met.append(frozenset(pair))
        league.add(*pair, 0.5)
    assert len(set(met)) == 5
    assert league.pair_counts.sum(axis=1).min() >= 1
    while league.pair_counts.sum(axis=1).min() < LEAST:
        league.add(*next_pair(league, rate_league(league)), 0.5)


def test_the_leader_meets_who_may_be_better_and_not_who_is_far_behind() -> None:
    league = League.empty(4)
    for other, scores in ((1, (1, 0.5, 0.5)), (2, (1,) * 9), (3, (1,) * 9)):
        for score in scores:
            league.add(0, other, score)
    for _ in range(9):
        league.add(1, 2, 0.75)
        league.add(1, 3, 0.75)
    told = rate_league(league)
    assert (told.leader, challenger(told)) == (0, 1)
    assert next_pair(league, told) == (0, 1)


def test_what_few_games_say_is_asked_again_and_equals_do_not_play_for_ever() -> None:
    """Two equals have met often; of the third, which is as good, little is known."""
    league = League.empty(3)
    for score in (0.25, 0.5, 0.75) * 300:
        league.add(0, 1, score)
    for other in (0, 1):
        league.add(2, other, 0.25)
    assert 2 in next_pair(league, rate_league(league))


def test_who_has_no_games_left_is_passed_over() -> None:
    league = League.empty(3)
    for one, other in ((0, 1), (0, 2), (1, 2)):
        for _ in range(4):
            league.add(one, other, 0.5)
    left = np.zeros((3, 3), bool)
    left[1, 2] = left[2, 1] = True
    assert sorted(next_pair(league, rate_league(league), left)) == [1, 2]
    assert sorted(next_pair(League.empty(3), rate_league(League.empty(3)), left)) == [1, 2]


def test_a_network_alone_has_no_pair() -> None:
    with pytest.raises(ValueError, match="two networks"):
        next_pair(League.empty(1), rate_league(League.empty(1)))


def test_the_best_is_found_with_at_most_half_of_the_games_of_a_round_robin() -> None:
    """A short form of the simulation in benchmarks/README.md."""
    play = simulated.PLAYS["many draws, openings decide"]
    one, other = simulated.searches(8, play, 6, seed=2)
    assert all(search.ended for search in one)
    assert sum(search.pairs for search in one) <= sum(search.pairs for search in other) / 2
    assert np.mean([search.right for search in one]) >= 5 / 6
