"""Draws positions as the game's board with a network's moves, or as bars if no game is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from xml.etree.ElementTree import Element

from ..games.rules.position import star_points
from .markup import add, drawing, text_at
from .position import Position

Shares = Mapping[int, float]
CELL = 24.0
# The side of a hexagon that is as wide as a cell.
HIGH = CELL / 3**0.5
HEXAGON = "hexagon"
# A share that rounds to less than 1 % is not shown.
LEAST = 0.005
# The number of moves whose share is written as a number, since more would be unreadable; and the number of bars.
NUMBERED, BARS = 3, 8


def board(parent: Element, position: Position, shares: Shares, title: str) -> None:
    """Draw the position; a legal move is darker the larger its share (by the policy's index, 0 to 1) is."""
    rows, columns = position.board
    if position.noun == "edge":
        size = columns - 1
        svg = drawing(parent, CELL * size * 1.6 + 28, CELL * size * 1.6 + 28, title, "board edges")
        _edges(svg, position, shares, size)
        return
    kind, draw = _DRAWN.get(position.noun, ("marks", _marks))
    width, height = CELL * columns + 12, CELL * rows + 12
    if position.noun == HEXAGON:
        width, height = CELL * (columns + rows / 2 - 0.5) + 12, HIGH * (1.5 * rows + 0.5) + 12
    svg = drawing(parent, width, height, title, f"board {kind}")
    add(svg, "rect", x=0, y=0, width=width, height=height, rx=6, class_="base")
    draw(svg, position)
    for rank, action, share in _visible(position, shares):
        x, y = _centre(position, action)
        add(svg, "circle", cx=x, cy=y, r=9.5, class_="heat", fill_opacity=0.15 + 0.85 * share)
        if rank == 0:
            add(svg, "circle", cx=x, cy=y, r=10.5, class_="best")
        _percent(svg, x, y, rank, share)


def bars(
    parent: Element,
    original: Shares,
    exported: Shares,
    labels: Mapping[int, str],
    title: str,
    as_text: Callable[[float], str] = "{:.1%}".format,
) -> None:
    """Draw the moves that either network prefers, two bars each: the original's above, the exported one's below."""
    order = sorted(original, key=lambda index: -max(original[index], exported.get(index, 0.0)))[:BARS]
    svg = drawing(parent, 360, 30 * len(order) + 2, title, "plot wide")
    for at, index in enumerate(order):
        y = 30.0 * at
        text_at(svg, 52, y + 17, labels.get(index, str(index)), "", "end")
        for below, share in enumerate((original[index], exported.get(index, 0.0))):
            add(svg, "rect", x=60, y=y + 3 + 11 * below, width=max(1.0, 250 * share), height=9, rx=2,
                class_="bar" if below else "bar original")  # fmt: skip
            text_at(svg, 66 + 250 * share, y + 11 + 11 * below, as_text(share), "small")


def _visible(position: Position, shares: Shares) -> Iterator[tuple[int, int, float]]:
    """Rank, action and share of each move to draw, the largest share first."""
    for rank, (index, share) in enumerate(sorted(shares.items(), key=lambda item: -item[1])):
        action = position.moves.get(index)
        if action is not None and share >= LEAST:
            yield rank, action, share


def _percent(svg: Element, x: float, y: float, rank: int, share: float) -> None:
    """Write the share as a number if it is among the largest."""
    if rank < NUMBERED and share >= 0.01:
        text_at(svg, x, y + 3.5, f"{100 * share:.0f}", "share", "middle")


def _centre(position: Position, action: int) -> tuple[float, float]:
    row, column = divmod(action, position.board[1])
    if position.noun == HEXAGON:
        return 6 + CELL * (column + row / 2 + 0.5), 6 + HIGH * (1.5 * row + 1)
    return 6 + CELL * (column + 0.5), 6 + CELL * (row + 0.5)


def _circles(svg: Element, position: Position, player: int | None, radius: float, kind: str) -> None:
    """Draw a circle on each cell of a player, all in one path."""
    path = []
    for action, owner in enumerate(position.owners):
        if owner == player:
            x, y = _centre(position, action)
            path.append(f"M{x - radius:g} {y:g}a{radius:g} {radius:g} 0 1 0 {2 * radius:g} 0")
            path.append(f"a{radius:g} {radius:g} 0 1 0 {-2 * radius:g} 0")
    if path:
        add(svg, "path", d="".join(path), class_=kind)


def _discs(svg: Element, position: Position) -> None:
    for player, kind in ((None, "hole"), (0, "first"), (1, "second")):
        _circles(svg, position, player, 9.5, kind)


def _stones(svg: Element, position: Position) -> None:
    rows, columns = position.board
    (left, top), (right, bottom) = _centre(position, 0), _centre(position, rows * columns - 1)
    lines = [f"M{left:g} {6 + CELL * (row + 0.5):g}H{right:g}" for row in range(rows)]
    lines += [f"M{6 + CELL * (column + 0.5):g} {top:g}V{bottom:g}" for column in range(columns)]
    add(svg, "path", d="".join(lines), class_="lines")
    for point in star_points(rows) if rows == columns else ():
        x, y = _centre(position, point)
        add(svg, "circle", cx=x, cy=y, r=2, class_="star")
    for player, kind in ((0, "first"), (1, "second")):
        _circles(svg, position, player, 11, kind)


def _hexagons(svg: Element, position: Position) -> None:
    """Draw every hexagon, a corner at the bottom, and a stone on each cell of a player."""
    half, low = CELL / 2, HIGH / 2
    around = f"l{half:g} {low:g}v{HIGH:g}l{-half:g} {low:g}l{-half:g} {-low:g}v{-HIGH:g}z"
    middles = (_centre(position, action) for action in range(len(position.owners)))
    add(svg, "path", d="".join(f"M{x:g} {y - HIGH:g}{around}" for x, y in middles), class_="lines")
    for player, kind in ((0, "first"), (1, "second")):
        _circles(svg, position, player, 8.5, kind)


def _marks(svg: Element, position: Position) -> None:
    rows, columns = position.board
    lines = [f"M6 {6 + CELL * row:g}h{CELL * columns:g}" for row in range(1, rows)]
    lines += [f"M{6 + CELL * column:g} 6v{CELL * rows:g}" for column in range(1, columns)]
    add(svg, "path", d="".join(lines), class_="lines")
    crosses = [_centre(position, action) for action, owner in enumerate(position.owners) if owner == 0]
    if crosses:
        path = "".join(f"M{x - 6:g} {y - 6:g}l12 12m0 -12l-12 12" for x, y in crosses)
        add(svg, "path", d=path, class_="cross")
    _circles(svg, position, 1, 6.5, "nought")


_DRAWN = {"column": ("discs", _discs), "point": ("stones", _stones), HEXAGON: ("hexagons", _hexagons)}


def _edges(svg: Element, position: Position, shares: Shares, size: int) -> None:
    """Draw the dots, the drawn edges, and the free edges, thicker for a larger share."""
    step = CELL * 1.6

    def ends(edge: int) -> tuple[float, float, float, float]:
        """Where an edge begins, x and y, and its extent across and down."""
        if edge < size * (size + 1):
            row, column = divmod(edge, size)
            return 14 + step * column, 14 + step * row, step, 0.0
        row, column = divmod(edge - size * (size + 1), size + 1)
        return 14 + step * column, 14 + step * row, 0.0, step

    def path(edge: int) -> str:
        x, y, across, down = ends(edge)
        return f"M{x:g} {y:g}l{across:g} {down:g}"

    add(svg, "rect", x=0, y=0, width=step * size + 28, height=step * size + 28, rx=6, class_="base")
    outlines = [path(edge) for edge, owner in enumerate(position.owners) if owner == 0]
    if outlines:
        add(svg, "path", d="".join(outlines), class_="edge")
    for rank, edge, share in _visible(position, shares):
        kind = "free" if rank else "free best-edge"
        add(svg, "path", d=path(edge), class_=kind, stroke_opacity=0.2 + 0.8 * share)
        x, y, across, down = ends(edge)
        _percent(svg, x + across / 2, y + down / 2, rank, share)
    dots = ((14 + step * column, 14 + step * row) for row in range(size + 1) for column in range(size + 1))
    add(svg, "path", d="".join(f"M{x:g} {y:g}h0" for x, y in dots), class_="dots")
