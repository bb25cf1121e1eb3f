"""The iOS app's search against the Python search, in the same run.

    python benchmarks/ios.py [--simulations 800] [--rounds 31] [--json]

The network costs nothing (value 0, uniform priors), so that what is measured is the search and the rules. Both sides
run in turn from each game's first state, timed in their seconds of CPU; the ratio is between the medians of
the rounds. The target is 5. The app's side is a release build, which this script makes in the Swift that `make
test-ios` runs in; where there is none it says so and does nothing.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import time
from pathlib import Path
from typing import IO, cast

from azx.games.catalogue import GAMES
from azx.games.evaluator import Uniform
from azx.games.search import Search
from azx.games.state import State

TARGET = 5.0
WARM_UP = 5
SWIFT = str(Path(__file__).resolve().parent.parent / "apps" / "ios" / "tools" / "swift.sh")
PRODUCT = "azx-speed"


class App:
    """The app's search in a process of its own, told by a line what to search for."""

    def __init__(self) -> None:
        command = [SWIFT, "run", "-c", "release", "--skip-build", PRODUCT]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._questions = cast(IO[str], self._process.stdin)
        self._answers = cast(IO[str], self._process.stdout)

    def seconds(self, game: str, simulations: int) -> float:
        """How much CPU a search from the game's first state takes once."""
        self._questions.write(f"{game} {simulations}\n")
        self._questions.flush()
        answer = self._answers.readline()
        if not answer:
            raise SystemExit(f"{PRODUCT}: it ended without an answer, look above for its reason.")
        return float(answer)

    def close(self) -> None:
        """End it."""
        self._questions.close()
        self._process.wait()


def seconds(start: State, simulations: int) -> float:
    """How much CPU the Python search takes once."""
    begin = time.process_time()
    Search(start, Uniform()).run(simulations)
    return time.process_time() - begin


def measured(app: App, game: str, simulations: int, rounds: int) -> dict[str, float | str]:
    """Median simulations a second of both, and their ratio."""
    start = GAMES[game].begin()
    for _ in range(WARM_UP):
        seconds(start, simulations)
        app.seconds(game, simulations)
    times = [(app.seconds(game, simulations), seconds(start, simulations)) for _ in range(rounds)]
    swift, python = (simulations / statistics.median(column) for column in zip(*times, strict=True))
    return {"game": game, "ios": swift, "python": python, "ratio": swift / python}


def main() -> None:
    """Print a line a game."""
    parser = argparse.ArgumentParser(description="Measure the iOS app's search against the Python one.")
    parser.add_argument("--simulations", type=int, default=800)
    parser.add_argument("--rounds", type=int, default=31)
    parser.add_argument("--json", action="store_true", dest="as_json")
    options = parser.parse_args()
    why = subprocess.run([SWIFT, "--check"], capture_output=True, text=True, check=False)
    if why.returncode:
        print(f"left out: {why.stdout.strip()}")
        return
    subprocess.run([SWIFT, "build", "-c", "release", "--product", PRODUCT], stdout=subprocess.DEVNULL, check=True)
    app = App()
    results = [measured(app, game, options.simulations, options.rounds) for game in GAMES]
    app.close()
    if options.as_json:
        print(json.dumps(results, indent=1))
        return
    print(f"simulations a second, {options.simulations} from the first state, medians of {options.rounds}")
    for row in results:
        verdict = "" if float(row["ratio"]) >= TARGET else f"  below the target of {TARGET:g}"
        rates = f"Swift {row['ios']:9,.0f}   Python {row['python']:9,.0f}"
        print(f"{row['game']:15} {rates}   x {row['ratio']:.1f}{verdict}")


if __name__ == "__main__":
    main()
