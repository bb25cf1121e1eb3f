"""Chooses which two networks play next, to find the best one with few games."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .elo import expected_scores
from .league import League
from .league_ratings import LeagueRatings, normal

# Every network plays this number of pairs of games before any network is passed over.
LEAST = 2
TINY = 1e-9


def next_pair(league: League, rated: LeagueRatings, left: NDArray[np.bool_] | None = None) -> tuple[int, int]:
    """The two networks whose next pair of games is most informative, the better one first.

    Every network plays some games first. Then each step asks one question: is the leader better than the challenger?
    The challenger is the network with the largest expected loss if the leader were declared the best. The next pairing
    is the one that reduces the doubt about their difference most. Usually these two play, sometimes one of them and a
    third network. A game between equals reveals more than one with a certain winner.

    The leader against a challenger follows S. Kalyanakrishnan et al., "PAC subset selection in stochastic multi-armed
    bandits", ICML 2012. The expected loss follows P. I. Frazier et al., "The knowledge-gradient policy for correlated
    normal beliefs", INFORMS Journal on Computing 21, 2009, for the case that everything becomes known at once. The
    upper ends of intervals cannot replace it: networks with a bad start would never play again, although most of the
    doubt may be theirs together. Nor can the likelihood of superiority: two equal networks would play each other for
    ever.

    `left` is bool (networks, networks): which two may still play; by default all may. ValueError if no two networks
    may play, for example if there is only one.
    """
    may = ~np.eye(league.networks, dtype=bool) if left is None else left
    if not may.any():
        raise ValueError("a pair needs two networks that have games left")
    count = league.pair_counts.sum(axis=1)
    new = np.where(may.any(axis=1), count, count.max() + LEAST)
    if new.min() < LEAST:
        one = int(new.argmin())
        # An opponent that it has not met yet, and that has played few games itself.
        order = np.lexsort((np.arange(league.networks), count, league.pair_counts[one]))
        other = next(int(each) for each in order if may[one, each])
    else:
        one, other = _most_telling(rated, may)
    return (one, other) if rated.ratings[one] >= rated.ratings[other] else (other, one)


def challenger(rated: LeagueRatings) -> int:
    """The network that would cost most strength, on average, if the leader were declared the best now.

    That is E[max(0, lead over the leader)]: large for a network close to the leader, and for a little known one.
    """
    lead = rated.ratings - rated.ratings[rated.leader]
    deviation = np.maximum(rated.deviations[rated.leader], TINY)
    above = lead / deviation
    loss = deviation * (np.exp(-(above**2) / 2) / math.sqrt(2 * math.pi) + above * normal(above))
    loss[rated.leader] = -np.inf
    return int(loss.argmax())


def _most_telling(rated: LeagueRatings, may: NDArray[np.bool_]) -> tuple[int, int]:
    """The pairing in `may` (networks, networks) that most lowers the variance of leader minus challenger."""
    covariance = rated.covariance
    question = covariance[rated.leader] - covariance[challenger(rated)]
    chance = expected_scores(rated.ratings)
    # The information of a pair about its own difference, and through the covariance about that of leader and
    # challenger.
    weight = 2 * chance * (1 - chance) / rated.dispersion
    gain = weight * (question[:, None] - question[None, :]) ** 2 / (1 + weight * rated.deviations**2)
    one, other = np.unravel_index(int(np.where(may, gain, -1.0).argmax()), gain.shape)
    return int(one), int(other)
