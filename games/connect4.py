"""Connect4, 6 rows by 7 columns: an action is the cell a disc lands on.

Cells are numbered row by row, row 0 on top: 0 is top left, 41 bottom right. A player's discs are
one integer whose bit `cell` is set where a disc lies.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from azx.export.errors import GameError
from azx.games.encoding import Encoding, encode

ROWS, COLUMNS = 6, 7
CELLS = ROWS * COLUMNS
FULL = (1 << CELLS) - 1
ENCODING = Encoding(layout="channels_first", board=(ROWS, COLUMNS), planes=("mover", "opponent"))


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
LINES_THROUGH = tuple(tuple(line for line in LINES if line >> at & 1) for at in range(CELLS))


@dataclass(frozen=True)
class Connect4:
    """A position. `discs` are player 0's and player 1's; `winner` is who has four in a row."""

    discs: tuple[int, int] = (0, 0)
    winner: int | None = None

    actions: ClassVar[int] = CELLS
    encoding: ClassVar[Encoding] = ENCODING

    @property
    def to_move(self) -> int:
        """The player to move, 0 or 1."""
        return (self.discs[0] | self.discs[1]).bit_count() % 2

    @property
    def is_terminal(self) -> bool:
        """Whether somebody has four in a row or the board is full."""
        return self.winner is not None or self.discs[0] | self.discs[1] == FULL

    @cached_property
    def _legal(self) -> tuple[int, ...]:
        if self.is_terminal:
            return ()
        occupied = self.discs[0] | self.discs[1]
        lowest = (
            next((c for c in range(CELLS - COLUMNS + k, -1, -COLUMNS) if not occupied >> c & 1), -1)
            for k in range(COLUMNS)
        )
        return tuple(sorted(c for c in lowest if c >= 0))

    def legal_actions(self) -> tuple[int, ...]:
        """The lowest empty cell of each column that has one, ascending; none once the game is over."""
        return self._legal

    def landing(self, column: int) -> int:
        """The cell a disc dropped into `column` (0 on the left) lands on; GameError where it cannot."""
        for action in self._legal:
            if action % COLUMNS == column:
                return action
        columns = ", ".join(str(c) for c in sorted(action % COLUMNS for action in self._legal))
        raise GameError(f"connect4: no disc can be dropped into column {column}, {_open_to('column', columns)}")

    def apply(self, action: int) -> Self:
        """The position after a disc has landed on cell `action`; GameError where it cannot."""
        if action not in self._legal:
            cells = ", ".join(map(str, self._legal))
            raise GameError(f"connect4: action {action} is illegal here, {_open_to('action', cells)}")
        mover = self.to_move
        own = self.discs[mover] | 1 << int(action)
        discs = (own, self.discs[1]) if mover == 0 else (self.discs[0], own)
        won = any(own & line == line for line in LINES_THROUGH[action])
        return replace(self, discs=discs, winner=mover if won else None)

    def returns(self) -> float:
        """The result seen by player 0: +1 won, -1 lost, 0 drawn or not over."""
        return 0.0 if self.winner is None else 1.0 - 2.0 * self.winner

    def plane(self, name: str) -> NDArray[np.float32]:
        """The plane "mover" or "opponent", float32 (6, 7), 1 where that player's discs lie."""
        if name not in ENCODING.planes:
            raise GameError(f"connect4: there is no plane '{name}', use {' or '.join(ENCODING.planes)}")
        player = self.to_move if name == "mover" else 1 - self.to_move
        return cells_of(self.discs[player])

    def encode(self) -> NDArray[np.float32]:
        """Float32 (2, 6, 7): the mover's discs, then the opponent's."""
        return encode(self, self.encoding)

    def board_text(self) -> str:
        """Six lines of X (player 0), O (player 1) and dots, and the columns' numbers below."""
        marks = ["X" if self.discs[0] >> at & 1 else "O" if self.discs[1] >> at & 1 else "." for at in range(CELLS)]
        rows = [" ".join(marks[row * COLUMNS : (row + 1) * COLUMNS]) for row in range(ROWS)]
        return "\n".join([*rows, " ".join(str(column) for column in range(COLUMNS))])


def cells_of(discs: int) -> NDArray[np.float32]:
    """One player's discs as float32 (6, 7), row 0 on top."""
    raw = np.frombuffer(discs.to_bytes(8, "little"), dtype=np.uint8)
    return np.unpackbits(raw, bitorder="little")[:CELLS].reshape(ROWS, COLUMNS).astype(np.float32)


def _open_to(kind: str, legal: str) -> str:
    """The end of an illegal move's sentence: what could be played instead."""
    return f"choose {kind} {legal}" if legal else "the game is over"
