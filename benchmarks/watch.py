"""How soon `azx watch` picks a checkpoint up: from when it is complete to the event, over 20 files.

    python benchmarks/watch.py [FILES] [--interval 0.25]

They come at times drawn by chance while the watch exports and plays those before them; every second one is renamed into
place, the others are written where they are to lie.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
from versions import version

LONGEST_PAUSE = 2.0


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="?", type=int, default=20)
    parser.add_argument("--interval", type=float, default=0.25)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "runs").mkdir()
        sources = [version(folder / "source", number) for number in range(given.files)]
        waits = measured(folder, sources, given.interval)
    renamed, written = waits[0::2], waits[1::2]
    for called, seconds in (("renamed into place", renamed), ("written in place", written)):
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

        threading.Thread(target=hear, daemon=True).start()
        complete = {}
        chance = random.Random(0)  # noqa: S311
        while not (folder / "bundles" / ".azx-sweep-holder.json").exists():
            time.sleep(0.05)
        for number, source in enumerate(sources):
            time.sleep(chance.uniform(0, LONGEST_PAUSE))
            target = folder / "runs" / source.name
            if number % 2 == 0:
                part = Path(shutil.copyfile(source, target.with_name(f".{target.name}.part")))
                part.rename(target)
            else:
                shutil.copyfile(source, target)
            complete[target.name] = time.monotonic()
        while len(heard) < len(sources):
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
    return [heard[name] - at for name, at in complete.items()]


if __name__ == "__main__":
    main()
