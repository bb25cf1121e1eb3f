"""An engine that speaks the Universal Game Interface."""

from __future__ import annotations

import time

from ...games.state import State
from ..moves import name_of, named
from .client import Client
from .process import START


class UgiClient(Client):
    """UGI from the manager's side; moves have the names of azx' own board."""

    _name = "unnamed engine"

    def greet(self) -> str:
        """Its name, as `id name` says it."""
        self.program.write("ugi")
        until = time.monotonic() + START
        while (line := self.program.read(until).strip()) != "ugiok":
            if line.startswith("id name "):
                self._name = line.removeprefix("id name ").strip()
        return self._name

    def begin(self, start: State) -> None:
        """Begin a new game."""
        self._moves: list[str] = []
        self.program.write("uginewgame", "isready")
        until = time.monotonic() + START
        while self.program.read(until).strip() != "readyok":
            pass

    def tell(self, before: State, action: int, own: bool) -> None:
        """Note the move; the whole game is sent with the next question."""
        self._moves.append(name_of(before, action))

    def ask(self, state: State, until: float) -> str:
        """Send `position` and `go`."""
        moves = f" moves {' '.join(self._moves)}" if self._moves else ""
        self.program.write(f"position startpos{moves}", f"go movetime {round(1000 * self.seconds)}")
        while True:
            words = self.program.read(until).split()
            if words[:1] == ["bestmove"]:
                return words[1] if len(words) > 1 else ""

    def read(self, state: State, word: str) -> int:
        """The action with this name."""
        return named(state, word)
