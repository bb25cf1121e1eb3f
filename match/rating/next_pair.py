"""Which two networks should play next, to find the best one with few games."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .elo import expected_scores
from .league import League
from .league_ratings import LeagueRatings, normal

# Pairs of games that every network plays before any is passed over.
LEAST = 2
TINY = 1e-9


def next_pair(league: League, told: LeagueRatings, left: NDArray[np.bool_] | None = None) -> tuple[int, int]:
    """The two networks whose next pair of games is most informative, the better one first.

    Every network plays some games first. Then each step asks one question: is the leader better than the challenger?
    The challenger is the network by which most would be lost if it were better. Of all pairings, the one is played
    whose outcome makes their difference surest: usually theirs, sometimes one of theirs with a third network. A game
    between equals tells more than one whose winner is known beforehand.

    The leader against a challenger is as in S. Kalyanakrishnan et al., "PAC subset selection in stochastic multi-armed
    bandits", ICML 2012; the loss to be expected as in P. I. Frazier et al., "The knowledge-gradient policy for
    correlated normal beliefs", INFORMS Journal on Computing 21, 2009, if all were told at once. Neither the upper ends
    of intervals nor the likelihood of superiority can replace this. With the first, networks far below after few games
    never play again, though together they may leave most doubt. With the second, two equals play each other for ever.

    `left` is bool (networks, networks), where two may still play; all may where it is left out. ValueError if none
    may, as for one network alone.
    """
    may = ~np.eye(league.networks, dtype=bool) if left is None else left
    if not may.any():
        raise ValueError("a pair needs two networks that have games left")
    count = league.pair_counts.sum(axis=1)
    new = np.where(may.any(axis=1), count, count.max() + LEAST)
    if new.min() < LEAST:
        one = int(new.argmin())
        # Somebody it has not met yet, who has not played much either.
        order = np.lexsort((np.arange(league.networks), count, league.pair_counts[one]))
        other = next(int(each) for each in order if may[one, each])
    else:
        one, other = _most_telling(told, may)
    return (one, other) if told.ratings[one] >= told.ratings[other] else (other, one)


def challenger(told: LeagueRatings) -> int:
    """The network by which most strength would be lost, on average, if the leader were taken for the best now.

    That is E[max(0, lead over the leader)]: much for one that is close, and for one of which little is known.
    """
    lead = told.ratings - told.ratings[told.leader]
    deviation = np.maximum(told.deviations[told.leader], TINY)
    above = lead / deviation
    loss = deviation * (np.exp(-(above**2) / 2) / math.sqrt(2 * math.pi) + above * normal(above))
    loss[told.leader] = -np.inf
    return int(loss.argmax())


def _most_telling(told: LeagueRatings, may: NDArray[np.bool_]) -> tuple[int, int]:
    """The pairing in `may` (networks, networks) that most lowers the variance of leader minus challenger."""
    covariance = told.covariance
    asked = covariance[told.leader] - covariance[challenger(told)]
    chance = expected_scores(told.ratings)
    # The information of a pair about its own difference, and through the covariance about that of leader and
    # challenger.
    weight = 2 * chance * (1 - chance) / told.dispersion
    gain = weight * (asked[:, None] - asked[None, :]) ** 2 / (1 + weight * told.deviations**2)
    one, other = np.unravel_index(int(np.where(may, gain, -1.0).argmax()), gain.shape)
    return int(one), int(other)
