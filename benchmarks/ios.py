"""The cost of the iOS app's search: compared with the Python search, with its own network, and in memory.

    python benchmarks/ios.py [--simulations 800] [--rounds 31] [--json]

In the first table the network costs nothing (value 0, uniform priors), so that only the search and the rules are
measured. Both sides run in turn from each game's first state, and are timed in seconds of CPU; the ratio is that of the
medians of the rounds. The target is 5.

In the second table the shipped networks answer in ONNX Runtime with one thread. The package finds it as Debian's
libonnxruntime-dev, in the folder that `make test-ios` uses. A search of 200 simulations alternates with the same
evaluations alone. The overhead is the search's additional CPU time as a share of the evaluations' time. It should be 10
% at most. The bundles are those of `make bundles`.

The third table has the increase of the peak of resident memory by a Go search with a fixed number of simulations. Each
figure has its own process; a stand-in evaluator answers with a complete policy.

The app's side is a release build, made by this script with the Swift that `make test-ios` uses. Without Swift the
script says so and does nothing.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from pathlib import Path

from azx.games.known.catalogue import GAMES

sys.path.append(str(Path(__file__).parents[1]))  # last, so that the root's names hide no library
from benchmarks.routes.app_search import AppSearch, Row, measure, parse_options, print_speeds

WARM_UP = 1.0  # seconds
NETWORK_SIMULATIONS = 200
# A small network's evaluations take microseconds, a large one's milliseconds.
NETWORK_SECONDS = 5.0
MOST_OVERHEAD = 0.1
SIZES = (9, 19)
ROOT = Path(__file__).resolve().parent.parent
SWIFT = str(ROOT / "apps" / "ios" / "tools" / "swift.sh")
PRODUCT = "azx-speed"


def start_app() -> AppSearch:
    """The app's search in a process of its own."""
    return AppSearch([SWIFT, "run", "-c", "release", "--skip-build", PRODUCT])


def overhead(app: AppSearch, game: str, rounds: int) -> Row | None:
    """Median microseconds per simulation, of a search and of its evaluations alone; None if they cannot run."""
    # A path relative to apps/ios, where the app's process runs.
    question = f"network ../../build/bundles/{game} {NETWORK_SIMULATIONS}"
    if not (ROOT / "build" / "bundles" / game / "manifest.json").is_file() or app.ask(question) == "none":
        return None
    times: list[tuple[float, ...]] = []
    while len(times) < 3 or (len(times) < 10 * rounds and sum(map(sum, times)) < NETWORK_SECONDS):
        times.append(tuple(float(word) for word in app.ask(question).split()))
    search, bare = (statistics.median(column) * 1e6 / NETWORK_SIMULATIONS for column in zip(*times, strict=True))
    share = statistics.median(search / bare for search, bare in times) - 1
    return {"game": game, "search_us": search, "evaluations_us": bare, "overhead": share}


def memory(size: int, simulations: int) -> Row:
    """Megabytes by which the peak of resident memory grows with one search."""
    app = start_app()
    grown = int(app.ask(f"memory go {size} {simulations}"))
    app.close()
    return {"game": f"go {size} x {size}", "grown_mb": grown / 1e6}


def show(overheads: list[Row], memories: list[Row], simulations: int) -> None:
    """Print the second and the third table."""
    print(f"\nmicroseconds a simulation with the network, {NETWORK_SIMULATIONS} from the first state, medians")
    for row in overheads:
        verdict = "" if float(row["overhead"]) <= MOST_OVERHEAD else f"  more than {MOST_OVERHEAD:.0%}"
        times = f"search {row['search_us']:9,.1f}   evaluations alone {row['evaluations_us']:9,.1f}"
        print(f"{row['game']:15} {times}   overhead {row['overhead']:6.1%}{verdict}")
    if not overheads:
        print("left out: it needs the bundles of make bundles, and ONNX Runtime where the package is built")
    print(f"\nresident memory that one search of {simulations} simulations adds")
    for row in memories:
        print(f"{row['game']:15} {row['grown_mb']:6.1f} MB")


def main() -> None:
    """Print three tables, or all figures as JSON."""
    options = parse_options("Measure what the iOS app's search costs.")
    why = subprocess.run([SWIFT, "--check"], capture_output=True, text=True, check=False)
    if why.returncode:
        print(f"left out: {why.stdout.strip()}")
        return
    subprocess.run([SWIFT, "build", "-c", "release", "--product", PRODUCT], stdout=subprocess.DEVNULL, check=True)
    app = start_app()
    speeds = [measure(app, "ios", game, options, WARM_UP) for game in GAMES]
    overheads = [row for game in GAMES if (row := overhead(app, game, options.rounds))]
    app.close()
    memories = [memory(size, options.simulations) for size in SIZES]
    if options.as_json:
        print(json.dumps({"speeds": speeds, "overheads": overheads, "memories": memories}, indent=1))
    else:
        print_speeds(speeds, {"ios": "Swift", "python": "Python"}, options)
        show(overheads, memories, options.simulations)


if __name__ == "__main__":
    main()
