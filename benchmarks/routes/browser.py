"""Times TF.js in Node on wasm: the artifact of azx and, if it runs, the official one."""

from __future__ import annotations

import json
import statistics
from pathlib import Path
from typing import Any

from azx.errors import AzxError
from azx.validate.runners.tfjs import TfjsRunner
from azx.validate.runners.tfjs_packages import node_ready
from benchmarks.routes.latency import board

WARMUP, CALLS = 50, 300


def measure(ours: Path, theirs: Path) -> dict[str, Any]:
    """Milliseconds and nodes of each artifact, or why it does not run. Without Node, only the reason."""
    if reason := node_ready():
        return {"skipped": reason}
    return {side: _one(path) for side, path in (("azx", ours), ("official", theirs))}


def _one(path: Path) -> dict[str, Any]:
    """The figures of one graph model: its fastest and its median call."""
    document = json.loads((path / "model.json").read_text(encoding="utf8"))
    nodes = len(document["modelTopology"]["node"])
    try:
        with TfjsRunner(path) as runner:
            feeds = {port.name: board(port.shape) for port in runner.signature().inputs}
            times = runner.bench(feeds, WARMUP, CALLS)
            return {"ms": min(times), "median_ms": statistics.median(times), "nodes": nodes, "runtime": runner.runtime}
    except AzxError as error:
        return {"failure": str(error).replace(str(path), path.name), "nodes": nodes}
