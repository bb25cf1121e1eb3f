"""The search of an app's engine in a process of its own, and Python's: timed in turn, in seconds of CPU."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Sequence
from typing import IO, cast

from azx.games.evaluator import Uniform
from azx.games.search import Search
from azx.games.state import State


class AppSearch:
    """An app's search, told by a line what to search for: the game's name and the simulations."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._questions = cast(IO[str], self._process.stdin)
        self._answers = cast(IO[str], self._process.stdout)

    def seconds(self, game: str, simulations: int) -> float:
        """How much CPU a search from the game's first state takes once."""
        return float(self.ask(f"{game} {simulations}"))

    def ask(self, question: str) -> str:
        """The line that answers a line."""
        self._questions.write(f"{question}\n")
        self._questions.flush()
        # A library that the app's side loads may say empty lines of its own.
        answer = next((line for line in self._answers if line.strip()), "")
        if not answer:
            raise SystemExit(f"{self._command[-1]}: it ended without an answer, look above for its reason.")
        return answer.strip()

    def close(self) -> None:
        """End it."""
        self._questions.close()
        self._process.wait()


def python_seconds(start: State, simulations: int) -> float:
    """How much CPU the Python search takes once."""
    begin = time.process_time()
    Search(start, Uniform()).run(simulations)
    return time.process_time() - begin
