"""Scores, the Elo differences that they mean, and 95 % intervals of both."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

Z95 = 1.959963984540054
# The Elo points that a factor e in strength is worth.
POINTS = 400 / math.log(10)


@dataclass(frozen=True)
class Interval:
    """An estimate with the ends of its 95 % interval."""

    value: float
    low: float
    high: float

    def as_estimate(self) -> dict[str, float | None]:
        """The estimate as a manifest holds it, rounded to four digits; an end without bound is None."""
        return {name: round(end, 4) if math.isfinite(end) else None for name, end in asdict(self).items()}


def score_interval(pairs: Sequence[float]) -> Interval:
    """The mean score and its 95 % interval, all in [0, 1], from the mean scores of pairs of games.

    The two games of a pair share an opening, so they depend on each other; the pairs do not. Their variance is that of
    the pentanomial model: a pair scores 0, 1/4, 1/2, 3/4 or 1. The chess programmers' Fishtest uses the same. Few or
    equal pairs would give an interval that is too narrow. So z^2/2 won pairs and the same number of lost pairs are
    added: A. Agresti and B. A. Coull, "Approximate is better than 'exact' for interval estimation of binomial
    proportions", The American Statistician 52, 1998. From 50 pairs on, the interval holds the true score in 94 to 98
    of 100 matches. With fewer pairs, or if nearly all pairs score alike, it holds it more often
    (benchmarks/README.md). ValueError if there are no pairs.
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


def expected_scores(ratings: NDArray[np.float64]) -> NDArray[np.float64]:
    """The row player's expected score against the column's, float64 (players, players), of ratings (players,)."""
    chance: NDArray[np.float64] = 1 / (1 + np.exp(ratings[None, :] - ratings[:, None]))
    return chance


def elo(score: float) -> float:
    """The Elo difference at which `score`, in [0, 1], is expected; infinite at both ends.

    A. E. Elo, "The Rating of Chessplayers", 1978, with the logistic curve.
    """
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return POINTS * math.log(score / (1 - score))


def elo_interval(score: Interval) -> Interval:
    """The Elo differences of a score and of its ends; they may be infinite."""
    return Interval(elo(score.value), elo(score.low), elo(score.high))
