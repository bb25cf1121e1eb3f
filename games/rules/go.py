"""Go on 5 x 5 to 19 x 19 points: an action is a point or, the last of them, the pass.

Points are numbered row by row, row 0 on top. Suicide is illegal. A stone may not recreate an earlier
board (positional superko). Two passes end the game; it is scored by area (Tromp-Taylor), with all
stones alive. Player 0 is black.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import ClassVar, NamedTuple

from ...errors import GameError
from ..state import OCCUPIED, Refusal, as_action, illegal
from ..tables import Shapes, shapes_of
from .go_board import actions_of, area, place, playable, split, tables
from .position import Rules, Square, star_points

SHAPES = shapes_of("go")
SIZES = SHAPES.sizes
REFERENCE_SIZE = SHAPES.size
KOMI = float(SHAPES.default("komi"))
HISTORY = 8


def _planes_of(who: str) -> tuple[str, ...]:
    return (who, *(f"{who}@{ago}" for ago in range(1, HISTORY)))


# By a plane's name, such as "mover@2": whether it is the opponent's stones, and from how many plies ago. "mover" always
# means the player to move now, and a pass is a ply.
PLANES = {name: (at >= HISTORY, at % HISTORY) for at, name in enumerate(_planes_of("mover") + _planes_of("opponent"))}


ENCODING = SHAPES.reference


def start(size: int = REFERENCE_SIZE, komi: float = KOMI) -> Go:
    """The empty board; GameError if the size is not 5 to 19 or the komi is no finite number."""
    if isinstance(size, bool) or size not in SIZES:
        raise GameError(f"go: size {size} is not played, choose a number from {SIZES[0]} to {SIZES[-1]}.")
    if isinstance(komi, bool) or not isinstance(komi, (int, float)) or not math.isfinite(komi):
        raise GameError(f"go: komi {komi!r} is no number of points, choose one such as 7.5.")
    return Go(size=int(size), komi=float(komi))


class _Position(NamedTuple):
    to_move: int = 0
    is_terminal: bool = False
    boards: tuple[int, ...] = (0,)
    taken: int = 0
    size: int = REFERENCE_SIZE
    komi: float = KOMI


class Go(Square, Rules, _Position):
    """A position of `start(size, komi)`.

    `boards` are all boards of the game in order, from the empty one to the present one; a board
    is one integer (see go_board). `taken` has every stone that was ever captured, as a board.
    """

    __slots__ = ()
    game: ClassVar[str] = "go"
    shapes: ClassVar[Shapes] = SHAPES
    # No I, which looks like a 1.
    letters: ClassVar[str] = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
    bit_planes: ClassVar[Collection[str]] = PLANES
    planes: ClassVar[Collection[str]] = PLANES

    @property
    def actions(self) -> int:
        """The points of the board, and the pass."""
        return self.size * self.size + 1

    @property
    def past(self) -> int:
        """The number of earlier plies that planes can show: all plies of the game."""
        return len(self.boards) - 1

    def apply(self, action: int) -> Go:
        """The position after a stone on point `action`, or after a pass; GameError if that is illegal."""
        to_move, over, boards, taken, size, komi = self
        table = tables(size)
        if over or type(action) is not int or not 0 <= action < table.points:
            return self._apply_rare(action)
        board = boards[-1]
        after = place(table, board, to_move, action)
        changed = board ^ after
        # Only setting a stone that was captured before can repeat an earlier board.
        if not after or (taken and taken & changed & after and after in boards):
            raise illegal("go", action, self.legal_actions())
        over = len(boards) >= table.limit
        # Not (*boards, after), which would copy the boards twice.
        return _new(Go, (1 - to_move, over, boards + (after,), taken | changed & board, size, komi))  # noqa: RUF005

    def _apply_rare(self, action: int) -> Go:
        """Handle the pass, NumPy's integers, and all illegal actions."""
        whole = as_action(action)
        points = self.size * self.size
        if self.is_terminal or not 0 <= whole <= points:
            raise illegal("go", action, self.legal_actions())
        if whole < points:
            return self.apply(whole)
        boards = (*self.boards, self.boards[-1])
        over = self._has_passed or len(self.boards) >= tables(self.size).limit
        return _new(Go, (1 - self.to_move, over, boards, self.taken, self.size, self.komi))

    @property
    def _has_passed(self) -> bool:
        """Whether the last ply was a pass: a stone always changes the board."""
        return len(self.boards) > 1 and self.boards[-1] == self.boards[-2]

    def legal_actions(self) -> tuple[int, ...]:
        """The points where a stone may be set, ascending, and the pass; none once the game is over."""
        to_move, over, boards, taken, size, _ = self
        if over:
            return ()
        table, board = tables(size), boards[-1]
        legal = playable(table, board, to_move)
        again = legal & split(table, taken, to_move)[0] if taken else 0
        if again:
            earlier = set(boards)
            for action in actions_of(table, again):
                if place(table, board, to_move, action) in earlier:
                    legal ^= table.bits[action]
        return (*actions_of(table, legal), table.points)

    def sudden(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The moves that end the game: after the opponent's pass, a pass wins if ahead and loses if behind.

        A player who is behind and passes first loses, because the opponent passes too. (The limit of 3
        N^2 plies is ignored.)
        """
        if self.is_terminal:
            return (), ()
        legal, score = self.legal_actions(), self.score()
        ahead = score if self.to_move == 0 else -score
        others = (0,) * (len(legal) - 1)
        if self._has_passed:
            return ((legal[-1],) if ahead > 0 else ()), (*others, self.actions + 1 if ahead < 0 else 0)
        return (), (*others, 1 if ahead < 0 else 0)

    def without_pass(self) -> Go:
        """The same position for a player who may not pass while another point is legal."""
        return _new(_WithoutPass, self)

    def refuse(self, action: int) -> Refusal | None:
        """Why `action` cannot be played; None if it can be."""
        table = tables(self.size)
        board = self.boards[-1]
        if action == table.points:
            return None
        if board & table.places[0][action][1]:
            return OCCUPIED
        after = place(table, board, self.to_move, action)
        if not after:
            return Refusal("suicide")
        if after in self.boards:
            return Refusal("superko", self.boards.index(after))
        return None

    def score(self) -> float:
        """Black's area minus white's, minus the komi; positive if black is ahead. All stones count as alive."""
        black, white = area(tables(self.size), self.boards[-1])
        return black.bit_count() - white.bit_count() - self.komi

    def areas(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The points that count for black and for white, ascending; neutral points are in neither."""
        table = tables(self.size)
        black, white = area(table, self.boards[-1])
        return actions_of(table, black), actions_of(table, white)

    def returns(self) -> float:
        """Player 0's result: +1 won, -1 lost, 0 drawn (with a whole komi) or not over."""
        score = self.score() if self.is_terminal else 0.0
        return float((score > 0) - (score < 0))

    def stones(self, player: int) -> tuple[int, ...]:
        """The points where `player` has stones, ascending."""
        table = tables(self.size)
        return actions_of(table, split(table, self.boards[-1], player)[0])

    @property
    def last_action(self) -> int | None:
        """What was played last; None before the first move."""
        if len(self.boards) == 1:
            return None
        before, now = self.boards[-2:]
        return self._points(now & ~before)[0] if now != before else self.size * self.size

    def prisoners(self) -> tuple[int, int]:
        """The numbers of stones that black and white have captured in the whole game."""
        table = tables(self.size)
        pairs = zip(self.boards, self.boards[1:], strict=False)
        lost = [split(table, before & ~after, 0) for before, after in pairs]
        return sum(white.bit_count() for _, white in lost), sum(black.bit_count() for black, _ in lost)

    def _points(self, board: int) -> tuple[int, ...]:
        """The points of a board that have a stone of either colour."""
        table = tables(self.size)
        black, white = split(table, board, 0)
        return actions_of(table, black | white)

    @property
    def bit_board(self) -> tuple[int, int]:
        """Rows and columns of the planes as bits: each row ends with the wall of `go_board`."""
        return self.size, self.size + 1

    def bits(self, names: Sequence[str]) -> list[int]:
        """Planes as bits, row by row."""
        table, boards, to_move = tables(self.size), self.boards, self.to_move
        full, width, plies = table.full, table.width, len(boards)
        planes = []
        for theirs, ago in map(PLANES.__getitem__, names):
            board = boards[-1 - ago] if ago < plies else 0
            planes.append(board >> width if to_move ^ theirs else board & full)
        return planes

    def signs(self) -> dict[int, str]:
        """The star points."""
        return dict.fromkeys(star_points(self.size), "+")

    def margin(self) -> str:
        """The winner's margin in points."""
        return f" ({'black' if self.score() > 0 else 'white'} by {abs(self.score()):g})"

    def board_text(self) -> str:
        """A line for each row, X black, O white, the last stone in brackets; + marks the handicap points."""
        stars = star_points(self.size)
        marks = ["+" if at in stars else "." for at in range(self.size * self.size)]
        for player, sign in enumerate("XO"):
            for at in self.stones(player):
                marks[at] = sign
        rows = [self._row_text(row, marks) for row in range(self.size)]
        return "\n".join([*rows, "    " + " ".join(self.letters[: self.size])])

    def _row_text(self, row: int, marks: list[str]) -> str:
        line = f"{self.size - row:>2}  " + " ".join(marks[row * self.size : (row + 1) * self.size]) + " "
        last = self.last_action
        if last is None or last // self.size != row:
            return line.rstrip()
        at = 4 + 2 * (last % self.size)
        return f"{line[: at - 1]}({line[at]}){line[at + 2 :]}".rstrip()


class _WithoutPass(Go):
    """A position in which the player to move may pass only if nothing else is legal; later positions are as usual."""

    __slots__ = ()

    def legal_actions(self) -> tuple[int, ...]:
        """Like a `Go`'s, without the pass."""
        legal = super().legal_actions()
        return legal[:-1] or legal

    def sudden(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """No winning moves, because a stone never ends the game; as in `Go` if only the pass is legal."""
        legal = self.legal_actions()
        return ((), (0,) * len(legal)) if legal[:1] != (self.actions - 1,) else super().sudden()


# Makes a state like Go(...), without calling a Python function.
_new = tuple.__new__
