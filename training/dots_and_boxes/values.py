"""The table of exact values of Dots and Boxes, kept in the cache folder: `learning/solvers` computes it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ...learning.solvers.dots_and_boxes import Table, solve
from ..recipe import cache_of
from ..shards import write_beside

CACHE = cache_of("dots_and_boxes")


def table(size: int = 3, cache: Path = CACHE) -> Table:
    """The values of all edge sets, int8 (2^edges,), from the cache folder or computed and put there.

    A table for 3 x 3 takes some seconds and 16 MiB. GameError if the size is neither 2 nor 3.
    """
    path = cache / f"values{size}.npy"
    if path.exists():
        return np.asarray(np.load(path), dtype=np.int8)
    values = solve(size)
    cache.mkdir(parents=True, exist_ok=True)
    write_beside(path, lambda beside: np.save(beside, values))
    return values
