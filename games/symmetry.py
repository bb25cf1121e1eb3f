"""The symmetries of a board: a position may be read turned, and the policy for it turned back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .encoding import Encoding, lay_out

# (quarter turns, mirrored)
Turn = tuple[int, bool]
# The turns of a board that may leave the rules of a game as they are, the one that changes nothing first.
NONE: tuple[Turn, ...] = ((0, False),)
MIRROR: tuple[Turn, ...] = ((0, False), (0, True))
# Those of a square that leave both diagonals where they are: Reversi begins with discs in the middle.
DIAGONALS: tuple[Turn, ...] = ((0, False), (2, False), (1, True), (3, True))
HALF_TURN: tuple[Turn, ...] = ((0, False), (2, False))
SQUARE: tuple[Turn, ...] = tuple((quarters, mirrored) for mirrored in (False, True) for quarters in range(4))


@dataclass(frozen=True, eq=False)
class Symmetry:
    """One symmetry of a board as index arrays.

    The turned tensor is `tensor.ravel()[cells]` in the shape it had. Action `a` of the position as
    it is is called `actions[a]` in the turned one, so a policy for that is turned back by `policy[actions]`.
    """

    cells: NDArray[np.int64]
    actions: NDArray[np.int64]


def symmetries(turns: Sequence[Turn], encoding: Encoding, actions: int) -> tuple[Symmetry, ...]:
    """The `turns` of a game as index arrays for one encoding, in their order.

    `actions` is how many the game has; those beyond the board's cells (a pass) stay as they are.
    """
    return tuple(Symmetry(_cells(encoding, turn), _actions(encoding.board, actions, turn)) for turn in turns)


def _cells(encoding: Encoding, turn: Turn) -> NDArray[np.int64]:
    """The old flat index of each number of the turned tensor, int64 (size,); the board turns, not its flipped image."""
    first = 0 if encoding.layout in ("channels_last", "cells", "sum") else 1
    stacked = encoding.board_shape
    if encoding.layout == "flat":
        stacked = (len(encoding.planes), *encoding.plane_shape)
    elif encoding.layout == "cells":
        stacked = (*encoding.plane_shape, len(encoding.planes))
    names = np.arange(int(np.prod(encoding.shape)))
    board = encoding.board_part
    lying = _as_it_lies(names[board].reshape(stacked), encoding, first)
    names[board] = lay_out(_turn(lying, turn, first), encoding, first).ravel()
    return names


def _as_it_lies(array: NDArray[np.int64], encoding: Encoding, first: int) -> NDArray[np.int64]:
    """The inverse of `lay_out`, of the same shape but for a transpose of the two board axes from `first` on."""
    array = np.swapaxes(array, first, first + 1) if encoding.transpose else array
    return np.flip(array, axis=first) if encoding.flip else array


def _actions(board: tuple[int, ...], count: int, turn: Turn) -> NDArray[np.int64]:
    cells = int(np.prod(board))
    names = np.arange(count)
    if cells <= count:
        # The turned board's cell k is the board's cell `was[k]`: the other way round is asked for.
        was = _turn(np.arange(cells).reshape(board), turn, 0).ravel()
        names[was] = np.arange(cells)
    return names


def _turn(array: NDArray[np.int64], turn: Turn, first: int) -> NDArray[np.int64]:
    """`array` (..., rows, columns, ...), board axes from `first` on, by quarter turns, then mirrored left to right."""
    quarters, mirrored = turn
    if quarters:
        array = np.rot90(array, quarters, axes=(first, first + 1))
    return np.flip(array, axis=first + 1) if mirrored else array
