"""Connect4 on 4 to 10 rows by 4 to 10 columns, by default 6 by 7: an action is the cell that a disc lands on.

Cells are numbered row by row, row 0 on top: 0 is top left, the last one bottom right. A player's discs are one integer
whose bit `cell` is set where a disc lies.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import GameError
from ..encoding import Encoding
from ..state import OCCUPIED, OVER, Refusal, as_action, illegal
from ..tables import shapes_of
from .cells import IN_A_ROW, position_of, rules_of
from .position import AXES, Position, marks_of, places_in

SHAPES = shapes_of("connect4")
ENCODING = SHAPES.reference
ROWS, COLUMNS = ENCODING.board
CHOICES = {setting.name: setting.choices for setting in SHAPES.settings}
FOUR = 4


class Kind:
    """What all positions of one board share; `kind_of` makes one per board."""

    __slots__ = ("bottom", "cells", "columns", "encoding", "full", "lines", "row_cells", "rows", "starts", "won")

    def __init__(self, rows: int, columns: int) -> None:
        self.rows, self.columns = rows, columns
        self.full = (1 << rows * columns) - 1
        self.bottom = self.full >> (rows - 1) * columns << (rows - 1) * columns
        self.encoding = SHAPES.encoding(rows, columns)
        # Every line of four, as the integer with its four cells' bits set.
        self.lines = tuple(self._fours())
        # By direction: the step from cell to cell, and as bits the cells where a line of four starts.
        self.starts = tuple(self._starts(down, right) for down, right in AXES)
        self.cells = {at: self._cell(at) for at in range(rows * columns)}
        # A disc wins if the mover's discs on a line through its cell are one of these sets. That takes four look-ups
        # in a set of integers instead of up to 13 comparisons.
        longest = {line for known in self.cells.values() for line in known[3:]}
        self.won = frozenset(discs for line in longest for discs in self._wins(line))
        # For each row, by its bits, the numbers of the set cells.
        self.row_cells = tuple(_numbers_in(row * columns, columns) for row in range(rows))

    def __reduce__(self) -> tuple[Any, ...]:
        return kind_of, (self.rows, self.columns)

    def _holds(self, row: int, column: int) -> bool:
        return 0 <= row < self.rows and 0 <= column < self.columns

    def _fours(self) -> Iterator[int]:
        for at in range(self.rows * self.columns):
            row, column = divmod(at, self.columns)
            for down, right in AXES:
                if self._holds(row + (FOUR - 1) * down, column + (FOUR - 1) * right):
                    yield sum(1 << at + step * (down * self.columns + right) for step in range(FOUR))

    def _starts(self, down: int, right: int) -> tuple[int, int]:
        rows, columns = range(self.rows - 3 * down), range(max(0, -3 * right), self.columns - max(0, 3 * right))
        return down * self.columns + right, sum(1 << row * self.columns + at for row in rows for at in columns)

    def _longest(self, at: int, down: int, right: int) -> int:
        """All cells of the row, column or diagonal through cell `at`."""
        row, column = divmod(at, self.columns)
        reach = range(-max(self.rows, self.columns), max(self.rows, self.columns))
        steps = [(row + step * down, column + step * right) for step in reach]
        return sum(1 << r * self.columns + c for r, c in steps if self._holds(r, c))

    def _wins(self, cells: int) -> Iterator[int]:
        """Every subset of `cells`, a line from edge to edge, that has four in a row."""
        fours = [line for line in self.lines if line & cells == line]
        part = cells
        while part:
            if any(part & four == four for four in fours):
                yield part
            part = (part - 1) & cells

    def fourths(self, discs: int) -> int:
        """The cells, as bits, where one more disc makes four in a row; some of `discs` may be among them."""
        cells = 0
        for step, starts in self.starts:
            # Bit p of each describes the cell 1, 2 or 3 steps beyond p.
            second, third, last = discs >> step, discs >> 2 * step, discs >> 3 * step
            front, back = starts & discs & second, starts & third & last
            cells |= (front & third) << 3 * step | (front & last) << 2 * step
            cells |= (back & discs) << step | back & second
        return cells

    def _cell(self, at: int) -> tuple[int, int, int, int, int, int, int]:
        """The bits of a cell that `apply` needs.

        These are the cell; the cell and the one below; the one below alone (0 in the bottom row). Then the four lines
        through the cell: row, column, falling and rising diagonal.
        """
        below = 1 << at + self.columns & self.full
        row, column, falling, rising = (self._longest(at, down, right) for down, right in AXES)
        return 1 << at, 1 << at | below, below, row, column, falling, rising


def _numbers_in(first: int, columns: int) -> tuple[tuple[int, ...], ...]:
    """For each value of a row's bits, the numbers of the set cells; `first` is the row's first cell."""
    return tuple(tuple(first + at for at in places_in(bits)) for bits in range(1 << columns))


def kind_of(rows: int, columns: int) -> Kind:
    """What positions on a board of these rows and columns share; GameError if such boards are not played."""
    for name, number in (("rows", rows), ("columns", columns)):
        known = CHOICES[name]
        if type(number) is not int or number not in known:
            raise GameError(
                f"connect4: {number!r} {name} are not played, choose a number from {known[0]} to {known[-1]}."
            )
    return _kind_of(rows, columns)


@cache
def _kind_of(rows: int, columns: int) -> Kind:
    return Kind(rows, columns)


STANDARD = kind_of(ROWS, COLUMNS)


def start(rows: int = ROWS, columns: int = COLUMNS) -> Connect4:
    """The empty board; GameError if it is not of 4 to 10 rows and 4 to 10 columns."""
    return Connect4(kind=kind_of(rows, columns))


class _Position(NamedTuple):
    discs: tuple[int, int] = (0, 0)
    winner: int | None = None
    kind: Kind = STANDARD
    last_action: int | None = None


class Connect4(Position, _Position):
    """A position. `discs` are player 0's and player 1's; `winner` has four in a row; `kind` is the board."""

    __slots__ = ()
    game: ClassVar[str] = "connect4"
    planes: ClassVar[Collection[str]] = ENCODING.planes
    bit_planes: ClassVar[Collection[str]] = ENCODING.planes

    @property
    def actions(self) -> int:
        """The number of cells."""
        return self.kind.rows * self.kind.columns

    @property
    def board(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.kind.rows, self.kind.columns

    @property
    def encoding(self) -> Encoding:
        """The reference network's encoding of this board."""
        return self.kind.encoding

    @property
    def to_move(self) -> int:
        """The player to move, 0 or 1."""
        first, second = self.discs
        return (first | second).bit_count() & 1

    @property
    def is_terminal(self) -> bool:
        """Whether somebody has four in a row or the board is full."""
        first, second = self.discs
        return self.winner is not None or first | second == self.kind.full

    def legal_actions(self) -> tuple[int, ...]:
        """The lowest empty cell of each column that has one, ascending; none once the game is over."""
        if self.winner is not None:
            return ()
        (first, second), kind = self.discs, self.kind
        taken, columns = first | second, kind.columns
        # An empty cell on the bottom or on a disc.
        free, every = (taken >> columns | kind.bottom) & ~taken, (1 << columns) - 1
        legal: tuple[int, ...] = ()
        for numbers in kind.row_cells:
            legal += numbers[free & every]
            free >>= columns
        return legal

    def sudden(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The mover's winning cells, and how many the opponent has after each legal action."""
        kind, (own, other) = self.kind, self.discs[:: 1 - 2 * self.to_move]
        legal, mine, theirs = self.legal_actions(), kind.fourths(own), kind.fourths(other)
        count = sum(theirs >> at & 1 for at in legal)
        # A disc takes its cell from the opponent and opens the one above it.
        above = theirs << kind.columns
        answers = tuple(count - (theirs >> at & 1) + (above >> at & 1) for at in legal)
        return tuple(at for at in legal if mine >> at & 1), answers

    def landing(self, column: int) -> int:
        """The cell where a disc dropped into `column` (0 on the left) lands; GameError if it cannot land."""
        legal, columns = self.legal_actions(), self.kind.columns
        for action in legal:
            if action % columns == column:
                return action
        named = ", ".join(str(c) for c in sorted(action % columns for action in legal))
        instead = f"choose column {named}" if named else OVER.text
        raise GameError(f"connect4: no disc can be dropped into column {column}, {instead}.")

    def refuse(self, action: int) -> Refusal | None:
        """Why no disc can land on cell `action`; None if one can."""
        taken = self.discs[0] | self.discs[1]
        if taken >> action % self.kind.columns & 1:
            return Refusal("full")
        if taken >> action & 1:
            return OCCUPIED
        return None if action in self.legal_actions() else Refusal("not_lowest")

    def apply(self, action: int) -> Connect4:
        """The position after a disc has landed on cell `action`; GameError if it cannot."""
        (first, second), winner, kind, _ = self
        taken = first | second
        at = action if action.__class__ is int else as_action(action)
        try:
            bit, place, below, row, column, falling, rising = kind.cells[at]
        except KeyError:
            raise illegal("connect4", action, self.legal_actions()) from None
        if taken & place != below or winner is not None:
            raise illegal("connect4", action, self.legal_actions())
        played = taken.bit_count()
        mover = played & 1
        own = (second if mover else first) | bit
        wins = kind.won
        # Before the seventh ply neither player has four discs.
        won = played > 5 and (
            own & row in wins or own & column in wins or own & falling in wins or own & rising in wins
        )
        discs = (first, own) if mover else (own, second)
        return _new(Connect4, (discs, mover if won else None, kind, at))

    def bits(self, names: Sequence[str]) -> list[int]:
        """Planes as bits, row by row."""
        own, other = self.discs[:: 1 - 2 * self.to_move]
        return [own if name == "mover" else other for name in names]

    def as_cells(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """As in `Rules`."""
        first, second = self.discs
        slots = (self.to_move, (first | second).bit_count())
        return rules_of(IN_A_ROW, self.board, FOUR, drops=True), position_of(self.actions, self.discs, slots)

    def label(self, action: int) -> str:
        """The number of the column, 0 on the left."""
        return str(int(action) % self.kind.columns)

    def board_text(self) -> str:
        """One line per row of X (player 0), O (player 1) and dots, with the columns' numbers below."""
        columns = self.kind.columns
        marks = marks_of(self.discs, range(self.actions))
        rows = [" ".join(marks[row * columns : (row + 1) * columns]) for row in range(self.kind.rows)]
        return "\n".join([*rows, " ".join(str(column) for column in range(columns))])


# Makes a state like Connect4(...), without calling a Python function.
_new = tuple.__new__
