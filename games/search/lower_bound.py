"""The choice by lower bound: the best of the often visited moves, allowing for the error of its mean.

The mean of n values with variance s^2 has the standard error sqrt(s^2 / n). A move's bound is its mean less a number of
standard errors. A high mean of few visits may be luck, and many visits may date from a time when the move still looked
better. Leela Zero and KataGo choose this way. KataGo takes 5 standard errors, and moves with at least 0.15 of the most
visits. A few values say little about their variance, so 1 / n^3 is added to it, about what KataGo adds.
"""

from __future__ import annotations

import math

# Moves with less than this share of the most visits are not chosen, however good they look.
SHARE = 0.15


def lower_bound(visits: int, total: float, squares: float, errors: float) -> float:
    """The mean of `visits` values less `errors` standard errors.

    `total` is the sum of the values and `squares` that of their squares. Each operation rounds once, in this order, so
    that the bound is the same in every language.
    """
    count = float(visits)
    mean = total / count
    variance = max(0.0, squares / count - mean * mean) + 1 / (count * count * count)
    return mean - errors * math.sqrt(variance / count)
