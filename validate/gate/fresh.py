"""Judges an approximation on fresh positions, and asked in other ways, by limits that no sound artifact exceeds.

A gate's figures depend on the export's positions: an artifact just inside a limit exceeds it on every second other set
of positions. An artifact that is right only on the recorded positions is far outside on others. So more fresh positions
may be over a limit. Their number is what twice the gate's share gives by chance once in ten thousand proofs.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ...export.checkpoint.head import POLICY, VALUE
from ...games.policy import SCORES
from ..asked import RepeatedRun, join_faults
from ..run import Run
from ..tolerances import SAME_KL, SAME_WIN_RATE
from .gate import ByHead, Gate
from .measure import best_moves, is_answer, policy_divergences, score_errors, win_rate_errors
from .risk import binomial
from .verdict import clause_of_fault

# The share of positions beyond a gate's 99th percentiles; its multiple for fresh positions; the chance of more.
BEYOND_P99, TIMES, CHANCE = 0.01, 2, 1e-4


def faults_on_fresh(gate: Gate, answers: ByHead) -> Iterator[str]:
    """A clause for each figure on the positions of `gate`, all fresh, that no sound artifact would have."""
    for head in gate.heads:
        answer, truth = answers.get(head.name), gate.expected[head.name]
        if not is_answer(answer, truth):
            yield f"{head.name}: {clause_of_fault(answer, truth)}"
            continue
        [kind] = gate.positions.kinds
        if head.role == VALUE and head.name in gate.readings:
            errors = win_rate_errors(gate.readings[head.name], answer, truth)
            yield from _too_many(
                f"{head.name}: the win rate is off by more than {gate.limits.value_p99:.3g}",
                errors > gate.limits.value_p99,
                BEYOND_P99,
            )
        elif head.role == POLICY:
            legal, measure = kind.legal_for(head.width), gate.measure(head)
            if measure == SCORES:
                what, limit = "a score is off by more than", gate.limits.value_p99
                errors = score_errors(answer, truth, legal)
            else:
                what, limit = "the KL is over", gate.limits.kl_p99
                errors = policy_divergences(answer, truth, legal, measure)
            yield from _too_many(f"{head.name}: {what} {limit:.3g}", errors > limit, BEYOND_P99)
            if legal is not None:
                moves = best_moves(answer, truth, legal, measure, gate.limits.margin)
                lost = ~moves.kept[moves.counted]
                yield from _too_many(f"{head.name}: the best move is lost", lost, 1 - gate.limits.best_move)


def _too_many(what: str, over: NDArray[np.bool_], share: float) -> Iterator[str]:
    """A clause if more positions are `over` a limit than in a sound artifact; the gate allows a `share` of them."""
    count, allowed = int(over.sum()), most_by_chance(len(over), share)
    if count > allowed:
        yield f"{what} in {count:,} of {len(over):,} fresh positions, where a sound artifact has at most {allowed:,}"


def most_by_chance(count: int, share: float) -> int:
    """The number of `count` positions that may exceed a limit if the gate allows a `share` of them."""
    left, number = 1.0, -1
    while left > CHANCE and number < count:
        number += 1
        left -= binomial(number, count, min(1.0, TIMES * share))
    return number


def faults_again(gate: Gate, run: Run) -> Iterator[str]:
    """A clause for each way of asking whose answers differ from the first way's by more than kernels do."""
    if run.sample is None:
        return
    rows = run.sample.rows

    def find(again: RepeatedRun) -> list[str]:
        return [clause for head in gate.heads for clause in _changed(gate, run, again, head.name, rows)]

    yield from join_faults(run.again, find)


def _changed(gate: Gate, run: Run, again: RepeatedRun, name: str, rows: NDArray[np.bool_]) -> Iterator[str]:
    head = next(head for head in gate.heads if head.name == name)
    first, second = run.outputs.get(name), again.outputs.get(name)
    if first is None:
        return
    if not is_answer(second, first[rows]):
        yield f"{name}: {clause_of_fault(second, first[rows])}"
    elif head.role == VALUE and name in gate.readings:
        changed = float(win_rate_errors(gate.readings[name], second, first[rows]).max(initial=0))
        if changed > SAME_WIN_RATE.value:
            yield f"{name}: the win rate is another by {changed:.2g}"
    elif head.role == POLICY and (measure := gate.measure(head)) == SCORES:
        changed = float(score_errors(second, first[rows], None).max(initial=0))
        if changed > SAME_WIN_RATE.value:
            yield f"{name}: a score is another by {changed:.2g}"
    elif head.role == POLICY:
        changed = float(policy_divergences(second, first[rows], None, measure).max(initial=0))
        if changed > SAME_KL.value:
            yield f"{name}: the policy is another, by a KL of {changed:.2g}"
