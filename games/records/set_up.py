"""Stones that stand before a game's first move, as moves that bring them there: AB, AW, PL and HA of SGF.

Each side places a stone in turn, and passes where it has none left: a handicap of two is `D4 pass F6`. Of a position of
Go in which every chain has a liberty each part has that too, so nothing is taken on the way. Games without a pass have
only what moves in turn can bring there. Reversi's own first four discs are no move.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from ..state import State
from .points import first_value, name_of, names_of
from .record import MOST_MOVES, Move, no_set_up
from .sgf import Properties

_NO_HANDICAP = ("", "0", "1")


def set_up(game: str, start: State, nodes: Sequence[Properties], begins: int | None) -> list[Move]:
    """The moves before the first move, which player `begins` makes; RecordError if none lead there.

    Args:
        game: the game's name.
        start: the first position of the board.
        nodes: the main line.
        begins: who makes the first move, None if there is none: then PL says whose turn it is.

    """
    first = next((at for at, node in enumerate(nodes) if "B" in node or "W" in node), len(nodes))
    before, later = nodes[: first + 1], nodes[first + 1 :]
    stones = [list(islice(names_of(start, before, key), MOST_MOVES)) for key in ("AB", "AW")]
    if any("AE" in node for node in nodes) or any(key in node for node in later for key in ("AB", "AW")):
        raise no_set_up()
    if game == "reversi" and any(stones):
        if [set(side) for side in stones] != _first_discs(start):
            raise no_set_up()
        return []
    if not any(stones) and begins != 0 and first_value(nodes[0], "HA") not in _NO_HANDICAP:
        raise no_set_up()
    if begins is None:
        begins = {"B": 0, "W": 1}.get(first_value(nodes[0], "PL")[:1].upper())
    return _in_turn(start, stones, begins)


def _first_discs(start: State) -> list[set[str]]:
    """Those with which Reversi begins, of each side."""
    size, half = start.board[1], start.board[1] // 2
    cells = [(half - 1) * size + half, half * size + half - 1], [(half - 1) * (size + 1), half * (size + 1)]
    return [{start.label(cell) for cell in side} for side in cells]


def _in_turn(start: State, stones: Sequence[list[str]], begins: int | None) -> list[Move]:
    """Both sides' stones in turn; of a game with a pass that too, so that it is the turn of `begins`."""
    passes = name_of(start, "")
    moves: list[Move] = []
    while any(stones):
        player = len(moves) % 2
        if not (stones[player] or passes):
            raise no_set_up()
        moves.append(Move(stones[player].pop(0) if stones[player] else passes, player))
    if moves and passes and begins == 1 - len(moves) % 2:
        moves.append(Move(passes, len(moves) % 2))
    return moves
