"""The search of an app's engine in a process of its own, and Python's: timed in turn, in seconds of CPU."""

from __future__ import annotations

import argparse
import statistics
import subprocess
import time
from collections.abc import Sequence
from typing import IO, cast

from azx.games.evaluator import Uniform
from azx.games.known.catalogue import GAMES
from azx.games.search import Search

Row = dict[str, float | str]
TARGET = 5.0  # times as fast as Python


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


def measured(app: AppSearch, name: str, game: str, simulations: int, rounds: int, warm_up: float) -> Row:
    """Median simulations a second of both, after so many seconds of the app's own, and their ratio."""
    python_seconds(game, simulations)
    ready = time.monotonic() + warm_up
    while time.monotonic() < ready:
        app.seconds(game, simulations)
    times = [(app.seconds(game, simulations), python_seconds(game, simulations)) for _ in range(rounds)]
    own, python = (simulations / statistics.median(column) for column in zip(*times, strict=True))
    return {"game": game, name: own, "python": python, "ratio": own / python}


def python_seconds(game: str, simulations: int) -> float:
    """How much CPU the Python search takes once."""
    start = GAMES[game].begin()
    begin = time.process_time()
    Search(start, Uniform()).run(simulations)
    return time.process_time() - begin


def print_speeds(rows: Sequence[Row], name: str, title: str, options: argparse.Namespace) -> None:
    """Print a line a game; `title` is what runs the app's search, of the column `name`."""
    print(f"simulations a second, {options.simulations} from the first state, medians of {options.rounds}")
    for row in rows:
        verdict = "" if float(row["ratio"]) >= TARGET else f"  below the target of {TARGET:g}"
        rates = f"{title} {row[name]:9,.0f}   Python {row['python']:9,.0f}"
        print(f"{row['game']:15} {rates}   x {row['ratio']:.1f}{verdict}")


def parsed_options(description: str) -> argparse.Namespace:
    """How much is measured, and whether it is printed as JSON."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--simulations", type=int, default=800)
    parser.add_argument("--rounds", type=int, default=31)
    parser.add_argument("--json", action="store_true", dest="as_json")
    return parser.parse_args()
