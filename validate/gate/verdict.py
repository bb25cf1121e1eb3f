"""The gate itself: each figure with its limit, the verdict, and the closest margin with its position."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import GameError
from ...export.checkpoint.head import POLICY, VALUE, Head
from ...games.policy import SCORES
from ...games.value import ValueReading
from ...manifest import Head as Output
from .gate import ByHead, Gate
from .limits import Limits
from .measure import BestMoves, Floats, best_moves, is_answer, policy_divergences, score_errors, win_rate_errors
from .positions import Kind

WIN_RATE_P99, WIN_RATE_MAX, KL_P99, BEST_MOVE = "win-rate error, p99", "win-rate error, largest", "KL, p99", "best move"
# For a policy of scores, which has no divergence (`games.policy.SCORES`).
SCORE_P99, SCORE_MAX = "score error, p99", "score error, largest"
# Only for golden.json's positions (`proof/recorded.py`).
WIN_RATE_AT_EXPORT = "win-rate error at the export, largest"
CHANGED_WIN_RATE, CHANGED_KL = "win rate, change since the export", "KL, change since the export"
SCORE_AT_EXPORT, CHANGED_SCORE = "score error at the export, largest", "score, change since the export"
MANY_KL = "positions over the KL allowed to 99 %"
IN_NATS, COUNTED = (KL_P99, CHANGED_KL), (MANY_KL,)


@dataclass(frozen=True)
class Check:
    """One figure of one head on one kind of positions.

    `used` is the share of its limit that it uses, over 1 if it fails. `position` is the position that decides it,
    counted from 0 within its kind; None if unknown.
    """

    head: str
    kind: str
    metric: str
    value: float
    limit: float
    used: float
    position: int | None
    counted: int

    @property
    def passed(self) -> bool:
        """Whether the figure is within its limit; NaN is not."""
        return self.used <= 1

    @property
    def clause(self) -> str:
        """The figure in words: "value_head: win-rate error, largest 7.1 % (allowed 5 %) at ..."."""
        at = "" if self.position is None else f" at position {self.position:,} of {self.kind}"
        return f"{self.head}: {self.metric} {format_figure(self.metric, self.value)} (allowed {self.limit_text}){at}"

    @property
    def limit_text(self) -> str:
        """The limit, formatted for people."""
        return ("from " if self.metric == BEST_MOVE else "") + format_figure(self.metric, self.limit)

    def as_data(self) -> dict[str, Any]:
        """The figure as JSON types, in the form of parity.json."""
        return {
            "head": self.head,
            "positions": self.kind,
            "metric": self.metric,
            "value": self.value if math.isfinite(self.value) else None,
            "limit": self.limit,
            "of_limit": self.used if math.isfinite(self.used) else None,
            "position": self.position,
            "counted": self.counted,
            "passed": self.passed,
        }


@dataclass(frozen=True)
class Verdict:
    """The gate's result: `checks` for each head and kind, `notes` on skipped checks, `broken` answers.

    `kinds` describe the positions.
    """

    checks: tuple[Check, ...]
    notes: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether every measured figure is within its limit; if nothing was measured, it fails."""
        return bool(self.checks) and not self.broken and all(check.passed for check in self.checks)

    @property
    def closest(self) -> Check | None:
        """The figure that uses most of its limit, or exceeds it most; None if nothing was measured."""
        return max(self.checks, key=lambda check: check.used, default=None)

    @property
    def failures(self) -> tuple[str, ...]:
        """A clause for each figure over its limit, and for each missing answer."""
        nothing = () if self.checks or self.broken else ("nothing was measured",)
        return (*self.broken, *nothing, *(check.clause for check in self.checks if not check.passed))

    def as_data(self) -> dict[str, Any]:
        """The verdict as JSON types, in the form of parity.json."""
        closest = self.closest
        return {
            "passed": self.passed,
            "positions": list(self.kinds),
            "closest": closest.as_data() if closest else None,
            "checks": [check.as_data() for check in self.checks],
            "notes": list(self.notes),
            "broken": list(self.broken),
        }


def judge(gate: Gate, answers: ByHead) -> Verdict:
    """Compare an artifact's answers, {head: (N, ...)} on the gate's positions, with the original's.

    A head that is neither a policy nor a value that can be read gets a note instead of a verdict.
    """
    checks: list[Check] = []
    notes: list[str] = []
    broken: list[str] = []
    for head in gate.heads:
        answer, truth = answers.get(head.name), gate.expected[head.name]
        if not is_answer(answer, truth):
            broken.append(f"{head.name}: {clause_of_fault(answer, truth)}")
            continue
        for kind in gate.positions.kinds:
            rows = kind.rows
            if head.role == VALUE and head.name in gate.readings:
                errors = win_rate_errors(gate.readings[head.name], answer[rows], truth[rows])
                checks += _error_checks(head.name, kind, (WIN_RATE_P99, WIN_RATE_MAX), errors, gate.limits)
            elif head.role == POLICY:
                checks += _policy_checks(gate, head, kind, answer[rows], truth[rows])
                if kind.legal_for(head.width) is None:
                    notes.append(
                        f"{head.name}: best legal moves were not counted on {kind.name}: the legal moves are unknown"
                    )
            else:
                notes.append(f"{head.name}: not judged, its encoding is unknown")
    kinds = tuple(kind.description for kind in gate.positions.kinds)
    return Verdict(tuple(checks), tuple(dict.fromkeys(notes)), tuple(broken), kinds)


def readings_of(heads: Sequence[Head], stated: Mapping[str, Output]) -> dict[str, ValueReading]:
    """How to read each value head, by its name; heads that cannot be read are left out.

    `stated` are a manifest's outputs by name.
    """
    from ...games.value import reading_of_value

    readings: dict[str, ValueReading] = {}
    for head in heads:
        if head.role != VALUE:
            continue
        said = stated.get(head.name)
        value_range, order = (said.value_range, said.order) if said else (None, None)
        try:
            readings[head.name] = reading_of_value(head.width, head.activation, value_range, order)
        except GameError:
            continue
    return readings


def format_figure(metric: str, value: float) -> str:
    """A figure formatted for people: shares in per cent, divergences in nats, whole numbers of positions."""
    if not math.isfinite(value):
        return "no number"
    if metric in COUNTED:
        return f"{value:.0f}"
    return f"{value:.2g}" if metric in IN_NATS else f"{100 * value:.3g} %"


def clause_of_fault(answer: NDArray[Any] | None, truth: NDArray[Any]) -> str:
    """The reason why an answer cannot be measured."""
    if answer is None:
        return "has no answer"
    if answer.shape != truth.shape:
        return f"answers {answer.shape[1:]} values a position where the original answers {truth.shape[1:]}"
    return "answers NaN or infinity"


def _error_checks(head: str, kind: Kind, metrics: tuple[str, str], errors: Floats, limits: Limits) -> Iterator[Check]:
    """The 99th percentile and the largest of errors (N,) in a win rate or in scores, numbers from 0 to 1."""
    yield _quantile(head, kind.name, metrics[0], errors, limits.value_p99)
    yield largest(head, kind.name, metrics[1], errors, limits.value_max)


def _policy_checks(gate: Gate, head: Head, kind: Kind, answer: NDArray[Any], truth: NDArray[Any]) -> Iterator[Check]:
    """The errors of a policy's chances or scores, and the best moves if the legal moves are known."""
    legal, measure, limits = kind.legal_for(head.width), gate.measure(head), gate.limits
    if measure == SCORES:
        yield from _error_checks(head.name, kind, (SCORE_P99, SCORE_MAX), score_errors(answer, truth, legal), limits)
    else:
        divergence = policy_divergences(answer, truth, legal, measure)
        yield _quantile(head.name, kind.name, KL_P99, divergence, limits.kl_p99)
    if legal is not None:
        yield from _move_checks(head.name, kind.name, best_moves(answer, truth, legal, measure, limits.margin), limits)


def largest(head: str, kind: str, metric: str, errors: Floats, limit: float) -> Check:
    """The largest of `errors` (N,), and its position."""
    worst = int(errors.argmax())
    most = float(errors[worst])
    return Check(head, kind, metric, most, limit, _share_of_limit(most, limit), worst, len(errors))


def many_over(head: str, kind: str, metric: str, errors: Floats, limit: float, allowed: int) -> Check:
    """The number of `errors` (N,) over `limit`, compared with `allowed`; the position is the worst of them."""
    count = int((errors > limit).sum())
    worst = int(errors.argmax()) if count else None
    return Check(head, kind, metric, count, allowed, _share_of_limit(count, allowed), worst, len(errors))


def _quantile(head: str, kind: str, metric: str, errors: Floats, limit: float) -> Check:
    """The 99th percentile, and the position with the next larger error."""
    order = np.argsort(errors, kind="stable")
    value = float(np.quantile(errors, 0.99))
    at = int(order[min(len(order) - 1, math.ceil(0.99 * (len(order) - 1)))])
    return Check(head, kind, metric, value, limit, _share_of_limit(value, limit), at, len(errors))


def _move_checks(head: str, kind: str, moves: BestMoves, limits: Limits) -> Iterator[Check]:
    """The share of best moves that stay; nothing if no position counts. The position is the clearest one lost."""
    counted = int(moves.counted.sum())
    if not counted:
        return
    lost = moves.counted & ~moves.kept
    allowed = moves_to_lose(limits, counted)
    worst = int(np.where(lost, moves.apart, -1).argmax()) if lost.any() else None
    value = 1 - float(lost.sum()) / counted
    used = _share_of_limit(float(lost.sum()), allowed)
    yield Check(head, kind, BEST_MOVE, value, limits.best_move, used, worst, counted)


def moves_to_lose(limits: Limits, counted: int) -> int:
    """The number of best moves that may be lost out of `counted`."""
    # Of 20 positions, 2 % is less than one: a whole position may always be lost, unless the limit allows none.
    return math.ceil(round((1 - limits.best_move) * counted, 9))


def rows_beyond_p99(count: int) -> int:
    """The number of `count` errors that may exceed the limit of their 99th percentile: those above its place."""
    return count - 1 - math.floor(0.99 * (count - 1))


def _share_of_limit(value: float, limit: float) -> float:
    if limit > 0:
        return value / limit
    return 0.0 if value == 0 else math.inf
