"""Whether a network's policy holds logits or probabilities: decided once per network, never per position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

LOGITS, PROBABILITIES = "logits", "probabilities"
# Activations that give probabilities.
PROBABLE = frozenset({"softmax", "sigmoid", "hard_sigmoid"})
# One number per move, independent of the others, such as 64 sigmoids: their sum may be anything.
SCORES = "scores"
UNKNOWN = "unknown"
# The sum of probabilities may differ from 1 by this.
SLACK = 1e-3


def policy_range(activation: str, answers: NDArray[Any] | None = None) -> str:
    """How to read a policy that ends with `activation`: LOGITS or PROBABILITIES.

    If the activation is unknown, `answers`, (N, ...) for N positions, decide; without them it is LOGITS.
    """
    if activation != UNKNOWN or answers is None or not len(answers):
        return PROBABILITIES if activation in PROBABLE else LOGITS
    rows = _rows(answers)
    return PROBABILITIES if rows.min() >= 0 and rows.max() <= 1 and _add_up(rows) else LOGITS


def measured_as(stated: str, answers: NDArray[Any]) -> str:
    """How to compare answers: LOGITS, PROBABILITIES, or SCORES for probabilities that do not add up to 1.

    `stated` is the policy's range, `answers` are the original's, (N, ...). A search divides scores by their sum to
    weigh the moves. A comparison does not: that would enlarge the rounding errors of small scores without limit.
    """
    return SCORES if stated == PROBABILITIES and len(answers) and not _add_up(_rows(answers)) else stated


def _rows(answers: NDArray[Any]) -> NDArray[Any]:
    """The answers (N, ...) as float64 (N, width)."""
    import numpy as np

    return np.asarray(answers, dtype=np.float64).reshape(len(answers), -1)


def _add_up(rows: NDArray[Any]) -> bool:
    """Whether each of the rows (N, width) adds up to 1."""
    return bool((abs(rows.sum(axis=1) - 1) <= SLACK).all())
