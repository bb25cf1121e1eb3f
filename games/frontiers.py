"""Boards of a game of territory, divided by a wall. They are so simple that any trained network should understand them.

Each player has one stone per row and nothing else. The stones stand side by side, so each player owns the board on one
side of the wall. A player who owns two thirds of the board, or more of a small one, is ahead. The games that lead there
are legal, with the wall's stones in random order. So the planes of earlier plies differ from the current ones. A seed
draws the same boards everywhere.
"""

from __future__ import annotations

import numpy as np

from .game import Frontiers
from .random_play import below, generator
from .state import State

# Boards with at least this many points per side are large.
LARGE = 8
# The rows and columns of the stones: of the player whose side is counted, and of the other.
Wall = tuple[list[int], list[int]]


def leads(start: State, count: int, seed: int = 0) -> list[tuple[State, State]]:
    """`count` pairs of positions after a pass, player 1 to move: far ahead in the first, far behind in the second.

    Player 1 is to move, so that a network with absolute colours sees them exchanged.
    """
    rng, size, pairs = generator(seed), start.board[0], []
    # On a small board a third is too close to a half. One column beside the smaller side's wall stays empty, so that
    # the wall cannot be captured.
    columns = (size - 4, size - 3) if size >= LARGE else (size - 3, size - 3)
    for _ in range(count):
        larger, smaller = _wall(size, columns, 1, rng)
        ahead, behind = _play_stones(start, smaller, larger, rng), _play_stones(start, larger, smaller, rng)
        pairs.append((ahead.apply(ahead.actions - 1), behind.apply(behind.actions - 1)))
    return pairs


def even(start: State, count: int, seed: int = 1) -> list[State]:
    """`count` positions with player 0 to move and almost equal sides.

    On a board of odd size one column between the sides belongs to neither, on a board of even size two columns.
    """
    rng, size = generator(seed), start.board[0]
    apart = 2 if size % 2 else 3
    middle = (size - 1 - apart) // 2
    walls = (_wall(size, (middle - 1, middle + 1), apart, rng) for _ in range(count))
    return [_play_stones(start, first, second, rng) for first, second in walls]


FRONTIERS = Frontiers(leads, even)


def _wall(size: int, columns: tuple[int, int], apart: int, rng: np.random.Generator) -> Wall:
    """In each row a stone of one player in one of `columns` (first to last); the other's is `apart` columns further.

    From row to row the column moves by at most one, so that the wall stays connected. The board is turned at random.
    """
    turn, column = below(rng, 8), sum(columns) // 2
    sides: Wall = ([], [])
    for row in range(size):
        column = min(max(column + below(rng, 3) - 1, columns[0]), columns[1])
        for side, at in zip(sides, (column, column + apart), strict=True):
            down, right = (size - 1 - row if turn & 1 else row), (size - 1 - at if turn & 2 else at)
            side.append(right * size + down if turn & 4 else down * size + right)
    return sides


def _play_stones(start: State, first: list[int], second: list[int], rng: np.random.Generator) -> State:
    """The position after player 0 has set the `first` stones and player 1 the `second`, each in random order."""
    state = start
    for pair in zip(_shuffle(first, rng), _shuffle(second, rng), strict=True):
        for action in pair:
            state = state.apply(action)
    return state


def _shuffle(actions: list[int], rng: np.random.Generator) -> list[int]:
    left = list(actions)
    return [left.pop(below(rng, len(left))) for _ in actions]
