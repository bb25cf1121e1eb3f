"""Runs a checkpoint itself in the float64 witness in NumPy, for play without TensorFlow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...export.checkpoint.head import Head
from ...export.checkpoint.layer_graph import LayerGraph
from ...export.graph.frozen import Port
from ..witness.evaluate import evaluate
from .runner import Runner, Signature, Tensors


class WitnessRunner(Runner):
    """Needs only NumPy, accepts any batch, and is exact but slow compared with a runtime.

    `heads` are the outputs to answer, under their names. The first answer raises UnsupportedLayer if the witness has no
    rule for a layer.
    """

    format = None

    stands_in = True

    def __init__(self, graph: LayerGraph, heads: Sequence[Head]) -> None:
        super().__init__(graph.source.path)
        self._graph, self._heads = graph, heads

    @property
    def runtime(self) -> str:
        """The name of the witness, with NumPy's version."""
        return f"float64 witness, NumPy {np.__version__}"

    def open(self) -> None:
        """Do nothing: the weights are in memory already."""

    def signature(self) -> Signature:
        """The checkpoint's inputs under their own names, with a free batch in front of their shapes."""
        inputs = tuple(Port(one.name, (None, *one.shape), one.dtype, one.name) for one in self._graph.inputs)
        outputs = tuple(Port(head.name, (None, *head.shape), "float64", head.source_name) for head in self._heads)
        return Signature(inputs, outputs)

    def run_batch(self, feeds: Mapping[str, NDArray[Any]]) -> Tensors:
        """Answer N positions: {input: (N, ...)} -> {output: (N, ...)} float64."""
        answers = evaluate(self._graph, feeds)
        return {head.name: answers[head.source_name] for head in self._heads}
