"""The Android app's search on the JVM: against the Python search in the same run, and against its network alone.

    python benchmarks/android.py [--simulations 800] [--rounds 31] [--json]

In the first part the network costs nothing (value 0, uniform priors), so that what is measured is the search and the
rules. Both sides run in turn, each in one thread and timed in its seconds of CPU, after as much
warming up that the JVM has compiled its own (one JVM a game, as an app plays one); the ratio is
between the medians of the rounds. The target is 5. In the second part the Connect4 network answers in TFLite: playouts
a second against bare evaluations, which the JVM itself measures in turn and judges (`NetworkBenchmark.kt`). Needs the
app's compiled classes, which `make test-android` leaves in its build folder; without them it says so and does nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from azx.games.catalogue import GAMES

sys.path.append(str(Path(__file__).parents[1]))  # at the end, where no name of the root hides a library
from benchmarks.routes.app_search import AppSearch, python_seconds

TARGET = 5.0
WARM_UP = 3.0  # seconds
ROOT = Path(__file__).resolve().parent.parent
APP = ROOT / "apps" / "android"
MAIN = "org.azx.host.SearchBenchmarkKt"
NETWORK = "org.azx.host.NetworkBenchmarkKt"
LIBRARIES = ("org/jetbrains/kotlin/kotlin-stdlib", "ai/djl/tflite/tflite-engine", "junit/junit")
MISSING = "left out: the Android app's classes or their libraries are missing, run make test-android first."


def class_path() -> str | None:
    """The app's classes and tests, and the libraries that its build has fetched; None where something is missing."""
    folders = [APP / "target" / "classes", APP / "target" / "test-classes"]
    local = repository()
    libraries = [newest(local / library) for library in LIBRARIES]
    if None in libraries or not all((folder / "org").is_dir() for folder in folders):
        return None
    return os.pathsep.join(map(str, [*folders, *libraries]))


def newest(library: Path) -> Path | None:
    """The jar of a library in Maven's local repository, of the last version by name."""
    jars = sorted(library.glob("*/*.jar"))
    return next((jar for jar in reversed(jars) if jar.stem == f"{library.name}-{jar.parent.name}"), None)


def repository() -> Path:
    """Maven's local repository."""
    command = ["mvn", "-B", "-o", "-q", "help:evaluate", "-Dexpression=settings.localRepository", "-DforceStdout"]
    try:
        told = subprocess.run(command, cwd=APP, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        told = ""
    return Path(told) if told else Path.home() / ".m2" / "repository"


def measured(classes: str, game: str, simulations: int, rounds: int) -> dict[str, float | str]:
    """Median simulations a second of both, and their ratio."""
    start, jvm = GAMES[game].begin(), AppSearch(["java", "-cp", classes, MAIN])
    python_seconds(start, simulations)
    ready = time.monotonic() + WARM_UP
    while time.monotonic() < ready:
        jvm.seconds(game, simulations)
    times = [(jvm.seconds(game, simulations), python_seconds(start, simulations)) for _ in range(rounds)]
    jvm.close()
    app, python = (simulations / statistics.median(column) for column in zip(*times, strict=True))
    return {"game": game, "android": app, "python": python, "ratio": app / python}


def network(classes: str) -> str:
    """What the JVM says of the search with a real network: a line of figures, and its own judgement."""
    native = APP / "target" / "android" / "tflite" / "native" / "lib"
    command = ["java", f"-Dtflite.dir={native}", f"-Dazx.root={ROOT}", "-cp", classes, NETWORK]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def main() -> None:
    """Print a line a game, then the network's."""
    parser = argparse.ArgumentParser(description="Measure the app's search against the Python one.")
    parser.add_argument("--simulations", type=int, default=800)
    parser.add_argument("--rounds", type=int, default=31)
    parser.add_argument("--json", action="store_true", dest="as_json")
    options = parser.parse_args()
    classes = class_path()
    if classes is None:
        print(MISSING)
        return
    results = [measured(classes, game, options.simulations, options.rounds) for game in GAMES]
    if options.as_json:
        print(json.dumps({"search": results, "network": network(classes)}, indent=1))
        return
    print(f"simulations a second, {options.simulations} from the first state, medians of {options.rounds}")
    for row in results:
        verdict = "" if float(row["ratio"]) >= TARGET else f"  below the target of {TARGET:g}"
        rates = f"JVM {row['android']:9,.0f}   Python {row['python']:9,.0f}"
        print(f"{row['game']:15} {rates}   x {row['ratio']:.1f}{verdict}")
    print(network(classes))


if __name__ == "__main__":
    main()
