"""Whether a network's policy holds logits or probabilities: decided once of a network, never position by position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

LOGITS, PROBABILITIES = "logits", "probabilities"
# Activations that give them.
PROBABLE = frozenset({"softmax", "sigmoid", "hard_sigmoid"})
UNKNOWN = "unknown"
# How far from 1 the sum of probabilities may be.
SLACK = 1e-3


def policy_range(activation: str, answers: NDArray[Any] | None = None) -> str:
    """How the numbers of a policy that ends with `activation` are read: LOGITS or PROBABILITIES.

    `answers`, (N, ...) of N positions, decide where the activation is unknown; without them it is LOGITS then.
    """
    if activation != UNKNOWN or answers is None or not len(answers):
        return PROBABILITIES if activation in PROBABLE else LOGITS
    import numpy as np

    rows = np.asarray(answers, dtype=np.float64).reshape(len(answers), -1)
    sums = np.abs(rows.sum(axis=1) - 1)
    return PROBABILITIES if rows.min() >= 0 and rows.max() <= 1 and sums.max() <= SLACK else LOGITS
