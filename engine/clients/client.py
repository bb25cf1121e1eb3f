"""An engine at a board, whatever its protocol."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping

from ...errors import GameError
from ...games.game import Value
from ...games.state import State
from .process import ANSWER, ILLEGAL, RESIGNED, FaultError, Program

# A program is killed after twice its time and these seconds.
GRACE = 5.0


class Client(ABC):
    """An engine at a board: `begin` a game, `tell` it each move, and let it `choose`."""

    farewell = "quit"

    def __init__(self, program: Program, game: str, settings: Mapping[str, Value], seconds: float) -> None:
        self.program, self.game, self.settings, self.seconds = program, game, settings, seconds

    @abstractmethod
    def greet(self) -> str:
        """Make contact; returns the engine's name. FaultError if it does not answer."""

    @abstractmethod
    def begin(self, start: State) -> None:
        """Begin a new game from `start`."""

    @abstractmethod
    def tell(self, before: State, action: int, own: bool) -> None:
        """Report a move made in the position `before`; `own` is true if the engine itself chose it."""

    @abstractmethod
    def ask(self, state: State, until: float) -> str:
        """The engine's word for its move, before the moment `until`."""

    @abstractmethod
    def read(self, state: State, word: str) -> int:
        """The action that its word means; GameError if that is not a legal one."""

    def choose(self, state: State) -> int:
        """Its move; FaultError if it crashes, hangs, resigns or chooses no legal one."""
        word = self.ask(state, time.monotonic() + 2 * self.seconds + GRACE)
        if word.strip().lower() == "resign":
            raise FaultError(RESIGNED, "it resigned")
        try:
            return self.read(state, word)
        except GameError as error:
            raise FaultError(ILLEGAL, f"it played {word.strip()[:40]}: {error}") from error

    def end(self) -> None:
        """End the program."""
        self.program.end(self.farewell)

    def soon(self) -> float:
        """The moment by which an answer that needs no thought is due."""
        return time.monotonic() + ANSWER
