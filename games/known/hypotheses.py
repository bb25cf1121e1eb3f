"""Every way in which a network of these shapes may read its game, each with a name for --encoding.

    connect4-mover-opponent-bottom-first        tictactoe-codes-player0        connect4-signed-by-column

A name has the game, the planes in their order, and what is unusual. It may end with whose value the network answers,
and with the meaning of three outputs: `-value-player0`, `-loss-draw-win`. If the input's shape decides the layout, the
name omits it. For a second input that says who is to move, the name has `-beside-` and its planes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product
from math import prod

import numpy as np

from ..encoding import LAYOUTS, MOVER, VECTORS, WHOSE, Encoding, SecondInput
from ..game import Convention, Game, Numbering, Reading, Shape, number_as_input
from ..value import ORDER
from .pieces import PLAYERS, TURN_PAIRS, TURNS, is_of_the_mover, piece_planes, say_beside, say_planes

# The number of inputs of a network that reads who is to move separately.
BOARD_AND_BESIDE = 2
VALUE_OF = "-value-"
VALUES = {**{whose: f"that of {words}" for whose, words in PLAYERS.items()}, "unknown": "not used"}


@dataclass(frozen=True)
class Hypothesis:
    """One way to read a network: `name` is for --encoding, `says` describes it in plain words."""

    name: str
    says: str
    reading: Reading

    def with_value(self, whose: str = MOVER, order: tuple[str, ...] | None = None) -> Hypothesis:
        """The hypothesis with the value of `whose` and the outputs in `order`; usual ones add nothing to its name."""
        encoding = replace(self.reading.encoding, value=whose)
        name = self.name + (f"{VALUE_OF}{whose}" if whose != MOVER else "") + (f"-{'-'.join(order)}" if order else "")
        says = self.says + (f"; the value is {VALUES[whose]}" if whose != MOVER else "")
        says += f"; its outputs are {', '.join(order)}" if order else ""
        return Hypothesis(name, says, replace(self.reading, encoding=encoding, value_order=order))


def hypotheses(game: Game, input_shape: tuple[int, ...], policy_width: int | None) -> tuple[Hypothesis, ...]:
    """Every reading of `game` that the shapes allow, the reference network's first; empty if they allow none.

    `input_shape` is without the batch, `policy_width` None without a policy. In each the value is the mover's, and
    three outputs have no order; `Hypothesis.with_value` changes that. No two readings make the same tensor and number
    the moves alike. Several boards appear only if a vector's length does not determine the board.
    """
    by_name: dict[str, Hypothesis] = {}
    for shape in game.shapes:
        numbering = next((one for one in shape.numberings if one.width == policy_width), None)
        if numbering is None and policy_width is not None:
            continue
        for way in _conventions(game, shape, input_shape, numbering):
            by_name.setdefault(way.name, way)
        for encoding in _encodings(game, shape, input_shape) if game.is_probed else ():
            suffix = _suffix(encoding, input_shape)
            name = "-".join([game.name, *_plane_words(encoding), *suffix]).replace("_", "-")
            says = "; ".join([say_planes(encoding.planes), *(_SAYS[word] for word in suffix)])
            if name in by_name and by_name[name].reading.encoding.board != encoding.board:
                # The same number of cells, but other rows and columns.
                rows, columns = encoding.board
                name, says = f"{name}-{rows}x{columns}", f"{says}; {rows} rows of {columns}"
            numbered = _renumbered(numbering, encoding) if numbering else None
            by_name.setdefault(name, Hypothesis(name, says, Reading(game, encoding, numbered, shape.settings)))
            if numbering and _may_be_flipped(game, encoding):
                # Widespread code for Gomoku flips the board for the input but not for the moves.
                turned = Reading(game, replace(encoding, flip=True), numbering, shape.settings)
                says = f"{says}; {_SAYS[FLIPPED]}"
                by_name.setdefault(f"{name}-{FLIPPED}", Hypothesis(f"{name}-{FLIPPED}", says, turned))
    return tuple(_on_likely_boards(game, list(by_name.values())))


def _on_likely_boards(game: Game, every: list[Hypothesis]) -> list[Hypothesis]:
    """The hypotheses for the reference network's board, also transposed; if none, see below.

    Then those for boards that some hypothesis does not transpose, else all. Networks with a transposed board of six
    rows and seven columns exist; a board of seven rows and six columns hardly ever occurs.
    """
    usual = [one for one in every if one.reading.encoding.board == game.encoding.board]
    straight = {one.reading.encoding.board for one in every if not one.reading.encoding.transpose}
    return usual or [one for one in every if one.reading.encoding.board in straight] or every


def hypotheses_of(
    game: Game, input_shapes: Sequence[tuple[int, ...]], policy_width: int | None
) -> tuple[Hypothesis, ...]:
    """`hypotheses` for a network's inputs: one with the board, and perhaps a second one that says who is to move."""
    if len(input_shapes) == 1:
        return hypotheses(game, tuple(input_shapes[0]), policy_width)
    if len(input_shapes) != BOARD_AND_BESIDE or not game.is_probed:
        return ()
    by_name: dict[str, Hypothesis] = {}
    for at, (shape, other) in enumerate((input_shapes, input_shapes[::-1])):
        for one in hypotheses(game, tuple(shape), policy_width):
            board = one.reading.encoding
            # Two inputs of equal size do not show which one has the board.
            either = prod(shape) == prod(other)
            for beside in besides_of(board, prod(other), first=bool(at)):
                name = "-".join([one.name, BESIDE, *beside.planes, *(["first"] if beside.first and either else [])])
                says = f"{one.says}; beside it {say_beside(beside.planes)}"
                reading = replace(one.reading, encoding=replace(board, beside=beside))
                by_name.setdefault(name.replace("_", "-"), Hypothesis(name.replace("_", "-"), says, reading))
    return tuple(by_name.values())


def besides_of(board: Encoding, size: int, *, first: bool) -> Iterator[SecondInput]:
    """The possible second inputs of `size` numbers that say who is to move, if the board's planes do not."""
    if any(plane in TURNS for plane in board.planes):
        return
    if size in (1, prod(board.board)):
        yield from (SecondInput((turn,), size, first) for turn in TURNS)
    elif size == len(TURN_PAIRS):
        yield from (SecondInput(pair, 1, first) for pair in TURN_PAIRS)


def named(
    game: Game, name: str, input_shapes: Sequence[tuple[int, ...]], policy_width: int | None
) -> Hypothesis | None:
    """The hypothesis for these inputs that is called `name`; None if there is none."""
    for base in hypotheses_of(game, input_shapes, policy_width):
        if name.startswith(base.name):
            for whose, order in product(WHOSE, (None, *permutations(ORDER))):
                hypothesis = base.with_value(whose, order)
                if hypothesis.name == name:
                    return hypothesis
    return None


def _conventions(
    game: Game, shape: Shape, input_shape: tuple[int, ...], numbering: Numbering | None
) -> Iterator[Hypothesis]:
    """A game's ways that tactics cannot distinguish: Go's orders of planes, else the catalogue's encodings."""
    for encoding in shape.encodings if not game.is_probed else ():
        if encoding.shape == input_shape:
            for way in shape.conventions or (Convention("-".join([game.name, encoding.layout]), "the usual planes"),):
                numbered = way.numbering(numbering, encoding.board) if numbering else None
                yield Hypothesis(way.name, way.says, Reading(game, way.encoding(encoding), numbered, shape.settings))


def _encodings(game: Game, shape: Shape, input_shape: tuple[int, ...]) -> Iterator[Encoding]:
    """The encodings that make a tensor of this shape: the catalogue's own, then those of common planes."""
    board = shape.encodings[0].board
    remembers = any("@" in plane for plane in shape.encodings[0].planes)
    yield from (encoding for encoding in shape.encodings if encoding.shape == input_shape)
    for layout, count in product(LAYOUTS, _plane_counts(board, input_shape)):
        if (layout == "sum" and count > 1) or (layout == "cells" and count == 1):
            continue
        ways = [planes for planes in piece_planes(count) if remembers or not any("@" in plane for plane in planes)]
        for planes, (flip, transpose) in product(ways, how_it_may_lie(game, board)):
            for turned in (False, True) if game.sided and is_of_the_mover(planes) else (False,):
                encoding = Encoding(layout, board, planes, flip=flip, transpose=transpose, turned=turned)
                if encoding.shape == input_shape:
                    yield encoding


def how_it_may_lie(game: Game, board: Sequence[int]) -> list[tuple[bool, bool]]:
    """The flips and transpositions in which a board may lie in an input, the usual one first."""
    # A square board on its side is a different board only if up and down differ.
    turned = (False, True) if game.upright or board[0] != board[1] else (False,)
    return list(product((False, True) if game.upright else (False,), turned))


def _plane_counts(board: Sequence[int], input_shape: tuple[int, ...]) -> list[int]:
    count, rest = divmod(int(np.prod(input_shape)), int(np.prod(board)))
    return [] if rest else [count]


def _plane_words(encoding: Encoding) -> Sequence[str]:
    """Words for the planes. For a history: whose boards come first, whether they alternate, and whose turn is shown."""
    planes = encoding.planes
    if len(planes) <= LONGEST:
        return planes
    if not any("@" in plane for plane in planes):
        return ("history",)
    in_turn = ["in-turn"] if planes[1].partition("@")[0] != planes[0].partition("@")[0] else []
    return ("history", planes[0], *in_turn, planes[-1])


LONGEST = 4
BESIDE = "beside"
BOTTOM_FIRST, BY_COLUMN, BY_CELL, TURNED = "bottom-first", "by-column", "by-cell", "turned"
FLIPPED = "input-flipped"
FLIPPED_PLANES = (4, 9)
_SAYS = {
    BOTTOM_FIRST: "row 0 at the bottom",
    BY_COLUMN: "columns as rows",
    TURNED: "columns as rows while the player who came second is to move",
    FLIPPED: "rows bottom first in the input, the moves as usual",
    BY_CELL: "the numbers of each cell together",
    "channels-first": "planes first",
}


def _suffix(encoding: Encoding, input_shape: tuple[int, ...]) -> list[str]:
    words = [BOTTOM_FIRST] if encoding.flip else []
    words += [BY_COLUMN] if encoding.transpose else []
    words += [TURNED] if encoding.turned else []
    words += [BY_CELL] if encoding.layout == "cells" else []
    # With equal numbers of planes and rows the shape does not show which axis is which.
    either = encoding.layout not in (*VECTORS, "sum") and len(set(input_shape)) == 1
    return [*words, "channels-first"] if either and encoding.layout == "channels_first" else words


def _may_be_flipped(game: Game, encoding: Encoding) -> bool:
    """Whether known networks of these planes flip only the input: those with the last move or a history."""
    return not game.upright and not game.legality and len(encoding.planes) in FLIPPED_PLANES


def _renumbered(numbering: Numbering, encoding: Encoding) -> Numbering:
    """For a policy with a move per cell, the cells numbered in the input's order; other numberings stay unchanged."""
    if not (encoding.flip or encoding.transpose) or numbering.width != int(np.prod(encoding.board)):
        return numbering
    return number_as_input(numbering, encoding)
