"""Finds the encoding of an author's function by comparing its numbers with azx's planes.

The function runs on positions in a process of its own (`author_process.py`). Each of its planes must equal one of azx's
on every position. This finds planes in any order and layout.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError
from ..games.encoding import COMMON, EMPTY, LAST, LAYOUTS, MIXED, MOVER, OPPONENT, PLAYERS, Encoding, encode
from ..games.game import Game, Reading
from ..games.known.hypotheses import how_it_may_lie, hypotheses
from ..games.random_play import generator, positions_of_a_game
from ..games.state import State
from ..system.temporary import temporary_folder

# The positions that the function runs on, the most from one random game, and the time limit in seconds.
POSITIONS, OF_A_GAME, SECONDS = 200, 4, 300
# The number of earlier boards that a function and a plane may look at.
HISTORY = 8
CLOSE = 1e-6


def encoding_by_code(code: str, reading: Reading, input_shape: tuple[int, ...]) -> Encoding:
    """The encoding for `reading`'s game and board that makes the numbers of the function `code`, FILE.py:FUNCTION.

    `input_shape` is the network's, without the batch. GameError, with the reason, if the function fails, returns
    another shape, or returns numbers that no planes of azx make.
    """
    states = draw_states(reading)
    numbers = run_code(code, states)
    if numbers.shape[1:] != input_shape and numbers[0].size == np.prod(input_shape) and 1 in numbers.shape[1:]:
        numbers = numbers.reshape(len(numbers), *input_shape)  # a batch of one, or a plane's own axis
    if numbers.shape[1:] != input_shape:
        raise GameError(
            f"--code {code} makes numbers of shape {numbers.shape[1:]}, but the network takes {input_shape}."
        )
    width = reading.numbering.width if reading.numbering else None
    known = (one.reading.encoding for one in hypotheses(reading.game, input_shape, width))
    if match := next((each for each in known if _makes(each, states, numbers)), None):
        return match
    drawn = _draw_planes(reading.game, states)
    fewest: tuple[list[int], int] | None = None
    for encoding in _layouts(reading, input_shape):
        planes = [_name_of(plane, drawn) for plane in _split(numbers, encoding)]
        if encoding.layout == "sum" or None not in planes:
            match = _as_encoding(encoding, planes, states, numbers)
            if match is not None:
                return match
        missing = [at for at, name in enumerate(planes) if name is None]
        if fewest is None or len(missing) < len(fewest[0]):
            fewest = (missing, len(planes))
    unknown = "" if fewest is None else f"{', '.join(str(at) for at in fewest[0])} of {fewest[1]} (from 0)"
    raise GameError(f"--code {code}: azx draws no plane like plane {unknown}: export with --game none.")


def draw_states(reading: Reading) -> list[State]:
    """Positions of random games on the reading's board, the same ones every time."""
    rng, start = generator(0), reading.start()

    def games() -> Iterator[State]:
        while True:
            yield from positions_of_a_game(start, rng, OF_A_GAME)

    return list(islice(games(), POSITIONS))


def run_code(code: str, states: Sequence[State]) -> NDArray[np.float32]:
    """The function's numbers for the positions, float32 (N, ...).

    GameError with the function's own error if it fails.
    """
    start = f"import sys; sys.path[:] = {sys.path!r}; from azx.bundle.author_process import main; main()"
    with temporary_folder("code") as folder:
        boards, written = folder / "boards.npz", folder / "numbers.npz"
        np.savez(boards, **_as_arrays(states))
        command = [sys.executable, "-c", start, code, str(boards), str(written)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired as error:
            raise GameError(
                f"--code {code} did not end within {SECONDS} s: let it encode one position quickly."
            ) from error
        if done.returncode:
            said = next((line for line in reversed(done.stderr.splitlines()) if line.strip()), "it ended")
            raise GameError(f"--code {code} failed: {said.strip().rstrip('.')}.")
        with np.load(written, allow_pickle=False) as answer:
            numbers: NDArray[np.float32] = answer["numbers"]
    return numbers


def _as_arrays(states: Sequence[State]) -> dict[str, Any]:
    """The positions as arrays: boards (N, plies, rows, columns), players to move, and numbers of boards.

    On a board, +1 is the player who began.
    """
    try:
        states[0].plane(MOVER)
    except GameError as error:
        raise GameError(f"--code is for games of pieces on cells: {error}") from error
    depth = next((ago for ago in range(1, HISTORY) if not _draws(states[0], f"{MOVER}@{ago}")), HISTORY)
    boards = np.stack([[_board(state, ago) for ago in range(depth)] for state in states])
    lengths = [min(depth, 1 + getattr(state, "past", 0)) for state in states]
    players = [1 - 2 * state.to_move for state in states]
    return {"boards": boards, "players": np.array(players), "lengths": np.array(lengths)}


def _draws(state: State, plane: str) -> bool:
    """Whether a game draws a plane."""
    try:
        state.plane(plane)
    except GameError:
        return False
    return True


def _board(state: State, ago: int) -> NDArray[np.int64]:
    """The board `ago` plies ago: +1 is the player who began, -1 the other."""
    own, theirs = (state.plane(f"{who}@{ago}" if ago else who) for who in (MOVER, OPPONENT))
    board: NDArray[np.int64] = ((own - theirs) * (1 - 2 * state.to_move)).astype(np.int64)
    return board


def _draw_planes(game: Game, states: Sequence[State]) -> dict[str, NDArray[np.float32]]:
    """Every plane that azx draws for the game, (N, rows, columns) by its name, the most usual first."""
    ago = [f"@{plies}" for plies in range(1, HISTORY)]
    names = [*PLAYERS, *COMMON, *MIXED, EMPTY, LAST, *(f"{who}{at}" for at in ago for who in PLAYERS)]
    names += [plane for shape in game.shapes[:1] for plane in shape.encodings[0].planes]
    drawn = {}
    for name in dict.fromkeys(names):
        encoding = Encoding("channels_first", states[0].board, (name,))
        try:
            drawn[name] = np.stack([encode(state, encoding)[0] for state in states])
        except GameError:
            continue  # the game does not draw it
    return drawn


def _layouts(reading: Reading, input_shape: tuple[int, ...]) -> Iterator[Encoding]:
    """The layouts that planes may have in an input of this shape, each with its number of planes."""
    board = reading.encoding.board
    count, rest = divmod(int(np.prod(input_shape)), int(np.prod(board)))
    for layout, (flip, transpose) in product(LAYOUTS if not rest else (), how_it_may_lie(reading.game, board)):
        for turned in (flip, not flip):
            encoding = Encoding(layout, board, ("ones",) * count, flip=turned, transpose=transpose)
            if encoding.shape == input_shape:
                yield encoding


def _split(numbers: NDArray[np.float32], encoding: Encoding) -> Iterator[NDArray[np.float32]]:
    """The planes of the numbers, each (N, rows, columns) in the board's orientation."""
    count, sides = len(encoding.planes), encoding.plane_shape
    if encoding.layout in ("channels_last", "cells"):
        planes = np.moveaxis(numbers.reshape(-1, *sides, count), -1, 1)
    else:
        planes = numbers.reshape(-1, count, *sides)
    if encoding.transpose:
        planes = np.swapaxes(planes, 2, 3)
    if encoding.flip:
        planes = planes[:, :, ::-1]
    yield from np.moveaxis(planes, 1, 0)


def _name_of(plane: NDArray[np.float32], drawn: dict[str, NDArray[np.float32]]) -> str | None:
    return next((name for name, own in drawn.items() if np.allclose(plane, own, atol=CLOSE)), None)


def _as_encoding(
    encoding: Encoding, planes: Sequence[str | None], states: Sequence[State], numbers: NDArray[np.float32]
) -> Encoding | None:
    """The encoding with these planes, if it makes exactly these numbers."""
    names = tuple(name for name in planes if name is not None)
    if len(names) != len(planes):
        return None
    made = Encoding(encoding.layout, encoding.board, names, flip=encoding.flip, transpose=encoding.transpose)
    return made if _makes(made, states, numbers) else None


def _makes(encoding: Encoding, states: Sequence[State], numbers: NDArray[np.float32]) -> bool:
    """Whether the encoding makes exactly these numbers from the positions."""
    pairs = zip(states, numbers, strict=True)
    return all(np.allclose(encode(state, encoding), made, atol=CLOSE) for state, made in pairs)
