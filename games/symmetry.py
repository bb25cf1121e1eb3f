"""The symmetries of a board: a network may read a turned position, and its policy is then turned back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .encoding import Encoding, lay_out

# (quarter turns, mirrored)
Turn = tuple[int, bool]
# The turns of a board that may leave the rules of a game unchanged; the first one changes nothing.
NONE: tuple[Turn, ...] = ((0, False),)
MIRROR: tuple[Turn, ...] = ((0, False), (0, True))
# The turns of a square that keep both diagonals in place: Reversi begins with discs in the middle.
DIAGONALS: tuple[Turn, ...] = ((0, False), (2, False), (1, True), (3, True))
HALF_TURN: tuple[Turn, ...] = ((0, False), (2, False))
SQUARE: tuple[Turn, ...] = tuple((quarters, mirrored) for mirrored in (False, True) for quarters in range(4))
# The plane that marks a board of edges, which turn between their dots.
EDGES = "edges"


@dataclass(frozen=True, eq=False)
class Symmetry:
    """One symmetry of a board as index arrays.

    The turned tensor is `tensor.ravel()[cells]` in the tensor's shape. Action `a` of the original position is
    `actions[a]` in the turned one, so `policy[actions]` turns that one's policy back.
    """

    cells: NDArray[np.int64]
    actions: NDArray[np.int64]


def symmetries(turns: Sequence[Turn], encoding: Encoding, actions: int) -> tuple[Symmetry, ...]:
    """The `turns` of a game as index arrays for one encoding, in their order.

    `actions` is the game's number of actions; those beyond the board's cells (a pass) stay unchanged. A board of edges
    has counts in places without an edge; they stay unchanged too.
    """
    are_edges = EDGES in encoding.planes
    turned_actions = _edge_actions if are_edges else _actions
    return tuple(
        Symmetry(_cells(encoding, turn, are_edges=are_edges), turned_actions(encoding.board, actions, turn))
        for turn in turns
    )


def _cells(encoding: Encoding, turn: Turn, *, are_edges: bool) -> NDArray[np.int64]:
    """The old flat index of each number of the turned tensor, int64 (size,); the board turns before it is laid out."""
    first = 0 if encoding.layout in ("channels_last", "cells", "sum") else 1
    stacked = encoding.board_shape
    if encoding.layout == "flat":
        stacked = (len(encoding.planes), *encoding.plane_shape)
    elif encoding.layout == "cells":
        stacked = (*encoding.plane_shape, len(encoding.planes))
    names = np.arange(int(np.prod(encoding.shape)))
    board = encoding.board_part
    lying = _as_it_lies(names[board].reshape(stacked), encoding, first)
    turned = (_turn_edges if are_edges else _turn)(lying, turn, first)
    names[board] = lay_out(turned, encoding, first).ravel()
    return names


def _as_it_lies(array: NDArray[np.int64], encoding: Encoding, first: int) -> NDArray[np.int64]:
    """The inverse of `lay_out`, of the same shape except for a transpose of the two board axes from `first` on."""
    array = np.swapaxes(array, first, first + 1) if encoding.transpose else array
    return np.flip(array, axis=first) if encoding.flip else array


def _actions(board: tuple[int, ...], count: int, turn: Turn) -> NDArray[np.int64]:
    cells = int(np.prod(board))
    names = np.arange(count)
    if cells <= count:
        # Cell k of the turned board is cell `was[k]` of the board; the inverse is needed.
        was = _turn(np.arange(cells).reshape(board), turn, 0).ravel()
        names[was] = np.arange(cells)
    return names


def _turn(array: NDArray[np.int64], turn: Turn, first: int) -> NDArray[np.int64]:
    """`array` by quarter turns, then mirrored left to right; `first` is the axis of its rows, columns follow it."""
    quarters, mirrored = turn
    if quarters:
        array = np.rot90(array, quarters, axes=(first, first + 1))
    return np.flip(array, axis=first + 1) if mirrored else array


def _turn_edges(array: NDArray[np.int64], turn: Turn, first: int) -> NDArray[np.int64]:
    """Like `_turn` for a board of edges, the horizontal ones above the vertical ones."""
    shape = array.shape
    flat = array.reshape(*shape[:first], -1, *shape[first + 2 :])
    return np.take(flat, _edges_were(shape[first], turn), axis=first).reshape(shape)


def _edge_actions(board: tuple[int, ...], count: int, turn: Turn) -> NDArray[np.int64]:
    rows, names = board[0], np.arange(count)
    edges = _edge_cells(rows)
    number = dict(zip(edges.tolist(), range(len(edges)), strict=True))
    for at, was in enumerate(_edges_were(rows, turn)[edges].tolist()):
        names[number[was]] = at
    return names


def _edge_cells(rows: int) -> NDArray[np.int64]:
    """The flat cells of a board of `rows` rows that are edges, in the order of the edges' numbers."""
    size = rows // 2
    cells = np.arange(rows * (size + 1)).reshape(rows, size + 1)
    return np.concatenate([cells[: size + 1, :size].ravel(), cells[size + 1 :].ravel()])


def _edges_were(rows: int, turn: Turn) -> NDArray[np.int64]:
    """For each flat cell of the turned board the original cell, int64; dots and edges turn as one square grid."""
    size = rows // 2
    edges, grid = _edge_cells(rows), np.zeros((rows, rows), np.int64)
    across = size * (size + 1)

    def between(grid: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return grid[::2, 1::2], grid[1::2, ::2]

    for part, numbers in zip(between(grid), (edges[:across], edges[across:]), strict=True):
        part[:] = numbers.reshape(part.shape)
    were = np.arange(rows * (size + 1))
    were[edges] = np.concatenate([part.ravel() for part in between(_turn(grid, turn, 0))])
    return were
