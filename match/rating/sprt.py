"""Is a new network better than the old one? A sequential test that ends as soon as the games decide.

sprt = Sprt(0, 20)
sprt.verdict(counts)    # True: it passes; False: it fails; None: play on
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from .elo import POINTS
from .league import SCORES

# An outcome that never came counts as having come this often, so that every expected score is possible.
SELDOM = 1e-3
# Verdicts start at this number of pairs: before it the variance of scores is unknown.
FEWEST = 8
# The variance of scores is estimated from the same games. So Wald's bounds err more often than stated: in up to 5.7
# instead of 5 of 100 simulations. The bounds are therefore computed for this share of the errors.
CAUTION = 0.7
MOST_STEPS, PRECISE = 100, 1e-12


@dataclass(frozen=True)
class Sprt:
    """`elo0` and `elo1` are leads in Elo points; for a lead between them either verdict is acceptable.

    A network whose lead is at most `elo0` passes in at most a share `alpha` of all tests. One whose lead is at least
    `elo1` fails in at most a share `beta`. ValueError if these limits are impossible.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise ValueError(
                f"a gate's limits are two leads in Elo points, the lower first, not {self.elo0:g},{self.elo1:g}"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("a gate's errors lie between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios that end the test: A. Wald, "Sequential tests of statistical hypotheses", 1945."""
        alpha, beta = CAUTION * self.alpha, CAUTION * self.beta
        return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)

    def verdict(self, counts: Sequence[int]) -> bool | None:
        """Whether the network passes; None while undecided. `counts` are as in `log_likelihood_ratio`."""
        if sum(counts) < FEWEST:
            return None
        ratio, (low, high) = self.log_likelihood_ratio(counts), self.bounds
        return True if ratio >= high else False if ratio <= low else None

    def log_likelihood_ratio(self, counts: Sequence[int]) -> float:
        """The logarithm of how much likelier the pairs of games are with a lead of `elo1` than with `elo0`.

        `counts` has the numbers of pairs that gave the new network 0, 1/4, 1/2, 3/4 and 1. Only the lead is assumed:
        under either lead the five outcomes get the likelihoods that fit the games best. This is M. Van den Bergh's
        generalised test for pentanomial counts, which the chess programmers' Fishtest uses.
        """
        numbers = [max(count, SELDOM) for count in counts]
        share = [count / sum(numbers) for count in numbers]
        ratio = 0.0
        for sign, elo in ((1, self.elo0), (-1, self.elo1)):
            expected = 1 / (1 + math.exp(-elo / POINTS))
            apart = [float(score) - expected for score in SCORES]
            tilt = _tilt(share, apart)
            ratio += sign * sum(count * math.log1p(tilt * a) for count, a in zip(numbers, apart, strict=True))
        return ratio


def in_words(passed: bool | None, elo0: float, elo1: float) -> str:
    """The result of a test in words, such as "passes +0 to +20 Elo"."""
    verdict = {True: "passes", False: "does not pass", None: "is undecided at"}[passed]
    return f"{verdict} {elo0:+g} to {elo1:+g} Elo"


def parse_sprt(text: str) -> Sprt:
    """The test of "elo0,elo1"; ValueError, with a sentence, for another text."""
    parts = text.split(",")
    try:
        elo0, elo1 = map(float, parts)
    except ValueError as error:
        raise ValueError(f"'{text}' is no gate: give two leads in Elo points as 0,20.") from error
    return Sprt(elo0, elo1)


def _tilt(share: Sequence[float], apart: Sequence[float]) -> float:
    """The number t for which the shares, each divided by 1 + t x apart, have mean 0: the likeliest change of them.

    Newton's method in floats, because a test runs it after every pair; a step that leaves the possible range is halved.
    """
    low, high, tilt = -1 / max(apart), -1 / min(apart), 0.0
    for _ in range(MOST_STEPS):
        parts = [a / (1 + tilt * a) for a in apart]
        mean = sum(s * part for s, part in zip(share, parts, strict=True))
        low, high = (tilt, high) if mean > 0 else (low, tilt)  # the mean falls as t grows
        step = mean / sum(s * part * part for s, part in zip(share, parts, strict=True))
        if abs(step) < PRECISE:
            break
        tilt = tilt + step if low < tilt + step < high else (low + high) / 2
    return tilt
