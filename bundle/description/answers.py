"""The questions about how a network sees its board, and each reading's answers, as options and in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from ...games.encoding import Encoding
from ...games.game import SHORT, Convention, Reading
from ...games.known.pieces import PLAYERS, say_beside, say_planes
from ...games.known.recognition import conventions
from ...games.state import State

GAME, BOARD, PIECES, ROWS, CELLS, LAYOUT, BESIDE, MOVES, VALUE_OF, VALUE_ORDER = QUESTIONS = (
    "game",
    "size",
    "pieces",
    "row-0",
    "cells",
    "layout",
    "beside",
    "moves",
    "value",
    "order",
)
TOP, BOTTOM = "top", "bottom"
BY_ROW, BY_COLUMN = "by-row", "by-column"
AS_INPUT = "as-input"
NOT_KNOWN = "unknown"
_LAYOUTS = {
    "channels_first": "planes, rows, columns",
    "channels_last": "rows, columns, planes",
    "flat": "one vector, plane after plane",
    "cells": "one vector, the numbers of each cell together",
    "sum": "rows and columns alone",
}
ASKED = {
    GAME: "Which game does it play?",
    BOARD: "Of which board (rows x columns)?",
    PIECES: "How does it see the pieces?",
    ROWS: "Where does row 0 of its input lie?",
    CELLS: "In which order are the cells of its input?",
    LAYOUT: "In which order are the numbers of its input?",
    BESIDE: "What does its second input say of who is to move?",
    MOVES: "How does its policy number the moves?",
    VALUE_OF: "Whose value does it answer with?",
    VALUE_ORDER: "What are the three outputs of its value?",
}
UNSAID = {
    GAME: "which game it plays",
    BOARD: "of which board it is",
    PIECES: "how it sees the pieces",
    ROWS: "where row 0 of its input lies",
    CELLS: "in which order its input has the cells",
    LAYOUT: "in which order its input has the numbers",
    BESIDE: "what its second input says of who is to move",
    MOVES: "how its policy numbers the moves",
    VALUE_OF: "whose its value is",
    VALUE_ORDER: "what the three outputs of its value are",
}
# Questions with a drawing of the board beside each answer.
DRAWN = frozenset({PIECES, ROWS, CELLS, LAYOUT, BESIDE})


def word_of(reading: Reading, name: str) -> str:
    """A reading's answer to a question, as the option's word."""
    encoding = reading.encoding
    words: Mapping[str, Callable[[], str]] = {
        GAME: lambda: reading.game.name,
        BOARD: lambda: "x".join(map(str, encoding.board)),
        PIECES: lambda: way.name if (way := _way_of(reading)) else ",".join(encoding.planes),
        ROWS: lambda: BOTTOM if encoding.flip else TOP,
        CELLS: lambda: BY_COLUMN if encoding.transpose else BY_ROW,
        LAYOUT: lambda: encoding.layout,
        BESIDE: lambda: _beside_word(encoding),
        MOVES: lambda: AS_INPUT if reading.actions == "listed" else reading.actions,
        VALUE_OF: lambda: encoding.value,
        VALUE_ORDER: lambda: ",".join(reading.value_order or (NOT_KNOWN,)),
    }
    return words[name]()


def _beside_word(encoding: Encoding) -> str:
    """The planes of the second input, and "first" if its size could be the board's."""
    beside = encoding.beside
    if beside is None:
        return "none"
    same = beside.size == int(np.prod(encoding.board_shape))
    return ",".join([*beside.planes, *(["first"] if beside.first and same else [])])


def say(reading: Reading, name: str) -> str:
    """A reading's answer to a question, in plain words."""
    encoding, word = reading.encoding, word_of(reading, name)
    if name == GAME:
        return reading.game.title
    if name == BOARD:
        return f"{encoding.board[0]} rows of {encoding.board[1]}"
    if name == PIECES:
        return _say_pieces(reading)
    if name == LAYOUT:
        return _LAYOUTS[encoding.layout]
    if name == BESIDE:
        return say_beside(encoding.beside.planes) if encoding.beside else "nothing"
    if name == MOVES:
        return _say_moves(reading)
    if name == VALUE_OF:
        return f"that of {PLAYERS[word]}" if word in PLAYERS else "unknown, so it is not used"
    if name == VALUE_ORDER:
        return f"{', '.join(reading.value_order)}, in this order" if reading.value_order else "unknown"
    return {
        TOP: "at the top of the board",
        BOTTOM: "at the bottom of the board",
        BY_ROW: "row after row",
        BY_COLUMN: "column after column",
    }[word]


def _way_of(reading: Reading) -> Convention | None:
    """The way to encode the game that has these planes, if the game's ways differ in their planes."""
    usual, planes = reading.game.encoding, reading.encoding.planes
    ways = conventions(reading.game) if len(planes) > SHORT else ()
    return next((way for way in ways if way.encoding(usual).planes == planes), None)


def _say_pieces(reading: Reading) -> str:
    planes = reading.encoding.planes
    if way := _way_of(reading):
        return way.says
    return say_planes(planes) if len(planes) <= SHORT else f"{planes[0]}, {planes[1]}, ... {planes[-1]}"


def _say_moves(reading: Reading) -> str:
    if reading.actions == "listed":
        return "in the order of its input's cells"
    return {"none": "not at all", "column": "a number a column", "edge": "a number an edge"}.get(
        reading.actions, "row after row from the top left on"
    )


def example_state(reading: Reading) -> State:
    """An early position with pieces of both players away from the middle, some above each other."""
    state = reading.start()
    for share in (0.95, 0.55, 0.8, 0.0, 0.9, 0.0, 0.3)[: state.actions // 2]:
        legal = state.legal_actions()
        after = state.apply(legal[min(int(share * len(legal)), len(legal) - 1)])
        if after.is_terminal:
            break
        state = after
    return state
