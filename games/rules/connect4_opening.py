"""Solved openings of Connect4 on 6 rows by 7 columns: who wins if both play perfectly.

games/data/connect4_openings.json has the outcome of every position with at most `most_discs` discs, each with its
mirror image counted once, in the order of `openings`. `training/connect4/openings.py` writes it with an exact solver.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from ..tables import read_table
from .connect4 import COLUMNS, STANDARD, Connect4

_TABLE = read_table("connect4_openings")
# A position with more discs than this is not in the table. Before the last of them neither player has four in a row.
MOST_DISCS: int = _TABLE["most_discs"]
# A column is a 1, then from the bottom up a bit for each disc, 1 for player 1's; a position has 7 bits per column.
BITS, FULL = 7, 1 << 6
# A letter holds three outcomes as digits to the base 3: the mover loses, draws, wins.
PACKED, FIRST_LETTER = 3, ord("A")


class Opening(NamedTuple):
    """The `outcome` for the player to move, 1, 0 or -1, if both play perfectly; the actions that keep it, ascending."""

    outcome: int
    keeping: tuple[int, ...]


def solve_opening(state: Connect4) -> Opening | None:
    """How the game ends; None on other boards, and if the table lacks the positions after the moves."""
    first, second = state.discs
    if state.kind is not STANDARD or (first | second).bit_count() >= MOST_DISCS:
        return None
    outcome = _outcome(state)
    best = (action for action in state.legal_actions() if _outcome(state.apply(action)) == -outcome)
    return Opening(outcome, tuple(best))


def _outcome(state: Connect4) -> int:
    first, second = state.discs
    columns = [1] * COLUMNS
    for at in range(state.actions - 1, -1, -1):
        if (first | second) >> at & 1:
            columns[at % COLUMNS] = 2 * columns[at % COLUMNS] + (second >> at & 1)
    return _outcomes()[as_one(columns)]


@cache
def _outcomes() -> dict[int, int]:
    letters = (ord(letter) - FIRST_LETTER for letter in _TABLE["outcomes"])
    digits = (number // 3**place % 3 for number in letters for place in range(PACKED))
    return {opening: digit - 1 for opening, digit in zip(openings(), digits, strict=False)}


def openings() -> Iterator[int]:
    """Every position of the table, ordered by discs, then as moves from left to right first reach it."""
    level = [as_one([1] * COLUMNS)]
    yield from level
    for played in range(MOST_DISCS):
        level = list(dict.fromkeys(after for opening in level for after in moves(opening, played & 1)))
        yield from level


def moves(opening: int, player: int) -> Iterator[int]:
    """The positions after a player's next disc, columns from left to right."""
    columns = columns_of(opening)
    for at, column in enumerate(columns):
        if column < FULL:
            yield as_one([*columns[:at], 2 * column + player, *columns[at + 1 :]])


def columns_of(opening: int) -> list[int]:
    """The columns of a position, from left to right."""
    return [opening >> BITS * at & (1 << BITS) - 1 for at in range(COLUMNS - 1, -1, -1)]


def as_one(columns: list[int]) -> int:
    """A position and its mirror image as one number, the lower of the two."""
    return min(_number(columns), _number(columns[::-1]))


def _number(columns: list[int]) -> int:
    number = 0
    for column in columns:
        number = number << BITS | column
    return number
