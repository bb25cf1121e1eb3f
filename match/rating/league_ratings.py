"""Ratings of a league's networks with intervals, and how likely it is that one is better than another.

The mean is that of R. A. Bradley and M. E. Terry, with a draw as half a point. The expected score of a pair of games is
the logistic function of the difference in rating. So Elo has the same meaning here as between two networks. The
likelihood is that of games without draws, raised to a power (R. W. M. Wedderburn, "Quasi-likelihood functions,
generalized linear models, and the Gauss-Newton method", Biometrika 61, 1974). Draws make a score vary less than wins
and losses would, and two games from one opening are not independent. The dispersion of the pairs measures both effects.
If draws are in proportion to E(1 - E), with E the expected score, the dispersion is the same for all pairings.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from .bradley_terry import DEPTH, across, highest, in_points
from .elo import POINTS, Interval, expected_scores
from .league import SCORES, League
from .profile import profile_ends

Floats = NDArray[np.float64]
# Each network is taken to have drawn one game with a network of mean strength, so that its rating is always finite.
DRAWN = 1.0
# Prior pairs of games with dispersion 1, which is that of independent games without draws.
PRIOR_PAIRS = 10.0


@dataclass(frozen=True, eq=False)
class LeagueRatings:
    """The ratings that a league's games give its networks.

    `ratings` are in units of a factor e in strength, with mean 0; `covariance` is their covariance. `dispersion` says
    how much a pair's score varies, compared with two independent games without draws.
    """

    ratings: Floats
    covariance: Floats
    dispersion: float

    @property
    def elo(self) -> Floats:
        """The ratings in Elo points, float64 (networks,)."""
        return POINTS * self.ratings

    @property
    def deviations(self) -> Floats:
        """Standard deviations of row minus column, float64 (networks, networks), in the ratings' unit; diagonal 0."""
        own = np.diag(self.covariance)
        variance = own[:, None] + own[None, :] - 2 * self.covariance
        deviations: Floats = np.sqrt(np.maximum(variance, 0))
        return deviations

    @property
    def superiority(self) -> Floats:
        """The likelihood that row is better than column, float64 (networks, networks); the diagonal is 1/2."""
        lead = self.ratings[:, None] - self.ratings[None, :]
        return normal(lead / np.where(self.deviations > 0, self.deviations, 1.0))

    @property
    def leader(self) -> int:
        """The network with the highest rating."""
        return int(self.ratings.argmax())

    @property
    def doubt(self) -> float:
        """An upper bound on the likelihood that another network is better than the leader: the sum over all others."""
        return float(np.delete(1 - self.superiority[self.leader], self.leader).sum())


def rate_league(league: League) -> LeagueRatings:
    """The likeliest ratings; networks without games get the mean, with a wide deviation."""
    scored, free = _points_with_anchor(league), across(_held_sums(league.networks))
    # The systems are small: a second thread only waits for the first, and waits long on a busy machine.
    with threadpool_limits(limits=1, user_api="blas"):
        likeliest = highest(scored, np.zeros(len(scored)), free)
        dispersion = _dispersion(league, likeliest[:-1])
        covariance = dispersion * free @ np.linalg.inv(free.T @ _information(scored, likeliest) @ free) @ free.T
    return LeagueRatings(likeliest[:-1], covariance[:-1, :-1], dispersion)


def intervals(league: League, rated: LeagueRatings) -> list[Interval]:
    """Each rating in Elo points with its 95 % interval, by the profile of the quasi-likelihood, as `bradley_terry`."""
    if league.networks < 2:
        return [Interval(float(value), -math.inf, math.inf) for value in rated.elo]
    scored, likeliest, depth = _points_with_anchor(league), np.append(rated.ratings, 0.0), DEPTH * rated.dispersion
    fixed = _held_sums(league.networks)
    with threadpool_limits(limits=1, user_api="blas"):
        ends = [profile_ends(scored, likeliest, network, fixed, depth) for network in range(league.networks)]
    return [in_points(value, low, high) for value, (low, high) in zip(rated.ratings, ends, strict=True)]


def _points_with_anchor(league: League) -> Floats:
    """The points with one more, imaginary network; it stands for the mean, and drew with each network."""
    scored = np.zeros((league.networks + 1,) * 2)
    scored[:-1, :-1] = league.points
    scored[:-1, -1] = scored[-1, :-1] = DRAWN / 2
    return scored


def _held_sums(networks: int) -> Floats:
    """The sums that stay fixed: that of the networks' ratings, and the imaginary network's own rating."""
    return np.stack([np.append(np.ones(networks), 0.0), np.eye(networks + 1)[-1]])


def _information(scored: Floats, ratings: Floats) -> Floats:
    spread = (scored + scored.T) * _spread(ratings)
    information: Floats = np.diag(spread.sum(axis=1)) - spread
    return information


def _spread(ratings: Floats) -> Floats:
    """E(1 - E) of each pairing, with E the expected score."""
    chance = expected_scores(ratings)
    spread: Floats = chance * (1 - chance)
    return spread


def _dispersion(league: League, ratings: Floats) -> float:
    """Pearson's statistic of the pairs over its degrees of freedom, including the prior pairs of dispersion 1."""
    deviations = (SCORES - expected_scores(ratings)[..., None]) ** 2 / (_spread(ratings)[..., None] / 2)
    above = np.triu(np.ones((league.networks,) * 2), 1)
    statistic = float((league.pairs * deviations * above[..., None]).sum())
    pairs = float((league.pair_counts * above).sum())
    return (statistic + PRIOR_PAIRS) / (max(pairs - league.networks + 1, 0.0) + PRIOR_PAIRS)


def normal(deviates: Floats) -> Floats:
    """The normal distribution function."""
    erf = np.vectorize(math.erf, otypes=[np.float64])
    below: Floats = (1 + erf(deviates / math.sqrt(2))) / 2
    return below
