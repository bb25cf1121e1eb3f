"""The readings that the shapes of a network's inputs and outputs allow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product

import numpy as np

from ...games.encoding import LAYOUTS, WHOSE, Encoding
from ...games.game import SHORT, Game, Numbering, Reading, Shape, number_as_input
from ...games.known.hypotheses import besides_of, how_it_may_lie, hypotheses_of
from ...games.known.pieces import PLAYERS, piece_planes
from ...games.value import ORDER

# The most planes that a user names one by one, and the name of a plane that is still unknown.
MOST_PLANES = 64
NO_PLANE = "?"
_ORDERS = tuple(permutations(ORDER))


@dataclass(frozen=True)
class Fitting:
    """The sizes of a network's inputs and outputs, without the batch.

    `shapes` are its inputs' shapes, `width` is the number of its moves, `value_width` the number of values in its value
    output. Both are None if it lacks that output.
    """

    shapes: tuple[tuple[int, ...], ...]
    width: int | None
    value_width: int | None

    def readings_of(self, game: Game, planes: tuple[str, ...] | None = None) -> list[Reading]:
        """Every reading of a game that the shapes allow: with known pieces or with `planes`, and with every value."""
        known = [one.reading.encoding.planes for one in hypotheses_of(game, self.shapes, self.width)]
        readings: list[Reading] = []
        for shape in game.shapes:
            numbering = next((one for one in shape.numberings if one.width == self.width), None)
            if numbering is None and self.width is not None:
                continue
            for encoding in self._encodings(game, shape, known, planes):
                for numbered in numberings_of(numbering, encoding):
                    readings += self.with_values(Reading(game, encoding, numbered, shape.settings))
        return [one for one in readings if NO_PLANE not in one.encoding.planes] or readings

    def _encodings(
        self, game: Game, shape: Shape, known: Sequence[tuple[str, ...]], planes: tuple[str, ...] | None
    ) -> Iterator[Encoding]:
        if len(self.shapes) == 1:
            yield from self._board_encodings(game, shape, known, planes, self.shapes[0])
            return
        for at, (own, other) in enumerate((self.shapes, self.shapes[::-1])):
            for encoding in self._board_encodings(game, shape, known, planes, own):
                for beside in besides_of(encoding, int(np.prod(other)), first=bool(at)):
                    yield replace(encoding, beside=beside)

    def _board_encodings(
        self,
        game: Game,
        shape: Shape,
        known: Sequence[tuple[str, ...]],
        planes: tuple[str, ...] | None,
        input_shape: tuple[int, ...],
    ) -> Iterator[Encoding]:
        board = shape.encodings[0].board
        count, rest = divmod(int(np.prod(input_shape)), int(np.prod(board)))
        if rest or not 0 < count <= MOST_PLANES:
            return
        ways = [planes] if planes else list(dict.fromkeys((*known, *_usual(game, count))))
        # If no known use has this number of planes, the user gives their names.
        ways = [*ways, *([(NO_PLANE,) * count] if not planes and count not in map(len, ways) else [])]
        for way, layout, (flip, transpose) in product(ways, LAYOUTS, how_it_may_lie(game, board)):
            # Only some games are known to add several planes up in one number.
            is_sum = layout == "sum" and len(way) > 1
            if (layout == "cells" and count == 1) or (is_sum and not (planes or way in known)):
                continue
            encoding = Encoding(layout, board, way, flip=flip, transpose=transpose)
            if encoding.shape == input_shape:
                yield encoding

    def with_values(self, reading: Reading) -> Iterator[Reading]:
        """The reading with each value that the network may have."""
        if self.value_width is None:
            yield reading
            return
        orders: tuple[tuple[str, ...] | None, ...] = (*_ORDERS, None) if self.value_width == len(ORDER) else (None,)
        for whose, order in product(WHOSE, orders):
            # If the value is not used, its order does not matter.
            if whose not in PLAYERS and order:
                continue
            yield replace(reading, encoding=replace(reading.encoding, value=whose), value_order=order)


def _usual(game: Game, count: int) -> tuple[tuple[str, ...], ...]:
    """The ways in which this number of planes can show a board; empty for games whose planes are not pieces."""
    is_known = game.is_probed or ("mover" in game.encoding.planes and count <= SHORT)
    return piece_planes(count) if is_known else ()


def numberings_of(numbering: Numbering | None, encoding: Encoding) -> Iterator[Numbering | None]:
    """The policy's numberings: row by row from the top and, for another orientation, in the input's order."""
    yield numbering
    cells = int(np.prod(encoding.board))
    if numbering is None or numbering.width < cells or not (encoding.flip or encoding.transpose):
        return
    yield number_as_input(numbering, encoding)
