"""The points that boards of Go and Gomoku mark."""

from __future__ import annotations

from functools import cache

from ..tables import read_table


@cache
def star_points(size: int) -> frozenset[int]:
    """The marked points of a board with `size` lines, by their numbers; none below 9 lines."""
    return frozenset(row * size + column for row, column in read_table("star_points").get(str(size), ()))
