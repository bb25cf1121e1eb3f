"""The positions that a probe shows: in each the rules alone say what is right, so that no teacher is needed.

win     one move wins, and the opponent threatens nothing
block   no move wins, and one alone stops the opponent's win
both    one move wins, and another one would only stop the opponent's win; in Hex one cell does both
lost    no move wins, and none stops the opponent's win
drawn   the board is all but full, and the game is drawn whatever is played

Of Reversi, where nobody wins by one move before the end:

legal   any legal move is right, of all empty cells: which they are depends on whose discs are which
ahead   the end of the game is won, as solved to the last disc
behind  it is lost, with as many discs of either player as in the n-th position of "ahead"

As many of each kind as there are of "lost" come in the same numbers of pieces for each player to move, so that a value
cannot tell them apart by counting; the others behind them are for policies. `benchmarks/probe_positions.py` drew them
by random play and wrote games/data/probe.json: a text of each game's moves, a character a move, the right one first.
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
# In these the policy has right moves: one, except in LEGAL.
TACTICAL = (WIN, BLOCK, BOTH, LEGAL)
# A move's character, in JSON its own and one byte; 19 x 19 points are moves of a board of 9 x 9 in its middle.
LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+,-./:;<=>?@[]^_`{|}~"
# Empty cells of a board that is all but full.
MOST_EMPTY = 2


@dataclass(frozen=True)
class ShownPosition:
    """A position, its kind, and the one right move of a tactical one."""

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
        """The moves of which the policy's largest counts: the legal ones or, of LEGAL, the empty cells."""
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
        """How often one drawn at random is right."""
        return len(self.right) / len(self.options)


@dataclass(frozen=True)
class Sample:
    """Positions of one kind as arrays: what every reading is judged by.

    `to_move`, `pieces` and `own`, the mover's pieces, are int (n,). `options`, int (n, most), has the moves that count,
    a shorter row filled up with its first one; `right`, bool (n, most), is whether each is right.
    """

    to_move: NDArray[np.int64]
    pieces: NDArray[np.int64]
    own: NDArray[np.int64]
    options: NDArray[np.int64]
    right: NDArray[np.bool_]

    @classmethod
    def of(cls, shown: Sequence[ShownPosition]) -> Self:
        """These positions."""
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
    """The position with its kind; None if it has none, or the game is over."""
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
    # In Hex both players' chains cross, so that they can only miss the same cell.
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
    # The position after a move shows all winning moves of the opponent but that move itself. Two of them show all.
    afters = islice((after for after in map(state.apply, legal) if not after.is_terminal), 2)
    return sorted({action for after in afters for action in list_wins(after) if action in legal})


def _is_drawn(state: State) -> bool:
    """Whether every way to play on ends in a draw."""
    if state.is_terminal:
        return state.returns() == 0
    return all(_is_drawn(state.apply(action)) for action in state.legal_actions())


def probe_positions(game: Game, settings: Settings) -> tuple[ShownPosition, ...]:
    """The stored positions of the game on the board of `settings`; empty if there are none for it.

    In each kind the players to move alternate. The n-th positions of win, block, both and lost have as many pieces,
    those of ahead and behind as many of each player.
    """
    return _stored(game.name, tuple(sorted(settings.items()))) if game.name in GAMES else ()


@cache
def _stored(name: str, settings: tuple[tuple[str, int | float | str], ...]) -> tuple[ShownPosition, ...]:
    start = GAMES[name].begin(dict(settings))
    rows, columns = start.board
    table = read_table("probe").get(name, {})
    # A larger square shows the positions of a smaller one in its middle.
    squares = [size for size in range(1, min(rows, columns) + 1) if f"{size}x{size}" in table and rows == columns]
    # If a game is won at the sides, or pieces fall, a smaller board in the middle of a larger one makes no sense.
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
    """The actions of a stored line; of a board with more cells than letters each has two letters."""
    places = [LETTERS.index(letter) for letter in text]
    if cells <= len(LETTERS):
        return places
    return [high * len(LETTERS) + low for high, low in zip(places[::2], places[1::2], strict=True)]


def write_line(actions: Sequence[int], cells: int) -> str:
    """The text that `read_line` reads."""
    if cells <= len(LETTERS):
        return "".join(LETTERS[action] for action in actions)
    return "".join(LETTERS[action // len(LETTERS)] + LETTERS[action % len(LETTERS)] for action in actions)


def _place(action: int, side: int, rows: int, columns: int) -> int:
    """The action on this board of one on the board of `side` columns that lies in its middle."""
    if side == columns:
        return action
    row, column = divmod(action, side)
    return (row + (rows - side) // 2) * columns + column + (columns - side) // 2
