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
import sys
from pathlib import Path

from azx.games.catalogue import GAMES

sys.path.append(str(Path(__file__).parents[1]))  # at the end, where no name of the root hides a library
from benchmarks.routes.app_search import AppSearch, python_seconds

TARGET = 5.0
WARM_UP = 5
SWIFT = str(Path(__file__).resolve().parent.parent / "apps" / "ios" / "tools" / "swift.sh")
PRODUCT = "azx-speed"


def measured(app: AppSearch, game: str, simulations: int, rounds: int) -> dict[str, float | str]:
    """Median simulations a second of both, and their ratio."""
    start = GAMES[game].begin()
    for _ in range(WARM_UP):
        python_seconds(start, simulations)
        app.seconds(game, simulations)
    times = [(app.seconds(game, simulations), python_seconds(start, simulations)) for _ in range(rounds)]
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
    app = AppSearch([SWIFT, "run", "-c", "release", "--skip-build", PRODUCT])
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
