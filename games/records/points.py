"""Points of SGF and the names that the board gives them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..state import State
from .sgf import BLANKS, Properties

# Up to this size SGF has no point `tt`, so it means a pass.
_TT_IS_PASS = 19
_CORNERS = re.compile(r"([a-z])([a-z]):([a-z])([a-z])")


def first_value(node: Properties, key: str) -> str:
    """A property's first value; empty if the property is missing."""
    return node.get(key, [""])[0].strip(BLANKS)


def name_of(start: State, point: str) -> str:
    """The board's name of a point of SGF; any other text stays, because some programs write H8 for `hh`."""
    rows, columns = start.board
    if start.actions > rows * columns and (not point or (point == "tt" and columns <= _TT_IS_PASS)):
        return start.label(rows * columns)
    if len(point) == 2 and all("a" <= letter < chr(ord("a") + columns) for letter in point):
        column, row = (ord(letter) - ord("a") for letter in point)
        return start.label(row * columns + column)
    return point


def names_of(start: State, nodes: Iterable[Properties], key: str) -> Iterator[str]:
    """The names of all points of a property: one per value, or a rectangle by two corners, `aa:cc`."""
    for value in (value.strip(BLANKS) for node in nodes for value in node.get(key, ())):
        corners = _CORNERS.fullmatch(value)
        if not corners:
            yield name_of(start, value)
            continue
        left, top, right, bottom = (ord(letter) for letter in corners.groups())
        for row in range(top, bottom + 1):
            yield from (name_of(start, chr(column) + chr(row)) for column in range(left, right + 1))
