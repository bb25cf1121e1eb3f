"""Encodings as data: which planes make the tensor that a network reads, and in which layout.

    {"layout": "channels_first", "board": [6, 7], "planes": ["mover", "opponent"]}

A plane is a name. The game draws the ones that depend on its rules ("mover", "opponent", "mover@2" for two plies ago,
counts of boxes, ...). Drawn here are those that every game has; "player0" and "player1", the pieces of who began and of
the other one (also "player0@2"); "last", 1 where the last action was played; "empty", 1 where nobody has a piece. And
those that show both players in one plane: "signed", +1 where the mover has a piece and -1 where the opponent has one,
and "codes_mover", 1 and 2 at the same places. The others of `MIXED` name the player who is +1 or 1.

Other people's networks read a board otherwise: `flip`, `transpose`, `turned`, `history` and `value` say how. They are
left out of the data where they are as usual, so that older data means what it did.

A network may have a second input that says who is to move. `beside` says what that reads: planes that are the same
everywhere, each as one number or as many as it has cells. A position's numbers are then one vector, of which each input
reads its part (`split_inputs`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError
from .state import Remembers, State

# The members that every encoding has; the others only where something is not as usual.
USUAL = ("layout", "board", "planes")
LAYOUTS = ("channels_first", "channels_last", "flat", "cells", "sum")
HISTORIES = ("empty", "repeated")
# Vectors, which have no axes of the board.
VECTORS = ("flat", "cells")
MOVER, OPPONENT, PLAYER0, PLAYER1 = PLAYERS = ("mover", "opponent", "player0", "player1")
# A value of which nothing tells whose it is, or what its three outputs are, is not used.
UNKNOWN = "unknown"
WHOSE = (*PLAYERS, UNKNOWN)
# Absolute colours are the mover's and the opponent's pieces, according to who is to move.
COLOURS = (PLAYER0, PLAYER1)
LAST = "last"
COMMON: Mapping[str, Callable[[State], float]] = {
    "ones": lambda state: 1.0,
    "zeros": lambda state: 0.0,
    "player0_to_move": lambda state: float(state.to_move == 0),
    "player1_to_move": lambda state: float(state.to_move == 1),
    "turn_player0": lambda state: float(1 - 2 * state.to_move),
    "turn_player1": lambda state: float(2 * state.to_move - 1),
}
# Planes of both players' pieces: the first one's, the other's, and the number that each has.
MIXED: Mapping[str, tuple[str, str, int, int]] = {
    "signed": (MOVER, OPPONENT, 1, -1),
    "signed_opponent": (OPPONENT, MOVER, 1, -1),
    "signed_player0": (PLAYER0, PLAYER1, 1, -1),
    "signed_player1": (PLAYER1, PLAYER0, 1, -1),
    "codes_mover": (MOVER, OPPONENT, 1, 2),
    "codes_opponent": (OPPONENT, MOVER, 1, 2),
    "codes_player0": (PLAYER0, PLAYER1, 1, 2),
    "codes_player1": (PLAYER1, PLAYER0, 1, 2),
}
EMPTY = "empty"


@dataclass(frozen=True)
class Beside:
    """What a second input reads: `planes` of `COMMON`, each as `cells` equal numbers, 1 or as many as the board has.

    Its numbers come before the board's if `first`.
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
        """How many numbers the input has."""
        return len(self.planes) * self.cells

    def numbers(self, state: State) -> NDArray[np.float32]:
        """What the input reads of `state`, float32 (size,)."""
        return np.repeat(np.array([COMMON[name](state) for name in self.planes], np.float32), self.cells)

    def as_data(self) -> dict[str, Any]:
        """The same as JSON types; what is as usual is left out."""
        cells = {"cells": self.cells} if self.cells != 1 else {}
        return {"planes": list(self.planes), **cells, **({"first": True} if self.first else {})}


@dataclass(frozen=True)
class Encoding:
    """`planes` over a `board`, stacked as `layout` says.

    channels_first gives (planes, *board), channels_last (*board, planes), flat one vector of the
    planes one after the other, cells one vector of the cells one after the other, each with its number of every plane,
    sum (*board) with the planes added up.

    `board` is the game's, (rows, columns). `flip` writes the rows of every plane bottom first, `transpose` then
    exchanges rows and columns, so that the tensor has (columns, rows). `turned` exchanges rows and columns of a square
    board before that, wherever the player who came second is to move, and numbers the moves likewise: so Hex is shown
    as if every player joined top and bottom. `history` "repeated" shows the first
    position in a plane of a ply before the game began, "empty" nothing. `value` is whose value the network
    answers with: the "mover"'s or the "opponent"'s (who moved last), that of "player0" or that of "player1";
    "unknown" if that is not known, and the value is not used. `beside` is what a second input reads, None without one.
    """

    layout: str
    board: tuple[int, ...]
    planes: tuple[str, ...]
    flip: bool = False
    transpose: bool = False
    history: str = HISTORIES[0]
    value: str = MOVER
    turned: bool = False
    beside: Beside | None = None

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
        """A plane's sizes as they are in the tensor: (columns, rows) if it is transposed."""
        return self.board[::-1] if self.transpose else self.board

    @property
    def shape(self) -> tuple[int, ...]:
        """The tensor's shape without the batch: of two inputs one vector of all their numbers."""
        return (int(np.prod(self.board_shape)) + self.beside.size,) if self.beside else self.board_shape

    @property
    def input_shapes(self) -> tuple[tuple[int, ...], ...]:
        """Each input's shape without the batch, in their order; of the second one only its size counts."""
        if self.beside is None:
            return (self.board_shape,)
        shapes = (self.board_shape, self._beside_shape(self.beside))
        return shapes[::-1] if self.beside.first else shapes

    def _beside_shape(self, beside: Beside) -> tuple[int, ...]:
        if beside.cells == 1 or len(beside.planes) > 1 or self.layout in VECTORS:
            return (beside.size,)
        if self.layout == "channels_first":
            return (1, *self.plane_shape)
        return self.plane_shape if self.layout == "sum" else (*self.plane_shape, 1)

    @property
    def board_part(self) -> slice:
        """Which of the tensor's numbers, flat, are the board's."""
        start = self.beside.size if self.beside and self.beside.first else 0
        return slice(start, start + int(np.prod(self.board_shape)))

    @property
    def beside_part(self) -> slice:
        """Which of them are the second input's; none without one."""
        board = self.board_part
        return slice(0, board.start) if board.start else slice(board.stop, None)

    @property
    def board_shape(self) -> tuple[int, ...]:
        """The shape of what the board is written into, without the batch."""
        if self.layout in VECTORS:
            return (len(self.planes) * int(np.prod(self.board)),)
        if self.layout == "channels_first":
            return (len(self.planes), *self.plane_shape)
        if self.layout == "sum":
            return self.plane_shape
        return (*self.plane_shape, len(self.planes))

    def as_data(self) -> dict[str, Any]:
        """The encoding as JSON types, as the manifest holds it; what is as usual is left out."""
        usual = {"flip": False, "transpose": False, "turned": False, "history": HISTORIES[0], "value": MOVER}
        said = {name: getattr(self, name) for name, value in usual.items() if getattr(self, name) != value}
        said |= {"beside": self.beside.as_data()} if self.beside else {}
        return {"layout": self.layout, "board": list(self.board), "planes": list(self.planes), **said}


def say_mixed(plane: str, words: Mapping[str, str]) -> str:
    """A plane of `MIXED` in plain words: "+1 the player to move, -1 the opponent"; `words` are the players'."""
    first, second, *numbers = MIXED[plane]
    signs = [f"{number:+}" if -1 in numbers else str(number) for number in numbers]
    return f"{signs[0]} {words[first]}, {signs[1]} {words[second]}"


def from_data(data: Mapping[str, Any]) -> Encoding:
    """The encoding that `data` (of a manifest or an --encoding file) describes; GameError if it is none."""
    missing = [key for key in USUAL if key not in data]
    if missing:
        raise GameError(f"encoding: '{missing[0]}' is missing, give layout, board and planes.")
    try:
        board = tuple(int(size) for size in data["board"])
    except (TypeError, ValueError) as error:
        raise GameError(f"encoding: board {data['board']!r} is no list of sizes such as [6, 7].") from error
    if isinstance(data["planes"], str):
        raise GameError("encoding: 'planes' is a string, give a list of plane names.")
    return Encoding(
        str(data["layout"]),
        board,
        tuple(str(name) for name in data["planes"]),
        flip=_switch(data, "flip"),
        transpose=_switch(data, "transpose"),
        turned=_switch(data, "turned"),
        history=_choice(data, "history", HISTORIES),
        value=_choice(data, "value", WHOSE),
        beside=_beside(data.get("beside")),
    )


def _beside(data: Any) -> Beside | None:
    """The second input that an encoding's `beside` describes; None without one."""
    if data is None:
        return None
    planes, cells = (data.get("planes"), data.get("cells", 1)) if isinstance(data, Mapping) else (None, 1)
    if not isinstance(planes, list | tuple) or type(cells) is not int:
        raise GameError(f"encoding: 'beside' is {data!r}, give its planes as a list, and 'cells' as a whole number.")
    return Beside(tuple(str(name) for name in planes), cells, _switch(data, "first"))


def _switch(data: Mapping[str, Any], name: str) -> bool:
    value = data.get(name, False)
    if not isinstance(value, bool):
        raise GameError(f"encoding: '{name}' is {value!r}, give true or false, or leave it away.")
    return value


def _choice(data: Mapping[str, Any], name: str, choices: tuple[str, ...]) -> str:
    """One of `choices`, the first if nothing is said."""
    value = data.get(name, choices[0])
    if not isinstance(value, str) or value not in choices:
        raise GameError(
            f"encoding: '{name}' is {value!r}, give {', '.join(choices[:-1])} or {choices[-1]}, or leave it away."
        )
    return value


def encode(state: State, encoding: Encoding) -> NDArray[np.float32]:
    """The tensor of `state`, float32 of `encoding.shape`."""
    board, beside = _encode_board(state, encoding), encoding.beside
    if beside is None:
        return board
    parts = (board.ravel(), beside.numbers(state))
    return np.concatenate(parts[::-1] if beside.first else parts)


def split_inputs(tensors: NDArray[Any], shapes: Mapping[str, Sequence[int]]) -> dict[str, NDArray[Any]]:
    """What each input reads of tensors (N, *encoding.shape), by name, (N, *shape); `shapes` has the inputs in order."""
    if len(shapes) == 1:
        return dict.fromkeys(shapes, tensors)
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes.values()])
    parts = np.split(tensors.reshape(len(tensors), -1), ends[:-1], axis=1)
    return {name: part.reshape(-1, *shape) for (name, shape), part in zip(shapes.items(), parts, strict=True)}


def _encode_board(state: State, encoding: Encoding) -> NDArray[np.float32]:
    """The board's part, float32 of `encoding.board_shape`."""
    planes = np.stack([_plane(state, name, encoding) for name in encoding.planes])
    if is_turned(state, encoding):
        planes = np.swapaxes(planes, 1, 2)
    if encoding.flip or encoding.transpose or encoding.turned:
        planes = np.ascontiguousarray(lay_out(planes, encoding))
    if encoding.layout == "channels_last":
        return np.ascontiguousarray(np.moveaxis(planes, 0, -1))
    if encoding.layout == "cells":
        return np.ascontiguousarray(np.moveaxis(planes, 0, -1)).reshape(encoding.board_shape)
    if encoding.layout == "sum":
        summed: NDArray[np.float32] = planes.sum(axis=0)
        return summed
    return planes.reshape(encoding.board_shape)


def is_turned(state: State, encoding: Encoding) -> bool:
    """Whether `state` is shown with columns for rows because of who is to move."""
    return encoding.turned and state.to_move == 1


def turned_actions(board: tuple[int, ...], actions: int) -> NDArray[np.int64]:
    """What each action of a square board is called on the turned one, int64 (actions,); a pass keeps its number."""
    named = np.arange(actions)
    cells = int(np.prod(board))
    named[:cells] = np.arange(cells).reshape(board).T.ravel()
    return named


def lay_out(planes: NDArray[Any], encoding: Encoding, first: int = 1) -> NDArray[Any]:
    """`planes` (..., rows, columns, ...), board axes from `first` on, as in the tensor: flipped, then transposed."""
    flipped = np.flip(planes, axis=first) if encoding.flip else planes
    return np.swapaxes(flipped, first, first + 1) if encoding.transpose else flipped


def _plane(state: State, name: str, encoding: Encoding) -> NDArray[np.float32]:
    """One plane as the board lies, float32 of shape `encoding.board`."""
    board = encoding.board
    if name in COMMON:
        return np.full(board, COMMON[name](state), dtype=np.float32)
    if name in MIXED:
        first, second, of_first, of_second = MIXED[name]
        return of_first * _plane(state, first, encoding) + of_second * _plane(state, second, encoding)
    if name == EMPTY:
        return 1 - _plane(state, MOVER, encoding) - _plane(state, OPPONENT, encoding)
    if name == LAST and int(np.prod(state.board)) <= state.actions:
        plane = _last(state)
    else:
        plane = _pieces(state, name, encoding.history)
    if plane.shape != board:
        raise GameError(f"encoding: plane '{name}' is of shape {plane.shape}, the encoding's board is {board}.")
    return plane


def _pieces(state: State, name: str, history: str) -> NDArray[np.float32]:
    """A plane that the game draws, float32 of the board's shape; colours become the mover's and the opponent's."""
    whose, at, ago = name.partition("@")
    asked = name
    if whose in COLOURS:
        asked = f"{'mover' if COLOURS.index(whose) == state.to_move else 'opponent'}{at}{ago}"
    try:
        plane = state.plane(asked)
    except GameError as error:
        raise error if asked == name else GameError(f"encoding: plane '{name}' cannot be drawn, {error}") from error
    if history == "repeated" and ago and isinstance(state, Remembers) and state.past < int(ago):
        first = asked.partition("@")[0]
        return state.plane(f"{first}@{state.past}" if state.past else first)
    return plane


def _last(state: State) -> NDArray[np.float32]:
    """Float32 of shape `state.board`: 1 on the last action's cell, if actions are the cells and perhaps a pass."""
    plane = np.zeros(state.board, dtype=np.float32)
    if state.last_action is not None and state.last_action < plane.size:
        plane.flat[state.last_action] = 1
    return plane
