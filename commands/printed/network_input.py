"""Draws the numbers that a network reads for a position, so that a person can compare them with the board."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...games.encoding import Encoding

# At most this many planes are drawn.
MOST_PLANES = 4
GAP = "    "


def draw_numbers(tensor: NDArray[Any], encoding: Encoding) -> str:
    """The planes of a tensor of `encoding.shape` side by side, row 0 of the input on top; zeros are dots."""
    from ...games.known.pieces import say_beside, say_plane

    planes = split_planes(tensor.ravel()[encoding.board_part], encoding)
    names = ["all planes added up"] if encoding.layout == "sum" and len(encoding.planes) > 1 else encoding.planes
    shown = [_column(plane, say_plane(name)) for plane, name in zip(planes[:MOST_PLANES], names, strict=False)]
    lines = [GAP.join(parts).rstrip() for parts in zip_longest(*shown, fillvalue="")]
    more = len(planes) - MOST_PLANES
    lines += [f"... and {more} planes more"] if more > 0 else []
    if encoding.beside:
        numbers = tensor.ravel()[encoding.beside_part]
        words = say_beside(encoding.beside.planes)
        lines.append(f"beside it: {' '.join(f'{number:g}' for number in numbers[:: encoding.beside.cells])} ({words})")
    return "\n".join(lines)


def split_planes(tensor: NDArray[Any], encoding: Encoding) -> NDArray[Any]:
    """The planes of the board's part of a tensor, (planes, rows, columns), in its own orientation."""
    count, sides = len(encoding.planes), encoding.plane_shape
    if encoding.layout == "sum":
        return tensor.reshape(1, *sides)
    if encoding.layout in ("channels_last", "cells"):
        return np.moveaxis(tensor.reshape(*sides, count), -1, 0)
    return tensor.reshape(count, *sides)


def _column(plane: NDArray[Any], title: str) -> Sequence[str]:
    """A plane with its title above, all lines of one width."""
    rows = [" ".join("." if number == 0 else f"{number:g}" for number in row).split(" ") for row in plane]
    wide = max(len(cell) for row in rows for cell in row)
    lines = [" ".join(cell.rjust(wide) for cell in row) for row in rows]
    width = max(len(lines[0]), len(title))
    return [line.ljust(width) for line in (title, *lines)]
