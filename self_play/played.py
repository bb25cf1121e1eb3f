"""Finished games of self-play as arrays, which a run keeps and a network learns from."""

from __future__ import annotations

import io
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from ..errors import AzxError, GameError
from ..games.state import State, play_line
from ..system.durable import write_in_place
from ..system.plain_file import read_plain

LARGEST_FILE = 256 << 20
MEMBERS = ("moves", "lengths", "openings", "searched", "proven", "results", "policies", "values")


@dataclass(frozen=True)
class PlayedGame:
    """One game. `moves` are all actions, the first `opening` of them random.

    `policies`, float32 (searched plies, actions), are the improved policies after the opening. `values`, float32
    (searched plies,), are those searches' values for the mover. `result` is +1, 0 or -1 for player 0. `proven` is the
    ply at which the rules had proven it, or the number of plies.
    """

    moves: tuple[int, ...]
    opening: int
    policies: NDArray[np.float32]
    values: NDArray[np.float32]
    result: float
    proven: int

    def positions(self, start: State) -> list[State]:
        """The positions that were searched, in the order of `policies`."""
        state, states = play_line(start, self.moves[: self.opening]), []
        for action in self.moves[self.opening : self.opening + len(self.policies)]:
            states.append(state)
            state = state.apply(action)
        return states


def check_games(games: Sequence[PlayedGame], start: State) -> None:
    """ValueError if these are not games from `start`, because a file or a worker may contain anything."""
    for game in games:
        searched = len(game.moves) - game.opening
        if not 0 <= game.opening <= len(game.moves) or game.policies.shape != (searched, start.actions):
            raise ValueError("a game's searches do not fit its moves")
        if game.values.shape != (searched,) or not searched:
            raise ValueError("a game's values do not fit its moves")
        # A policy has sum 1, and none of it lies outside the legal moves.
        legal = np.zeros(game.policies.shape, np.bool_)
        for row, state in zip(legal, game.positions(start), strict=True):
            row[list(state.legal_actions())] = True
        sums = np.where(legal, game.policies, 0).sum(axis=1)
        if (game.policies < 0).any() or (game.policies[~legal] != 0).any() or not np.allclose(sums, 1, atol=1e-3):
            raise ValueError("a policy is unsound")
        if not (np.abs(game.values) <= 1).all() or game.result not in (-1.0, 0.0, 1.0):
            raise ValueError("a result is unsound")
        if not game.opening <= game.proven <= len(game.moves):
            raise ValueError("a result is proven where there is no move")


def save_games(games: Sequence[PlayedGame], path: Path) -> None:
    """Write the games of one generation to an .npz in one step."""
    path.parent.mkdir(exist_ok=True)
    write_in_place(path, as_bytes(games))


def as_bytes(games: Sequence[PlayedGame]) -> bytes:
    """Games as the bytes of an .npz."""
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
    return data.getvalue()


def load_games(path: Path, start: State | None = None) -> list[PlayedGame]:
    """The games of one generation; AzxError if the file is not one that `save_games` wrote of games from `start`."""
    try:
        games = from_bytes(read_plain(path, LARGEST_FILE))
        if start is not None:
            check_games(games, start)
    except (OSError, ValueError, TypeError, GameError) as error:
        raise AzxError(
            f"'{path}' holds no games of a run: remove it, and the same command resumes without those games."
        ) from error
    return games


def from_bytes(content: bytes) -> list[PlayedGame]:
    """The games that `as_bytes` packed, checked for their form alone; ValueError for anything else."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            data = {name: file[name] for name in MEMBERS}
        moves = np.split(data["moves"], np.cumsum(data["lengths"])[:-1])
        ends = np.cumsum(data["searched"])[:-1]
        policies, values = np.split(data["policies"], ends), np.split(data["values"], ends)
        return [
            PlayedGame(tuple(map(int, moves[at])), int(opening), policies[at], values[at], float(result), int(proven))
            for at, (opening, result, proven) in enumerate(
                zip(data["openings"], data["results"], data["proven"], strict=True)
            )
        ]
    except (OSError, KeyError, IndexError, TypeError, EOFError, MemoryError, BadZipFile, zlib.error) as error:
        raise ValueError(f"{type(error).__name__} in its games") from error
