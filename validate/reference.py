"""The reference: Keras itself running the original checkpoint, never a graph of ours."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ..errors import CheckpointError, first_line
from ..export.checkpoint.layer_graph import LayerGraph
from ..export.original.adapted import flat_outputs, packed_inputs
from ..export.original.live import LiveModel, family_of
from ..export.original.loader import load

# Positions given to Keras together.
BATCH = 256
BY_XLA = "compiled by XLA, because TensorFlow cannot run a layer of it one by one on this machine"


class ReferenceUnavailable(CheckpointError):  # noqa: N818 - named as its siblings in errors.py
    """Keras loads the checkpoint but cannot run it on this machine: only the witness can judge."""


@dataclass(frozen=True)
class Reference:
    """What Keras answered: (N, ...) float32 for each output by its `source_name`, in the model's order.

    `runtime` names Keras and TensorFlow with their versions; `notes` says, a clause each, what was
    done otherwise than by the book.
    """

    outputs: dict[str, NDArray[np.float32]]
    runtime: str
    notes: tuple[str, ...] = ()


def run_reference(graph: LayerGraph, feeds: Mapping[str, NDArray[Any]]) -> Reference:
    """Let Keras answer N positions.

    `feeds` has (N, *shape) for each `InputSpec.name`. Raises CheckpointError if no Keras here
    can load the checkpoint, ReferenceUnavailable if it cannot run it on this machine.
    """
    loaded = load(graph.source)
    total = len(next(iter(feeds.values())))
    with without_remapping():
        call, notes = _runnable(graph, loaded.model, feeds)
        batches = (_inputs(graph, feeds, slice(at, at + BATCH)) for at in range(0, total, BATCH))
        parts = [_answer(graph, loaded.model, call, inputs) for inputs in batches]
    names = [head.source_name for head in graph.outputs]
    outputs = {name: np.concatenate([part[index] for part in parts]) for index, name in enumerate(names)}
    return Reference(outputs, loaded.runtime, (*loaded.notes, *notes))


def run_live(graph: LayerGraph, model: LiveModel, feeds: Mapping[str, NDArray[Any]]) -> Reference:
    """Let a model in memory answer N positions, in this process and layer by layer; otherwise as `run_reference`."""
    family = sys.modules[str(family_of(model))]
    named, numbers = f"{family.__name__} {family.__version__}", np.asarray
    if family.__name__ == "keras":
        named, numbers = f"{named} on {family.backend.backend()}", family.ops.convert_to_numpy
    total = len(next(iter(feeds.values())))
    config = graph.source.config
    parts = []
    try:
        for at in range(0, total, BATCH):
            given = packed_inputs(config, model, _inputs(graph, feeds, slice(at, at + BATCH)))
            answer = flat_outputs(config, cast(Any, model)(given, training=False))
            parts.append([np.asarray(numbers(output), dtype=np.float32) for output in answer])
    except Exception as error:  # Keras raises whatever its layers raise
        raise CheckpointError(
            f"{graph.source.name} does not answer its own positions ({first_line(error)}): give positions with inputs=."
        ) from error
    names = [head.source_name for head in graph.outputs]
    return Reference({name: np.concatenate([part[i] for part in parts]) for i, name in enumerate(names)}, named)


@contextmanager
def without_remapping() -> Iterator[None]:
    """Grappler's remapper off: with oneDNN it computes Conv2D+BiasAdd+Add+LeakyRelu with another slope."""
    import tensorflow as tf

    before = tf.config.optimizer.get_experimental_options().get("remapping", True)
    tf.config.optimizer.set_experimental_options({"remapping": False})
    try:
        yield
    finally:
        tf.config.optimizer.set_experimental_options({"remapping": before})


def _answer(graph: LayerGraph, model: Any, call: Any, inputs: Sequence[NDArray[Any]]) -> list[NDArray[np.float32]]:
    """The model's outputs, float32 (N, ...), in the file's order; `call` is the model or a compiled form of it."""
    config = graph.source.config
    answer = call(packed_inputs(config, model, inputs), training=False)
    return [np.asarray(output, dtype=np.float32) for output in flat_outputs(config, answer)]


def _runnable(graph: LayerGraph, model: Any, feeds: Mapping[str, NDArray[Any]]) -> tuple[Any, tuple[str, ...]]:
    """The model as it is, run layer by layer without any graph optimizer, or else compiled by XLA.

    The second is for machines where a kernel of TensorFlow lacks channels_first.
    """
    import tensorflow as tf

    missing = (tf.errors.UnimplementedError, tf.errors.InvalidArgumentError, tf.errors.NotFoundError)
    one, error = _inputs(graph, feeds, slice(0, 1)), None
    for call, notes in ((model, ()), (tf.function(model, jit_compile=True), (BY_XLA,))):
        try:
            _answer(graph, model, call, one)
            return call, notes
        except missing as reason:
            error = error or reason
    raise ReferenceUnavailable(
        f"'{graph.source.path}': Keras cannot run the network on this machine "
        f"({str(error).splitlines()[0][:160].rstrip('.')}): compare with the float64 witness alone."
    ) from error


def _inputs(graph: LayerGraph, feeds: Mapping[str, NDArray[Any]], rows: slice) -> list[NDArray[Any]]:
    """Some rows of each feed (N, *shape) in the input's dtype; half floats as float32, which the model casts."""
    dtypes = ["float32" if spec.dtype in ("float16", "bfloat16") else spec.dtype for spec in graph.inputs]
    return [np.asarray(feeds[spec.name][rows], dtype) for spec, dtype in zip(graph.inputs, dtypes, strict=True)]
