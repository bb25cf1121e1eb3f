"""Estimates the chance that an approximation that passes its gate fails it on other, similar positions.

A gate's figures depend on the positions: the 99th percentile of a thousand depends on ten of them. So an artifact just
inside a limit where it was chosen fails on every second other set.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ...export.checkpoint.head import POLICY, VALUE
from ...games.policy import SCORES
from .gate import ByHead, Gate
from .limits import Limits
from .measure import Floats, best_moves, is_answer, policy_divergences, score_errors, win_rate_errors
from .positions import BOARDS, RANDOM, SELF_PLAY, Kind, Mask
from .verdict import judge, moves_to_lose, rows_beyond_p99

# The number of positions of a kind in another set; a user's own positions have no other set.
OTHERS = {SELF_PLAY: 1_000, RANDOM: 500}
# The accepted chance over all figures together: one in a hundred other sets of positions.
RISK = 0.01
# The share of the errors that counts as their tail, and the fewest errors for an estimate of the tail.
TAIL, FEWEST = 0.05, 10


def risk(gate: Gate, answers: ByHead) -> float:
    """An upper estimate of the chance that the artifact fails the gate on other positions; 0 to 1.

    The chances of all figures add up (Boole's inequality).
    """
    verdict = judge(gate, answers)
    return min(1.0, sum(_risks(gate, answers))) if verdict.passed else 1.0


def _risks(gate: Gate, answers: ByHead) -> Iterator[float]:
    """For each figure, the chance that it exceeds its limit on other positions."""
    limits = gate.limits
    for kind in gate.positions.kinds:
        others = _others(kind)
        for head in gate.heads if others else ():
            answer, truth = answers.get(head.name), gate.expected[head.name]
            if not is_answer(answer, truth):
                continue
            ours, theirs = answer[kind.rows], truth[kind.rows]
            if head.role == VALUE and head.name in gate.readings:
                yield from _of_both(win_rate_errors(gate.readings[head.name], ours, theirs), limits, others)
            elif head.role == POLICY:
                yield from _policy_risks(ours, theirs, kind.legal_for(head.width), gate.measure(head), limits, others)


def _of_both(errors: Floats, limits: Limits, others: int) -> Iterator[float]:
    """The chances for the two figures of errors in a win rate or in scores."""
    yield _of_p99(errors, limits.value_p99, others)
    yield _by_tail(errors, limits.value_max, others, 0)


def _policy_risks(
    ours: Floats, theirs: Floats, legal: Mask | None, measure: str, limits: Limits, others: int
) -> Iterator[float]:
    """The chance for each figure of a policy; both answers are (N, ...)."""
    if measure == SCORES:
        yield from _of_both(score_errors(ours, theirs, legal), limits, others)
    else:
        yield _of_p99(policy_divergences(ours, theirs, legal, measure), limits.kl_p99, others)
    if legal is None:
        return
    moves = best_moves(ours, theirs, legal, measure, limits.margin)
    counted, lost = int(moves.counted.sum()), int((moves.counted & ~moves.kept).sum())
    if counted:
        there = max(1, counted * others // len(ours))
        yield more_than(moves_to_lose(limits, there), there, lost, counted)


def _others(kind: Kind) -> int:
    """The number of positions in other sets of a kind; 0 if there are none, because a small game's are all here."""
    wanted = OTHERS.get(kind.name, len(kind) if kind.name == BOARDS else 0)
    return wanted if len(kind) >= wanted else 0


def _of_p99(errors: Floats, limit: float, others: int) -> float:
    """The chance that the 99th percentile of `others` errors exceeds the limit, by their count or by the tail."""
    allowed = rows_beyond_p99(others)
    by_count = more_than(allowed, others, int((errors > limit).sum()), len(errors))
    return min(by_count, _by_tail(errors, limit, others, allowed))


def more_than(allowed: int, others: int, counted: int, count: int) -> float:
    """The chance that more than `allowed` of `others` draws exceed a limit that `counted` of `count` exceeded.

    It is exact if the limit equals the largest draw that does not exceed it, else an upper bound. The number of
    exceedances of an order statistic is beta-binomial (Gumbel and von Schelling, Annals of Mathematical Statistics 21,
    1950, 247-262).
    """
    if counted >= count:
        return 1.0
    a, b = counted + 1, count - counted
    below = sum(math.exp(_log_betabinomial(k, others, a, b)) for k in range(min(allowed, others) + 1))
    return max(0.0, 1.0 - below)


def _log_betabinomial(k: int, n: int, a: int, b: int) -> float:
    ways = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return ways + _log_beta(k + a, n - k + b) - _log_beta(a, b)


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def _by_tail(errors: Floats, limit: float, others: int, allowed: int) -> float:
    """The chance that more than `allowed` of `others` errors exceed the limit, if their tail falls exponentially.

    The excesses over a high threshold are then exponential, with their mean as the scale (Davison and Smith, Journal of
    the Royal Statistical Society B 52, 1990, 393-442, with shape 0).
    """
    tail = min(len(errors) - 1, max(FEWEST, round(TAIL * len(errors))))
    if tail < 1:
        return 1.0
    ordered = np.sort(errors)
    threshold = float(ordered[-tail - 1])
    scale = float((ordered[-tail:] - threshold).mean())
    if limit <= threshold or scale == 0:
        return float(limit < threshold or (limit == threshold and scale > 0))
    share = tail / len(errors) * math.exp(-(limit - threshold) / scale)
    below = sum(binomial(k, others, share) for k in range(allowed + 1))
    return max(0.0, 1.0 - below)


def binomial(k: int, n: int, share: float) -> float:
    """The chance that exactly `k` of `n` draws have a property that a `share` of all has."""
    if share >= 1:
        return float(k == n)
    if share <= 0:
        return float(k == 0)
    ways = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return math.exp(ways + k * math.log(share) + (n - k) * math.log1p(-share))
