"""Elo ratings by the Bradley-Terry model, with intervals that hold if strengths are far apart too."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from .elo import POINTS, Z95, Interval, expected_scores
from .profile import profile_ends

# Each end lies this far below the highest log-likelihood: half of chi-squared's 95 % point, one degree of freedom.
DEPTH = Z95**2 / 2
# Newton's method, in units of a factor e: it ends below `TOLERANCE`; no step is longer than `LONGEST`.
TOLERANCE, LONGEST, MOST_STEPS, RIDGE = 1e-7, 2.0, 500, 1e-12

Ratings = NDArray[np.float64]


def bradley_terry(points: NDArray[np.float64]) -> list[Interval]:
    """Elo ratings with mean 0, and their 95 % intervals, of players who met.

    Args:
        points: float64 (players, players), the row's player's score against the column's; a draw
            counts half a point; the diagonal is 0.

    The maximum likelihood of R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs", Biometrika
    39, 1952. One drawn game is added to each pairing, much as R. Coulom's BayesElo does. So a player who won every
    game keeps a finite rating.

    The ends are those of the profile likelihood. A rating is in the interval if some choice of the other ratings gives
    a log-likelihood at most `DEPTH` below its highest. If strengths are far apart, the likelihood is steep on one side
    and flat on the other. The Fisher information describes only the middle: its intervals held the true rating in 78 to
    87 of 100 tables, the profile's in 94 to 98 (benchmarks/README.md). For players who won every game, G. Heinze and M.
    Schemper, "A solution to the problem of separation in logistic regression", Statistics in Medicine 21, 2002, also
    combine the profile with a penalty, such as the drawn game. Each game counts as won or lost, so with many draws the
    intervals are too wide. A player without games has no finite end.

    """
    players = len(points)
    scored = np.where(points + points.T > 0, points + 0.5, 0.0)
    mean = np.ones((1, players))
    # The systems are small: a second thread only waits for the first, and waits long on a busy machine.
    with threadpool_limits(limits=1, user_api="blas"):
        likeliest = highest(scored, np.zeros(players), across(mean))
        ends = [profile_ends(scored, likeliest, player, mean, DEPTH) for player in range(players)]
    return [in_points(value, low, high) for value, (low, high) in zip(likeliest, ends, strict=True)]


def in_points(value: float, low: float, high: float) -> Interval:
    """A rating and its ends, which are natural logarithms of odds, in Elo points."""
    return Interval(float(POINTS * value), float(POINTS * low), float(POINTS * high))


def across(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """An orthonormal basis (players, n), in columns, of the directions that keep all sums `rows` (sums, players)."""
    basis: NDArray[np.float64] = np.linalg.svd(rows)[2][len(rows) :].T
    return basis


def highest(scored: NDArray[np.float64], begin: Ratings, free: NDArray[np.float64]) -> Ratings:
    """The likeliest ratings, float64 (players,), from `begin` along `free` (players, n), by Newton's method."""
    ratings, games = begin, scored + scored.T
    for _ in range(MOST_STEPS if free.shape[1] else 0):
        chance = expected_scores(ratings)
        spread = games * chance * (1 - chance)
        slope = free.T @ (scored - games * chance).sum(axis=1)
        bend = free.T @ (np.diag(spread.sum(axis=1)) - spread) @ free
        # The ridge keeps a player without games in place.
        step = free @ np.linalg.solve(bend + RIDGE * np.eye(len(bend)), slope)
        longest = np.abs(step).max()
        ratings = ratings + step * min(1.0, LONGEST / max(longest, TOLERANCE))
        if longest < TOLERANCE:
            break
    return ratings
