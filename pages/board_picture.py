"""Draws a position as pixels, for uses that need a picture: a link's preview, an app's icon.

The boards and their colours are those of the web app.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..games.rules.dots_and_boxes import DotsAndBoxes
from ..games.rules.position import star_points
from ..games.state import State
from .png import Picture

Colour = tuple[int, int, int]
Point = tuple[float, float]
# The picture is first drawn larger by this factor, which makes its edges smooth.
SMOOTH = 3
WOOD, WOOD_LINE = (227, 185, 113), (109, 76, 28)
FELT, FELT_LINE = (79, 158, 114), (20, 66, 43)
FRAME, HOLE, RED, YELLOW = (47, 95, 208), (10, 21, 48), (207, 34, 41), (242, 189, 18)
BLACK, WHITE, SHADE = (22, 22, 22), (246, 246, 240), (140, 135, 125)
CARD, INK, PART, CROSS = (255, 254, 251), (28, 26, 23), (200, 195, 186), (229, 72, 77)
BLUE, ORANGE = (47, 111, 228), (224, 111, 12)
Inside = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.bool_]]


class Canvas:
    """Shapes on a plain ground; places and sizes are in pixels of the picture."""

    def __init__(self, width: int, height: int, ground: Colour) -> None:
        self.size = width, height
        self._drawn = np.empty((height * SMOOTH, width * SMOOTH, 3), np.uint8)
        self._drawn[:] = ground

    def box(self, left: float, top: float, right: float, bottom: float, colour: Colour, round_by: float = 0.0) -> None:
        """A rectangle with round corners."""
        across, down = right - left, bottom - top

        def inside(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
            beyond_x = np.maximum(np.abs(x - (left + right) / 2) - across / 2 + round_by, 0)
            beyond_y = np.maximum(np.abs(y - (top + bottom) / 2) - down / 2 + round_by, 0)
            return np.asarray(np.hypot(beyond_x, beyond_y) <= max(round_by, 1e-9))

        self._fill((left, top, right, bottom), inside, colour)

    def disc(self, at: Point, radius: float, colour: Colour) -> None:
        """A circle."""
        x, y = at
        self.box(x - radius, y - radius, x + radius, y + radius, colour, radius)

    def line(self, start: Point, end: Point, width: float, colour: Colour) -> None:
        """A line with round ends."""
        (x1, y1), (x2, y2) = start, end
        length = max((x2 - x1) ** 2 + (y2 - y1) ** 2, 1e-9)

        def inside(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
            along = np.clip(((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length, 0, 1)
            return np.asarray(np.hypot(x - x1 - along * (x2 - x1), y - y1 - along * (y2 - y1)) <= width / 2)

        half = width / 2
        around = min(x1, x2) - half, min(y1, y2) - half, max(x1, x2) + half, max(y1, y2) + half
        self._fill(around, inside, colour)

    def polygon(self, corners: Sequence[Point], colour: Colour) -> None:
        """A convex area, its corners clockwise."""

        def inside(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
            made = np.ones(np.broadcast_shapes(x.shape, y.shape), bool)
            for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], corners[0]], strict=True):
                made &= (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) >= 0
            return made

        xs, ys = zip(*corners, strict=True)
        self._fill((min(xs), min(ys), max(xs), max(ys)), inside, colour)

    def picture(self) -> Picture:
        """The finished picture."""
        width, height = self.size
        cells = self._drawn.reshape(height, SMOOTH, width, SMOOTH, 3).mean(axis=(1, 3))
        made = np.full((height, width, 4), 255, np.uint8)
        made[:, :, :3] = np.rint(cells)
        return made

    def _fill(self, around: tuple[float, float, float, float], inside: Inside, colour: Colour) -> None:
        left, top, right, bottom = (round(each * SMOOTH) for each in around)
        left, top = max(left - 1, 0), max(top - 1, 0)
        part = self._drawn[top : bottom + 1, left : right + 1]
        y = ((np.arange(part.shape[0]) + top + 0.5) / SMOOTH)[:, None]
        x = ((np.arange(part.shape[1]) + left + 0.5) / SMOOTH)[None, :]
        part[inside(x, y)] = colour


def draw_board(state: State, width: int, height: int, ground: Colour, share: float = 0.86) -> Picture:
    """A position in the middle of a picture; the board fills `share` of the shorter side."""
    canvas, rows, columns = Canvas(width, height, ground), *state.board
    if isinstance(state, DotsAndBoxes):
        side = share * height if height < width else share * width
        _draw_edges(canvas, state, ((width - side) / 2, (height - side) / 2), side / (state.size + 0.7))
        return canvas.picture()
    across, down = (columns + rows / 2 - 0.5, (1.5 * rows + 0.5) / 3**0.5) if _is_hex(state) else (columns, rows)
    cell = share * min(width / (across + 0.5), height / (down + 0.5))
    corner = (width - across * cell) / 2, (height - down * cell) / 2
    draw = {"connect4": _draw_discs, "tictactoe": _draw_marks, "reversi": _draw_felt, "hex": _draw_hexagons}
    draw.get(_module(state), _draw_stones)(canvas, state, corner, cell)
    return canvas.picture()


def _module(state: State) -> str:
    return type(state).__module__.rpartition(".")[2]


def _is_hex(state: State) -> bool:
    return _module(state) == "hex"


def _owners(state: State) -> list[int | None]:
    """The player whose piece is on each cell, row by row; None on a free cell."""
    mover, opponent = state.plane("mover"), state.plane("opponent")
    who = state.to_move
    return [
        who if mine else 1 - who if theirs else None for mine, theirs in zip(mover.flat, opponent.flat, strict=True)
    ]


def _frame(canvas: Canvas, state: State, corner: Point, cell: float, colour: Colour) -> None:
    (rows, columns), (left, top), more = state.board, corner, 0.25 * cell
    canvas.box(
        left - more, top - more, left + columns * cell + more, top + rows * cell + more, colour, round_by=0.4 * cell
    )


def _middles(state: State, corner: Point, cell: float) -> list[Point]:
    (rows, columns), (left, top) = state.board, corner
    return [
        (left + (column + 0.5) * cell, top + (row + 0.5) * cell) for row in range(rows) for column in range(columns)
    ]


def _draw_discs(canvas: Canvas, state: State, corner: Point, cell: float) -> None:
    _frame(canvas, state, corner, cell, FRAME)
    for at, owner in zip(_middles(state, corner, cell), _owners(state), strict=True):
        canvas.disc(at, 0.4 * cell, HOLE if owner is None else (RED, YELLOW)[owner])


def _stone(canvas: Canvas, at: Point, radius: float, owner: int) -> None:
    x, y = at
    canvas.disc((x, y + 0.08 * radius), radius, SHADE if owner else INK)
    canvas.disc(at, radius, (BLACK, WHITE)[owner])


def _rules(canvas: Canvas, state: State, corner: Point, cell: float, colour: Colour, first: float) -> None:
    """Draw lines both ways.

    `first` is the place of the first one in cells: at the border, or in the first cell's middle.
    """
    (rows, columns), (left, top), thick = state.board, corner, max(1.0, 0.035 * cell)
    right, bottom = left + (columns - first) * cell, top + (rows - first) * cell
    left, top = left + first * cell, top + first * cell
    more = 0 if first else 1
    for row in range(rows + more):
        canvas.line((left, top + row * cell), (right, top + row * cell), thick, colour)
    for column in range(columns + more):
        canvas.line((left + column * cell, top), (left + column * cell, bottom), thick, colour)


def _draw_stones(canvas: Canvas, state: State, corner: Point, cell: float) -> None:
    _frame(canvas, state, corner, cell, WOOD)
    _rules(canvas, state, corner, cell, WOOD_LINE, 0.5)
    middles = _middles(state, corner, cell)
    for star in star_points(state.board[0]) if state.board[0] == state.board[1] else ():
        canvas.disc(middles[star], 0.1 * cell, WOOD_LINE)
    for at, owner in zip(middles, _owners(state), strict=True):
        if owner is not None:
            _stone(canvas, at, 0.46 * cell, owner)


def _draw_felt(canvas: Canvas, state: State, corner: Point, cell: float) -> None:
    _frame(canvas, state, corner, cell, FELT)
    _rules(canvas, state, corner, cell, FELT_LINE, 0.0)
    for at, owner in zip(_middles(state, corner, cell), _owners(state), strict=True):
        if owner is not None:
            _stone(canvas, at, 0.41 * cell, owner)


def _draw_marks(canvas: Canvas, state: State, corner: Point, cell: float) -> None:
    for (x, y), owner in zip(_middles(state, corner, cell), _owners(state), strict=True):
        half, reach = 0.46 * cell, 0.26 * cell
        canvas.box(x - half, y - half, x + half, y + half, CARD, 0.12 * cell)
        if owner == 0:
            canvas.line((x - reach, y - reach), (x + reach, y + reach), 0.13 * cell, CROSS)
            canvas.line((x + reach, y - reach), (x - reach, y + reach), 0.13 * cell, CROSS)
        elif owner == 1:
            canvas.disc((x, y), 0.33 * cell, BLUE)
            canvas.disc((x, y), 0.2 * cell, CARD)


def _draw_hexagons(canvas: Canvas, state: State, corner: Point, cell: float) -> None:
    (rows, columns), (left, top), high = state.board, corner, cell / 3**0.5
    owners, colours = _owners(state), (RED, BLUE)
    middles = [
        (left + (column + row / 2 + 0.5) * cell, top + (1.5 * row + 1) * high)
        for row in range(rows)
        for column in range(columns)
    ]
    # The sides that each player connects: the first player's are above and below.
    for at, middle in enumerate(middles):
        row, column = divmod(at, columns)
        for is_there, owner in ((row in (0, rows - 1), 0), (column in (0, columns - 1), 1)):
            if is_there:
                canvas.polygon(_hexagon(middle, 1.22 * high), colours[owner])
    for middle in middles:
        canvas.polygon(_hexagon(middle, 1.0 * high), PART)
        canvas.polygon(_hexagon(middle, 0.93 * high), CARD)
    for middle, piece in zip(middles, owners, strict=True):
        if piece is not None:
            canvas.disc(middle, 0.38 * cell, colours[piece])


def _hexagon(at: Point, high: float) -> list[Point]:
    (x, y), half = at, high * 3**0.5 / 2
    return [
        (x, y - high),
        (x + half, y - high / 2),
        (x + half, y + high / 2),
        (x, y + high),
        (x - half, y + high / 2),
        (x - half, y - high / 2),
    ]


def _draw_edges(canvas: Canvas, state: DotsAndBoxes, corner: Point, step: float) -> None:
    (left, top), size = (corner[0] + 0.35 * step, corner[1] + 0.35 * step), state.size
    canvas.box(*corner, corner[0] + (size + 0.7) * step, corner[1] + (size + 0.7) * step, CARD, 0.2 * step)
    for box, owner in enumerate(state.owners):
        if owner is not None:
            row, column = divmod(box, size)
            x, y, inner = left + column * step, top + row * step, 0.12 * step
            canvas.box(x + inner, y + inner, x + step - inner, y + step - inner, (BLUE, ORANGE)[owner], 0.08 * step)
    across = size * (size + 1)
    for edge in range(2 * across):
        row, column = divmod(edge, size) if edge < across else divmod(edge - across, size + 1)
        x, y = left + column * step, top + row * step
        end = (x + step, y) if edge < across else (x, y + step)
        is_drawn = state.edges >> edge & 1
        canvas.line((x, y), end, (0.09 if is_drawn else 0.03) * step, INK if is_drawn else PART)
    for row in range(size + 1):
        for column in range(size + 1):
            canvas.disc((left + column * step, top + row * step), 0.085 * step, INK)
