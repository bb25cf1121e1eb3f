"""How much an approximation takes of what a gate allows, as one number that adds up over independent causes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...export.checkpoint.head import POLICY, VALUE, Head
from ...games.value import ValueReading
from .limits import Limits
from .measure import is_answer, policy_divergences, win_rate_errors
from .positions import GatePositions
from .verdict import Answers


def harm(
    heads: Sequence[Head],
    readings: Mapping[str, ValueReading],
    answers: Answers,
    expected: Answers,
    positions: GatePositions,
    limits: Limits,
) -> float:
    """The mean squared error of the win rate and the mean divergence, in units of their limits; inf for no answer.

    Rounding errors of several layers are independent, so their squares add up, and a divergence is a square. So the
    joint harm of layers is about the sum of their single harms.
    """
    found = 0.0
    for head in heads:
        answer, truth = answers.get(head.name), expected[head.name]
        if not is_answer(answer, truth):
            return float("inf")
        if head.role == VALUE and head.name in readings:
            errors = win_rate_errors(readings[head.name], answer, truth)
            found += float((errors**2).mean()) / max(limits.value_p99, 1e-9) ** 2
        elif head.role == POLICY:
            for kind in positions.kinds:
                legal = kind.legal_for(head.width)
                divergence = policy_divergences(answer[kind.rows], truth[kind.rows], legal, head.policy_range)
                found += float(divergence.sum()) / len(answer) / max(limits.kl_p99, 1e-9)
    return found
