"""What several games share: defaults for their states, planes from bits, the points that boards mark."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from ..encoding import Encoding, encode
from ..state import NO_SUCH_ACTION, OVER, Refusal, State, is_action
from ..tables import read_table


class _GameState(State, Protocol):
    @property
    def encoding(self) -> Encoding:
        """The encoding of the game's reference network."""

    def refuse(self, action: int) -> Refusal | None:
        """Why an action of the game is illegal while the game goes on."""


class _WonState(Protocol):
    @property
    def winner(self) -> int | None:
        """The player who has won."""


class Rules:
    """The defaults of a game's states: won by a row, on a board without signs."""

    __slots__ = ()
    bit_planes: ClassVar[Collection[str]] = ()

    def as_cells(self) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
        """The rules and the position as in `cells.py`, for searches without a network; None if it lacks the game."""
        return None

    @property
    def bit_board(self: State) -> tuple[int, int]:
        """Rows and columns of the planes in `bit_planes`, as `bits` gives them: the board's by default."""
        return self.board

    def why_illegal(self: _GameState, action: int) -> Refusal | None:
        """Why `action` cannot be played; None if it can be."""
        if self.is_terminal:
            return OVER
        return self.refuse(int(action)) if is_action(action, self.actions) else NO_SUCH_ACTION

    def returns(self: _WonState) -> float:
        """Player 0's result: +1 won, -1 lost, 0 drawn or not over."""
        return 0.0 if self.winner is None else 1.0 - 2.0 * self.winner

    def encode(self: _GameState) -> NDArray[np.float32]:
        """The reference network's input, float32 of the shape of `encoding`."""
        return encode(self, self.encoding)

    def signs(self) -> dict[int, str]:
        """Empty: the board has no signs."""
        return {}

    def margin(self) -> str:
        """Empty: a won row has no margin."""
        return ""


class Position(Rules, tuple[Any, ...]):
    """A base for states that are tuples with `last_action` at the end: equal however they were reached.

    A table of positions (tic-tac-toe is trained on one) then holds each once, not once for each way to it.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self[:-1] == other[:-1]

    # A tuple has its own `__ne__`, which would not be the opposite.
    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[:-1])


def places_in(bits: int) -> Iterator[int]:
    """The numbers of the set bits, ascending."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def plane_of(bits: int, rows: int, columns: int) -> NDArray[np.float32]:
    """Bits, row by row from the lowest on, as float32 (rows, columns)."""
    raw = np.frombuffer(bits.to_bytes(-(-rows * columns // 8), "little"), dtype=np.uint8)
    return np.unpackbits(raw, count=rows * columns, bitorder="little").reshape(rows, columns).astype(np.float32)


@cache
def star_points(size: int) -> frozenset[int]:
    """The marked points of a board with `size` lines, by their numbers; none below 9 lines."""
    return frozenset(row * size + column for row, column in read_table("star_points").get(str(size), ()))
