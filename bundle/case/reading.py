"""The reading that the user chose: by the name of a game, by the name of an encoding, or by a file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from ...errors import GameError, first_line
from ...export.checkpoint.digest import sha256
from ...export.checkpoint.head import Head
from ...export.checkpoint.layer_graph import Source
from ...export.checkpoint.located import FOLDER as SHIPPED
from ...export.checkpoint.own_encoding import ENCODED
from ...export.checkpoint.run_folder import ENCODING, is_run
from ...export.statements import boards
from ...games.game import Reading
from ...games.known import recognition
from ...games.known.catalogue import GAMES
from ...games.value import order_of, reading_of_value
from ...system.plain_file import read_plain

UNKNOWN = "none"
# Longest list of actions in an encoding file: Go has 362 actions.
ENCODING_BYTES = 1 << 20
Shapes = Sequence[tuple[int, ...]]


def choose_reading(
    shapes: Shapes, policy_width: int | None, game: str | None, encoding: Path | None, layout: str | None = None
) -> Reading | None:
    """The reading by --encoding, else by a game's name ("none": no game), else by the shapes.

    None if the shapes do not determine a game. `layout` is the axis order of the planes, as the network's layers show
    it.
    """
    if encoding is not None:
        reading = described_reading(encoding, shapes, policy_width)
        if game not in (None, reading.game.name):
            raise GameError(
                f"'{encoding}' describes {reading.game.name}, not {game}: leave one of the two options out."
            )
        return reading
    if game is None:
        return recognition.recognise(shapes, policy_width, layout)
    return None if game == UNKNOWN else recognition.read_as(recognition.by_name(game), shapes, policy_width, layout)


def described_reading(encoding: Path, shapes: Shapes, policy_width: int | None) -> Reading:
    """The reading by --encoding, which is a file or the name of a known encoding; GameError as in `from_file`."""
    if recognition.is_way(str(encoding)) and not encoding.exists():
        return recognition.in_way(str(encoding), shapes, policy_width)
    return from_file(encoding, shapes, policy_width)


def encoding_of_run(checkpoint: Path) -> Path | None:
    """The encoding file for a checkpoint from a run of `azx train`; None for any other checkpoint.

    GameError if the file is missing: without it, the shapes may suggest a wrong reading.
    """
    folder = checkpoint.parent
    if not is_run(folder):
        return None
    if not (folder / ENCODING).exists():
        raise GameError(
            f"'{folder / ENCODING}', the encoding of the run's networks, is missing: restore it, or choose with "
            f"--encoding or --game."
        )
    return folder / ENCODING


def reading_of_run(
    path: Path,
    source: Source | None,
    shapes: Shapes,
    policy_width: int | None,
    value: Head | None,
    game: str | None = None,
) -> Reading | None:
    """The reading of a network of `azx train`, by its run's file or else by its own; None for any other network.

    `source` is that of a checkpoint, None for an artifact. If the user names a `game`, only a statement of that game in
    the checkpoint's own file counts. GameError, with the file's name, if the run's file is missing, damaged, or does
    not fit the network.
    """
    encoding = encoding_of_run(path) if game is None else None
    if encoding is None:
        return _stated_reading(source, shapes, policy_width, value, game) if source and source.encoding else None
    reading = from_file(encoding, shapes, policy_width)
    check_value_order(reading, value, encoding)
    return replace(reading, statement=boards.said(f"by the run's {ENCODING}"))


def _stated_reading(
    source: Source, shapes: Shapes, policy_width: int | None, value: Head | None, game: str | None
) -> Reading | None:
    """The reading that a checkpoint's own file states; None if it is of another game than `game`."""
    try:
        reading = _from_data(json.loads(source.encoding), shapes, policy_width)
        check_value_order(reading, value, Path(ENCODED))
    except (GameError, ValueError, RecursionError) as error:
        if game is not None:
            return None
        raise GameError(
            f"its attribute '{ENCODED}' does not say how it reads the board ({first_line(error)}): choose with "
            "--encoding or --game."
        ) from error
    if game not in (None, reading.game.name):
        return None
    said = replace(reading, statement=boards.said("by the file itself"))
    return shipped_reading(said, source.sha256) or said


def shipped_reading(reading: Reading, digest: str) -> Reading | None:
    """`reading`, if azx ships the checkpoint with this SHA-256 for its game; else None.

    The encoding of a shipped network is known, even if its moves alone do not show it.
    """
    if not _is_shipped(reading.game.name, digest):
        return None
    return replace(reading, statement=boards.shipped())


def shipped_by_hash(digest: str, shapes: Shapes, policy_width: int | None, layout: str | None = None) -> Reading | None:
    """The reading of the checkpoint with this SHA-256, if azx ships it; its shapes may also fit another game."""
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
    """A key for an --encoding: a file's SHA-256, or the encoding's name."""
    return sha256(file) if file.is_file() else str(file)


def from_file(path: Path, input_shapes: Shapes, policy_width: int | None) -> Reading:
    """The reading in an --encoding file; GameError, with the file's name, if it cannot be read or does not fit."""
    try:
        data = json.loads(read_plain(path, ENCODING_BYTES))
    except (OSError, ValueError, RecursionError) as error:
        reason = getattr(error, "strerror", None) or first_line(error)
        raise GameError(
            f"'{path}' cannot be read as JSON ({reason}): give a file as in docs/adding-a-game.md, or a name that "
            f"`azx games GAME` lists."
        ) from error
    try:
        return _from_data(data, input_shapes, policy_width)
    except GameError as error:
        raise GameError(f"'{path}': {error}") from error


def _from_data(data: Any, input_shapes: Shapes, policy_width: int | None) -> Reading:
    """The reading that the JSON of an --encoding file describes; GameError if it does not fit the network."""
    reading = recognition.from_description(data, input_shapes, policy_width)
    return replace(reading, value_order=order_of(data["value_order"])) if "value_order" in data else reading


def check_value_order(reading: Reading, value: Head | None, encoding: Path) -> None:
    """Raise GameError, naming the --encoding file, if it orders outputs of a value that has no win, draw and loss."""
    if reading.value_order is None or value is None:
        return
    try:
        reading_of_value(value.width, value.activation, order=reading.value_order)
    except GameError as error:
        raise GameError(f"'{encoding}': {error}") from error
