"""How soon `azx watch` picks a checkpoint up: from when it is complete to the event, over 21 checkpoints.

    python benchmarks/watch.py [FILES] [--interval 0.25]

They come at times drawn by chance while the watch exports and plays those before them: in turn a file that is renamed
into place, one that is written where it is to lie, and the folder of a SavedModel, written file by file.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
from versions import saved_version, version

LONGEST_PAUSE = 2.0


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="?", type=int, default=21)
    parser.add_argument("--interval", type=float, default=0.25)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "runs").mkdir()
        makers = (version, version, saved_version)
        sources = [makers[number % 3](folder / "source", number) for number in range(given.files)]
        waits = measured(folder, sources, given.interval)
    for kind, called in enumerate(("renamed into place", "written in place", "a SavedModel's folder")):
        seconds = waits[kind::3]
        print(f"{called}: median {median(seconds):.2f} s, largest {max(seconds):.2f} s of {len(seconds)}")


def measured(folder: Path, sources: list[Path], interval: float) -> list[float]:
    """Seconds from the end of each file to the event that tells of it."""
    options = ("--format", "onnx", "--positions", "20", "--simulations", "10", "--games", "40")
    command = [sys.executable, "-m", "azx", "watch", "runs", "--json", "--interval", str(interval), *options]
    heard: dict[str, float] = {}
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        lines = process.stdout
        assert lines is not None  # noqa: S101 - asked for

        def hear() -> None:
            for line in lines:
                event = json.loads(line)
                if event.get("event") == "picked_up":
                    heard[event["name"]] = time.monotonic()

        hearing = threading.Thread(target=hear, daemon=True)
        hearing.start()
        complete = {}
        chance = random.Random(0)  # noqa: S311
        while not (folder / "bundles" / ".azx-sweep-holder.json").exists():
            time.sleep(0.05)
        for number, source in enumerate(sources):
            time.sleep(chance.uniform(0, LONGEST_PAUSE))
            target = folder / "runs" / source.name
            if number % 3 == 0:
                part = Path(shutil.copyfile(source, target.with_name(f".{target.name}.part")))
                part.rename(target)
            elif number % 3 == 1:
                shutil.copyfile(source, target)
            else:
                shutil.copytree(source, target)
            complete[target.name] = time.monotonic()
        while len(heard) < len(sources):
            time.sleep(0.05)
        process.terminate()  # to Ctrl-C what was started in a shell's background is deaf
        hearing.join()
    return [heard[name] - at for name, at in complete.items()]


if __name__ == "__main__":
    main()
