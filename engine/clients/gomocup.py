"""An engine of Gomocup; azx speaks to it as Piskvork does."""

from __future__ import annotations

import time

from ...games.state import State
from ..moves import by_pair, pair_of
from .client import Client
from .process import REFUSED, START, FaultError

RULES = {"freestyle": 0, "renju": 4}
REMARKS = ("MESSAGE", "DEBUG", "UNKNOWN", "SUGGEST", "INFO")


class GomocupClient(Client):
    """Gomocup's protocol from the manager's side."""

    farewell = "END"

    def greet(self) -> str:
        """Its name, as ABOUT says it."""
        self.program.write("ABOUT")
        about = self.program.read(time.monotonic() + START)
        parts = dict(part.strip().split("=", 1) for part in about.split(",") if "=" in part)
        name, version = (parts.get(key, "").strip('" ') for key in ("name", "version"))
        return f"{name} {version}".strip() or about.strip()[:60] or "unnamed engine"

    def begin(self, start: State) -> None:
        """Send START, the time for a move and the rule."""
        self._moves: list[tuple[str, int]] = []
        self._is_fresh = True
        self.program.write(f"START {start.board[0]}")
        answer = self._answer(self.soon())
        if not answer.upper().startswith("OK"):
            raise FaultError(REFUSED, f"it answered START with '{answer[:80]}'")
        limit = round(1000 * self.seconds)
        rule = RULES.get(str(self.settings.get("rule", "freestyle")), 0)
        infos = {"timeout_turn": limit, "timeout_match": 0, "time_left": 2147483647, "rule": rule, "game_type": 1}
        self.program.write(*(f"INFO {key} {value}" for key, value in infos.items()))

    def tell(self, before: State, action: int, own: bool) -> None:
        """Note the move; it is sent with the next question."""
        self._moves.append((pair_of(before, action), before.to_move))

    def ask(self, state: State, until: float) -> str:
        """Ask by BEGIN, BOARD or TURN."""
        if not self._moves:
            self.program.write("BEGIN")
        elif self._is_fresh:
            stones = [f"{cell},{1 if player == state.to_move else 2}" for cell, player in self._moves]
            self.program.write("BOARD", *stones, "DONE")
        else:
            self.program.write(f"TURN {self._moves[-1][0]}")
        self._is_fresh = False
        return self._answer(until)

    def read(self, state: State, word: str) -> int:
        """The action at column and row."""
        return by_pair(state, word)

    def _answer(self, until: float) -> str:
        """The next line that is not a remark."""
        while True:
            line = self.program.read(until).strip()
            if line and line.split()[0].upper() not in REMARKS:
                return line
