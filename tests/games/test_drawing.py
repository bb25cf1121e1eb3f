"""Boards encoded many at once are, to the bit, what one plane after the other makes of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

import numpy as np
import pytest
from numpy.typing import NDArray

from azx.games.encoding import COMMON, HISTORIES, LAYOUTS, MIXED, OF_EMPTY, Encoding, SecondInput, encode_all
from azx.games.known.catalogue import GAMES
from azx.games.random_play import generator, random_action
from azx.games.state import State

# Planes of each game alone: those that are bits, those that count, of earlier plies, of absolute colours.
OWN = {
    "connect4": ("mover", "opponent"),
    "tictactoe": ("opponent", "mover"),
    "dots_and_boxes": ("edges", "last", "must_pass", "mover_boxes", "opponent_boxes"),
    "gomoku": ("mover@3", "opponent@1", "player1@2"),
    "go": ("mover@7", "opponent@3", "player0@1"),
    "reversi": ("legal", "mover"),
    "hex": ("mover_joined", "opponent_joined", "mover"),
}


def positions(start: State, count: int) -> list[State]:
    """Positions of random games, the first and the last ones among them."""
    rng, state, found = generator(7), start, [start]
    while len(found) < count:
        state = start if state.is_terminal else state.apply(random_action(state, rng))
        found.append(state)
    return found


def one_by_one(state: State, encoding: Encoding) -> NDArray[np.float32]:
    """The yardstick: each plane drawn by the game alone, then laid out as the docstring of Encoding says."""
    planes = np.stack([plane_of(state, name, encoding) for name in encoding.planes])
    if encoding.turned and state.to_move == 1:
        planes = planes.transpose(0, 2, 1)
    planes = planes[:, ::-1] if encoding.flip else planes
    planes = planes.transpose(0, 2, 1) if encoding.transpose else planes
    last = encoding.layout in ("channels_last", "cells")
    laid = planes.sum(axis=0) if encoding.layout == "sum" else planes.transpose(1, 2, 0) if last else planes
    board = laid.reshape(encoding.board_shape)
    if encoding.beside is None:
        return board
    parts = [board.ravel(), encoding.beside.numbers(state)]
    return np.concatenate(parts[::-1] if encoding.beside.first else parts)


def plane_of(state: State, name: str, encoding: Encoding) -> NDArray[np.float32]:
    if name in COMMON:
        return np.full(state.board, COMMON[name](state), np.float32)
    if name in MIXED:
        one, other = (plane_of(state, whose, encoding) for whose in MIXED[name][:2])
        of_one, of_other = MIXED[name][2:]
        plane = of_one * one + of_other * other
        return plane + OF_EMPTY[name] * (1 - one - other) if name in OF_EMPTY else plane
    if name == "empty":
        return 1 - plane_of(state, "mover", encoding) - plane_of(state, "opponent", encoding)
    if name == "last" and state.board[0] * state.board[1] <= state.actions:
        marked = [at == state.last_action for at in range(state.board[0] * state.board[1])]
        return np.array(marked, np.float32).reshape(state.board)
    whose, _, ago = name.partition("@")
    if whose.startswith("player"):
        whose = "mover" if int(whose[-1]) == state.to_move else "opponent"
    if encoding.history == "repeated" and ago:
        ago = str(min(int(ago), getattr(state, "past", 0)))
    return state.plane(f"{whose}@{ago}" if ago not in ("", "0") else whose)


def encodings(game: str, board: tuple[int, int]) -> Iterator[Encoding]:
    colours = () if game == "dots_and_boxes" else (*MIXED, "player0", "player1", "empty", "last")
    planes, square = (*OWN[game], *COMMON, *colours), (False, True) if board[0] == board[1] else (False,)
    ways = product(LAYOUTS, (False, True), (False, True), square, HISTORIES)
    for layout, flip, transpose, turned, history in ways:
        yield Encoding(layout, board, planes, flip, transpose, history, turned=turned)
    for layout in LAYOUTS:
        yield Encoding(layout, board, OWN[game])
        yield Encoding(
            layout, board, OWN[game], beside=SecondInput(("player0_to_move",), board[0] * board[1], first=True)
        )


@pytest.mark.parametrize("game", GAMES)
def test_many_boards_at_once_are_what_each_is_alone(game: str) -> None:
    for at, shape in enumerate(GAMES[game].shapes):
        states = positions(GAMES[game].begin(shape.settings), 10)
        # Each size in some ways, and all sizes together in all ways several times.
        every = [*shape.encodings, *islice(encodings(game, states[0].board), at % 9, None, 9)]
        for encoding in every:
            together = encode_all(states, encoding)
            alone = np.stack([one_by_one(state, encoding) for state in states])
            assert together.dtype == np.float32
            assert together.tobytes() == alone.tobytes(), encoding
