"""The reference: the original checkpoint in Keras, ONNX Runtime, TensorFlow or PyTorch, never in azx's graph."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import CheckpointError, first_line
from ..export.checkpoint.layer_graph import FROZEN, META, ONNX, TORCH, LayerGraph
from ..export.original.adapted import flat_outputs, pack_inputs
from ..export.original.live import LiveModel, family_of
from ..export.original.loader import load
from .answers import Answers
from .runners.runner import repeat_last

Feeds = Mapping[str, NDArray[Any]]
# The number of positions per call of Keras.
BATCH = 256
BY_XLA = "compiled by XLA, because TensorFlow cannot run a layer of it one by one on this machine"


class ReferenceUnavailable(CheckpointError):  # noqa: N818 - named as its siblings in errors.py
    """Keras loads the checkpoint but cannot run it on this machine: only the witness can judge."""


def run_reference(graph: LayerGraph, feeds: Feeds) -> Answers:
    """Let Keras answer N positions, in float32; or ONNX Runtime, TensorFlow or PyTorch, as the source requires.

    `feeds` has (N, *shape) for each `InputSpec.name`. Raises CheckpointError if no Keras here can load the checkpoint,
    ReferenceUnavailable if it cannot run it on this machine.
    """
    if graph.source.kind == ONNX:
        from .original_onnx import run_onnx

        return run_onnx(graph, feeds)
    if graph.source.kind == TORCH:
        from .original_torch import run_torch

        return run_torch(graph, feeds)
    if graph.source.kind in (FROZEN, META):
        from .original_graph import run_graph

        with without_remapping():
            return run_graph(graph, feeds)
    loaded = load(graph.source)
    with without_remapping():
        outputs, notes = _answer_by_first(graph, loaded.model, feeds)
    return Answers(loaded.runtime, outputs, (*loaded.notes, *notes))


def run_live(graph: LayerGraph, model: LiveModel, feeds: Feeds) -> Answers:
    """Let a model in memory answer N positions, in this process and layer by layer; otherwise like `run_reference`."""
    family = sys.modules[str(family_of(model))]
    named, numbers = f"{family.__name__} {family.__version__}", np.asarray
    if family.__name__ == "keras":
        named, numbers = f"{named} on {family.backend.backend()}", family.ops.convert_to_numpy
    try:
        return Answers(named, _answer_all(graph, feeds, lambda inputs: _answer(graph, model, model, inputs, numbers)))
    except Exception as error:  # Keras passes on any error of a layer
        raise CheckpointError(
            f"{graph.source.name} does not answer its own positions ({first_line(error)}): give positions with inputs=."
        ) from error


def _answer_all(
    graph: LayerGraph, feeds: Feeds, answer: Callable[[list[NDArray[Any]]], list[NDArray[np.float32]]]
) -> dict[str, NDArray[Any]]:
    """The outputs by name, (N, ...), with a fixed number of positions per call of Keras.

    The number is fixed because XLA compiles the model for each number of positions: the last position is repeated.
    """
    total = len(next(iter(feeds.values())))
    step = -(-total // -(-total // BATCH))
    whole = repeat_last(feeds, -total % step)
    parts = [answer(_inputs(graph, whole, slice(at, at + step))) for at in range(0, total, step)]
    heads = enumerate(graph.outputs)
    return {head.source_name: np.concatenate([part[at] for part in parts])[:total] for at, head in heads}


@contextmanager
def without_remapping() -> Iterator[None]:
    """Switch Grappler's remapper off: with oneDNN it calculates Conv2D+BiasAdd+Add+LeakyRelu with another slope."""
    import tensorflow as tf

    before = tf.config.optimizer.get_experimental_options().get("remapping", True)
    tf.config.optimizer.set_experimental_options({"remapping": False})
    try:
        yield
    finally:
        tf.config.optimizer.set_experimental_options({"remapping": before})


def _answer(
    graph: LayerGraph, model: Any, call: Any, inputs: Sequence[NDArray[Any]], numbers: Callable[..., Any] = np.asarray
) -> list[NDArray[np.float32]]:
    """The model's outputs, float32 (N, ...), in the file's order; `call` is the model or a compiled form of it."""
    config = graph.source.config
    answer = call(pack_inputs(config, model, inputs), training=False)
    return [np.asarray(numbers(output), dtype=np.float32) for output in flat_outputs(config, answer)]


def _answer_by_first(graph: LayerGraph, model: Any, feeds: Feeds) -> tuple[dict[str, NDArray[Any]], tuple[str, ...]]:
    """The model's answers, run layer by layer without a graph optimizer, or else compiled by XLA.

    The second is for machines on which a kernel of TensorFlow lacks channels_first; a note then says so.
    """
    import tensorflow as tf

    missing = (tf.errors.UnimplementedError, tf.errors.InvalidArgumentError, tf.errors.NotFoundError)
    error = None
    for call, notes in ((model, ()), (tf.function(model, jit_compile=True), (BY_XLA,))):
        try:
            return _answer_all(graph, feeds, partial(_answer, graph, model, call)), notes
        except missing as reason:
            error = error or reason
    raise ReferenceUnavailable(
        f"'{graph.source.path}': Keras cannot run the network on this machine "
        f"({str(error).splitlines()[0][:160].rstrip('.')}): compare only with the float64 witness."
    ) from error


def _inputs(graph: LayerGraph, feeds: Feeds, rows: slice) -> list[NDArray[Any]]:
    """Some rows of each feed (N, *shape) in the input's dtype; half floats are float32, which the model casts."""
    dtypes = ["float32" if spec.dtype in ("float16", "bfloat16") else spec.dtype for spec in graph.inputs]
    return [np.asarray(feeds[spec.name][rows], dtype) for spec, dtype in zip(graph.inputs, dtypes, strict=True)]
