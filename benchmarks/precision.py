"""Every network in every format and precision: size, errors, best moves, latency beside float32.

    python benchmarks/precision.py connect4 go --format tflite,onnx

Without names the shipped networks. A network is exported in one format at a time, with --keep-failing, so that the
table includes failures. Then its artifacts answer in turn, position by position, in one run. So the ratios of their
processor time hold on a busy machine. Latency is measured where the runtime is the one of a device (TFLite, ONNX); Core
ML's needs a device, TF.js' a browser. What was measured lies in build/precision/, a file for each network and format,
and is not measured again: --anew does. A table in Markdown goes to standard output.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from azx import export_checkpoint
from azx.bundle.contents.manifest import read_manifest
from azx.export.checkpoint.located import shipped_names
from azx.export.formats.precisions.precision import FP32, PRECISIONS
from azx.export.formats.table import FORMATS
from azx.validate.gate.verdict import BEST_MOVE, KL_P99, WIN_RATE_MAX, WIN_RATE_P99, format_figure

TIMED = ("tflite", "onnx")
# In turns, so that what else the machine does falls on all alike.
TURNS, EACH = 60, 5
COLUMNS = (
    "network", "format", "precision", "KB", "of fp32", "win rate p99", "largest", "KL p99", "best move", "latency",
    "in float", "verdict",
)  # fmt: skip
PLACE = Path("build/precision")


def main() -> None:
    """Export, time, print a row for each artifact."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("networks", nargs="*", help="Shipped names or files; default: the shipped ones.")
    options.add_argument("--format", default="tflite,onnx,tfjs,coreml")
    options.add_argument("--anew", action="store_true", help="Measure again what was measured before.")
    given = options.parse_args()
    print(f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}", flush=True)
    for network in given.networks or shipped_names():
        for name in given.format.split(","):
            file = PLACE / f"{Path(network).stem}.{name}.json"
            if given.anew or not file.exists():
                measured = measure(network, name)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(json.dumps(measured, indent=1, ensure_ascii=False) + "\n", encoding="utf8")
            for row in json.loads(file.read_text(encoding="utf8")):
                print(f"| {' | '.join(row)} |", flush=True)


def measure(network: str, format_name: str) -> list[list[str]]:
    """The rows of one network in one format."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "bundle"
        entry = FORMATS[format_name]
        # Of all but the others: what a network is too small for is then left out, and no error.
        others = [other.name for other in FORMATS.values() if other is not entry and not other.experimental]
        export_checkpoint(
            network, output=folder, without=others, precision=entry.precisions, keep_failing=True, noted=False
        )
        return rows(Path(network).stem, folder)


def rows(network: str, folder: Path) -> list[list[str]]:
    """The artifacts of a bundle, a row each, float32 first in its format."""
    bundle = read_manifest(folder)
    manifest = bundle.as_data()
    parity = json.loads((folder / "parity.json").read_text(encoding="utf8"))
    proofs = {item["file"]: item for item in parity["artifacts"]}
    order = [(name, precision) for name in FORMATS for precision in PRECISIONS]
    listed = sorted(manifest["artifacts"], key=lambda item: order.index((item["format"], item["precision"])))
    sizes = {item["path"]: bundle.size_of(item["path"]) for item in listed}
    exact = {item["format"]: item["path"] for item in listed if item["precision"] == FP32}
    times = latencies(folder, [item for item in listed if item["format"] in TIMED])
    lines = []
    for item in listed:
        path, first = item["path"], exact[item["format"]]
        checks = (proofs[path].get("gate") or {}).get("checks", [])
        errors = [both(checks, metric) for metric in (WIN_RATE_P99, WIN_RATE_MAX, KL_P99, BEST_MOVE)]
        latency = f"{times[path] / times[first]:.2f}" if path in times and path != first else ""
        verdict = "equal" if item["precision"] == FP32 else "inside" if item["gate"]["passed"] else "**outside**"
        cells = [network, FORMATS[item["format"]].title, item["precision"], f"{sizes[path] / 1000:,.0f}"]
        cells += [f"{sizes[path] / sizes[first]:.2f}", *errors, latency]
        lines.append([*cells, str(len(item.get("float_layers") or [])) if checks else "", verdict])
    return lines


def both(checks: list[dict[str, Any]], metric: str) -> str:
    """A figure on positions of self-play and on random legal ones."""
    values = [check["value"] for check in checks if check["metric"] == metric]
    return " / ".join("-" if value is None else format_figure(metric, value) for value in values)


def latencies(folder: Path, artifacts: list[dict[str, Any]]) -> dict[str, float]:
    """The median processor seconds of a position, one at a time, for each artifact: all in turns in this process."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf8"))
    golden = json.loads((folder / "golden.json").read_text(encoding="utf8"))["positions"]
    shapes = {spec["name"]: spec["shape"] for spec in manifest["inputs"]}
    feeds = [
        {name: np.array(row["inputs"][name], np.float32).reshape(1, *shape) for name, shape in shapes.items()}
        for row in golden
    ]
    taken: dict[str, list[float]] = {item["path"]: [] for item in artifacts}
    with ExitStack() as stack:
        runners = {
            item["path"]: stack.enter_context(FORMATS[item["format"]].open(folder / item["path"])) for item in artifacts
        }
        for turn in range(TURNS):
            for path, runner in runners.items():
                for at in range(EACH):
                    began = time.process_time()
                    runner.run(feeds[(turn + at) % len(feeds)])
                    taken[path].append(time.process_time() - began)
    return {path: float(np.median(seconds)) for path, seconds in taken.items()}


if __name__ == "__main__":
    main()
