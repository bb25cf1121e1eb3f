"""An engine that speaks NBoard's protocol: Edax, NTest and others."""

from __future__ import annotations

import time

from ...games.state import State
from ..moves import by_vertex, pass_of
from .client import Client
from .process import START


class NBoardClient(Client):
    """NBoard's protocol from the viewer's side. The protocol has no time: the engine's own options bound it."""

    _pings = 0
    _name = "unnamed engine"

    def greet(self) -> str:
        """Its name, if it says one before its first pong."""
        self.program.write("nboard 2")
        self._ping(time.monotonic() + START)
        return self._name

    def begin(self, start: State) -> None:
        """Note the first board."""
        size = start.board[0]
        half = size // 2
        cells = ["-"] * size * size
        for at in ((half - 1) * (size + 1), half * (size + 1)):
            cells[at] = "O"
        for at in ((half - 1) * size + half, half * size + half - 1):
            cells[at] = "*"
        self._board, self._moves = f"{size} {''.join(cells)} *", ""

    def tell(self, before: State, action: int, own: bool) -> None:
        """Note the move; the whole game is sent with the next question."""
        name = "PA" if action == pass_of(before) else before.label(action).upper()
        self._moves += f"{'BW'[before.to_move]}[{name}]"

    def ask(self, state: State, until: float) -> str:
        """Send `set game` and `go`."""
        self.program.write(f"set game (;GM[Othello]PC[azx]PB[black]PW[white]RE[?]TY[8]BO[{self._board}]{self._moves};)")
        self._ping(self.soon())
        self.program.write("go")
        while True:
            line = self._read(until)
            if line.startswith("==="):
                return line[3:].strip().split("/")[0]

    def read(self, state: State, word: str) -> int:
        """The action at a cell, or the pass."""
        passing = pass_of(state)
        return (
            passing
            if passing is not None and word.lower() in ("pa", "pass", "ps")
            else by_vertex("reversi", state, word)
        )

    def _read(self, until: float) -> str:
        line = self.program.read(until).strip()
        if line.startswith("set myname "):
            self._name = line.removeprefix("set myname ").strip()
        return line

    def _ping(self, until: float) -> None:
        """Wait until it has handled all earlier lines."""
        self._pings += 1
        self.program.write(f"ping {self._pings}")
        while self._read(until) != f"pong {self._pings}":
            pass
