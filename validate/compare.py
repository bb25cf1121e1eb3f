"""Compares two sets of answers by differences that matter to a player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..export.checkpoint.head import POLICY, Head
from ..games.policy import PROBABILITIES, SCORES, measured_as
from .tolerances import BEST_MOVE, TIE_FACTOR, TRUST, fp32_limit

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class PolicyRule:
    """The largest change of a legal move's chance: `limit`, from the original's own `distance` in the same measure.

    Chances are those over the legal moves, without the illegal ones. For scores, which are not chances, `limit` applies
    to a legal move's score. `distance` is None without a witness. `held`, bool (N,), is False if rounding alone changes
    the original's chances by more than TRUST; its answer then does not decide among the legal moves.
    """

    limit: float
    distance: float | None
    held: Mask

    @property
    def unheld(self) -> int:
        """The number of positions in which the original does not decide."""
        return int((~self.held).sum())


@dataclass(frozen=True)
class PolicyResult:
    """The differences of a policy over the legal moves, in positions in which the original decides among them.

    `best_move` is the share of positions with the same best move (ties count); `ties` is the number of these ties.
    `probability` is the largest difference of a move's chance, `kl` the largest Kullback-Leibler divergence in nats;
    both are None for scores, which are not chances. `limit` and `distance` are the rule's, `unheld` the number of
    positions that it leaves out.
    """

    best_move: float
    ties: int
    probability: float | None
    kl: float | None
    limit: float
    distance: float | None
    unheld: int = 0

    @property
    def problems(self) -> list[str]:
        """A clause for each figure over its limit."""
        clauses = []
        if self.probability is not None and not self.probability <= self.limit:
            clauses.append(
                f"moves the chance of a legal move by {self.probability:.2g} where {self.limit:.2g} is allowed"
            )
        if self.best_move < BEST_MOVE.value:
            clauses.append(f"keeps the best move in {self.best_move:.1%} of the positions only")
        return clauses


@dataclass(frozen=True)
class HeadResult:
    """One head of one artifact compared with the expected answers.

    Errors are scaled by max(1, |expected|). `reference_distance` is the reference's own distance from the float64
    witness, None without a witness.
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
    """The largest scaled error between two arrays (N, ...); 0 without positions."""
    return float(scaled_errors(answer, expected).max(initial=0.0))


def compare_head(
    head: Head,
    answer: NDArray[Any],
    expected: NDArray[Any],
    distance: float | None,
    legal: Mask | None = None,
    rule: PolicyRule | None = None,
) -> HeadResult:
    """Compare (N, ...) answers of one head; it fails if nothing was compared, or if an answer is NaN.

    `distance` is the original's own from the witness. `legal` (N, width) and `rule` are for a policy; without a rule
    its moves are not compared.
    """
    broken, limit = None, fp32_limit(distance)
    if answer.shape != expected.shape:
        broken = f"answers {answer.shape[1:]} values a position where the original answers {expected.shape[1:]}"
    elif answer.size == 0:
        broken = "nothing was compared"
    elif not np.isfinite(answer).all():
        broken = "answers NaN or infinity"
    if broken:
        return HeadResult(head.name, head.role, 0, np.inf, np.inf, np.inf, limit, distance, None, (broken,))
    errors, policy, problems = scaled_errors(answer, expected), None, []
    maximum, p99, mean = float(errors.max()), float(np.quantile(errors, 0.99)), float(errors.mean())
    if not maximum <= limit:  # written so that a limit of NaN fails
        problems.append(f"differs by {maximum:.2g} where {limit:.2g} is allowed")
    if head.role == POLICY and rule is not None:
        policy = compare_policy(answer, expected, legal, measured_as(head.policy_range, expected), rule)
        problems += policy.problems
    return HeadResult(head.name, head.role, len(errors), maximum, p99, mean, limit, distance, policy, tuple(problems))


def legal_of(head: Head, legal: NDArray[np.bool_] | None) -> NDArray[np.bool_] | None:
    """The legal moves (N, width) of a policy.

    None for another head, if they are unknown, or if their number differs.
    """
    return legal if head.role == POLICY and legal is not None and legal.shape[1] == head.width else None


def policy_rule(expected: NDArray[Any], exact: NDArray[Any] | None, legal: Mask | None, measure: str) -> PolicyRule:
    """The rule for a policy that answers `expected` (N, ...); `exact` are its witness' answers, if any.

    `legal` is bool (N, width), None if unknown: then all moves count. `measure` is that of `games.policy.measured_as`.
    """
    if exact is None:
        return PolicyRule(fp32_limit(None), None, np.ones(len(expected), np.bool_))
    own = changes(expected, exact, legal, measure)
    held = own <= TRUST.value
    distance = float(own[held].max(initial=0.0))
    return PolicyRule(fp32_limit(distance), distance, held)


def changes(answer: NDArray[Any], expected: NDArray[Any], legal: Mask | None, measure: str) -> Floats:
    """The largest change of a legal move's chance, or score, at each position; (N, ...) to float64 (N,)."""
    rows, truth = as_rows(answer), as_rows(expected)
    allowed = np.ones(truth.shape, np.bool_) if legal is None else legal
    ours, theirs = (weights(values, allowed, measure) for values in (rows, truth))
    largest: Floats = np.abs(ours - theirs).max(axis=1, initial=0.0)
    return largest


def compare_policy(
    answer: NDArray[Any], expected: NDArray[Any], legal: Mask | None, measure: str, rule: PolicyRule
) -> PolicyResult:
    """Compare best move, chances and KL over the legal moves of each position; for scores, only the best move.

    Answers are (N, ...).
    """
    held = rule.held
    rows, truth = as_rows(answer)[held], as_rows(expected)[held]
    allowed = np.ones(truth.shape, np.bool_) if legal is None else legal[held]
    ours, theirs = (weights(values, allowed, measure) for values in (rows, truth))
    # This uses the raw answers, not the chances: those of two moves may both round to 0.
    best, chosen = (np.where(allowed, values, -np.inf).argmax(axis=1) for values in (truth, rows))
    at = np.arange(len(theirs))
    same = chosen == best
    ties = ~same & (theirs[at, best] - theirs[at, chosen] <= TIE_FACTOR.value * rule.limit)
    return PolicyResult(
        best_move=float((same | ties).mean()) if len(same) else 1.0,
        ties=int(ties.sum()),
        probability=None if measure == SCORES else float(np.abs(ours - theirs).max(initial=0.0)),
        kl=None if measure == SCORES else float(divergences(rows, truth, allowed, measure).max(initial=0.0)),
        limit=rule.limit,
        distance=rule.distance,
        unheld=rule.unheld,
    )


def as_rows(values: NDArray[Any]) -> Floats:
    """The numbers of each position in a row: (N, ...) to float64 (N, width)."""
    return np.asarray(values, np.float64).reshape(len(values), -1)


def divergences(answer: Floats, expected: Floats, legal: Mask, policy_range: str) -> Floats:
    """Kullback-Leibler divergence of `expected` from `answer` over the legal moves, in nats; (N, actions) to (N,)."""
    ours, theirs = probabilities(answer, legal, policy_range), probabilities(expected, legal, policy_range)
    # Moves with chance 0 in `expected` add nothing; moves with chance 0 in `answer` add much.
    tiny = np.finfo(np.float64).tiny
    logs = np.log(np.maximum(theirs, tiny)) - np.log(np.maximum(ours, tiny))
    sums: Floats = np.maximum(np.where(theirs > 0, theirs * logs, 0.0).sum(axis=1), 0.0)
    return sums


def weights(values: Floats, legal: Mask, measure: str) -> Floats:
    """The legal moves' chances or raw scores for comparison; 0 for other moves."""
    return np.where(legal, values, 0.0) if measure == SCORES else probabilities(values, legal, measure)


def probabilities(values: Floats, legal: Mask, policy_range: str) -> Floats:
    """A policy over the legal moves: softmax of logits, or probabilities divided by their sum."""
    if policy_range == PROBABILITIES:
        weights = np.where(legal, np.maximum(values, 0.0), 0.0)
    else:
        allowed = np.where(legal, values, -np.inf)
        weights = np.exp(allowed - allowed.max(axis=1, keepdims=True))
    total = weights.sum(axis=1, keepdims=True)
    uniform = legal / np.maximum(legal.sum(axis=1, keepdims=True), 1)
    result: Floats = np.where(total > 0, weights / np.where(total > 0, total, 1.0), uniform)
    return result
