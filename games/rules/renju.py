"""Black's forbidden moves under the Renju rule: overlines, double fours and double threes.

The definitions are the Renju International Federation's ("The international rules of Renju", sections 3 and 9). They
concern a black stone added to the board:

    five           an unbroken row of exactly five: wins, whatever else the move makes
    overline       an unbroken row of six or more
    four           four stones that one more stone makes a five; .XXXX. is one four, X.XXX.X are two
    straight four  .XXXX. both ends make a five
    three          three stones that one more stone makes a straight four, where that stone is allowed:
                   it makes no five elsewhere, no overline, no double four and no double three

A move that makes two fours or two threes is forbidden. Whether a three counts depends on whether a later move
is allowed, so the definition is recursive; each step adds a stone, so it ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from .position import AXES, places_in

FIVE, OVERLINE, DOUBLE_FOUR, DOUBLE_THREE, FREE = "five", "overline", "double_four", "double_three", ""

# The bits of the points on one side of a point, nearest first. Zeros follow: they are neither black
# nor empty, like everything beyond the edge.
Ray = tuple[int, ...]
# One line through a point: both rays, and how many black stones adjoin the point along each.
Line = tuple[Ray, Ray, int, int]


def ray(size: int, point: int, down: int, right: int) -> tuple[int, ...]:
    """The points from `point` (not included) to the edge in one direction."""
    row, column = divmod(point, size)
    steps = range(1, size)
    cells = ((row + step * down, column + step * right) for step in steps)
    return tuple(r * size + c for r, c in cells if 0 <= r < size and 0 <= c < size)


class Renju:
    """The rule on a board of `size`. Black's and white's stones are integers whose bit `point` is set."""

    def __init__(self, size: int) -> None:
        points = range(size * size)
        self.full = (1 << size * size) - 1
        # For each point and direction: the rays back and forward, and the points up to 4 away on both.
        self.lines = tuple(tuple(_lines(size, point)) for point in points)
        # The points up to 4 away along the lines. A forbidden point has 4 black stones there.
        self.near = tuple(sum(near for _, _, near in lines) for lines in self.lines)
        self.starts = line_starts(size)

    def forbidden(self, black: int, white: int) -> dict[int, str]:
        """Black's forbidden points, ascending, each with the reason: overline, double_four or double_three.

        If several reasons forbid a move, the first in this order is given.
        """
        empty = self.full & ~(black | white)
        judged = ((point, self._judge(black, empty, point)) for point in self._suspects(black, empty))
        return {point: verdict for point, verdict in judged if verdict not in (FREE, FIVE)}

    def forbids(self, black: int, white: int, point: int) -> bool:
        """Whether black may not play the empty `point`."""
        return self._judge(black, self.full & ~(black | white), point) not in (FREE, FIVE)

    def is_stuck(self, black: int, white: int, points: Sequence[int]) -> bool:
        """Whether every one of `points`, the empty ones, is forbidden to black."""
        return all(self.forbids(black, white, point) for point in points)

    def may_be_stuck(self, black: int, points: Sequence[int]) -> bool:
        """Whether two more stones, one of each player, could leave black without a move; `points` are the empty ones.

        False if three points have fewer than 3 black stones near, because one more black stone leaves them allowed.
        """
        loose = (point for point in points if (black & self.near[point]).bit_count() < 3)
        return len(tuple(islice(loose, 3))) < 3

    def _suspects(self, black: int, empty: int) -> Iterator[int]:
        """The empty points that may be forbidden, ascending; includes all that are.

        A point is suspect if it has a possible three or four in two directions. It is also suspect with a possible four
        in one direction, which covers two fours in one line, and an overline.
        """
        once = twice = 0
        for step, five_starts, six_starts in self.starts:
            fours, threes = _rows(black, empty, step, five_starts, six_starts)
            once, twice = once | fours | threes, twice | fours | once & threes
        return places_in(twice & empty)

    def _judge(self, black: int, empty: int, point: int) -> str:
        """What a black stone on the empty `point` makes: FIVE, a forbidden figure, or FREE."""
        # Two threes take four stones, and all other figures here at least as many: most points end here.
        if (black & self.near[point]).bit_count() < 4:
            return FREE
        lines = [
            (left, right, _run(black, left, 0), _run(black, right, 0))
            for left, right, near in self.lines[point]
            if (black & near).bit_count() >= 2  # what a three, a four or a longer row needs
        ]
        if not lines:
            return FREE
        lengths = [before + 1 + after for _, _, before, after in lines]
        if 5 in lengths:
            return FIVE
        if max(lengths) > 5:
            return OVERLINE
        if sum(_fours(black, empty, line) for line in lines) >= 2:
            return DOUBLE_FOUR
        threes = [ends for line in lines if (ends := _straight_fours(black, empty, line))]
        if len(threes) < 2:
            return FREE
        # A three counts only if its straight four is allowed; that is judged with the stone on the board.
        black, empty = black | 1 << point, empty & ~(1 << point)
        real = sum(any(self._judge(black, empty, end) == FREE for end in ends) for ends in threes)
        return DOUBLE_THREE if real >= 2 else FREE


def _run(black: int, along: Ray, start: int) -> int:
    """The index of the first point of a ray, from `start` on, without a black stone."""
    while black & along[start]:
        start += 1
    return start


def _fours(black: int, empty: int, line: Line) -> int:
    """How many fours (0, 1 or 2) the stone makes in one line in which it makes no five."""
    left, right, before, after = line
    first = bool(empty & left[before]) and _run(black, left, before + 1) + 1 + after == 5
    second = bool(empty & right[after]) and before + 1 + _run(black, right, after + 1) == 5
    # Four adjoining stones are one four, whichever end makes a five.
    return int(first or second) if before + 1 + after == 4 else first + second


def _straight_fours(black: int, empty: int, line: Line) -> list[int]:
    """The points of one line that would make the stone part of a straight four, allowed or not."""
    left, right, before, after = line
    points = []
    for near, far, reach, rest in ((left, right, before, after), (right, left, after, before)):
        if empty & near[reach]:
            end = _run(black, near, reach + 1)
            if end + 1 + rest == 4 and _is_open(black, empty, near, end) and _is_open(black, empty, far, rest):
                points.append(near[reach].bit_length() - 1)
    return points


def _is_open(black: int, empty: int, along: Ray, end: int) -> bool:
    """Whether a stone would lengthen the row that ends before index `end` of a ray by exactly one."""
    return bool(empty & along[end]) and not black & along[end + 1]


def _rows(black: int, empty: int, step: int, five_starts: int, six_starts: int) -> tuple[int, int]:
    """The points with a possible four in one direction, and those with a possible three, for the whole board at once.

    A possible four is in five points in a line, without white and with at least 3 stones. A possible three is in the
    inner four of six points without white, if both ends are empty and at least 2 inner points have stones.
    """
    # Bit p of a board shifted k times describes the point k steps beyond p. So bit p of `two` says that p and the
    # points visited so far have two black stones.
    usable = free = black | empty
    one, two, three = black, 0, 0
    shifted = black
    inner = 0
    for _ in range(4):
        inner = two & free
        shifted >>= step
        usable >>= step
        three |= two & shifted
        two |= one & shifted
        one |= shifted
        free &= usable
    fives = three & free & five_starts
    sixes = inner >> step & empty & empty >> 5 * step & six_starts
    return _spread(fives, step) | fives << 4 * step, _spread(sixes << step, step)


def _spread(starts: int, step: int) -> int:
    """Each bit of `starts` and the three after it in one direction."""
    pairs = starts | starts << step
    return pairs | pairs << 2 * step


def _lines(size: int, point: int) -> Iterator[tuple[Ray, Ray, int]]:
    """For each direction: the ray back and the ray forward, each followed by zeros, and the points up to 4 away."""
    for down, right in AXES:
        back, forward = (tuple(1 << p for p in ray(size, point, sign * down, sign * right)) for sign in (-1, 1))
        yield (*back, 0, 0), (*forward, 0, 0), sum((*back[:4], *forward[:4]))


def line_starts(size: int) -> tuple[tuple[int, int, int], ...]:
    """For each direction the step, the points where five points in a line start, and those where six start."""
    return tuple(_starts(size, down, right) for down, right in AXES)


def _starts(size: int, down: int, right: int) -> tuple[int, int, int]:
    """For one direction the step, the points where five points in a line start, and those where six start."""
    lengths = [len(ray(size, point, down, right)) + 1 for point in range(size * size)]
    five, six = (sum(1 << point for point, length in enumerate(lengths) if length >= n) for n in (5, 6))
    return down * size + right, five, six
