"""Gomoku: five in a row on a square board, freestyle or with the Renju rule for black.

Points are numbered row by row, row 0 on top. A player's stones are one integer whose bit `point` is
set where a stone stands. Black is player 0.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from functools import cache, reduce
from operator import or_
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ..state import OCCUPIED, Refusal, as_action, illegal
from ..tables import Shapes, shapes_of
from .cells import IN_A_ROW, position_of, rules_of
from .position import AXES, Rules, Square, check_size_and_rule, places_in, row_text, star_points
from .renju import Renju, line_starts, ray

SHAPES = shapes_of("gomoku")
SIZES = SHAPES.sizes
RULES = ("freestyle", "renju")
# A network reads the board now and 1, 2 and 3 plies ago.
HISTORY = 3
# By a plane's name, such as "mover@2": whether it is the opponent's stones, and from how many plies ago. "mover" always
# means the player to move now.
PLANES = {
    f"{player}{f'@{ago}' if ago else ''}": (at, ago)
    for at, player in enumerate(("mover", "opponent"))
    for ago in range(HISTORY + 1)
}
ENCODING = SHAPES.reference


class Kind:
    """What all positions of one size and rule share; `kind_of` makes one for each."""

    __slots__ = ("lines", "points", "renju", "rule", "size", "stars", "starts")

    def __init__(self, size: int, rule: str) -> None:
        self.size = size
        self.rule = rule
        self.points = tuple(range(size * size))
        # For each point its four lines, 4 points to either side: the bits, and the step between points.
        self.lines = tuple(tuple(_windows(size, point)) for point in self.points)
        self.stars = tuple(reduce(or_, (mask for mask, _ in lines)) for lines in self.lines)
        # For each direction the step, and as bits the points where five points in a line start.
        self.starts = tuple((step, five) for step, five, _ in line_starts(size))
        self.renju = Renju(size) if rule == "renju" else None

    def __reduce__(self) -> tuple[Any, ...]:
        return kind_of, (self.size, self.rule)

    def wins(self, stones: int, point: int) -> bool:
        """Whether `stones` have five or more in a row through `point`, one of them."""
        if (stones & self.stars[point]).bit_count() < 5:
            return False
        for mask, step in self.lines[point]:
            line = stones & mask
            if line.bit_count() >= 5:
                pairs = line & line >> step
                if pairs & pairs >> 2 * step & line >> 4 * step:
                    return True
        return False

    def fives(self, stones: int, empty: int) -> int:
        """The empty points, as bits, where one more stone makes five or more in a row."""
        points = 0
        for step, starts in self.starts:
            # Bit p of `line[k]` describes the point k steps beyond p.
            line = [stones >> k * step for k in range(5)]
            first, last = line[0] & line[1], line[3] & line[4]
            four = starts & (first & line[2] & line[3]), starts & (first & line[2] & line[4])
            rest = starts & (first & last), starts & (line[0] & line[2] & last), starts & (line[1] & line[2] & last)
            points |= four[0] << 4 * step | four[1] << 3 * step
            points |= rest[0] << 2 * step | rest[1] << step | rest[2]
        return points & empty


def kind_of(size: int, rule: str) -> Kind:
    """What positions of `size` with `rule` share; GameError if Gomoku has no such board or rule."""
    check_size_and_rule("gomoku", SIZES, size, RULES, rule)
    return _kind_of(size, rule)


@cache
def _kind_of(size: int, rule: str) -> Kind:
    return Kind(size, rule)


def _windows(size: int, point: int) -> Iterator[tuple[int, int]]:
    """The four lines through `point`, 4 points to either side: (bits, the step between two points)."""
    for down, right in AXES:
        forward, back = ray(size, point, down, right), ray(size, point, -down, -right)
        yield 1 << point | sum(1 << p for p in (*forward[:4], *back[:4])), down * size + right


def start(size: int = 15, rule: str = "freestyle") -> Gomoku:
    """The empty board, black to move. `size` 5 to 19, `rule` freestyle or renju; GameError otherwise."""
    kind = kind_of(size, rule)
    return Gomoku(kind, 0, 0, kind.points)


class _Position(NamedTuple):
    kind: Kind
    mover: int
    opponent: int
    open: tuple[int, ...]
    recent: tuple[int, ...] = ()
    to_move: int = 0
    winner: int | None = None


class Gomoku(Square, Rules, _Position):
    """A position; make the first one with `start`.

    `mover` and `opponent` are the stones of the player to move and of the other one. `open` are the empty points,
    ascending, none once the game is over. `recent` are the last three moves, newest first.

    Five or more in a row win; a full board is a draw. With the rule "renju" black's forbidden points
    (`renju`) are illegal, and black loses if every empty point is forbidden.
    """

    __slots__ = ()
    game: ClassVar[str] = "gomoku"
    shapes: ClassVar[Shapes] = SHAPES
    letters: ClassVar[str] = "ABCDEFGHIJKLMNOPQRS"
    bit_planes: ClassVar[Collection[str]] = PLANES
    planes: ClassVar[Collection[str]] = (*PLANES, "signed")

    @property
    def size(self) -> int:
        """Points a side."""
        return self.kind.size

    @property
    def actions(self) -> int:
        """The number of points."""
        return len(self.kind.points)

    @property
    def stones(self) -> tuple[int, int]:
        """Black's and white's stones."""
        return (self.opponent, self.mover) if self.to_move else (self.mover, self.opponent)

    @property
    def last_action(self) -> int | None:
        """The point played last; None before the first move."""
        return self.recent[0] if self.recent else None

    @property
    def past(self) -> int:
        """The number of earlier plies that planes can show, at most 3."""
        return len(self.recent)

    @property
    def is_terminal(self) -> bool:
        """Whether somebody has won or the board is full."""
        return not self.open

    def legal_actions(self) -> tuple[int, ...]:
        """The empty points, ascending, without black's forbidden ones; none once the game is over."""
        if self.to_move or self.kind.renju is None:
            return self.open
        forbidden = self.forbidden()
        return tuple(point for point in self.open if point not in forbidden) if forbidden else self.open

    def forbidden(self) -> dict[int, str]:
        """Black's forbidden points, if black is to move under "renju": overline, double_four or double_three."""
        if self.to_move or self.kind.renju is None or not self.open:
            return {}
        return self.kind.renju.forbidden(self.mover, self.opponent)

    def sudden(self) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """The points that make five for the mover, and how many the opponent has after each legal action.

        None if "renju" might leave black without a legal move: then white wins too, without five in a row.
        """
        kind, renju = self.kind, self.kind.renju
        if not self.open:
            return (), ()
        black, white = self.stones
        if renju is not None and renju.may_be_stuck(black, self.open):
            return None
        empty = (1 << self.actions) - 1 & ~(black | white)
        mine, theirs = kind.fives(self.mover, empty), kind.fives(self.opponent, empty)
        if renju is not None:
            # For black only points that make exactly five count; a longer row is forbidden.
            fives = places_in(mine if self.to_move == 0 else theirs)
            exact = sum(1 << point for point in fives if not renju.forbids(black, white, point))
            mine, theirs = (exact, theirs) if self.to_move == 0 else (mine, exact)
        # A stone takes a point from the opponent and changes no other of the opponent's winning points.
        count = theirs.bit_count()
        return tuple(places_in(mine)), tuple(count - (theirs >> point & 1) for point in self.legal_actions())

    def refuse(self, action: int) -> Refusal | None:
        """Why no stone can be set on `action`; None if one can."""
        if action not in self.open:
            return OCCUPIED
        forbidden = self.forbidden().get(action)
        return Refusal(forbidden) if forbidden else None

    def apply(self, action: int) -> Self:
        """The position after a stone on `action`; GameError, naming the legal ones, if it is illegal."""
        point = action if action.__class__ is int else as_action(action)
        kind, mover, opponent, points, recent, player, _ = self
        at = bisect_left(points, point)
        if at == len(points) or points[at] != point:
            raise illegal("gomoku", action, self.legal_actions())
        if kind.renju is not None and player == 0 and kind.renju.forbids(mover, opponent, point):
            raise illegal("gomoku", action, self.legal_actions())
        mover |= 1 << point
        points = points[:at] + points[at + 1 :]
        winner = None
        if kind.wins(mover, point):
            points, winner = (), player
        elif kind.renju is not None and player and points and kind.renju.is_stuck(opponent, mover, points):
            points, winner = (), 1
        return self.__class__(kind, opponent, mover, points, (point, *recent[: HISTORY - 1]), 1 - player, winner)

    def bits(self, names: Sequence[str]) -> list[int]:
        """Planes except "signed" as bits, row by row."""
        stones, then = (self.mover, self.opponent), [-1]
        for point in self.recent:
            then.append(then[-1] & ~(1 << point))
        then += [then[-1]] * (HISTORY + 1 - len(then))
        return [stones[theirs] & then[ago] for theirs, ago in map(PLANES.__getitem__, names)]

    def as_cells(self) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
        """As in `Rules`; None by Renju."""
        if self.kind.renju is not None:
            return None
        slots = (self.to_move, (self.mover | self.opponent).bit_count())
        return rules_of(IN_A_ROW, self.board, 5), position_of(self.actions, self.stones, slots)

    def signs(self) -> dict[int, str]:
        """The star points, and the points where black may not play."""
        return dict.fromkeys(star_points(self.size), "+") | dict.fromkeys(self.forbidden(), "x")

    def board_text(self) -> str:
        """The rows with their numbers, X black, O white, the last move in brackets; the letters below."""
        size = self.size
        rows = [
            f"{size - row:2}{row_text(self.stones, range(row * size, (row + 1) * size), self.last_action)}"
            for row in range(size)
        ]
        return "\n".join([*rows, "   " + " ".join(self.letters[:size])])
