"""The share of a gate's limits that an approximation uses, as one number that adds up over independent causes."""

from __future__ import annotations

import numpy as np

from ...export.checkpoint.head import POLICY, VALUE
from ...games.policy import SCORES
from .gate import ByHead, Gate
from .measure import is_answer, policy_divergences, score_errors, win_rate_errors


def harm(gate: Gate, answers: ByHead) -> float:
    """The sum of the mean squared errors of win rate and scores and the mean divergence, in units of their limits.

    It is infinite without an answer. Rounding errors of several layers are independent, so their squares add up, and a
    divergence is a square. So the joint harm of layers is about the sum of their single harms.
    """
    total = 0.0
    for head in gate.heads:
        answer, truth = answers.get(head.name), gate.expected[head.name]
        if not is_answer(answer, truth):
            return float("inf")
        if head.role == VALUE and head.name in gate.readings:
            errors = win_rate_errors(gate.readings[head.name], answer, truth)
            total += float((errors**2).mean()) / max(gate.limits.value_p99, 1e-9) ** 2
        elif head.role == POLICY and (measure := gate.measure(head)) == SCORES:
            errors = np.concatenate(
                [
                    score_errors(answer[kind.rows], truth[kind.rows], kind.legal_for(head.width))
                    for kind in gate.positions.kinds
                ]
            )
            total += float((errors**2).mean()) / max(gate.limits.value_p99, 1e-9) ** 2
        elif head.role == POLICY:
            for kind in gate.positions.kinds:
                legal = kind.legal_for(head.width)
                divergence = policy_divergences(answer[kind.rows], truth[kind.rows], legal, measure)
                total += float(divergence.sum()) / len(answer) / max(gate.limits.kl_p99, 1e-9)
    return total
