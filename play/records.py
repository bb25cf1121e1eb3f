"""Reads and writes files with records of games; games/records knows their texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import GameError
from ..games.game import Game, Settings
from ..games.records.charset import text_of
from ..games.records.reading import SGF_TITLES, read
from ..games.records.record import LARGEST, Record
from ..games.records.writing import line, sgf
from ..games.state import State
from ..system.exchange import beside, clear_up, lock_of, remove
from ..system.lock import hold_lock
from ..system.plain_file import read_plain


@dataclass(frozen=True)
class RecordFile:
    """A file with a record of a game."""

    path: Path
    record: Record

    @property
    def game(self) -> str | None:
        """The game's name; None if the file does not name it."""
        return self.record.game

    def states(self, start: State) -> tuple[State, ...]:
        """Every position from `start` on; GameError, with the file and the move, if one cannot be played."""
        try:
            return self.record.states(start)
        except GameError as error:
            raise GameError(f"'{self.path}': {error}") from error


def read_record(path: Path) -> RecordFile:
    """The record in a file; GameError if it holds none."""
    try:
        text = text_of(read_plain(path, LARGEST))
    except OSError as error:
        raise GameError(f"'{path}' cannot be read ({error.strerror or error}): give a game's record.") from error
    except UnicodeDecodeError as error:
        raise GameError(f"'{path}' is no record of a game (no text in UTF-8): give SGF or a list of moves.") from error
    try:
        return RecordFile(path, read(text))
    except GameError as error:
        raise GameError(f"'{path}': {error}") from error


def record_text(
    path: Path,
    game: Game,
    settings: Settings,
    states: Sequence[State],
    resigned: int | None,
    score: float | None = None,
    names: tuple[str, str] = ("", ""),
    set_up: int = 0,
) -> str:
    """The record of a game that went through `states`, in the format that the file's name implies.

    `resigned` is the player who gave up, None if neither did. `score` is black's lead without the dead stones, None if
    nothing was agreed. The first `set_up` moves placed stones before the game. GameError if the name asks for SGF and
    azx does not write that game as SGF.
    """
    if path.suffix.lower() != ".sgf":
        return line(game, settings, states)
    text = sgf(game, settings, states, resigned, names, score, set_up)
    if text is None:
        titles = f"{', '.join(SGF_TITLES[:-1])} and {SGF_TITLES[-1]}"
        raise GameError(f"'{path}': SGF is written of {titles}, give a file such as game.txt for a list of moves.")
    return text


def save_record(path: Path, text: str) -> None:
    """Write a record's text completely or not at all; GameError if the disk refuses."""
    place = beside(path)  # a folder, like all remains that the next run removes
    try:
        path.parent.stat()  # a lock would make the folder
        with hold_lock(lock_of(path), GameError(f"'{path}' is being written by another azx: wait for it.")):
            clear_up(path)
            try:
                place.mkdir()
                (place / path.name).write_text(text, encoding="utf8")
                (place / path.name).replace(path)
            finally:
                remove(place)
    except OSError as error:
        raise GameError(f"'{path}' cannot be written ({error.strerror or error}): choose another file.") from error
