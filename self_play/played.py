"""Finished games of self-play as arrays: what a run keeps of them, and what a network learns from them."""

from __future__ import annotations

import io
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from ..errors import AzxError
from ..games.state import State, play_line
from ..system.durable import write_in_place
from ..system.plain_file import read_plain

LARGEST_FILE = 256 << 20


@dataclass(frozen=True)
class Played:
    """One game. `moves` are all actions, the first `opening` of them random.

    `policies`, float32 (searched plies, actions), are the improved policies of the plies behind the opening, and
    `values`, float32 (searched plies,), what those searches thought of the mover's result. `result` is +1, 0 or -1 seen
    by player 0, and `proven` the ply at which the rules had proven it, or the number of plies.
    """

    moves: tuple[int, ...]
    opening: int
    policies: NDArray[np.float32]
    values: NDArray[np.float32]
    result: float
    proven: int

    def positions(self, start: State) -> list[State]:
        """The positions that were searched, in the order of `policies`."""
        state, found = play_line(start, self.moves[: self.opening]), []
        for action in self.moves[self.opening : self.opening + len(self.policies)]:
            found.append(state)
            state = state.apply(action)
        return found


def save_games(games: Sequence[Played], path: Path) -> None:
    """Write the games of one generation to an .npz, whole."""
    data = io.BytesIO()
    np.savez_compressed(
        data,
        moves=np.array([move for game in games for move in game.moves], np.int32),
        lengths=np.array([len(game.moves) for game in games], np.int32),
        openings=np.array([game.opening for game in games], np.int32),
        searched=np.array([len(game.policies) for game in games], np.int32),
        proven=np.array([game.proven for game in games], np.int32),
        results=np.array([game.result for game in games], np.float32),
        policies=np.concatenate([game.policies for game in games]).astype(np.float32),
        values=np.concatenate([game.values for game in games]).astype(np.float32),
    )
    path.parent.mkdir(exist_ok=True)
    write_in_place(path, data.getvalue())


def load_games(path: Path) -> list[Played]:
    """The games of one generation; AzxError if the file is not one that `save_games` wrote."""
    try:
        with np.load(io.BytesIO(read_plain(path, LARGEST_FILE)), allow_pickle=False) as file:
            data = {name: file[name] for name in file.files}
        moves = np.split(data["moves"], np.cumsum(data["lengths"])[:-1])
        ends = np.cumsum(data["searched"])[:-1]
        policies, values = np.split(data["policies"], ends), np.split(data["values"], ends)
        return [
            Played(tuple(map(int, moves[at])), int(opening), policies[at], values[at], float(result), int(proven))
            for at, (opening, result, proven) in enumerate(
                zip(data["openings"], data["results"], data["proven"], strict=True)
            )
        ]
    except (OSError, ValueError, KeyError, IndexError, EOFError, BadZipFile, zlib.error) as error:
        raise AzxError(
            f"'{path}' holds no games of a run: remove it, and the same command goes on without those games."
        ) from error
