"""Measures how soon the commands answer that need no TensorFlow, beside an import of what they cannot do without.

Each runs in a fresh process, several times. Processor time hardly depends on other load, and the least of several runs
hardly at all.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence

import click

from azx.commands.printed.output import print_json, table

YARDSTICK = "import click, h5py"
COMMANDS = {
    "azx --help": ("-m", "azx", "--help"),
    "azx games": ("-m", "azx", "games"),
    "azx inspect dots_and_boxes": ("-m", "azx", "inspect", "dots_and_boxes"),
    "azx inspect connect4": ("-m", "azx", "inspect", "connect4"),
}


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--runs", default=5, show_default=True, type=click.IntRange(1), help="Runs of each, of which the best counts."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def main(runs: int, as_json: bool) -> None:
    """Print the seconds of each command, and how many times the yardstick that is."""
    with tempfile.TemporaryDirectory(prefix="azx-light-") as folder:
        found = {
            name: _measure(arguments, folder, runs)
            for name, arguments in {YARDSTICK: ("-c", YARDSTICK), **COMMANDS}.items()
        }
    least = found[YARDSTICK][0]
    if as_json:
        print_json(
            {name: {"processor": used, "wall": wall, "times": used / least} for name, (used, wall) in found.items()}
        )
        return
    rows = [(name, f"{used:.2f}", f"{wall:.2f}", f"{used / least:.1f}") for name, (used, wall) in found.items()]
    numbers = ("processor, s", "wall, s", "times")
    table(("command", *numbers), rows, right=numbers)


def _measure(arguments: Sequence[str], folder: str, runs: int) -> tuple[float, float]:
    """The least processor and the least wall seconds of `python ARGUMENTS`."""
    used, wall = list[float](), list[float]()
    for _ in range(runs):
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run([sys.executable, *arguments], capture_output=True, cwd=folder, check=True)
        wall.append(time.perf_counter() - began)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(used), min(wall)


if __name__ == "__main__":
    main()
