"""C, the weight of the prior against the mean value so far, by a node's visits."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from ..search_settings import USUAL


def exploration(visits: int, c_init: float = USUAL.c_init) -> float:
    """C of a node with `visits` visits."""
    return math.log((1 + visits + 19652) / 19652) + c_init


@cache
def exploration_from(c_init: float) -> Callable[[int], float]:
    """C as a function of visits; equal numbers give the same function, because `table_of` caches by function."""
    return exploration if c_init == USUAL.c_init else partial(exploration, c_init=c_init)


@lru_cache(maxsize=16)
def table_of(constant: Callable[[int], float], count: int) -> NDArray[np.float64]:
    """C by visit count, float64 (count,), for the walk: compiled code cannot call the function."""
    return np.array([constant(visits) for visits in range(count)])
