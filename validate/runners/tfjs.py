"""Runs a TF.js graph model with the official packages in Node; without Node, TensorFlow runs what model.json says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .node_process import NodeProcess, arrays_in, pack_feeds
from .runner import Runner, Signature, Tensors
from .tfjs_decoded import TfjsDecodedRunner
from .tfjs_files import ModelFiles, list_misnamed, read_model
from .tfjs_packages import node_ready, packages_folder

_SECONDS_PER_POSITION = 1.0  # the plain cpu backend takes 0.07 for the seed network
_FREE_BATCH = 64


def open_tfjs(path: Path) -> Runner:
    """The runner for a TF.js folder: Node if `node_ready()`, otherwise TensorFlow on the decoded graph."""
    reason = node_ready()
    return TfjsRunner(path) if reason is None else TfjsDecodedRunner(path, reason)


class TfjsRunner(Runner):
    """A TF.js graph model in a Node process that stays open between batches; `backend` is wasm or cpu."""

    in_process = False

    def __init__(self, path: Path, backend: str = "wasm") -> None:
        super().__init__(path)
        self._backend = backend
        self._files: ModelFiles | None = None
        self._node: NodeProcess | None = None

    @property
    def runtime(self) -> str:
        """For example "@tensorflow/tfjs 4.22.0, wasm backend (SIMD), Node 20.20.2"."""
        return str(self._started().started["runtime"])

    def open(self) -> None:
        """Check the files and start Node; raises BundleError if either fails."""
        self._files = read_model(self.path)
        folder = self._files.folder
        self._node = NodeProcess("run.mjs", ("TF.js", str(folder)), folder, packages_folder(), self._backend)

    def close(self) -> None:
        """End the Node process."""
        if self._node is not None:
            self._node.close()
            self._node = None

    def signature(self) -> Signature:
        """Names, shapes and order as model.json states them."""
        if self._files is None:
            raise RuntimeError("TfjsRunner is not open")
        return self._files.signature

    def misnamed(self, nodes: Mapping[str, str]) -> list[str]:
        """Names of the signature whose node is called otherwise: apps may ask for the node."""
        return list_misnamed(self._files) if self._files else []

    def run(self, feeds: Mapping[str, NDArray[Any]]) -> Tensors:
        """Answer N positions in one message: {input: (N, ...)} -> {output: (N, ...)}; Node loops over batches."""
        total = len(next(iter(feeds.values())))
        step = self.signature().inputs[0].shape[0]
        if step is not None and total % step:  # Node takes whole batches: the last row again
            short = -total % step
            feeds = {name: np.concatenate([feed, np.repeat(feed[-1:], short, axis=0)]) for name, feed in feeds.items()}
        answers = self._ask(feeds, step or min(total, _FREE_BATCH))
        return {name: values[:total] for name, values in answers.items()}

    def inner(self, feeds: Mapping[str, NDArray[Any]], nodes: Sequence[str]) -> Tensors:
        """What some nodes of the graph make of N positions, by their names: {input: (N, ...)} -> {node: (N, ...)}."""
        total = len(next(iter(feeds.values())))
        answers = self._ask(feeds, self.signature().inputs[0].shape[0] or min(total, _FREE_BATCH), nodes)
        return {name: values[:total] for name, values in answers.items()}

    def run_batch(self, feeds: Mapping[str, NDArray[Any]]) -> Tensors:
        """Answer one batch: feeds (batch, ...) give (batch, ...) by output."""
        return self._ask(feeds, len(next(iter(feeds.values()))))

    def bench(self, feeds: Mapping[str, NDArray[Any]], warmup: int = 20, repeats: int = 100) -> list[float]:
        """Milliseconds a batch, `repeats` of them, timed inside Node around feeding, running and reading back."""
        header, payload = self._request("bench", feeds, self.signature().inputs[0].shape[0] or 1)
        header |= {"warmup": warmup, "repeats": repeats}
        reply, _ = self._started().ask(header, payload, (warmup + repeats) * _SECONDS_PER_POSITION)
        return [float(value) for value in reply["milliseconds"]]

    def _ask(self, feeds: Mapping[str, NDArray[Any]], step: int, nodes: Sequence[str] | None = None) -> Tensors:
        """Run the feeds (N, ...) in batches of `step`; the reply's arrays follow each other, little-endian."""
        header, payload = self._request("run", feeds, step)
        if nodes is not None:
            header["outputs"] = list(nodes)
        total = len(next(iter(feeds.values())))
        reply, data = self._started().ask(header, payload, total * _SECONDS_PER_POSITION)
        return arrays_in(reply, data)

    def _request(self, operation: str, feeds: Mapping[str, NDArray[Any]], step: int) -> tuple[dict[str, Any], bytes]:
        """Header and payload of a request for `feeds` (N, ...)."""
        inputs, payload = pack_feeds(self.signature().inputs, feeds)
        outputs = [port.name for port in self.signature().outputs]
        return {"op": operation, "step": step, "inputs": inputs, "outputs": outputs}, payload

    def _started(self) -> NodeProcess:
        if self._node is None:
            raise RuntimeError("TfjsRunner is not open")
        return self._node
