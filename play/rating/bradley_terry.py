"""Elo ratings by the Bradley-Terry model, with intervals that hold where strengths are far apart too."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .elo import POINTS, Z95, Interval

# How far an end may be below the highest log-likelihood: half of chi-squared's 95 % point with one degree of freedom.
DEPTH = Z95**2 / 2
# Of Newton's method, in units of a factor e: where it ends, and the longest step, beyond which the model bends.
TOLERANCE, LONGEST, MOST_STEPS, RIDGE = 1e-7, 2.0, 500, 1e-12
# 6,950 Elo points; an end beyond is at infinity. How near the log-likelihood of an end must be to `DEPTH`.
FARTHEST, NEAR, MOST_CUTS = 40.0, 1e-6, 50

Ratings = NDArray[np.float64]


def bradley_terry(points: NDArray[np.float64]) -> list[Interval]:
    """Elo ratings with mean 0 and their 95 % intervals, of players who met.

    Args:
        points: float64 (players, players), what the row's player scored against the column's, a draw
            being half a point; 0 on the diagonal.

    The maximum likelihood of R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs", Biometrika
    39, 1952. One drawn game is added to each pairing, as R. Coulom's BayesElo adds some, so that a player who won
    every game keeps a finite rating.

    The ends are those of the profile likelihood: a rating is in the interval where the other ratings can be
    chosen so that the log-likelihood is at most `DEPTH` below its highest. Where strengths are far apart the
    likelihood is steep on one side and flat on the other, and the Fisher information, which sees only the middle, held
    the true rating in 78 to 87 of 100 tables; the profile holds it in 94 to 98 (`benchmarks/intervals.py`). A penalty
    such as the drawn game and the profile together are how G. Heinze and M. Schemper, "A solution to the problem of
    separation in logistic regression", Statistics in Medicine 21, 2002, treat players who won every game. Each
    game counts as won or lost, so with many draws the intervals are on the wide side. A player who met
    nobody has no finite end.

    """
    players = len(points)
    scored = np.where(points + points.T > 0, points + 0.5, 0.0)
    found = highest(scored, np.zeros(players), across(np.ones((1, players))))
    return [
        Interval(*(float(POINTS * at) for at in (found[player], *_ends(scored, found, player))))
        for player in range(players)
    ]


def _ends(scored: NDArray[np.float64], found: Ratings, player: int) -> tuple[float, float]:
    """Where the profile of the player's rating is `DEPTH` below its highest, on either side."""
    others = 1 - np.eye(len(found))[player]
    free = across(np.stack([np.ones(len(found)), 1 - others]))
    lowest = log_likelihood(scored, found) - DEPTH

    def end(side: int) -> float:
        ratings = found

        def above(distance: float) -> float:
            nonlocal ratings
            # The others make up for the player, so that the mean stays.
            shift = found[player] + side * distance - ratings[player]
            begin = ratings + shift * (1 - others) - shift * others / others.sum()
            ratings = highest(scored, begin, free)
            return log_likelihood(scored, ratings) - lowest

        return float(found[player] + side * root(above))

    return end(-1), end(1)


def root(above: Callable[[float], float], depth: float = DEPTH) -> float:
    """Where a falling function that is `depth` at 0 crosses zero; by regula falsi as the Illinois method mends it."""
    inside, outside, high = 0.0, 0.5, depth
    while (low := above(outside)) > 0:
        inside, outside, high = outside, 2 * outside, low
        if outside > FARTHEST:
            return math.inf
    for _ in range(MOST_CUTS):
        cut = (inside * low - outside * high) / (low - high)
        value = above(cut)
        if abs(value) < NEAR:
            return cut
        # An end that stays twice counts half, or the other would creep.
        if value > 0:
            inside, high, low = cut, value, low / 2
        else:
            outside, low, high = cut, value, high / 2
    return cut


def across(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """An orthonormal basis, in columns, of what changes none of these sums."""
    basis: NDArray[np.float64] = np.linalg.svd(rows)[2][len(rows) :].T
    return basis


def highest(scored: NDArray[np.float64], begin: Ratings, free: NDArray[np.float64]) -> Ratings:
    """The likeliest of the ratings that lie from `begin` in the `free` directions, by Newton's method."""
    ratings, games = begin, scored + scored.T
    for _ in range(MOST_STEPS if free.shape[1] else 0):
        chance = 1 / (1 + np.exp(ratings[None, :] - ratings[:, None]))
        spread = games * chance * (1 - chance)
        slope = free.T @ (scored - games * chance).sum(axis=1)
        bend = free.T @ (np.diag(spread.sum(axis=1)) - spread) @ free
        # The ridge leaves alone who met nobody.
        step = free @ np.linalg.solve(bend + RIDGE * np.eye(len(bend)), slope)
        longest = np.abs(step).max()
        ratings = ratings + step * min(1.0, LONGEST / max(longest, TOLERANCE))
        if longest < TOLERANCE:
            break
    return ratings


def log_likelihood(scored: NDArray[np.float64], ratings: Ratings) -> float:
    """Of the ratings, where row scored so much against column."""
    return -float((scored * np.logaddexp(0.0, ratings[None, :] - ratings[:, None])).sum())
