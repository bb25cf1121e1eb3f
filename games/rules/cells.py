"""The rules of six games on arrays of cells, compiled by Numba for searches without a network.

Python's rules, one file per game, are authoritative. A search without a network plays by the rules below, because
calling Python would take most of its time. Tests compare them with Python's, on small boards in every position.

`rules` is int64: family, rows, columns, length, drops; the offsets from a cell to its neighbours in eight directions;
the number of cells beyond each cell in each direction. A position is int64: the cells, 0 or the player + 1, then who is
to move and how many cells are taken. In Dots and Boxes it has the edges, then the same two, whether one must pass, and
the boxes of either player.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from .position import AXES

Numbers = NDArray[np.int64]
FAMILY, ROWS, COLUMNS, LENGTH, DROPS, STRIDES, REACHES = 0, 1, 2, 3, 4, 5, 13
# Rows down and columns to the right: four axes, then the opposite directions.
DIRECTIONS = (*AXES, *((-down, -right) for down, right in AXES))
IN_A_ROW, HEX, REVERSI, BOXES = 0, 1, 2, 3
# The slots of a position after its cells.
MOVER, PLAYED, MUST_PASS, TAKEN = 0, 1, 2, 3
SLOTS = 5
GOES_ON = 2


@cache
def rules_of(family: int, board: tuple[int, int], length: int = 0, drops: bool = False) -> Numbers:
    """The array of a game's rules. IN_A_ROW has a `length` and perhaps `drops`; `board` counts boxes in BOXES."""
    rows, columns = board
    reaches = [
        min(_reach(row, down, rows), _reach(column, right, columns))
        for row in range(rows)
        for column in range(columns)
        for down, right in DIRECTIONS
    ]
    return np.array([family, rows, columns, length, drops, *(d * columns + r for d, r in DIRECTIONS), *reaches])


def _reach(at: int, step: int, size: int) -> int:
    return size - 1 - at if step > 0 else at if step < 0 else 2 * size


def position_of(cells: int, pieces: tuple[int, int], slots: tuple[int, ...]) -> Numbers:
    """A position from both players' bits and the slots after the cells."""
    first, second = pieces
    held = [(first >> at & 1) + 2 * (second >> at & 1) for at in range(cells)]
    return np.array([*held, *slots, *[0] * (SLOTS - len(slots))])


def cells_of(rules: Numbers) -> int:
    """The number of cells, or edges, before a position's slots."""
    if rules[FAMILY] == BOXES:
        return int(2 * rules[ROWS] * (rules[ROWS] + 1))
    return int(rules[ROWS] * rules[COLUMNS])


def put(rules: Numbers, position: Numbers, action: int) -> None:
    """Make a legal move."""
    behind = cells_of(rules)
    mover = position[behind + MOVER]
    position[behind + MOVER] = 1 - mover
    if rules[FAMILY] == BOXES:
        put_edge(rules, position, action, mover)
    elif action < behind:
        position[action] = mover + 1
        position[behind + PLAYED] += 1
        if rules[FAMILY] == REVERSI:
            for direction in range(8):
                for step in range(1, turned(rules, position, action, direction, mover + 1) + 1):
                    position[action + step * rules[STRIDES + direction]] = mover + 1


def put_edge(rules: Numbers, position: Numbers, action: int, mover: int) -> None:
    """Draw an edge, or pass."""
    size, behind = rules[ROWS], cells_of(rules)
    position[behind + MUST_PASS] = 0
    if action == behind:
        return
    position[action] = 1
    position[behind + PLAYED] += 1
    across = size * (size + 1)
    boxes = 0
    if action < across:
        row, column = action // size, action % size
        for above in range(max(0, row - 1), min(size, row + 1)):
            boxes += is_closed(size, position, above, column)
    else:
        row, column = (action - across) // (size + 1), (action - across) % (size + 1)
        for left in range(max(0, column - 1), min(size, column + 1)):
            boxes += is_closed(size, position, row, left)
    position[behind + TAKEN + mover] += boxes
    if boxes > 0 and position[behind + PLAYED] < behind:
        position[behind + MUST_PASS] = 1


def is_closed(size: int, position: Numbers, row: int, column: int) -> int:
    """1 if a box has its four edges, else 0."""
    above, left = row * size + column, size * (size + 1) + row * (size + 1) + column
    return 1 if position[above] and position[above + size] and position[left] and position[left + 1] else 0


def run_of(rules: Numbers, position: Numbers, action: int, direction: int, piece: int) -> int:
    """The number of a player's pieces that follow a cell in a direction without a gap."""
    stride, most, run = rules[STRIDES + direction], rules[REACHES + 8 * action + direction], 0
    while run < most and position[action + (run + 1) * stride] == piece:
        run += 1
    return run


def turned(rules: Numbers, position: Numbers, action: int, direction: int, piece: int) -> int:
    """How many discs a disc on a cell turns over in a direction."""
    run = run_of(rules, position, action, direction, 3 - piece)
    if run == 0 or run == rules[REACHES + 8 * action + direction]:
        return 0
    return run if position[action + (run + 1) * rules[STRIDES + direction]] == piece else 0


def turns_any(rules: Numbers, position: Numbers, action: int, piece: int) -> bool:
    """Whether a disc may be put on a cell."""
    if position[action] != 0:
        return False
    turns = False
    for direction in range(8):
        turns = turns or turned(rules, position, action, direction, piece) > 0
    return turns


def has_move(rules: Numbers, position: Numbers, piece: int) -> bool:
    """Whether a player may put a disc anywhere."""
    action, cells = 0, cells_of(rules)
    while action < cells and not turns_any(rules, position, action, piece):
        action += 1
    return action < cells


def ended(rules: Numbers, position: Numbers, action: int, spare: Numbers) -> int:
    """Player 0's result after `action`, 1, 0 or -1; GOES_ON if the game continues.

    `spare` is int64 (2 * cells).
    """
    behind, family = cells_of(rules), rules[FAMILY]
    mover = position[behind + MOVER]
    if family == BOXES:
        if position[behind + PLAYED] < behind:
            return GOES_ON
        lead = position[behind + TAKEN] - position[behind + TAKEN + 1]
    elif family == REVERSI:
        if has_move(rules, position, mover + 1) or has_move(rules, position, 2 - mover):
            return GOES_ON
        lead = 0
        for cell in range(behind):
            lead += (position[cell] == 1) - (position[cell] == 2)
    elif is_won(rules, position, action, spare):
        lead = 2 * mover - 1  # the player who has just moved
    else:
        return 0 if position[behind + PLAYED] == behind else GOES_ON
    return 1 if lead > 0 else -1 if lead < 0 else 0


def is_won(rules: Numbers, position: Numbers, action: int, spare: Numbers) -> bool:
    """Whether the piece on `action` has made a row, or a chain from side to side."""
    piece = position[action]
    if rules[FAMILY] == HEX:
        return joins(rules, position, action, piece, spare)
    for direction in range(4):
        run = run_of(rules, position, action, direction, piece) + run_of(rules, position, action, direction + 4, piece)
        if run + 1 >= rules[LENGTH]:
            return True
    return False


def joins(rules: Numbers, position: Numbers, action: int, piece: int, spare: Numbers) -> bool:
    """Whether a stone's chain touches both sides of its player; `spare` is memory for stones to visit, and marks."""
    size = rules[ROWS]
    cells = size * size
    for at in range(cells, 2 * cells):
        spare[at] = 0
    spare[0], waiting, first, second = action, 1, False, False
    spare[cells + action] = 1
    while waiting > 0:
        waiting -= 1
        at = spare[waiting]
        row, column = at // size, at % size
        line = row if piece == 1 else column
        first, second = first or line == 0, second or line == size - 1
        if first and second:
            return True
        # The six neighbours: left, right, up, down, up right, down left.
        for way in range(6):
            down = 0 if way < 2 else -1 if way == 2 or way == 4 else 1
            right = 0 if way == 2 or way == 3 else -1 if way == 0 or way == 5 else 1
            near = at + down * size + right
            inside = 0 <= row + down < size and 0 <= column + right < size
            if inside and position[near] == piece and spare[cells + near] == 0:
                spare[cells + near] = 1
                spare[waiting] = near
                waiting += 1
    return False


def moves(rules: Numbers, position: Numbers, legal: Numbers) -> int:
    """Write the legal actions, ascending, into `legal`, int64 (cells + 1), while the game continues; their number."""
    behind, family, columns, count = cells_of(rules), rules[FAMILY], rules[COLUMNS], 0
    piece = position[behind + MOVER] + 1
    if family == BOXES and position[behind + MUST_PASS]:
        legal[0] = behind
        return 1
    for cell in range(behind):
        if position[cell] != 0:
            continue
        if rules[DROPS]:
            fits = cell + columns >= behind or position[cell + columns] != 0
        else:
            fits = family != REVERSI or turns_any(rules, position, cell, piece)
        if fits:
            legal[count] = cell
            count += 1
    if count == 0:
        legal[0], count = behind, 1
    return count
