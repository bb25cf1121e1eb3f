"""A .tflite in LiteRT.js, the official package in Node, as the web app runs it in a browser."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import BundleError, NotRunHere, Refused
from .litert import SIGNATURE
from .node_process import NodeProcess, arrays_in, pack_feeds
from .runner import Port, Runner, Signature, Tensors
from .tfjs_packages import litert_ready, packages_folder

_SECONDS_PER_POSITION = 1.0  # the shipped networks take 0.001 to 0.02


class LiteRTJSRunner(Runner):
    """A .tflite in a Node process that stays open between batches; it has one thread."""

    in_process = False

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._node: NodeProcess | None = None

    @property
    def runtime(self) -> str:
        """For example "@litertjs/core 2.5.3, wasm (relaxed SIMD), 1 thread, Node 20.20.2"."""
        return str(self._started().started["runtime"])

    def open(self) -> None:
        """Start Node with the file; NotRunHere if Node or the package is missing, BundleError for a damaged file."""
        lacking = litert_ready()
        if lacking is not None:
            raise NotRunHere(lacking)
        if not self.path.is_file():
            raise BundleError(f"'{self.path.name}' is not there: export it again.")
        self._node = NodeProcess("litert.mjs", ("LiteRT.js", f"'{self.path.name}'"), self.path, packages_folder())

    def close(self) -> None:
        """End the Node process."""
        if self._node is not None:
            self._node.close()
            self._node = None

    def signature(self) -> Signature:
        """Names, shapes and order as `serving_default` states them; Refused if the file has another signature."""
        said = self._started().started
        if said["signature"] != SIGNATURE:
            raise Refused(f"it has no signature '{SIGNATURE}'")
        return Signature(tuple(map(_port, said["inputs"])), tuple(map(_port, said["outputs"])))

    def run(self, feeds: Mapping[str, NDArray[Any]]) -> Tensors:
        """Answer N positions in one message: {input: (N, ...)} -> {output: (N, ...)}; Node loops over batches.

        NotRunHere if the file leaves its batch free: LiteRT.js runs it with the size that it was converted with.
        """
        total = len(next(iter(feeds.values())))
        step = self.signature().inputs[0].shape[0]
        if step is None:
            raise NotRunHere("LiteRT.js runs no file with a free batch: export it with --batch 1")
        short = -total % step
        if short:  # Node takes whole batches: the last row again
            feeds = {name: np.concatenate([feed, np.repeat(feed[-1:], short, axis=0)]) for name, feed in feeds.items()}
        return {name: values[:total] for name, values in self.run_batch(feeds).items()}

    def run_batch(self, feeds: Mapping[str, NDArray[Any]]) -> Tensors:
        """Answer whole batches: feeds (N, ...) give (N, ...) by output."""
        inputs, payload = pack_feeds(self.signature().inputs, feeds)
        seconds = len(next(iter(feeds.values()))) * _SECONDS_PER_POSITION
        reply, data = self._started().ask({"op": "run", "inputs": inputs}, payload, seconds)
        return arrays_in(reply, data)

    def bench(self, feeds: Mapping[str, NDArray[Any]], warmup: int = 20, repeats: int = 100) -> list[float]:
        """Milliseconds a batch, `repeats` of them, timed inside Node around feeding, running and reading back."""
        inputs, payload = pack_feeds(self.signature().inputs, feeds)
        header = {"op": "bench", "warmup": warmup, "repeats": repeats, "inputs": inputs}
        reply, _ = self._started().ask(header, payload, (warmup + repeats) * _SECONDS_PER_POSITION)
        return [float(value) for value in reply["milliseconds"]]

    def _started(self) -> NodeProcess:
        if self._node is None:
            raise RuntimeError("LiteRTJSRunner is not open")
        return self._node


def _port(said: Mapping[str, Any]) -> Port:
    return Port(str(said["name"]), tuple(None if size < 0 else int(size) for size in said["shape"]), str(said["dtype"]))
