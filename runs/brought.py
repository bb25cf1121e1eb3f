"""The network that a run begins with: its layers, its weights' file, and its reading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..bundle.case.reading import encoding_of_run
from ..errors import GameError
from ..export.checkpoint.run_folder import NETWORK
from ..games.encoding import UNKNOWN
from ..games.game import Reading, Value
from ..games.known.recognition import by_name
from ..learning.given import GivenNetwork, take
from ..play.network import open_network
from .run import open_run


@dataclass(frozen=True)
class StartNetwork:
    """`given` is None for a network that azx built, since the run's design has its layers."""

    given: GivenNetwork | None
    reading: Reading
    settings: Mapping[str, Value]


def bring(source: Path, game: str, settings: Mapping[str, Value], encoding: Path | None = None) -> StartNetwork:
    """The network of a checkpoint for a run of `game`; AzxError if it plays another, or cannot be trained.

    A run's networks have an encoding.json; for any other file the encoding is detected, or given as `encoding`.
    """
    known = by_name(game)
    of_run = encoding_of_run(source)
    if of_run is not None and not (source.parent / NETWORK).is_file() and encoding is None:
        run = open_run(source.parent)
        brought = StartNetwork(None, run.reading, {**run.settings, **settings})
    else:
        layers, _ = take(source)
        with open_network(source, game=game, encoding=encoding or of_run) as network:
            brought = StartNetwork(layers, network.reading, {**network.reading.settings, **settings})
    reading = brought.reading
    if reading.game.name != known.name or tuple(known.begin(brought.settings).board) != tuple(reading.encoding.board):
        board = "x".join(map(str, reading.encoding.board))
        raise GameError(
            f"'{source}' plays {reading.game.title} on a board of {board}, and the run does not: choose the same game "
            "and board, or leave --start-from out."
        )
    if reading.encoding.value == UNKNOWN:
        raise GameError(f"'{source}': whose value it gives is unknown, say it with --encoding FILE.json ('value').")
    return brought
