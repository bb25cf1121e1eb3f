"""Reversi on two integers of 64 bits, compiled: the rules of reversi_kind.py for boards of up to 8 cells a side.

A player's discs are one uint64 whose bit `cell` is set where a disc lies, row by row from the top. `own` are those of
the player to move, `other` the opponent's.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..compiled import compile_function
from .reversi_kind import LARGEST_IN_64, SHAPES, kind_of

SIZES = tuple(size for size in SHAPES.sizes if size <= LARGEST_IN_64)
_ONE, _TWO, _FOUR, _ZERO = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(0)
_PAIRS, _QUADS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_BYTES, _SUM, _TOP = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101), np.uint64(56)


def _table(at: int) -> np.ndarray:
    """By size and axis: the steps (0) or the masks (1) of `Kind.axes`, uint64 (9, 4)."""
    made = np.zeros((LARGEST_IN_64 + 1, 4), np.uint64)
    for size in SIZES:
        made[size] = [axis[at] for axis in kind_of(size).axes]
    return made


STEPS, INNER = _table(0), _table(1)
FULL = np.array([kind_of(size).full if size in SIZES else 0 for size in range(LARGEST_IN_64 + 1)], np.uint64)


@compile_function
def count(bits: np.uint64) -> int:
    """The number of set bits."""
    bits = bits - ((bits >> _ONE) & _PAIRS)
    bits = (bits & _QUADS) + ((bits >> _TWO) & _QUADS)
    bits = (bits + (bits >> _FOUR)) & _BYTES
    return int((bits * _SUM) >> _TOP)


@compile_function
def _runs(cells: np.uint64, there: np.uint64, step: np.uint64, size: int) -> tuple[np.uint64, np.uint64]:
    """The discs of `there` in unbroken rows that begin a step above any of `cells`, and a step below."""
    up = there & (cells << step)
    down = there & (cells >> step)
    for _ in range(size - 3):
        up |= there & (up << step)
        down |= there & (down >> step)
    return up, down


@compile_function
def moves(own: np.uint64, other: np.uint64, size: int) -> np.uint64:
    """The empty cells, as bits, on which a disc turns some of the opponent's."""
    flipped = _ZERO
    for axis in range(4):
        step = STEPS[size, axis]
        up, down = _runs(own, other & INNER[size, axis], step, size)
        flipped |= (up << step) | (down >> step)
    legal: np.uint64 = flipped & FULL[size] & ~(own | other)
    return legal


@compile_function
def turned(own: np.uint64, other: np.uint64, bit: np.uint64, size: int) -> np.uint64:
    """The opponent's discs, as bits, that a disc on the cell `bit` turns over."""
    result = _ZERO
    for axis in range(4):
        step = STEPS[size, axis]
        up, down = _runs(bit, other & INNER[size, axis], step, size)
        if ((up << step) & own) != _ZERO:
            result |= up
        if ((down >> step) & own) != _ZERO:
            result |= down
    return result


@compile_function
def _find_ends(
    own: np.uint64, other: np.uint64, size: int, options: np.uint64, answers: NDArray[np.int64]
) -> np.uint64:
    """The moves among `options` that win at once; `answers` gets how many the opponent has after each."""
    wins, at, left = _ZERO, 0, options
    while left != _ZERO:
        bit = left & (~left + _ONE)
        left ^= bit
        flips = turned(own, other, bit, size)
        mine, theirs = own | bit | flips, other & ~flips
        replies, found = moves(theirs, mine, size), 0
        if replies == _ZERO and moves(mine, theirs, size) == _ZERO:
            wins |= bit if count(mine) > count(theirs) else _ZERO
            # A loss at once: more than there are answers.
            found = size * size + 2 if count(mine) < count(theirs) else 0
        while replies != _ZERO:
            reply = replies & (~replies + _ONE)
            replies ^= reply
            flips = turned(theirs, mine, reply, size)
            first, second = theirs | reply | flips, mine & ~flips
            if moves(second, first, size) == _ZERO and moves(first, second, size) == _ZERO:
                found += 1 if count(first) > count(second) else 0
        answers[at] = found
        at += 1
    return wins


def find_ends(own: int, other: int, size: int, options: int) -> tuple[int, tuple[int, ...]]:
    """The moves among `options`, as bits, that win at once, and how many the opponent has after each (`SuddenEnds`)."""
    answers = np.zeros(options.bit_count(), np.int64)
    wins = _find_ends(np.uint64(own), np.uint64(other), size, np.uint64(options), answers)
    return int(wins), tuple(answers.tolist())
