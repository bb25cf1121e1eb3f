"""What all Reversi positions of one size share: their cells as bits, and how discs are turned.

A player's discs are one integer whose bit `cell` is set where a disc lies, row by row from the top.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from ...errors import GameError
from ..tables import shapes_of

SHAPES = shapes_of("reversi")
SIZES = SHAPES.sizes
# Cells a side of the largest board whose cells are bits of 64.
LARGEST_IN_64 = 8


class Kind:
    """What all positions of one size share; `kind_of` makes one for each."""

    __slots__ = ("axes", "first", "full", "second", "size", "twos")

    def __init__(self, size: int) -> None:
        self.size = size
        self.full = (1 << size * size) - 1
        inner = sum(((1 << size - 2) - 1) << row * size + 1 for row in range(size))
        # The step along a row, a column and both diagonals, with the cells where discs may be turned. Along a row or a
        # diagonal these exclude the left and right edge, so that no step leaves the board.
        self.axes = ((1, inner), (size, self.full), (size - 1, inner), (size + 1, inner))
        # A row has at most size - 2 discs to turn: two steps find two, then each of these finds two more.
        self.twos = range(size // 2 - 2)
        low, high = size // 2 - 1, size // 2
        self.first = 1 << low * size + high | 1 << high * size + low
        self.second = 1 << low * size + low | 1 << high * size + high

    def __reduce__(self) -> tuple[Any, ...]:
        return kind_of, (self.size,)

    def moves(self, own: int, other: int) -> int:
        """The empty cells, as bits, where a disc of the player with the discs `own` turns some of `other`."""
        cells, twos = 0, self.twos
        for step, inner in self.axes:
            there = other & inner
            if up := there & own << step:
                up |= there & up << step
                rising = there & there << step
                for _ in twos:
                    up |= rising & up << 2 * step
                cells |= up << step
            if down := there & own >> step:
                down |= there & down >> step
                falling = there & there >> step
                for _ in twos:
                    down |= falling & down >> 2 * step
                cells |= down >> step
        return cells & self.full & ~(own | other)

    def turned(self, own: int, other: int, bit: int) -> int:
        """The discs of `other`, as bits, that a disc on the cell `bit` turns over; 0 if none."""
        discs, twos = 0, self.twos
        for step, inner in self.axes:
            there = other & inner
            # Most neighbours are not the opponent's.
            if up := there & bit << step:
                up |= there & up << step
                rising = there & there << step
                for _ in twos:
                    up |= rising & up << 2 * step
                if up << step & own:
                    discs |= up
            if down := there & bit >> step:
                down |= there & down >> step
                falling = there & there >> step
                for _ in twos:
                    down |= falling & down >> 2 * step
                if down >> step & own:
                    discs |= down
        return discs


def kind_of(size: int) -> Kind:
    """What positions of a size share; GameError if that size is not played."""
    if type(size) is not int or size not in SIZES:
        raise GameError(f"reversi: size {size!r} is not played, choose one of {', '.join(map(str, SIZES))}.")
    return _kind_of(size)


@cache
def _kind_of(size: int) -> Kind:
    return Kind(size)
