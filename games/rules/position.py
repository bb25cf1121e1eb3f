"""What several games share: defaults for their states, square boards, planes from bits, the points that boards mark."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from ...errors import GameError
from ..encoding import Encoding, encode
from ..state import NO_SUCH_ACTION, OVER, Refusal, State, is_action, unknown_plane
from ..tables import Shapes, read_table

# The steps along a row, a column and both diagonals: rows down, columns to the right.
AXES = ((0, 1), (1, 0), (1, 1), (1, -1))


class _GameState(State, Protocol):
    @property
    def encoding(self) -> Encoding:
        """The encoding of the game's reference network."""

    def refuse(self, action: int) -> Refusal | None:
        """Why an action of the game is illegal while the game goes on."""


class _DrawnState(State, Protocol):
    game: ClassVar[str]
    planes: ClassVar[Collection[str]]

    @property
    def bit_board(self) -> tuple[int, int]:
        """Rows and columns of the bits."""

    def bits(self, names: Sequence[str]) -> list[int]:
        """Planes as bits."""


class _SquareState(State, Protocol):
    game: ClassVar[str]
    shapes: ClassVar[Shapes]
    letters: ClassVar[str]
    is_top_first: ClassVar[bool]
    noun: ClassVar[str]

    @property
    def size(self) -> int:
        """Points a side."""


class _WonState(Protocol):
    @property
    def winner(self) -> int | None:
        """The player who has won."""


class Rules:
    """The defaults of a game's states: won by a row, on a board without signs.

    `game` is the game's name. `plane` draws the names in `planes`, and `bits` those in `bit_planes`.
    """

    __slots__ = ()
    game: ClassVar[str]
    planes: ClassVar[Collection[str]] = ()
    bit_planes: ClassVar[Collection[str]] = ()

    def plane(self: _DrawnState, name: str) -> NDArray[np.float32]:
        """A plane, float32 of shape `board`: 1 where its bits are set; "signed" is "mover" minus "opponent".

        GameError if `planes` has no such name.
        """
        if name not in self.planes:
            raise unknown_plane(self.game, name, self.planes)
        if name == "signed":
            return self.plane("mover") - self.plane("opponent")
        return plane_of(self.bits((name,))[0], *self.bit_board)[:, : self.board[1]]

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


class Square:
    """A square board of `size` lines, whose points have names such as D4.

    `shapes` are the game's, `letters` those of the columns. `is_top_first` says whether row 1 is the top row, `noun`
    what an action that the board lacks is not. An action after the points is the pass.
    """

    __slots__ = ()
    shapes: ClassVar[Shapes]
    letters: ClassVar[str]
    is_top_first: ClassVar[bool] = False
    noun: ClassVar[str] = "no point"

    @property
    def board(self: _SquareState) -> tuple[int, int]:
        """Rows and columns."""
        return self.size, self.size

    @property
    def encoding(self: _SquareState) -> Encoding:
        """The reference network's encoding for this size."""
        return self.shapes.encoding(self.size, self.size)

    def label(self: _SquareState, action: int) -> str:
        """The point's column as a letter and its row's number, D4; or `pass`. GameError if there is no such action."""
        if not is_action(action, self.actions):
            last = self.actions - 1
            raise GameError(f"{self.game}: action {action!r} is {self.noun} of this board, choose 0 to {last}.")
        row, column = divmod(int(action), self.size)
        if row == self.size:
            return "pass"
        return f"{self.letters[column]}{row + 1 if self.is_top_first else self.size - row}"


class Position(Rules, tuple[Any, ...]):
    """A base for states that are tuples with `last_action` at the end. Equal positions are equal states.

    `last_action` does not count, so a table of positions (for training tic-tac-toe) holds each position only once.
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


def check_size_and_rule(game: str, sizes: Sequence[int], size: int, rules: Sequence[str], rule: str) -> None:
    """GameError if a game is not played on boards of a size, or by a rule."""
    if type(size) is not int or size not in sizes:
        raise GameError(f"{game}: size {size!r} is not possible, choose a number from {sizes[0]} to {sizes[-1]}.")
    if rule not in rules:
        raise GameError(f"{game}: rule {rule!r} is unknown, use {' or '.join(rules)}.")


def marks_of(pieces: tuple[int, int], cells: Iterable[int]) -> list[str]:
    """What a terminal shows of cells: X for player 0's pieces, O for player 1's, a dot if empty."""
    first, second = pieces
    return ["X" if first >> at & 1 else "O" if second >> at & 1 else "." for at in cells]


def row_text(pieces: tuple[int, int], cells: range, last: int | None) -> str:
    """The marks of a row's cells with a space before each; that of the cell `last` stands in brackets."""
    marks = marks_of(pieces, cells)
    text = "".join(f" {mark}" for mark in marks)
    if last is None or last not in cells:
        return text
    column = cells.index(last)
    return f"{text[: 2 * column]}[{marks[column]}]{text[2 * column + 3 :]}"


@cache
def star_points(size: int) -> frozenset[int]:
    """The marked points of a board with `size` lines, by their numbers; none below 9 lines."""
    return frozenset(row * size + column for row, column in read_table("star_points").get(str(size), ()))
