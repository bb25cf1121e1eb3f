"""Encodings as data: which planes make the tensor that a network reads, and in which layout.

    {"layout": "channels_first", "board": [6, 7], "planes": ["mover", "opponent"]}

A plane is a name. The game draws the ones that depend on its rules ("mover", "opponent",
"mover@2" for two plies ago, counts of boxes, ...); those that every game has are drawn here, and
"signed", +1 where the mover has a piece and -1 where the opponent has one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError
from .state import State

LAYOUTS = ("channels_first", "channels_last", "flat", "sum")
COMMON: Mapping[str, Callable[[State], float]] = {
    "ones": lambda state: 1.0,
    "zeros": lambda state: 0.0,
    "player0_to_move": lambda state: float(state.to_move == 0),
    "player1_to_move": lambda state: float(state.to_move == 1),
}


@dataclass(frozen=True)
class Encoding:
    """`planes` over a `board`, stacked as `layout` says.

    channels_first gives (planes, *board), channels_last (*board, planes), flat one vector of the
    planes one after the other, sum (*board) with the planes added up.
    """

    layout: str
    board: tuple[int, ...]
    planes: tuple[str, ...]

    def __post_init__(self) -> None:
        if self.layout not in LAYOUTS:
            raise GameError(f"encoding: layout '{self.layout}' is unknown, use one of {', '.join(LAYOUTS)}.")
        if not self.planes:
            raise GameError("encoding: 'planes' is empty, name at least one plane.")

    @property
    def shape(self) -> tuple[int, ...]:
        """The tensor's shape without the batch."""
        if self.layout == "flat":
            return (len(self.planes) * int(np.prod(self.board)),)
        if self.layout == "channels_first":
            return (len(self.planes), *self.board)
        if self.layout == "sum":
            return self.board
        return (*self.board, len(self.planes))

    def as_data(self) -> dict[str, Any]:
        """The encoding as JSON types, as the manifest holds it."""
        return {"layout": self.layout, "board": list(self.board), "planes": list(self.planes)}


def from_data(data: Mapping[str, Any]) -> Encoding:
    """The encoding that `data` (of a manifest or an --encoding file) describes; GameError where it is none."""
    missing = [key for key in ("layout", "board", "planes") if key not in data]
    if missing:
        raise GameError(f"encoding: '{missing[0]}' is missing, give layout, board and planes.")
    try:
        board = tuple(int(size) for size in data["board"])
    except (TypeError, ValueError) as error:
        raise GameError(f"encoding: board {data['board']!r} is no list of sizes such as [6, 7].") from error
    if isinstance(data["planes"], str):
        raise GameError("encoding: 'planes' is a string, give a list of plane names.")
    return Encoding(str(data["layout"]), board, tuple(str(name) for name in data["planes"]))


def encode(state: State, encoding: Encoding) -> NDArray[np.float32]:
    """The tensor of `state`, float32 of `encoding.shape`."""
    planes = np.stack([_plane(state, name, encoding.board) for name in encoding.planes])
    if encoding.layout == "channels_last":
        return np.ascontiguousarray(np.moveaxis(planes, 0, -1))
    if encoding.layout == "sum":
        summed: NDArray[np.float32] = planes.sum(axis=0)
        return summed
    return planes.reshape(encoding.shape)


def _plane(state: State, name: str, board: tuple[int, ...]) -> NDArray[np.float32]:
    if name in COMMON:
        return np.full(board, COMMON[name](state), dtype=np.float32)
    if name == "signed":
        return _plane(state, "mover", board) - _plane(state, "opponent", board)
    plane = state.plane(name)
    if plane.shape != board:
        raise GameError(f"encoding: plane '{name}' is of shape {plane.shape}, the encoding's board is {board}.")
    return plane
