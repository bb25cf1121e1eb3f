"""The points that boards of Go and Gomoku mark."""

from __future__ import annotations

from functools import cache


@cache
def star_points(size: int) -> frozenset[int]:
    """Those near the corners and in the centre, on 19 lines also in between; none on a board below 9 lines.

    They lie on the third line, from 13 lines on the fourth. A board with an even number of lines has no centre.
    """
    if size < 9:
        return frozenset()
    near, middle = (3 if size > 12 else 2), size // 2
    lines = {near, size - 1 - near, *([middle] if size % 2 else [])}
    pairs = ((row, column) for row in lines for column in lines)
    return frozenset(row * size + column for row, column in pairs if size > 15 or (row == middle) == (column == middle))
