"""What all Gomoku positions of one size and rule share: the lines through each point, and the Renju rule."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, reduce
from operator import or_
from typing import Any

from ...errors import GameError
from .renju import DIRECTIONS, Renju, ray

SIZES = range(5, 20)
RULES = ("freestyle", "renju")


class Board:
    """What all positions of one size and rule share; made by `board`, one of each kind."""

    __slots__ = ("lines", "points", "renju", "rule", "size", "stars")

    def __init__(self, size: int, rule: str) -> None:
        self.size = size
        self.rule = rule
        self.points = tuple(range(size * size))
        # For each point its four lines, 4 points to either side: the bits, and the step between them.
        self.lines = tuple(tuple(_windows(size, point)) for point in self.points)
        self.stars = tuple(reduce(or_, (mask for mask, _ in lines)) for lines in self.lines)
        self.renju = Renju(size) if rule == "renju" else None

    def __reduce__(self) -> tuple[Any, ...]:
        return board, (self.size, self.rule)

    def wins(self, stones: int, point: int) -> bool:
        """Whether `stones`, of which `point` is one, have five or more in a row through it."""
        if (stones & self.stars[point]).bit_count() < 5:
            return False
        for mask, step in self.lines[point]:
            line = stones & mask
            if line.bit_count() >= 5:
                pairs = line & line >> step
                if pairs & pairs >> 2 * step & line >> 4 * step:
                    return True
        return False


def board(size: int, rule: str) -> Board:
    """The board of `size` with `rule`; GameError where there is none such."""
    if type(size) is not int or size not in SIZES:
        raise GameError(f"gomoku: size {size!r} is not possible, choose a number from {SIZES[0]} to {SIZES[-1]}.")
    if rule not in RULES:
        raise GameError(f"gomoku: rule {rule!r} is unknown, use {' or '.join(RULES)}.")
    return _made(size, rule)


@cache
def _made(size: int, rule: str) -> Board:
    return Board(size, rule)


def _windows(size: int, point: int) -> Iterator[tuple[int, int]]:
    """The four lines through `point`, 4 points to either side: (bits, the step between two points)."""
    for down, right in DIRECTIONS:
        forward, back = ray(size, point, down, right), ray(size, point, -down, -right)
        yield 1 << point | sum(1 << p for p in (*forward[:4], *back[:4])), down * size + right
