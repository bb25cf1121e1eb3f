"""Hex on 3 by 3 to 13 by 13 cells: a player wins by joining their two sides of the rhombus with a chain of stones.

Cells are numbered row by row, row 0 on top, each row half a cell further to the right than the one above it. Player 0,
who begins, joins the top and the bottom row, player 1 the left and the right column. A cell (r, c) touches (r, c - 1),
(r, c + 1), (r - 1, c), (r + 1, c), (r - 1, c + 1), (r + 1, c - 1). A player's stones are one integer whose
bit `cell` is set where a stone stands.

Every full board has exactly one winner (D. Gale, "The Game of Hex and the Brouwer Fixed-Point Theorem", The American
Mathematical Monthly 86, 1979), so there are no draws.

With the rule "swap" the second player may take the first stone over instead of playing. It becomes their stone on the
cell mirrored in the diagonal from a1, where it is worth the same to them. The action is the cell of the first stone; it
is legal only then.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from functools import cache
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ..state import OCCUPIED, Refusal, as_action, illegal
from ..tables import Shapes, shapes_of
from .cells import HEX, position_of, rules_of
from .position import Position, Square, check_size_and_rule, places_in, row_text

SHAPES = shapes_of("hex")
SIZES = SHAPES.sizes
RULES = ("plain", "swap")
SWAP = RULES[1]
ENCODING = SHAPES.reference
# Row and column steps to the six neighbours of a cell.
NEIGHBOURS = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))
# "mover_joined" are the mover's stones that are connected with one of the mover's sides.
PLANES = ("mover", "opponent", "mover_joined", "opponent_joined")


class Kind:
    """What all positions of one size and rule share; `kind_of` makes one for each.

    `sides` has for each player the cells of the first and of the second side, as bits.
    """

    __slots__ = ("full", "mirror", "not_left", "not_right", "rule", "sides", "size", "touching")

    def __init__(self, size: int, rule: str) -> None:
        self.size, self.rule = size, rule
        self.full = (1 << size * size) - 1
        row, column = (1 << size) - 1, sum(1 << at * size for at in range(size))
        self.sides = ((row, row << size * (size - 1)), (column, column << size - 1))
        self.not_left, self.not_right = self.full & ~column, self.full & ~(column << size - 1)
        # The mirror image of each cell in the diagonal from a1.
        self.mirror = tuple(at % size * size + at // size for at in range(size * size))
        self.touching = tuple(tuple(places_in(self.beside(1 << at))) for at in range(size * size))

    def __reduce__(self) -> tuple[Any, ...]:
        return kind_of, (self.size, self.rule)

    def beside(self, cells: int) -> int:
        """The cells that touch one of `cells`; some of `cells` may be among them."""
        size, left, right = self.size, cells & self.not_left, cells & self.not_right
        return self.full & (
            left >> 1 | right << 1 | cells >> size | cells << size | right >> size - 1 | left << size - 1
        )

    def joined(self, stones: int, seed: int) -> int:
        """The `stones` that are connected with one of `seed`."""
        group, size, not_left, not_right = seed & stones, self.size, self.not_left, self.not_right
        edge = group
        while edge:
            left, right = edge & not_left, edge & not_right
            near = left >> 1 | right << 1 | edge >> size | edge << size | right >> size - 1 | left << size - 1
            edge = near & stones & ~group
            group |= edge
        return group

    def wins(self, stones: int, cell: int, player: int) -> bool:
        """Whether a chain of `player`'s `stones` through `cell`, one of them, joins the player's sides."""
        first, second = self.sides[player]
        if not (stones & first and stones & second):
            return False
        group = self.joined(stones, 1 << cell)
        return bool(group & first and group & second)

    def winning_cells(self, stones: int, empty: int, player: int) -> int:
        """The empty cells, as bits, where one more stone of `player` joins the player's sides."""
        first, second = self.sides[player]
        near_first = first | self.beside(self.joined(stones, first))
        return empty & near_first & (second | self.beside(self.joined(stones, second)))

    def mirrored(self, stones: int) -> int:
        """The stones mirrored in the diagonal from a1."""
        return sum(1 << self.mirror[at] for at in places_in(stones))


def kind_of(size: int, rule: str) -> Kind:
    """What positions of `size` with `rule` share; GameError if Hex has no such board or rule."""
    check_size_and_rule("hex", SIZES, size, RULES, rule)
    return _kind_of(size, rule)


@cache
def _kind_of(size: int, rule: str) -> Kind:
    return Kind(size, rule)


def start(size: int = SHAPES.size, rule: str = RULES[0]) -> Hex:
    """The empty board. `size` 3 to 13, `rule` plain or swap; GameError otherwise."""
    return Hex(kind_of(size, rule), (0, 0))


class _Position(NamedTuple):
    kind: Kind
    stones: tuple[int, int]
    to_move: int = 0
    winner: int | None = None
    last_action: int | None = None


class Hex(Square, Position, _Position):
    """A position; make the first one with `start`. `stones` are player 0's and player 1's, `winner` has won."""

    __slots__ = ()
    game: ClassVar[str] = "hex"
    shapes: ClassVar[Shapes] = SHAPES
    letters: ClassVar[str] = "abcdefghijklm"
    is_top_first: ClassVar[bool] = True
    noun: ClassVar[str] = "no cell"
    bit_planes: ClassVar[Collection[str]] = PLANES
    planes: ClassVar[Collection[str]] = (*PLANES, "signed")

    @property
    def size(self) -> int:
        """Cells a side."""
        return self.kind.size

    @property
    def actions(self) -> int:
        """The number of cells."""
        return self.kind.size**2

    @property
    def is_terminal(self) -> bool:
        """Whether a player has joined their sides."""
        return self.winner is not None

    @property
    def empty(self) -> int:
        """The cells without a stone, as bits."""
        return self.kind.full & ~(self.stones[0] | self.stones[1])

    @property
    def is_swap_open(self) -> bool:
        """Whether the player to move may take the first stone over."""
        first, second = self.stones
        return self.kind.rule == SWAP and self.to_move == 1 and second == 0 and first.bit_count() == 1

    def legal_actions(self) -> tuple[int, ...]:
        """The empty cells, and the first stone's if it may be taken over, ascending; none once the game is over."""
        if self.winner is not None:
            return ()
        return tuple(places_in(self.kind.full if self.is_swap_open else self.empty))

    def sudden(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The mover's winning cells, and how many the opponent has after each legal action."""
        if self.winner is not None:
            return (), ()
        mine, theirs = (self._winning_cells(player) for player in (self.to_move, 1 - self.to_move))
        # A stone takes a cell from the opponent and changes no other of the opponent's winning cells.
        count = theirs.bit_count()
        return tuple(places_in(mine)), tuple(count - (theirs >> cell & 1) for cell in self.legal_actions())

    def _winning_cells(self, player: int) -> int:
        return self.kind.winning_cells(self.stones[player], self.empty, player)

    def refuse(self, action: int) -> Refusal | None:
        """Why no stone can be set on `action`; None if one can, or the stone there may be taken over."""
        return None if self.empty >> action & 1 or self.is_swap_open else OCCUPIED

    def apply(self, action: int) -> Self:
        """The position after a stone on `action`; GameError, naming the legal ones, if it is illegal."""
        cell = action if action.__class__ is int else as_action(action)
        kind, stones, player, winner, _ = self
        if winner is not None or not 0 <= cell < kind.size**2:
            raise illegal("hex", action, self.legal_actions())
        if (stones[0] | stones[1]) >> cell & 1:
            if not self.is_swap_open:
                raise illegal("hex", action, self.legal_actions())
            return self.__class__(kind, (0, 1 << kind.mirror[cell]), 0, None, cell)
        own = stones[player] | 1 << cell
        after = (own, stones[1]) if player == 0 else (stones[0], own)
        return self.__class__(kind, after, 1 - player, player if kind.wins(own, cell, player) else None, cell)

    def mirrored(self) -> Self:
        """The same position with the players exchanged and every stone mirrored in the diagonal from a1.

        The same rules hold in it. Its policy is this position's at `kind.mirror`.
        """
        kind, (first, second), player, winner, last = self
        stones = (kind.mirrored(second), kind.mirrored(first))
        won = None if winner is None else 1 - winner
        return self.__class__(kind, stones, 1 - player, won, None if last is None else kind.mirror[last])

    def chain(self) -> tuple[int, ...]:
        """A shortest chain of the winner's stones from the first side to the second; empty if there is no winner."""
        if self.winner is None:
            return ()
        kind, stones = self.kind, self.stones[self.winner]
        first, last = kind.sides[self.winner]
        came: dict[int, int | None] = dict.fromkeys(places_in(stones & first))
        waiting = deque(came)
        while not last >> waiting[0] & 1:
            at = waiting.popleft()
            for cell in kind.touching[at]:
                if stones >> cell & 1 and cell not in came:
                    came[cell] = at
                    waiting.append(cell)
        cells: list[int] = []
        at_last: int | None = waiting[0]
        while at_last is not None:
            cells.append(at_last)
            at_last = came[at_last]
        return tuple(reversed(cells))

    def bits(self, names: Sequence[str]) -> list[int]:
        """Planes except "signed" as bits, row by row."""
        return [self._stones_of(name) for name in names]

    def _stones_of(self, plane: str) -> int:
        player = self.to_move if plane.startswith("mover") else 1 - self.to_move
        stones = self.stones[player]
        if not plane.endswith("_joined"):
            return stones
        first, second = self.kind.sides[player]
        return self.kind.joined(stones, first | second)

    def as_cells(self) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
        """As in `Rules`; None with the swap rule."""
        if self.kind.rule == SWAP:
            return None
        slots = (self.to_move, (self.stones[0] | self.stones[1]).bit_count())
        return rules_of(HEX, self.board), position_of(self.actions, self.stones, slots)

    def board_text(self) -> str:
        """The letters, then the rows, each shifted to the right; X joins top and bottom, O left and right.

        The last stone stands in brackets.
        """
        rows, last = [" " * 3 + " ".join(self.letters[: self.size])], self.last_stone
        for row in range(self.size):
            cells = range(row * self.size, (row + 1) * self.size)
            text = row_text(self.stones, cells, last)
            rows.append(f"{' ' * row}{row + 1:2}{text}")
        return "\n".join(rows)

    @property
    def last_stone(self) -> int | None:
        """The cell of the last stone; a swap moves the stone to another cell. None before the first move."""
        last = self.last_action
        return last if last is None or not self.empty >> last & 1 else self.kind.mirror[last]
