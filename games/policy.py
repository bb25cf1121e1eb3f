"""What a network's policy holds, logits or probabilities: decided once of a network, never position by position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

LOGITS, PROBABILITIES = "logits", "probabilities"
# Activations that give them.
PROBABLE = frozenset({"softmax", "sigmoid", "hard_sigmoid"})
# One number for each move, independent of the others, as 64 sigmoids are: they add up to anything.
SCORES = "scores"
UNKNOWN = "unknown"
# How far from 1 the sum of probabilities may be.
SLACK = 1e-3


def policy_range(activation: str, answers: NDArray[Any] | None = None) -> str:
    """How the numbers of a policy that ends with `activation` are read: LOGITS or PROBABILITIES.

    `answers`, (N, ...) of N positions, decide where the activation is unknown; without them it is LOGITS then.
    """
    if activation != UNKNOWN or answers is None or not len(answers):
        return PROBABILITIES if activation in PROBABLE else LOGITS
    rows = _rows(answers)
    return PROBABILITIES if rows.min() >= 0 and rows.max() <= 1 and _add_up(rows) else LOGITS


def measured_as(stated: str, answers: NDArray[Any]) -> str:
    """How answers are compared: LOGITS, PROBABILITIES, or SCORES for probabilities that do not add up to 1.

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
