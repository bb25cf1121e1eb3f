"""A TF.js model's tensors: the official packages in Node return inner nodes like outputs."""

from __future__ import annotations

from pathlib import Path

from ...errors import NotRunHere
from ...validate.runners.tfjs import TfjsRunner
from ...validate.runners.tfjs_files import read_model
from ...validate.runners.tfjs_packages import node_ready
from .tap import Feeds, Tap, taps_by_position

_MOVES = frozenset({"Transpose", "Reshape", "Squeeze", "ExpandDims", "Identity"})


def taps(path: Path, feeds: Feeds) -> tuple[str, list[Tap]]:
    """The runtime, and every node's result; NotRunHere without Node, because TensorFlow would undo TF.js' fusions."""
    reason = node_ready()
    if reason is not None:
        raise NotRunHere(f"TF.js' inner tensors can be read only in Node ({reason})")
    nodes = [
        node
        for node in read_model(path).document["modelTopology"]["node"]
        if node["op"] not in ("Const", "Placeholder")
    ]
    with TfjsRunner(path) as runner:
        values = runner.inner(feeds, [node["name"] for node in nodes])
        runtime = runner.runtime
    result = [Tap(node["name"], (node["name"],), values[node["name"]], node["op"] in _MOVES) for node in nodes]
    return runtime, taps_by_position(result, len(next(iter(feeds.values()))))
