"""What the comparison of programs costs: processor seconds and memory of each format, for Connect4 and for 120 MB.

    nice -n 15 python -P benchmarks/equivalence.py [--only connect4,120] [--formats onnx,pb] [--keep FOLDER]

The large network is untrained, written by tests/support/large_networks.py: 25 blocks of 256 filters. Each comparison
runs in a process of its own, one after the other, from files that a first process writes (or finds in FOLDER). Seconds
are of the processor, reading the artifact included, reading the checkpoint not. Memory is the most at one moment above
a process that has imported everything and read the checkpoint, in sizes of the artifact.

A table in Markdown goes to standard output. The exit code is 1 if an artifact does not match.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "tests" / "support"))
FORMATS = ("onnx", "pb", "tfjs", "tflite", "coreml")
LARGE_BLOCKS = 25

WRITE = """
import sys
from pathlib import Path
from azx.export.checkpoint.read import read_checkpoint
from azx.export.formats.table import FORMATS
from azx.export.graph.build import build
from azx.export.graph.heads import recognise
from azx.export.network.simplify import simplify
network, name, target = simplify(read_checkpoint(Path(sys.argv[1]))), sys.argv[2], Path(sys.argv[3])
FORMATS[name].write(build(network, recognise(list(network.outputs), "net"), 1), target)
"""
COMPARE = """
import os, resource, sys, threading, time
from pathlib import Path
from azx.export.checkpoint.read import read_checkpoint
from azx.export.graph.heads import recognise
from azx.export.graph.names import input_names
from azx.validate.equivalence import compare
graph, name, path = read_checkpoint(Path(sys.argv[1])), sys.argv[2], Path(sys.argv[3])
for warm in graph.calls:
    for weight in warm.layer.weights.values():
        weight.sum()
heads = recognise(list(graph.outputs), "net")
names = input_names(list(graph.input_shapes), heads)
page, most = os.sysconf("SC_PAGE_SIZE"), [0]
def held():
    return int(Path("/proc/self/statm").read_text().split()[1]) * page
def watch():
    while not done.wait(0.005):
        most[0] = max(most[0], held())
done, before = threading.Event(), held()
threading.Thread(target=watch, daemon=True).start()
began = time.process_time()
outputs, inputs = {head.name: head.source_name for head in heads}, dict(zip(names, graph.input_shapes, strict=True))
verdict = compare(path, name, graph, outputs, inputs)
seconds = time.process_time() - began
done.set()
size = sum(file.stat().st_size for file in ([path] if path.is_file() else path.rglob("*")) if file.is_file())
print(f"{seconds:.2f}|{max(most[0], before) - before}|{size}|{verdict}")
"""


def main() -> int:
    """Measure what is asked for; 1 if an artifact does not match."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="connect4,120", help="networks, by comma")
    parser.add_argument("--formats", default=",".join(FORMATS), help="formats, by comma")
    parser.add_argument("--keep", type=Path, help="where files are written, and taken from if they are there")
    given = parser.parse_args()
    print("| network | format | MB | processor s | memory, in artifacts | verdict |\n|---|---|--:|--:|--:|---|")
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        results = [measure(folder, net, name) for net in given.only.split(",") for name in given.formats.split(",")]
    return 0 if all(results) else 1


def measure(folder: Path, net: str, name: str) -> bool:
    """Print a format's row; whether it matched."""
    checkpoint, target = checkpoint_of(folder, net), folder / f"{net}_{name}"
    if name == "coreml":
        target = target.with_suffix(".mlpackage")
    if not target.exists():
        run(WRITE, checkpoint, name, target)
    seconds, most, size, verdict = run(COMPARE, checkpoint, name, target).strip().splitlines()[-1].split("|", 3)
    artifacts = int(most) / int(size)
    print(f"| {net} | {name} | {int(size) / 1e6:.1f} | {seconds} | {artifacts:.1f} | {verdict} |", flush=True)
    return verdict.startswith("the same calculation")


def checkpoint_of(folder: Path, net: str) -> Path:
    """The network's file, written first if it is the large one."""
    if net != "120":
        return ROOT / "mobile_assets" / "checkpoints" / f"{net}.h5"
    path = folder / "large.h5"
    if not path.is_file():
        import large_networks

        large_networks.residual(path, LARGE_BLOCKS)
    return path


def run(code: str, *arguments: object) -> str:
    """What a process says that runs `code`."""
    command = [sys.executable, "-P", "-c", code, *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    raise SystemExit(main())
