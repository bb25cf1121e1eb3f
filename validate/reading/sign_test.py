"""Tests whether one reading does clearly better than another on the same positions, or only by chance.

McNemar's exact test, two-sided, which of plain scores is the sign test: Q. McNemar, Note on the sampling error of the
difference between correlated proportions, Psychometrika 12 (1947).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Boards, (N, *shape) float32, to answers, (N, width), by role: policy, value.
Network = Callable[[NDArray[np.float32]], Mapping[str, NDArray[Any]]]


def clearly_more(mine: NDArray[Any], other: NDArray[Any], level: float) -> bool:
    """Whether `mine` is the larger one in clearly more of the same positions (N,) than `other` is, at p < `level`."""
    gained, lost = int((mine > other).sum()), int((mine < other).sum())
    return gained > lost and mcnemar(gained, lost) < level


def mcnemar(gained: int, lost: int) -> float:
    """How probable so uneven a split, or one more so, of the positions that differ is by chance."""
    differing = gained + lost
    tail = sum(comb(differing, count) for count in range(min(gained, lost) + 1))
    return min(1.0, float(2 * tail / 2**differing))
