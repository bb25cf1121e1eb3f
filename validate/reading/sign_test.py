"""Tests whether one reading is better than another on the same positions by more than chance.

McNemar's exact test, two-sided, which for plain scores is the sign test: Q. McNemar, Note on the sampling error of the
difference between correlated proportions, Psychometrika 12 (1947).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

# A function from boards, (N, *shape) float32, to answers, (N, width), by role: policy, value.
Network = Callable[[NDArray[np.float32]], Mapping[str, NDArray[Any]]]


def clearly_more(mine: NDArray[Any], other: NDArray[Any], level: float) -> bool:
    """Whether `mine` is larger in clearly more of the same positions (N,) than `other`, at p < `level`."""
    gained, lost = int((mine > other).sum()), int((mine < other).sum())
    return gained > lost and mcnemar(gained, lost) < level


def mcnemar(gained: int, lost: int) -> float:
    """The probability by chance of a split of the differing positions that is at least this uneven."""
    differing = gained + lost
    tail = sum(comb(differing, count) for count in range(min(gained, lost) + 1))
    return min(1.0, float(2 * tail / 2**differing))
