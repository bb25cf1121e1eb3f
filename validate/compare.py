"""Two sets of answers compared as a player would feel the difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..games.policy import PROBABILITIES
from .tolerances import BEST_MOVE, TIE_FACTOR

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class PolicyResult:
    """How much a policy differs over legal moves.

    `best_move` is the share of positions with the same best move (ties within tolerance count); `ties` is the number of
    such ties. `probability` is the largest difference of a move's probability, `kl` the largest Kullback-Leibler
    divergence in nats.
    """

    best_move: float
    ties: int
    probability: float
    kl: float


@dataclass(frozen=True)
class HeadResult:
    """One head of one artifact against what it should answer.

    Errors are scaled by max(1, |expected|). `reference_distance` is the reference's own distance
    from the float64 witness, None if there is no witness.
    """

    head: str
    role: str
    positions: int
    maximum: float
    p99: float
    mean: float
    limit: float
    reference_distance: float | None
    policy: PolicyResult | None
    problems: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether every figure is within its limit."""
        return not self.problems


def scaled_errors(answer: NDArray[Any], expected: NDArray[Any]) -> Floats:
    """|answer - expected| / max(1, |expected|), elementwise, in float64."""
    truth = np.asarray(expected, np.float64)
    errors: Floats = np.abs(np.asarray(answer, np.float64) - truth) / np.maximum(1.0, np.abs(truth))
    return errors


def distance(answer: NDArray[Any], expected: NDArray[Any]) -> float:
    """The largest scaled error of two arrays (N, ...); 0 without positions."""
    return float(scaled_errors(answer, expected).max(initial=0.0))


def compare_head(
    head: str,
    role: str,
    policy_range: str,
    answer: NDArray[Any],
    expected: NDArray[Any],
    legal: Mask | None,
    limit: float,
    reference_distance: float | None,
) -> HeadResult:
    """Compare (N, ...) answers of one head; comparing nothing is a failure, as is NaN."""
    broken = None
    if answer.shape != expected.shape:
        broken = f"answers {answer.shape[1:]} values a position where the original answers {expected.shape[1:]}"
    elif answer.size == 0:
        broken = "nothing was compared"
    elif not np.isfinite(answer).all():
        broken = "answers NaN or infinity"
    if broken:
        return HeadResult(head, role, 0, np.inf, np.inf, np.inf, limit, reference_distance, None, (broken,))
    errors, policy, problems = scaled_errors(answer, expected), None, []
    maximum, p99, mean = float(errors.max()), float(np.quantile(errors, 0.99)), float(errors.mean())
    if not maximum <= limit:  # so that a limit of NaN is one that is broken
        problems.append(f"differs by {maximum:.2g} where {limit:.2g} is allowed")
    if role == "policy":
        rows, truth = (np.asarray(values, np.float64).reshape(len(values), -1) for values in (answer, expected))
        allowed = np.ones(truth.shape, np.bool_) if legal is None else legal
        policy = compare_policy(rows, truth, allowed, policy_range, limit)
        if policy.best_move < BEST_MOVE.value:
            problems.append(f"keeps the best move in {policy.best_move:.1%} of the positions only")
    return HeadResult(head, role, len(errors), maximum, p99, mean, limit, reference_distance, policy, tuple(problems))


def compare_policy(answer: Floats, expected: Floats, legal: Mask, policy_range: str, limit: float) -> PolicyResult:
    """Best move, probabilities and KL over the legal moves of each position; arrays are (N, actions)."""
    allowed, given = np.where(legal, expected, -np.inf), np.where(legal, answer, -np.inf)
    best, chosen = allowed.max(axis=1), given.argmax(axis=1)
    worth = allowed[np.arange(len(chosen)), chosen]
    slack = TIE_FACTOR.value * limit * np.maximum(1.0, np.abs(best))
    same = chosen == allowed.argmax(axis=1)
    ties = ~same & (best - worth <= slack)
    ours, theirs = probabilities(answer, legal, policy_range), probabilities(expected, legal, policy_range)
    return PolicyResult(
        best_move=float((same | ties).mean()),
        ties=int(ties.sum()),
        probability=float(np.abs(ours - theirs).max()),
        kl=float(divergences(answer, expected, legal, policy_range).max()),
    )


def divergences(answer: Floats, expected: Floats, legal: Mask, policy_range: str) -> Floats:
    """Kullback-Leibler divergence of `expected` from `answer` over the legal moves, in nats; (N, actions) to (N,)."""
    ours, theirs = probabilities(answer, legal, policy_range), probabilities(expected, legal, policy_range)
    # A move that the truth never plays adds nothing to the divergence; one that the answer never plays adds a lot.
    tiny = np.finfo(np.float64).tiny
    logs = np.log(np.maximum(theirs, tiny)) - np.log(np.maximum(ours, tiny))
    found: Floats = np.maximum(np.where(theirs > 0, theirs * logs, 0.0).sum(axis=1), 0.0)
    return found


def probabilities(values: Floats, legal: Mask, policy_range: str) -> Floats:
    """A policy over the legal moves: logits are soft-maxed, probabilities divided by their sum."""
    if policy_range == PROBABILITIES:
        weights = np.where(legal, np.maximum(values, 0.0), 0.0)
    else:
        allowed = np.where(legal, values, -np.inf)
        weights = np.exp(allowed - allowed.max(axis=1, keepdims=True))
    total = weights.sum(axis=1, keepdims=True)
    uniform = legal / np.maximum(legal.sum(axis=1, keepdims=True), 1)
    result: Floats = np.where(total > 0, weights / np.where(total > 0, total, 1.0), uniform)
    return result
