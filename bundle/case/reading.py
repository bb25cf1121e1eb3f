"""The encoding that the user chose: by the name of a game, by the name of an encoding, or by a file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from ...errors import GameError, first_line
from ...export.checkpoint.digest import sha256
from ...export.checkpoint.head import Head
from ...export.checkpoint.located import FOLDER as SHIPPED
from ...export.checkpoint.run_folder import ENCODING, is_run
from ...export.statements import boards
from ...games.game import Reading
from ...games.known import recognition
from ...games.known.catalogue import GAMES
from ...games.value import order_of, reading_of_value
from ...system.plain_file import read_plain

UNKNOWN = "none"
# A list of actions has a number for each, of which Go has 362.
ENCODING_BYTES = 1 << 20
Shapes = Sequence[tuple[int, ...]]


def choose_reading(
    shapes: Shapes, policy_width: int | None, game: str | None, encoding: Path | None, layout: str | None = None
) -> Reading | None:
    """The reading by --encoding, else by the name of a game ("none": none), else by the shapes alone.

    None if the shapes do not tell a game. `layout` is what the network's layers say of the planes' place.
    """
    if encoding is not None:
        reading = described_reading(encoding, shapes, policy_width)
        if game not in (None, reading.game.name):
            raise GameError(
                f"'{encoding}' describes {reading.game.name}, not {game}: leave one of the two options away."
            )
        return reading
    if game is None:
        return recognition.recognise(shapes, policy_width, layout)
    return None if game == UNKNOWN else recognition.read_as(recognition.by_name(game), shapes, policy_width, layout)


def described_reading(encoding: Path, shapes: Shapes, policy_width: int | None) -> Reading:
    """The reading by --encoding: a file, or the name of a way in which networks write the board; GameError as below."""
    if recognition.is_way(str(encoding)) and not encoding.exists():
        return recognition.in_way(str(encoding), shapes, policy_width)
    return from_file(encoding, shapes, policy_width)


def encoding_of_run(checkpoint: Path) -> Path | None:
    """The file that says how a checkpoint in the folder of a run of `azx train` reads the board; None of any other.

    GameError if the run has lost it: what the shapes alone tell may be another reading.
    """
    folder = checkpoint.parent
    if not is_run(folder):
        return None
    if not (folder / ENCODING).exists():
        raise GameError(
            f"'{folder / ENCODING}', which says how the networks of the run read the board, is not there: restore it, "
            "or choose with --encoding or --game."
        )
    return folder / ENCODING


def reading_of_run(checkpoint: Path, shapes: Shapes, policy_width: int | None, value: Head | None) -> Reading | None:
    """How a checkpoint in the folder of a run of `azx train` reads the board, as the run says; None of any other.

    GameError, naming the run's file, if it is missing, damaged, or does not fit the network.
    """
    encoding = encoding_of_run(checkpoint)
    if encoding is None:
        return None
    reading = from_file(encoding, shapes, policy_width)
    check_value_order(reading, value, encoding)
    return replace(reading, statement=boards.said(f"by the run's {ENCODING}"))


def shipped_reading(reading: Reading, digest: str) -> Reading | None:
    """`reading`, if the checkpoint with this SHA-256 is the one that azx ships for its game; None for any other.

    How azx trained it is known, also where its moves alone do not tell.
    """
    if not _is_shipped(reading.game.name, digest):
        return None
    return replace(reading, statement=boards.shipped())


def shipped_by_hash(digest: str, shapes: Shapes, policy_width: int | None, layout: str | None = None) -> Reading | None:
    """How the checkpoint with this SHA-256 is read if azx ships it, also where its shapes are another game's too."""
    name = shipped_name(digest)
    return recognition.read_as(GAMES[name], shapes, policy_width, layout) if name else None


def shipped_name(digest: str) -> str | None:
    """The game of the checkpoint with this SHA-256, if azx ships it."""
    return next((name for name in GAMES if _is_shipped(name, digest)), None)


def _is_shipped(name: str, digest: str) -> bool:
    return digest == _shipped_digest(SHIPPED / f"{name}.h5")


@cache
def _shipped_digest(path: Path) -> str | None:
    return sha256(path) if path.is_file() else None


def identity(file: Path) -> str:
    """The identity of an --encoding: a file's SHA-256, or the name of an encoding itself."""
    return sha256(file) if file.is_file() else str(file)


def from_file(path: Path, input_shapes: Shapes, policy_width: int | None) -> Reading:
    """`from_description` of an --encoding file; GameError, naming the file, if it cannot be read or does not fit."""
    try:
        data = json.loads(read_plain(path, ENCODING_BYTES))
    except (OSError, ValueError, RecursionError) as error:
        reason = getattr(error, "strerror", None) or first_line(error)
        raise GameError(
            f"'{path}' cannot be read as JSON ({reason}): give a file such as docs/adding-a-game.md shows, "
            "or a name that `azx games GAME` lists."
        ) from error
    try:
        reading = recognition.from_description(data, input_shapes, policy_width)
        return replace(reading, value_order=order_of(data["value_order"])) if "value_order" in data else reading
    except GameError as error:
        raise GameError(f"'{path}': {error}") from error


def check_value_order(reading: Reading, value: Head | None, encoding: Path) -> None:
    """GameError, naming the --encoding file, if it orders the outputs of a value that has not win, draw and loss."""
    if reading.value_order is None or value is None:
        return
    try:
        reading_of_value(value.width, value.activation, order=reading.value_order)
    except GameError as error:
        raise GameError(f"'{encoding}': {error}") from error
