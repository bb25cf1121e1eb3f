"""What a score is worth: its interval from pairs of games, Elo differences, and a table of several players."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Z95 = 1.959963984540054
# Elo points of a factor e in strength.
POINTS = 400 / math.log(10)
TOLERANCE, MOST_ROUNDS = 1e-12, 100_000


@dataclass(frozen=True)
class Interval:
    """An estimate with the ends of its 95 % interval."""

    value: float
    low: float
    high: float


def score_interval(pairs: Sequence[float]) -> Interval:
    """The mean score and its 95 % interval, all in [0, 1], from the mean scores of pairs of games.

    The two games of a pair share an opening, so they are not independent; the pairs are. Their
    variance is that of the pentanomial model (a pair scores 0, 1/4, 1/2, 3/4 or 1), which the chess
    programmers' Fishtest uses. So that few or equal pairs do not give an interval that is too
    narrow, z^2/2 pairs won and as many lost are added: A. Agresti and B. A. Coull, "Approximate is
    better than 'exact' for interval estimation of binomial proportions", The American Statistician
    52, 1998. ValueError where there are no pairs.
    """
    if not pairs:
        raise ValueError("an interval needs at least one pair of games")
    scores = np.array(pairs, dtype=np.float64)
    added = Z95**2 / 2
    weight = len(scores) + 2 * added
    mean = (scores.sum() + added) / weight
    variance = (((scores - mean) ** 2).sum() + added * (mean**2 + (1 - mean) ** 2)) / weight
    reach = Z95 * math.sqrt(variance / weight)
    return Interval(float(scores.mean()), max(0.0, float(mean - reach)), min(1.0, float(mean + reach)))


def elo(score: float) -> float:
    """The Elo difference that lets one expect `score`, in [0, 1]; infinite at its ends.

    A. E. Elo, "The Rating of Chessplayers", 1978, with the logistic curve.
    """
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return POINTS * math.log(score / (1 - score))


def elo_interval(score: Interval) -> Interval:
    """The Elo differences of a score and of its ends, which may be infinite."""
    return Interval(elo(score.value), elo(score.low), elo(score.high))


def bradley_terry(points: NDArray[np.float64]) -> list[Interval]:
    """Elo ratings with mean 0 and their 95 % intervals, of players who met.

    Args:
        points: float64 (players, players), what the row's player scored against the column's, a draw
            being half a point; 0 on the diagonal.

    The maximum likelihood of the Bradley-Terry model, by the iteration of D. R. Hunter, "MM
    algorithms for generalized Bradley-Terry models", The Annals of Statistics 32, 2004. One drawn
    game is added to each pairing, as R. Coulom's BayesElo adds some, so that a player who won every
    game keeps a finite rating. The intervals come from the Fisher information. They count each game
    as won or lost, so with many draws they are on the wide side.

    """
    met = points + points.T > 0
    scored = np.where(met, points + 0.5, 0.0)
    games = scored + scored.T
    strength = _strengths(scored, games)
    chance = strength[:, None] / (strength[:, None] + strength[None, :])
    information = -games * chance * (1 - chance)
    np.fill_diagonal(information, -information.sum(axis=1))
    reach = Z95 * POINTS * np.sqrt(np.maximum(np.diag(np.linalg.pinv(information, hermitian=True)), 0.0))
    ratings = POINTS * np.log(strength)
    return [Interval(float(r), float(r - e), float(r + e)) for r, e in zip(ratings, reach, strict=True)]


def _strengths(scored: NDArray[np.float64], games: NDArray[np.float64]) -> NDArray[np.float64]:
    """The players' strengths, float64 (players,), with geometric mean 1."""
    strength = np.ones(len(scored))
    for _ in range(MOST_ROUNDS):
        expected = (games / (strength[:, None] + strength[None, :])).sum(axis=1)
        following = np.where(expected > 0, scored.sum(axis=1) / np.where(expected > 0, expected, 1.0), 1.0)
        following /= np.exp(np.log(following).mean())
        if np.abs(np.log(following / strength)).max() < TOLERANCE:
            return following
        strength = following
    return strength
