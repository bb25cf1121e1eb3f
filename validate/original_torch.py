"""Runs an original that is a PyTorch module: PyTorch answers with the user's module and the file's weights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import CheckpointError, first_line
from ..export.checkpoint.foreign.torch_module import answer_of, build_module
from ..export.checkpoint.foreign.weights import arrays_in
from ..export.checkpoint.layer_graph import LayerGraph
from .answers import Answers

# The number of positions per call of PyTorch.
BATCH = 256


def run_torch(graph: LayerGraph, feeds: Mapping[str, NDArray[Any]]) -> Answers:
    """Let PyTorch answer N positions, `feeds` (N, *shape) by input, in float32; CheckpointError if it does not."""
    source = graph.source
    arrays = arrays_in(source.path)
    if arrays is None or source.builder is None:
        raise CheckpointError(f"'{source.path}' is not the file of weights that it was: copy it again.")
    shape = graph.inputs[0].shape
    made = build_module(arrays, source.path, source.builder, (shape[-2], shape[-1]) if len(shape) > 1 else None)
    (boards,) = feeds.values()
    try:
        parts = [
            answer_of(made.module, np.asarray(boards[at : at + BATCH], np.float32))
            for at in range(0, len(boards), BATCH)
        ]
    except Exception as error:  # PyTorch passes on any error of a layer
        raise CheckpointError(
            f"'{source.path}' does not run in PyTorch ({first_line(error)[:200]}): give the network as ONNX."
        ) from error
    names = [head.source_name for head in graph.outputs]
    outputs = {name: np.concatenate([part[name] for part in parts]).astype(np.float32) for name in names}
    return Answers(
        f"PyTorch {made.version}",
        {name: each.reshape(len(each), *(each.shape[1:] or (1,))) for name, each in outputs.items()},
    )
