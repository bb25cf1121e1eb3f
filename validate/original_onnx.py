"""Runs an original that is an ONNX model: ONNX Runtime answers with the user's file, which is checked first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import AzxError, CheckpointError, first_line
from ..export.checkpoint.layer_graph import LayerGraph
from ..export.checkpoint.onnx.model import read_onnx
from ..system.temporary import temporary_folder
from .answers import Answers
from .runners.onnx_runtime import OnnxRuntimeRunner

# The number of positions per call for a file with a free batch.
BATCH = 256


def run_onnx(graph: LayerGraph, feeds: Mapping[str, NDArray[Any]]) -> Answers:
    """Let ONNX Runtime answer N positions, `feeds` (N, *shape) by input, in float32.

    CheckpointError if the file does more than calculate, or ONNX Runtime does not run it.
    """
    path = graph.source.path
    with _whole(path) as file:
        try:
            with OnnxRuntimeRunner(file) as runner:
                signature = runner.signature()
                batch = signature.inputs[0].shape[0] or min(BATCH, len(next(iter(feeds.values()))))
                typed = {port.name: np.asarray(feeds[port.name], port.dtype) for port in signature.inputs}
                names = [head.source_name for head in graph.outputs]
                parts = [runner.run_batch(part) for part in _batches(typed, batch)]
                runtime = runner.runtime
        except AzxError as error:
            raise CheckpointError(f"'{path}' cannot be asked: {str(error).replace(str(file), path.name)}") from error
        except Exception as error:  # onnxruntime's exceptions have no common base
            raise CheckpointError(
                f"'{path}' does not run in ONNX Runtime ({first_line(error)[:200]}): export it again."
            ) from error
    total = len(next(iter(feeds.values())))
    outputs = {}
    for name in names:
        whole = np.concatenate([np.asarray(part[name], np.float32) for part in parts])
        outputs[name] = whole.reshape(len(whole), *(whole.shape[1:] or (1,)))[:total]
    return Answers(runtime, outputs)


def _batches(feeds: Mapping[str, NDArray[Any]], batch: int) -> Iterator[dict[str, NDArray[Any]]]:
    """The positions, `batch` at a time; the last one is repeated until the last batch is full."""
    total = len(next(iter(feeds.values())))
    for start in range(0, total, batch):
        rows = np.minimum(np.arange(start, start + batch), total - 1)
        yield {name: feed[rows] for name, feed in feeds.items()}


@contextmanager
def _whole(path: Path) -> Iterator[Path]:
    """The file itself, or a copy that includes the values beside it, so that no runtime opens another file."""
    if not read_onnx(path).external:
        yield path
        return
    import onnx

    with temporary_folder("onnx") as folder:
        copy = Path(folder, path.name)
        onnx.save_model(onnx.load(path), copy)
        yield copy
