"""Encodings as data: which planes make the tensor that a network reads, and its layout.

    {"layout": "channels_first", "board": [6, 7], "planes": ["mover", "opponent"]}

A plane is a name. The game draws those that depend on its rules ("mover", "opponent", "mover@2" for two plies ago,
counts of boxes, ...). This file draws those that every game has. "player0" and "player1" are the pieces of the player
who began and of the other (also "player0@2"). "last" is 1 where the last action was played, "empty" 1 on empty cells.
Some planes show both players: "signed" has +1 for the mover's pieces and -1 for the opponent's. "codes_mover" has 1 and
2 for them; "marks_mover" has 0 and 1 for them, and -1 for empty cells. The other names in `MIXED` end with the player
whose pieces are +1, 1 or 0.

Other people's networks read a board in other ways, which `flip`, `transpose`, `turned`, `history` and `value` describe.
The data omits their usual values, so that older data keeps its meaning.

A network may have a second input that says who is to move. `beside` describes it: planes with the same number
everywhere, each given once or once per cell. A position's numbers then form one vector, of which each input
reads its part (`split_inputs`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError
from .drawing import draw
from .state import Remembers, State

# The members of every encoding; the others are present only if something is unusual.
USUAL = ("layout", "board", "planes")
LAYOUTS = ("channels_first", "channels_last", "flat", "cells", "sum")
HISTORIES = ("empty", "repeated")
# Layouts as vectors, without axes of the board.
VECTORS = ("flat", "cells")
MOVER, OPPONENT, PLAYER0, PLAYER1 = PLAYERS = ("mover", "opponent", "player0", "player1")
# If it is unknown whose value it is, or what its three outputs are, the value is not used.
UNKNOWN = "unknown"
WHOSE = (*PLAYERS, UNKNOWN)
# Absolute colours are the mover's and the opponent's pieces, depending on who is to move.
COLOURS = (PLAYER0, PLAYER1)
LAST = "last"
# More plies than any game shows.
LONG = 1 << 30
COMMON: Mapping[str, Callable[[State], float]] = {
    "ones": lambda state: 1.0,
    "zeros": lambda state: 0.0,
    "player0_to_move": lambda state: float(state.to_move == 0),
    "player1_to_move": lambda state: float(state.to_move == 1),
    "turn_player0": lambda state: float(1 - 2 * state.to_move),
    "turn_player1": lambda state: float(2 * state.to_move - 1),
}
# Planes with both players' pieces: the first player, the other, and each one's number.
MIXED: Mapping[str, tuple[str, str, int, int]] = {
    "signed": (MOVER, OPPONENT, 1, -1),
    "signed_opponent": (OPPONENT, MOVER, 1, -1),
    "signed_player0": (PLAYER0, PLAYER1, 1, -1),
    "signed_player1": (PLAYER1, PLAYER0, 1, -1),
    "codes_mover": (MOVER, OPPONENT, 1, 2),
    "codes_opponent": (OPPONENT, MOVER, 1, 2),
    "codes_player0": (PLAYER0, PLAYER1, 1, 2),
    "codes_player1": (PLAYER1, PLAYER0, 1, 2),
    "marks_mover": (MOVER, OPPONENT, 0, 1),
    "marks_opponent": (OPPONENT, MOVER, 0, 1),
    "marks_player0": (PLAYER0, PLAYER1, 0, 1),
    "marks_player1": (PLAYER1, PLAYER0, 0, 1),
}
# The number for an empty cell, if it is not 0.
OF_EMPTY = {name: -1 for name in MIXED if name.startswith("marks_")}
EMPTY = "empty"


@dataclass(frozen=True)
class SecondInput:
    """A second input: `planes` of `COMMON`. Each is `cells` equal numbers, either 1 or as many as the board has cells.

    If `first`, its numbers come before the board's.
    """

    planes: tuple[str, ...]
    cells: int = 1
    first: bool = False

    def __post_init__(self) -> None:
        unknown = next((name for name in self.planes if name not in COMMON), None)
        if unknown is not None or not self.planes:
            named = f"'{unknown}' is unknown" if unknown else "'planes' is empty"
            raise GameError(f"encoding: beside: {named}, use one of {', '.join(COMMON)}.")

    @property
    def size(self) -> int:
        """The number of values of the input."""
        return len(self.planes) * self.cells

    def numbers(self, state: State) -> NDArray[np.float32]:
        """The second input for `state`, float32 (size,)."""
        return np.repeat(np.array([COMMON[name](state) for name in self.planes], np.float32), self.cells)

    def as_data(self) -> dict[str, Any]:
        """The second input as JSON types, without usual values."""
        cells = {"cells": self.cells} if self.cells != 1 else {}
        return {"planes": list(self.planes), **cells, **({"first": True} if self.first else {})}


@dataclass(frozen=True)
class Encoding:
    """`planes` over a `board`, stacked as `layout` says.

    channels_first gives (planes, *board), channels_last (*board, planes). flat gives one vector, plane after plane;
    cells gives one vector, cell after cell, each with its number from every plane. sum gives (*board) with the planes
    added up.

    `board` is the game's, (rows, columns). `flip` writes the rows of every plane bottom first; `transpose` then
    exchanges rows and columns, so that the tensor has (columns, rows). `turned` exchanges rows and columns of a square
    board before that, whenever the second player is to move, and numbers the moves likewise. So in Hex every player
    seems to join top and bottom. For plies before the game began, `history` "repeated" shows the first position,
    "empty" shows nothing. `value` says whose value the network answers: the "mover"'s, the "opponent"'s (who moved
    last), "player0"'s or "player1"'s; an "unknown" value is not used. `beside` is the second input, None without one.
    """

    layout: str
    board: tuple[int, ...]
    planes: tuple[str, ...]
    flip: bool = False
    transpose: bool = False
    history: str = HISTORIES[0]
    value: str = MOVER
    turned: bool = False
    beside: SecondInput | None = None

    def __post_init__(self) -> None:
        if self.layout not in LAYOUTS:
            raise GameError(f"encoding: layout '{self.layout}' is unknown, use one of {', '.join(LAYOUTS)}.")
        if not self.planes:
            raise GameError("encoding: 'planes' is empty, name at least one plane.")
        if self.transpose and len(self.board) != 2:
            raise GameError(f"encoding: a board of {list(self.board)} cannot be transposed, give rows and columns.")
        if self.turned and len(set(self.board)) != 1:
            raise GameError(f"encoding: a board of {list(self.board)} cannot be turned, give as many rows as columns.")
        cells = int(np.prod(self.board))
        if self.beside and self.beside.cells not in (1, cells):
            raise GameError(f"encoding: beside: 'cells' is {self.beside.cells}, give 1 or the board's {cells}.")

    @property
    def plane_shape(self) -> tuple[int, ...]:
        """A plane's sizes in the tensor: (columns, rows) if it is transposed."""
        return self.board[::-1] if self.transpose else self.board

    @property
    def shape(self) -> tuple[int, ...]:
        """The tensor's shape without the batch; with two inputs it is one vector of all their numbers."""
        return (int(np.prod(self.board_shape)) + self.beside.size,) if self.beside else self.board_shape

    @property
    def input_shapes(self) -> tuple[tuple[int, ...], ...]:
        """Each input's shape without the batch, in order; for the second only its size matters."""
        if self.beside is None:
            return (self.board_shape,)
        shapes = (self.board_shape, self._beside_shape(self.beside))
        return shapes[::-1] if self.beside.first else shapes

    def _beside_shape(self, beside: SecondInput) -> tuple[int, ...]:
        if beside.cells == 1 or len(beside.planes) > 1 or self.layout in VECTORS:
            return (beside.size,)
        if self.layout == "channels_first":
            return (1, *self.plane_shape)
        return self.plane_shape if self.layout == "sum" else (*self.plane_shape, 1)

    @property
    def board_part(self) -> slice:
        """The places of the board's numbers in the flat tensor."""
        start = self.beside.size if self.beside and self.beside.first else 0
        return slice(start, start + int(np.prod(self.board_shape)))

    @property
    def beside_part(self) -> slice:
        """The places of the second input's numbers in the flat tensor; empty without a second input."""
        board = self.board_part
        return slice(0, board.start) if board.start else slice(board.stop, None)

    @property
    def board_shape(self) -> tuple[int, ...]:
        """The shape of the board's part, without the batch."""
        if self.layout in VECTORS:
            return (len(self.planes) * int(np.prod(self.board)),)
        if self.layout == "channels_first":
            return (len(self.planes), *self.plane_shape)
        if self.layout == "sum":
            return self.plane_shape
        return (*self.plane_shape, len(self.planes))

    def as_data(self) -> dict[str, Any]:
        """The encoding as JSON types for a manifest, without usual values."""
        usual = {"flip": False, "transpose": False, "turned": False, "history": HISTORIES[0], "value": MOVER}
        unusual = {name: getattr(self, name) for name, value in usual.items() if getattr(self, name) != value}
        unusual |= {"beside": self.beside.as_data()} if self.beside else {}
        return {"layout": self.layout, "board": list(self.board), "planes": list(self.planes), **unusual}


def say_mixed(plane: str, words: Mapping[str, str]) -> str:
    """A plane of `MIXED` in words: "+1 the player to move, -1 the opponent"; `words` has the players' words."""
    first, second, *numbers = MIXED[plane]
    signs = [f"{number:+}" if -1 in numbers else str(number) for number in numbers]
    empty = f"{OF_EMPTY[plane]} empty, " if plane in OF_EMPTY else ""
    return f"{empty}{signs[0]} {words[first]}, {signs[1]} {words[second]}"


def encode(state: State, encoding: Encoding) -> NDArray[np.float32]:
    """The tensor of `state`, float32 of `encoding.shape`."""
    tensor: NDArray[np.float32] = encode_all((state,), encoding)[0]
    return tensor


def encode_all(states: Sequence[State], encoding: Encoding) -> NDArray[np.float32]:
    """The tensors of states of one game on one board, float32 (N, *encoding.shape).

    `states` has at least one. GameError if the game cannot draw a plane, or if the boards differ.
    """
    boards, beside = _boards(states, encoding), encoding.beside
    if beside is None:
        return boards
    parts = (boards.reshape(len(states), -1), np.stack([beside.numbers(state) for state in states]))
    return np.concatenate(parts[::-1] if beside.first else parts, axis=1)


def split_inputs(tensors: NDArray[Any], shapes: Mapping[str, Sequence[int]]) -> dict[str, NDArray[Any]]:
    """Tensors (N, *encoding.shape) split into inputs, by name, (N, *shape); `shapes` has the inputs in order."""
    if len(shapes) == 1:
        return dict.fromkeys(shapes, tensors)
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes.values()])
    parts = np.split(tensors.reshape(len(tensors), -1), ends[:-1], axis=1)
    return {name: part.reshape(-1, *shape) for (name, shape), part in zip(shapes.items(), parts, strict=True)}


def _boards(states: Sequence[State], encoding: Encoding) -> NDArray[np.float32]:
    """The boards' part, float32 (N, *encoding.board_shape)."""
    planes = _planes(states, encoding)
    if encoding.turned and (second := [row for row, state in enumerate(states) if state.to_move == 1]):
        planes[second] = np.swapaxes(planes[second], 2, 3)
    laid = lay_out(planes, encoding, first=2)
    if encoding.layout in ("channels_last", "cells"):
        laid = np.moveaxis(laid, 1, -1)
    if encoding.layout == "sum":
        laid = laid.sum(axis=1)
    return np.ascontiguousarray(laid, np.float32).reshape(len(states), *encoding.board_shape)


def is_turned(state: State, encoding: Encoding) -> bool:
    """Whether the encoding exchanges rows and columns of `state`, because the second player is to move."""
    return encoding.turned and state.to_move == 1


def turned_actions(board: tuple[int, ...], actions: int) -> NDArray[np.int64]:
    """Each action's number on the turned square board, int64 (actions,); a pass keeps its number."""
    named = np.arange(actions)
    cells = int(np.prod(board))
    named[:cells] = np.arange(cells).reshape(board).T.ravel()
    return named


def lay_out(planes: NDArray[Any], encoding: Encoding, first: int = 1) -> NDArray[Any]:
    """`planes` as in the tensor: flipped, then transposed. `first` is the axis of the rows; columns follow it."""
    flipped = np.flip(planes, axis=first) if encoding.flip else planes
    return np.swapaxes(flipped, first, first + 1) if encoding.transpose else flipped


def _planes(states: Sequence[State], encoding: Encoding) -> NDArray[Any]:
    """All planes (N, P, *board), neither flipped nor transposed: uint8 if they have only 0 and 1, else float32."""
    board, planes = encoding.board, encoding.planes
    _check_boards(states, encoding)
    # If actions are the cells and perhaps a pass, the last action is marked here; else the game draws it itself.
    has_last = math.prod(board) <= states[0].actions
    parts = [() if plane in COMMON or (plane == LAST and has_last) else _parts(plane) for plane in planes]
    names = tuple(dict.fromkeys(name for part in parts for name, _ in part))
    names_by_state = _names_by_state(states, names, encoding.history) if names else []
    pieces = draw(states, names_by_state) if names else np.zeros((len(states), 0, *board))
    if tuple(parts) == tuple(((name, 1),) for name in names):
        return pieces
    laid = np.zeros((len(states), len(planes), *board), np.float32)
    alone = [at for at, part in enumerate(parts) if len(part) == 1]
    laid[:, alone] = pieces[:, [names.index(parts[at][0][0]) for at in alone]]
    for at, (plane, part) in enumerate(zip(planes, parts, strict=True)):
        if plane in COMMON:
            laid[:, at] = np.array([COMMON[plane](state) for state in states], np.float32)[:, None, None]
        elif not part:
            _mark_last(laid[:, at], states)
        elif len(part) > 1:
            laid[:, at] = OF_EMPTY.get(plane, int(plane == EMPTY))
            for name, number in part:
                laid[:, at] += np.float32(number) * pieces[:, names.index(name)]
    return laid


def _check_boards(states: Sequence[State], encoding: Encoding) -> None:
    other = next((state.board for state in states if state.board != encoding.board), None)
    if other is not None:
        raise GameError(
            f"encoding: plane '{encoding.planes[0]}' is of shape {other}, the encoding's board is {encoding.board}."
        )


def _parts(plane: str) -> tuple[tuple[str, int], ...]:
    """The planes of pieces that add up to `plane`, each with its factor relative to an empty cell's number."""
    if plane in MIXED:
        first, second, of_first, of_second = MIXED[plane]
        empty = OF_EMPTY.get(plane, 0)
        return (first, of_first - empty), (second, of_second - empty)
    return ((MOVER, -1), (OPPONENT, -1)) if plane == EMPTY else ((plane, 1),)


def _names_by_state(states: Sequence[State], names: tuple[str, ...], history: str) -> list[tuple[str, ...]]:
    """The planes' names for each state: "player0" and "player1" become "mover" and "opponent".

    With a "repeated" history, plies before the game began become the first position's. GameError if the game has no
    such plane.
    """
    first, repeats = states[0], history == "repeated" and isinstance(states[0], Remembers)
    _check_names(first, names)
    if not repeats and not any(name.partition("@")[0] in COLOURS for name in names):
        return [names] * len(states)
    known: dict[tuple[int, int], tuple[str, ...]] = {}
    keys = [(state.to_move, cast("Remembers", state).past if repeats else LONG) for state in states]
    for key in set(keys):
        known[key] = tuple(_as_drawn(name, *key) for name in names)
    return [known[key] for key in keys]


def _check_names(state: State, names: tuple[str, ...]) -> None:
    """GameError, with the name as the encoding has it, if the game does not draw one of the planes."""
    for name in names:
        called = _as_drawn(name, state.to_move, LONG)
        if called in getattr(state, "bit_planes", ()):
            continue
        try:
            state.plane(called)
        except GameError as error:
            raise (
                error if called == name else GameError(f"encoding: plane '{name}' cannot be drawn, {error}")
            ) from error


def _as_drawn(name: str, to_move: int, past: int) -> str:
    """The name of a plane for a state with this player to move; it shows at most `past` earlier plies."""
    whose, _, ago = name.partition("@")
    if whose in COLOURS:
        whose = MOVER if COLOURS.index(whose) == to_move else OPPONENT
    if ago.isdecimal() and int(ago) > past:
        ago = str(past) if past else ""
    return f"{whose}@{ago}" if ago else whose


def _mark_last(planes: NDArray[np.float32], states: Sequence[State]) -> None:
    """Set 1 on the last action's cell in planes of zeros, float32 (N, rows, columns)."""
    columns = planes.shape[2]
    for plane, state in zip(planes, states, strict=True):
        last = state.last_action
        if last is not None and last < plane.size:
            plane[last // columns, last % columns] = 1
