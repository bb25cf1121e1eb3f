"""What networks of 28 to 360 MB cost: seconds and memory of inspect, export, validate and the other commands.

    nice -n 15 python -P benchmarks/sizes.py [--only 43,120] [--commands inspect,export,validate] [--holds 8]

The networks are untrained, written by tests/support/large_networks.py: residual ones of 256 filters on a board of 9 x
9, the largest also with its optimizer's state (360 MB), and alpha-zero-general's default network for Othello. One
command runs at a time, each in a process of its own. Its memory is that of the processes that it starts too: the
largest sum at one moment, of what each has in memory (twice for what two share). The first row is a network of 0.2 MB:
what TensorFlow and the converters take by themselves. The last column has what is above that, in sizes of the
checkpoint's weights.

--holds N: azx.export_checkpoint is called by a program that holds N GiB, which are not counted.
A table in Markdown goes to standard output. The exit code is 1 if a command fails. It takes about half an hour.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "tests" / "support"))

import large_networks  # noqa: E402

MAKES: dict[str, Callable[[Path], Path]] = {
    "0": lambda path: large_networks.residual(path, 2, 4),
    **{
        str(size): lambda path, blocks=blocks: large_networks.residual(path, blocks)  # type: ignore[misc]
        for size, blocks in large_networks.BLOCKS.items()
    },
    "360": lambda path: large_networks.residual(path, large_networks.BLOCKS[120], optimizer=True),
    "azg": large_networks.alpha_zero_general,
}
COMMANDS: dict[str, tuple[str, ...]] = {
    "inspect": ("inspect", "{net}"),
    "export": ("export", "{net}", "--game", "gomoku", "--output", "{out}", "--positions", "{positions}", "-q"),
    "validate": ("validate", "{out}", "-q"),
    "against": ("validate", "{out}", "--against", "{net}", "-q"),
    "report": ("report", "{out}", "-q"),
    "play": ("play", "{out}", "--moves", "a1", "--simulations", "8", "--quiet"),
    "api": (),
}
HOLDER = """
import sys
held = bytearray(int(sys.argv[1]) << 30)
for at in range(0, len(held), 4096):
    held[at] = 1
import azx
print(azx.export_checkpoint(sys.argv[2], game="gomoku", output=sys.argv[3]).folder)
"""
_EVERY = 0.05


@dataclass
class Cost:
    """Wall and processor seconds, and bytes: the largest sum at one moment, and each process's own peak by its name."""

    wall: float = 0.0
    processor: float = 0.0
    together: int = 0
    each: dict[int, int] = field(default_factory=dict)
    code: int = 0


def run(command: list[str], folder: Path, holds: int = 0) -> Cost:
    """Run a command to its end; `holds` bytes of its first process are not counted."""
    cost, before = Cost(), resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    watcher = threading.Thread(target=_watch, args=(process, cost, holds))
    watcher.start()
    said = process.communicate()[0]
    watcher.join()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cost.wall = time.perf_counter() - began
    cost.processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    cost.code = process.returncode
    if cost.code:
        print(f"{' '.join(command)} ended with {cost.code}: {said[-500:]}", file=sys.stderr)
    return cost


def _watch(process: subprocess.Popen[str], cost: Cost, holds: int) -> None:
    while process.poll() is None:
        sizes = {pid: _in_memory(pid) for pid in _family(process.pid)}
        sizes[process.pid] = max(0, sizes[process.pid] - holds)
        cost.together = max(cost.together, sum(sizes.values()))
        cost.each |= {pid: max(size, cost.each.get(pid, 0)) for pid, size in sizes.items()}
        time.sleep(_EVERY)


def _family(pid: int) -> Iterator[int]:
    yield pid
    with suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            for child in (thread / "children").read_text().split():
                yield from _family(int(child))


def _in_memory(pid: int) -> int:
    with suppress(OSError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize()
    return 0


def main() -> int:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(MAKES), help="sizes, or azg")
    parser.add_argument("--commands", default="inspect,export,validate")
    parser.add_argument("--holds", type=int, default=8, help="GiB that the program of `api` holds")
    parser.add_argument("--positions", type=int, default=1000, help="on which an export proves")
    options = parser.parse_args()
    worst, own = 0, dict[str, int]()
    print(
        "| checkpoint | command | seconds | processor, s | memory, MB | largest process, MB | above the first, sizes |"
    )
    print("|---|---|---|---|---|---|---|", flush=True)
    for name in dict.fromkeys(["0", *options.only.split(",")]):
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            net = MAKES[name](folder / "net.h5")
            size, said = _weights(name, net), f"{net.stat().st_size / 1e6:.0f} MB"
            said += " (alpha-zero-general)" if name == "azg" else ""
            for command in options.commands.split(","):
                names = {"net": str(net), "out": str(folder / "bundle"), "positions": str(options.positions)}
                line = [sys.executable, "-P", "-m", "azx", *(part.format(**names) for part in COMMANDS[command])]
                if command == "api":
                    line = [sys.executable, "-P", "-c", HOLDER, str(options.holds), str(net), str(folder / "held")]
                cost = run(line, folder, options.holds << 30 if command == "api" else 0)
                worst = worst or cost.code
                first = own.setdefault(command, cost.together)
                above = f"{(cost.together - first) / size:.1f}" if name != "0" else ""
                print(
                    f"| {said} | {command} | {cost.wall:.0f} | {cost.processor:.0f} | {cost.together / 1e6:,.0f} "
                    f"| {max(cost.each.values(), default=0) / 1e6:,.0f} | {above} |",
                    flush=True,
                )
            shutil.rmtree(folder / "bundle", ignore_errors=True)
    return min(worst, 1)


def _weights(name: str, net: Path) -> int:
    """Bytes of the weights alone."""
    return net.stat().st_size // (3 if name == "360" else 1)


if __name__ == "__main__":
    sys.exit(main())
