"""Connect4, 6 rows by 7 columns: an action is the cell a disc lands on.

Cells are numbered row by row, row 0 on top: 0 is top left, 41 bottom right. A player's discs are
one integer whose bit `cell` is set where a disc lies.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import GameError
from ..encoding import Encoding
from ..state import OCCUPIED, OVER, Refusal, as_action, illegal
from ..tables import shapes_of
from .position import Position, plane_of

ENCODING = shapes_of("connect4").reference
ROWS, COLUMNS = ENCODING.board
CELLS = ROWS * COLUMNS
FULL = (1 << CELLS) - 1


def cell(row: int, column: int) -> int:
    """The number of a cell; row 0 is on top."""
    return row * COLUMNS + column


def _lines() -> Iterator[int]:
    """The 69 lines of four, each the integer with its four cells' bits set."""
    for row in range(ROWS):
        for column in range(COLUMNS):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if row + 3 * down < ROWS and 0 <= column + 3 * right < COLUMNS:
                    yield sum(1 << cell(row + step * down, column + step * right) for step in range(4))


LINES = tuple(_lines())
BOTTOM = FULL >> CELLS - COLUMNS << CELLS - COLUMNS


def _longest(at: int, down: int, right: int) -> int:
    """All cells of the row, column or diagonal through cell `at`."""
    row, column = divmod(at, COLUMNS)
    steps = [(row + step * down, column + step * right) for step in range(-COLUMNS, COLUMNS + 1)]
    return sum(1 << cell(r, c) for r, c in steps if 0 <= r < ROWS and 0 <= c < COLUMNS)


def _wins(cells: int) -> Iterator[int]:
    """Every set of some of `cells`, a line from edge to edge, that has four in a row."""
    fours = [line for line in LINES if line & cells == line]
    part = cells
    while part:
        if any(part & four == four for four in fours):
            yield part
        part = (part - 1) & cells


def _cell(at: int) -> tuple[int, int, int, int, int, int, int]:
    """What `apply` needs to know of a cell.

    Its bit; it and the cell below; the cell below alone (nothing in the bottom row). Then the four lines through it:
    row, column, falling and rising diagonal.
    """
    place, below = (1 << at | 1 << at + COLUMNS) & FULL, 1 << at + COLUMNS & FULL
    row, column, falling, rising = (_longest(at, down, right) for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)))
    return 1 << at, place, below, row, column, falling, rising


CELL = {at: _cell(at) for at in range(CELLS)}
# A disc wins if the mover's discs on a line through its cell are one of these sets. That takes four look-ups in a set
# of integers instead of up to 13 comparisons.
WON = frozenset(
    discs for longest in {line for known in CELL.values() for line in known[3:]} for discs in _wins(longest)
)
# By row and the row's seven bits: the numbers of the cells set.
ROW_CELLS = tuple(
    tuple(tuple(cell(row, c) for c in range(COLUMNS) if bits >> c & 1) for bits in range(1 << COLUMNS))
    for row in range(ROWS)
)


class _Position(NamedTuple):
    discs: tuple[int, int] = (0, 0)
    winner: int | None = None
    last_action: int | None = None


class Connect4(Position, _Position):
    """A position. `discs` are player 0's and player 1's; `winner` is who has four in a row."""

    __slots__ = ()
    actions: ClassVar[int] = CELLS
    board: ClassVar[tuple[int, int]] = (ROWS, COLUMNS)
    encoding: ClassVar[Encoding] = ENCODING

    @property
    def to_move(self) -> int:
        """The player to move, 0 or 1."""
        first, second = self.discs
        return (first | second).bit_count() & 1

    @property
    def is_terminal(self) -> bool:
        """Whether somebody has four in a row or the board is full."""
        first, second = self.discs
        return self.winner is not None or first | second == FULL

    def legal_actions(self) -> tuple[int, ...]:
        """The lowest empty cell of each column that has one, ascending; none once the game is over."""
        if self.winner is not None:
            return ()
        first, second = self.discs
        taken = first | second
        # An empty cell on the bottom or on a disc.
        free = (taken >> COLUMNS | BOTTOM) & ~taken
        top, upper, high, low, lower, bottom = ROW_CELLS
        return (
            top[free & 127]
            + upper[free >> 7 & 127]
            + high[free >> 14 & 127]
            + low[free >> 21 & 127]
            + lower[free >> 28 & 127]
            + bottom[free >> 35]
        )

    def landing(self, column: int) -> int:
        """The cell a disc dropped into `column` (0 on the left) lands on; GameError if it cannot."""
        legal = self.legal_actions()
        for action in legal:
            if action % COLUMNS == column:
                return action
        columns = ", ".join(str(c) for c in sorted(action % COLUMNS for action in legal))
        instead = f"choose column {columns}" if columns else OVER.text
        raise GameError(f"connect4: no disc can be dropped into column {column}, {instead}.")

    def refuse(self, action: int) -> Refusal | None:
        """Why no disc can land on cell `action`; None if one can."""
        taken = self.discs[0] | self.discs[1]
        if taken >> action % COLUMNS & 1:
            return Refusal("full")
        if taken >> action & 1:
            return OCCUPIED
        return None if action in self.legal_actions() else Refusal("not_lowest")

    def apply(self, action: int) -> Connect4:
        """The position after a disc has landed on cell `action`; GameError if it cannot."""
        first, second = self.discs
        taken = first | second
        at = action if action.__class__ is int else as_action(action)
        try:
            bit, place, below, row, column, falling, rising = CELL[at]
        except KeyError:
            raise illegal("connect4", action, self.legal_actions()) from None
        if taken & place != below or self.winner is not None:
            raise illegal("connect4", action, self.legal_actions())
        played = taken.bit_count()
        mover = played & 1
        own = (second if mover else first) | bit
        # Nobody has four discs before the seventh ply.
        won = played > 5 and (own & row in WON or own & column in WON or own & falling in WON or own & rising in WON)
        discs = (first, own) if mover else (own, second)
        return _new(Connect4, (discs, mover if won else None, at))

    def plane(self, name: str) -> NDArray[np.float32]:
        """The plane "mover" or "opponent", float32 (6, 7), 1 where that player's discs lie."""
        if name not in ENCODING.planes:
            raise GameError(f"connect4: there is no plane '{name}', use {' or '.join(ENCODING.planes)}.")
        player = self.to_move if name == "mover" else 1 - self.to_move
        return plane_of(self.discs[player], ROWS, COLUMNS)

    def label(self, action: int) -> str:
        """The number of the column, 0 on the left."""
        return str(int(action) % COLUMNS)

    def board_text(self) -> str:
        """Six lines of X (player 0), O (player 1) and dots, and the columns' numbers below."""
        marks = ["X" if self.discs[0] >> at & 1 else "O" if self.discs[1] >> at & 1 else "." for at in range(CELLS)]
        rows = [" ".join(marks[row * COLUMNS : (row + 1) * COLUMNS]) for row in range(ROWS)]
        return "\n".join([*rows, " ".join(str(column) for column in range(COLUMNS))])


# What Connect4(...) ends in, without the call of a Python function.
_new = tuple.__new__
