"""The positions that a probe shows; in each the rules alone decide what is right.

win     one move wins, and the opponent threatens nothing
block   no move wins, and a single move stops the opponent's win
both    one move wins, and another only stops the opponent's win; in Hex one cell does both
lost    no move wins, and none stops the opponent's win
drawn   the board is almost full, and every continuation is a draw

For Reversi, in which no single move wins before the end:

legal   any legal move is right among the empty cells; the discs' colours decide which moves are legal
ahead   the end of the game is won, as solved to the last disc
behind  it is lost, with the same discs for each player as in the n-th position of "ahead"

In each kind the first positions, as many as there are of "lost", have the same numbers of pieces for each player to
move. So a value cannot distinguish the kinds by counting. The rest are for policies only.
`benchmarks/probe_positions.py` drew them by random play and wrote games/data/probe.json: a text of each game's moves,
one character per move, the right move first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ...games.game import Game, Settings
from ...games.known.catalogue import GAMES
from ...games.rules.hex import Hex
from ...games.state import State, play_line
from ...games.tables import read_table
from ...games.tactics import FEWEST_MOVES, list_wins

WIN, BLOCK, BOTH, LOST, DRAWN = KINDS = ("win", "block", "both", "lost", "drawn")
LEGAL, AHEAD, BEHIND = "legal", "ahead", "behind"
# Kinds in which the policy has right moves: a single one, except in LEGAL.
TACTICAL = (WIN, BLOCK, BOTH, LEGAL)
# A move's character, one byte and unescaped in JSON; 19 x 19 points are moves of a board of 9 x 9 in its middle.
LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+,-./:;<=>?@[]^_`{|}~"
# The most empty cells of a board that is almost full.
MOST_EMPTY = 2


@dataclass(frozen=True)
class ShownPosition:
    """A position, its kind and, in a tactical kind, the one right move."""

    state: State
    kind: str
    best: int | None = None

    @property
    def pieces(self) -> int:
        """The number of pieces on the board."""
        return int(self.state.plane("mover").sum() + self.state.plane("opponent").sum())

    @property
    def own(self) -> int:
        """The number of the mover's pieces on the board."""
        return int(self.state.plane("mover").sum())

    @property
    def options(self) -> tuple[int, ...]:
        """The moves among which the policy's largest counts: the legal moves or, in LEGAL, the empty cells."""
        if self.kind != LEGAL:
            return self.state.legal_actions()
        empty = self.state.plane("mover") + self.state.plane("opponent") == 0
        return tuple(map(int, np.flatnonzero(empty)))

    @property
    def right(self) -> tuple[int, ...]:
        """The options that are right."""
        if self.kind == LEGAL:
            return self.state.legal_actions()
        return () if self.best is None else (self.best,)

    @property
    def chance(self) -> float:
        """The chance that a random option is right."""
        return len(self.right) / len(self.options)


@dataclass(frozen=True)
class Sample:
    """Positions of one kind as arrays, by which every reading is judged.

    `to_move`, `pieces` and `own`, the mover's pieces, are int (n,). `options`, int (n, most), has the moves that count;
    a shorter row is filled with its first move. `right`, bool (n, most), is True for right moves.
    """

    to_move: NDArray[np.int64]
    pieces: NDArray[np.int64]
    own: NDArray[np.int64]
    options: NDArray[np.int64]
    right: NDArray[np.bool_]

    @classmethod
    def of(cls, shown: Sequence[ShownPosition]) -> Self:
        """The sample of these positions."""
        moves = [each.options for each in shown]
        most = max(map(len, moves), default=0)
        rows = [[*row, *row[:1] * (most - len(row))] for row in moves]
        right = [[move in each.right for move in row] for each, row in zip(shown, rows, strict=True)]
        return cls(
            np.array([each.state.to_move for each in shown], np.int64),
            np.array([each.pieces for each in shown], np.int64),
            np.array([each.own for each in shown], np.int64),
            np.array(rows, np.int64),
            np.array(right, np.bool_),
        )


def classify(state: State) -> ShownPosition | None:
    """The position with its kind; None if it has no kind, or if the game is over."""
    legal = state.legal_actions()
    if state.is_terminal:
        return None
    if len(legal) <= MOST_EMPTY:
        return ShownPosition(state, DRAWN) if _is_drawn(state) else None
    if len(legal) < FEWEST_MOVES:
        return None
    wins, threats = list_wins(state), _list_threats(state)
    if len(wins) == 1 and not threats:
        return ShownPosition(state, WIN, wins[0])
    # In Hex both players' chains cross, so both can miss only the same cell.
    if len(wins) == 1 and len(threats) == 1 and (threats != wins or isinstance(state, Hex)):
        return ShownPosition(state, BOTH, wins[0])
    if wins or not threats:
        return None
    safe = [action for action in legal if not list_wins(state.apply(action))]
    if len(safe) == 1:
        return ShownPosition(state, BLOCK, safe[0])
    return None if safe else ShownPosition(state, LOST)


def _list_threats(state: State) -> list[int]:
    """The moves with which the opponent would win at once if it were to move, ascending."""
    legal = state.legal_actions()
    # The position after a move shows all winning moves of the opponent except that move. Two of them show all.
    afters = islice((after for after in map(state.apply, legal) if not after.is_terminal), 2)
    return sorted({action for after in afters for action in list_wins(after) if action in legal})


def _is_drawn(state: State) -> bool:
    """Whether every continuation ends in a draw."""
    if state.is_terminal:
        return state.returns() == 0
    return all(_is_drawn(state.apply(action)) for action in state.legal_actions())


def probe_positions(game: Game, settings: Settings) -> tuple[ShownPosition, ...]:
    """The stored positions of the game on the board of `settings`; empty if none are stored.

    In each kind the players to move alternate. The n-th positions of win, block, both and lost have the same number of
    pieces; those of ahead and behind have the same number for each player.
    """
    return _stored(game.name, tuple(sorted(settings.items()))) if game.name in GAMES else ()


@cache
def _stored(name: str, settings: tuple[tuple[str, int | float | str], ...]) -> tuple[ShownPosition, ...]:
    start = GAMES[name].begin(dict(settings))
    rows, columns = start.board
    table = read_table("probe").get(name, {})
    # A larger square board shows the positions of a smaller one in its middle.
    squares = [size for size in range(1, min(rows, columns) + 1) if f"{size}x{size}" in table and rows == columns]
    # In games won at the sides, or with falling pieces, a smaller board in the middle of a larger one makes no sense.
    squares = [] if GAMES[name].sided or GAMES[name].upright else squares
    side = max(squares, default=columns)
    cells = rows * columns if side == columns else side * side
    shown: list[ShownPosition] = []
    smaller = table.get(f"{side}x{side}", {}) if squares else {}
    for kind, lines in table.get(f"{rows}x{columns}", smaller).items():
        for line in lines.split():
            best, *played = (_place(action, side, rows, columns) for action in read_line(line, cells))
            state = play_line(start, played)
            shown.append(ShownPosition(state, kind, best if kind in TACTICAL and kind != LEGAL else None))
    return tuple(shown)


def read_line(text: str, cells: int) -> list[int]:
    """The actions of a stored line; on a board with more cells than letters, each action has two letters."""
    places = [LETTERS.index(letter) for letter in text]
    if cells <= len(LETTERS):
        return places
    return [high * len(LETTERS) + low for high, low in zip(places[::2], places[1::2], strict=True)]


def write_line(actions: Sequence[int], cells: int) -> str:
    """The line for `actions`, in the form that `read_line` reads."""
    if cells <= len(LETTERS):
        return "".join(LETTERS[action] for action in actions)
    return "".join(LETTERS[action // len(LETTERS)] + LETTERS[action % len(LETTERS)] for action in actions)


def _place(action: int, side: int, rows: int, columns: int) -> int:
    """An action of the board in the middle, which has `side` columns, as an action of the whole board."""
    if side == columns:
        return action
    row, column = divmod(action, side)
    return (row + (rows - side) // 2) * columns + column + (columns - side) // 2
