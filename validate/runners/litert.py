"""A .tflite in LiteRT with one thread, as a phone's app runs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import BundleError, Refused, first_line
from .runner import Answer, Port, Runner, Signature, Tensors, in_words

SIGNATURE = "serving_default"


class LiteRTRunner(Runner):
    """Feeds and fetches by tensor name; the order is that of the file's tensors."""

    format = "tflite"

    @property
    def runtime(self) -> str:
        """LiteRT's version; and XNNPACK, if LiteRT has given it layers of an opened file."""
        parts = [f"ai-edge-litert {version('ai-edge-litert')}", *(["XNNPACK"] if self._delegates() else [])]
        return ", ".join([*parts, in_words(self.threads)])

    def _delegates(self) -> bool:
        """Whether the interpreter has a node of a delegate; False if it does not list its nodes."""
        details = getattr(getattr(self, "_interpreter", None), "_get_ops_details", list)
        return any(node.get("op_name") == "DELEGATE" for node in details())

    def open(self) -> None:
        """Load the file; BundleError if LiteRT cannot."""
        from ai_edge_litert.interpreter import Interpreter

        try:
            self._interpreter = Interpreter(str(self.path), num_threads=self.threads)
        except (ValueError, RuntimeError) as error:
            raise BundleError(f"'{self.path.name}' is not a TFLite file that LiteRT loads: export it again.") from error
        try:
            self._interpreter.allocate_tensors()
        except (ValueError, RuntimeError) as error:
            raise Refused(f"LiteRT does not run it ({first_line(error)})") from error
        self._batch: int | None = None

    def signature(self) -> Signature:
        """Tensor names in the file's order, checked against the names of `serving_default`."""
        inputs, outputs = self._interpreter.get_input_details(), self._interpreter.get_output_details()
        listed = self._interpreter.get_signature_list().get(SIGNATURE)
        if listed is None:
            raise Refused(f"it has no signature '{SIGNATURE}'")
        for kind, details in (("inputs", inputs), ("outputs", outputs)):
            tensors = sorted(detail["name"] for detail in details)
            if sorted(listed[kind]) != tensors:
                raise Refused(f"the signature's {kind} are {sorted(listed[kind])} and the tensors {tensors}")
        return Signature(tuple(map(_port, inputs)), tuple(map(_port, outputs)))

    def list_misnamed_nodes(self, nodes: Mapping[str, str]) -> list[str]:
        """Names that the signature gives to a tensor with another name."""
        signed = self._interpreter.get_signature_runner(SIGNATURE)
        details = {**signed.get_input_details(), **signed.get_output_details()}
        return [
            f"the signature's '{name}' is the tensor '{detail['name']}'"
            for name, detail in details.items()
            if detail["name"] != name
        ]

    def other_ways(self, nodes: Mapping[str, str]) -> Sequence[tuple[str, Answer]]:
        """The signature, which apps with the newer interface use; it may name another subgraph than the first."""
        from ai_edge_litert.interpreter import Interpreter

        # A separate interpreter: one that a signature uses cannot resize tensors by index.
        signed = Interpreter(str(self.path), num_threads=self.threads).get_signature_runner(SIGNATURE)
        return [("by its signature", lambda feeds: dict(signed(**feeds)))]

    def run_batch(self, feeds: Mapping[str, NDArray[Any]]) -> Tensors:
        """Set, invoke, get: feeds (batch, ...) give (batch, ...) by output; a free batch is resized to the feeds."""
        interpreter = self._interpreter
        details = {detail["name"]: detail["index"] for detail in interpreter.get_input_details()}
        rows = len(next(iter(feeds.values())))
        batch = _port(interpreter.get_input_details()[0]).shape[0]
        # A free batch keeps the size of the last feeds; allocating again costs more than a run.
        if batch is None and rows != self._batch:
            for name, value in feeds.items():
                interpreter.resize_tensor_input(details[name], value.shape)
            interpreter.allocate_tensors()
            self._batch = rows
        for name, value in feeds.items():
            interpreter.set_tensor(details[name], value)
        interpreter.invoke()
        return {detail["name"]: interpreter.get_tensor(detail["index"]) for detail in interpreter.get_output_details()}


def _port(detail: dict[str, Any]) -> Port:
    shape = tuple(None if size < 0 else int(size) for size in detail["shape_signature"])
    return Port(str(detail["name"]), shape, np.dtype(detail["dtype"]).name)
