"""Runs a TF.js graph model with the official packages in Node; without Node, TensorFlow runs model.json's graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from .node_process import NodeProcess, NodeRunner
from .runner import Answer, Runner, Tensors
from .tfjs_decoded import TfjsDecodedRunner
from .tfjs_files import FilesRunner, read_model
from .tfjs_packages import node_ready, packages_folder
from .tfjs_rows import shapes_of_the_batch

# The positions per call; more are not faster.
_TOGETHER = 32


def open_tfjs(path: Path) -> Runner:
    """The runner for a TF.js folder: Node if `node_ready()` allows it, otherwise TensorFlow on the decoded graph."""
    reason = node_ready()
    return TfjsRunner(path) if reason is None else TfjsDecodedRunner(path, reason)


class TfjsRunner(NodeRunner, FilesRunner):
    """A TF.js graph model in a Node process: "@tensorflow/tfjs 4.22.0, wasm backend (SIMD), Node 20.20.2".

    `backend` is wasm or cpu.
    """

    def __init__(self, path: Path, backend: str = "wasm") -> None:
        super().__init__(path)
        self._backend = backend

    def open(self) -> None:
        """Check the files and start Node; raises BundleError if either fails."""
        self._files = read_model(self.path)
        folder = self._files.folder
        self._node = NodeProcess("run.mjs", ("TF.js", str(folder)), folder, packages_folder(), self._backend)

    def together(self) -> Answer | None:
        """The graph with a free batch, in the same process; it takes two thirds of the time."""
        shapes = shapes_of_the_batch(self.files)
        if shapes is None:
            return None
        return lambda feeds: self.ask(feeds, _TOGETHER, header={"op": "together", "shapes": shapes})

    def other_ways(self, nodes: Mapping[str, str]) -> Sequence[tuple[str, Answer]]:
        """`predict`, which apps call without naming outputs; `run_batch` calls `execute` with their names."""

        def answer(feeds: Mapping[str, NDArray[Any]]) -> Tensors:
            return self.ask(feeds, len(next(iter(feeds.values()))), header={"op": "predict"})

        return [("by predict", answer)]

    def inner(self, feeds: Mapping[str, NDArray[Any]], nodes: Sequence[str]) -> Tensors:
        """The results of some nodes for N positions, by name: {input: (N, ...)} -> {node: (N, ...)}."""
        total = len(next(iter(feeds.values())))
        return {name: values[:total] for name, values in self.ask(feeds, self.step(total), nodes).items()}
