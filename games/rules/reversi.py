"""Reversi on boards of 4 to 10 cells per side, an even number, by default 8.

A disc is put on an empty cell so that it turns discs over: the opponent's discs in a row between it and another
disc of the mover. A player who cannot turn any must pass. The game ends if neither player can; more discs win.

Cells are numbered row by row, row 0 on top: a1 is cell 0. The last action is the pass. A player's discs are one integer
whose bit `cell` is set where a disc lies. Black is player 0.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..state import OCCUPIED, Refusal, as_action, illegal
from ..tables import Shapes
from .cells import REVERSI, position_of, rules_of
from .position import Position, Square, places_in
from .reversi_kind import LARGEST_IN_64, SHAPES, Kind, kind_of

ENCODING = SHAPES.reference
# "legal" is 1 where the mover may put a disc.
PLANES = ("mover", "opponent", "legal")


def start(size: int = SHAPES.size) -> Reversi:
    """Four discs in the middle, white's on d4 and e5 of 8 x 8, black to move; GameError if the size is not played."""
    kind = kind_of(size)
    return Reversi(kind, (kind.first, kind.second), 0, kind.moves(kind.first, kind.second))


class _Position(NamedTuple):
    kind: Kind
    discs: tuple[int, int]
    to_move: int
    moves: int
    is_terminal: bool = False
    last_action: int | None = None


class Reversi(Square, Position, _Position):
    """A position; make the first one with `start`. `discs` are black's and white's.

    `moves` are the cells, as bits, where the player to move may put a disc. If there are none, the player must pass, or
    the game is over (`is_terminal`).
    """

    __slots__ = ()
    game: ClassVar[str] = "reversi"
    shapes: ClassVar[Shapes] = SHAPES
    letters: ClassVar[str] = "ABCDEFGHIJ"
    is_top_first: ClassVar[bool] = True
    noun: ClassVar[str] = "none"
    bit_planes: ClassVar[Collection[str]] = PLANES
    planes: ClassVar[Collection[str]] = PLANES

    @property
    def size(self) -> int:
        """Cells a side."""
        return self.kind.size

    @property
    def actions(self) -> int:
        """The cells and the pass."""
        return self.kind.size**2 + 1

    @property
    def scores(self) -> tuple[int, int]:
        """The discs of black and of white."""
        return self.discs[0].bit_count(), self.discs[1].bit_count()

    @property
    def must_pass(self) -> bool:
        """Whether the player to move can turn no disc but the opponent can."""
        return not self.moves and not self.is_terminal

    def legal_actions(self) -> tuple[int, ...]:
        """The cells, ascending, or the pass alone; none once the game is over."""
        if self.moves:
            return tuple(places_in(self.moves))
        return () if self.is_terminal else (self.actions - 1,)

    def refuse(self, action: int) -> Refusal | None:
        """Why a disc cannot be put on cell `action`, or why a pass is illegal; None if it is legal."""
        if action == self.actions - 1:
            return Refusal("no_pass") if self.moves else None
        if not self.moves:
            return Refusal("must_pass")
        if (self.discs[0] | self.discs[1]) >> action & 1:
            return OCCUPIED
        return None if self.moves >> action & 1 else Refusal("turns_nothing")

    def sudden(self) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """As in `SuddenEnds`; None on a board of 10 cells a side, for a pass, and if the game is over."""
        if not self.moves or self.size > LARGEST_IN_64:
            return None
        from .reversi_boards import find_ends

        own, other = self.discs[:: 1 - 2 * self.to_move]
        wins, answers = find_ends(own, other, self.size, self.moves)
        return tuple(places_in(wins)), answers

    def apply(self, action: int) -> Reversi:
        """The position after `action`, a cell or the pass; GameError, naming the legal ones, if it is illegal."""
        kind, discs, player, moves, is_over, _ = self
        at = action if action.__class__ is int else as_action(action)
        own, other = discs[player], discs[1 - player]
        if moves and at >= 0 and moves >> at & 1:
            turned = kind.turned(own, other, 1 << at)
            own, other = own | 1 << at | turned, other & ~turned
        elif moves or is_over or at != kind.size**2:
            raise illegal("reversi", action, self.legal_actions())
        following = kind.moves(other, own)
        is_over = not following and not kind.moves(own, other)
        discs = (other, own) if player else (own, other)
        return _new(Reversi, (kind, discs, 1 - player, following, is_over, at))

    def returns(self) -> float:
        """Black's result: +1 more discs, -1 fewer, 0 equally many or not over."""
        if not self.is_terminal:
            return 0.0
        lead = self.score()
        return float((lead > 0) - (lead < 0))

    def score(self) -> int:
        """The discs by which black leads."""
        black, white = self.scores
        return black - white

    def bits(self, names: Sequence[str]) -> list[int]:
        """Planes as bits, row by row."""
        own, other = self.discs[:: 1 - 2 * self.to_move]
        return [own if name == "mover" else other if name == "opponent" else self.moves for name in names]

    def as_cells(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """As in `Rules`."""
        slots = (self.to_move, sum(self.scores))
        return rules_of(REVERSI, self.board), position_of(self.size**2, self.discs, slots)

    def signs(self) -> dict[int, str]:
        """The cells where the player to move may put a disc."""
        return dict.fromkeys(places_in(self.moves), "+")

    def margin(self) -> str:
        """The larger and the smaller number of discs."""
        return f", {max(self.scores)} discs to {min(self.scores)}"

    def board_text(self) -> str:
        """The rows with their numbers, X black, O white, + where the mover may go; the scores, and who must pass."""
        size, (black, white), signs = self.size, self.discs, self.signs()
        rows = []
        for row in range(size):
            cells = range(row * size, (row + 1) * size)
            marks = ("X" if black >> at & 1 else "O" if white >> at & 1 else signs.get(at, ".") for at in cells)
            rows.append(f"{row + 1:2} {' '.join(marks)}")
        rows[0] += f"   X {self.scores[0]}"
        rows[1] += f"   O {self.scores[1]}"
        if self.must_pass:
            rows[2] += f"   {'XO'[self.to_move]} must pass"
        return "\n".join([*rows, "   " + " ".join(self.letters[:size])])


# Makes a state like Reversi(...), without calling a Python function.
_new = tuple.__new__
