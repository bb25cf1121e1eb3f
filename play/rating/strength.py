"""Ratings of a league's networks with intervals, and how likely it is that one is better than another.

The mean is that of R. A. Bradley and M. E. Terry, with a draw as half a point: the expected score of a pair of games is
the logistic function of the difference in rating, so that Elo means here what it means for two networks. The likelihood
is that of games without draws, raised to a power (R. W. M. Wedderburn, "Quasi-likelihood functions, generalized linear
models, and the Gauss-Newton method", Biometrika 61, 1974): draws make a score vary less than wins and losses would, two
games from one opening are not independent, and how much both matter is measured on the pairs, as their dispersion. With
draws in proportion to E(1 - E), of an expected score E, it is the same for all pairings.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .bradley_terry import DEPTH, across, highest, log_likelihood, root
from .elo import POINTS, Interval
from .league import SCORES, League

Floats = NDArray[np.float64]
# Games that each network is thought to have drawn with one of the mean strength: a rating is finite from the first on.
DRAWN = 1.0
# Pairs of games by which the dispersion is thought to be 1, that of independent games without draws.
PRIOR_PAIRS = 10.0


@dataclass(frozen=True, eq=False)
class Strength:
    """What a league tells of its networks.

    `ratings` are in units of a factor e in strength, with mean 0, and `covariance` is theirs; `dispersion` is how much
    a pair's score varies, against that of two independent games without draws.
    """

    ratings: Floats
    covariance: Floats
    dispersion: float

    @property
    def elo(self) -> Floats:
        """The ratings in Elo points."""
        return POINTS * self.ratings

    @property
    def deviations(self) -> Floats:
        """The standard deviation of each difference row - column, in the ratings' unit; 0 on the diagonal."""
        own = np.diag(self.covariance)
        variance = own[:, None] + own[None, :] - 2 * self.covariance
        deviations: Floats = np.sqrt(np.maximum(variance, 0))
        return deviations

    @property
    def superiority(self) -> Floats:
        """The likelihood that the row's network is better than the column's; 1/2 on the diagonal."""
        lead = self.ratings[:, None] - self.ratings[None, :]
        return normal(lead / np.where(self.deviations > 0, self.deviations, 1.0))

    @property
    def leader(self) -> int:
        """The network with the highest rating."""
        return int(self.ratings.argmax())

    @property
    def doubt(self) -> float:
        """At most how likely it is that another network is better than the leader: the sum over all of them."""
        return float(np.delete(1 - self.superiority[self.leader], self.leader).sum())


def strength(league: League) -> Strength:
    """The likeliest ratings; networks that met nobody have the mean, with a wide deviation."""
    scored, free = _scored(league), _free(league.networks)
    found = highest(scored, np.zeros(len(scored)), free)
    dispersion = _dispersion(league, found[:-1])
    covariance = dispersion * free @ np.linalg.inv(free.T @ _information(scored, found) @ free) @ free.T
    return Strength(found[:-1], covariance[:-1, :-1], dispersion)


def intervals(league: League, told: Strength) -> list[Interval]:
    """Each rating in Elo points with its 95 % interval, by the profile of the quasi-likelihood, as `bradley_terry`."""
    return [
        Interval(*(float(POINTS * at) for at in (told.ratings[network], *_ends(league, told, network))))
        for network in range(league.networks)
    ]


def _scored(league: League) -> Floats:
    """The points with one more, imaginary network, which is the mean and drew with each."""
    scored = np.zeros((league.networks + 1,) * 2)
    scored[:-1, :-1] = league.points
    scored[:-1, -1] = scored[-1, :-1] = DRAWN / 2
    return scored


def _free(networks: int, held: int | None = None) -> Floats:
    """Directions in which the ratings' sum, the imaginary network's and that of `held` stay."""
    rows = [np.append(np.ones(networks), 0.0), np.eye(networks + 1)[-1]]
    return across(np.stack([*rows, np.eye(networks + 1)[held]] if held is not None else rows))


def _information(scored: Floats, ratings: Floats) -> Floats:
    spread = (scored + scored.T) * _spread(ratings)
    information: Floats = np.diag(spread.sum(axis=1)) - spread
    return information


def _spread(ratings: Floats) -> Floats:
    """E(1 - E) of each two, E being the expected score."""
    chance = 1 / (1 + np.exp(ratings[None, :] - ratings[:, None]))
    spread: Floats = chance * (1 - chance)
    return spread


def _dispersion(league: League, ratings: Floats) -> float:
    """Pearson's statistic of the pairs over its degrees of freedom, as if some pairs had told 1 before."""
    expected = 1 / (1 + np.exp(ratings[None, :] - ratings[:, None]))
    deviations = (SCORES - expected[..., None]) ** 2 / (_spread(ratings)[..., None] / 2)
    above = np.triu(np.ones((league.networks,) * 2), 1)
    statistic = float((league.pairs * deviations * above[..., None]).sum())
    pairs = float((league.played * above).sum())
    return (statistic + PRIOR_PAIRS) / (max(pairs - league.networks + 1, 0.0) + PRIOR_PAIRS)


def _ends(league: League, told: Strength, network: int) -> tuple[float, float]:
    """Where the profile of the network's rating is so deep below its highest that 95 % lie between."""
    if league.networks < 2:
        return -math.inf, math.inf
    scored, free = _scored(league), _free(league.networks, network)
    found, depth = np.append(told.ratings, 0.0), DEPTH * told.dispersion
    lowest = log_likelihood(scored, found) - depth
    toward = np.append(np.full(league.networks, -1 / (league.networks - 1)), 0.0)
    toward[network] = 1.0

    def end(side: int) -> float:
        ratings = found

        def above(distance: float) -> float:
            nonlocal ratings
            # The others make up for the network, so that the mean stays.
            shift = found[network] + side * distance - ratings[network]
            ratings = highest(scored, ratings + shift * toward, free)
            return log_likelihood(scored, ratings) - lowest

        return float(found[network] + side * root(above, depth))

    return end(-1), end(1)


def normal(deviates: Floats) -> Floats:
    """The normal distribution function."""
    erf = np.vectorize(math.erf, otypes=[np.float64])
    below: Floats = (1 + erf(deviates / math.sqrt(2))) / 2
    return below
