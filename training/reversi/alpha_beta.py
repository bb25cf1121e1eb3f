"""Alpha-beta for Reversi with a small evaluation, and exact play near the end. It judges networks; none learns from it.

The evaluation, for the player to move, counts corners, the cells beside empty corners, the moves that either side has,
and the empty neighbours of either side's discs. These are the first chapters of books on the game (corners, mobility,
potential mobility); the weights are not tuned. With few empty cells the game is solved to the last disc. Then a score
is a lead of discs at the end, SOLVED points each.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...games.compiled import compile_anew, compile_function, insert
from ...games.rules.reversi import Reversi
from ...games.rules.reversi_boards import FULL, INNER, SIZES, STEPS, count, moves, turned
from ...games.rules.reversi_kind import LARGEST_IN_64

CORNER, DIAGONAL, EDGE, MOBILITY, POTENTIAL = 40, 20, 8, 6, 2
SOLVED, INFINITE = 10_000, 10_000_000
_ZERO = np.uint64(0)
# More moves than a position of 8 x 8 cells has.
MOST_MOVES = 34


def _near_corners() -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64]]:
    """By size and corner: the corner, the cell diagonal to it, its two neighbours on the edges; uint64 (9, 4)."""
    corners, diagonals, edges = (np.zeros((LARGEST_IN_64 + 1, 4), np.uint64) for _ in range(3))
    for size in SIZES:
        for at, (down, right) in enumerate(((1, 1), (1, -1), (-1, 1), (-1, -1))):
            row, column = (0 if down > 0 else size - 1), (0 if right > 0 else size - 1)
            corners[size, at] = 1 << row * size + column
            diagonals[size, at] = 1 << (row + down) * size + column + right
            edges[size, at] = 1 << (row + down) * size + column | 1 << row * size + column + right
    return corners, diagonals, edges


CORNERS, DIAGONALS, EDGES = _near_corners()


@compile_function
def beside(bits: np.uint64, size: int) -> np.uint64:
    """The cells beside those of `bits`, along rows, columns and diagonals."""
    neighbours = _ZERO
    for axis in range(4):
        step = STEPS[size, axis]
        # A step along a row or a diagonal must not leave the board at its sides: it may end inside, or begin there.
        inner = INNER[size, axis]
        neighbours |= ((bits << step) & inner) | ((bits >> step) & inner)
        neighbours |= ((bits & inner) << step) | ((bits & inner) >> step)
    near: np.uint64 = neighbours & FULL[size]
    return near


@compile_function
def evaluate(own: np.uint64, other: np.uint64, size: int) -> int:
    """The evaluation of a position for the player to move, in points."""
    score, empty = 0, FULL[size] & ~(own | other)
    for corner in range(4):
        cell = CORNERS[size, corner]
        if own & cell:
            score += CORNER
        elif other & cell:
            score -= CORNER
        else:
            score -= DIAGONAL * (count(own & DIAGONALS[size, corner]) - count(other & DIAGONALS[size, corner]))
            score -= EDGE * (count(own & EDGES[size, corner]) - count(other & EDGES[size, corner]))
    score += MOBILITY * (count(moves(own, other, size)) - count(moves(other, own, size)))
    score += POTENTIAL * (count(beside(other, size) & empty) - count(beside(own, size) & empty))
    return score


@compile_function
def final(own: np.uint64, other: np.uint64) -> int:
    """The score of a position in which the game is over."""
    return SOLVED * (count(own) - count(other))


@compile_function
def _rank(
    own: np.uint64, other: np.uint64, options: np.uint64, size: int, sorts: bool, ranked: NDArray[np.uint64]
) -> int:
    """Write the moves into `ranked` and return their number.

    If it `sorts`, corners come first, then moves that leave the opponent few answers.
    """
    corners = CORNERS[size, 0] | CORNERS[size, 1] | CORNERS[size, 2] | CORNERS[size, 3]
    scores, known, left = np.zeros(MOST_MOVES, np.int64), 0, options
    while left != _ZERO:
        bit = left & (~left + np.uint64(1))
        left ^= bit
        score = 0
        if sorts:
            flips = turned(own, other, bit, size)
            score = (10 if bit & corners else 0) - count(moves(other & ~flips, own | bit | flips, size))
        known = insert(ranked, scores, known, MOST_MOVES, bit, score)
    return known


@compile_anew
def _search(own: np.uint64, other: np.uint64, size: int, depth: int, solves: bool, low: int, high: int) -> int:
    """The score of a position between `low` and `high`, `depth` plies deep, or to the end of the game if `solves`."""
    options = moves(own, other, size)
    if options == _ZERO:
        if moves(other, own, size) == _ZERO:
            return final(own, other)
        return -_search(other, own, size, depth, solves, -high, -low)
    if depth <= 0 and not solves:
        return evaluate(own, other, size)
    best, sorts = -INFINITE, depth >= 2 or (solves and count(own | other) <= size * size - 6)
    ranked = np.zeros(MOST_MOVES, np.uint64)
    known = _rank(own, other, options, size, sorts, ranked)
    for at in range(known):
        bit = ranked[at]
        flips = turned(own, other, bit, size)
        score = -_search(other & ~flips, own | bit | flips, size, depth - 1, solves, -high, -max(low, best))
        if score > best:
            best = score
            if best >= high:
                break
    return best


@compile_anew
def _score_each(
    own: np.uint64,
    other: np.uint64,
    size: int,
    depth: int,
    bits: NDArray[np.uint64],
    scores: NDArray[np.int64],
) -> None:
    """Fill `scores` with the score of each move in `bits`; for moves worse than the best it is an upper bound."""
    best = -INFINITE
    for at in range(len(bits)):
        flips = turned(own, other, bits[at], size)
        following, own_after = other & ~flips, own | bits[at] | flips
        # One below the best, so that equal moves are known to be equal.
        scores[at] = -_search(following, own_after, size, depth - 1, False, -INFINITE, -(best - 1))
        best = max(best, scores[at])


def bits_of(state: Reversi) -> tuple[np.uint64, np.uint64]:
    """The discs of the player to move and of the opponent."""
    return np.uint64(state.discs[state.to_move]), np.uint64(state.discs[1 - state.to_move])


def best_moves(state: Reversi, depth: int) -> tuple[int, ...]:
    """The best moves in a position that is not over, ascending, `depth` plies deep; all are of equal score."""
    legal = state.legal_actions()
    if state.must_pass:
        return legal
    own, other = bits_of(state)
    bits, scores = np.array([1 << at for at in legal], np.uint64), np.zeros(len(legal), np.int64)
    _score_each(own, other, state.size, depth, bits, scores)
    best = scores.max()
    return tuple(at for at, score in zip(legal, scores, strict=True) if score == best)


def solve(state: Reversi) -> int:
    """The discs by which the player to move wins if both play perfectly; for positions near the end."""
    own, other = bits_of(state)
    return int(_search(own, other, state.size, 0, True, -INFINITE, INFINITE)) // SOLVED
