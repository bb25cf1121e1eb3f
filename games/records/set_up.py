"""Stones that stand before a game's first move, as moves that place them: AB, AW, PL and HA of SGF.

Each side places a stone in turn, and passes once it has none left: a handicap of two is `D4 pass F6`. If every chain of
a Go position has a liberty, every part of a chain has one too, so nothing is captured on the way. In games without a
pass, only positions that moves in turn can reach are possible. AE clears points. Reversi's own first four discs are not
moves.
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
    """The moves that lead to the position before `begins` makes the first move; RecordError if there are none.

    Args:
        game: the game's name.
        start: the first position of the board.
        nodes: the main line.
        begins: the player of the first move; None if there is none, and then PL says whose turn it is.

    """
    first = next((at for at, node in enumerate(nodes) if "B" in node or "W" in node), len(nodes))
    before, later = nodes[: first + 1], nodes[first + 1 :]
    stones = _stones_in(start, before)
    if any(key in node for node in later for key in ("AB", "AW", "AE")):
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


def _stones_in(start: State, nodes: Sequence[Properties]) -> list[list[str]]:
    """The stones of each side after these nodes, in the order in which they are named."""
    stones: list[list[str]] = [[], []]
    for node in nodes:
        if "AE" in node:
            cleared = set(islice(names_of(start, [node], "AE"), MOST_MOVES))
            stones = [[name for name in side if name not in cleared] for side in stones]
        for side, key in zip(stones, ("AB", "AW"), strict=True):
            side += islice(names_of(start, [node], key), MOST_MOVES - len(side))
    return stones


def _first_discs(start: State) -> list[set[str]]:
    """The discs with which Reversi begins, for each side."""
    size, half = start.board[1], start.board[1] // 2
    cells = [(half - 1) * size + half, half * size + half - 1], [(half - 1) * (size + 1), half * (size + 1)]
    return [{start.label(cell) for cell in side} for side in cells]


def _in_turn(start: State, stones: Sequence[list[str]], begins: int | None) -> list[Move]:
    """Both sides' stones in turn; with a pass at the end if `begins` would otherwise not be to move."""
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
