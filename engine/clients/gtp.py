"""An engine that speaks GTP: GNU Go, Pachi, Leela Zero, KataGo, Rhino and others."""

from __future__ import annotations

import time

from ...games.state import State
from ..moves import PASS, by_vertex, pass_of, vertex_of
from .client import Client
from .process import ILLEGAL, REFUSED, START, FaultError

COLOURS = ("b", "w")
# What programs call a game, for those that play several (`set_game`).
NAMES = {"reversi": "Othello", "hex": "Hex", "gomoku": "Gomoku"}


class GtpClient(Client):
    """GTP from the controller's side."""

    def greet(self) -> str:
        """Its name and version."""
        name = self._say("name", time.monotonic() + START)
        version = self._say("version", self.soon())
        return f"{name} {version}".strip()

    def begin(self, start: State) -> None:
        """Begin a new game; the time for a move is one period of byo-yomi."""
        if self.game in NAMES and self._knows("set_game"):
            self._say(f"set_game {NAMES[self.game]}", self.soon())
        self._say(f"boardsize {start.board[0]}", self.soon())
        self._say("clear_board", self.soon())
        if "komi" in self.settings:
            self._say(f"komi {float(self.settings['komi']):g}", self.soon())
        if self._knows("time_settings"):
            self._say(f"time_settings 0 {max(1, round(self.seconds))} 1", self.soon())

    def tell(self, before: State, action: int, own: bool) -> None:
        """Send `play` for a move that the engine did not generate; FaultError if it refuses."""
        if own:
            return
        if before.legal_actions() == (pass_of(before),):
            self._pass(before)
            return
        vertex = vertex_of(self.game, before, action)
        try:
            self._say(f"play {COLOURS[before.to_move]} {vertex}", self.soon())
        except FaultError as fault:
            if fault.kind == REFUSED:
                raise FaultError(REFUSED, f"it refused {vertex}, which is legal for azx") from fault
            raise

    def ask(self, state: State, until: float) -> str:
        """Send `genmove`, unless the engine must pass."""
        if state.legal_actions() == (pass_of(state),):
            self._pass(state)
            return PASS
        try:
            return self._say(f"genmove {COLOURS[state.to_move]}", until)
        except FaultError as fault:
            if fault.kind == REFUSED:
                # In this position there is a legal move, so a refusal counts as an illegal one.
                raise FaultError(ILLEGAL, f"it answered genmove with '{fault}'") from fault
            raise

    def read(self, state: State, word: str) -> int:
        """The action at a vertex."""
        return by_vertex(self.game, state, word)

    def _pass(self, state: State) -> None:
        """Report a pass that the rules force. Some programs pass by themselves and refuse the word."""
        try:
            self._say(f"play {COLOURS[state.to_move]} {PASS}", self.soon())
        except FaultError as fault:
            if fault.kind != REFUSED:
                raise

    def _knows(self, command: str) -> bool:
        return self._say(f"known_command {command}", self.soon()).strip() == "true"

    def _say(self, command: str, until: float) -> str:
        """The answer to a command, its lines joined; FaultError, of the kind REFUSED, for a ? answer."""
        self.program.write(command)
        lines: list[str] = []
        while True:
            line = self.program.read(until)
            if not line.strip():
                if lines:
                    break
                continue
            # Some programs write remarks before their answer.
            if lines or line[0] in "=?":
                lines.append(line)
        text = " ".join(line.strip() for line in lines)[1:].strip()
        if lines[0][0] == "?":
            raise FaultError(REFUSED, text[:100])
        return text
