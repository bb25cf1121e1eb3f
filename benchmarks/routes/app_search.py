"""Times the search of an app's engine, in a process of its own, and Python's search in turn, in seconds of CPU."""

from __future__ import annotations

import argparse
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import IO, cast

from azx.games.evaluator import Evaluation, Evaluator, Uniform
from azx.games.known.catalogue import GAMES
from azx.games.search import Search
from azx.games.state import State

Row = dict[str, float | str]
TARGET = 5.0  # times as fast as the other side


class AppSearch:
    """An app's search. A line gives it the game's name and the number of simulations."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._questions = cast(IO[str], self._process.stdin)
        self._answers = cast(IO[str], self._process.stdout)

    def seconds(self, game: str, simulations: int) -> float:
        """Seconds of CPU of one search from the game's first state."""
        return float(self.ask(f"{game} {simulations}"))

    def ask(self, question: str) -> str:
        """Send a line, and return the line that answers it."""
        self._questions.write(f"{question}\n")
        self._questions.flush()
        # A library in the app's process may print empty lines.
        answer = next((line for line in self._answers if line.strip()), "")
        if not answer:
            raise SystemExit(f"{self._command[-1]}: it ended without an answer, look above for its reason.")
        return answer.strip()

    def close(self) -> None:
        """End the process."""
        self._questions.close()
        self._process.wait()


def measure(app: AppSearch, name: str, game: str, options: argparse.Namespace, warm_up: float) -> Row:
    """Simulations a second of the app, after `warm_up` seconds of its own, and of Python."""
    start, simulations = GAMES[game].begin(), options.simulations
    ready = time.monotonic() + warm_up
    while time.monotonic() < ready:
        app.seconds(game, simulations)
    own = partial(app.seconds, game, simulations)
    return compare(game, {name: own, "python": python_search(start, simulations)}, options)


def compare(game: str, sides: Mapping[str, Callable[[], float]], options: argparse.Namespace) -> Row:
    """Median simulations a second of two sides, whose functions give the seconds of a search, and their ratio."""
    for seconds in sides.values():
        seconds()
    times = [[seconds() for seconds in sides.values()] for _ in range(options.rounds)]
    one, other = (options.simulations / statistics.median(column) for column in zip(*times, strict=True))
    return {"game": game, **dict(zip(sides, (one, other), strict=True)), "ratio": one / other}


def time_task(task: Callable[[], object]) -> Callable[[], float]:
    """A function that runs the task once and returns its seconds of CPU."""

    def seconds() -> float:
        begin = time.process_time()
        task()
        return time.process_time() - begin

    return seconds


class AskedUniform:
    """Answers like `Uniform`, but the search asks it for each state, as it asks networks."""

    def evaluate(self, states: Sequence[State]) -> list[Evaluation]:
        """Value 0 and a uniform policy for each state."""
        return Uniform().evaluate(states)


def python_search(start: State, simulations: int, evaluator: Evaluator | None = None) -> Callable[[], float]:
    """A function that returns one Python search's seconds of CPU; by default its evaluator answers at once."""
    return time_task(lambda: Search(start, evaluator or AskedUniform()).run(simulations))


def print_speeds(
    rows: Sequence[Row], titles: Mapping[str, str], options: argparse.Namespace, target: float = TARGET
) -> None:
    """Print a line for each game; `titles` are those of the two columns."""
    print(f"simulations a second, {options.simulations} from the first state, medians of {options.rounds}")
    for row in rows:
        verdict = "" if float(row["ratio"]) >= target else f"  below the target of {target:g}"
        rates = "   ".join(f"{title} {row[name]:9,.0f}" for name, title in titles.items())
        print(f"{row['game']:15} {rates}   x {row['ratio']:.1f}{verdict}")


def parse_options(description: str) -> argparse.Namespace:
    """The command line's options: how much to measure, and whether to print JSON."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--simulations", type=int, default=800)
    parser.add_argument("--rounds", type=int, default=31)
    parser.add_argument("--json", action="store_true", dest="as_json")
    parser.add_argument("--asked", action="store_true", help="azx asks an evaluator for each state (search.py)")
    return parser.parse_args()
