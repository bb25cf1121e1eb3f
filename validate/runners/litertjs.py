"""A .tflite in LiteRT.js, the official package in Node, as the web app runs it in a browser."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from ...errors import BundleError, NotRunHere, Refused
from .litert import SIGNATURE
from .node_process import NodeProcess, NodeRunner
from .runner import Port, Signature, Tensors
from .tfjs_packages import litert_ready, packages_folder


class LiteRTJSRunner(NodeRunner):
    """A .tflite in a Node process: "@litertjs/core 2.5.3, wasm (relaxed SIMD), 1 thread, Node 20.20.2"."""

    format = "tflite"

    def open(self) -> None:
        """Start Node with the file; NotRunHere if Node or the package is missing, BundleError for a damaged file."""
        lacking = litert_ready()
        if lacking is not None:
            raise NotRunHere(lacking)
        if not self.path.is_file():
            raise BundleError(f"'{self.path.name}' is not there: export it again.")
        self._node = NodeProcess("litert.mjs", ("LiteRT.js", f"'{self.path.name}'"), self.path, packages_folder())

    def signature(self) -> Signature:
        """Names, shapes and order from `serving_default`; Refused if the file has another signature."""
        said = self.node.started
        if said["signature"] != SIGNATURE:
            raise Refused(f"it has no signature '{SIGNATURE}'")
        return Signature(tuple(map(_port, said["inputs"])), tuple(map(_port, said["outputs"])))

    def run(self, feeds: Mapping[str, NDArray[Any]]) -> Tensors:
        """Answer N positions in one message: {input: (N, ...)} -> {output: (N, ...)}.

        NotRunHere if the file has a free batch: LiteRT.js runs it only with the size at its conversion.
        """
        if self.signature().inputs[0].shape[0] is None:
            raise NotRunHere("LiteRT.js runs no file with a free batch: export it with --batch 1")
        return super().run(feeds)


def _port(said: Mapping[str, Any]) -> Port:
    return Port(str(said["name"]), tuple(None if size < 0 else int(size) for size in said["shape"]), str(said["dtype"]))
