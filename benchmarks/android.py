"""The Android app's search on the JVM: against the Python search in the same run, and against its network alone.

    python benchmarks/android.py [--simulations 800] [--rounds 31] [--json]

In the first part the network costs nothing (value 0, uniform priors), so that only the search and the rules are
measured. Both sides run in turn, each in one thread, and are timed in seconds of CPU. The JVM first warms up until its
code is compiled; each game has its own JVM, as in an app. The ratio compares the medians of the rounds. The target is
5. In the second part the Connect4 network answers in TFLite. The JVM itself compares playouts per second with bare
evaluations and checks the ratio (`NetworkBenchmark.kt`). Needs the app's compiled classes, which `make test-android`
leaves in its build folder; without them it says so and does nothing.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from azx.games.known.catalogue import GAMES

sys.path.append(str(Path(__file__).parents[1]))  # last, so that the root's names hide no library
from benchmarks.routes.app_search import AppSearch, measure, parse_options, print_speeds

WARM_UP = 3.0  # seconds
ROOT = Path(__file__).resolve().parent.parent
APP = ROOT / "apps" / "android"
MAIN = "org.azx.host.SearchBenchmarkKt"
NETWORK = "org.azx.host.NetworkBenchmarkKt"
LIBRARIES = ("org/jetbrains/kotlin/kotlin-stdlib", "ai/djl/tflite/tflite-engine", "junit/junit")
MISSING = "left out: the Android app's classes or their libraries are missing, run make test-android first."


def class_path() -> str | None:
    """The class path of the app's classes, its tests and its libraries; None if something is missing."""
    folders = [APP / "target" / "classes", APP / "target" / "test-classes"]
    local = repository()
    libraries = [newest(local / library) for library in LIBRARIES]
    if None in libraries or not all((folder / "org").is_dir() for folder in folders):
        return None
    return os.pathsep.join(map(str, [*folders, *libraries]))


def newest(library: Path) -> Path | None:
    """The jar of a library's last version, by name, in Maven's local repository; None if it is missing."""
    jars = sorted(library.glob("*/*.jar"))
    return next((jar for jar in reversed(jars) if jar.stem == f"{library.name}-{jar.parent.name}"), None)


def repository() -> Path:
    """Maven's local repository."""
    command = ["mvn", "-B", "-o", "-q", "help:evaluate", "-Dexpression=settings.localRepository", "-DforceStdout"]
    try:
        answer = subprocess.run(command, cwd=APP, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        answer = ""
    return Path(answer) if answer else Path.home() / ".m2" / "repository"


def network(classes: str) -> str:
    """The JVM's report on the search with a real network: a line of figures, and its verdict."""
    native = APP / "target" / "android" / "tflite" / "native" / "lib"
    command = ["java", f"-Dtflite.dir={native}", f"-Dazx.root={ROOT}", "-cp", classes, NETWORK]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def main() -> None:
    """Print a line a game, then the network's."""
    options = parse_options("Measure the app's search against the Python one.")
    classes = class_path()
    if classes is None:
        print(MISSING)
        return
    results = []
    for game in GAMES:
        jvm = AppSearch(["java", "-cp", classes, MAIN])
        results.append(measure(jvm, "android", game, options, WARM_UP))
        jvm.close()
    if options.as_json:
        print(json.dumps({"search": results, "network": network(classes)}, indent=1))
        return
    print_speeds(results, {"android": "JVM", "python": "Python"}, options)
    print(network(classes))


if __name__ == "__main__":
    main()
