"""Dots and Boxes on n x n boxes: an action draws one edge between two neighbouring dots.

Edges are numbered row by row: first the horizontal ones (n + 1 rows of n), then the vertical ones (n rows of n + 1).
The last action is the pass. Boxes are numbered row by row. A player who completes a box moves again: the opponent must
pass, so that the players always alternate. Sets of edges and boxes are integers whose bit `number` is set.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import GameError
from ..encoding import Encoding
from ..state import Refusal, as_action, illegal
from ..tables import shapes_of
from .cells import BOXES, position_of, rules_of
from .position import Position

SHAPES = shapes_of("dots_and_boxes")
SIZES = SHAPES.sizes
REFERENCE_SIZE = SHAPES.size
PLANES = SHAPES.reference.planes


def _boxes(size: int) -> Iterator[int]:
    """The four edges of each box: above, below, left, right."""
    vertical = size * (size + 1)
    for row in range(size):
        for column in range(size):
            above, left = row * size + column, vertical + row * (size + 1) + column
            yield 1 << above | 1 << above + size | 1 << left | 1 << left + 1


def _moves(size: int) -> dict[int, tuple[int, tuple[tuple[int, int], ...]]]:
    """For each action: its edge's bit (0 for the pass), and for each box beside it the four edges and its bit."""
    edges, boxes = 2 * size * (size + 1), list(enumerate(_boxes(size)))
    sides = {at: (1 << at, tuple((box, 1 << k) for k, box in boxes if box >> at & 1)) for at in range(edges)}
    return {**sides, edges: (0, ())}


MOVES = {size: _moves(size) for size in SIZES}
FULL = {size: (1 << 2 * size * (size + 1)) - 1 for size in SIZES}


ENCODING = SHAPES.reference


@cache
def _free(size: int) -> tuple[tuple[int, tuple[tuple[int, ...], ...]], ...]:
    """For each group of eight edges: the first edge's number, and for each value of their bits the undrawn edges."""
    eights = [range(2 * size * (size + 1))[first : first + 8] for first in range(0, 2 * size * (size + 1), 8)]
    return tuple(
        (e[0], tuple(tuple(at for k, at in enumerate(e) if not bits >> k & 1) for bits in range(256))) for e in eights
    )


def start(size: int = REFERENCE_SIZE) -> DotsAndBoxes:
    """The empty grid of `size` x `size` boxes; GameError if the size is not 2 to 6."""
    if isinstance(size, bool) or size not in SIZES:
        raise GameError(f"dots_and_boxes: size {size} is not played, choose one from {SIZES[0]} to {SIZES[-1]}.")
    return DotsAndBoxes(int(size))


class _Position(NamedTuple):
    size: int = REFERENCE_SIZE
    edges: int = 0
    boxes: tuple[int, int] = (0, 0)
    to_move: int = 0
    must_pass: bool = False
    last_action: int | None = None


class DotsAndBoxes(Position, _Position):
    """A position of `start(size)`: the drawn `edges`, the `boxes` of player 0 and of player 1, who is to move.

    `must_pass` says that the opponent has just completed a box and moves again.
    """

    __slots__ = ()
    game: ClassVar[str] = "dots_and_boxes"
    planes: ClassVar[Collection[str]] = (*PLANES, "last")
    bit_planes: ClassVar[Collection[str]] = ("edges", "must_pass", "last")

    @property
    def actions(self) -> int:
        """The edges and the pass."""
        return 2 * self.size * (self.size + 1) + 1

    @property
    def board(self) -> tuple[int, int]:
        """Rows and columns of the planes: the horizontal edges above the vertical ones."""
        return 2 * self.size + 1, self.size + 1

    @property
    def encoding(self) -> Encoding:
        """The reference network's encoding for this size."""
        return SHAPES.encoding(*self.board)

    @property
    def scores(self) -> tuple[int, int]:
        """The boxes of player 0 and of player 1."""
        return self.boxes[0].bit_count(), self.boxes[1].bit_count()

    @property
    def owners(self) -> tuple[int | None, ...]:
        """The player who completed each box, row by row: 0, 1, or None while it is open."""
        boxes, (first, second) = range(self.size * self.size), self.boxes
        return tuple(0 if first >> box & 1 else 1 if second >> box & 1 else None for box in boxes)

    @property
    def is_terminal(self) -> bool:
        """Whether all edges are drawn."""
        return self.edges == FULL[self.size]

    def legal_actions(self) -> tuple[int, ...]:
        """The edges not drawn, ascending, or the pass alone; none once the game is over."""
        if self.must_pass:
            return (self.actions - 1,)
        legal, edges = tuple[int, ...](), self.edges
        for at, free in _free(self.size):
            legal += free[edges >> at & 255]
        return legal

    def sudden(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Empty: the end counts boxes, and a search sees the end without help."""
        return (), (0,) * len(self.legal_actions())

    def refuse(self, action: int) -> Refusal | None:
        """Why edge `action`, or the pass, cannot be played; None if it can be."""
        is_pass = action == self.actions - 1
        if self.must_pass:
            return None if is_pass else Refusal("must_pass")
        if is_pass:
            return Refusal("no_pass")
        return Refusal("drawn") if self.edges >> action & 1 else None

    def apply(self, action: int) -> DotsAndBoxes:
        """The position after `action`, an edge or the pass; GameError if it is illegal."""
        size, edges, boxes, to_move, must_pass, _ = self
        at = action if action.__class__ is int else as_action(action)
        try:
            bit, through = MOVES[size][at]
        except KeyError:
            raise illegal("dots_and_boxes", action, self.legal_actions()) from None
        if must_pass != (not bit) or edges & bit:
            raise illegal("dots_and_boxes", action, self.legal_actions())
        edges |= bit
        completed = 0
        for box, which in through:
            if edges & box == box:
                completed |= which
        if not completed:
            return _new(DotsAndBoxes, (size, edges, boxes, 1 - to_move, False, at))
        first, second = boxes
        boxes = (first, second | completed) if to_move else (first | completed, second)
        return _new(DotsAndBoxes, (size, edges, boxes, 1 - to_move, edges != FULL[size], at))

    def returns(self) -> float:
        """Player 0's result: +1 more boxes, -1 fewer, 0 equally many or not over."""
        if not self.is_terminal:
            return 0.0
        first, second = self.scores
        return float((first > second) - (first < second))

    def plane(self, name: str) -> NDArray[np.float32]:
        """A plane, float32 (2 size + 1, size + 1), zero except for what its name says.

        "edges" is 1 for each drawn edge. The horizontal ones are in the upper size + 1 rows, whose last column stays
        zero; the vertical ones are below. The last column holds the number of the mover's boxes in row 0
        ("mover_boxes") and of the opponent's in row 1 ("opponent_boxes"). Row 2 has a 1 when the mover must pass
        ("must_pass"). "last" is only the edge drawn last, nothing after a pass.
        """
        if name not in PLANES or name in self.bit_planes:
            return super().plane(name)
        made = np.zeros(self.board, dtype=np.float32)
        row, mover = PLANES.index(name) - 1, self.to_move
        made[row, self.size] = self.scores[mover if row == 0 else 1 - mover]
        return made

    def bits(self, names: Sequence[str]) -> list[int]:
        """The planes that are not counts as bits, row by row."""
        last = 0 if self.last_action is None else MOVES[self.size][self.last_action][0]
        must_pass = self.must_pass << 2 * (self.size + 1) + self.size
        return [
            must_pass if name == "must_pass" else self._laid_out(self.edges if name == "edges" else last)
            for name in names
        ]

    def _laid_out(self, edges: int) -> int:
        """Edges as bits of the board; its rows of horizontal edges end with an empty cell."""
        size = self.size
        across = size * (size + 1)
        laid = edges >> across << (size + 1) ** 2
        for row in range(size + 1):
            laid |= (edges >> row * size & (1 << size) - 1) << row * (size + 1)
        return laid

    def as_cells(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """As in `Rules`."""
        slots = (self.to_move, self.edges.bit_count(), int(self.must_pass), *self.scores)
        position = position_of(self.actions - 1, (self.edges, 0), slots)
        return rules_of(BOXES, (self.size, self.size)), position

    def label(self, action: int) -> str:
        """The edge's number, or `pass`."""
        return "pass" if action == self.actions - 1 else str(int(action))

    def margin(self) -> str:
        """The larger and the smaller number of boxes."""
        return f", {max(self.scores)} boxes to {min(self.scores)}"

    def board_text(self) -> str:
        """Dots, drawn edges, the numbers of free ones, X and O in completed boxes, with the scores beside."""
        rows = [line(self, row) for row in range(self.size) for line in (_horizontals, _verticals)]
        rows.append(_horizontals(self, self.size))
        rows[0] += f"   X {self.scores[0]}"
        rows[1] += f"   O {self.scores[1]}"
        if self.must_pass:
            rows[2] += f"   {'XO'[self.to_move]} must pass"
        return "\n".join(rows)


# Makes a state like DotsAndBoxes(...), without calling a Python function.
_new = tuple.__new__


def _horizontals(state: DotsAndBoxes, row: int) -> str:
    """A line of dots and the edges between them; a dot every five characters, from the second on."""
    numbers = range(row * state.size, (row + 1) * state.size)
    return " +" + "+".join("----" if state.edges >> at & 1 else f"{at:>3} " for at in numbers) + "+"


def _verticals(state: DotsAndBoxes, row: int) -> str:
    """A line of boxes and the edges between them, each below the dot where it begins."""
    left = state.size * (state.size + 1) + row * (state.size + 1)
    owners = {0: "X", 1: "O", None: " "}
    marks = [owners[owner] for owner in state.owners[row * state.size : (row + 1) * state.size]]
    sides = [" |" if state.edges >> at & 1 else f"{at:>2}" for at in range(left, left + state.size + 1)]
    return "".join(f"{side} {mark} " for side, mark in zip(sides, marks, strict=False)) + sides[-1]
