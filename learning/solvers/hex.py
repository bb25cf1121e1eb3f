"""Hex on up to 5 x 5 cells, solved: who wins a position when both play perfectly, compiled.

The search tries moves one by one, the likeliest first. Every answer also has the empty cells that its play needs. If a
move loses, only the cells that the reply needs can be better: the must-play region (R. Hayward, Y. Björnsson, M.
Johanson, M. Kan, N. Po and J. van Rijswijck, "Solving 7 x 7 Hex with domination, fill-in, and virtual connections",
Theoretical Computer Science 349, 2005).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...games.compiled import compile_anew, compile_function, insert
from ...games.rules.hex import Hex
from ...games.rules.position import places_in

LARGEST = 5
# Rows of the table, as a power of two: 16 MiB.
ROWS = 20
_ZERO, _ONE, _BITS = np.uint64(0), np.uint64(1), np.uint64(LARGEST * LARGEST)
# Fibonacci hashing: the upper bits of a product.
_FACTOR, _SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(64 - ROWS)
_FAR = 99


@compile_function
def _beside(cells: np.uint64, board: NDArray[np.uint64]) -> np.uint64:
    size, left, right = board[0], cells & board[2], cells & board[3]
    near: np.uint64 = board[1] & (
        (left >> _ONE)
        | (right << _ONE)
        | (cells >> size)
        | (cells << size)
        | (right >> (size - _ONE))
        | (left << (size - _ONE))
    )
    return near


@compile_function
def _joined(stones: np.uint64, seed: np.uint64, board: NDArray[np.uint64]) -> np.uint64:
    group = seed & stones
    edge = group
    while edge != _ZERO:
        edge = _beside(edge, board) & stones & ~group
        group |= edge
    return group


@compile_function
def _winning(stones: np.uint64, empty: np.uint64, player: int, board: NDArray[np.uint64]) -> np.uint64:
    """The empty cells at which one more stone joins the player's sides."""
    first, second = board[4 + 2 * player], board[5 + 2 * player]
    from_first = first | _beside(_joined(stones, first, board), board)
    cells: np.uint64 = empty & from_first & (second | _beside(_joined(stones, second, board), board))
    return cells


@compile_function
def _distance(stones: np.uint64, empty: np.uint64, player: int, board: NDArray[np.uint64]) -> int:
    """The least number of stones with which the player joins the sides; `_FAR` if that is no longer possible."""
    first, second = board[4 + 2 * player], board[5 + 2 * player]
    reached = _joined(stones, first, board)
    following = first | _beside(reached, board)
    lacking = 0
    while reached & second == _ZERO:
        fresh = following & empty & ~reached
        if fresh == _ZERO:
            return _FAR
        lacking += 1
        reached |= fresh
        reached |= _joined(stones, _beside(reached, board), board)
        following = _beside(reached, board)
    return lacking


@compile_anew
def _solve(
    own: np.uint64, other: np.uint64, player: int, board: NDArray[np.uint64], table: NDArray[np.uint64]
) -> np.uint64:
    """The empty cells that the winner's play needs, shifted up by one bit; the lowest bit is 1 if the mover wins.

    Neither player has won before.
    """
    empty = board[1] & ~(own | other)
    wins = _winning(own, empty, player, board)
    if wins != _ZERO:
        return ((wins & (~wins + _ONE)) << _ONE) | _ONE
    options, needed = empty, _winning(other, empty, 1 - player, board)
    if needed != _ZERO:
        options = needed if needed & (needed - _ONE) == _ZERO else _ZERO
    key = ((own | (other << _BITS)) << _ONE) | np.uint64(player)
    row = int((key * _FACTOR) >> _SHIFT)
    if table[row, 0] == key + _ONE:
        known_before: np.uint64 = table[row, 1]
        return known_before
    ranked, known = np.zeros(LARGEST * LARGEST, np.uint64), 0
    scores = np.zeros(len(ranked), np.int64)
    left = options
    while left != _ZERO:
        bit = left & (~left + _ONE)
        left ^= bit
        score = _distance(other, empty ^ bit, 1 - player, board) - _distance(own | bit, empty ^ bit, player, board)
        known = insert(ranked, scores, known, len(ranked), bit, score)
    winning = _ZERO
    for at in range(known):
        bit = ranked[at]
        if bit & options == _ZERO:
            continue
        reply = _solve(other, own | bit, 1 - player, board, table)
        if reply & _ONE == _ZERO:
            winning = (((reply >> _ONE) | bit) << _ONE) | _ONE
            break
        # A move outside the cells that the reply needs does not change it.
        needed |= reply >> _ONE
        options &= reply >> _ONE
    if winning == _ZERO:
        winning = needed << _ONE
    table[row, 0], table[row, 1] = key + _ONE, winning
    return winning


class HexSolver:
    """Solves positions of one board, and remembers what it has solved."""

    def __init__(self, start: Hex) -> None:
        kind = start.kind
        sides = [*kind.sides[0], *kind.sides[1]]
        self._board = np.array([kind.size, kind.full, kind.not_left, kind.not_right, *sides], np.uint64)
        self._table = np.zeros((1 << ROWS, 2), np.uint64)

    def wins(self, state: Hex) -> bool:
        """Whether the player to move wins; `state` is not over."""
        own, other = (np.uint64(state.stones[player]) for player in (state.to_move, 1 - state.to_move))
        return bool(int(_solve(own, other, state.to_move, self._board, self._table)) & 1)

    def keeping(self, state: Hex) -> frozenset[int]:
        """The moves that keep the result: those that win, or all where none does."""
        legal = tuple(places_in(state.empty))
        winning = [action for action in legal if self._is_won_by(state.apply(action))]
        return frozenset(winning or legal)

    def _is_won_by(self, state: Hex) -> bool:
        return state.is_terminal or not self.wins(state)
