"""Boards of a game of territory that a wall divides, so that what any trained network should see is plain.

Each player has one stone a row and nothing else, side by side, so each owns the board on one side of the wall. The
player who owns two thirds of it, more of a small one, is ahead. The games that lead there are legal and have the wall's
stones in random order. So the planes of earlier plies differ from the current ones. Drawn from a seed, the same
everywhere.
"""

from __future__ import annotations

import numpy as np

from .game import Frontiers
from .random_play import below, generator
from .state import State

# Boards of as many points a side are large.
LARGE = 8
# The rows and columns of the stones: of who has the side that is counted, and of the other player.
Wall = tuple[list[int], list[int]]


def leads(start: State, count: int, seed: int = 0) -> list[tuple[State, State]]:
    """`count` pairs of positions with player 1 to move after a pass, far ahead and then far behind.

    Player 1, so that a network that has the colours in an absolute order is shown them exchanged.
    """
    rng, size, found = generator(seed), start.board[0], []
    # On a small board a third is too near to a half. Beside the smaller side's wall one column stays open, or the wall
    # could be captured.
    columns = (size - 4, size - 3) if size >= LARGE else (size - 3, size - 3)
    for _ in range(count):
        larger, smaller = _wall(size, columns, 1, rng)
        ahead, behind = _play_stones(start, smaller, larger, rng), _play_stones(start, larger, smaller, rng)
        found.append((ahead.apply(ahead.actions - 1), behind.apply(behind.actions - 1)))
    return found


def even(start: State, count: int, seed: int = 1) -> list[State]:
    """`count` positions with player 0 to move, whose sides differ by little.

    A column between them is nobody's, two if the board has an even number.
    """
    rng, size = generator(seed), start.board[0]
    apart = 2 if size % 2 else 3
    middle = (size - 1 - apart) // 2
    walls = (_wall(size, (middle - 1, middle + 1), apart, rng) for _ in range(count))
    return [_play_stones(start, first, second, rng) for first, second in walls]


FRONTIERS = Frontiers(leads, even)


def _wall(size: int, columns: tuple[int, int], apart: int, rng: np.random.Generator) -> Wall:
    """A stone of one player in each row, in one of `columns`, first to last, and one of the other `apart` columns on.

    The column moves by one at most from row to row, so that the wall holds together. The board is turned at random.
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
