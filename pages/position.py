"""Reads a position from the tensor that a network got."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError
from ..games.encoding import MIXED, Encoding, turned_actions
from ..games.game import Reading
from ..games.known.recognition import reading_from
from ..games.state import State
from ..manifest import Manifest

Planes = NDArray[np.float64]
# A plane's name, and the owner of its pieces: the mover (0) or the opponent (1), or a player by number.
RELATIVE, ABSOLUTE = {"mover": 0, "opponent": 1}, {"player0": 0, "player1": 1}
# Planes that show the player to move: all numbers are above a half in this player's turn.
TURNS = {"player0_to_move": 0, "player1_to_move": 1, "turn_player0": 0, "turn_player1": 1}


@dataclass(frozen=True)
class Position:
    """A position: the owner of each cell (0, 1 or None), the player to move, and the moves by the policy's index.

    In Dots and Boxes `owners` are the edges: 0 for a drawn one. `to_move` is None if unknown; the mover's pieces are
    then drawn as the first player's. `moves` has the game's action for an index, None for a pass; `labels` has its name
    for people.
    """

    noun: str
    sides: tuple[str, str]
    board: tuple[int, int]
    owners: tuple[int | None, ...]
    to_move: int | None
    moves: Mapping[int, int | None]
    labels: Mapping[int, str]


def reading_in(manifest: Manifest, width: int | None) -> Reading | None:
    """The network's reading by the manifest; None if that gives none, or none that can be used."""
    if not manifest.game or not manifest.encoding:
        return None
    try:
        reading = reading_from(manifest.reading, width)
        return reading if len(manifest.inputs) == len(reading.encoding.input_shapes) else None
    except (GameError, KeyError, TypeError, ValueError):
        return None


def decode_position(reading: Reading, tensor: Sequence[float], legal: Sequence[int]) -> Position | None:
    """The position that was encoded as `tensor`; None if it cannot be decoded."""
    encoding, start = reading.encoding, reading.start()
    numbers = np.asarray(tensor, np.float64)
    if numbers.size != int(np.prod(encoding.shape)):
        return None
    planes = _planes(numbers[encoding.board_part], encoding)
    if planes is None:
        return None
    planes |= _beside(numbers, encoding)
    if reading.game.noun == "edge":
        owners = _edges(planes, start)
        to_move = None
    else:
        # In games with passes, the number of pieces does not show the player to move.
        pieces = _pieces(planes, counted=start.actions == int(np.prod(start.board)))
        if pieces is None:
            return None
        owners, to_move = pieces
    if reading.encoding.turned and to_move == 1:
        owners = tuple(owners[at] for at in turned_actions(start.board, len(owners)))
    moves = _moves(reading, start, owners, legal, is_second=to_move == 1)
    labels = {index: "pass" if action is None else start.label(action) for index, action in moves.items()}
    rows, columns = start.board
    return Position(reading.game.noun, reading.game.sides, (rows, columns), owners, to_move, moves, labels)


def _planes(numbers: Planes, encoding: Encoding) -> dict[str, Planes] | None:
    """Each plane by its name, in the board's orientation; planes that are added up form one, called "sum"."""
    names: Sequence[str] = encoding.planes
    if encoding.layout == "sum":
        stacked, names = numbers.reshape(1, *encoding.plane_shape), names if len(names) == 1 else ("sum",)
    elif encoding.layout == "channels_last":
        stacked = np.moveaxis(numbers.reshape(encoding.board_shape), -1, 0)
    elif encoding.layout == "flat":
        stacked = numbers.reshape(len(names), *encoding.plane_shape)
    elif encoding.layout == "cells":
        stacked = np.moveaxis(numbers.reshape(*encoding.plane_shape, len(names)), -1, 0)
    else:
        stacked = numbers.reshape(encoding.board_shape)
    if stacked.ndim != 3:
        return None
    stacked = np.swapaxes(stacked, 1, 2) if encoding.transpose else stacked
    stacked = np.flip(stacked, axis=1) if encoding.flip else stacked
    return dict(zip(names, stacked, strict=True))


def _beside(numbers: Planes, encoding: Encoding) -> dict[str, Planes]:
    """The planes of a second input, by name; empty if there is no second input."""
    if encoding.beside is None:
        return {}
    planes = encoding.beside.planes
    return dict(zip(planes, numbers[encoding.beside_part].reshape(len(planes), -1), strict=True))


def _pieces(planes: Mapping[str, Planes], *, counted: bool) -> tuple[tuple[int | None, ...], int | None] | None:
    """The owner of each cell, and the player to move; `counted` is true if the number of pieces shows that player."""
    single = {name: planes[name] > 0.5 for name in (*RELATIVE, *ABSOLUTE) if name in planes}
    for name in MIXED.keys() & planes.keys():
        first, second, *numbers = MIXED[name]
        single |= {
            who: np.abs(planes[name] - number) < 0.5 for who, number in zip((first, second), numbers, strict=True)
        }
    relative = {who: single[name] for name, who in RELATIVE.items() if name in single}
    absolute = {who: single[name] for name, who in ABSOLUTE.items() if name in single}
    both = absolute if len(absolute) == 2 else relative
    if len(both) < 2:
        return None
    one, other = both[0], both[1]
    to_move = _turn(planes)
    if to_move is None and counted:
        # If both have the same number of pieces, the player who began is to move.
        to_move = int(one.sum() != other.sum())
    if len(absolute) < 2 and to_move == 1:
        one, other = other, one
    owners = (0 if mine else 1 if theirs else None for mine, theirs in zip(one.flat, other.flat, strict=True))
    return tuple(owners), to_move


def _turn(planes: Mapping[str, Planes]) -> int | None:
    for name, who in TURNS.items():
        if name in planes:
            return who if planes[name].mean() > 0.5 else 1 - who
    return None


def _edges(planes: Mapping[str, Planes], start: State) -> tuple[int | None, ...]:
    """Drawn edges of Dots and Boxes, horizontal ones first; the planes' last column holds other data."""
    grid = planes.get("edges", planes.get("sum", next(iter(planes.values()))))
    size = start.board[1] - 1
    edges = [*grid[: size + 1, :size].ravel(), *grid[size + 1 :].ravel()]
    return tuple(0 if edge > 0.5 else None for edge in edges)


def _moves(
    reading: Reading, start: State, owners: Sequence[int | None], legal: Sequence[int], *, is_second: bool
) -> dict[int, int | None]:
    """The action for each legal index of the policy; None for a pass."""
    if reading.numbering is None:
        return {}
    moves: dict[int, int | None] = {}
    named: Sequence[int] = range(start.actions)
    if reading.encoding.turned and is_second:
        named = turned_actions(start.board, start.actions).tolist()
    for action, as_shown in enumerate(named):
        index = reading.numbering.index(as_shown)
        if index not in legal:
            continue
        if action >= len(owners):
            moves[index] = None
        elif owners[action] is None:
            moves[index] = action  # the lowest free cell of a column comes last
    return {index: moves[index] for index in legal if index in moves}
