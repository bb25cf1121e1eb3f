"""Exact values of Dots and Boxes by dynamic programming over all sets of drawn edges (2^24 for 3 x 3).

The remaining boxes depend on the drawn edges alone. For each set of edges the table has the lead in boxes that the
player to move gains from there on, if both play perfectly. The functions below add the score so far and a forced pass.
The lead gained from an action on:

    drawing an edge that completes k boxes   k + table[edges], the same player moves again
    drawing another                          -table[edges]
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...errors import GameError
from ...games.rules.dots_and_boxes import MOVES, DotsAndBoxes

SOLVED = (2, 3)
Table = NDArray[np.int8]


def solve(size: int) -> Table:
    """The values of all edge sets, from the full set down; GameError if the size is neither 2 nor 3."""
    if size not in SOLVED:
        raise GameError(f"dots_and_boxes: size {size} has too many positions to solve, choose 2 or 3.")
    completed = boxes_of(size)
    values = np.zeros(len(completed), dtype=np.int8)
    every = np.arange(len(completed), dtype=np.int32)
    drawn_edges = np.bitwise_count(every)
    # A set's value depends on the sets with one more edge, so all sets with equally many edges are solved together.
    for count in reversed(range(len(MOVES[size]) - 1)):
        sets = every[drawn_edges == count]
        best = np.full(len(sets), -128, dtype=np.int8)
        for bit, _ in MOVES[size].values():
            free = np.flatnonzero(sets & bit == 0) if bit else np.empty(0, np.intp)
            after = sets[free] | bit
            gained = completed[after] - completed[sets[free]]
            worth = np.where(gained > 0, gained + values[after], -values[after])
            best[free] = np.maximum(best[free], worth)
        values[sets] = best
    return values


def boxes_of(size: int) -> Table:
    """The number of boxes that each edge set completes, int8 (2^edges,)."""
    moves = MOVES[size]
    sets = np.arange(1 << len(moves) - 1, dtype=np.int32)
    count = np.zeros(len(sets), dtype=np.int8)
    for box in {box for _, through in moves.values() for box, _ in through}:
        count += sets & box == box
    return count


def to_come(values: Table, state: DotsAndBoxes) -> int:
    """The mover's lead in boxes from here on, both playing best, without the boxes already won."""
    value = int(values[state.edges])
    return -value if state.must_pass else value


def margin(values: Table, state: DotsAndBoxes) -> int:
    """The mover's lead in boxes at the end, both playing best."""
    return state.scores[state.to_move] - state.scores[1 - state.to_move] + to_come(values, state)


def result(values: Table, state: DotsAndBoxes) -> int:
    """The result for the mover, both playing best: +1 win, 0 draw, -1 loss."""
    return int(np.sign(margin(values, state)))


def keeps_result(values: Table, state: DotsAndBoxes) -> tuple[int, ...]:
    """The legal actions that keep `result`."""
    return tuple(a for a in state.legal_actions() if -result(values, state.apply(a)) == result(values, state))
