"""The log of games on disk: JSON lines. Each event is written out at once, so that a kill loses nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from ..errors import GameError
from ..games.known.recognition import by_name
from ..games.state import State
from ..system.plain_file import read_plain
from .session import Event, Session

LOG_BYTES = 64 << 20  # a move takes about 100


class GameLog:
    """A file that collects events: "begin", then "move" and "undo", then "end", then the next game's "begin"."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, event: Event) -> None:
        """Write one event through to the disk; GameError if the disk refuses it."""
        try:
            with self.path.open("a", encoding="utf8") as file:
                file.write(json.dumps(event, ensure_ascii=False, allow_nan=False) + "\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise GameError(
                f"'{self.path}': the game cannot be logged ({error.strerror or error}): choose a file with --log."
            ) from error


def new_log(path: Path | None, game: str) -> GameLog:
    """A new log, at `path` or named by time and game in the user's state folder.

    GameError if the file exists already, or the folder cannot be made.
    """
    path = path or _unused_path(log_folder() / f"{datetime.now():%Y-%m-%d-%H%M%S}-{game}.jsonl")
    if path.exists():
        raise GameError(f"'{path}' is there already: continue it with --resume, or choose another file with --log.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise GameError(f"'{path.parent}' cannot be made ({error.strerror}): choose a file with --log.") from error
    return GameLog(path)


def log_folder() -> Path:
    """The default folder of logs; on Linux azx/games in XDG_STATE_HOME, which is ~/.local/state by default."""
    from platformdirs import user_state_path

    return user_state_path("azx", appauthor=False) / "games"


def _unused_path(path: Path) -> Path:
    """`path`, or with a number if another game began within the same second."""
    numbered = (path.with_stem(f"{path.stem}-{number}") for number in range(2, 1000))
    return path if not path.exists() else next(other for other in numbered if not other.exists())


def resume_log(path: Path) -> tuple[GameLog, Session]:
    """A log to continue, and its last game; GameError, naming the line, if it is damaged.

    An incomplete last line, as a kill may leave it, is removed from the file.
    """
    session = read_log(path)
    whole = read_plain(path, LOG_BYTES).rpartition(b"\n")
    if whole[2]:
        with path.open("r+b") as file:
            file.truncate(len(whole[0]) + 1)
    return GameLog(path), session


def read_log(path: Path) -> Session:
    """The last game of the log at `path`, every move played again; GameError, naming the line, if it is damaged."""
    session: Session | None = None
    for number, event in _events(path):
        where = f"'{path}', line {number}"
        if event.get("event") == "begin":
            session = Session(event, (_first(event, where),))
        elif session is None:
            raise GameError(f"{where} comes before a game began: this is no log of azx play.")
        else:
            session = _follow(session, event, where)
    if session is None:
        raise GameError(f"'{path}' holds no game: begin a new one without --resume.")
    return session


def _events(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Line numbers and events, without a last line that was not written completely."""
    try:
        lines = read_plain(path, LOG_BYTES).split(b"\n")[:-1]
    except OSError as error:
        raise GameError(f"'{path}' cannot be read ({error.strerror or error}): give a log of azx play.") from error
    for number, line in enumerate(lines, start=1):
        try:
            event = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise GameError(f"'{path}', line {number} is damaged (no JSON): delete it and what follows it.") from error
        if not isinstance(event, dict):
            raise GameError(f"'{path}', line {number} is damaged (no object): delete it and what follows it.")
        yield number, event


def _first(begin: Event, where: str) -> State:
    if not isinstance(begin.get("game"), str) or begin.get("human") not in (0, 1):
        raise GameError(f"{where} does not say which game began and who plays: this is no log of azx play.")
    try:
        return by_name(begin["game"]).begin(begin.get("settings") or {})
    except (GameError, TypeError) as error:
        raise GameError(f"{where}: {error}") from error


def _follow(session: Session, event: Event, where: str) -> Session:
    """The session after `event`."""
    kind, plies = event.get("event"), event.get("plies")
    if kind == "end":
        return replace(session, end=event)
    if kind == "undo" and type(plies) is int and 0 <= plies <= len(session.players):
        return session.shorten(plies)
    if kind != "move" or event.get("ply") != len(session.players):
        raise GameError(f"{where} does not follow from the lines before it: delete it and what follows it.")
    try:
        return session.play(event["action"], str(event.get("by")))
    except (GameError, KeyError) as error:
        raise GameError(f"{where} is no legal move ({error}): delete it and what follows it.") from error
