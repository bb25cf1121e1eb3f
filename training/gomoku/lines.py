"""The shapes that a stone would make on each line of a Gomoku board, updated with each move.

For every cell and each of its four lines a 16-bit code holds the eight cells around it (two bits
each: 0 empty, 1 black, 2 white, 3 beyond the edge). A table says which shape a stone of either
colour would make there: in freestyle, four cells on either side decide that completely. The four
shapes of a cell together give its class (a five, an open four, a four and a three, ...).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...games.compiled import compile_function
from ...games.rules.position import AXES

SIZE = 15
CELLS = SIZE * SIZE
CENTRE = CELLS // 2

# Shapes of one line, weakest first. A ONE can become a THREE or an OPEN_TWO, an OPEN_THREE an OPEN_FOUR.
NONE, ONE, OPEN_TWO, THREE, OPEN_THREE, FOUR, OPEN_FOUR, FIVE = range(8)
# Classes of a cell, weakest first; from SINGLE_FOUR on the stone threatens a five or is one.
QUIET, SINGLE_THREE, DOUBLE_THREE, SINGLE_FOUR, FOUR_THREE, DOUBLE_FOUR, WINS = range(7)

LINE_SCORES = (0, 10, 100, 120, 800, 900, 40_000, 1_000_000)
CLASS_SCORES = (0, 0, 6_000, 0, 20_000, 35_000, 0)
LINE_VALUES = (0, 0, 4, 5, 14, 16, 40, 0)
CLASS_VALUES = (0, 0, 15, 0, 40, 60, 0)

OFFSETS = (-4, -3, -2, -1, 1, 2, 3, 4)


class Board(NamedTuple):
    """A position with the shapes of its empty cells. Colours are 0 (black) and 1.

    `stones` int8 (225,): 0 empty, 1 black, 2 white; `codes` uint16 (225, 4); `shapes` int32
    (2, 225): what each colour would make in an empty cell, three bits a line (stale where a stone is);
    `counts` int32 (2, 7): empty cells of each class; `values` int32 (2,): sums of `VALUE`;
    `near` int32 (225,): stones within two.
    """

    stones: NDArray[np.int8]
    codes: NDArray[np.uint16]
    shapes: NDArray[np.int32]
    counts: NDArray[np.int32]
    values: NDArray[np.int32]
    near: NDArray[np.int32]


def cell_at(cell: int, row: int, column: int) -> int:
    """The cell at an offset of rows and columns, -1 beyond the edge."""
    row, column = cell // SIZE + row, cell % SIZE + column
    return row * SIZE + column if 0 <= row < SIZE and 0 <= column < SIZE else -1


def line_shapes() -> NDArray[np.int32]:
    """The shape that colour 1 makes in the middle of each code, int32 (65536,)."""
    codes = np.arange(1 << 16)
    cells = (codes[:, None] >> (2 * np.arange(8))) & 3
    own = np.insert(cells == 1, 4, True, axis=1)
    five = np.any([own[:, start : start + 5].all(axis=1) for start in range(5)], axis=0)
    shapes = np.where(five, FIVE, NONE).astype(np.int32)
    for stones in range(7, -1, -1):
        rows = np.flatnonzero(~five & (own.sum(axis=1) == stones + 1))
        after = np.where(cells[rows] == 0, shapes[rows[:, None] | (1 << (2 * np.arange(8)))], NONE)
        shapes[rows] = shape_before(after)
    return shapes


def shape_before(after: NDArray[np.int32]) -> NDArray[np.int32]:
    """The shapes of lines, int32 (N,), from the shapes after one more stone at each place, (N, 8)."""
    fives = (after == FIVE).sum(axis=1)
    grown = np.array([NONE, NONE, ONE, ONE, OPEN_TWO, THREE, OPEN_THREE, FOUR], np.int32)[after.max(axis=1)]
    return np.where(fives > 1, np.int32(OPEN_FOUR), grown)


def swap_colours(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The codes with the colours exchanged."""
    return ((codes & 0x5555) << 1) | ((codes >> 1) & 0x5555)


def cell_class(shapes: list[int]) -> int:
    """The class of a cell from its four shapes."""
    fours, threes = shapes.count(FOUR), shapes.count(OPEN_THREE)
    if FIVE in shapes:
        return WINS
    if OPEN_FOUR in shapes or fours > 1:
        return DOUBLE_FOUR
    if fours:
        return FOUR_THREE if threes else SINGLE_FOUR
    return (QUIET, SINGLE_THREE, DOUBLE_THREE)[min(threes, 2)]


def cell_tables() -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """(class, score, value) of every combination of four shapes, int32 (4096,) each."""
    rows = []
    for index in range(1 << 12):
        shapes = [index >> (3 * line) & 7 for line in range(4)]
        kind = cell_class(shapes)
        extra = 0 if OPEN_FOUR in shapes else 1
        score = sum(LINE_SCORES[shape] for shape in shapes) + extra * CLASS_SCORES[kind]
        value = sum(LINE_VALUES[shape] for shape in shapes) + extra * CLASS_VALUES[kind]
        rows.append((kind, score, value))
    kinds, scores, values = np.array(rows, np.int32).T
    return np.ascontiguousarray(kinds), np.ascontiguousarray(scores), np.ascontiguousarray(values)


NEIGHBOURS = np.array(
    [[[cell_at(cell, r * k, c * k) for k in OFFSETS] for r, c in AXES] for cell in range(CELLS)], np.int32
)
AROUND = np.array(
    [[cell_at(cell, r, c) for r in range(-2, 3) for c in range(-2, 3) if (r, c) != (0, 0)] for cell in range(CELLS)],
    np.int32,
)
SHAPES = np.stack([line_shapes(), line_shapes()[swap_colours(np.arange(1 << 16))]]).astype(np.uint8)
CLASS, SCORE, VALUE = cell_tables()
EMPTY_CODES = ((NEIGHBOURS < 0) * (3 << (2 * np.arange(8)))).sum(axis=2).astype(np.uint16)
EMPTY_SHAPES = (SHAPES[:, EMPTY_CODES].astype(np.int32) << (3 * np.arange(4))).sum(axis=2).astype(np.int32)


def new_board() -> Board:
    """The empty board."""
    counts = np.stack([np.bincount(CLASS[EMPTY_SHAPES[colour]], minlength=7) for colour in (0, 1)]).astype(np.int32)
    values = VALUE[EMPTY_SHAPES].sum(axis=1).astype(np.int32)
    stones, near = np.zeros(CELLS, np.int8), np.zeros(CELLS, np.int32)
    return Board(stones, EMPTY_CODES.copy(), EMPTY_SHAPES.copy(), counts, values, near)


def board_of(stones: NDArray[np.int8]) -> Board:
    """The board with these stones, int8 (225,): 0 empty, 1 black, 2 white."""
    board = new_board()
    fill(board, stones)
    return board


@compile_function
def fill(board: Board, stones: NDArray[np.int8]) -> None:
    """Place all stones on an empty board."""
    for cell in range(CELLS):
        if stones[cell] != 0:
            place(board, cell, stones[cell] - 1)


@compile_function
def place(board: Board, cell: int, colour: int) -> None:
    """Put a stone on an empty cell."""
    count(board, cell, -1)
    board.stones[cell] = colour + 1
    flip(board, cell, colour)
    for other in AROUND[cell]:
        if other >= 0:
            board.near[other] += 1


@compile_function
def lift(board: Board, cell: int) -> None:
    """Take a stone off again."""
    flip(board, cell, board.stones[cell] - 1)
    board.stones[cell] = 0
    for colour in range(2):
        shapes = np.int32(0)
        for line in range(4):
            shapes |= np.int32(SHAPES[colour, board.codes[cell, line]]) << (3 * line)
        board.shapes[colour, cell] = shapes
    count(board, cell, 1)
    for other in AROUND[cell]:
        if other >= 0:
            board.near[other] -= 1


@compile_function
def count(board: Board, cell: int, times: int) -> None:
    """Add an empty cell to the counts; `times` -1 removes it."""
    for colour in range(2):
        shapes = board.shapes[colour, cell]
        board.counts[colour, CLASS[shapes]] += times
        board.values[colour] += times * VALUE[shapes]


@compile_function
def flip(board: Board, cell: int, colour: int) -> None:
    """Put a stone into the codes of the lines through its cell, or remove it from them."""
    for line in range(4):
        for place_in_line in range(8):
            other = NEIGHBOURS[cell, line, place_in_line]
            if other >= 0:
                code = board.codes[other, line] ^ np.uint16((colour + 1) << (2 * (7 - place_in_line)))
                board.codes[other, line] = code
                if board.stones[other] == 0:
                    reshape(board, other, line, SHAPES[0, code], 0)
                    reshape(board, other, line, SHAPES[1, code], 1)


@compile_function
def reshape(board: Board, cell: int, line: int, shape: int, colour: int) -> None:
    """Note a new shape of one line of an empty cell."""
    old = board.shapes[colour, cell]
    new = (old & ~(7 << (3 * line))) | (np.int32(shape) << (3 * line))
    if new == old:
        return
    board.shapes[colour, cell] = new
    board.counts[colour, CLASS[old]] -= 1
    board.counts[colour, CLASS[new]] += 1
    board.values[colour] += VALUE[new] - VALUE[old]


@compile_function
def find(board: Board, colour: int, kind: int) -> int:
    """The first empty cell whose class for the colour is at least `kind`; -1 if there is none."""
    for cell in range(CELLS):
        if board.stones[cell] == 0 and CLASS[board.shapes[colour, cell]] >= kind:
            return cell
    return -1
