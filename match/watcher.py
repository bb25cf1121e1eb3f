"""Who follows the games of a match."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from .games import GameRecord
from .runner import Match


class Watcher(Protocol):
    """Follows one match: the games already in the log, each new game, and an interruption."""

    def begin(self, logged: int) -> None:
        """`logged` games are in the log already."""
        return

    def game(self, record: GameRecord) -> None:
        """One more game."""
        return

    def stop(self, log: Path) -> None:
        """The match ends before its last game."""
        return


class SilentWatcher(Watcher):
    """Ignores all games."""


# Makes the watcher of a match.
Watch = Callable[[Match], AbstractContextManager[Watcher]]
# Makes the watcher of a match with this title.
WatchTitled = Callable[[Match, str], AbstractContextManager[Watcher]]
