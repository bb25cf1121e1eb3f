"""Lines of a strength table: a share with its 95 % interval."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]


def row(name: str, hits: Bools) -> Iterator[str]:
    """A share in per cent with its 95 % interval (Wilson) and the number of cases, if there are any."""
    if hits.size:
        yield share(name, float(hits.sum()), hits.size)


def share(name: str, score: float, count: int) -> str:
    """As `row`, of a score (draws count half) out of `count` games."""
    low, high = wilson(score, count)
    return f"{name:50} {score / count:6.1%}  [{low:.1%}, {high:.1%}]  of {count:,}"


def wilson(hits: float, count: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson, "Probable Inference", 1927)."""
    z, found = 1.96, hits / count
    centre = (found + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(found * (1 - found) / count + z * z / (4 * count * count))
    return centre - half, centre + half
