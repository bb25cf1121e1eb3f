"""Planes that games draw, for many states at once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError
from .state import State


class BitDrawer(Protocol):
    """A state whose game draws planes as bits: those in `bit_planes`; other planes come from `plane`."""

    bit_planes: Collection[str]

    @property
    def bit_board(self) -> tuple[int, int]:
        """Rows and columns of the bits; columns beyond the board's own hold no cells."""

    def bits(self, names: Sequence[str]) -> Sequence[int]:
        """The planes of these names, each as an integer: its cells row by row, from the lowest bit on."""


def draw(states: Sequence[State], names: Sequence[Sequence[str]]) -> NDArray[Any]:
    """The planes of N states, uint8 or float32 (N, P, rows, columns); `names` has P names for each state.

    All states belong to one game and one board. GameError if the game has no plane of a name.
    """
    known = getattr(type(states[0]), "bit_planes", ())
    are_bits = [all(each[at] in known for each in names) for at in range(len(names[0]))]
    if all(are_bits):
        return _unpack(cast("Sequence[BitDrawer]", states), names, states[0].board)
    planes = np.empty((len(states), len(are_bits), *states[0].board), np.float32)
    numbers = [[name for name, is_bit in zip(each, are_bits, strict=True) if is_bit] for each in names]
    if any(are_bits):
        planes[:, are_bits] = _unpack(cast("Sequence[BitDrawer]", states), numbers, states[0].board)
    for row, (state, each) in enumerate(zip(states, names, strict=True)):
        for at, name in enumerate(each):
            if not are_bits[at]:
                planes[row, at] = _fitting(state.plane(name), name, states[0].board)
    return planes


def _fitting(plane: NDArray[np.float32], name: str, board: tuple[int, int]) -> NDArray[np.float32]:
    if plane.shape != board:
        raise GameError(f"encoding: plane '{name}' is of shape {plane.shape}, the encoding's board is {board}.")
    return plane


def _unpack(states: Sequence[BitDrawer], names: Sequence[Sequence[str]], board: tuple[int, int]) -> NDArray[np.uint8]:
    rows, columns = states[0].bit_board
    size = -(-rows * columns // 8)
    raw = b"".join([bits.to_bytes(size, "little") for at, state in enumerate(states) for bits in state.bits(names[at])])
    packed = np.frombuffer(raw, np.uint8).reshape(len(states), len(names[0]), size)
    cells = np.unpackbits(packed, axis=-1, count=rows * columns, bitorder="little")
    return cells.reshape(len(states), -1, rows, columns)[..., : board[1]]
