"""Tic-tac-toe: an action is a cell, numbered row by row, 0 on the top left, 8 on the bottom right.

A player's marks are one integer whose bit `cell` is set where the player has a mark.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..encoding import Encoding
from ..state import OCCUPIED, Refusal, as_action, illegal
from ..tables import shapes_of
from .cells import IN_A_ROW, position_of, rules_of
from .position import Position

SIDE = 3
CELLS = SIDE * SIDE
FULL = (1 << CELLS) - 1
ENCODING = shapes_of("tictactoe").reference
PLANES = ("mover", "opponent", "signed")
LINES = tuple(
    sum(1 << cell for cell in cells)
    for cells in ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
)
# Indexed by the integer of a player's marks, and by that of both players' marks.
HAS_LINE = tuple(any(marks & line == line for line in LINES) for marks in range(FULL + 1))
EMPTY = tuple(tuple(cell for cell in range(CELLS) if not taken >> cell & 1) for taken in range(FULL + 1))


class _Position(NamedTuple):
    marks: tuple[int, int] = (0, 0)
    winner: int | None = None
    last_action: int | None = None


class TicTacToe(Position, _Position):
    """A position. `marks` are player 0's and player 1's; `winner` has three in a row."""

    __slots__ = ()
    actions: ClassVar[int] = CELLS
    board: ClassVar[tuple[int, int]] = (SIDE, SIDE)
    encoding: ClassVar[Encoding] = ENCODING
    game: ClassVar[str] = "tictactoe"
    planes: ClassVar[Collection[str]] = PLANES
    bit_planes: ClassVar[Collection[str]] = PLANES[:2]

    @property
    def to_move(self) -> int:
        """The player to move, 0 or 1."""
        crosses, noughts = self.marks
        return (crosses | noughts).bit_count() & 1

    @property
    def is_terminal(self) -> bool:
        """Whether a player has three in a row or the board is full."""
        crosses, noughts = self.marks
        return self.winner is not None or crosses | noughts == FULL

    def legal_actions(self) -> tuple[int, ...]:
        """The empty cells, ascending; none once the game is over."""
        crosses, noughts = self.marks
        return EMPTY[crosses | noughts] if self.winner is None else ()

    def refuse(self, action: int) -> Refusal | None:
        """Why no mark can be made in cell `action`; None if one can."""
        return OCCUPIED if (self.marks[0] | self.marks[1]) >> action & 1 else None

    def apply(self, action: int) -> TicTacToe:
        """The position after a mark was made in cell `action`; GameError if it cannot be."""
        crosses, noughts = self.marks
        taken = crosses | noughts
        at = action if action.__class__ is int else as_action(action)
        if self.winner is not None or at not in EMPTY[taken]:
            raise illegal("tictactoe", action, self.legal_actions())
        if taken.bit_count() & 1:
            noughts |= 1 << at
            return _new(TicTacToe, ((crosses, noughts), 1 if HAS_LINE[noughts] else None, at))
        crosses |= 1 << at
        return _new(TicTacToe, ((crosses, noughts), 0 if HAS_LINE[crosses] else None, at))

    def bits(self, names: Sequence[str]) -> list[int]:
        """Planes except "signed" as bits, row by row."""
        own, other = self.marks[:: 1 - 2 * self.to_move]
        return [own if name == "mover" else other for name in names]

    def as_cells(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """As in `Rules`."""
        slots = (self.to_move, (self.marks[0] | self.marks[1]).bit_count())
        return rules_of(IN_A_ROW, self.board, SIDE), position_of(CELLS, self.marks, slots)

    def label(self, action: int) -> str:
        """The cell's number."""
        return str(int(action))

    def board_text(self) -> str:
        """Three lines of X (player 0), O (player 1) and the numbers of the empty cells."""
        crosses, noughts = self.marks
        signs = ["X" if crosses >> at & 1 else "O" if noughts >> at & 1 else str(at) for at in range(CELLS)]
        return "\n".join(" ".join(signs[row * SIDE : (row + 1) * SIDE]) for row in range(SIDE))


# Makes a state like TicTacToe(...), without calling a Python function.
_new = tuple.__new__
